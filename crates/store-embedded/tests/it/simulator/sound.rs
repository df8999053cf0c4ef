//! The store's own verdict: its check finds nothing, open or closed, and the segments it
//! wrote are of every kind there is.
//!
//! A folder is sound after any crash, too. Faults that an opening repairs by itself (a torn tail,
//! unreferenced files) are no findings.

use std::path::Path;
use std::sync::Arc;

use millrace_store_embedded::folder::{FileKind, Folder};
use millrace_store_embedded::io::Disk;
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::maintenance::check::{Report, check_folder, quiet};
use millrace_store_embedded::persistent::segment::{SectionKey, SegmentFile, Subject};
use millrace_testkit::Rng;

use super::life::{Life, Lived, wrong};
use super::opening::FOLDER;

/// Roots by the files that they have sections in, their own included.
const ROOTS: [&str; 5] = [
    "roots of one file",
    "roots of two files",
    "roots of three files",
    "roots of four files",
    "roots of five files",
];

/// Kinds of content that every long enough run must find in its folders.
pub(super) const KINDS: &[&str] = &[
    "checks of a closed folder",
    "checks of an open folder",
    "deep checks of an open folder",
    "delta layers",
    "delta layers of ordered indexes",
    "merged partitions",
    "merged partitions that keep sections of older files",
    "shards of ordered indexes that were split",
    ROOTS[0],
    ROOTS[1],
    ROOTS[2],
    ROOTS[3],
    ROOTS[4],
    AFTER_CRASH,
    AFTER_CLOSING,
];

/// A root that has sections in so many files, its own included, is one of many.
const MANY_FILES: usize = 4;
const AFTER_CRASH: &str = "folders with roots of many files that came back after a crash";
const AFTER_CLOSING: &str = "folders with roots of many files that came back after closing";

impl Life {
    /// The open folder is sound. A deep check reads everything as readers do, too.
    pub(super) fn check_open(&mut self, is_deep: bool) -> Lived<()> {
        let backend = Arc::clone(&self.open().backend);
        let report = backend.check(is_deep, &mut quiet).map_err(|error| self.end(&error))?;
        self.coverage.note("checks of an open folder");
        self.coverage.note_many("deep checks of an open folder", u64::from(is_deep));
        require_sound("open", &report)
    }

    /// The folder is sound as it lies on the disk.
    pub(super) fn check_closed(&mut self, rng: &mut Rng) -> Lived<()> {
        let disk = self.disk.copy();
        if disk.files().is_empty() {
            return Ok(());
        }
        self.note_segments();
        let machine = disk.machine(rng.next_u64());
        match check_folder(&machine, Path::new(FOLDER), rng.chance(0.5), &mut quiet) {
            Ok(report) => {
                self.coverage.note("checks of a closed folder");
                require_sound("closed", &report)
            }
            Err(error) => wrong(format!("the closed folder cannot be checked: {error}")),
        }
    }

    /// Notes the kinds of the segments.
    pub(super) fn note_segments(&mut self) {
        segments(&self.disk.copy()).iter().for_each(|file| self.note_segment(file));
    }

    /// Notes the roots that an opening found: unreferenced files are gone by then.
    pub(super) fn note_recovered(&mut self) {
        let has_many = |file: &SegmentFile| MANY_FILES <= 1 + file.older().len();
        if segments(&self.disk.copy()).iter().any(has_many) {
            self.coverage.note(if self.closed { AFTER_CLOSING } else { AFTER_CRASH });
        }
    }

    fn note_segment(&mut self, file: &SegmentFile) {
        let older = file.older().len();
        let has = |wanted: SectionKey| file.keys().any(|key| key == wanted);
        match file.subject {
            Subject::Index { shard, .. } => {
                let is_part = has(SectionKey::RangeBounds) && shard != 0;
                let noted = "shards of ordered indexes that were split";
                self.coverage.note_many(noted, u64::from(is_part));
                let is_layer = u64::from(has(SectionKey::Delta));
                self.coverage.note_many("delta layers of ordered indexes", is_layer);
            }
            Subject::Neighbours { .. } => {}
            Subject::Partition { .. } => {
                self.coverage.note(ROOTS[older]);
                self.coverage.note(match (has(SectionKey::Delta), older) {
                    (true, _) => "delta layers",
                    (false, 0) => "merged partitions",
                    (false, _) => "merged partitions that keep sections of older files",
                });
            }
        }
    }
}

/// The segments of a folder that can be opened.
fn segments(disk: &SimDisk) -> Vec<SegmentFile> {
    let disk: Arc<dyn Disk> = Arc::new(disk.clone());
    let Ok(folder) = Folder::open(disk, Path::new(FOLDER)) else { return Vec::new() };
    let names = folder.names(FileKind::Segment).unwrap_or_default();
    names.into_iter().filter_map(|name| SegmentFile::open(&folder, name).ok()).collect()
}

fn require_sound(how: &str, report: &Report) -> Lived<()> {
    match report.findings.first() {
        None => Ok(()),
        Some(finding) => wrong(format!("the check of the {how} folder says: {finding}")),
    }
}
