//! Compares a snapshot with the model: everything that can be read, in every way it can be read.

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::{Column, Error, Value};
use millrace_store::conformance::content;
use millrace_store::{EdgeRows, Elements, ScanCursor, SeekMatches, Snapshot};

use super::model::{Edge, Model, Names, Vertex};

const ROWS: usize = 64;

/// Why a snapshot is not as it should be.
#[derive(Debug)]
pub(super) enum Wrong {
    /// It could not be read: after a crash, or because it is too old.
    Unreadable(Error),
    /// It says something else than the model.
    Different(String),
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Wrong {
        Wrong::Unreadable(error)
    }
}

/// Requires a snapshot to be the model. Names may be missing where nothing was ever written.
pub(super) fn judge(snapshot: &dyn Snapshot, names: Names, model: &Model) -> Result<(), Wrong> {
    let read = read(snapshot, names)?;
    if read != *model {
        return Err(Wrong::Different(difference(&read, model)));
    }
    let counts = (snapshot.count_vertices(None)?, snapshot.count_edges(None)?);
    let expected = (model.vertices.len() as u64, model.edges.len() as u64);
    if counts != expected {
        return Err(Wrong::Different(format!("counts {counts:?}, not {expected:?}")));
    }
    judge_index(snapshot, model)?;
    // Both directions, degrees, labels, ends and seeks among themselves: it panics if they differ.
    content(snapshot, &Default::default())?;
    Ok(())
}

/// The graph of a snapshot, by its scans.
pub(super) fn read(snapshot: &dyn Snapshot, names: Names) -> Result<Model, Error> {
    let mut cursor = ScanCursor::default();
    let mut vertices = Vec::new();
    while !cursor.finished {
        snapshot.scan_vertices(None, &mut cursor, ROWS, &mut vertices)?;
    }
    let labels = snapshot.labels(&vertices)?;
    let ages = snapshot.gather(Elements::Vertices(&vertices), &[names.age])?.remove(0);
    let vertex = |row: usize| Vertex {
        is_person: labels[row].contains(&names.person),
        age: int(&ages, row),
    };
    let vertices: BTreeMap<u64, Vertex> =
        vertices.iter().enumerate().map(|(row, id)| (id.0, vertex(row))).collect();
    let (mut cursor, mut rows) = (ScanCursor::default(), EdgeRows::default());
    while !cursor.finished {
        snapshot.scan_edges(None, &mut cursor, ROWS, &mut rows)?;
    }
    let weights = snapshot.gather(Elements::Edges(&rows.edges), &[names.weight])?.remove(0);
    let kind = |row: usize| usize::from(rows.types[row] == names.types[1]);
    let edge = |row: usize| Edge {
        kind: kind(row),
        source: rows.sources[row].0,
        target: rows.targets[row].0,
        weight: int(&weights, row),
    };
    let edges = rows.edges.iter().enumerate().map(|(row, id)| (id.0, edge(row))).collect();
    let indexed = !snapshot.catalog().indexes.is_empty();
    Ok(Model { vertices, edges, indexed })
}

fn judge_index(snapshot: &dyn Snapshot, model: &Model) -> Result<(), Wrong> {
    let catalog = snapshot.catalog();
    let Some(index) = catalog.indexes.first() else { return Ok(()) };
    let ages: BTreeSet<i64> = model.vertices.values().filter_map(|vertex| vertex.age).collect();
    for age in ages {
        let mut matches = SeekMatches::default();
        let key = Column::from_values([Value::I64(age)]);
        snapshot.seek(index.id, &[&key], &mut matches)?;
        let has = |vertex: &Vertex| vertex.is_person && vertex.age == Some(age);
        let expected: Vec<u64> =
            model.vertices.iter().filter(|(_, own)| has(own)).map(|(id, _)| *id).collect();
        if matches.ids != expected {
            let found = matches.ids;
            return Err(Wrong::Different(format!("age {age}: found {found:?}, not {expected:?}")));
        }
    }
    Ok(())
}

fn int(column: &Column, row: usize) -> Option<i64> {
    column.get(row).and_then(|value| value.as_int())
}

fn difference(read: &Model, model: &Model) -> String {
    let mut text = String::new();
    let mut tell = |what: &str, id: u64, found: String, expected: String| {
        if found != expected {
            text.push_str(&format!("{what} {id}: found {found}, expected {expected}\n"));
        }
    };
    let ids: BTreeSet<u64> = read.vertices.keys().chain(model.vertices.keys()).copied().collect();
    for id in ids {
        let (found, expected) = (read.vertices.get(&id), model.vertices.get(&id));
        tell("vertex", id, format!("{found:?}"), format!("{expected:?}"));
    }
    let ids: BTreeSet<u64> = read.edges.keys().chain(model.edges.keys()).copied().collect();
    for id in ids {
        let (found, expected) = (read.edges.get(&id), model.edges.get(&id));
        tell("edge", id, format!("{found:?}"), format!("{expected:?}"));
    }
    tell("index", 0, read.indexed.to_string(), model.indexed.to_string());
    text
}

/// The ids that a bulk load gave its edges, found by their ends among those the model has not.
pub(super) fn ids_of_load(
    read: &Model,
    before: &Model,
    edges: &[(Option<u64>, Edge)],
) -> Option<Vec<(Option<u64>, Edge)>> {
    let mut fresh: BTreeMap<u64, &Edge> = read
        .edges
        .iter()
        .filter(|(id, _)| !before.edges.contains_key(id))
        .map(|(i, e)| (*i, e))
        .collect();
    edges
        .iter()
        .map(|(_, edge)| {
            let id = *fresh.iter().find(|(_, other)| **other == edge)?.0;
            fresh.remove(&id);
            Some((Some(id), edge.clone()))
        })
        .collect()
}
