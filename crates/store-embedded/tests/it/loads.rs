//! Bulk loads and ids that clients choose: a loader that leased an id and is slow does not own it.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::path::Path;
use std::sync::Arc;

use millrace_model::{ErrorKind, Result, VertexId};
use millrace_store::{
    Backend, BulkLoad, Changes, Elements, Isolation, Labels, Store, Transaction, VertexBlock,
};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::maintenance::check::quiet;
use millrace_store_embedded::{EmbeddedBackend, Options, Step};

/// As many as fill the second partition, and a little of its neighbours.
const COUNT: u64 = (2 << 16) + 100;

struct World {
    disk: SimDisk,
    backend: Arc<EmbeddedBackend>,
    store: Arc<dyn Store>,
}

fn open(disk: &SimDisk) -> Arc<EmbeddedBackend> {
    let options = Options { conflict_bits: 16, ..Options::default() };
    EmbeddedBackend::open_stepped(disk.machine(3), Path::new("/data"), options).unwrap()
}

impl World {
    fn new() -> World {
        let disk = SimDisk::new(1);
        let backend = open(&disk);
        let store = backend.create_graph("graph").unwrap();
        World { disk, backend, store }
    }

    fn lease(&self) -> Vec<VertexId> {
        self.store.lease_vertices(COUNT).unwrap().into_iter().flatten().map(VertexId).collect()
    }

    fn begin_load(&self, ids: &[VertexId]) -> Result<Box<dyn BulkLoad>> {
        let (labels, ids) = (Labels::from([]), ids.to_vec());
        let vertices = vec![VertexBlock { labels, ids, properties: Vec::new() }];
        let mut load = self.store.begin_bulk_load()?;
        load.push(Changes { vertices, ..Changes::default() })?;
        Ok(load)
    }

    /// A transaction that creates a vertex of a chosen id.
    fn create(&self, id: VertexId) -> Result<Transaction> {
        let transaction = Transaction::begin(Arc::clone(&self.store), Isolation::Snapshot)?;
        transaction.create_vertices_with_ids(&Labels::from([]), &[id.0], &[])?;
        Ok(transaction)
    }

    fn count(&self) -> u64 {
        self.store.snapshot().unwrap().count_vertices(None).unwrap()
    }

    fn is_sound(&self) {
        assert_eq!(self.backend.check(true, &mut quiet).unwrap().findings, []);
    }
}

/// Ids of a partition that the load fills, and of one that it shares.
fn contested(ids: &[VertexId]) -> [VertexId; 2] {
    let filled = ids.iter().find(|id| id.0 == (1 << 16) + 77).unwrap();
    [*filled, *ids.last().unwrap()]
}

#[test]
fn of_a_load_and_a_client_that_chose_one_of_its_ids_the_first_wins() {
    for place in 0..2 {
        // The client commits while the load is on its way, seen by it or not.
        for is_visible in [true, false] {
            let world = World::new();
            let ids = world.lease();
            let id = contested(&ids)[place];
            let load = world.begin_load(&ids).unwrap();
            let ticket = world.create(id).unwrap().commit().unwrap();
            if is_visible {
                ticket.wait().unwrap();
            }
            let refused = load.finish().map(drop).unwrap_err();
            let lost = [ErrorKind::AlreadyExists, ErrorKind::Conflict];
            assert!(lost.contains(&refused.kind), "{refused}");
            ticket.wait().unwrap();
            assert_eq!(world.count(), 1);
            world.is_sound();
        }
        // The load is there before the client commits.
        let world = World::new();
        let ids = world.lease();
        let id = contested(&ids)[place];
        let client = world.create(id).unwrap();
        world.begin_load(&ids).unwrap().finish().unwrap();
        let refused = client.commit().map(drop).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Conflict, "{refused}");
        assert_eq!(world.count(), COUNT);
        world.is_sound();
    }
}

#[test]
fn a_load_that_is_pushed_after_a_client_chose_its_id_is_refused_by_name() {
    let world = World::new();
    let ids = world.lease();
    world.create(ids[5]).unwrap().commit().unwrap().wait().unwrap();
    let refused = world.begin_load(&ids).map(drop).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::AlreadyExists);
    assert!(refused.detail.contains(&ids[5].to_string()), "{refused}");
}

#[test]
fn a_part_with_an_id_that_nobody_leased_or_with_more_than_creations_is_refused_whole() {
    let world = World::new();
    let ids = world.lease();
    for stray in [VertexId(0), VertexId(ids[ids.len() - 1].0 + (8 << 16))] {
        let refused = world.begin_load(&[ids[0], stray]).map(drop).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::BadInput);
        assert!(refused.detail.contains(&format!("{stray} was never leased")), "{refused}");
    }
    let mut load = world.store.begin_bulk_load().unwrap();
    let deleting = Changes { deleted_vertices: vec![ids[0]], ..Changes::default() };
    assert_eq!(load.push(deleting).unwrap_err().kind, ErrorKind::Unsupported);
    drop(load);
    assert_eq!(world.count(), 0);
    world.begin_load(&ids).unwrap().finish().unwrap();
    world.is_sound();
}

#[test]
fn a_load_may_create_what_was_created_and_deleted_since_its_lease() {
    let world = World::new();
    let ids = world.lease();
    for id in contested(&ids) {
        world.create(id).unwrap().commit().unwrap().wait().unwrap();
        let transaction =
            Transaction::begin(Arc::clone(&world.store), Isolation::Snapshot).unwrap();
        transaction.delete_vertices(&[id], false).unwrap();
        transaction.commit().unwrap().wait().unwrap();
    }
    world.begin_load(&ids).unwrap().finish().unwrap();
    let all_there = |store: &dyn Store| {
        let exist = store.snapshot().unwrap().exist(Elements::Vertices(&ids)).unwrap();
        assert_eq!(exist.count(), ids.len());
    };
    all_there(&*world.store);
    world.is_sound();
    world.backend.step(Step::Checkpoint).unwrap();
    all_there(&*world.store);
    let World { disk, backend, store } = world;
    drop((backend, store));
    disk.power_loss();
    all_there(&*open(&disk).graph("graph").unwrap());
}
