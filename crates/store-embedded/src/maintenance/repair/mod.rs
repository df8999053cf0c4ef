//! Repair of a damaged folder: it reports the losses first, and changes files only if asked.
//!
//! ```text
//!   manifest, or the one before, ─┐
//!   or one with a bit put right, ─┤
//!   or from segments and log ─────┤
//!   segments, section by section ─┼─ salvage ──> graphs in memory, and losses
//!   log, up to where it breaks ───┘                 │
//!                                                rebuild: only edges with both ends; in lists, counts
//!                                                         and index entries made anew
//!   damaged files ── copied to a sub-folder         │
//!                         new segments, a new log, a new manifest; then the old files go
//! ```
//!
//! Lost parts are rebuilt from others: in lists from edges, edges from out lists, existence from
//! values and lists, indexes from records, a newer state from the log. The rest is lost, and named.
//! An out-of-line commit with a damaged part is left out whole, and a later commit that contradicts
//! the remaining ones is left out by itself. A repair that would leave no element changes nothing.
//!
//! The invariant: a repaired folder is sound, not complete. It passes the check; whether the
//! remaining data make sense is for its users to decide.

mod external_ids;
mod rebuild;

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use millrace_model::Result;

use crate::base::limits::COPY_BYTES;
use crate::folder::Folder;
use crate::io::{FileKind, FileName, Machine};
use crate::maintenance::check;
use crate::recovery;
use crate::recovery::LeftOut;

/// The damage of a folder, and the outcome of a repair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// Damaged files and places in them.
    pub damaged: Vec<String>,
    /// Parts that would be lost, and parts that would be made anew.
    pub losses: Vec<String>,
    /// The last commit that would be left.
    pub position: u64,
    /// Whether no element would be left. Then nothing is changed.
    pub saves_nothing: bool,
    /// Where the damaged files were put, once it is done.
    pub kept_in: Option<PathBuf>,
}

impl Diagnosis {
    /// Whether there is nothing to repair.
    pub fn is_sound(&self) -> bool {
        self.damaged.is_empty()
    }
}

/// Reports the effects of a repair on a folder that no process has open, and repairs it if `yes`. A
/// folder that opens and passes the check is left alone, and so is one of which nothing can be
/// saved.
pub fn repair_folder(
    machine: &Machine,
    path: &Path,
    yes: bool,
    watch: check::Watch<'_>,
) -> Result<Diagnosis> {
    let report = check::check_folder(machine, path, false, watch)?;
    if report.is_sound() {
        return Ok(Diagnosis { position: report.position, ..Diagnosis::default() });
    }
    let folder = Arc::new(match yes {
        true => Folder::open_existing(Arc::clone(&machine.disk), path)?,
        false => Folder::open_to_read(Arc::clone(&machine.disk), path)?,
    });
    let mut damaged: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    let Some((salvaged, rebuilt)) = save(&folder)? else {
        damaged.dedup();
        let losses = vec!["everything: the remaining data contradicts itself".to_owned()];
        return Ok(Diagnosis { damaged, losses, saves_nothing: true, ..Diagnosis::default() });
    };
    damaged.extend(salvaged.salvage.broken.iter().cloned());
    damaged.dedup();
    let mut losses = salvaged.salvage.losses();
    losses.extend(rebuilt.losses.iter().cloned());
    let saves_nothing = !losses.is_empty() && rebuilt.is_empty();
    let position = salvaged.position;
    let mut diagnosis = Diagnosis { damaged, losses, position, saves_nothing, kept_in: None };
    if yes && !saves_nothing {
        let random = machine.random.next_u64();
        diagnosis.kept_in = Some(replace(&folder, &salvaged, rebuilt, random)?);
    }
    Ok(diagnosis)
}

/// Salvages and rebuilds the content; `None` if it contradicts itself. Such content may violate an
/// invariant of the code, which panics. Then the commit that was being applied is left out, and at
/// last all commits from it on.
fn save(folder: &Arc<Folder>) -> Result<Option<(recovery::Salvaged, rebuild::Rebuilt)>> {
    let mut left_out = LeftOut::default();
    loop {
        let saved = std::panic::catch_unwind(AssertUnwindSafe(|| {
            let salvaged = recovery::salvage(folder, &left_out)?;
            let rebuilt = rebuild::rebuild(&salvaged)?;
            Ok((salvaged, rebuilt))
        }));
        match saved {
            Ok(saved) => return saved.map(Some),
            Err(_) if !left_out.add_applying() => return Ok(None),
            Err(_) => {}
        }
    }
}

/// Replaces the files of the folder by the saved content.
fn replace(
    folder: &Folder,
    salvaged: &recovery::Salvaged,
    rebuilt: rebuild::Rebuilt,
    random: u64,
) -> Result<PathBuf> {
    let mut old: Vec<FileName> = Vec::new();
    for kind in FileKind::ALL {
        old.extend(folder.names(kind)?);
    }
    let kept_in = keep_damaged(folder, &old)?;
    let contents = rebuild::store(folder, salvaged, rebuilt)?;
    // The old log must not be taken for the beginning of the new one. The manifest that
    // follows names no old file, so they become garbage.
    crate::log::begin_anew(folder, random, salvaged.position)?;
    contents.store(folder)?;
    for name in old.iter().filter(|name| folder_has(folder, **name)) {
        folder.disk().remove(&folder.path_of(*name))?;
    }
    folder.sync()?;
    Ok(kept_in)
}

fn folder_has(folder: &Folder, name: FileName) -> bool {
    folder.names(name.kind).is_ok_and(|names| names.contains(&name))
}

/// Copies the log, the manifests and every damaged file to a new sub-folder.
fn keep_damaged(folder: &Folder, files: &[FileName]) -> Result<PathBuf> {
    let number = folder.new_name(FileKind::Manifest).number;
    let into = folder.path().join(format!("damaged-{number:016x}"));
    folder.disk().create_folder(&into)?;
    let is_kept = |name: &&FileName| match name.kind {
        FileKind::Log | FileKind::Manifest => true,
        // It is made anew from what a repair makes.
        FileKind::Neighbours => false,
        FileKind::Segment | FileKind::Spill => check::verify_file(folder, **name).is_err(),
    };
    for name in files.iter().filter(is_kept) {
        let from = folder.disk().open(&folder.path_of(*name))?;
        let to = folder.disk().create(&into.join(name.to_string()))?;
        let (size, mut offset) = (from.size()?, 0);
        let mut buffer = vec![0; COPY_BYTES];
        while offset < size {
            let part = &mut buffer[..(size - offset).min(COPY_BYTES as u64) as usize];
            from.read_at(offset, part)?;
            to.write_at(offset, part)?;
            offset += part.len() as u64;
        }
        to.sync_data()?;
    }
    folder.disk().sync_folder(&into)?;
    Ok(into)
}
