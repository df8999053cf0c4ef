//! How the log goes on after an opening: in a new file that begins with a copy of the tail, or, on
//! a full disk, behind a tail that was rewritten in place.
//!
//! The invariant: when a file is given here, all recovered frames are durable, and bytes that a
//! crash may have left behind them are never taken for the next batch.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::base::options::LogOptions;
use crate::folder::Folder;
use crate::io::FileKind;
use crate::log::chain::Batch;
use crate::log::files::{OldFile, PreparedFile, log_name};
use crate::log::format::{BLOCK, BatchHeader, FileHeader, FileId, Mark, begin_batch};
use crate::log::recover::Use;
use crate::log::scan::LogFile;

/// Begins a log that says nothing but that all up to a position was before it.
pub(crate) fn begin_anew(folder: &Folder, salt: u64, position: u64) -> Result<()> {
    let id = FileId { number: folder.new_name(FileKind::Log).number, salt };
    let before = Mark { batch: 1, checksum: 0, position };
    let mut buffer = Vec::new();
    begin_batch(&mut buffer);
    BatchHeader::empty(id, before).finish_batch(&mut buffer);
    let mut bytes = FileHeader { id, first_batch: 0 }.encode();
    bytes.extend_from_slice(&buffer);
    let name = log_name(id.number);
    let temporary = folder.temporary_path_of(name);
    let file = folder.disk().create(&temporary)?;
    file.write_at(0, &bytes)?;
    file.sync_data()?;
    folder.disk().rename(&temporary, &folder.path_of(name))?;
    folder.sync()
}

/// The file that the log goes on in: a new one with the copied tail at its start, or the last.
pub(super) struct Begun {
    pub(super) file: PreparedFile,
    pub(super) end: u64,
    pub(super) written: Mark,
}

/// Makes the tail durable where it is, on a disk that has no room for a copy: it is written once
/// more, byte by byte the same, so that a write that the system forgot is done again. Bytes that
/// may follow it, and could not be read, are overwritten by an empty batch that vouches for the
/// tail, so that no later opening takes them for the next batch. Gives the last file as one that
/// takes nothing more: the next batch goes to a file that is made when there is room.
pub(super) fn rewrite_in_place(
    folder: &Folder,
    files: &[LogFile],
    tail: &VecDeque<Batch>,
    (end, end_offset): (usize, u64),
    last: Mark,
) -> Result<Begun> {
    for file in files {
        let of_file = |batch: &&Batch| Some(batch.header.file) == file.header.map(|own| own.id);
        let mut batches = tail.iter().filter(of_file).peekable();
        if batches.peek().is_none() {
            continue;
        }
        for batch in batches {
            let mut bytes = vec![0; batch.header.batch_bytes() as usize];
            file.file.read_at(batch.offset, &mut bytes)?;
            file.file.write_at(batch.offset, &bytes)?;
        }
        file.file.sync_data()?;
    }
    let file = &files[end];
    // Batches were read of it, so it has a header.
    let id = file.header.map(|own| own.id).ok_or_else(|| {
        Error::corrupt(&folder.path_of(file.name), 0, "the header of the log file is wrong")
    })?;
    let (mut end, mut written) = (end_offset, last);
    if end + BLOCK <= file.bytes {
        let header = BatchHeader::empty(id, last);
        let mut buffer = Vec::new();
        begin_batch(&mut buffer);
        let checksum = header.finish_batch(&mut buffer);
        file.file.write_at(end, &buffer)?;
        file.file.sync_data()?;
        (end, written) = (end + BLOCK, Mark { batch: header.sequence, checksum, ..last });
    }
    let file = PreparedFile { file: Arc::clone(&file.file), id, bytes: end };
    Ok(Begun { file, end, written })
}

/// Removes the files that hold nothing that counts, oldest first, each durably before the next: one
/// may say that batches in those before it do not count.
pub(super) fn remove_empty(folder: &Folder, uses: Vec<Use>) -> Result<Vec<Use>> {
    let (empty, used): (Vec<Use>, Vec<Use>) = uses.into_iter().partition(Use::is_empty);
    for file in &empty {
        folder.disk().remove(&folder.path_of(file.file.name))?;
        folder.sync()?;
    }
    Ok(used)
}

/// Writes the tail, and the batches before it back to a mark, into a new file under a temporary name, syncs it, and gives it its name: so it
/// is there with all of them, or not at all. That is why its last batch, an empty one, can say that
/// they are durable.
pub(super) fn begin_file(
    folder: &Arc<Folder>,
    salt: u64,
    options: LogOptions,
    vouched: Mark,
    tail: &[&Batch],
) -> Result<Begun> {
    let id = FileId { number: folder.new_name(FileKind::Log).number, salt };
    let (copy, written) = copy_tail(id, vouched, tail);
    let end = copy.len() as u64;
    let bytes = end + options.first_file_bytes;
    let name = log_name(id.number);
    let (path, temporary) = (folder.path_of(name), folder.temporary_path_of(name));
    let write = || {
        let file = folder.disk().create(&temporary)?;
        file.write_at(0, &copy)?;
        file.allocate(bytes)?;
        file.sync_data()
    };
    write().inspect_err(|_| {
        // Best effort: a file left behind is found at the next open, and takes the last room until
        // then.
        let _ = folder.disk().remove(&temporary);
    })?;
    folder.disk().rename(&temporary, &path)?;
    folder.sync()?;
    // Opened again, so that errors name the path it has now.
    let file = folder.disk().open(&path)?;
    Ok(Begun { file: PreparedFile { file, id, bytes }, end, written })
}

/// The start of a file: its header, the tail, and an empty batch to vouch for the tail. One that
/// ends the tail already is that one, so that a folder that is only opened does not grow.
fn copy_tail(id: FileId, vouched: Mark, tail: &[&Batch]) -> (Vec<u8>, Mark) {
    let mut bytes = FileHeader { id, first_batch: vouched.batch + 1 }.encode();
    let mut buffer = Vec::new();
    let mut mark = vouched;
    let (last, before) = match tail.split_last() {
        Some((last, before)) if last.header.frame_count == 0 => (Some(last), before),
        _ => (None, tail),
    };
    for batch in before {
        let header = BatchHeader {
            file: id,
            durable_batch: vouched.batch,
            durable_before: vouched.position,
            previous_checksum: mark.checksum,
            ..batch.header
        };
        begin_batch(&mut buffer);
        buffer.extend_from_slice(&batch.payload);
        mark = Mark { checksum: header.finish_batch(&mut buffer), ..batch.mark };
        bytes.extend_from_slice(&buffer);
    }
    if last.is_some() || vouched.position < mark.position {
        begin_batch(&mut buffer);
        let header = BatchHeader::empty(id, mark);
        let checksum = header.finish_batch(&mut buffer);
        mark = Mark { batch: header.sequence, checksum, ..mark };
        bytes.extend_from_slice(&buffer);
    }
    (bytes, mark)
}

/// Removes the files that hold nothing that counts, and gives the others, oldest first.
pub(super) fn remove_unused(folder: &Folder, uses: Vec<Use>) -> Result<VecDeque<OldFile>> {
    let (empty, used): (Vec<Use>, Vec<Use>) = uses.into_iter().partition(Use::is_empty);
    for file in &empty {
        folder.disk().remove(&folder.path_of(file.file.name))?;
    }
    if !empty.is_empty() {
        folder.sync()?;
    }
    Ok(used.into_iter().map(|file| file.file).collect())
}
