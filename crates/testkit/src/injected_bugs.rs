//! Bugs that are injected into the durable store on purpose, to show that its simulator finds them.
//!
//! A bug is injected by `millrace_store_embedded::io::Bug` of the same name, on a simulated machine
//! only and never in a release. The seeds are a bound, not a record: most bugs are found much
//! sooner, and every new action changes which seed finds them. The bugs themselves are in the store.

/// A bug on purpose.
#[derive(Clone, Copy, Debug)]
pub struct InjectedBug {
    /// Its name.
    pub name: &'static str,
    /// The promise that it breaks.
    pub breaks: &'static str,
    /// The file with the injected bug, under `crates/store-embedded/src`.
    pub place: &'static str,
    /// The simulator must find it within seeds 1 to this.
    pub seeds: u64,
}

/// Every injected bug.
pub const INJECTED_BUGS: [InjectedBug; 19] = [
    InjectedBug {
        name: "LogUnsynced",
        breaks: "visible = min(durable, applied): acknowledged commits are on disk",
        place: "io/sim/disk.rs",
        seeds: 100,
    },
    InjectedBug {
        name: "TailUnsynced",
        breaks: "before anything recovered is visible, the tail that nothing vouches for is synced \
                 in the new file",
        place: "io/sim/disk.rs",
        seeds: 200,
    },
    InjectedBug {
        name: "SegmentUnsynced",
        breaks: "a segment is synced before its install record is durable",
        place: "io/sim/disk.rs",
        seeds: 100,
    },
    InjectedBug {
        name: "SpillFileUnsynced",
        breaks: "the files of an out-of-line commit are synced before one small frame names them",
        place: "io/sim/disk.rs",
        seeds: 200,
    },
    InjectedBug {
        name: "ManifestUnsynced",
        breaks: "a manifest is written whole: temporary, sync, rename, sync folder",
        place: "io/sim/disk.rs",
        seeds: 100,
    },
    InjectedBug {
        name: "FolderUnsynced",
        breaks: "a file counts once its name is durable",
        place: "io/sim/disk.rs",
        seeds: 100,
    },
    InjectedBug {
        name: "VouchingDropped",
        breaks: "a gap is damage if a later batch says that it was durable, and is refused",
        place: "log/writer.rs",
        seeds: 3_000,
    },
    InjectedBug {
        name: "AppliedEarly",
        breaks: "every batch reaches every applier before it counts as applied",
        place: "commit/pipeline.rs",
        seeds: 100,
    },
    InjectedBug {
        name: "ReadersForgotten",
        breaks: "a snapshot is registered before its position is read, and nothing it sees is freed",
        place: "checkpoint/open.rs",
        seeds: 100,
    },
    InjectedBug {
        name: "LeaseEarly",
        breaks: "a block of ids is used only once its record is durable, and never leased again",
        place: "store/embedded_store.rs",
        seeds: 200,
    },
    InjectedBug {
        name: "IncidentForgotten",
        breaks: "an edge insert sets *incident* on both ends: no dangling edge in any order",
        place: "commit/prepare/marks.rs",
        seeds: 100,
    },
    InjectedBug {
        name: "UniqueUnclaimed",
        breaks: "unique keys claim a key at the sequencer",
        place: "commit/prepare/rules.rs",
        seeds: 400,
    },
    InjectedBug {
        name: "ExternalIdUnclaimed",
        breaks: "an external id has one owner, whatever conflicts happen",
        place: "commit/prepare/rules.rs",
        seeds: 200,
    },
    InjectedBug {
        name: "ReadsUnchecked",
        breaks: "`serializable` also checks the reads",
        place: "commit/prepare/marks.rs",
        seeds: 100,
    },
    InjectedBug {
        name: "IndexBuiltEarly",
        breaks: "an index holds the writes of every commit before it",
        place: "store/schema_change.rs",
        seeds: 200,
    },
    InjectedBug {
        name: "RelabelUnindexed",
        breaks: "everything an answer can depend on is read at the snapshot: labels, index entries",
        place: "commit/prepare/rules.rs",
        seeds: 100,
    },
    InjectedBug {
        name: "FilesFreedEarly",
        breaks: "next manifest durable, only then are old files freed",
        place: "checkpoint/mod.rs",
        seeds: 200,
    },
    InjectedBug {
        name: "LogFreedEarly",
        breaks: "the log is freed up to the oldest change, over dirty shards, that is not in a segment",
        place: "checkpoint/mod.rs",
        seeds: 200,
    },
    InjectedBug {
        name: "RoomUnasked",
        breaks: "a record is accepted if the files of the log have room for it",
        place: "commit/sequencer.rs",
        seeds: 200,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    /// The page for readers.
    fn page() -> String {
        let mut text = String::from(HEAD);
        for InjectedBug { name, breaks, place, seeds } in &INJECTED_BUGS {
            let _ = writeln!(text, "| {name} | {breaks} | `{place}` | {seeds} |");
        }
        text
    }

    const HEAD: &str = "\
# Bugs injected on purpose

The simulator of the durable store is only worth something if it finds bugs, so these are injected in
the store, one at a time, on a simulated machine (never in a release), and must be found:
`cargo test -p millrace-store-embedded --test it every_injected_bug_is_found -- --nocapture` says by
which seed and how. Why they are injected like this:
[decision 0028](../decisions/0028-bugs-are-injected-through-the-machine.md).

| bug | broken promise | injected in `store-embedded/src/` | found within seeds |
|---|---|---|---|
";

    #[test]
    fn the_page_for_readers_is_this_list() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/injected-bugs.md");
        if crate::variables::flag("MILLRACE_REWRITE_GOLDENS") {
            std::fs::write(path, page()).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), page());
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = INJECTED_BUGS.iter().map(|bug| bug.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), INJECTED_BUGS.len());
    }
}
