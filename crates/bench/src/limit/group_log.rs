//! The least a durable graph does for an edge: its bytes go to a log, one sync for whatever
//! gathered during the last, and both ends get an entry in an array.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The file is written round and round, since a store frees its log too.
const FILE_BYTES: u64 = 64 << 20;

/// Writes are rounded up to a multiple of this.
const BLOCK_BYTES: usize = 4096;

/// The parameters of the log.
#[derive(Clone, Copy, Debug)]
pub struct GroupLog {
    /// Bytes of log for each edge.
    pub record_bytes: usize,
    /// Edges that may wait for their sync.
    pub in_flight: u64,
    /// All ends are below this.
    pub vertices: u64,
}

#[derive(Default)]
struct Shared {
    waiting: Vec<u8>,
    queued: u64,
    durable: u64,
    closed: bool,
    failure: Option<io::Error>,
}

/// The queue between the thread that makes edges and the one that writes.
#[derive(Default)]
struct Queue {
    shared: Mutex<Shared>,
    /// Rung when there is something to write, or nothing more will come.
    filled: Condvar,
    /// Rung when something became durable, or nothing more will.
    synced: Condvar,
}

/// Edges a second: sampled, logged, synced, appended. Makes `file`, and leaves it.
pub fn group_log(
    log: &GroupLog,
    file: &Path,
    span: Duration,
    sample: impl FnMut() -> (u32, u32),
) -> io::Result<f64> {
    let file = zeroed(file)?;
    let queue = Queue::default();
    thread::scope(|scope| {
        scope.spawn(|| queue.write_all(&file));
        let rate = queue.fill(log, span, sample);
        queue.lock().closed = true;
        queue.filled.notify_all();
        rate
    })
}

/// A file of zeros, on the disk.
pub(super) fn zeroed(path: &Path) -> io::Result<File> {
    let file = File::options().write(true).create(true).truncate(true).open(path)?;
    let zeros = vec![0; 1 << 20];
    for offset in (0..FILE_BYTES).step_by(zeros.len()) {
        file.write_all_at(&zeros, offset)?;
    }
    file.sync_all()?;
    Ok(file)
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fill(
        &self,
        log: &GroupLog,
        span: Duration,
        mut sample: impl FnMut() -> (u32, u32),
    ) -> io::Result<f64> {
        let mut out = vec![Vec::<u32>::new(); log.vertices as usize];
        let mut into = out.clone();
        let mut record = vec![0; log.record_bytes.max(8)];
        let began = Instant::now();
        while began.elapsed() < span {
            let (source, target) = sample();
            record[..4].copy_from_slice(&source.to_le_bytes());
            record[4..8].copy_from_slice(&target.to_le_bytes());
            out[source as usize].push(target);
            into[target as usize].push(source);
            let mut shared = self.lock();
            shared.waiting.extend_from_slice(&record);
            shared.queued += 1;
            if shared.waiting.len() == record.len() {
                self.filled.notify_one();
            }
            while log.in_flight <= shared.queued - shared.durable && shared.failure.is_none() {
                shared = self.synced.wait(shared).unwrap_or_else(PoisonError::into_inner);
            }
            if let Some(failure) = shared.failure.take() {
                return Err(failure);
            }
        }
        Ok(self.lock().durable as f64 / began.elapsed().as_secs_f64())
    }

    fn write_all(&self, file: &File) {
        let (mut writing, mut offset) = (Vec::new(), 0);
        loop {
            let mut shared = self.lock();
            while shared.waiting.is_empty() && !shared.closed {
                shared = self.filled.wait(shared).unwrap_or_else(PoisonError::into_inner);
            }
            if shared.waiting.is_empty() {
                return;
            }
            std::mem::swap(&mut shared.waiting, &mut writing);
            let given = shared.queued;
            drop(shared);
            writing.resize(writing.len().next_multiple_of(BLOCK_BYTES), 0);
            if FILE_BYTES < offset + writing.len() as u64 {
                offset = 0;
            }
            let written = file.write_all_at(&writing, offset).and_then(|()| file.sync_data());
            offset += writing.len() as u64;
            writing.clear();
            let mut shared = self.lock();
            match written {
                Ok(()) => shared.durable = given,
                Err(error) => shared.failure = Some(error),
            }
            let failed = shared.failure.is_some();
            self.synced.notify_all();
            if failed {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sampled_edge_is_in_the_log_once_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let log = GroupLog { record_bytes: 12, in_flight: 100, vertices: 50 };
        let mut sampled = 0;
        let rate = group_log(&log, &path, Duration::from_millis(50), || {
            sampled += 1;
            // The source is never 0: a record of zeros is padding.
            (sampled % 49 + 1, sampled / 49 % 50)
        });
        assert!(0.0 < rate.unwrap());
        let bytes = std::fs::read(&path).unwrap();
        let blocks = bytes.chunks(BLOCK_BYTES).take_while(|block| block[..8] != [0; 8]);
        let mut next = 0;
        // A group of at most 100 records of 12 bytes fits one block.
        for record in blocks.flat_map(|block| block.chunks_exact(12)) {
            if record[..8] != [0; 8] {
                next += 1;
                let end = |at: usize| u32::from_le_bytes(record[at..at + 4].try_into().unwrap());
                assert_eq!((end(0), end(4)), (next % 49 + 1, next / 49 % 50));
            }
        }
        assert!(0 < next && next <= sampled, "{next} of {sampled}");
    }
}
