//! Vertices that two transactions make under one id, where the second asks for a merge.

use std::sync::Arc;

use millrace_model::schema::IndexKind;
use millrace_model::{Column, Direction, ErrorKind, Owner, Result, Value, VertexId};

use crate::changes::{ConflictUnit, Labels};
use crate::conformance::compared::content::{Naming, content};
use crate::conformance::fixture::{
    Fixture, commit, conflicts, ints, neighbours, refused, scan, seek, texts, write,
};
use crate::conformance::ids::external_ids::FAR;
use crate::conformance::{Case, Harness};
use crate::reads::Elements;
use crate::snapshot::Snapshot;
use crate::transaction::Transaction;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("two make a vertex with different keys, and both commit, on request", different_keys),
    ("two that make a vertex with one key, or another label, conflict", same_keys),
    ("a vertex that was made since the snapshot may be chosen, near and far, on request", late),
    ("whatever became of a vertex that another made, no change of it is lost", gone_or_changed),
    ("a reader that is validated is never merged", validated),
];

impl Fixture {
    fn merging(&self) -> Result<Transaction> {
        Ok(self.begin()?.with_unit(ConflictUnit::Key).merging_created())
    }

    fn make_aged(&self, transaction: &Transaction, ids: &[u64], age: i64) -> Result<()> {
        let ages = ints(&vec![age; ids.len()]);
        transaction.create_vertices_with_ids(&no_labels(), ids, &[(self.age, &ages)]).map(drop)
    }

    fn make_named(&self, transaction: &Transaction, ids: &[u64], name: &str) -> Result<()> {
        let names = texts(&vec![name; ids.len()]);
        transaction.create_vertices_with_ids(&no_labels(), ids, &[(self.name, &names)]).map(drop)
    }

    fn values(&self, vertex: VertexId) -> Result<[Option<Value>; 2]> {
        let snapshot = self.snapshot()?;
        let columns = snapshot.gather(Elements::Vertices(&[vertex]), &[self.name, self.age])?;
        Ok([columns[0].get(0), columns[1].get(0)])
    }
}

fn no_labels() -> Labels {
    Arc::from([])
}

fn near(fixture: &Fixture) -> Result<u64> {
    Ok(fixture.add_people(1)?[0].0 + 20)
}

fn different_keys(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let ages = fixture.add_index(Owner::AllVertices, &[fixture.age], IndexKind::Exact)?;
    let names = fixture.add_index(Owner::AllVertices, &[fixture.name], IndexKind::Exact)?;
    let first = near(&fixture)?;
    let (both, own) = (VertexId(first), VertexId(first + 1));
    for is_visible in [true, false] {
        let id = if is_visible { both } else { VertexId(first + 2) };
        let (one, two) = (fixture.merging()?, fixture.merging()?);
        fixture.make_aged(&one, &[id.0], 7)?;
        let with_own = if is_visible { vec![id.0, own.0] } else { vec![id.0] };
        fixture.make_named(&two, &with_own, "x")?;
        two.set_vertex_properties(fixture.name, &[id], &texts(&["y"]))?;
        one.create_edges(fixture.knows, &[id], &[id], &[])?;
        two.create_edges(fixture.knows, &[id], &[id], &[])?;
        let ticket = one.commit()?;
        if is_visible {
            ticket.wait()?;
        }
        assert!(!conflicts(two)?, "visible: {is_visible}");
        assert_eq!(fixture.values(id)?, [Some(Value::from("y")), Some(Value::I64(7))]);
    }
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    let ids = [both, VertexId(first + 2)].map(|id| id.0);
    assert_eq!(seek(&*snapshot, ages, &[Value::I64(7)])?, ids);
    assert_eq!(seek(&*snapshot, names, &[Value::from("y")])?, ids);
    assert_eq!(neighbours(&*snapshot, both, None, Direction::Out)?, [both, both]);
    assert_eq!(fixture.values(own)?, [Some(Value::from("x")), None]);
    assert_eq!(scan(&*snapshot, None, 10)?.len(), 4, "each is one vertex");
    content(&*snapshot, &Naming::default()).map(drop)
}

fn same_keys(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let first = near(&fixture)?;
    type Make<'a> = &'a dyn Fn(&Transaction, u64) -> Result<()>;
    let age: Make<'_> = &|transaction, id| fixture.make_aged(transaction, &[id], 7);
    let aged: Make<'_> = &|transaction, id| {
        fixture.make_named(transaction, &[id], "x")?;
        fixture.set_age(transaction, VertexId(id), 8)
    };
    let removed: Make<'_> = &|transaction, id| {
        fixture.make_named(transaction, &[id], "x")?;
        let mut none = Column::default();
        none.append_absents(1);
        transaction.set_vertex_properties(fixture.age, &[VertexId(id)], &none)
    };
    let labelled: Make<'_> = &|transaction, id| {
        fixture.make_named(transaction, &[id], "x")?;
        transaction.set_labels(&[(VertexId(id), fixture.people())])
    };
    let person: Make<'_> = &|transaction, id| {
        transaction.create_vertices_with_ids(&fixture.people(), &[id], &[]).map(drop)
    };
    let plain: Make<'_> = &|transaction, id| fixture.make_named(transaction, &[id], "x");
    let cases = [
        (age, age, true),
        (age, aged, true),
        (age, removed, true),
        (age, labelled, true),
        (age, person, true),
        (person, labelled, false),
        (labelled, person, false),
        (labelled, age, false),
        (age, plain, false),
    ];
    for (row, (one, two, is_conflict)) in cases.into_iter().enumerate() {
        for comes_late in [false, true] {
            let id = first + 2 * row as u64 + u64::from(comes_late);
            let (winner, second) = (fixture.merging()?, fixture.merging()?);
            one(&winner, id)?;
            if !comes_late {
                two(&second, id)?;
            }
            commit(winner)?;
            if comes_late {
                two(&second, id)?;
            }
            assert_eq!(conflicts(second)?, is_conflict, "case {row}, late: {comes_late}");
        }
    }
    let (one, two) = (fixture.begin()?, fixture.begin()?.with_unit(ConflictUnit::Key));
    fixture.make_aged(&one, &[first + 50], 1)?;
    fixture.make_named(&two, &[first + 50], "x")?;
    commit(one)?;
    assert!(conflicts(two)?, "nothing was asked for");
    content(&*fixture.snapshot()?, &Naming::default()).map(drop)
}

fn late(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let near = near(&fixture)?;
    for id in [near, FAR[0]] {
        let transaction = fixture.merging()?;
        let blind = fixture.begin()?;
        write(&fixture, |other| fixture.make_aged(other, &[id], 7))?;
        refused(fixture.make_named(&blind, &[id], "x"), ErrorKind::AlreadyExists);
        fixture.make_named(&transaction, &[id], "x")?;
        refused(fixture.make_named(&transaction, &[id], "x"), ErrorKind::AlreadyExists);
        let own = transaction.find_external(&[id])?.map_or(VertexId(id), |found| found[0]);
        transaction.create_edges(fixture.knows, &[own], &[own], &[])?;
        commit(transaction)?;
        let snapshot = fixture.snapshot()?;
        let found = snapshot.find_external(&[id])?.map_or(VertexId(id), |found| found[0]);
        assert_eq!(fixture.values(found)?, [Some(Value::from("x")), Some(Value::I64(7))]);
        assert_eq!(neighbours(&*snapshot, found, None, Direction::Both)?.len(), 2);
    }
    let fixture = fixture.reopen(harness)?;
    assert_eq!(scan(&*fixture.snapshot()?, None, 10)?.len(), 3);
    content(&*fixture.snapshot()?, &Naming::default()).map(drop)
}

fn gone_or_changed(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let first = near(&fixture)?;
    type Change<'a> = &'a dyn Fn(&Transaction, VertexId) -> Result<()>;
    let delete: Change<'_> = &|transaction, vertex| transaction.delete_vertices(&[vertex], true);
    let relabel: Change<'_> =
        &|transaction, vertex| transaction.set_labels(&[(vertex, fixture.people())]);
    let name: Change<'_> = &|transaction, vertex| {
        transaction.set_vertex_properties(fixture.name, &[vertex], &texts(&["z"]))
    };
    let age: Change<'_> = &|transaction, vertex| fixture.set_age(transaction, vertex, 9);
    let cases = [(delete, true), (relabel, true), (name, true), (age, false)];
    for (row, (change, is_conflict)) in cases.into_iter().enumerate() {
        for comes_late in [false, true] {
            let id = first + 2 * row as u64 + u64::from(comes_late);
            let transaction = fixture.merging()?;
            if !comes_late {
                fixture.make_named(&transaction, &[id], "x")?;
            }
            write(&fixture, |other| fixture.make_aged(other, &[id], 7))?;
            if comes_late {
                fixture.make_named(&transaction, &[id], "x")?;
            }
            let other = fixture.begin()?.with_unit(ConflictUnit::Key);
            change(&other, VertexId(id))?;
            commit(other)?;
            assert_eq!(conflicts(transaction)?, is_conflict, "case {row}, late: {comes_late}");
        }
    }
    content(&*fixture.snapshot()?, &Naming::default()).map(drop)
}

fn validated(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let id = near(&fixture)?;
    let reader = fixture.serializable()?.with_unit(ConflictUnit::Key).merging_created();
    fixture.make_named(&reader, &[id], "x")?;
    write(&fixture, |other| fixture.make_aged(other, &[id], 7))?;
    assert!(conflicts(reader)?);
    assert_eq!(fixture.values(VertexId(id))?, [None, Some(Value::I64(7))]);
    Ok(())
}
