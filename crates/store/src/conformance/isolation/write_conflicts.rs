//! Write conflicts: the error of the loser, and the ticket it takes after too many.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use millrace_model::schema::{IndexKind, PropertyDefinition};
use millrace_model::{
    CatalogChange, Direction, Error, ErrorKind, Owner, PropertyType, Result, VertexId,
    WriteConflict,
};

use crate::base::limits::WRITE_CONFLICTS_MAX;
use crate::conflict_queue::ConflictTicket;
use crate::conformance::compared::content::{Naming, content};
use crate::conformance::fixture::{
    Fixture, commit, conflicts, ints, neighbours, refused, seek, write,
};
use crate::conformance::{Case, Harness};
use crate::reads::Elements;
use crate::transaction::Transaction;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("a write conflict names the other commit and the key", message),
    ("once the winner is visible, the loser does not lose to it again", visible_winner),
    ("the holder of the ticket wins, and the others go on when it ends", tickets),
    ("a counter that many raise is raised by each in a bounded number of attempts", counter),
    ("a hub is deleted in a bounded number of attempts while edges rain on it", storm),
    ("a writer of edges sees an index that came meanwhile", index_of_edges),
];

/// Attempts that a transaction needs: to lose as often as it may, then with a ticket, and once more
/// for a commit that passed before the ticket was granted.
const ATTEMPTS_MAX: u32 = WRITE_CONFLICTS_MAX + 3;

fn lost(outcome: Result<impl Sized>) -> WriteConflict {
    *refused(outcome, ErrorKind::Conflict).write_conflict.expect("the store knows the conflict")
}

fn message(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let begin = |vertex: VertexId| -> Result<Transaction> {
        let transaction = fixture.begin()?;
        fixture.set_age(&transaction, vertex, 1)?;
        Ok(transaction)
    };
    let (first, second, third) = (begin(people[0])?, begin(people[0])?, begin(people[0])?);
    let (other, another) = (begin(people[1])?, begin(people[1])?);
    let winner = commit(first)?;
    let next = commit(other)?;
    assert!(winner < next);
    let (one, two) = (lost(second.commit()), lost(third.commit()));
    assert_eq!((one.winner, one), (winner, two));
    let other = lost(another.commit());
    assert_eq!(other.winner, next);
    assert_ne!(one.key, other.key);
    Ok(())
}

fn visible_winner(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let person = fixture.add_people(1)?[0];
    let (first, second) = (fixture.begin()?, fixture.begin()?);
    fixture.set_age(&first, person, 1)?;
    fixture.set_age(&second, person, 2)?;
    first.commit()?;
    let conflict = lost(second.commit());
    fixture.store.watermark().wait(conflict.winner, None)?;
    let again = fixture.begin()?;
    fixture.set_age(&again, person, 2)?;
    assert!(!conflicts(again)?);
    Ok(())
}

fn tickets(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let (first, second) = (fixture.begin()?, fixture.begin()?);
    fixture.set_age(&first, people[0], 1)?;
    fixture.set_age(&second, people[0], 2)?;
    commit(first)?;
    let conflict = lost(second.commit());
    let ticket = fixture.store.take_ticket(&[conflict.key], None)?;
    fixture.store.watermark().wait(ticket.position, None)?;
    let mine = fixture.begin()?.with_ticket(ticket.id());
    fixture.set_age(&mine, people[0], 3)?;
    // Others are not in the way, nor is it in theirs.
    write(&fixture, |transaction| fixture.set_age(transaction, people[1], 1))?;
    let other = fixture.store.take_ticket(&[conflict.key ^ 0xff_0000], None)?;
    let crossing = fixture.begin()?.with_ticket(other.id());
    fixture.set_age(&crossing, people[0], 4)?;
    let sent_back = lost(crossing.commit());
    assert_eq!(sent_back.key, conflict.key, "one ticket does not wait for another");
    drop(other);
    assert!(!conflicts(mine)?);
    drop(ticket);
    write(&fixture, |transaction| fixture.set_age(transaction, people[0], 5))?;
    Ok(())
}

/// Runs `attempt` until it commits, as `db` does for scripts; counts the attempts.
fn until_committed(fixture: &Fixture, attempt: impl Fn(Transaction) -> Result<()>) -> Result<u32> {
    let mut keys: Vec<u64> = Vec::new();
    let mut ticket: Option<ConflictTicket> = None;
    for attempts in 1.. {
        let transaction = fixture.begin()?;
        let transaction = match &ticket {
            Some(ticket) => transaction.with_ticket(ticket.id()),
            None => transaction,
        };
        let error: Error = match attempt(transaction) {
            Ok(()) => return Ok(attempts),
            Err(error) => error,
        };
        let conflict = error
            .write_conflict
            .clone()
            .filter(|_| error.kind == ErrorKind::Conflict)
            .ok_or(error)?;
        keys.push(conflict.key);
        let mut from = conflict.winner;
        if WRITE_CONFLICTS_MAX <= attempts {
            drop(ticket.take());
            let taken = fixture.store.take_ticket(&keys, None)?;
            from = from.max(taken.position);
            ticket = Some(taken);
        }
        fixture.store.watermark().wait(from, None)?;
    }
    unreachable!("the loop ends by returning")
}

fn counter(harness: &mut dyn Harness) -> Result<()> {
    const WRITERS: usize = 16;
    const RAISES: usize = 5;
    let fixture = Fixture::new(harness)?;
    let person = fixture.add_people(1)?[0];
    let most = AtomicU32::new(0);
    let raise = || -> Result<()> {
        for _ in 0..RAISES {
            let attempts = until_committed(&fixture, |transaction| {
                let age = fixture.age(&transaction, person)?.and_then(|age| age.as_int());
                fixture.set_age(&transaction, person, age.unwrap_or(0) + 1)?;
                commit(transaction).map(drop)
            })?;
            most.fetch_max(attempts, Ordering::Relaxed);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS).map(|_| scope.spawn(raise)).collect();
        let ended = writers.into_iter().map(|writer| writer.join().expect("a writer ends"));
        ended.collect::<Result<()>>()
    })?;
    let age = fixture.age(&*fixture.snapshot()?, person)?.and_then(|age| age.as_int());
    assert_eq!(age, Some((WRITERS * RAISES) as i64));
    let most = most.into_inner();
    assert!(most <= ATTEMPTS_MAX, "somebody needed {most} attempts");
    Ok(())
}

fn storm(harness: &mut dyn Harness) -> Result<()> {
    const WRITERS: usize = 16;
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(WRITERS + 1)?;
    let (hub, gone) = (people[0], AtomicBool::new(false));
    let rain = |person: VertexId| {
        let (fixture, gone) = (&fixture, &gone);
        move || -> Result<u32> {
            let mut added = 0;
            while !gone.load(Ordering::Acquire) {
                let transaction = fixture.begin()?;
                let made = transaction.create_edges(fixture.knows, &[person], &[hub], &[]);
                match made.and_then(|_| commit(transaction)) {
                    Ok(_) => added += 1,
                    Err(error) if error.kind == ErrorKind::Conflict => {}
                    // The hub is gone, and will not come back.
                    Err(error) if error.kind == ErrorKind::NotFound => return Ok(added),
                    Err(error) => return Err(error),
                }
            }
            Ok(added)
        }
    };
    let (attempts, added) = std::thread::scope(|scope| -> Result<(u32, u32)> {
        let writers: Vec<_> = people[1..].iter().map(|own| scope.spawn(rain(*own))).collect();
        while neighbours(&*fixture.snapshot()?, hub, None, Direction::In)?.len() < 20 {
            std::thread::yield_now();
        }
        let attempts = until_committed(&fixture, |transaction| {
            transaction.delete_vertices(&[hub], true)?;
            commit(transaction).map(drop)
        });
        gone.store(true, Ordering::Release);
        let mut added = 0;
        for writer in writers {
            added += writer.join().expect("a writer ends")?;
        }
        Ok((attempts?, added))
    })?;
    assert!(attempts <= ATTEMPTS_MAX, "{attempts} attempts against {added} edges");
    let snapshot = fixture.snapshot()?;
    assert!(!snapshot.exist(Elements::Vertices(&[hub]))?.get(0));
    assert_eq!(snapshot.count_edges(None)?, 0, "all edges went with the hub");
    content(&*snapshot, &Naming::default()).map(drop)
}

fn index_of_edges(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(1)?;
    let edge = fixture.add_edges(fixture.knows, &[(people[0], people[0])])?;
    let writer = fixture.begin()?;
    writer.set_edge_properties(fixture.age, &edge, &ints(&[7]))?;
    let owner = Owner::EdgeType(fixture.knows);
    let index = fixture.add_index(owner, &[fixture.age], IndexKind::Exact)?;
    if conflicts(writer)? {
        write(&fixture, |transaction| {
            transaction.set_edge_properties(fixture.age, &edge, &ints(&[7]))
        })?;
    }
    let found = seek(&*fixture.snapshot()?, index, &[millrace_model::Value::I64(7)])?;
    assert_eq!(found, [edge[0].0]);
    let writer = fixture.begin()?;
    writer.set_edge_properties(
        fixture.age,
        &edge,
        &crate::conformance::fixture::texts(&["old"]),
    )?;
    let (key, kind, required) = (fixture.age, PropertyType::Integer, false);
    let defined = PropertyDefinition { owner, key, kind, required };
    write(&fixture, |transaction| {
        transaction.change_schema(&[CatalogChange::CreateProperty(defined)]).map(drop)
    })?;
    assert!(commit(writer).is_err(), "a text where an integer was defined meanwhile");
    Ok(())
}
