//! What two writers conflict on by request: a key of a record, and the ends of an edge in a type
//! that is a set.

use std::sync::Arc;

use millrace_model::schema::IndexKind;
use millrace_model::{CatalogChange, Direction, ErrorKind, Owner, Result, Value, VertexId};

use crate::changes::{Changes, ConflictUnit, EdgeBlock, VertexBlock};
use crate::conformance::compared::content::{Naming, content};
use crate::conformance::fixture::{
    Fixture, commit, conflicts, ints, neighbours, refused, seek, texts, write,
};
use crate::conformance::{Case, Harness};
use crate::reads::Elements;
use crate::transaction::Transaction;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("different keys of one record may be set at once, on request", keys_of_a_record),
    ("a key on its own conflicts with a write of the whole record", key_against_record),
    ("keys that one index is about are one", keys_of_an_index),
    ("a set has one edge from a source to a target", sets),
    ("two that insert or delete one edge of a set conflict, others do not", conflicts_in_sets),
    ("a type becomes a set only if it is one", defined_late),
    ("a bulk load takes no edges of a set", loads),
];

impl Fixture {
    fn by_key(&self) -> Result<Transaction> {
        Ok(self.begin()?.with_unit(ConflictUnit::Key))
    }

    fn define_set(&self) -> Result<()> {
        write(self, |transaction| {
            transaction.change_schema(&[CatalogChange::CreateSet(self.knows)]).map(drop)
        })
        .map(drop)
    }
}

fn keys_of_a_record(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(1)?;
    let edge = fixture.add_edges(fixture.knows, &[(people[0], people[0])])?;
    let (first, second, third) = (fixture.by_key()?, fixture.by_key()?, fixture.by_key()?);
    first.set_vertex_properties(fixture.name, &people, &texts(&["new"]))?;
    first.set_edge_properties(fixture.name, &edge, &texts(&["new"]))?;
    second.set_vertex_properties(fixture.age, &people, &ints(&[7]))?;
    second.set_edge_properties(fixture.age, &edge, &ints(&[7]))?;
    third.set_edge_properties(fixture.age, &edge, &ints(&[8]))?;
    commit(first)?;
    assert!(!conflicts(second)?, "another key");
    assert!(conflicts(third)?, "the same key");
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    for elements in [Elements::Vertices(&people), Elements::Edges(&edge)] {
        let columns = snapshot.gather(elements, &[fixture.name, fixture.age])?;
        let values = [columns[0].get(0), columns[1].get(0)];
        assert_eq!(values, [Some(Value::from("new")), Some(Value::I64(7))]);
    }
    Ok(())
}

fn key_against_record(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    type Write<'a> = &'a dyn Fn(&Transaction, VertexId) -> Result<()>;
    let key: Write<'_> = &|transaction, vertex| fixture.set_age(transaction, vertex, 1);
    let record: Write<'_> = &|transaction, vertex| {
        transaction.set_vertex_properties(fixture.name, &[vertex], &texts(&["x"]))
    };
    let labels: Write<'_> =
        &|transaction, vertex| transaction.set_labels(&[(vertex, Arc::from([fixture.item]))]);
    let delete: Write<'_> = &|transaction, vertex| transaction.delete_vertices(&[vertex], true);
    for (by_key, other) in [(false, record), (true, labels), (false, delete)] {
        for key_first in [false, true] {
            let vertex = fixture.add_people(1)?[0];
            let one = fixture.by_key()?;
            key(&one, vertex)?;
            let two = if by_key { fixture.by_key()? } else { fixture.begin()? };
            other(&two, vertex)?;
            let (first, second) = if key_first { (one, two) } else { (two, one) };
            commit(first)?;
            assert!(conflicts(second)?, "key first: {key_first}");
        }
    }
    let vertex = fixture.add_people(1)?[0];
    let reader = fixture.serializable()?;
    fixture.age(&reader, vertex)?;
    fixture.create_named(&reader, &["seen"])?;
    let one = fixture.by_key()?;
    key(&one, vertex)?;
    commit(one)?;
    assert!(conflicts(reader)?, "a reader of the record sees the key change");
    Ok(())
}

fn keys_of_an_index(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let (owner, keys) = (Owner::Label(fixture.person), [fixture.name, fixture.age]);
    let index = fixture.add_index(owner, &keys, IndexKind::Exact)?;
    let people = fixture.add_people(1)?;
    let (first, second) = (fixture.by_key()?, fixture.by_key()?);
    first.set_vertex_properties(fixture.name, &people, &texts(&["new"]))?;
    fixture.set_age(&second, people[0], 7)?;
    commit(first)?;
    assert!(conflicts(second)?, "the entry is of both");
    write(&fixture, |transaction| fixture.set_age(transaction, people[0], 7))?;
    let found = seek(&*fixture.snapshot()?, index, &[Value::from("new"), Value::I64(7)])?;
    assert_eq!(found, [people[0].0]);
    Ok(())
}

fn sets(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(3)?;
    fixture.define_set()?;
    let edge = fixture.add_edges(fixture.knows, &[(people[0], people[1])])?;
    fixture.add_edges(fixture.likes, &[(people[0], people[1]), (people[0], people[1])])?;
    let fixture = fixture.reopen(harness)?;
    assert!(fixture.snapshot()?.catalog().is_set(fixture.knows));
    let again = fixture.add_edges(fixture.knows, &[(people[0], people[1])]);
    let error = refused(again, ErrorKind::Constraint);
    assert!(error.detail.contains("KNOWS") && error.detail.contains("set"), "{error}");
    let both = [(people[0], people[2]), (people[0], people[2])];
    refused(fixture.add_edges(fixture.knows, &both), ErrorKind::Constraint);
    let transaction = fixture.begin()?;
    transaction.create_edges(fixture.knows, &people[..1], &people[2..], &[])?;
    let twice = transaction.create_edges(fixture.knows, &people[..1], &people[2..], &[]);
    refused(twice, ErrorKind::Constraint);
    // The other way round is another pair, and what is deleted here makes room here.
    transaction.create_edges(fixture.knows, &people[1..2], &people[..1], &[])?;
    transaction.delete_edges(&edge)?;
    transaction.create_edges(fixture.knows, &people[..1], &people[1..2], &[])?;
    commit(transaction)?;
    let found =
        neighbours(&*fixture.snapshot()?, people[0], Some(&[fixture.knows]), Direction::Out)?;
    assert_eq!(found, people[1..]);
    write(&fixture, |transaction| {
        transaction.change_schema(&[CatalogChange::DropSet(fixture.knows)]).map(drop)
    })?;
    fixture.add_edges(fixture.knows, &[(people[0], people[1])])?;
    content(&*fixture.snapshot()?, &Naming::default()).map(drop)
}

fn conflicts_in_sets(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.define_set()?;
    let people = fixture.add_people(3)?;
    let insert = |transaction: &Transaction, target: usize| {
        let target = &people[target..=target];
        transaction.create_edges(fixture.knows, &people[..1], target, &[]).map(drop)
    };
    let (first, second, third) = (fixture.begin()?, fixture.begin()?, fixture.begin()?);
    insert(&first, 1)?;
    insert(&second, 1)?;
    insert(&third, 2)?;
    commit(first)?;
    assert!(conflicts(second)?, "the same pair");
    assert!(!conflicts(third)?, "another target");
    let edge = {
        let runs = crate::conformance::fixture::walk(
            &*fixture.snapshot()?,
            &people[..1],
            None,
            Direction::Out,
        )?;
        runs[0].3.iter().find(|pair| pair.0 == people[1]).expect("it was inserted").1
    };
    // Deleted and made again by one, and deleted by another.
    let (first, second) = (fixture.begin()?, fixture.begin()?);
    first.delete_edges(&[edge])?;
    insert(&first, 1)?;
    second.delete_edges(&[edge])?;
    commit(first)?;
    assert!(conflicts(second)?);
    Ok(())
}

fn defined_late(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let edges = fixture.add_edges(fixture.knows, &[(people[0], people[1]); 2])?;
    let error = refused(fixture.define_set(), ErrorKind::Constraint);
    assert!(error.detail.contains(&people[1].to_string()), "{error}");
    write(&fixture, |transaction| transaction.delete_edges(&edges[..1]))?;
    let inserts = fixture.begin()?;
    inserts.create_edges(fixture.knows, &people[..1], &people[1..], &[])?;
    fixture.define_set()?;
    assert!(conflicts(inserts)?, "it knew nothing of the set");
    Ok(())
}

fn loads(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.define_set()?;
    let ids: Vec<VertexId> =
        fixture.store.lease_vertices(2)?.into_iter().flatten().map(VertexId).collect();
    let block = VertexBlock { labels: fixture.people(), ids: ids.clone(), properties: Vec::new() };
    let edges = |edge_type| {
        let (sources, targets) = (ids[..1].to_vec(), ids[1..].to_vec());
        let block = EdgeBlock { edge_type, sources, targets, ..EdgeBlock::default() };
        Changes { edges: vec![block], ..Changes::default() }
    };
    let mut load = fixture.store.begin_bulk_load()?;
    let error = refused(load.push(edges(fixture.knows)), ErrorKind::Unsupported);
    assert!(error.detail.contains("KNOWS"), "{error}");
    let mut load = fixture.store.begin_bulk_load()?;
    load.push(Changes { vertices: vec![block], ..Changes::default() })?;
    load.push(edges(fixture.likes))?;
    load.finish()?;
    content(&*fixture.snapshot()?, &Naming::default()).map(drop)
}
