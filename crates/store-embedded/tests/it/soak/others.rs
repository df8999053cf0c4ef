//! The threads of the soak that own no small vertices: readers, vandal, indexer, checkpointer,
//! loader.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{CatalogChange, Column, Direction, ErrorKind, Owner, Result, Value, VertexId};
use millrace_store::{
    Backend, Changes, EdgeBlock, Elements, Isolation, Run, ScanCursor, SeekMatches, Snapshot,
    Store, Transaction, VertexBlock,
};
use millrace_testkit::Rng;

use super::ledger::{Ledger, ints, out_edges};
use super::names::Names;
use super::shared::{Met, Shared};

const LOADED_VERTICES: u64 = 300;
const LOADS_MAX: u64 = 20;

/// Takes a snapshot, and requires its reads of a hub and of some vertices to agree.
pub(super) fn read(store: &dyn Store, names: Names, shared: &Shared, mut rng: Rng) {
    while shared.goes_on() {
        let snapshot = store.snapshot().expect("it can be read");
        // Again, while checkpoints go on under it: it says the same until it is too old.
        for _ in 0..3 {
            match read_once(&*snapshot, names, shared.hub(&mut rng)) {
                Ok(()) => shared.count(Met::Reading),
                Err(error) if error.kind == ErrorKind::Conflict => break,
                Err(error) => panic!("{error}"),
            }
        }
    }
}

pub(super) fn read_once(snapshot: &dyn Snapshot, names: Names, hub: VertexId) -> Result<()> {
    let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::new());
    while !cursor.finished {
        snapshot.scan_vertices(Some(names.own), &mut cursor, 1_000, &mut vertices)?;
    }
    assert_eq!(vertices.len() as u64, snapshot.count_vertices(Some(names.own))?);
    let mut degrees = Vec::new();
    snapshot.degrees(&vertices, None, Direction::Out, &mut degrees)?;
    let edges = out_edges(snapshot, &vertices)?;
    assert_eq!(edges.len() as u64, degrees.iter().sum::<u64>(), "degrees and lists differ");
    assert_eq!(edges.len() as u64, snapshot.count_edges(None)?, "an edge without its source");
    let to_hub = edges.iter().filter(|ends| ends.2 == hub).count();
    let mut from_hub = 0;
    snapshot.expand(&[hub], None, Direction::In, &mut |_: usize, run: Run<'_>| {
        from_hub += run.len();
        ControlFlow::Continue(())
    })?;
    assert_eq!(to_hub, from_hub, "the two directions differ at hub {hub}");
    read_index(snapshot, names, &vertices)
}

/// An index agrees with the records.
fn read_index(snapshot: &dyn Snapshot, names: Names, vertices: &[VertexId]) -> Result<()> {
    let catalog = snapshot.catalog();
    let Some(index) = catalog.index(Owner::Label(names.own), &[names.age]) else { return Ok(()) };
    let ages = snapshot.gather(Elements::Vertices(vertices), &[names.age])?.remove(0);
    let mut by_age: BTreeMap<i64, usize> = BTreeMap::new();
    ints(&ages, vertices.len()).iter().for_each(|age| *by_age.entry(*age).or_default() += 1);
    let keys = Column::from_values(by_age.keys().map(|age| Value::I64(*age)));
    let mut matches = SeekMatches::default();
    snapshot.seek(index.id, &[&keys], &mut matches)?;
    assert_eq!(matches.ids.len(), vertices.len(), "the index misses some");
    Ok(())
}

/// Deletes hubs under the writers, and makes new ones.
pub(super) fn vandalize(store: &Arc<dyn Store>, names: Names, shared: &Shared, mut rng: Rng) {
    while shared.goes_on() {
        let old = shared.hub(&mut rng);
        let replace = || {
            let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot)?;
            let new = transaction.create_vertices(&names.hub_labels(), 1, &[])?[0];
            transaction.delete_vertices(&[old], true)?;
            transaction.commit()?.wait()?;
            shared.replace_hub(old, new);
            shared.count(Met::HubDeleted);
            Ok(())
        };
        shared.lost(replace());
        shared.let_others(10);
    }
}

/// Drops and defines an index, over and over.
pub(super) fn index(store: &Arc<dyn Store>, names: Names, shared: &Shared) {
    let owner = Owner::Label(names.own);
    while shared.goes_on() {
        let change = |changes: &[CatalogChange]| {
            let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot)?;
            transaction.change_schema(changes)?;
            transaction.commit()?.wait()
        };
        let known = store.snapshot().expect("it can be read").catalog();
        let outcome = match known.index(owner, &[names.age]) {
            Some(index) => change(&[CatalogChange::DropIndex(index.id)]),
            None => change(&[CatalogChange::CreateIndex(IndexDefinition::new(
                owner,
                vec![names.age],
                IndexKind::Exact,
            ))])
            .inspect(|_| shared.count(Met::IndexBuilt)),
        };
        shared.lost(outcome.map(drop));
        shared.let_others(50);
    }
}

/// Writes checkpoints without a pause.
pub(super) fn checkpoint(backend: &dyn Backend, shared: &Shared) {
    while shared.goes_on() {
        backend.checkpoint().expect("there is room");
        shared.count(Met::Checkpoint);
    }
}

/// Loads vertices in bulk, each with an edge to the next.
pub(super) fn load(store: &Arc<dyn Store>, names: Names, shared: &Shared) -> Ledger {
    let mut ledger = Ledger::default();
    for _ in 0..LOADS_MAX {
        if !shared.goes_on() {
            break;
        }
        let outcome = load_once(&**store, names, &mut ledger);
        if !shared.lost(outcome) {
            shared.count(Met::BulkLoad);
        }
    }
    ledger
}

fn load_once(store: &dyn Store, names: Names, ledger: &mut Ledger) -> Result<()> {
    let ids: Vec<VertexId> =
        store.lease_vertices(LOADED_VERTICES)?.into_iter().flatten().map(VertexId).collect();
    let ages = Column::from_values((0..ids.len()).map(|at| Value::I64(at as i64 % 50)));
    let vertices = VertexBlock {
        labels: names.own_labels(),
        ids: ids.clone(),
        properties: vec![(names.age, ages)],
    };
    let next: Vec<VertexId> = ids.iter().cycle().skip(1).take(ids.len()).copied().collect();
    let edges = EdgeBlock {
        edge_type: names.knows,
        ids: Vec::new(),
        sources: ids.clone(),
        targets: next.clone(),
        properties: Vec::new(),
    };
    let mut load = store.begin_bulk_load()?;
    load.push(Changes { vertices: vec![vertices], edges: vec![edges], ..Changes::default() })?;
    load.finish()?;
    let ends = ids.iter().zip(&next).map(|(source, target)| (names.knows, *source, *target));
    ledger.loaded.extend(ends);
    ledger.vertices.extend(ids.into_iter().enumerate().map(|(at, id)| (id, at as i64 % 50)));
    Ok(())
}
