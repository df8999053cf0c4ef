//! How long single-row writes and reads of a transaction take: run it in release.
//!
//! `cargo run --release -p millrace-store --example write_set_timing [rows]`. Ids come from the
//! memory store, so leases cost a lock; nothing is committed.

use std::sync::Arc;
use std::time::Instant;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{
    CatalogChange, Column, ColumnValues, Direction, EdgeTypeId, IndexId, KeyId, LabelId, Owner,
    Result, VertexId,
};
use millrace_store::memory::MemoryBackend;
use millrace_store::{
    Backend, Elements, Isolation, Labels, NameKind, SeekMatches, Snapshot, Transaction,
};

const VERTICES: usize = 110_000;

fn main() -> Result<()> {
    let rows = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2_000_000);
    let backend = MemoryBackend::new();
    let store = backend.create_graph("timing")?;
    let names = [(NameKind::Label, "Person"), (NameKind::EdgeType, "LIKES"), (NameKind::Key, "id")];
    let numbers = store.intern(&names)?;
    let (label, likes, key) = (LabelId(numbers[0]), EdgeTypeId(numbers[1]), KeyId(numbers[2]));
    let defining = Transaction::begin(store.clone(), Isolation::Snapshot)?;
    let (owner, kind) = (Owner::Label(label), IndexKind::Unique);
    let index = IndexDefinition { id: IndexId::default(), owner, keys: vec![key], kind };
    defining.change_schema(&[CatalogChange::CreateIndex(index)])?;
    defining.commit()?.wait()?;
    let transaction = Transaction::begin(store, Isolation::Snapshot)?;
    let index = transaction.catalog().indexes[0].id;

    let people = create_people(&transaction, label, key)?;
    let mut random = 1;
    let create_edge = |number: usize, random: &mut u64| -> Result<()> {
        let (source, target) = (people[next(random) % VERTICES], people[next(random) % VERTICES]);
        let weight = int(number as i64);
        transaction.create_edges(likes, &[source], &[target], &[(key, &weight)]).map(drop)
    };
    let seek = |value: usize| -> Result<()> {
        let mut matches = SeekMatches::default();
        transaction.seek(index, &[&int(value as i64)], &mut matches)?;
        assert_eq!(matches.ids, [people[value].0]);
        Ok(())
    };
    time("create_edges, one row, one property", rows, |at| create_edge(at, &mut random))?;
    time("seek of an own unique value", rows, |_| seek(next(&mut random) % VERTICES))?;
    time("create_edges and seek in turn (pairs)", rows, |at| {
        create_edge(at, &mut random)?;
        seek(next(&mut random) % VERTICES)
    })?;
    let fresh = Transaction::begin(backend.graph("timing")?, Isolation::Snapshot)?;
    let people = create_people(&fresh, label, key)?;
    let few = rows.min(200_000);
    time("create_edges and a degree in turn (pairs)", few, |at| {
        let (source, target) = (people[at % 1_000], people[(at + 1) % 1_000]);
        fresh.create_edges(likes, &[source], &[target], &[(key, &int(1))])?;
        fresh.degrees(&[source], None, Direction::Out, &mut Vec::new())
    })?;
    time("gather of an own property", few, |at| {
        fresh.gather(Elements::Vertices(&[people[at % VERTICES]]), &[key]).map(drop)
    })
}

fn create_people(transaction: &Transaction, label: LabelId, key: KeyId) -> Result<Vec<VertexId>> {
    let labels: Labels = Arc::from([label]);
    let mut people = Vec::new();
    time("create_vertices, one row, one unique property", VERTICES, |at| {
        people.extend(transaction.create_vertices(&labels, 1, &[(key, &int(at as i64))])?);
        Ok(())
    })?;
    Ok(people)
}

fn time(what: &str, count: usize, mut body: impl FnMut(usize) -> Result<()>) -> Result<()> {
    let start = Instant::now();
    (0..count).try_for_each(&mut body)?;
    let nanos = start.elapsed().as_nanos() / count.max(1) as u128;
    println!("{what:50} {count:>10} calls {nanos:>6} ns each");
    Ok(())
}

fn int(value: i64) -> Column {
    Column::of(ColumnValues::I64(vec![value]))
}

fn next(random: &mut u64) -> usize {
    *random =
        random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*random >> 33) as usize
}
