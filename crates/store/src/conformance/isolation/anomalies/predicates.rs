//! Anomalies of what is not there yet: predicate write skew and phantoms.
//!
//! Each phantom is the same story: a reader looks, a writer adds what it would have found, and the
//! reader commits something that is true only without it.

use std::sync::Arc;

use millrace_model::schema::IndexKind;
use millrace_model::{Column, Direction, Owner, Result, Value, VertexId};

use crate::changes::Isolation;
use crate::conformance::fixture::{Fixture, commit, conflicts, neighbours, scan, scan_edges, seek};
use crate::conformance::isolation::anomalies::ages_now;
use crate::reads::Elements;
use crate::snapshot::Snapshot;
use crate::transaction::Transaction;

/// Two count, and each adds one that says how many there were.
pub(super) fn write_skew(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let (first, second) = (fixture.begin_at(level)?, fixture.begin_at(level)?);
    for transaction in [&first, &second] {
        let count = transaction.count_vertices(Some(fixture.person))?;
        let age = Column::from_values([Value::I64(count as i64)]);
        transaction.create_vertices(&fixture.people(), 1, &[(fixture.age, &age)])?;
    }
    commit(first)?;
    conflicts(second)?;
    let people = scan(&*fixture.snapshot()?, None, 10)?;
    Ok(ages_now(fixture, &people)? == [0, 0])
}

/// Whether a reader commits though a writer added what it did not find.
fn phantom(
    fixture: &Fixture,
    level: Isolation,
    read: impl Fn(&Transaction) -> Result<usize>,
    add: impl Fn(&Transaction) -> Result<()>,
) -> Result<bool> {
    let bystander = fixture.add_people(1)?[0];
    let reader = fixture.begin_at(level)?;
    let before = read(&reader)?;
    fixture.set_age(&reader, bystander, 1)?;
    let writer = fixture.begin()?;
    add(&writer)?;
    commit(writer)?;
    let committed = !conflicts(reader)?;
    assert_ne!(read(&fixture.begin()?)?, before, "it would be found now");
    Ok(committed)
}

pub(super) fn phantom_on_a_list(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(2)?;
    let mut committed = Vec::new();
    for direction in [Direction::Out, Direction::In, Direction::Both] {
        let end = people[usize::from(direction == Direction::In)];
        let read = |reader: &Transaction| {
            Ok(neighbours(reader, end, Some(&[fixture.knows]), direction)?.len())
        };
        committed.push(phantom(fixture, level, read, |writer| add_edge(fixture, writer, &people))?);
    }
    assert!(committed.iter().all(|one| *one == committed[0]), "{committed:?}");
    Ok(committed[0])
}

pub(super) fn phantom_on_a_degree(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(2)?;
    let read = |reader: &Transaction| {
        let mut degrees = Vec::new();
        reader.degrees(&people[..1], None, Direction::Out, &mut degrees)?;
        Ok(degrees[0] as usize)
    };
    phantom(fixture, level, read, |writer| add_edge(fixture, writer, &people))
}

pub(super) fn phantom_on_a_label(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let read = |reader: &Transaction| Ok(scan(reader, Some(fixture.item), 10)?.len());
    let created = phantom(fixture, level, read, |writer| {
        writer.create_vertices(&Arc::from([fixture.item]), 1, &[]).map(drop)
    })?;
    let person = fixture.add_people(1)?[0];
    let relabelled = phantom(fixture, level, read, |writer| {
        writer.set_labels(&[(person, Arc::from([fixture.person, fixture.item]))])
    })?;
    assert_eq!(created, relabelled, "a vertex that came, and one that got the label");
    Ok(created)
}

pub(super) fn phantom_on_an_index(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let owner = Owner::Label(fixture.person);
    let index = fixture.add_index(owner, &[fixture.name], IndexKind::Exact)?;
    let read = |reader: &Transaction| Ok(seek(reader, index, &[Value::from("new")])?.len());
    let add = |writer: &Transaction| fixture.create_named(writer, &["new"]).map(drop);
    phantom(fixture, level, read, add)
}

pub(super) fn phantom_on_an_edge_type(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(2)?;
    let types = [fixture.knows];
    let read = |reader: &Transaction| Ok(scan_edges(reader, Some(&types), 10)?.edges.len());
    let scanned = phantom(fixture, level, read, |writer| add_edge(fixture, writer, &people))?;
    let count = |reader: &Transaction| Ok(reader.count_edges(None)? as usize);
    let counted = phantom(fixture, level, count, |writer| add_edge(fixture, writer, &people))?;
    assert_eq!(scanned, counted);
    Ok(scanned)
}

/// An id that was not there, and is chosen by another transaction.
pub(super) fn phantom_on_a_missing_vertex(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let id = fixture.add_people(1)?[0].0 + 1_000;
    let read = |reader: &Transaction| {
        Ok(reader.exist(Elements::Vertices(&[VertexId(id)]))?.ones().count())
    };
    phantom(fixture, level, read, |writer| {
        writer.create_vertices_with_ids(&fixture.people(), &[id], &[]).map(drop)
    })
}

/// So many reads that they are remembered as one of a partition.
pub(super) fn phantom_among_thousands(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(crate::base::limits::READ_UNITS_MAX as usize + 10)?;
    let read = |reader: &Transaction| {
        let mut degrees = Vec::new();
        reader.degrees(&people, None, Direction::Out, &mut degrees)?;
        Ok(degrees.iter().sum::<u64>() as usize)
    };
    phantom(fixture, level, read, |writer| add_edge(fixture, writer, &people[4_000..4_002]))
}

fn add_edge(fixture: &Fixture, writer: &Transaction, ends: &[VertexId]) -> Result<()> {
    writer.create_edges(fixture.knows, &ends[..1], &ends[1..2], &[]).map(drop)
}
