//! Where in a checkpoint a crash fell: between which two of its steps.
//!
//! ```text
//!   segment written ─ synced ─ named ─ install record written ─ durable ─ pointer swapped
//!                                 ─ manifest written ─ synced ─ named ─ durable ─ old files freed
//! ```
//!
//! The disk knows its own operations only. The pointer is swapped in memory, right after the sync
//! that makes its record durable and before anything of the manifest: a crash as soon as that sync
//! was done falls before the swap, one before the manifest is begun falls after it.

use millrace_store_embedded::folder::FileKind;
use millrace_store_embedded::io::sim::{CrashPlace, Operation};

const IN_SEGMENT: &str = "crash: segment written | synced";
const NAMING_SEGMENT: &str = "crash: segment synced | named durably";
const SEGMENT_DONE: &str = "crash: segment durable | install record written";
const RECORDING: &str = "crash: install record written | durable";
const RECORDED: &str = "crash: install record durable | pointer swapped";
const SWAPPED: &str = "crash: pointer swapped | manifest written";
const IN_MANIFEST: &str = "crash: manifest written | synced";
const NAMING_MANIFEST: &str = "crash: manifest synced | named durably";
const MANIFEST_DONE: &str = "crash: manifest durable | old files freed";
const FREEING: &str = "crash: some old files freed | all freed";

/// Every gap between two steps of a checkpoint (docs/design/store.md, section 7).
pub(super) const GAPS: &[&str] = &[
    IN_SEGMENT,
    NAMING_SEGMENT,
    SEGMENT_DONE,
    RECORDING,
    RECORDED,
    SWAPPED,
    IN_MANIFEST,
    NAMING_MANIFEST,
    MANIFEST_DONE,
    FREEING,
];

/// The gap that a crash during a checkpoint fell in.
pub(super) fn gap_of(place: CrashPlace) -> Option<&'static str> {
    let done = place.done.map(parts);
    match (done, place.undone.map(parts)) {
        (Some(("sync", Some(FileKind::Log))), None) => Some(RECORDED),
        (Some(("sync", Some(FileKind::Log))), Some(("create", Some(FileKind::Manifest)))) => {
            Some(SWAPPED)
        }
        (_, Some(("write" | "sync", Some(FileKind::Segment)))) => Some(IN_SEGMENT),
        (Some(("sync" | "rename", Some(FileKind::Segment))), _) => Some(NAMING_SEGMENT),
        (Some(("sync folder", _)), Some(("write", Some(FileKind::Log)))) => Some(SEGMENT_DONE),
        (Some(("write", Some(FileKind::Log))), Some(("sync", Some(FileKind::Log)))) => {
            Some(RECORDING)
        }
        (_, Some(("write" | "sync", Some(FileKind::Manifest)))) => Some(IN_MANIFEST),
        (Some(("sync" | "rename", Some(FileKind::Manifest))), _) => Some(NAMING_MANIFEST),
        (Some(("sync folder", _)), Some(("remove", _))) => Some(MANIFEST_DONE),
        (Some(("remove", _)), _) => Some(FREEING),
        _ => None,
    }
}

fn parts(operation: Operation) -> (&'static str, Option<FileKind>) {
    (operation.does, operation.file)
}
