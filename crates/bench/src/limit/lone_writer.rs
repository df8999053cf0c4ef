//! The latency of one block written and synced by a single writer: the lower bound of any durable
//! commit, alone and beside other load.

use std::fs;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::group_log::zeroed;
use crate::machine::joined;
use crate::measure::Histogram;

/// The block of one write.
const BLOCK: [u8; 4096] = [7; 4096];

/// Blocks after which the writer begins at the front again.
const BLOCKS: u64 = 4096;

/// The other writer syncs this many bytes at a time, as a checkpoint does.
const SLICE_BYTES: usize = 4 << 20;

/// Slices after which the other writer begins at the front again.
const SLICES: u64 = 32;

/// Writes and syncs 4 KiB, one after the other, for a while. Makes `file` and removes it.
pub fn lone_writer(path: &Path, span: Duration) -> io::Result<Histogram> {
    let file = zeroed(path)?;
    let mut histogram = Histogram::default();
    let began = Instant::now();
    for turn in 0.. {
        if span <= began.elapsed() {
            break;
        }
        let started = Instant::now();
        file.write_all_at(&BLOCK, turn % BLOCKS * BLOCK.len() as u64)?;
        file.sync_data()?;
        histogram.record(started.elapsed());
    }
    fs::remove_file(path)?;
    Ok(histogram)
}

/// The same beside the load that a busy database has beside its log, and nothing else: one thread that
/// only computes, and one that writes slices, syncs each, and pauses as long as that took.
pub fn lone_writer_beside(path: &Path, span: Duration) -> io::Result<Histogram> {
    let other = path.with_extension("slices");
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        });
        let slices = scope.spawn(|| write_slices(&other, &done));
        let lone = lone_writer(path, span);
        done.store(true, Ordering::Relaxed);
        joined(slices)?;
        lone
    })
}

fn write_slices(path: &Path, done: &AtomicBool) -> io::Result<()> {
    let (file, slice) = (fs::File::create(path)?, vec![7; SLICE_BYTES]);
    for turn in 0.. {
        if done.load(Ordering::Relaxed) {
            break;
        }
        let started = Instant::now();
        if turn % SLICES == 0 {
            file.set_len(0)?;
        }
        file.write_all_at(&slice, turn % SLICES * SLICE_BYTES as u64)?;
        file.sync_data()?;
        thread::sleep(started.elapsed());
    }
    fs::remove_file(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_write_is_counted_and_the_file_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("block");
        let histogram = lone_writer(&path, Duration::from_millis(20)).unwrap();
        assert!(0 < histogram.count() && Duration::ZERO < histogram.percentile(50.0));
        assert!(!path.exists());
    }

    #[test]
    fn beside_others_each_write_is_counted_and_no_file_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("block");
        let histogram = lone_writer_beside(&path, Duration::from_millis(50)).unwrap();
        assert!(0 < histogram.count());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
