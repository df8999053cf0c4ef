//! Injected bugs: faults that a simulated machine may ask the store to commit, so that a test which
//! does not notice is known to be blind.
//!
//! Each breaks one sentence that the store promises; `millrace_testkit::INJECTED_BUGS` says which,
//! where, and how soon it must be found. Those of syncs are acted out by the simulated disk; each
//! of the others is one condition in the store.
//!
//! None of this is in a release build. [`is_injected`] is `false` at compile time where debug
//! assertions are off, and no real disk ever injects a bug.

use super::Disk;

/// A bug on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bug {
    /// Files of the log are not synced.
    LogUnsynced,
    /// The tail that recovery copied is not synced.
    TailUnsynced,
    /// Segments are not synced before their install records.
    SegmentUnsynced,
    /// Files of out-of-line commits are not synced before their frame.
    SpillFileUnsynced,
    /// Manifests are not synced before they get their name.
    ManifestUnsynced,
    /// The folder is not synced.
    FolderUnsynced,
    /// Batches do not say how far the log was durable.
    VouchingDropped,
    /// A commit counts as applied when it is durable.
    AppliedEarly,
    /// Versions are freed although a reader sees them.
    ReadersForgotten,
    /// Leased ids are used before the record of the lease is durable.
    LeaseEarly,
    /// A new edge leaves no mark on its ends.
    IncidentForgotten,
    /// A unique value is not claimed at the sequencer.
    UniqueUnclaimed,
    /// An external id is not claimed at the sequencer.
    ExternalIdUnclaimed,
    /// The reads of a serializable transaction are not validated.
    ReadsUnchecked,
    /// An index is built without the commits that are on their way.
    IndexBuiltEarly,
    /// A vertex that gets a label is not entered in the label's indexes.
    RelabelUnindexed,
    /// Old files are freed before the next manifest is durable.
    FilesFreedEarly,
    /// The log is freed although indexes still need it.
    LogFreedEarly,
    /// Records are accepted for which the log has no room.
    RoomUnasked,
}

impl Bug {
    /// Every bug.
    pub const ALL: [Bug; 19] = [
        Bug::LogUnsynced,
        Bug::TailUnsynced,
        Bug::SegmentUnsynced,
        Bug::SpillFileUnsynced,
        Bug::ManifestUnsynced,
        Bug::FolderUnsynced,
        Bug::VouchingDropped,
        Bug::AppliedEarly,
        Bug::ReadersForgotten,
        Bug::LeaseEarly,
        Bug::IncidentForgotten,
        Bug::UniqueUnclaimed,
        Bug::ExternalIdUnclaimed,
        Bug::ReadsUnchecked,
        Bug::IndexBuiltEarly,
        Bug::RelabelUnindexed,
        Bug::FilesFreedEarly,
        Bug::LogFreedEarly,
        Bug::RoomUnasked,
    ];
}

/// Whether the machine that this disk belongs to asks for a bug. Never in a release.
pub(crate) fn is_injected(disk: &dyn Disk, bug: Bug) -> bool {
    cfg!(debug_assertions) && disk.injected() == Some(bug)
}
