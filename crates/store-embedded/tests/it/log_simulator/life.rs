//! One seed: the life of one log, and the judge that knows the promised commits.

use std::path::Path;
use std::sync::Arc;

use millrace_store_embedded::LogOptions;
use millrace_store_embedded::base::error::{Error, Result};
use millrace_store_embedded::folder::Folder;
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::io::{Bug, Machine};
use millrace_store_embedded::log::{
    Demand, FrameRef, LogWriter, PreparedFile, ReleasedFiles, recover,
};
use millrace_testkit::Rng;

use super::coverage::Coverage;

const ROUNDS: u64 = 12;
/// In the one an opening carries hardly a batch over, in the other several.
const OPTIONS: [LogOptions; 2] = [
    LogOptions { file_bytes: 48 << 10, first_file_bytes: 16 << 10, batch_bytes_max: 16 << 10 },
    LogOptions { file_bytes: 48 << 10, first_file_bytes: 96 << 10, batch_bytes_max: 16 << 10 },
];

/// Faults of the program, besides those of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mutation {
    None,
    /// The program forgets something.
    Injected(Bug),
    /// Damage takes with it everything behind it, as for a recovery that never looks beyond a gap.
    BlindBeyondGaps,
}

/// A judgement against the log: its fault.
pub(super) type Verdict = std::result::Result<(), String>;

/// The same, or how to go on.
pub(super) type Judged<T> = std::result::Result<T, String>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) position: u64,
    pub(super) graph: u32,
    pub(super) kind: u16,
    pub(super) payload: Vec<u8>,
}

impl Entry {
    pub(super) fn frame(&self) -> FrameRef<'_> {
        FrameRef::new(self.position, self.graph, self.kind, &self.payload)
    }
}

/// The log as the judge knows it.
pub(super) struct Life {
    pub(super) disk: SimDisk,
    pub(super) random: Rng,
    mutation: Mutation,
    options: LogOptions,
    pub(super) coverage: Coverage,
    /// All that was written and may come back, in order of positions.
    pub(super) written: Vec<Entry>,
    /// Must come back: acknowledged, or seen by an opener.
    pub(super) promised: u64,
    /// Must come back even after damage: a durable batch vouches for it.
    pub(super) vouched: u64,
    pub(super) replay_from: u64,
}

/// An open log, with the state of its helpers.
pub(super) struct Session {
    pub(super) log: LogWriter,
    pub(super) prepared: Option<PreparedFile>,
    pub(super) released: Vec<ReleasedFiles>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    GoOn,
    Stop,
}

impl Life {
    pub(super) fn new(seed: u64, mutation: Mutation) -> Self {
        let disk = SimDisk::new(seed);
        if let Mutation::Injected(fault) = mutation {
            disk.inject(fault);
        }
        Self {
            disk,
            random: Rng::new(!seed),
            mutation,
            options: OPTIONS[(seed % 2) as usize],
            coverage: Coverage::default(),
            written: Vec::new(),
            promised: 0,
            vouched: 0,
            replay_from: 1,
        }
    }

    pub(super) fn run(&mut self) -> Verdict {
        for _ in 0..ROUNDS {
            if let Some(session) = self.open_for_work()? {
                self.work(session)?;
            }
            self.end_badly();
            if self.random.chance(0.25) && self.damage()? == Ending::Stop {
                return Ok(());
            }
        }
        self.open_for_work().map(|_| ())
    }

    /// Opens, perhaps with a crash on the way; none if it came.
    fn open_for_work(&mut self) -> Judged<Option<Session>> {
        if self.random.chance(1.0 / 3.0) {
            self.disk.crash_after(self.random.below(14));
        }
        let (opened, was_full) = self.open_perhaps_full();
        match opened {
            Ok((log, entries)) => {
                let vouched = self.vouched;
                self.judge(&entries, log.durable(), self.promised)?;
                if was_full {
                    // There may be no room for the batch that vouches.
                    self.vouched = vouched;
                }
                // A crash that did not come during the open comes later.
                if self.random.chance(0.5) {
                    self.disk.crash_after(self.random.below(60));
                }
                Ok(Some(Session { log, prepared: None, released: Vec::new() }))
            }
            Err(_) if self.disk.is_crashed() => {
                self.coverage.crashed_opens += 1;
                Ok(None)
            }
            Err(error) => Err(format!("an ordinary crash does not reopen: {error}")),
        }
    }

    /// Opens, now and then on a disk that is full and has room again afterwards, and says whether
    /// it was. Only a log without any batch is refused there.
    fn open_perhaps_full(&mut self) -> (Result<(LogWriter, Vec<Entry>)>, bool) {
        if !self.random.chance(0.15) {
            return (self.open(), false);
        }
        self.disk.full_after(self.random.below(4));
        let opened = self.open();
        let was_full = self.disk.is_full();
        self.coverage.full_opens += u64::from(was_full);
        self.disk.free_room();
        match opened {
            Err(Error::DiskFull { .. }) if self.promised == 0 => (self.open(), false),
            opened => (opened, was_full),
        }
    }

    fn open(&mut self) -> Result<(LogWriter, Vec<Entry>)> {
        let Machine { disk, random, .. } = self.disk.machine(self.random.next_u64());
        let folder = Arc::new(Folder::open(disk, Path::new("/data"))?);
        let mut entries = Vec::new();
        let recovered = recover(
            &folder,
            &random,
            self.options,
            Demand::from(self.replay_from),
            &mut |frame| {
                let payload = frame.payload.to_vec();
                let (position, graph, kind) = (frame.position, frame.graph, frame.kind);
                entries.push(Entry { position, graph, kind, payload });
                Ok(())
            },
        )?;
        Ok((recovered.writer, entries))
    }

    /// Judges the entries that an open recovered, and takes them for the truth from here on: they
    /// have been seen.
    fn judge(&mut self, entries: &[Entry], durable: u64, floor: u64) -> Verdict {
        self.coverage.opened += 1;
        if durable < floor {
            return Err(format!("position {floor} was promised, {durable} is the last recovered"));
        }
        let needed =
            |entry: &&Entry| self.replay_from <= entry.position && entry.position <= durable;
        let expected: Vec<&Entry> = self.written.iter().filter(needed).collect();
        if !entries.iter().eq(expected.iter().copied()) {
            let place = entries.iter().zip(&expected).take_while(|(a, b)| a == *b).count();
            return Err(format!(
                "{} frames recovered, {} expected, the first {place} are equal",
                entries.len(),
                expected.len()
            ));
        }
        let dropped = self.written.last().is_some_and(|last| durable < last.position);
        self.coverage.tails_dropped += u64::from(dropped);
        self.written.retain(|entry| entry.position <= durable);
        (self.promised, self.vouched) = (durable, durable);
        Ok(())
    }

    fn end_badly(&mut self) {
        if self.random.chance(1.0 / 3.0) {
            self.disk.process_kill();
        } else {
            self.disk.power_loss();
        }
    }

    /// Flips a bit at rest and opens: either all that is vouched for comes back, or the open
    /// refuses, saying where. After a refusal the bit is flipped back: nothing may have changed.
    fn damage(&mut self) -> Judged<Ending> {
        let mut files = self.disk.files();
        files.retain(|(_, bytes)| 0 < *bytes);
        if files.is_empty() {
            return Ok(Ending::GoOn);
        }
        let place = self.random.below(files.len() as u64) as usize;
        let (path, bytes) = files[place].clone();
        let (offset, bit) = (self.random.below(bytes), self.random.below(8) as u8);
        self.disk.flip_bit(&path, offset, bit);
        if self.mutation == Mutation::BlindBeyondGaps {
            self.disk.corrupt(&path, offset, bytes - offset);
            files[place + 1..].iter().for_each(|(path, bytes)| self.disk.corrupt(path, 0, *bytes));
        }
        match self.open() {
            Ok((log, entries)) => {
                self.coverage.survived_damage += 1;
                self.judge(&entries, log.durable(), self.vouched)?;
                Ok(Ending::GoOn)
            }
            Err(Error::Corrupt { path: named, .. }) => {
                self.coverage.refused += 1;
                if !named.starts_with("/data") {
                    return Err(format!("damage is reported in {}", named.display()));
                }
                self.disk.flip_bit(&path, offset, bit);
                let beyond_mending = self.mutation == Mutation::BlindBeyondGaps;
                Ok(if beyond_mending { Ending::Stop } else { Ending::GoOn })
            }
            Err(error) => Err(format!("damage is not called damage: {error}")),
        }
    }
}
