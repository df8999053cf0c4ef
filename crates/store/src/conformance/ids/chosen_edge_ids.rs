//! Edge ids that the caller chose.
//!
//! A chosen id, however small, is never the internal id of its edge. The cases look at the internal
//! id of an edge only where it must not equal an id that was chosen for another edge.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::external_id::encode_ids;
use millrace_model::{
    Column, EXTERNAL_ID_KEY, EdgeId, ErrorKind, ExternalId, Owner, Result, Value, VertexId,
};

use crate::backend::BulkLoad;
use crate::changes::{Changes, EdgeBlock};
use crate::conformance::compared::content::{Naming, content};
use crate::conformance::fixture::{Fixture, commit, conflicts, refused, scan_edges, texts, write};
use crate::conformance::{Case, Harness};
use crate::reads::Elements;
use crate::snapshot::Snapshot;
use crate::transaction::Transaction;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("an edge has the id that was chosen, and is found by it", shown),
    ("a graph without chosen edge ids has no index of them", none),
    ("a chosen edge id that an edge has is refused by name", taken),
    ("of two that choose one edge id the first wins, though none was there before", contended),
    ("an edge id may be chosen again once its edge is gone, in the same transaction too", again),
    ("no edge is given an id that another edge was given by choice", passed_over),
    ("a client that chooses the id of an edge made meanwhile loses, or its maker", pending),
    ("the first chosen edge id refuses no transaction that began before it", first_use),
    ("chosen edge ids are no properties, and outlast the removal of all of them", no_property),
    ("a serializable reader of a missing edge id loses to one that chooses it", phantom),
    ("a bulk load makes edges of chosen ids, and gives no other edge one of them", loaded),
    ("a bulk load whose edges' numbers are chosen meanwhile may be run again", overtaken_load),
    ("edge ids may be chosen in any number", many),
];

/// Ids small and large.
const IDS: [u64; 4] = [5, 1 << 33, 10_000_000_000, i64::MAX as u64];

fn number(id: u64) -> ExternalId {
    ExternalId::Number(id)
}

fn numbers(ids: &[u64]) -> Vec<ExternalId> {
    ids.iter().copied().map(number).collect()
}

/// Makes edges of these ids from the first to the second.
fn choose(
    fixture: &Fixture,
    transaction: &Transaction,
    ends: &[VertexId],
    ids: &[u64],
) -> Result<Vec<EdgeId>> {
    let (sources, targets) = (vec![ends[0]; ids.len()], vec![ends[1]; ids.len()]);
    let names = texts(&vec!["chosen"; ids.len()]);
    let properties = [(fixture.name, &names)];
    let ends = (&sources[..], &targets[..]);
    transaction.create_edges_with_ids(fixture.knows, ends, &numbers(ids), &properties)
}

fn add(fixture: &Fixture, ends: &[VertexId], ids: &[u64]) -> Result<Vec<EdgeId>> {
    let transaction = fixture.begin()?;
    let made = choose(fixture, &transaction, ends, ids)?;
    commit(transaction)?;
    Ok(made)
}

fn ids_of(snapshot: &dyn Snapshot, edges: &[EdgeId]) -> Result<Vec<u64>> {
    let external = snapshot.external_edge_ids(edges)?;
    Ok(external.unwrap_or_else(|| edges.iter().map(|edge| edge.0).collect()))
}

fn find(snapshot: &dyn Snapshot, ids: &[u64]) -> Result<Vec<EdgeId>> {
    let found = snapshot.find_external_edges(ids)?;
    Ok(found.unwrap_or_else(|| ids.iter().copied().map(EdgeId).collect()))
}

/// The edge with an external id.
fn found(snapshot: &dyn Snapshot, id: u64) -> Result<Option<EdgeId>> {
    let edges = find(snapshot, &[id])?;
    assert_eq!(ids_of(snapshot, &edges)?, [id], "what is found by an id has it");
    Ok(snapshot.exist(Elements::Edges(&edges))?.get(0).then_some(edges[0]))
}

/// Every edge has an id of its own, and found by it.
fn check_all(snapshot: &dyn Snapshot) -> Result<Vec<u64>> {
    let all = scan_edges(snapshot, None, 500)?.edges;
    let shown = ids_of(snapshot, &all)?;
    assert_eq!(find(snapshot, &shown)?, all);
    let as_values = snapshot.external_id_values(Elements::Edges(&all))?;
    for (row, id) in shown.iter().enumerate() {
        let value = as_values.as_ref().and_then(|column| column.get(row));
        assert!(value.is_none_or(|value| value.as_int() == Some(*id as i64)));
    }
    let distinct: BTreeSet<u64> = shown.iter().copied().collect();
    assert_eq!(distinct.len(), shown.len(), "no two elements have one id: {shown:?}");
    content(snapshot, &Naming::default())?;
    Ok(shown)
}

fn shown(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let plain = fixture.add_edges(fixture.likes, &[(people[0], people[1])])?;
    let transaction = fixture.begin()?;
    let made = choose(&fixture, &transaction, &people, &IDS)?;
    for round in 0..2 {
        assert_eq!(
            (ids_of(&transaction, &made)?, find(&transaction, &IDS)?),
            (IDS.into(), made.clone())
        );
        assert_eq!(ids_of(&transaction, &plain)?, [plain[0].0]);
        check_all(&transaction)?;
        if round == 0 {
            transaction.spill()?;
        }
    }
    commit(transaction)?;
    for round in 0..3 {
        if round == 1 {
            harness.backend().checkpoint()?;
        }
        let snapshot = fixture.snapshot()?;
        assert_eq!(
            (ids_of(&*snapshot, &made)?, find(&*snapshot, &IDS)?),
            (IDS.into(), made.clone())
        );
        check_all(&*snapshot)?;
    }
    let fixture = fixture.reopen(harness)?;
    assert_eq!(find(&*fixture.snapshot()?, &IDS)?, made);
    add(&fixture, &people, &[77])?;
    harness.backend().checkpoint()?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert!(found(&*snapshot, 77)?.is_some());
    let ends = snapshot.ends(&find(&*snapshot, &[77, 5])?)?;
    assert_eq!((ends.sources, ends.targets), (vec![people[0]; 2], vec![people[1]; 2]));
    check_all(&*snapshot).map(drop)
}

fn none(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let edges = fixture.add_edges(fixture.knows, &[(people[0], people[1])])?;
    let (snapshot, transaction) = (fixture.snapshot()?, fixture.begin()?);
    for graph in [&*snapshot, &transaction as &dyn Snapshot] {
        assert_eq!(
            (graph.external_edge_ids(&edges)?, graph.find_external_edges(&IDS)?),
            (None, None)
        );
        assert!(graph.external_id_values(Elements::Edges(&edges))?.is_none());
        assert_eq!(graph.catalog().indexes, []);
    }
    Ok(())
}

fn taken(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let plain = fixture.add_edges(fixture.knows, &[(people[0], people[1])])?[0];
    add(&fixture, &people, &IDS[..2])?;
    let transaction = fixture.begin()?;
    let again = |ids: &[u64]| choose(&fixture, &transaction, &people, ids);
    let error = refused(again(&[IDS[2], IDS[1]]), ErrorKind::AlreadyExists);
    assert!(error.detail.contains(&format!("edge {}", IDS[1])), "{error}");
    refused(again(&[plain.0]), ErrorKind::AlreadyExists);
    refused(again(&[IDS[2], IDS[2]]), ErrorKind::AlreadyExists);
    refused(again(&[0]), ErrorKind::BadInput);
    refused(again(&[0b11 << 62 | 1_024]), ErrorKind::BadInput);
    let own = transaction.create_edges(fixture.knows, &people[..1], &people[1..], &[])?[0];
    refused(again(&[own.0]), ErrorKind::AlreadyExists);
    again(&[IDS[2]])?;
    refused(again(&[IDS[2]]), ErrorKind::AlreadyExists);
    commit(transaction)?;
    check_all(&*fixture.snapshot()?).map(drop)
}

fn contended(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    for id in [IDS[0], IDS[2]] {
        let (first, second, other) = (fixture.begin()?, fixture.begin()?, fixture.begin()?);
        choose(&fixture, &first, &people, &[id])?;
        choose(&fixture, &second, &people, &[id])?;
        choose(&fixture, &other, &people, &[id - 1])?;
        let rolled_back = fixture.begin()?;
        choose(&fixture, &rolled_back, &people, &[id - 2])?;
        drop(rolled_back);
        let ticket = first.commit()?;
        assert!(conflicts(second)?, "before the first is visible, and after");
        ticket.wait()?;
        commit(other)?;
        add(&fixture, &people, &[id - 2])?;
        refused(add(&fixture, &people, &[id]), ErrorKind::AlreadyExists);
    }
    assert_eq!(check_all(&*fixture.snapshot()?)?.len(), 6);
    Ok(())
}

fn again(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let plain = fixture.add_edges(fixture.knows, &[(people[0], people[1])])?[0];
    add(&fixture, &people, &[7])?;
    for round in 0..3 {
        let before = fixture.snapshot()?;
        let there = find(&*before, &[7])?;
        // What is deleted here may be chosen here: the number of another edge's place, too.
        let transaction = fixture.begin()?;
        transaction.delete_edges(&there)?;
        assert_eq!(ids_of(&transaction, &there)?, [7], "its id is still what it was");
        if round == 1 {
            transaction.delete_edges(&[plain])?;
            choose(&fixture, &transaction, &people, &[plain.0])?;
        }
        let made = choose(&fixture, &transaction, &people, &[7])?;
        assert_eq!(found(&transaction, 7)?, Some(made[0]));
        commit(transaction)?;
        harness.backend().checkpoint()?;
        assert_eq!(found(&*before, 7)?, Some(there[0]), "an older reader sees the older edge");
        assert_eq!(found(&*fixture.snapshot()?, 7)?, Some(made[0]));
        check_all(&*fixture.snapshot()?)?;
    }
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_ne!(found(&*snapshot, plain.0)?, Some(plain));
    assert!(found(&*snapshot, plain.0)?.is_some());
    assert_eq!(check_all(&*snapshot)?.len(), 2);
    Ok(())
}

/// The attack: numbers are chosen that edges would be given next, committed, left open and rolled
/// back.
fn passed_over(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let first = fixture.add_edges(fixture.knows, &[(people[0], people[1])])?[0].0;
    let near: Vec<u64> = (first + 1..first + 40).step_by(3).collect();
    add(&fixture, &people, &near)?;
    let (open, rolled_back) = (fixture.begin()?, fixture.begin()?);
    choose(&fixture, &open, &people, &[first + 2, first + 5])?;
    choose(&fixture, &rolled_back, &people, &[first + 3])?;
    let old = fixture.begin()?;
    let gone = find(&*fixture.snapshot()?, &[near[3]])?;
    write(&fixture, |transaction| transaction.delete_edges(&gone))?;
    // A snapshot that saw what is gone still does: its edges do not have that id either.
    let own = old.create_edges(fixture.knows, &vec![people[0]; 30], &vec![people[1]; 30], &[])?;
    assert!(own.iter().all(|edge| !near.contains(&edge.0)), "{own:?}");
    check_all(&old)?;
    commit(old)?;
    commit(open)?;
    drop(rolled_back);
    fixture.add_edges(fixture.knows, &vec![(people[0], people[1]); 50])?;
    let count = check_all(&*fixture.snapshot()?)?.len();
    let fixture = fixture.reopen(harness)?;
    fixture.add_edges(fixture.knows, &vec![(people[1], people[0]); 3_000])?;
    assert_eq!(check_all(&*fixture.snapshot()?)?.len(), count + 3_000);
    Ok(())
}

/// The attack: an edge has its number and is not committed when a client chooses that number.
fn pending(harness: &mut dyn Harness) -> Result<()> {
    for chosen_first in [false, true] {
        let graph = if chosen_first { "chosen first" } else { "given first" };
        let fixture = Fixture::named(harness, graph)?;
        let people = fixture.add_people(2)?;
        // The first round is before the first chosen id.
        for _ in 0..2 {
            let given = fixture.begin()?;
            let edge = given.create_edges(fixture.knows, &people[..1], &people[1..], &[])?[0];
            let chooser = fixture.begin()?;
            choose(&fixture, &chooser, &people, &[edge.0])?;
            if chosen_first {
                commit(chooser)?;
                assert!(conflicts(given)?);
            } else {
                commit(given)?;
                let late = commit(chooser).map(drop);
                let kind = late.err().map(|error| error.kind);
                let lost = [Some(ErrorKind::AlreadyExists), Some(ErrorKind::Conflict)];
                assert!(lost.contains(&kind), "{kind:?}");
                refused(add(&fixture, &people, &[edge.0]), ErrorKind::AlreadyExists);
            }
            assert!(found(&*fixture.snapshot()?, edge.0)?.is_some());
            check_all(&*fixture.snapshot()?)?;
        }
    }
    Ok(())
}

fn first_use(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(3)?;
    let edges = fixture.add_edges(fixture.likes, &[(people[0], people[1]); 2])?;
    let (writer, deleter) = (fixture.begin()?, fixture.begin()?);
    writer.set_edge_properties(fixture.name, &edges[..1], &texts(&["new"]))?;
    writer.create_edges(fixture.knows, &people[..1], &people[2..], &[])?;
    deleter.delete_edges(&edges[1..])?;
    let users = [fixture.begin()?, fixture.begin()?];
    let before = fixture.snapshot()?;
    for (user, id) in users.iter().zip(IDS) {
        choose(&fixture, user, &people, &[id])?;
    }
    for transaction in [writer, deleter].into_iter().chain(users) {
        commit(transaction)?;
    }
    assert_eq!(before.external_edge_ids(&edges)?, None);
    let now = fixture.snapshot()?;
    assert_eq!(now.catalog().indexes.len(), 1, "made once");
    let dropped = millrace_model::CatalogChange::DropOwner(Owner::AllEdges);
    write(&fixture, |transaction| transaction.change_schema(&[dropped]).map(drop))?;
    assert!(fixture.snapshot()?.catalog().external_edge_index().is_some(), "nobody drops it");
    assert_eq!(check_all(&*fixture.snapshot()?)?.len(), 4);
    Ok(())
}

fn no_property(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let transaction = fixture.begin()?;
    let made = choose(&fixture, &transaction, &people, &IDS[..1])?;
    let keys = |snapshot: &dyn Snapshot| -> Result<Vec<_>> {
        let fields = snapshot.fields(Elements::Edges(&made))?;
        Ok(fields[0].iter().map(|field| field.key).collect())
    };
    assert_eq!(keys(&transaction)?, [fixture.name]);
    commit(transaction)?;
    for _ in 0..2 {
        assert_eq!(keys(&*fixture.snapshot()?)?, [fixture.name]);
        harness.backend().checkpoint()?;
    }
    let mut nothing = Column::default();
    nothing.push_entry(None);
    write(&fixture, |transaction| transaction.set_edge_properties(fixture.name, &made, &nothing))?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(snapshot.fields(Elements::Edges(&made))?[0].len(), 0);
    assert_eq!((ids_of(&*snapshot, &made)?, find(&*snapshot, &IDS[..1])?), (vec![IDS[0]], made));
    Ok(())
}

fn phantom(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    for id in [IDS[0], IDS[2]] {
        let reader = fixture.serializable()?;
        assert_eq!(found(&reader, id)?, None);
        reader.create_vertices(&fixture.people(), 1, &[])?;
        add(&fixture, &people, &[id])?;
        assert!(conflicts(reader)?, "{id}");
    }
    Ok(())
}

/// Edges from the first to the second for a load to make, of these ids or of any.
fn edges_of(fixture: &Fixture, people: &[VertexId], ids: Vec<Option<ExternalId>>) -> Changes {
    let block = EdgeBlock {
        edge_type: fixture.knows,
        ids: Vec::new(),
        sources: vec![people[0]; ids.len()],
        targets: vec![people[1]; ids.len()],
        properties: match ids.iter().all(Option::is_none) {
            true => Vec::new(),
            false => vec![(EXTERNAL_ID_KEY, encode_ids(ids.into_iter()))],
        },
    };
    Changes { edges: vec![block], ..Changes::default() }
}

/// The attack: a load has numbers for its edges before the first id is chosen, and one of those is.
fn overtaken_load(harness: &mut dyn Harness) -> Result<()> {
    const EDGES: usize = 3_000;
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let probe = fixture.add_edges(fixture.knows, &[(people[0], people[1])])?[0].0;
    let begun = || -> Result<Box<dyn BulkLoad>> {
        let mut load = fixture.store.begin_bulk_load()?;
        load.push(edges_of(&fixture, &people, vec![None; EDGES]))?;
        Ok(load)
    };
    let load = begun()?;
    let near: Vec<u64> = (probe + 1..probe + 10_000).collect();
    add(&fixture, &people, &near)?;
    // The load chose no ids, so the only error it may get is a write conflict.
    if let Err(error) = load.finish() {
        assert_eq!(error.kind, ErrorKind::Conflict, "{error}");
        begun()?.finish()?;
    }
    assert_eq!(check_all(&*fixture.snapshot()?)?.len(), 1 + near.len() + EDGES);
    Ok(())
}

fn loaded(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let probe = fixture.add_edges(fixture.knows, &[(people[0], people[1])])?[0].0;
    let load = |ids: Vec<Option<ExternalId>>| -> Result<()> {
        let chosen: Vec<ExternalId> = ids.iter().flatten().cloned().collect();
        if !chosen.is_empty() {
            fixture.store.claim_edges(&chosen)?;
        }
        let mut load = fixture.store.begin_bulk_load()?;
        load.push(edges_of(&fixture, &people, ids))?;
        load.finish().map(drop)
    };
    // Among them numbers that edges without ids would be given, in this load and later ones.
    let near = (probe + 1..probe + 5_000).step_by(7).map(number).map(Some);
    load(near.flat_map(|id| [id, None]).collect())?;
    load(vec![None; 3_000])?;
    let kind = |outcome: Result<()>| outcome.err().map(|error| error.kind);
    for taken in [probe, probe + 1] {
        let lost = [Some(ErrorKind::AlreadyExists), Some(ErrorKind::Conflict)];
        assert!(lost.contains(&kind(load(vec![Some(number(taken))]))), "{taken}");
    }
    let count = check_all(&*fixture.snapshot()?)?.len();
    let fixture = fixture.reopen(harness)?;
    assert_eq!(check_all(&*fixture.snapshot()?)?.len(), count);
    assert!(found(&*fixture.snapshot()?, probe + 8)?.is_some());
    Ok(())
}

fn many(harness: &mut dyn Harness) -> Result<()> {
    const COUNT: u64 = 3_000;
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let id = |at: u64| if at.is_multiple_of(2) { 1_000 + at } else { at << 40 | 5 };
    let ids: Vec<u64> = (0..COUNT).map(|at| id(at * 1_201 % COUNT)).collect();
    let transaction = fixture.begin()?;
    let made = choose(&fixture, &transaction, &people, &ids)?;
    let name = transaction.gather(Elements::Edges(&made[..1]), &[fixture.name])?[0].get(0);
    assert_eq!(name, Some(Value::String(Arc::from("chosen"))));
    transaction.create_edges(fixture.likes, &[people[0]; 1_500], &[people[1]; 1_500], &[])?;
    check_all(&transaction)?;
    commit(transaction)?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!((ids_of(&*snapshot, &made)?, find(&*snapshot, &ids)?), (ids, made));
    check_all(&*snapshot).map(drop)
}
