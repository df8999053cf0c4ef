//! Two transactions that began together: which pairs may both commit (docs/design/store.md, section
//! 4).

use std::sync::Arc;

use millrace_model::schema::PropertyDefinition;
use millrace_model::{CatalogChange, Direction, EdgeId, Owner, PropertyType, Result, VertexId};

use crate::backend::Store;
use crate::changes::Isolation;
use crate::conformance::compared::content::{Naming, content};
use crate::conformance::fixture::{Fixture, commit, conflicts, ints, walk};
use crate::conformance::{Case, Harness};
use crate::transaction::Transaction;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("each pair of writes conflicts exactly when it must", pairs),
    ("a conflict is with later commits than the snapshot only", later_transactions),
    ("many writers add edges to one hub, and none conflicts", hub_writers),
    ("many writers raise one counter, and none is lost", counter),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Write {
    InsertEdge,
    DeleteVertex,
    SetVertex,
    SetLabels,
    SetEdge,
    DeleteEdge,
    Claim,
    Define,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Passes,
    Conflicts,
    /// A store may be coarse here.
    Either,
}

const WRITES: [Write; 8] = [
    Write::InsertEdge,
    Write::DeleteVertex,
    Write::SetVertex,
    Write::SetLabels,
    Write::SetEdge,
    Write::DeleteEdge,
    Write::Claim,
    Write::Define,
];

/// What happens to the second of two writes that began together on the same vertex and edge.
fn outcome(first: Write, second: Write) -> Outcome {
    use Outcome::{Conflicts, Either, Passes};
    use Write::{
        Claim, Define, DeleteEdge, DeleteVertex, InsertEdge, SetEdge, SetLabels, SetVertex,
    };
    match (first, second) {
        (Claim, Claim) | (Define, Define) => Conflicts,
        (Claim, _) | (_, Claim) => Passes,
        // The vertex has the label that the definition is about.
        (Define, SetVertex | SetLabels) => Conflicts,
        (Define, _) | (_, Define) => Either,
        (InsertEdge, InsertEdge) => Passes,
        // Deleting the vertex deletes its edge too.
        (DeleteVertex, _) | (_, DeleteVertex) => Conflicts,
        (SetVertex | SetLabels, SetVertex | SetLabels) => Conflicts,
        (SetEdge | DeleteEdge, SetEdge | DeleteEdge) => Conflicts,
        (InsertEdge | SetVertex | SetLabels, SetEdge | DeleteEdge)
        | (SetEdge | DeleteEdge, InsertEdge | SetVertex | SetLabels)
        | (InsertEdge, SetVertex | SetLabels)
        | (SetVertex | SetLabels, InsertEdge) => Passes,
    }
}

fn perform(
    write: Write,
    fixture: &Fixture,
    transaction: &Transaction,
    vertex: VertexId,
    edge: EdgeId,
) -> Result<()> {
    match write {
        Write::InsertEdge => {
            transaction.create_edges(fixture.likes, &[vertex], &[vertex], &[]).map(drop)
        }
        Write::DeleteVertex => transaction.delete_vertices(&[vertex], true),
        Write::SetVertex => fixture.set_age(transaction, vertex, 1),
        Write::SetLabels => {
            let labels = Arc::from([fixture.person, fixture.item]);
            transaction.set_labels(&[(vertex, labels)])
        }
        Write::SetEdge => transaction.set_edge_properties(fixture.age, &[edge], &ints(&[1])),
        Write::DeleteEdge => transaction.delete_edges(&[edge]),
        Write::Claim => transaction.claim([7]),
        Write::Define => {
            let owner = Owner::Label(fixture.person);
            let (key, kind, required) = (fixture.age, PropertyType::Any, false);
            let defined = PropertyDefinition { owner, key, kind, required };
            transaction.change_schema(&[CatalogChange::CreateProperty(defined)]).map(drop)
        }
    }
}

fn pairs(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    for first in WRITES {
        for second in WRITES {
            let people = fixture.add_people(2)?;
            let edge = fixture.add_edges(fixture.knows, &[(people[0], people[1])])?[0];
            let (one, two) = (fixture.begin()?, fixture.begin()?);
            perform(first, &fixture, &one, people[0], edge)?;
            perform(second, &fixture, &two, people[0], edge)?;
            commit(one)?;
            let conflicted = conflicts(two)?;
            match outcome(first, second) {
                Outcome::Passes => assert!(!conflicted, "{first:?}, then {second:?} passes"),
                Outcome::Conflicts => assert!(conflicted, "{first:?}, then {second:?} conflicts"),
                Outcome::Either => {}
            }
            content(&*fixture.snapshot()?, &Naming::default())?;
        }
    }
    Ok(())
}

fn later_transactions(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(1)?;
    let edge = fixture.add_edges(fixture.knows, &[(people[0], people[0])])?[0];
    for write in WRITES {
        for _ in 0..2 {
            let transaction = fixture.begin()?;
            let deletes = matches!(write, Write::DeleteVertex | Write::DeleteEdge);
            if !deletes {
                perform(write, &fixture, &transaction, people[0], edge)?;
            }
            assert!(!conflicts(transaction)?, "{write:?} one after the other");
        }
    }
    Ok(())
}

fn hub_writers(harness: &mut dyn Harness) -> Result<()> {
    const WRITERS: usize = 4;
    const EDGES: usize = 50;
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(WRITERS + 1)?;
    let outcomes = std::thread::scope(|scope| {
        let writers: Vec<_> = people[1..]
            .iter()
            .map(|person| {
                let (fixture, hub) = (&fixture, people[0]);
                scope.spawn(move || {
                    (0..EDGES).try_for_each(|_| {
                        let transaction = fixture.begin()?;
                        transaction.create_edges(fixture.likes, &[*person], &[hub], &[])?;
                        commit(transaction).map(drop)
                    })
                })
            })
            .collect();
        let joined = writers.into_iter().map(|writer| writer.join().expect("a writer ends"));
        joined.collect::<Vec<Result<()>>>()
    });
    outcomes.into_iter().collect::<Result<()>>()?;
    let runs = walk(&*fixture.snapshot()?, &people[..1], None, Direction::In)?;
    assert_eq!(runs.iter().map(|run| run.3.len()).sum::<usize>(), WRITERS * EDGES);
    content(&*fixture.snapshot()?, &Naming::default()).map(drop)
}

fn counter(harness: &mut dyn Harness) -> Result<()> {
    const WRITERS: usize = 4;
    const RAISES: i64 = 20;
    let fixture = Fixture::new(harness)?;
    let person = fixture.add_people(1)?[0];
    let raise = |store: Arc<dyn Store>| -> Result<bool> {
        let transaction = Transaction::begin(store, Isolation::Snapshot)?;
        let age = fixture.age(&transaction, person)?;
        let age = age.and_then(|age| age.as_int()).unwrap_or(0);
        fixture.set_age(&transaction, person, age + 1)?;
        Ok(!conflicts(transaction)?)
    };
    let outcomes = std::thread::scope(|scope| {
        let writer = || -> Result<()> {
            let mut raised = 0;
            while raised < RAISES {
                raised += i64::from(raise(fixture.store.clone())?);
            }
            Ok(())
        };
        let writers: Vec<_> = (0..WRITERS).map(|_| scope.spawn(writer)).collect();
        let joined = writers.into_iter().map(|writer| writer.join().expect("a writer ends"));
        joined.collect::<Vec<Result<()>>>()
    });
    outcomes.into_iter().collect::<Result<()>>()?;
    let age = fixture.age(&*fixture.snapshot()?, person)?;
    assert_eq!(age.and_then(|age| age.as_int()), Some(WRITERS as i64 * RAISES));
    Ok(())
}
