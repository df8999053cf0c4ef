//! Recovery: reads the log back, decides whether a gap in it is damage, and begins the next file.
//!
//! On a full disk the tail is made durable where it is, and the log goes on when there is room for
//! a file: so a folder opens for reading.
//!
//! Frames are visited while the log is still being read, and the tail that nothing vouches for lies
//! in the new file only when [`recover`] returns. **Nothing visited may be shown to a client before
//! that**, and after an error all of it is void.

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::base::options::LogOptions;
use crate::folder::Folder;
use crate::io::{FileKind, FileName, Random};
use crate::log::begin::{begin_file, remove_empty, remove_unused, rewrite_in_place};
use crate::log::chain::{Batch, Carried, Chain, Visit};
use crate::log::files::{OldFile, PreparedFile, Spares};
use crate::log::format::{BLOCK, Frame};
use crate::log::scan::LogFile;
use crate::log::writer::LogWriter;

/// The demands of a manifest on the log that follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// The oldest position that is not in a segment, 1 in a new store. Frames before it are not
    /// visited.
    pub replay_from: u64,
    /// The durable position when the manifest was written: nothing up to here is a torn tail.
    pub durable: u64,
}

impl Demand {
    /// All from a position on is needed, and all before it was on disk.
    pub fn from(replay_from: u64) -> Demand {
        Demand { replay_from, durable: replay_from - 1 }
    }
}

/// A log that was read back, ready to be written on.
pub struct Recovered {
    /// The writer; all that was visited is durable.
    pub writer: LogWriter,
    /// The last position recovered; 0 in a new log.
    pub position_last: u64,
    /// How many frames were visited.
    pub frame_count: u64,
}

/// Opens the log of a folder: visits, in order, every frame that is needed, begins a new file and
/// makes it durable. [`Error::Corrupt`] if something is missing that was durable.
pub fn recover(
    folder: &Arc<Folder>,
    random: &Arc<dyn Random>,
    options: LogOptions,
    demand: Demand,
    visit: &mut dyn FnMut(Frame<'_>) -> Result<()>,
) -> Result<Recovered> {
    options.assert_in_bounds();
    let mut frame_count = 0;
    let mut visit_needed = |frame: Frame<'_>| {
        if frame.position < demand.replay_from {
            return Ok(());
        }
        frame_count += 1;
        visit(frame)
    };
    let mut reading = Reading::open(folder, options.carried_bytes_max())?;
    reading.follow(folder, demand, &mut visit_needed)?;
    let Reading { mut chain, mut uses, files, end, begin } = reading;
    let last = chain.end();
    let carried = carry(&mut chain, &uses, demand.replay_from);
    let tail = chain.finish(&mut visit_needed)?;
    let copied: Vec<&Batch> = carried.batches.iter().chain(&tail).collect();
    let mut begun = begin_file(folder, random.next_u64(), options, carried.after, &copied);
    if begin.is_some() && matches!(begun, Err(Error::DiskFull { .. })) {
        let rewritten = rewrite_in_place(folder, &files, &tail, end, last)?;
        let rewritten_batch = rewritten.written.batch;
        uses = remove_empty(folder, uses)?;
        folder.remove_temporaries()?;
        // All of it is durable now, and there may be room.
        begun = match begin_file(folder, random.next_u64(), options, rewritten.written, &[]) {
            Err(Error::DiskFull { .. }) => Ok(rewritten),
            outcome => outcome,
        };
        let name = files[end.0].name;
        let of_last = uses.iter_mut().filter(|file| file.file.name == name);
        of_last.for_each(|file| file.file.batch_last = rewritten_batch);
    } else {
        // Later batches are in the new file now, and count only there.
        uses.iter_mut().for_each(|file| file.truncate_after(carried.after.batch));
    }
    let begun = begun?;
    let mut older = remove_unused(folder, uses)?;
    // The writer has that file as its own.
    older.retain(|file| file.name.number != begun.file.id.number);
    let written = begun.written;
    let writer = LogWriter {
        appended: 0,
        folder: Arc::clone(folder),
        random: Arc::clone(random),
        options,
        spares: Spares::of_size(options.file_bytes, folder.disk()),
        current: begun.file,
        end: begun.end,
        next: None,
        older,
        written,
        durable: written,
        idle_due: false,
        poisoned: None,
        buffer: Vec::new(),
    };
    Ok(Recovered { writer, position_last: written.position, frame_count })
}

/// Reads the log of a folder as [`recover`] does, tail and all, and changes nothing. The files are
/// synced, so that what was visited outlives a power loss; the writer takes no batch.
pub(crate) fn recover_to_read(
    folder: &Arc<Folder>,
    random: &Arc<dyn Random>,
    options: LogOptions,
    demand: Demand,
    visit: Visit<'_>,
) -> Result<Recovered> {
    let mut frame_count = 0;
    let mut visit_needed = |frame: Frame<'_>| {
        if frame.position < demand.replay_from {
            return Ok(());
        }
        frame_count += 1;
        visit(frame)
    };
    let mut reading = Reading::open(folder, 0)?;
    reading.follow(folder, demand, &mut visit_needed)?;
    let Reading { chain, uses, files, end: (end, end_offset), .. } = reading;
    let written = chain.end();
    chain.finish(&mut visit_needed)?;
    files.iter().try_for_each(|file| file.file.sync_data())?;
    folder.sync()?;
    let last = files.into_iter().nth(end).and_then(|file| Some((file.header?.id, file)));
    let (id, last) = last.ok_or_else(|| {
        let detail = "it has no log: open it once where it can be written";
        Error::corrupt(folder.path(), 0, detail)
    })?;
    let uses = uses.into_iter().filter(|file| !file.is_empty() && file.file.name != last.name);
    let writer = LogWriter {
        appended: 0,
        folder: Arc::clone(folder),
        random: Arc::clone(random),
        options,
        spares: Spares::of_size(0, folder.disk()),
        current: PreparedFile { file: last.file, id, bytes: end_offset },
        end: end_offset,
        next: None,
        older: uses.map(|file| file.file).collect(),
        written,
        durable: written,
        idle_due: false,
        poisoned: None,
        buffer: Vec::new(),
    };
    Ok(Recovered { writer, position_last: written.position, frame_count })
}

/// The vouched batches that are copied with the tail: from the start of the first file whose needed
/// batches are all among those that the chain carries. Without such a file none is.
fn carry(chain: &mut Chain, uses: &[Use], replay_from: u64) -> Carried {
    let (vouched, mut carried) = (chain.vouched, chain.take_carried());
    let is_needed = |file: &&Use| !file.is_empty() && replay_from <= file.file.position_last;
    let starts = uses.iter().filter(is_needed).map(|file| file.batch_first);
    match starts.filter(|first| carried.holds(*first)).min() {
        Some(first) => carried.leave_from(first),
        None => carried = Carried::none(vouched),
    }
    carried
}

/// The part of a log file that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogFileUse {
    /// Its name.
    pub name: FileName,
    /// Its length in bytes, used or not.
    pub bytes: u64,
    /// Where the last batch that counts ends.
    pub used_bytes: u64,
    /// Its first batch and its last; `None` if nothing in it counts.
    pub batches: Option<(u64, u64)>,
    /// The last position in it.
    pub position_last: u64,
}

/// A log that was read, and left as it was.
#[derive(Debug)]
pub struct LogRead {
    /// The last position in it.
    pub position_last: u64,
    /// Its files, oldest first.
    pub files: Vec<LogFileUse>,
}

/// Reads the log of a folder as [`recover`] does, tail and all, and changes nothing: for checks,
/// and for inspection. Visits every frame that is needed.
pub fn read(folder: &Folder, demand: Demand, visit: Visit<'_>) -> Result<LogRead> {
    let mut visit_needed = |frame: Frame<'_>| match frame.position < demand.replay_from {
        true => Ok(()),
        false => visit(frame),
    };
    let mut reading = Reading::open(folder, 0)?;
    reading.follow(folder, demand, &mut visit_needed)?;
    let Reading { chain, uses, .. } = reading;
    let position_last = chain.end().position;
    chain.finish(&mut visit_needed)?;
    let files = uses.iter().map(|usage| LogFileUse {
        name: usage.file.name,
        bytes: usage.file.bytes,
        used_bytes: usage.file.end,
        batches: (!usage.is_empty()).then_some((usage.batch_first, usage.file.batch_last)),
        position_last: usage.file.position_last,
    });
    Ok(LogRead { position_last, files: files.collect() })
}

/// A damaged log that was read as far as it goes.
#[derive(Debug, Default)]
pub(crate) struct LogPrefix {
    /// The last position in it.
    pub(crate) position_last: u64,
    /// The fault at which it breaks off.
    pub(crate) broken: Option<Error>,
    /// Headers of files that were made anew.
    pub(crate) mended: Vec<String>,
}

/// The first position that a log holds, or would hold if it has none; for a repair.
pub(crate) fn first_position(folder: &Folder) -> Result<u64> {
    let (mut reading, _) = Reading::open_mended(folder)?;
    reading.follow_chain(1, &mut |_| Ok(()))?;
    Ok(reading.chain.starts_after.unwrap_or(0) + 1)
}

/// Reads the log up to where it breaks off, damaged headers of files made anew. Visits every frame
/// that is needed.
pub(crate) fn read_prefix(folder: &Folder, demand: Demand, visit: Visit<'_>) -> Result<LogPrefix> {
    let mut visit_needed = |frame: Frame<'_>| match frame.position < demand.replay_from {
        true => Ok(()),
        false => visit(frame),
    };
    let (mut reading, mended) = Reading::open_mended(folder)?;
    reading.follow_chain(demand.replay_from, &mut visit_needed)?;
    let broken = reading.check(folder, demand).err();
    let position_last = reading.chain.end().position;
    reading.chain.finish(&mut visit_needed)?;
    Ok(LogPrefix { position_last, broken, mended })
}

/// The files of the log, and how far the chain goes through them.
struct Reading {
    files: Vec<LogFile>,
    uses: Vec<Use>,
    chain: Chain,
    /// The file in which the chain begins.
    begin: Option<usize>,
    /// Where the chain ends: index of the file, and offset.
    end: (usize, u64),
}

/// The part of a file that counts.
pub(super) struct Use {
    pub(super) file: OldFile,
    batch_first: u64,
}

impl Use {
    fn truncate_after(&mut self, batch: u64) {
        self.file.batch_last = self.file.batch_last.min(batch);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.file.batch_last < self.batch_first
    }
}

impl Reading {
    /// The files of the log, to be followed by a chain that keeps so many bytes of vouched batches.
    fn open(folder: &Folder, carried_bytes_max: u64) -> Result<Self> {
        let names = folder.names(FileKind::Log)?;
        let files: Vec<LogFile> =
            names.into_iter().map(|name| LogFile::open(folder, name)).collect::<Result<_>>()?;
        Ok(Self { chain: Chain::carrying(carried_bytes_max), ..Self::of(files) })
    }

    /// The same for a repair, with descriptions of the headers that had to be made anew.
    fn open_mended(folder: &Folder) -> Result<(Self, Vec<String>)> {
        let names = folder.names(FileKind::Log)?;
        let open = |name| LogFile::open_mended(folder, name);
        let opened: Vec<_> = names.into_iter().map(open).collect::<Result<_>>()?;
        let (files, mended): (Vec<_>, Vec<_>) = opened.into_iter().unzip();
        Ok((Self::of(files), mended.into_iter().flatten().collect()))
    }

    fn of(files: Vec<LogFile>) -> Self {
        let unused = |file: &LogFile| {
            let LogFile { name, bytes, .. } = *file;
            let file = OldFile { name, bytes, end: BLOCK, position_last: 0, batch_last: 0 };
            Use { file, batch_first: 1 }
        };
        let uses = files.iter().map(unused).collect();
        Self { files, uses, chain: Chain::default(), begin: None, end: (0, BLOCK) }
    }

    /// Follows the chain to its end and judges the bytes after it.
    fn follow(&mut self, folder: &Folder, demand: Demand, visit: Visit<'_>) -> Result<()> {
        self.follow_chain(demand.replay_from, visit)?;
        self.check(folder, demand)
    }

    /// Visits nothing if the chain begins too late: earlier batches are damaged or missing, as the
    /// checks say, and the later ones must not be applied to a state that they do not follow.
    fn follow_chain(&mut self, replay_from: u64, visit: Visit<'_>) -> Result<()> {
        for index in 0..self.files.len() {
            let batch_end = self.batch_end(index);
            let mut offset = BLOCK;
            while let Some(batch) = self.files[index].read_batch(offset)? {
                let counts = batch.header.sequence < batch_end;
                if !counts || !self.chain.fits(&batch, offset == BLOCK) {
                    break;
                }
                offset += batch.header.batch_bytes();
                self.count(index, &batch);
                self.end = (index, offset);
                self.chain.push(batch, visit)?;
                if self.begin.is_none() {
                    self.begin = Some(index);
                    // The first batch is held, so nothing was visited yet.
                    if self.chain.starts_after.is_some_and(|after| replay_from <= after) {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Batches from this on do not count in a file: an open that began a later one said so. Not
    /// even if they are whole now: that open counted only the batches that it could read.
    fn batch_end(&self, index: usize) -> u64 {
        let later = self.files[index + 1..].iter().filter_map(|file| file.header);
        later.map(|header| header.first_batch).filter(|first| *first != 0).min().unwrap_or(u64::MAX)
    }

    fn count(&mut self, index: usize, batch: &Batch) {
        let sequence = batch.header.sequence;
        let here = &mut self.uses[index];
        if here.is_empty() {
            here.batch_first = sequence;
        }
        here.file.batch_last = sequence;
        here.file.end = batch.offset + batch.header.batch_bytes();
        here.file.position_last = batch.mark.position;
    }

    /// The rule: batches missing after the end of the chain are damage if a later header says that
    /// they were durable, else a torn tail.
    fn check_gap(&self, folder: &Folder) -> Result<()> {
        let missing = self.chain.end().batch + 1;
        let (end, end_offset) = self.end;
        for (index, file) in self.files.iter().enumerate() {
            if file.header.is_none() {
                check_never_used(folder, file)?;
            }
            if index < end {
                continue;
            }
            let from = if index == end { end_offset } else { BLOCK };
            let voucher = file.find_header(from, |header| missing <= header.durable_batch)?;
            if let Some((offset, header)) = voucher {
                let (path, gap) = self.locate_gap(folder)?;
                let detail = format!(
                    "the log breaks off after position {}, but byte {offset} of {} proves that it \
                     was on disk up to position {}",
                    self.chain.end().position,
                    file.name,
                    header.durable_before,
                );
                return Err(Error::corrupt(&path, gap, detail));
            }
        }
        Ok(())
    }

    /// The damaged place: where the chain ends or, if nothing was ever written there, the start
    /// of the file after it.
    fn locate_gap(&self, folder: &Folder) -> Result<(PathBuf, u64)> {
        let (end, offset) = self.end;
        let after = self.files.get(end + 1).filter(|_| self.chain.starts_after.is_some());
        match after {
            Some(after) if self.files[end].is_blank(offset)? => {
                Ok((folder.path_of(after.name), BLOCK))
            }
            Some(_) | None => Ok((folder.path_of(self.files[end].name), offset)),
        }
    }

    /// Nothing durable is missing: not at the begin, not in between, not at the end.
    fn check(&self, folder: &Folder, demand: Demand) -> Result<()> {
        self.check_begin(folder, demand.replay_from)?;
        self.check_gap(folder)?;
        self.check_end(folder, demand.durable)
    }

    /// The last batches have nothing in the log to vouch for them; the manifest may.
    fn check_end(&self, folder: &Folder, durable: u64) -> Result<()> {
        let last = self.chain.end().position;
        if durable <= last {
            return Ok(());
        }
        let detail = format!(
            "the log ends at position {last}, and the manifest proves that it was on disk up to \
             position {durable}"
        );
        if self.begin.is_none() {
            return Err(self.missing(folder, &detail));
        }
        let (path, gap) = self.locate_gap(folder)?;
        Err(Error::corrupt(&path, gap, detail))
    }

    fn check_begin(&self, folder: &Folder, replay_from: u64) -> Result<()> {
        let first = self.chain.starts_after.unwrap_or(0) + 1;
        if first <= replay_from {
            return Ok(());
        }
        let detail =
            format!("the log begins at position {first}, and {replay_from} and later are needed");
        Err(self.missing(folder, &detail))
    }

    /// The missing batches are in the file before the one in which the chain begins, if there is
    /// one.
    fn missing(&self, folder: &Folder, detail: &str) -> Error {
        match self.begin.and_then(|begin| begin.checked_sub(1)) {
            Some(before) => {
                let path = folder.path_of(self.files[before].name);
                Error::corrupt(&path, BLOCK, format!("{detail}: a batch is damaged"))
            }
            None => {
                let detail = format!("{detail}: files of the log are missing");
                Error::corrupt(folder.path(), 0, detail)
            }
        }
    }
}

/// A file with a damaged header must not hold batches: the header was durable before the first.
fn check_never_used(folder: &Folder, file: &LogFile) -> Result<()> {
    match file.find_header(0, |_| true)? {
        None => Ok(()),
        Some((offset, _)) => {
            let detail = format!("the header of the log file, which has a batch at byte {offset}");
            Err(Error::corrupt(&folder.path_of(file.name), 0, detail))
        }
    }
}
