//! What one writer waits for one block on the disk: the least any durable commit can take.

use std::fs;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use super::group_log::zeroed;
use crate::histogram::Histogram;

/// What is written at once.
const BLOCK: [u8; 4096] = [7; 4096];

/// Blocks after which the writer begins at the front again.
const BLOCKS: u64 = 4096;

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
}
