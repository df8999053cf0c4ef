//! Vertices and edges with their labels, properties and ends, and their counts.

use std::collections::BTreeMap;

use millrace_model::{Column, EdgeId, Error, ExternalId, LabelId, VertexId};
use millrace_store::{EdgeRows, Elements, ScanCursor, Snapshot};

use super::{Judged, require_same};
use crate::simulator::edge_choice::number_of_choice;
use crate::simulator::model::{Edge, LABELS, Model, TYPES, Vertex};
use crate::simulator::schema::{INDEXES, Key, LONG_TEXT, Names, POINTS, name_number, value};

const ROWS: usize = 64;

pub(super) fn judge(snapshot: &dyn Snapshot, names: Names, model: &Model) -> Judged {
    let found = read(snapshot, names)?;
    require_same("vertices", &difference(&found.vertices, &model.vertices), &String::new())?;
    require_same("edges", &difference(&found.edges, &model.edges), &String::new())?;
    require_same("indexes", &found.indexes, &model.indexes)?;
    require_same("defined properties", &found.rules, &model.rules)?;
    judge_scans(snapshot, names, model)?;
    judge_fields(snapshot, model)?;
    judge_ends(snapshot, names, model)?;
    judge_existence(snapshot, model)
}

/// The graph of a snapshot, by its scans.
pub(crate) fn read(snapshot: &dyn Snapshot, names: Names) -> Result<Model, Error> {
    let ids = scan(snapshot, None)?;
    let labels = snapshot.labels(&ids)?;
    let columns = snapshot.gather(Elements::Vertices(&ids), &[names.age, names.name])?;
    let external = snapshot.external_ids(&ids)?;
    let external =
        |row: usize| external.as_ref().map(|all| all[row]).filter(|id| *id != ids[row].0);
    let vertex = |row: usize| Vertex {
        labels: names.labels.map(|label| labels[row].contains(&label)),
        age: int(&columns[0], row),
        name: name(&columns[1], row),
        external: external(row),
    };
    let vertices = ids.iter().enumerate().map(|(row, id)| (id.0, vertex(row))).collect();
    let rows = scan_edges(snapshot, None)?;
    let weights = snapshot.gather(Elements::Edges(&rows.edges), &[names.weight])?.remove(0);
    let chosen_edges = snapshot.external_id_values(Elements::Edges(&rows.edges))?;
    let edge = |row: usize| Edge {
        kind: names.types.iter().position(|kind| *kind == rows.types[row]).unwrap_or(usize::MAX),
        source: rows.sources[row].0,
        target: rows.targets[row].0,
        weight: int(&weights, row),
        external: chosen_edges.as_ref().and_then(|ids| edge_choice(ids, row, rows.edges[row])),
    };
    let edges = rows.edges.iter().enumerate().map(|(row, id)| (id.0, edge(row))).collect();
    let catalog = snapshot.catalog();
    let indexes = (0..INDEXES.len()).filter(|index| names.defined(&catalog, *index).is_some());
    let (indexes, rules) = (indexes.collect(), names.rules_of(&catalog).collect());
    Ok(Model { vertices, edges, indexes, rules })
}

/// The id that was chosen for an edge, by its number.
fn edge_choice(ids: &Column, row: usize, edge: EdgeId) -> Option<u64> {
    let id = ids.get(row).and_then(|kept| ExternalId::of_stored(&kept));
    id.map(|id| number_of_choice(&id)).filter(|number| *number != edge.0)
}

fn judge_scans(snapshot: &dyn Snapshot, names: Names, model: &Model) -> Judged {
    let counts = (snapshot.count_vertices(None)?, snapshot.count_edges(None)?);
    let expected = (model.vertices.len() as u64, model.edges.len() as u64);
    require_same("counts", &counts, &expected)?;
    for label in 0..LABELS {
        let holding = model.vertices.iter().filter(|(_, vertex)| vertex.labels[label]);
        let holding: Vec<VertexId> = holding.map(|(id, _)| VertexId(*id)).collect();
        let id = names.labels[label];
        require_same("vertices with a label", &scan(snapshot, Some(id))?, &holding)?;
        let count = snapshot.count_vertices(Some(id))?;
        require_same("count of a label", &count, &(holding.len() as u64))?;
    }
    for kind in 0..TYPES {
        let of_type = model.edges.values().filter(|edge| edge.kind == kind).count();
        let id = names.types[kind];
        let count = snapshot.count_edges(Some(id))?;
        require_same("count of a type", &count, &(of_type as u64))?;
        let rows = scan_edges(snapshot, Some(&[id]))?;
        require_same("edges of a type", &rows.edges.len(), &of_type)?;
    }
    Ok(())
}

/// An external id is no property.
fn judge_fields(snapshot: &dyn Snapshot, model: &Model) -> Judged {
    let ids: Vec<VertexId> = model.vertices.keys().copied().map(VertexId).collect();
    let fields = snapshot.fields(Elements::Vertices(&ids))?;
    let found: Vec<usize> = fields.iter().map(|fields| fields.len()).collect();
    let count =
        |vertex: &Vertex| usize::from(vertex.age.is_some()) + usize::from(vertex.name.is_some());
    let expected = model.vertices.values().map(count).collect();
    require_same("fields of vertices", &found, &expected)
}

fn judge_ends(snapshot: &dyn Snapshot, names: Names, model: &Model) -> Judged {
    let ids: Vec<EdgeId> = model.edges.keys().copied().map(EdgeId).collect();
    let ends = snapshot.ends(&ids)?;
    let found = (ends.exist.count(), ends.types, ends.sources, ends.targets);
    let edges = || model.edges.values();
    let expected = (
        ids.len(),
        edges().map(|edge| names.types[edge.kind]).collect(),
        edges().map(|edge| VertexId(edge.source)).collect(),
        edges().map(|edge| VertexId(edge.target)).collect(),
    );
    require_same("ends by edge id", &found, &expected)?;
    let fields = snapshot.fields(Elements::Edges(&ids))?;
    let found: Vec<usize> = fields.iter().map(|fields| fields.len()).collect();
    let expected = edges().map(|edge| usize::from(edge.weight.is_some())).collect();
    require_same("fields of edges", &found, &expected)
}

/// Everything there is exists, and its neighbours in the order of ids do not.
fn judge_existence(snapshot: &dyn Snapshot, model: &Model) -> Judged {
    let vertices: Vec<VertexId> =
        model.vertices.keys().flat_map(|id| [VertexId(*id), VertexId(*id + 1)]).collect();
    let exist = snapshot.exist(Elements::Vertices(&vertices))?;
    let found: Vec<bool> = (0..vertices.len()).map(|row| exist.get(row)).collect();
    let expected = vertices.iter().map(|id| model.vertices.contains_key(&id.0)).collect();
    require_same("existence of vertices", &found, &expected)?;
    let edges: Vec<EdgeId> =
        model.edges.keys().flat_map(|id| [EdgeId(*id), EdgeId(*id + 1)]).collect();
    let exist = snapshot.exist(Elements::Edges(&edges))?;
    let found: Vec<bool> = (0..edges.len()).map(|row| exist.get(row)).collect();
    let expected = edges.iter().map(|id| model.edges.contains_key(&id.0)).collect();
    require_same("existence of edges", &found, &expected)
}

fn scan(snapshot: &dyn Snapshot, label: Option<LabelId>) -> Result<Vec<VertexId>, Error> {
    let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::new());
    while !cursor.finished {
        snapshot.scan_vertices(label, &mut cursor, ROWS, &mut vertices)?;
    }
    Ok(vertices)
}

fn scan_edges(
    snapshot: &dyn Snapshot,
    types: Option<&[millrace_model::EdgeTypeId]>,
) -> Result<EdgeRows, Error> {
    let (mut cursor, mut rows) = (ScanCursor::default(), EdgeRows::default());
    while !cursor.finished {
        snapshot.scan_edges(types, &mut cursor, ROWS, &mut rows)?;
    }
    Ok(rows)
}

fn int(column: &Column, row: usize) -> Option<i64> {
    let found = column.get(row)?;
    let stands = |number: &i64| found == value(Key::Age, *number);
    found.as_int().or_else(|| (LONG_TEXT..POINTS.end).find(stands))
}

/// A name by its number; an unknown one has a number that is never given.
fn name(column: &Column, row: usize) -> Option<u8> {
    let value = column.get(row)?;
    Some(value.as_str().and_then(name_number).unwrap_or(u8::MAX))
}

fn difference<T: PartialEq + std::fmt::Debug>(
    found: &BTreeMap<u64, T>,
    expected: &BTreeMap<u64, T>,
) -> String {
    if found == expected {
        return String::new();
    }
    let ids: std::collections::BTreeSet<&u64> = found.keys().chain(expected.keys()).collect();
    let tell = |id: &&u64| {
        let (found, expected) = (found.get(id), expected.get(id));
        (found != expected).then(|| format!("{id}: found {found:?}, expected {expected:?}"))
    };
    ids.iter().filter_map(tell).collect::<Vec<_>>().join("; ")
}
