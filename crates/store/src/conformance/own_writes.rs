//! A transaction reads what it wrote, exactly as every reader will after its commit.

use std::ops::ControlFlow;
use std::sync::Arc;

use millrace_model::{Direction, EdgeId, ErrorKind, Result, Value};

use super::fixture::{
    Fixture, commit, ints, neighbours, refused, scan, scan_edges, seek, texts, walk, write,
};
use super::{Case, Harness};
use crate::base::limits::WRITE_SET_BYTES_MAX;
use crate::conformance::compared::content::{Naming, content};
use crate::reads::Elements;
use crate::reads::run::Run;
use crate::snapshot::Snapshot;

pub(super) const CASES: &[Case] = &[
    ("a transaction commits the view that it reads", view_is_commit),
    ("the same with every write spilled", view_is_commit_spilled),
    ("a write set beyond its limit spills by itself", spills_by_itself),
    ("deletes are idempotent, and leave no edge hanging", deletes),
    ("own edges are listed by source, last within their type", own_edges_by_source),
    ("writes to deleted elements are refused", writes_to_deleted),
    ("a sink may read in the same transaction", reading_sink),
    ("names made in a transaction are in its catalog", own_names),
];

fn view_is_commit(harness: &mut dyn Harness) -> Result<()> {
    check_view(harness, false)
}

fn view_is_commit_spilled(harness: &mut dyn Harness) -> Result<()> {
    check_view(harness, true)
}

fn check_view(harness: &mut dyn Harness, spills: bool) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    fixture.add_unique_name()?;
    let old = fixture.add_people(6)?;
    let old_edges = fixture.add_edges(
        fixture.knows,
        &[(old[0], old[1]), (old[0], old[1]), (old[1], old[1]), (old[2], old[0]), (old[4], old[5])],
    )?;
    write(&fixture, |transaction| {
        transaction.set_edge_properties(fixture.age, &old_edges, &ints(&[1, 2, 3, 4, 5]))
    })?;
    let transaction = fixture.begin()?;
    let step = || -> Result<()> {
        if spills {
            transaction.spill()?;
        }
        content(&transaction, &Naming::default()).map(drop)
    };
    let new = fixture.create_named(&transaction, &["a", "b", "c", "d"])?;
    step()?;
    let (sources, targets) =
        ([new[0], old[0], new[1], old[1], new[2]], [old[0], new[0], new[1], old[1], new[3]]);
    let weights = [(fixture.age, &ints(&[10, 11, 12, 13, 14]))];
    let likes = transaction.create_edges(fixture.likes, &sources, &targets, &weights)?;
    step()?;
    let knows = transaction.create_edges(fixture.knows, &sources, &targets, &[])?;
    step()?;
    transaction.set_vertex_properties(fixture.age, &[old[0], new[0], new[2]], &ints(&[1, 2, 3]))?;
    transaction.set_vertex_properties(fixture.name, &new[..1], &texts(&["z"]))?;
    step()?;
    let weighed = [likes[0], old_edges[2], likes[4]];
    transaction.set_edge_properties(fixture.age, &weighed, &ints(&[20, 30, 40]))?;
    transaction.set_edge_properties(fixture.name, &knows[..1], &texts(&["first"]))?;
    step()?;
    transaction.set_labels(&[
        (old[3], Arc::from([fixture.item])),
        (new[1], Arc::from([fixture.person, fixture.item])),
    ])?;
    step()?;
    transaction.delete_edges(&[old_edges[0], likes[4], knows[2], likes[4]])?;
    step()?;
    transaction.delete_vertices(&[old[4], new[2]], true)?;
    step()?;
    let after_delete = fixture.create_named(&transaction, &["c"])?;
    transaction.create_edges(fixture.likes, &after_delete, &[old[0]], &[])?;
    step()?;
    assert_eq!(
        transaction.gather(Elements::Edges(&likes), &[fixture.age])?[0].get(0),
        Some(Value::I64(20))
    );
    let seen = content(&transaction, &Naming::default())?;
    commit(transaction)?;
    let committed = content(&*fixture.snapshot()?, &Naming::default())?;
    seen.assert_same(&committed, "between transaction and commit");
    let fixture = fixture.reopen(harness)?;
    let reopened = content(&*fixture.snapshot()?, &Naming::default())?;
    committed.assert_same(&reopened, "between commit and reopening");
    Ok(())
}

fn own_edges_by_source(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(4)?;
    let old = fixture.add_edges(fixture.knows, &[(people[2], people[0])])?;
    let transaction = fixture.begin()?;
    let create = |edge_type, from: usize| -> Result<EdgeId> {
        Ok(transaction.create_edges(edge_type, &[people[from]], &people[..1], &[])?[0])
    };
    let last = create(fixture.knows, 3)?;
    let liked = create(fixture.likes, 1)?;
    transaction.spill()?;
    let (first, second) = (create(fixture.knows, 0)?, create(fixture.knows, 2)?);
    let deleted = create(fixture.knows, 1)?;
    transaction.delete_edges(&[deleted])?;
    let types = [fixture.likes, fixture.knows];
    for rows_max in 1..6 {
        let rows = scan_edges(&transaction, Some(&types), rows_max)?;
        assert_eq!(rows.edges, [liked, old[0], first, second, last]);
        assert_eq!(rows.sources, [1, 2, 0, 2, 3].map(|at: usize| people[at]));
    }
    Ok(())
}

fn spills_by_itself(harness: &mut dyn Harness) -> Result<()> {
    const TEXT_BYTES: usize = 100_000;
    let fixture = Fixture::new(harness)?;
    let index = fixture.add_unique_name()?;
    let transaction = fixture.begin()?;
    let count = 2 * WRITE_SET_BYTES_MAX / TEXT_BYTES;
    let mut people = Vec::new();
    for number in 0..count {
        let text = format!("{number} {}", "x".repeat(TEXT_BYTES));
        let name = format!("p{number}");
        let properties = [(fixture.name, &texts(&[&*name])), (fixture.age, &texts(&[&*text]))];
        people.extend(transaction.create_vertices(&fixture.people(), 1, &properties)?);
        let newest = &people[people.len() - 1..];
        transaction.create_edges(fixture.knows, newest, &people[..1], &[])?;
    }
    transaction.delete_vertices(&people[1..2], true)?;
    let check = |snapshot: &dyn Snapshot| -> Result<()> {
        assert_eq!(seek(snapshot, index, &["p3".into()])?, [people[3].0]);
        assert_eq!(seek(snapshot, index, &["p1".into()])?, []);
        let degree = neighbours(snapshot, people[0], None, Direction::In)?.len();
        assert_eq!(degree, count - 1);
        let texts = &snapshot.gather(Elements::Vertices(&people), &[fixture.age])?[0];
        for number in (0..count).filter(|number| *number != 1) {
            let text = texts.get(number);
            let text = text.as_ref().and_then(|text| text.as_str()).expect("a text that was set");
            assert!(text.starts_with(&format!("{number} x")));
        }
        assert!(texts.is_absent(1));
        Ok(())
    };
    check(&transaction)?;
    commit(transaction)?;
    check(&*fixture.snapshot()?)
}

fn deletes(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(3)?;
    let edges = fixture.add_edges(fixture.knows, &[(people[0], people[1])])?;
    let transaction = fixture.begin()?;
    transaction.delete_vertices(&[people[2], people[2]], false)?;
    transaction.delete_vertices(&people[2..], true)?;
    transaction.finish_statement()?;
    transaction.delete_vertices(&people[..1], false)?;
    let error = refused(transaction.finish_statement(), ErrorKind::Constraint);
    assert!(error.detail.contains("1 edge"), "{error}");
    transaction.delete_edges(&[edges[0], edges[0]])?;
    transaction.delete_edges(&edges)?;
    transaction.finish_statement()?;
    commit(transaction)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(scan(&*snapshot, None, 10)?, people[1..2]);
    assert_eq!(walk(&*snapshot, &people, None, Direction::Both)?, []);
    Ok(())
}

fn writes_to_deleted(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let edges = fixture.add_edges(fixture.knows, &[(people[0], people[0])])?;
    let transaction = fixture.begin()?;
    let own = transaction.create_vertices(&fixture.people(), 1, &[])?;
    transaction.delete_vertices(&[people[0], own[0]], true)?;
    for gone in [people[0], own[0]] {
        let edge = transaction.create_edges(fixture.knows, &[people[1]], &[gone], &[]);
        let error = refused(edge, ErrorKind::NotFound);
        assert!(error.detail.contains(&gone.to_string()), "{error}");
        let set = transaction.set_vertex_properties(fixture.age, &[gone], &ints(&[1]));
        refused(set, ErrorKind::NotFound);
        refused(transaction.set_labels(&[(gone, fixture.people())]), ErrorKind::NotFound);
    }
    let set = transaction.set_edge_properties(fixture.age, &edges, &ints(&[1]));
    refused(set, ErrorKind::NotFound);
    commit(transaction)?;
    assert_eq!(fixture.snapshot()?.count_vertices(None)?, 1);
    Ok(())
}

fn reading_sink(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(3)?;
    let transaction = fixture.begin()?;
    transaction.create_edges(fixture.knows, &people[..2], &people[1..], &[])?;
    let mut ends = Vec::new();
    transaction.expand(&people[..1], None, Direction::Out, &mut |_: usize, run: Run<'_>| {
        for at in 0..run.len() {
            let next = neighbours(&transaction, run.neighbours.get(at), None, Direction::Out);
            ends.extend(next.expect("a read in a sink succeeds"));
        }
        ControlFlow::Continue(())
    })?;
    assert_eq!(ends, people[2..]);
    Ok(())
}

fn own_names(harness: &mut dyn Harness) -> Result<()> {
    use crate::backend::NameKind;
    let fixture = Fixture::new(harness)?;
    let transaction = fixture.begin()?;
    let names = [(NameKind::Label, "Late"), (NameKind::Key, "late"), (NameKind::EdgeType, "LATE")];
    let numbers = transaction.intern(&names)?;
    let catalog = transaction.catalog();
    assert_eq!(catalog.labels.number("Late"), Some(numbers[0]));
    assert_eq!(catalog.keys.number("late"), Some(numbers[1]));
    assert_eq!(catalog.edge_types.number("LATE"), Some(numbers[2]));
    assert_eq!(transaction.intern(&names)?, numbers);
    Ok(())
}
