//! Anomalies beyond the LDBC suite, about single vertices and edges.

use millrace_model::schema::IndexKind;
use millrace_model::{Direction, ErrorKind, Owner, Result, Value, VertexId};

use crate::changes::Isolation;
use crate::conformance::compared::content::{Naming, content};
use crate::conformance::fixture::{Fixture, commit, conflicts, ints, neighbours, seek};
use crate::conformance::isolation::anomalies::{ages, ages_now};
use crate::transaction::Transaction;

/// Two readers see two writes in different orders.
pub(super) fn long_fork(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(2)?;
    let (first, second) = (fixture.begin_at(level)?, fixture.begin_at(level)?);
    fixture.set_age(&first, people[0], 1)?;
    fixture.set_age(&second, people[1], 1)?;
    let mut seen = Vec::new();
    commit(first)?;
    let one = fixture.begin_at(level)?;
    seen.push(ages(fixture, &one, &people)?);
    commit(second)?;
    let two = fixture.begin_at(level)?;
    seen.extend([ages(fixture, &one, &people)?, ages(fixture, &two, &people)?]);
    Ok(seen.contains(&vec![0, 1]))
}

/// A reader that writes nothing makes an order impossible that there was without it: it saw the
/// deposit before the fee, and the fee says that there was no deposit.
pub(super) fn read_only(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let accounts = fixture.add_people(2)?;
    let withdrawal = fixture.begin_at(level)?;
    let balance: i64 = ages(fixture, &withdrawal, &accounts)?.iter().sum();
    let deposit = fixture.begin_at(level)?;
    fixture.set_age(&deposit, accounts[1], 20)?;
    commit(deposit)?;
    let reader = fixture.begin_at(level)?;
    let seen = ages(fixture, &reader, &accounts)?;
    commit(reader)?;
    let fee = if balance < 10 { 1 } else { 0 };
    fixture.set_age(&withdrawal, accounts[0], -10 - fee)?;
    conflicts(withdrawal)?;
    let left = ages_now(fixture, &accounts)?;
    Ok(seen == [0, 20] && left == [-11, 20])
}

#[derive(Clone, Copy)]
enum Side {
    Source,
    Target,
    Both,
}

/// An edge is left without an end: it came while its vertex went, in any order, at either end.
pub(super) fn dangling_edge(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let insert = |transaction: &Transaction, side: Side, vertex: VertexId, other: VertexId| {
        let (source, target) = match side {
            Side::Source => (vertex, other),
            Side::Target => (other, vertex),
            Side::Both => (vertex, vertex),
        };
        transaction.create_edges(fixture.knows, &[source], &[target], &[])
    };
    let mut dangling = false;
    for side in [Side::Source, Side::Target, Side::Both] {
        for begin_first in [false, true] {
            for insert_first in [false, true] {
                let people = fixture.add_people(2)?;
                fixture.add_edges(fixture.likes, &[(people[0], people[1])])?;
                let mut inserts = None;
                if begin_first {
                    inserts = Some(fixture.begin_at(level)?);
                }
                let deletes = fixture.begin_at(level)?;
                let inserts = inserts.map_or_else(|| fixture.begin_at(level), Ok)?;
                insert(&inserts, side, people[0], people[1])?;
                deletes.delete_vertices(&people[..1], true)?;
                let mut pair = [inserts, deletes];
                if !insert_first {
                    pair.reverse();
                }
                let mut committed = 0;
                for transaction in pair {
                    committed += i32::from(!conflicts(transaction)?);
                }
                dangling |= committed != 1;
                // It panics if an edge has no end.
                content(&*fixture.snapshot()?, &Naming::default())?;
            }
        }
    }
    Ok(dangling)
}

/// Edges that are added to one hub by transactions that began together, and one is refused.
pub(super) fn hub_inserts(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(5)?;
    let hub = people[0];
    let writers: Vec<Transaction> =
        people[1..].iter().map(|_| fixture.begin_at(level)).collect::<Result<_>>()?;
    for (person, writer) in people[1..].iter().zip(&writers) {
        writer.create_edges(fixture.likes, &[*person, hub], &[hub, *person], &[])?;
    }
    let mut refused = false;
    for writer in writers {
        refused |= conflicts(writer)?;
    }
    let found = neighbours(&*fixture.snapshot()?, hub, None, Direction::In)?;
    assert!(refused || found == people[1..], "all are there: {found:?}");
    Ok(refused)
}

/// One value twice in a unique index, by new vertices, changed ones, and new labels.
pub(super) fn uniqueness_conflict(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let owner = Owner::Label(fixture.person);
    let index = fixture.add_index(owner, &[fixture.age], IndexKind::Unique)?;
    type Take<'a> = &'a dyn Fn(&Transaction, i64) -> Result<()>;
    let create: Take<'_> = &|transaction, age| {
        let ages = ints(&[age]);
        let properties = [(fixture.age, &ages)];
        transaction.create_vertices(&fixture.people(), 1, &properties).map(drop)
    };
    let change: Take<'_> = &|transaction, age| {
        let person = transaction.create_vertices(&fixture.people(), 1, &[])?;
        fixture.set_age(transaction, person[0], age)
    };
    let relabel: Take<'_> = &|transaction, age| {
        let ages = ints(&[age]);
        let item = std::sync::Arc::from([fixture.item]);
        let item = transaction.create_vertices(&item, 1, &[(fixture.age, &ages)])?;
        transaction.set_labels(&[(item[0], fixture.people())])
    };
    let takes = [create, change, relabel];
    let mut twice = false;
    for (number, (one, other)) in
        takes.iter().flat_map(|one| takes.iter().map(move |other| (one, other))).enumerate()
    {
        let age = number as i64;
        let (first, second) = (fixture.begin_at(level)?, fixture.begin_at(level)?);
        one(&first, age)?;
        other(&second, age)?;
        commit(first)?;
        // The value is there, or another transaction was first: a store may say either.
        let lost = commit(second).map(drop).map_err(|error| error.kind);
        assert!(matches!(lost, Ok(()) | Err(ErrorKind::Conflict | ErrorKind::Constraint)));
        let found = seek(&*fixture.snapshot()?, index, &[Value::I64(age)])?;
        twice |= found.len() != 1 || lost.is_ok();
    }
    Ok(twice)
}
