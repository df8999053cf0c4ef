//! The log: files with arbitrary batches, chain and frames.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use millrace_store_embedded::base::error::Result;
use millrace_store_embedded::folder::Folder;
use millrace_store_embedded::io::Machine;
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::log::{Demand, recover};

use crate::folder::{FOLDER, disk_with, options, sound};

/// The log files of a sound folder, and two of them as one input.
pub fn seeds() -> Vec<Vec<u8>> {
    sound(".mlog")
}

/// Recovers the log twice, with a power cut between: the second recovery finds the same commits.
pub fn run(bytes: &[u8]) {
    let (first, second) = bytes.split_at(bytes.len().min(SPLIT));
    let mut files = vec![(path(1), first)];
    if !second.is_empty() {
        files.push((path(2), second));
    }
    let disk = disk_with(&files);
    if let Ok(found) = positions(&disk) {
        disk.power_loss();
        let again = positions(&disk).expect("what was recovered once is recovered again");
        assert_eq!(found, again);
    }
}

/// Bytes beyond this are a second file.
const SPLIT: usize = 64 << 10;

fn path(number: u64) -> PathBuf {
    Path::new(FOLDER).join(format!("log-{number:016x}.mlog"))
}

fn positions(disk: &SimDisk) -> Result<Vec<(u64, usize)>> {
    let Machine { disk, random, .. } = disk.machine(3);
    let folder = Arc::new(Folder::open(disk, Path::new(FOLDER))?);
    let mut found = Vec::new();
    recover(&folder, &random, options().log, Demand::from(1), &mut |frame| {
        found.push((frame.position, frame.payload.len()));
        Ok(())
    })?;
    Ok(found)
}
