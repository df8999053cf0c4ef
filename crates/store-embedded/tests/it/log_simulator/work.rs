//! The work of an open log, step by step, and the notes of the judge on each.

use millrace_store_embedded::base::error::Error;
use millrace_store_embedded::log::{FrameRef, LogWriter};

use super::life::{Ending, Entry, Judged, Life, Session, Verdict};

const STEPS_MAX: u64 = 60;

impl Life {
    pub(super) fn work(&mut self, mut session: Session) -> Verdict {
        for _ in 0..self.random.below(STEPS_MAX) {
            let ending = match self.random.below(12) {
                0..6 => self.append(&mut session.log)?,
                6 => self.write_without_sync(&mut session.log)?,
                7 => self.sync(&mut session.log)?,
                8 => self.idle(&mut session.log),
                9 => self.prepare_or_install(&mut session),
                10 => self.release_or_remove(&mut session),
                _ => self.arm_a_fault(),
            };
            if ending == Ending::Stop {
                return Ok(());
            }
        }
        if self.written.len().is_multiple_of(3) { self.trim(&mut session.log) } else { Ok(()) }
    }

    /// The end of an orderly close; the life ends badly all the same.
    fn trim(&mut self, log: &mut LogWriter) -> Verdict {
        match log.trim() {
            Ok(()) => self.coverage.trimmed += 1,
            Err(error) if !self.disk.is_crashed() && !log.is_poisoned() => {
                return Err(format!("a close gives back no room: {error}"));
            }
            Err(_) => {}
        }
        Ok(())
    }

    fn append(&mut self, log: &mut LogWriter) -> Judged<Ending> {
        let entries = self.new_entries();
        let frames: Vec<FrameRef<'_>> = entries.iter().map(Entry::frame).collect();
        let before = log.durable();
        match log.append(&frames) {
            Ok(durable) => {
                self.written.extend(entries);
                self.written.retain(|entry| entry.position <= durable);
                self.acknowledge(before, durable)?;
                Ok(Ending::GoOn)
            }
            Err(error) => Ok(self.failed(log, &error, entries)),
        }
    }

    fn write_without_sync(&mut self, log: &mut LogWriter) -> Judged<Ending> {
        let mut entries = self.new_entries();
        let frames: Vec<FrameRef<'_>> = entries.iter().map(Entry::frame).collect();
        match log.write(&frames) {
            Ok(count) => {
                if frames.get(count).is_some_and(|f| f.position == frames[count - 1].position) {
                    return Err("a commit was split between batches".to_owned());
                }
                entries.truncate(count);
                self.written.extend(entries);
                Ok(Ending::GoOn)
            }
            Err(error) => Ok(self.failed(log, &error, entries)),
        }
    }

    fn sync(&mut self, log: &mut LogWriter) -> Judged<Ending> {
        match log.sync() {
            Ok(durable) => {
                // Which batch vouches for how much is not followed here: the floor stays lower.
                self.acknowledge(self.vouched, durable)?;
                Ok(Ending::GoOn)
            }
            Err(error) => Ok(self.failed(log, &error, Vec::new())),
        }
    }

    fn idle(&mut self, log: &mut LogWriter) -> Ending {
        match log.append_idle() {
            Ok(true) => {
                self.vouched = log.durable();
                Ending::GoOn
            }
            Ok(false) => Ending::GoOn,
            Err(error) => self.failed(log, &error, Vec::new()),
        }
    }

    fn acknowledge(&mut self, vouched: u64, durable: u64) -> Verdict {
        let last = self.written.last().map_or(self.promised, |entry| entry.position);
        if durable != last {
            return Err(format!("the durable position is {durable}, {last} was written"));
        }
        self.promised = durable;
        self.vouched = self.vouched.max(vouched);
        Ok(())
    }

    /// A step failed. If the log goes on, nothing of the step was written; else its outcome is
    /// unknown: it may come back.
    fn failed(&mut self, log: &LogWriter, error: &Error, entries: Vec<Entry>) -> Ending {
        self.coverage.failed_syncs +=
            u64::from(matches!(error, Error::Io { operation: "sync", .. }));
        if log.is_poisoned() {
            self.written.extend(entries);
            return Ending::Stop;
        }
        self.coverage.disk_full += u64::from(matches!(error, Error::DiskFull { .. }));
        // A crash while a file is made does not poison; every later step fails anyhow.
        Ending::GoOn
    }

    fn new_entries(&mut self) -> Vec<Entry> {
        let first = 1 + self.written.last().map_or(self.promised, |entry| entry.position);
        let mut entries = Vec::new();
        for position in first..=first + self.random.below(4) {
            for _ in 0..=self.random.below(3) {
                let bytes_max = if self.random.chance(0.2) { 5000 } else { 300 };
                let bytes = self.random.below(bytes_max);
                let payload = (0..bytes).map(|_| self.random.next_u64() as u8).collect();
                let bits = self.random.next_u64();
                let (graph, kind) = ((bits >> 32) as u32, bits as u16);
                entries.push(Entry { position, graph, kind, payload });
            }
        }
        entries
    }

    fn prepare_or_install(&mut self, session: &mut Session) -> Ending {
        if let Some(prepared) = session.prepared.take() {
            session.log.install_next(prepared);
            self.coverage.files_installed += 1;
        } else if let Some(next) = session.log.next_file() {
            let is_reused = next.is_reused();
            // A failure here is the helper's: it is asked again.
            session.prepared = next.prepare(&|| 0).ok();
            self.coverage.files_reused += u64::from(is_reused && session.prepared.is_some());
        }
        Ending::GoOn
    }

    fn release_or_remove(&mut self, session: &mut Session) -> Ending {
        if self.random.chance(0.5) {
            let reach = self.promised + 1 - self.replay_from;
            self.replay_from += self.random.below(reach + 1);
            session.released.push(session.log.release(self.replay_from));
        } else if !session.released.is_empty() {
            let released = session.released.remove(0);
            self.coverage.files_removed += u64::from(!released.is_empty());
            if released.remove().is_err() {
                return Ending::Stop;
            }
        }
        Ending::GoOn
    }

    fn arm_a_fault(&mut self) -> Ending {
        match self.random.below(3) {
            0 => self.disk.fail_sync_after(self.random.below(4)),
            1 => self.disk.full_after(self.random.below(6)),
            _ => self.disk.crash_after(self.random.below(10)),
        }
        Ending::GoOn
    }
}
