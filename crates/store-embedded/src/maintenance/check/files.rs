//! Every checksum of every file, each file by itself: one that is damaged hides no other.
//!
//! A file that nothing names is no finding: a crash left it, torn or without the files that it
//! needs, and the next open removes it.
//!
//! The log is not read here. Which of its bytes count is only known by following the chain, which
//! the replay does.

use millrace_model::Result;

use super::report::{Report, Stage, Watcher};
use crate::folder::Folder;
use crate::io::{FileKind, FileName};
use crate::persistent::bulk::verify_spill_file;
use crate::persistent::segment::{verify_alone, verify_neighbours};

/// The files that are damaged, and how.
pub(super) fn check(
    folder: &Folder,
    report: &mut Report,
    watcher: &mut Watcher<'_>,
) -> Result<Vec<(FileName, String)>> {
    let mut damaged = Vec::new();
    let mut names = Vec::new();
    for kind in [FileKind::Segment, FileKind::Spill] {
        for name in folder.names(kind)? {
            names.push((name, folder.disk().open(&folder.path_of(name))?.size()?));
        }
    }
    let total = names.iter().map(|(_, bytes)| bytes).sum();
    let mut done = 0;
    for (name, bytes) in names {
        watcher.step(Stage::Files, &name.to_string(), done, total)?;
        if let Err(error) = verify_file(folder, name) {
            damaged.push((name, error.to_string()));
        }
        done += bytes;
        report.files += 1;
    }
    report.bytes = total;
    watcher.step(Stage::Files, "", done, total)?;
    Ok(damaged)
}

/// Verifies the checksums of a segment or spill file.
pub(crate) fn verify_file(folder: &Folder, name: FileName) -> crate::base::error::Result<()> {
    match name.kind {
        FileKind::Segment => verify_alone(folder, name),
        FileKind::Spill => verify_spill_file(folder, name),
        FileKind::Neighbours => verify_neighbours(folder, name),
        FileKind::Log | FileKind::Manifest => Ok(()),
    }
}
