//! Every call of a snapshot, on graphs of awkward shapes.

use std::ops::ControlFlow;

use millrace_model::{Direction, EdgeId, EdgeTypeId, IndexId, KeyId, LabelId, Result, VertexId};

use super::fixture::{Fixture, commit, neighbours, scan, scan_edges, seek, walk, write};
use super::{Case, Harness};
use crate::reads::run::Run;
use crate::reads::{Elements, ScanCursor};
use crate::snapshot::Snapshot;

pub(super) const CASES: &[Case] = &[
    ("an empty graph answers every call with nothing", empty),
    ("ids that do not exist are empty, absent or unset", unknown_ids),
    ("a hub has all its neighbours, before and after reopening", hub),
    ("a loop is seen once out, once in, twice in both", loops),
    ("parallel edges are edges of their own", parallel_edges),
    ("types come in the order asked for, out before in", order_of_runs),
    ("frontier rows may repeat and keep their order", repeated_rows),
    ("a sink that breaks ends the expansion", breaking_sink),
    ("scans in small steps give everything once", small_scans),
    ("a scan may begin at any id", scan_from_anywhere),
    ("vertices far apart are linked like neighbours", far_apart),
];

fn empty(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let snapshot = fixture.snapshot()?;
    assert_eq!(scan(&*snapshot, None, 10)?, []);
    assert_eq!(scan_edges(&*snapshot, None, 10)?.edges, []);
    assert_eq!((snapshot.count_vertices(None)?, snapshot.count_edges(None)?), (0, 0));
    assert_eq!(snapshot.catalog().label("Person"), Some(fixture.person));
    check_unknown(&*snapshot, VertexId(5), EdgeId(5))
}

fn unknown_ids(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let edges = fixture.add_edges(fixture.knows, &[(people[0], people[1])])?;
    let snapshot = fixture.snapshot()?;
    let (vertex, edge) = (VertexId(people[1].0 + 1_000_000), EdgeId(edges[0].0 + 1_000_000));
    check_unknown(&*snapshot, vertex, edge)?;
    let mixed = [vertex, people[0], VertexId(u64::MAX >> 1), people[1]];
    let exist = snapshot.exist(Elements::Vertices(&mixed))?;
    assert_eq!(exist.ones().collect::<Vec<_>>(), [1, 3]);
    assert_eq!(walk(&*snapshot, &mixed, None, Direction::Both)?.len(), 2);
    let names = &snapshot.gather(Elements::Vertices(&mixed), &[fixture.name])?[0];
    assert_eq!(names.len(), 4);
    assert!(names.is_absent(0) && !names.is_absent(1) && names.is_absent(2));
    Ok(())
}

fn check_unknown(snapshot: &dyn Snapshot, vertex: VertexId, edge: EdgeId) -> Result<()> {
    let (vertices, edges) = ([vertex], [edge]);
    assert_eq!(walk(snapshot, &vertices, None, Direction::Both)?, []);
    assert_eq!(snapshot.exist(Elements::Vertices(&vertices))?.count(), 0);
    assert_eq!(snapshot.exist(Elements::Edges(&edges))?.count(), 0);
    assert!(snapshot.labels(&vertices)?[0].is_empty());
    assert!(!snapshot.ends(&edges)?.exist.get(0));
    for elements in [Elements::Vertices(&vertices), Elements::Edges(&edges)] {
        let columns = snapshot.gather(elements, &[KeyId(0), KeyId(99)])?;
        assert!(columns.len() == 2 && columns.iter().all(|column| column.is_absent(0)));
        assert!(snapshot.fields(elements)?[0].is_empty());
    }
    assert_eq!(snapshot.count_vertices(Some(LabelId(99)))?, 0);
    assert_eq!(snapshot.count_edges(Some(EdgeTypeId(99)))?, 0);
    assert_eq!(seek(snapshot, IndexId(99), &[millrace_model::Value::I64(1)])?, []);
    Ok(())
}

fn hub(harness: &mut dyn Harness) -> Result<()> {
    const EDGES: usize = 10_000;
    let mut fixture = Fixture::new(harness)?;
    let people = fixture.add_people(EDGES + 1)?;
    let ends: Vec<_> = people[1..].iter().map(|person| (people[0], *person)).collect();
    // In two commits, so that a store with prefix and tail has both.
    fixture.add_edges(fixture.likes, &ends[..EDGES / 2])?;
    fixture.add_edges(fixture.likes, &ends[EDGES / 2..])?;
    for _ in 0..2 {
        let snapshot = fixture.snapshot()?;
        let found = neighbours(&*snapshot, people[0], None, Direction::Out)?;
        assert_eq!(found, people[1..]);
        assert_eq!(neighbours(&*snapshot, people[0], None, Direction::In)?, []);
        assert_eq!(neighbours(&*snapshot, people[9], None, Direction::In)?, [people[0]]);
        assert_eq!(snapshot.count_edges(Some(fixture.likes))?, EDGES as u64);
        drop(snapshot);
        fixture = fixture.reopen(harness)?;
    }
    Ok(())
}

fn loops(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(1)?;
    let edges = fixture.add_edges(fixture.knows, &[(people[0], people[0])])?;
    let snapshot = fixture.snapshot()?;
    let pair = vec![(people[0], edges[0])];
    for (direction, halves) in [
        (Direction::Out, vec![Direction::Out]),
        (Direction::In, vec![Direction::In]),
        (Direction::Both, vec![Direction::Out, Direction::In]),
    ] {
        let expected = halves.into_iter().map(|half| (0, fixture.knows, half, pair.clone()));
        let expected: Vec<_> = expected.collect();
        assert_eq!(walk(&*snapshot, &people, None, direction)?, expected);
    }
    let transaction = fixture.begin()?;
    transaction.delete_vertices(&people, true)?;
    commit(transaction)?;
    assert_eq!(fixture.snapshot()?.count_edges(None)?, 0);
    Ok(())
}

fn parallel_edges(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let edges = fixture.add_edges(fixture.knows, &[(people[0], people[1]); 3])?;
    write(&fixture, |transaction| transaction.delete_edges(&edges[1..2]))?;
    let snapshot = fixture.snapshot()?;
    for (vertex, direction) in [(people[0], Direction::Out), (people[1], Direction::In)] {
        let runs = walk(&*snapshot, &[vertex], None, direction)?;
        let mut found: Vec<_> =
            runs.into_iter().flat_map(|run| run.3).map(|(_, edge)| edge).collect();
        found.sort_unstable();
        let mut expected = vec![edges[0], edges[2]];
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
    Ok(())
}

fn order_of_runs(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(3)?;
    let (a, b, c) = (people[0], people[1], people[2]);
    fixture.add_edges(fixture.knows, &[(a, b), (c, a), (a, c)])?;
    fixture.add_edges(fixture.likes, &[(a, b), (c, a)])?;
    let snapshot = fixture.snapshot()?;
    let shape = |types: Option<&[EdgeTypeId]>| -> Result<Vec<_>> {
        let runs = walk(&*snapshot, &[a], types, Direction::Both)?;
        Ok(runs.into_iter().map(|(_, kind, half, pairs)| (kind, half, pairs.len())).collect())
    };
    let (knows, likes) = (fixture.knows, fixture.likes);
    let (out, into) = (Direction::Out, Direction::In);
    let by_number = [(knows, out, 2), (likes, out, 1), (knows, into, 1), (likes, into, 1)];
    assert_eq!(shape(None)?, by_number);
    let reversed = [(likes, out, 1), (knows, out, 2), (likes, into, 1), (knows, into, 1)];
    assert_eq!(shape(Some(&[likes, knows]))?, reversed);
    assert_eq!(shape(Some(&[likes]))?, [(likes, out, 1), (likes, into, 1)]);
    assert_eq!(shape(Some(&[]))?, []);
    assert_eq!(shape(Some(&[EdgeTypeId(99)]))?, []);
    Ok(())
}

fn repeated_rows(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(3)?;
    let (a, b, c) = (people[0], people[1], people[2]);
    fixture.add_edges(fixture.knows, &[(a, b), (c, b)])?;
    let snapshot = fixture.snapshot()?;
    let runs = walk(&*snapshot, &[c, a, b, a, c], None, Direction::Out)?;
    assert_eq!(runs.iter().map(|run| run.0).collect::<Vec<_>>(), [0, 1, 3, 4]);
    assert!(runs.iter().all(|run| run.3.len() == 1 && run.3[0].0 == b));
    Ok(())
}

fn breaking_sink(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(4)?;
    let ends: Vec<_> = people.iter().map(|person| (*person, people[0])).collect();
    fixture.add_edges(fixture.knows, &ends)?;
    let transaction = fixture.begin()?;
    transaction.create_edges(fixture.likes, &people, &people, &[])?;
    for snapshot in [&*fixture.snapshot()?, &transaction as &dyn Snapshot] {
        let mut rows = Vec::new();
        snapshot.expand(&people, None, Direction::Out, &mut |row: usize, _: Run<'_>| {
            rows.push(row);
            if row == 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        assert_eq!(rows.iter().filter(|row| **row == 1).count(), 1);
        assert!(rows.iter().all(|row| *row <= 1), "{rows:?}");
    }
    Ok(())
}

fn small_scans(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(25)?;
    let items = fixture.begin()?;
    let labels = std::sync::Arc::from([fixture.item]);
    let items_made = items.create_vertices(&labels, 7, &[])?;
    commit(items)?;
    let ring: Vec<_> =
        people.iter().zip(people.iter().cycle().skip(1)).map(|(a, b)| (*a, *b)).collect();
    let knows = fixture.add_edges(fixture.knows, &ring)?;
    let likes = fixture.add_edges(fixture.likes, &ring[..5])?;
    let snapshot = fixture.snapshot()?;
    for rows_max in [1, 3, 1_000] {
        assert_eq!(scan(&*snapshot, Some(fixture.person), rows_max)?, people);
        assert_eq!(scan(&*snapshot, Some(fixture.item), rows_max)?, items_made);
        assert_eq!(scan(&*snapshot, None, rows_max)?.len(), 32);
        let types = [fixture.likes, fixture.knows];
        let rows = scan_edges(&*snapshot, Some(&types), rows_max)?;
        assert_eq!(rows.types[..5], [fixture.likes; 5]);
        assert_eq!(rows.types[5..], [fixture.knows; 25]);
        assert!(rows.sources[5..].is_sorted() && rows.sources[..5].is_sorted());
        let mut edges = rows.edges.clone();
        edges.sort_unstable();
        let mut expected = [knows.clone(), likes.clone()].concat();
        expected.sort_unstable();
        assert_eq!(edges, expected);
        assert_eq!(scan_edges(&*snapshot, None, rows_max)?.edges.len(), 30);
        let ends = snapshot.ends(&rows.edges)?;
        assert_eq!(
            (ends.types, ends.sources, ends.targets),
            (rows.types, rows.sources, rows.targets)
        );
    }
    assert_eq!(snapshot.count_vertices(None)?, 32);
    assert_eq!(snapshot.count_vertices(Some(fixture.item))?, 7);
    assert_eq!(snapshot.count_edges(None)?, 30);
    assert_eq!(snapshot.count_edges(Some(fixture.likes))?, 5);
    let bound = snapshot.id_space().bound;
    assert!(scan(&*snapshot, None, 100)?.iter().all(|vertex| vertex.0 < bound));
    Ok(())
}

fn scan_from_anywhere(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let people = fixture.add_people(10)?;
    let snapshot = fixture.snapshot()?;
    let mut cursor = ScanCursor { next: people[4].0, ..Default::default() };
    let mut found = Vec::new();
    snapshot.scan_vertices(Some(fixture.person), &mut cursor, 3, &mut found)?;
    assert_eq!(found, people[4..7]);
    assert!(cursor.next == people[6].0 + 1 || people[7].0 == cursor.next, "{cursor:?}");
    Ok(())
}

fn far_apart(harness: &mut dyn Harness) -> Result<()> {
    const APART: usize = 70_000;
    let mut fixture = Fixture::new(harness)?;
    let transaction = fixture.begin()?;
    let vertices = transaction.create_vertices(&fixture.people(), APART, &[])?;
    let (first, last) = (vertices[0], vertices[APART - 1]);
    let sources = [last, first, last];
    let targets = [first, last, last];
    let edges = transaction.create_edges(fixture.knows, &sources, &targets, &[])?;
    commit(transaction)?;
    for _ in 0..2 {
        let snapshot = fixture.snapshot()?;
        let ends = snapshot.ends(&edges)?;
        assert_eq!((&*ends.sources, &*ends.targets), (&sources[..], &targets[..]));
        let into = neighbours(&*snapshot, last, None, Direction::In)?;
        assert_eq!(into, [first, last]);
        assert_eq!(neighbours(&*snapshot, last, None, Direction::Out)?, [first, last]);
        assert_eq!(snapshot.count_vertices(Some(fixture.person))?, APART as u64);
        assert_eq!(scan(&*snapshot, None, 10_000)?, vertices);
        drop(snapshot);
        fixture = fixture.reopen(harness)?;
    }
    Ok(())
}
