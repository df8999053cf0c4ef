//! The waits of a commit: on an `async` folder it does not wait for the disk, and on any folder it
//! waits for no part of a rotation of the log but a write and a sync.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::path::Path;
use std::sync::Arc;

use millrace_store::{Backend, Changes, Labels, Store, VertexBlock, WriteBatch};
use millrace_store_embedded::folder::FileKind;
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::{Durability, EmbeddedBackend, Options, Step};

struct World {
    disk: SimDisk,
    backend: Arc<EmbeddedBackend>,
    store: Arc<dyn Store>,
}

impl World {
    fn new(durability: Durability) -> World {
        let disk = SimDisk::new(1);
        let durability = Some(durability);
        let mut options = Options { conflict_bits: 12, durability, ..Options::default() };
        options.log.first_file_bytes = 160 << 10;
        options.log.file_bytes = 160 << 10;
        let backend = EmbeddedBackend::open_stepped(disk.machine(3), Path::new("/data"), options);
        let backend = backend.unwrap();
        let store = backend.create_graph("graph").unwrap();
        store.lease_vertices(1).unwrap();
        World { disk, backend, store }
    }

    fn step(&self, step: Step) -> bool {
        self.backend.step(step).unwrap()
    }

    /// Commits a vertex, without waiting for it.
    fn commit(&self) {
        let ids = self.store.lease_vertices(1).unwrap().into_iter().flatten();
        let ids = ids.map(millrace_model::VertexId).collect();
        let block = VertexBlock { labels: Labels::from([]), ids, properties: Vec::new() };
        let changes = Changes { vertices: vec![block], ..Changes::default() };
        let snapshot = self.store.snapshot().unwrap().position();
        self.store.commit(WriteBatch { snapshot, changes, ..WriteBatch::default() }).unwrap();
    }

    fn count(&self) -> u64 {
        self.store.snapshot().unwrap().count_vertices(None).unwrap()
    }
}

#[test]
fn an_async_folder_shows_what_is_applied_and_a_sync_one_what_is_durable_too() {
    for durability in [Durability::Async, Durability::Sync] {
        let world = World::new(durability);
        world.commit();
        assert_eq!(world.count(), 0, "it is not applied yet");
        let operations = world.disk.operation_count();
        world.step(Step::Apply);
        assert_eq!(world.disk.operation_count(), operations, "applying asks nothing of the disk");
        assert_eq!(world.count(), u64::from(durability == Durability::Async));
        world.step(Step::Log);
        assert_eq!(world.count(), 1);
        // And the other way round.
        world.commit();
        world.step(Step::Log);
        assert_eq!(world.count(), 1);
        world.step(Step::Apply);
        assert_eq!(world.count(), 2);
    }
}

/// Commits that each take a batch of the log: enough for several files.
const COMMITS: usize = 120;

#[test]
fn appending_writes_and_syncs_the_log_and_does_nothing_else_to_the_disk() {
    let mut prepared = 0;
    for before in 0..COMMITS {
        // The step is done as often as it has operations, each time up to another one.
        for operations in 0.. {
            let world = World::new(Durability::Sync);
            prepared = 0;
            for _ in 0..before {
                prepared += usize::from(world.step(Step::NextFile));
                world.commit();
                world.step(Step::Log);
                world.step(Step::Apply);
            }
            world.step(Step::NextFile);
            world.commit();
            world.disk.begin_trace();
            world.disk.crash_after(operations);
            let outcome = world.backend.step(Step::Log);
            let Some(place) = world.disk.take_crash_place() else {
                assert!(outcome.unwrap() && 0 < operations);
                break;
            };
            let undone = place.undone.unwrap();
            assert_eq!(undone.file, Some(FileKind::Log), "{before} commits before: {undone:?}");
            assert!(
                ["write", "sync"].contains(&undone.does),
                "{before} commits before: {undone:?}"
            );
        }
    }
    assert!(2 < prepared, "the log went over to {prepared} files that were made ahead of need");
}
