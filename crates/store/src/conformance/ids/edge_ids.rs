//! Edge ids: each leads to its type and ends, wherever the edge is kept by now.

use std::collections::BTreeMap;

use millrace_model::{EdgeId, EdgeTypeId, Result, Value, VertexId};

use crate::changes::{Changes, EdgeBlock, VertexBlock};
use crate::conformance::fixture::{Fixture, commit, ints, scan_edges, write};
use crate::conformance::{Case, Harness};
use crate::reads::Elements;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("the id of every edge leads to its ends and properties, through its whole life", life),
    ("an edge id that belongs to no edge leads nowhere", nobody),
];

type Known = BTreeMap<EdgeId, (EdgeTypeId, VertexId, VertexId, i64)>;

/// Asks for every edge by id, in an order of its own, among ids that no edge has.
fn check(fixture: &Fixture, known: &Known, gone: &[EdgeId], when: &str) -> Result<()> {
    let snapshot = fixture.snapshot()?;
    let mut asked: Vec<EdgeId> = known.keys().copied().collect();
    asked.extend(gone);
    asked.extend([0, 1 << 63, u64::MAX].map(EdgeId));
    asked.sort_unstable_by_key(|edge| edge.0.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let ends = snapshot.ends(&asked)?;
    let exist = snapshot.exist(Elements::Edges(&asked))?;
    let ages = &snapshot.gather(Elements::Edges(&asked), &[fixture.age])?[0];
    for (row, edge) in asked.iter().enumerate() {
        let expected = known.get(edge);
        assert_eq!(ends.exist.get(row), expected.is_some(), "{when}: edge {edge}");
        assert_eq!(exist.get(row), expected.is_some(), "{when}: edge {edge}");
        let Some((edge_type, source, target, age)) = expected else { continue };
        let found = (ends.types[row], ends.sources[row], ends.targets[row]);
        assert_eq!(found, (*edge_type, *source, *target), "{when}: edge {edge}");
        assert_eq!(ages.get(row), Some(Value::I64(*age)), "{when}: edge {edge}");
        assert!(edge.0 < 1 << 63, "an edge id has 63 bits");
    }
    let scanned = scan_edges(&*snapshot, None, 1_000)?.edges;
    assert_eq!(scanned.len(), known.len(), "{when}");
    assert!(scanned.iter().all(|edge| known.contains_key(edge)), "{when}");
    Ok(())
}

fn life(harness: &mut dyn Harness) -> Result<()> {
    const VERTICES: u64 = 200;
    let mut fixture = Fixture::new(harness)?;
    let leased = fixture.store.lease_vertices(VERTICES)?;
    let ids: Vec<VertexId> = leased.into_iter().flatten().map(VertexId).collect();
    let mut known = load(&fixture, &ids)?;
    check(&fixture, &known, &[], "after a load")?;
    // More edges than a run of slots has, of both types, from sources that share partitions.
    let at = |number: usize| ids[number % ids.len()];
    let add = |fixture: &Fixture, first: usize, known: &mut Known| -> Result<Vec<EdgeId>> {
        let sources: Vec<_> = (0..1_500).map(|row| at(first + row * 7)).collect();
        let targets: Vec<_> = (0..1_500).map(|row| at(first + row * 3)).collect();
        let ages: Vec<i64> = (0..1_500).map(|row| (first + row) as i64).collect();
        let edge_type = if first.is_multiple_of(2) { fixture.knows } else { fixture.likes };
        let transaction = fixture.begin()?;
        let column = ints(&ages);
        let properties = [(fixture.age, &column)];
        let made = transaction.create_edges(edge_type, &sources, &targets, &properties)?;
        commit(transaction)?;
        for (row, edge) in made.iter().enumerate() {
            let record = (edge_type, sources[row], targets[row], ages[row]);
            assert!(known.insert(*edge, record).is_none(), "edge {edge} was given twice");
        }
        Ok(made)
    };
    let first = add(&fixture, 1, &mut known)?;
    add(&fixture, 2, &mut known)?;
    check(&fixture, &known, &[], "after inserts")?;
    harness.backend().checkpoint()?;
    check(&fixture, &known, &[], "after a checkpoint")?;
    let gone: Vec<EdgeId> = first.iter().copied().step_by(3).collect();
    write(&fixture, |transaction| transaction.delete_edges(&gone))?;
    known.retain(|edge, _| !gone.contains(edge));
    check(&fixture, &known, &gone, "after a deletion")?;
    fixture = fixture.reopen(harness)?;
    check(&fixture, &known, &gone, "after reopening")?;
    add(&fixture, 3, &mut known)?;
    harness.backend().checkpoint()?;
    check(&fixture, &known, &gone, "after another checkpoint")?;
    fixture = fixture.reopen(harness)?;
    add(&fixture, 4, &mut known)?;
    assert!(gone.iter().all(|edge| !known.contains_key(edge)), "an id is never given again");
    check(&fixture, &known, &gone, "in the end")
}

fn load(fixture: &Fixture, ids: &[VertexId]) -> Result<Known> {
    let labels = fixture.people();
    let block = VertexBlock { labels, ids: ids.to_vec(), properties: Vec::new() };
    let mut load = fixture.store.begin_bulk_load()?;
    load.push(Changes { vertices: vec![block], ..Changes::default() })?;
    let rows = 0..3 * ids.len();
    let sources: Vec<_> = rows.clone().map(|row| ids[row % ids.len()]).collect();
    let targets: Vec<_> = rows.clone().map(|row| ids[row * 31 % ids.len()]).collect();
    let ages: Vec<i64> = rows.map(|row| row as i64).collect();
    let properties = vec![(fixture.age, ints(&ages))];
    let edge_type = fixture.likes;
    let (own_sources, own_targets) = (sources.clone(), targets.clone());
    let ids = Vec::new();
    let block =
        EdgeBlock { edge_type, ids, sources: own_sources, targets: own_targets, properties };
    load.push(Changes { edges: vec![block], ..Changes::default() })?;
    load.finish()?;
    // The store gave the ids: they are distinguished by the age, which is the row.
    let snapshot = fixture.snapshot()?;
    let rows = scan_edges(&*snapshot, None, 1_000)?;
    let column = &snapshot.gather(Elements::Edges(&rows.edges), &[fixture.age])?[0];
    let record = |row: usize| {
        let age = column.get(row).and_then(|age| age.as_int()).expect("each has its row");
        (rows.edges[row], (edge_type, sources[age as usize], targets[age as usize], age))
    };
    Ok((0..rows.edges.len()).map(record).collect())
}

fn nobody(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    check(&fixture, &Known::new(), &[EdgeId(1), EdgeId(1 << 32)], "in an empty graph")?;
    let people = fixture.add_people(1)?;
    let edge = fixture.add_edges(fixture.knows, &[(people[0], people[0])])?[0];
    let snapshot = fixture.snapshot()?;
    let near: Vec<EdgeId> = (1..5_000).map(|more| EdgeId(edge.0 + more)).collect();
    assert_eq!(snapshot.exist(Elements::Edges(&near))?.ones().count(), 0);
    assert_eq!(snapshot.ends(&near)?.exist.ones().count(), 0);
    assert!(snapshot.ends(&[edge])?.exist.get(0));
    Ok(())
}
