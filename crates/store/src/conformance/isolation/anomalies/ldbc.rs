//! The anomalies of the LDBC ACID suite, by their names there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use millrace_model::{Direction, Result, VertexId};

use crate::changes::Isolation;
use crate::conformance::Harness;
use crate::conformance::fixture::{Fixture, commit, conflicts, ints, neighbours, scan};
use crate::conformance::isolation::anomalies::{ages, ages_now};
use crate::snapshot::Snapshot;
use crate::transaction::Transaction;

const ROUNDS: i64 = 50;

/// Part of a commit without the rest.
pub(super) fn atomicity_c(
    harness: &mut dyn Harness,
    fixture: Fixture,
    level: Isolation,
) -> Result<bool> {
    let people = fixture.add_people(2)?;
    let whole = |fixture: &Fixture| -> Result<bool> {
        let snapshot = fixture.snapshot()?;
        let edges = neighbours(&*snapshot, people[1], None, Direction::In)?.len() as i64;
        let ages = ages(fixture, &*snapshot, &people)?;
        Ok(ages == [edges, edges])
    };
    let mut torn = !whole(&fixture)?;
    for age in 1..=3 {
        let transaction = fixture.begin_at(level)?;
        transaction.set_vertex_properties(fixture.age, &people, &ints(&[age, age]))?;
        transaction.create_edges(fixture.knows, &people[..1], &people[1..], &[])?;
        let ticket = transaction.commit()?;
        torn |= !whole(&fixture)?;
        ticket.wait()?;
        torn |= !whole(&fixture)?;
    }
    let fixture = fixture.reopen(harness)?;
    Ok(torn || !whole(&fixture)?)
}

/// Something of a transaction that was rolled back.
pub(super) fn atomicity_rb(
    harness: &mut dyn Harness,
    fixture: Fixture,
    level: Isolation,
) -> Result<bool> {
    let people = fixture.add_people(2)?;
    let transaction = fixture.begin_at(level)?;
    fixture.set_age(&transaction, people[0], 9)?;
    transaction.create_vertices(&fixture.people(), 2, &[])?;
    transaction.create_edges(fixture.knows, &people[..1], &people[1..], &[])?;
    transaction.spill()?;
    transaction.delete_vertices(&people[1..], true)?;
    drop(transaction);
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    let untouched = ages(&fixture, &*snapshot, &people)? == [0, 0]
        && scan(&*snapshot, None, 10)? == people
        && snapshot.count_edges(None)? == 0;
    Ok(!untouched)
}

/// Writes of two transactions in different orders on two vertices.
pub(super) fn g0(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(2)?;
    let (first, second) = (fixture.begin_at(level)?, fixture.begin_at(level)?);
    first.set_vertex_properties(fixture.age, &people[..1], &ints(&[1]))?;
    second.set_vertex_properties(fixture.age, &people, &ints(&[2, 2]))?;
    first.set_vertex_properties(fixture.age, &people[1..], &ints(&[1]))?;
    commit(first)?;
    conflicts(second)?;
    let ages = ages_now(fixture, &people)?;
    Ok(ages[0] != ages[1])
}

/// A read of what was rolled back.
pub(super) fn g1a(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(1)?;
    let writer = fixture.begin_at(level)?;
    fixture.set_age(&writer, people[0], 9)?;
    let reader = fixture.begin_at(level)?;
    let seen = ages(fixture, &reader, &people)?;
    drop(writer);
    Ok(seen == [9] || ages_now(fixture, &people)? == [9])
}

/// A read of what a transaction wrote over later.
pub(super) fn g1b(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(1)?;
    let writer = fixture.begin_at(level)?;
    fixture.set_age(&writer, people[0], 1)?;
    let early = fixture.begin_at(level)?;
    let mut seen = ages(fixture, &early, &people)?;
    fixture.set_age(&writer, people[0], 2)?;
    commit(writer)?;
    seen.extend(ages(fixture, &early, &people)?);
    seen.extend(ages_now(fixture, &people)?);
    Ok(seen.contains(&1))
}

/// Two transactions that each read what the other wrote.
pub(super) fn g1c(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(2)?;
    let (first, second) = (fixture.begin_at(level)?, fixture.begin_at(level)?);
    fixture.set_age(&first, people[0], 1)?;
    fixture.set_age(&second, people[1], 2)?;
    let by_first = ages(fixture, &first, &people[1..])?;
    let by_second = ages(fixture, &second, &people[..1])?;
    commit(first)?;
    let committed = !conflicts(second)?;
    Ok(committed && by_first == [2] && by_second == [1])
}

/// An item that changes within a transaction.
pub(super) fn imp(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(2)?;
    let reader = fixture.begin_at(level)?;
    let before = ages(fixture, &reader, &people)?;
    let writer = fixture.begin()?;
    writer.set_vertex_properties(fixture.age, &people, &ints(&[5, 6]))?;
    commit(writer)?;
    Ok(ages(fixture, &reader, &people)? != before)
}

/// A predicate that changes within a transaction.
pub(super) fn pmp(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(2)?;
    let read = |reader: &Transaction| -> Result<(Vec<VertexId>, u64, Vec<VertexId>)> {
        let list = neighbours(reader, people[0], None, Direction::Both)?;
        Ok((scan(reader, Some(fixture.person), 10)?, reader.count_edges(None)?, list))
    };
    let reader = fixture.begin_at(level)?;
    let before = read(&reader)?;
    let writer = fixture.begin()?;
    writer.create_vertices(&fixture.people(), 1, &[])?;
    writer.create_edges(fixture.knows, &people[..1], &people[1..], &[])?;
    commit(writer)?;
    Ok(read(&reader)? != before)
}

/// A transaction that is seen, and then is not.
pub(super) fn otv(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(4)?;
    let mut last = 0;
    beside_a_writer(fixture, &people, || {
        let reader = fixture.begin_at(level)?;
        let mut vanished = false;
        for person in people.iter().rev() {
            let age = ages(fixture, &reader, &[*person])?[0];
            vanished |= age < last;
            last = age;
        }
        Ok(vanished)
    })
}

/// Half of a transaction.
pub(super) fn fr(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(4)?;
    beside_a_writer(fixture, &people, || {
        let reader = fixture.begin_at(level)?;
        let (first, rest) =
            (ages(fixture, &reader, &people[..1])?, ages(fixture, &reader, &people)?);
        Ok(rest.iter().any(|age| *age != first[0]))
    })
}

/// Calls `read` while a writer gives all people one age after the other; whether it ever said so.
fn beside_a_writer(
    fixture: &Fixture,
    people: &[VertexId],
    mut read: impl FnMut() -> Result<bool>,
) -> Result<bool> {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| -> Result<bool> {
        let done = &done;
        let writer = scope.spawn(move || -> Result<()> {
            let _done = Done(done);
            (1..=ROUNDS).try_for_each(|round| {
                let transaction = fixture.begin()?;
                let values = ints(&vec![round; people.len()]);
                transaction.set_vertex_properties(fixture.age, people, &values)?;
                commit(transaction).map(drop)
            })
        });
        let mut happened = false;
        while !done.load(Ordering::Acquire) {
            happened |= read()?;
        }
        writer.join().expect("the writer ends")?;
        Ok(happened | read()?)
    })
}

/// Says that the writer is done, however it ends.
struct Done<'a>(&'a AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Two raise one counter, and one of them is lost.
pub(super) fn lu(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(1)?;
    let transactions = [fixture.begin_at(level)?, fixture.begin_at(level)?];
    for transaction in &transactions {
        let age = ages(fixture, transaction, &people)?[0];
        fixture.set_age(transaction, people[0], age + 1)?;
    }
    let mut raised = 0;
    for transaction in transactions {
        raised += i64::from(!conflicts(transaction)?);
    }
    Ok(ages_now(fixture, &people)? != [raised])
}

/// Two that each keep a rule, and together break it.
pub(super) fn ws(fixture: &Fixture, level: Isolation) -> Result<bool> {
    let people = fixture.add_people(2)?;
    let (first, second) = (fixture.begin_at(level)?, fixture.begin_at(level)?);
    for (transaction, target) in [(&first, people[0]), (&second, people[1])] {
        assert_eq!(ages(fixture, transaction, &people)?, [0, 0]);
        fixture.set_age(transaction, target, -100)?;
    }
    commit(first)?;
    conflicts(second)?;
    Ok(ages_now(fixture, &people)?.iter().sum::<i64>() < -100)
}

/// An acknowledged write that is gone after a crash; clients keep on writing until then.
pub(super) fn durability(
    harness: &mut dyn Harness,
    fixture: Fixture,
    level: Isolation,
) -> Result<bool> {
    const CLIENTS: usize = 3;
    let people = fixture.add_people(CLIENTS)?;
    let acknowledged = std::thread::scope(|scope| {
        let client = |person: VertexId| {
            let fixture = &fixture;
            move || -> Result<i64> {
                for age in 1..=10 {
                    let transaction = fixture.begin_at(level)?;
                    fixture.set_age(&transaction, person, age)?;
                    commit(transaction)?;
                }
                // In flight at the crash: no client had an answer.
                let transaction = fixture.begin_at(level)?;
                fixture.set_age(&transaction, person, 11)?;
                transaction.commit().map(|_| 10)
            }
        };
        let clients: Vec<_> = people.iter().map(|person| scope.spawn(client(*person))).collect();
        let joined = clients.into_iter().map(|client| client.join().expect("a client ends"));
        joined.collect::<Result<Vec<i64>>>()
    })?;
    let fixture = fixture.reopen(harness)?;
    let snapshot: Arc<dyn Snapshot> = fixture.snapshot()?;
    let ages = ages(&fixture, &*snapshot, &people)?;
    Ok(ages.iter().zip(&acknowledged).any(|(found, acknowledged)| found < acknowledged))
}
