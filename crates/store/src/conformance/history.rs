//! Snapshots: each stays as it was, whatever is committed later.

use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{CatalogChange, ErrorKind, LogPosition, Owner, Result};

use super::fixture::{Fixture, commit, ints, refused, scan, write};
use super::{Case, Harness};
use crate::conformance::compared::content::{Content, Naming, content};
use crate::reads::non_blocking;
use crate::snapshot::{Freshness, Snapshot};
use crate::transaction::Transaction;

pub(super) const CASES: &[Case] = &[
    ("old snapshots never change", old_snapshots),
    ("a commit is in the next snapshot, and positions ascend", tickets),
    ("a snapshot is as new as it is asked to be, or fails at the deadline", freshness),
    ("a dropped transaction leaves nothing", rollback),
    ("a snapshot opens on what was committed before reopening", reopened),
];

fn old_snapshots(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(6)?;
    let pairs: Vec<_> = (0..5).map(|at| (people[at], people[at + 1])).collect();
    let edges = fixture.add_edges(fixture.knows, &pairs)?;
    let index =
        IndexDefinition::new(Owner::Label(fixture.person), vec![fixture.age], IndexKind::Exact);
    type Step<'a> = &'a dyn Fn(&Transaction) -> Result<()>;
    let steps: [Step<'_>; 8] = [
        &|transaction| {
            transaction.change_schema(&[CatalogChange::CreateIndex(index.clone())]).map(drop)
        },
        &|transaction| transaction.set_vertex_properties(fixture.age, &people, &ints(&[1; 6])),
        &|transaction| transaction.create_edges(fixture.likes, &people, &people, &[]).map(drop),
        &|transaction| transaction.delete_edges(&edges[..2]),
        &|transaction| transaction.set_edge_properties(fixture.age, &edges[4..], &ints(&[5])),
        &|transaction| transaction.set_labels(&[(people[1], Arc::from([fixture.item]))]),
        &|transaction| transaction.delete_vertices(&people[2..4], true),
        &|transaction| transaction.set_vertex_properties(fixture.age, &people[..1], &ints(&[2])),
    ];
    let mut held: Vec<(Arc<dyn Snapshot>, Content)> = Vec::new();
    for (number, step) in steps.into_iter().enumerate() {
        let snapshot = fixture.snapshot()?;
        let before = content(&*snapshot, &Naming::default())?;
        held.push((snapshot, before));
        write(&fixture, step)?;
        for (held_number, (snapshot, before)) in held.iter().enumerate() {
            let now = content(&**snapshot, &Naming::default())?;
            before.assert_same(&now, &format!("in snapshot {held_number} after step {number}"));
        }
    }
    let distinct: std::collections::BTreeSet<_> =
        held.iter().map(|(_, content)| content.lines.clone()).collect();
    assert_eq!(distinct.len(), held.len(), "each step changed something");
    Ok(())
}

fn tickets(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let mut last = LogPosition(0);
    for round in 1..=20 {
        let transaction = fixture.begin()?;
        transaction.create_vertices(&fixture.people(), 1, &[])?;
        let ticket = transaction.commit()?;
        let position = ticket.wait()?;
        assert!(ticket.is_visible() && last < position, "{last:?} then {position:?}");
        last = position;
        let snapshot = fixture.snapshot()?;
        assert!(position <= snapshot.position());
        assert_eq!(snapshot.count_vertices(None)?, round);
    }
    let nothing = commit(fixture.begin()?)?;
    assert!(nothing <= fixture.snapshot()?.position(), "an empty commit is visible at once");
    Ok(())
}

fn freshness(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let store = &fixture.store;
    let count = &|freshness, within: Duration| -> Result<(LogPosition, u64)> {
        let snapshot = store.snapshot_within(freshness, Some(Instant::now() + within))?;
        Ok((snapshot.position(), snapshot.count_vertices(None)?))
    };
    let long = Duration::from_secs(60);
    let mut seen = LogPosition(0);
    for round in 1..=5 {
        let transaction = fixture.begin()?;
        transaction.create_vertices(&fixture.people(), 1, &[])?;
        // Not waited for: the snapshot does.
        let ticket = transaction.commit()?;
        let (position, vertices) = count(Freshness::Seen(ticket.position), long)?;
        assert!(ticket.position <= position && vertices == round);
        for freshness in [Freshness::Latest, Freshness::Within(Duration::ZERO)] {
            assert_eq!(count(freshness, long)?.1, round, "it was acknowledged");
        }
        assert!(seen <= count(Freshness::Seen(seen), long)?.0);
        seen = ticket.position;
    }
    let newest = store.snapshot()?.position();
    let never = Freshness::Seen(LogPosition(newest.0 + (1 << 40)));
    refused(count(never, Duration::from_millis(5)), ErrorKind::DeadlineExceeded);
    let attempt = |freshness| non_blocking::try_run(|| store.snapshot_within(freshness, None));
    assert!(attempt(never).is_none(), "this waits");
    assert!(matches!(attempt(Freshness::Seen(newest)), Some(Ok(_))), "this does not");
    std::thread::scope(|scope| {
        let next = Freshness::Seen(LogPosition(newest.0 + 1));
        let reader = scope.spawn(move || count(next, long));
        fixture.add_people(1)?;
        let (position, _) = reader.join().expect("a reader ends")?;
        assert!(newest < position, "{position:?}");
        Ok(())
    })
}

fn rollback(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let before = content(&*fixture.snapshot()?, &Naming::default())?;
    let transaction = fixture.begin()?;
    let more = transaction.create_vertices(&fixture.people(), 3, &[])?;
    transaction.create_edges(fixture.knows, &more, &[people[0]; 3], &[])?;
    transaction.delete_vertices(&people[1..], true)?;
    assert_eq!(scan(&transaction, None, 10)?.len(), 4);
    drop(transaction);
    before.assert_same(&content(&*fixture.snapshot()?, &Naming::default())?, "after a rollback");
    Ok(())
}

fn reopened(harness: &mut dyn Harness) -> Result<()> {
    let mut fixture = Fixture::new(harness)?;
    let people = fixture.add_people(5)?;
    let ends = [(people[0], people[1]), (people[1], people[1]), (people[4], people[0])];
    let edges = fixture.add_edges(fixture.knows, &ends)?;
    write(&fixture, |transaction| {
        transaction.set_edge_properties(fixture.age, &edges, &ints(&[1, 2, 3]))?;
        transaction.delete_vertices(&people[3..4], false)
    })?;
    for round in 0..3 {
        let before = content(&*fixture.snapshot()?, &Naming::default())?;
        if round == 1 {
            harness.backend().checkpoint()?;
        }
        fixture = fixture.reopen(harness)?;
        let after = content(&*fixture.snapshot()?, &Naming::default())?;
        before.assert_same(&after, "after reopening");
        fixture.add_edges(fixture.likes, &ends)?;
    }
    Ok(())
}
