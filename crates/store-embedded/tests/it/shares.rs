//! What is written takes shares of the memory budget before it grows: over it, the write is refused
//! as a whole, and the next one goes on.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::path::Path;
use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{
    CatalogChange, Column, ErrorKind, IndexId, KeyId, MemoryBudget, Owner, Result, Value, VertexId,
};
use millrace_store::{
    Backend, Changes, Isolation, Labels, NameKind, Store, Transaction, VertexBlock,
};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::{EmbeddedBackend, Options};

struct World {
    budget: MemoryBudget,
    store: Arc<dyn Store>,
    _backend: Arc<EmbeddedBackend>,
}

impl World {
    fn new(bytes_max: u64) -> World {
        let options = Options { conflict_bits: 16, ..Options::default() };
        let machine = SimDisk::new(1).machine(3);
        let backend = EmbeddedBackend::open_stepped(machine, Path::new("/data"), options).unwrap();
        let budget = MemoryBudget::new(bytes_max);
        backend.share_memory(&budget);
        let store = backend.create_graph("graph").unwrap();
        World { budget, store, _backend: backend }
    }

    fn begin(&self) -> Transaction {
        Transaction::begin(Arc::clone(&self.store), Isolation::Snapshot).unwrap()
    }

    fn count(&self) -> u64 {
        self.store.snapshot().unwrap().count_vertices(None).unwrap()
    }

    /// Loads vertices with a value each.
    fn load(&self, count: u64, value: impl Fn(u64) -> Value) -> Result<()> {
        let key = KeyId(self.store.intern(&[(NameKind::Key, "value")])?[0]);
        let ids = self.store.lease_vertices(count)?.into_iter().flatten().map(VertexId);
        let ids: Vec<VertexId> = ids.take(count as usize).collect();
        let mut load = self.store.begin_bulk_load()?;
        for (at, ids) in ids.chunks(4_096).enumerate() {
            let first = at as u64 * 4_096;
            let values = (first..first + ids.len() as u64).map(&value);
            let properties = vec![(key, Column::from_values(values))];
            let block = VertexBlock { labels: Labels::from([]), ids: ids.to_vec(), properties };
            load.push(Changes { vertices: vec![block], ..Changes::default() })?;
        }
        load.finish().map(drop)
    }
}

#[test]
fn a_write_set_over_the_budget_is_refused_whole() {
    let world = World::new(1 << 20);
    let transaction = world.begin();
    let mut make = || transaction.create_vertices(&Labels::from([]), 4_096, &[]);
    let refused = (0..1_000).find_map(|_| make().err()).unwrap();
    assert_eq!(refused.kind, ErrorKind::LimitReached, "{refused}");
    assert!(refused.detail.contains("memory.max"), "{refused}");
    let again = transaction.commit().map(drop).unwrap_err();
    assert_eq!(again.kind, ErrorKind::LimitReached, "{again}");
    assert_eq!((world.count(), world.budget.used()), (0, 0));
    let small = world.begin();
    small.create_vertices(&Labels::from([]), 3, &[]).unwrap();
    small.commit().unwrap().wait().unwrap();
    assert_eq!(world.count(), 3);
}

#[test]
fn a_load_over_the_budget_is_refused_whole() {
    let world = World::new(2 << 20);
    let refused = world.load(40_000, |at| Value::from(format!("{at:0200}").as_str())).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::LimitReached, "{refused}");
    assert_eq!(world.count(), 0);
    world.load(10, |at| Value::I64(at as i64)).unwrap();
    assert_eq!(world.count(), 10);
}

#[test]
fn an_index_over_the_budget_is_not_made() {
    let world = World::new(4 << 20);
    for _ in 0..4 {
        world.load(40_000, |at| Value::I64(at as i64)).unwrap();
    }
    let key = KeyId(world.store.intern(&[(NameKind::Key, "value")]).unwrap()[0]);
    let (id, owner, kind) = (IndexId::default(), Owner::AllVertices, IndexKind::Exact);
    let index = CatalogChange::CreateIndex(IndexDefinition { id, ..IndexDefinition::new(owner, vec![key], kind) });
    let transaction = world.begin();
    let made = transaction.change_schema(&[index]).and_then(|_| transaction.commit());
    let refused = made.and_then(|ticket| ticket.wait().map(drop)).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::LimitReached, "{refused}");
    assert!(world.store.snapshot().unwrap().catalog().indexes.is_empty());
    world.load(10, |at| Value::I64(at as i64)).unwrap();
}

#[test]
fn names_are_counted_as_long_as_the_folder_is_open() {
    let world = World::new(1 << 20);
    let names: Vec<String> = (0..10_000).map(|at| format!("{at:0100}")).collect();
    let keys: Vec<(NameKind, &str)> = names.iter().map(|name| (NameKind::Key, &**name)).collect();
    let refused = world.store.intern(&keys).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::LimitReached, "{refused}");
    world.store.intern(&keys[..100]).unwrap();
    let held = world.budget.used();
    assert!(100 * 100 < held, "{held}");
    world.store.intern(&keys[..100]).unwrap();
    assert_eq!(world.budget.used(), held);
}
