//! Ids that are texts, of vertices and of edges.
//!
//! No client can choose the number that stands for a text id, and the internal id of an element
//! with a text id is not an id of any element.

use std::sync::Arc;

use millrace_model::{EdgeId, ErrorKind, ExternalId, Owner, Result, Value, VertexId};

use crate::conformance::fixture::{Fixture, commit, conflicts, refused, scan, scan_edges, write};
use crate::conformance::{Case, Harness};
use crate::reads::Elements;
use crate::snapshot::Snapshot;
use crate::transaction::Transaction;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("a vertex has a text that was chosen, and is found by it", vertices),
    ("an edge has a text that was chosen, and is found by it", edges),
    ("a text is the id of one vertex and one edge at most", taken),
    ("of two that choose one text the first wins, though none was there before", contended),
    ("where only a number has room, a reserved number stands for a text", stand_ins),
    ("the place of an element with a text is an id that may be chosen", place),
    ("a text may be chosen again once its element is gone, in the same transaction too", again),
    ("a serializable reader of a missing text id loses to one that chooses it", phantom),
];

fn named(texts: &[&str]) -> Vec<Arc<str>> {
    texts.iter().map(|text| Arc::from(*text)).collect()
}

fn add(fixture: &Fixture, transaction: &Transaction, texts: &[&str]) -> Result<Vec<VertexId>> {
    transaction.create_vertices_with_texts(&fixture.people(), &named(texts), &[])
}

fn join(
    fixture: &Fixture,
    transaction: &Transaction,
    ends: &[VertexId],
    texts: &[&str],
) -> Result<Vec<EdgeId>> {
    let ids: Vec<ExternalId> = named(texts).into_iter().map(ExternalId::Text).collect();
    let (sources, targets) = (vec![ends[0]; ids.len()], vec![ends[1]; ids.len()]);
    transaction.create_edges_with_ids(fixture.knows, (&sources, &targets), &ids, &[])
}

/// The ids of elements as values.
fn shown(snapshot: &dyn Snapshot, elements: Elements<'_>) -> Result<Vec<Value>> {
    let column = snapshot.external_id_values(elements)?;
    let own = |row: usize| match elements {
        Elements::Vertices(ids) => Value::I64(ids[row].0 as i64),
        Elements::Edges(ids) => Value::I64(ids[row].0 as i64),
    };
    let id =
        |row: usize| column.as_ref().and_then(|column| column.get(row)).unwrap_or_else(|| own(row));
    Ok((0..elements.len()).map(id).collect())
}

fn values(texts: &[&str]) -> Vec<Value> {
    texts.iter().map(|text| Value::from(*text)).collect()
}

fn found(snapshot: &dyn Snapshot, texts: &[&str]) -> Result<Vec<Option<VertexId>>> {
    let found = snapshot.find_texts(Owner::AllVertices, &named(texts))?;
    Ok(found.into_iter().map(|internal_id| internal_id.map(VertexId)).collect())
}

fn found_edges(snapshot: &dyn Snapshot, texts: &[&str]) -> Result<Vec<Option<EdgeId>>> {
    let found = snapshot.find_texts(Owner::AllEdges, &named(texts))?;
    Ok(found.into_iter().map(|internal_id| internal_id.map(EdgeId)).collect())
}

/// Every element has an id of its own.
fn check_all(snapshot: &dyn Snapshot) -> Result<()> {
    let (vertices, edges) = (scan(snapshot, None, 100)?, scan_edges(snapshot, None, 100)?.edges);
    for elements in [Elements::Vertices(&vertices), Elements::Edges(&edges)] {
        let mut ids = shown(snapshot, elements)?;
        ids.sort_by(millrace_model::compare::order);
        assert!(
            ids.is_sorted_by(|left, right| left != right),
            "no two elements have one id: {ids:?}"
        );
    }
    let numbers = |numbers: Option<Vec<u64>>, own: Vec<u64>| numbers.unwrap_or(own);
    let own = vertices.iter().map(|vertex| vertex.0).collect();
    let stand_ins = numbers(snapshot.external_ids(&vertices)?, own);
    assert_eq!(snapshot.find_external(&stand_ins)?.unwrap_or_else(|| vertices.clone()), vertices);
    let own = edges.iter().map(|edge| edge.0).collect();
    let stand_ins = numbers(snapshot.external_edge_ids(&edges)?, own);
    assert_eq!(snapshot.find_external_edges(&stand_ins)?.unwrap_or_else(|| edges.clone()), edges);
    Ok(())
}

fn vertices(harness: &mut dyn Harness) -> Result<()> {
    const TEXTS: [&str; 4] = ["ada", "", "7", "a text that is longer than most, and not ASCII: é"];
    let fixture = Fixture::new(harness)?;
    let plain = fixture.add_people(2)?;
    let transaction = fixture.begin()?;
    let made = add(&fixture, &transaction, &TEXTS)?;
    let all: Vec<Option<VertexId>> = made.iter().copied().map(Some).collect();
    assert_eq!(shown(&transaction, Elements::Vertices(&made))?, values(&TEXTS));
    assert_eq!(found(&transaction, &TEXTS)?, all);
    assert_eq!(found(&transaction, &["bob"])?, [None]);
    check_all(&transaction)?;
    transaction.spill()?;
    assert_eq!(shown(&transaction, Elements::Vertices(&made))?, values(&TEXTS));
    commit(transaction)?;
    for _ in 0..2 {
        let snapshot = fixture.snapshot()?;
        assert_eq!(shown(&*snapshot, Elements::Vertices(&made))?, values(&TEXTS));
        assert_eq!(found(&*snapshot, &TEXTS)?, all);
        assert_eq!(
            shown(&*snapshot, Elements::Vertices(&plain))?,
            [plain[0].0 as i64, plain[1].0 as i64].map(Value::I64)
        );
        assert_eq!(snapshot.fields(Elements::Vertices(&made))?[0].len(), 0, "it is no property");
        harness.backend().checkpoint()?;
    }
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!((found(&*snapshot, &TEXTS)?, found(&*snapshot, &["8"])?), (all, vec![None]));
    check_all(&*snapshot)
}

fn edges(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let plain = fixture.add_edges(fixture.likes, &[(people[0], people[1])])?;
    let transaction = fixture.begin()?;
    let made = join(&fixture, &transaction, &people, &["e", "f"])?;
    assert_eq!(shown(&transaction, Elements::Edges(&made))?, values(&["e", "f"]));
    commit(transaction)?;
    let fixture = fixture.reopen(harness)?;
    harness.backend().checkpoint()?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(shown(&*snapshot, Elements::Edges(&made))?, values(&["e", "f"]));
    assert_eq!(found_edges(&*snapshot, &["f", "g", "e"])?, [Some(made[1]), None, Some(made[0])]);
    assert_eq!(found(&*snapshot, &["f"])?, [None], "no vertex is meant");
    let own = shown(&*snapshot, Elements::Edges(&plain))?;
    assert_eq!(own, [Value::I64(plain[0].0 as i64)]);
    check_all(&*snapshot)
}

fn taken(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    write(&fixture, |transaction| add(&fixture, transaction, &["a"]).map(drop))?;
    write(&fixture, |transaction| join(&fixture, transaction, &people, &["a"]).map(drop))?;
    let transaction = fixture.begin()?;
    let error = refused(add(&fixture, &transaction, &["b", "a"]), ErrorKind::AlreadyExists);
    assert!(error.detail.contains("vertex 'a'"), "{error}");
    refused(add(&fixture, &transaction, &["b", "b"]), ErrorKind::AlreadyExists);
    let error = refused(join(&fixture, &transaction, &people, &["a"]), ErrorKind::AlreadyExists);
    assert!(error.detail.contains("edge 'a'"), "{error}");
    add(&fixture, &transaction, &["b"])?;
    refused(add(&fixture, &transaction, &["b"]), ErrorKind::AlreadyExists);
    commit(transaction)?;
    check_all(&*fixture.snapshot()?)
}

fn contended(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    for text in ["a", "b"] {
        let (first, second) = (fixture.begin()?, fixture.begin()?);
        for transaction in [&first, &second] {
            add(&fixture, transaction, &[text])?;
        }
        commit(first)?;
        assert!(conflicts(second)?, "{text}");
        let (first, second) = (fixture.begin()?, fixture.begin()?);
        for transaction in [&first, &second] {
            join(&fixture, transaction, &people, &[text])?;
        }
        commit(second)?;
        assert!(conflicts(first)?, "{text}");
    }
    check_all(&*fixture.snapshot()?)
}

fn stand_ins(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let transaction = fixture.begin()?;
    let made = add(&fixture, &transaction, &["a", "b"])?;
    transaction.create_vertices_with_ids(&fixture.people(), &[1 << 40], &[])?;
    let numbers = transaction.external_ids(&made)?.unwrap_or_default();
    assert!(numbers.iter().all(|number| 0b11 << 62 <= *number), "{numbers:?}");
    assert_eq!(transaction.find_external(&numbers)?, Some(made.clone()));
    commit(transaction)?;
    let transaction = fixture.begin()?;
    let choice = transaction.create_vertices_with_ids(&fixture.people(), &numbers[..1], &[]);
    refused(choice, ErrorKind::BadInput);
    transaction.delete_vertices(&made[..1], true)?;
    assert_eq!(
        transaction.external_ids(&made)?,
        Some(numbers.clone()),
        "a deleted element has its id too"
    );
    assert_eq!(shown(&transaction, Elements::Vertices(&made))?, values(&["a", "b"]));
    commit(transaction)?;
    let snapshot = fixture.snapshot()?;
    let there = snapshot.find_external(&numbers)?.unwrap_or_default();
    assert_eq!(snapshot.exist(Elements::Vertices(&there))?.ones().collect::<Vec<_>>(), [1]);
    Ok(())
}

fn place(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let transaction = fixture.begin()?;
    let made = add(&fixture, &transaction, &["a", "b"])?;
    let edge = join(&fixture, &transaction, &made, &["e"])?[0];
    commit(transaction)?;
    let transaction = fixture.begin()?;
    let chosen = transaction.create_vertices_with_ids(&fixture.people(), &[made[0].0], &[])?;
    assert_ne!(chosen[0], made[0]);
    let ids = [ExternalId::Number(edge.0)];
    let ends = (&made[..1], &made[1..]);
    let joined = transaction.create_edges_with_ids(fixture.knows, ends, &ids, &[])?;
    check_all(&transaction)?;
    commit(transaction)?;
    let fixture = fixture.reopen(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(snapshot.find_external(&[made[0].0])?, Some(chosen));
    assert_eq!(snapshot.find_external_edges(&[edge.0])?, Some(joined));
    assert_eq!(found(&*snapshot, &["a"])?, [Some(made[0])]);
    check_all(&*snapshot)
}

fn again(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    write(&fixture, |transaction| add(&fixture, transaction, &["a"]).map(drop))?;
    for _ in 0..2 {
        let transaction = fixture.begin()?;
        let there = found(&transaction, &["a"])?;
        transaction.delete_vertices(&there.into_iter().flatten().collect::<Vec<_>>(), true)?;
        assert_eq!(found(&transaction, &["a"])?, [None]);
        let made = add(&fixture, &transaction, &["a"])?;
        assert_eq!(found(&transaction, &["a"])?, [Some(made[0])]);
        commit(transaction)?;
        assert_eq!(found(&*fixture.snapshot()?, &["a"])?, [Some(made[0])]);
    }
    let fixture = fixture.reopen(harness)?;
    assert_eq!(scan(&*fixture.snapshot()?, None, 10)?.len(), 1);
    check_all(&*fixture.snapshot()?)
}

fn phantom(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    for text in ["a", "b"] {
        let (reader, of_edges) = (fixture.serializable()?, fixture.serializable()?);
        assert_eq!(
            (found(&reader, &[text])?, found_edges(&of_edges, &[text])?),
            (vec![None], vec![None])
        );
        for transaction in [&reader, &of_edges] {
            transaction.create_vertices(&fixture.people(), 1, &[])?;
        }
        write(&fixture, |transaction| join(&fixture, transaction, &people, &[text]).map(drop))?;
        assert!(conflicts(of_edges)?, "{text}");
        write(&fixture, |transaction| add(&fixture, transaction, &[text]).map(drop))?;
        assert!(conflicts(reader)?, "{text}");
    }
    Ok(())
}
