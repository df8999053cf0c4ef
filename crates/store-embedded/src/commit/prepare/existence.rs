//! Whether what a batch names is there, and nothing is left hanging.
//!
//! Judged at a position that may be later than the batch's snapshot: whatever changed in between
//! is a mark that makes the batch lose, so both answers agree or do not matter.

use std::collections::BTreeMap;

use millrace_model::{Direction, EdgeId, Error, ErrorKind, Phase, Result, VertexId};
use millrace_store::constraint::{no_such, vertex_exists};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};
use millrace_store::{Changes, Elements};

use super::created::Created;
use crate::view::GraphView;

/// Checks one part of a batch.
pub(super) fn check(view: &GraphView<'_>, created: &Created, part: &Changes) -> Result<()> {
    check_created(view, part)?;
    check_vertices(view, created, part)?;
    check_edges(view, created, part)
}

/// Checks, over all parts, that no deleted vertex keeps an edge.
pub(super) fn check_nothing_hangs(view: &GraphView<'_>, parts: &[&Changes]) -> Result<()> {
    let mut vertices: Vec<VertexId> =
        parts.iter().flat_map(|part| part.deleted_vertices.iter().copied()).collect();
    if vertices.is_empty() {
        return Ok(());
    }
    vertices.sort_unstable();
    if let Some(twice) = vertices.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(no_such(format!("vertex {}, deleted twice,", twice[0])));
    }
    let mut degrees = Vec::with_capacity(vertices.len());
    view.graph.partitions.degrees(view.at, &vertices, None, Direction::Both, &mut degrees)?;
    let mut left: BTreeMap<VertexId, i64> =
        vertices.iter().copied().zip(degrees.iter().map(|degree| *degree as i64)).collect();
    let mut add = |vertex: &VertexId, change: i64| {
        if let Some(degree) = left.get_mut(vertex) {
            *degree += change;
        }
    };
    for part in parts {
        let deleted = part.deleted_edges.iter();
        deleted.flat_map(|ends| [ends.source, ends.target]).for_each(|end| add(&end, -1));
        let blocks = part.edges.iter();
        blocks
            .flat_map(|block| block.sources.iter().chain(&block.targets))
            .for_each(|end| add(end, 1));
    }
    match left.iter().find(|(_, degree)| **degree != 0) {
        None => Ok(()),
        Some((vertex, _)) => {
            let detail = format!("vertex {vertex} cannot be deleted: it still has edges");
            Err(Error::new(ErrorKind::Constraint, detail).in_phase(Phase::Commit))
        }
    }
}

fn check_created(view: &GraphView<'_>, part: &Changes) -> Result<()> {
    for block in &part.vertices {
        let columns = block.properties.iter().map(|(_, column)| column.len());
        check_lengths("vertices", block.ids.len(), columns)?;
        let exist = view.graph.partitions.exist(view.at, Elements::Vertices(&block.ids))?;
        if let Some(row) = exist.ones().next() {
            return Err(vertex_exists(block.ids[row]).in_phase(Phase::Commit));
        }
    }
    for block in &part.edges {
        let columns = block.properties.iter().map(|(_, column)| column.len());
        let ends = [block.sources.len(), block.targets.len()];
        check_lengths("edges", block.ids.len(), columns.chain(ends))?;
        let stray = block.ids.iter().zip(&block.sources).find(|(edge, source)| {
            edge.0 >> EDGE_SLOT_BITS != source.0 >> PARTITION_BITS || edge.0 == 0
        });
        if let Some((edge, source)) = stray {
            return Err(bug(format!("edge {edge} was not leased for source {source}")));
        }
    }
    let pairs = part.vertex_properties.iter().map(|block| (block.owners.len(), block.values.len()));
    let of_edges =
        part.edge_properties.iter().map(|block| (block.owners.len(), block.values.len()));
    pairs.chain(of_edges).try_for_each(|(owners, values)| check_lengths("values", owners, [values]))
}

fn check_vertices(view: &GraphView<'_>, created: &Created, part: &Changes) -> Result<()> {
    let blocks = part.edges.iter();
    let ends = blocks.flat_map(|block| block.sources.iter().chain(&block.targets));
    check_there(view, created, ends.copied(), ", end of an edge,")?;
    let labelled = part.labels.iter().map(|(vertex, _)| *vertex);
    let owners = part.vertex_properties.iter().flat_map(|block| block.owners.iter().copied());
    check_there(view, created, labelled.chain(owners), "")?;
    if let Some(vertex) =
        part.deleted_vertices.iter().find(|vertex| created.vertices.contains(vertex.0))
    {
        return Err(bug(format!("vertex {vertex} is created and deleted at once")));
    }
    check_there(view, created, part.deleted_vertices.iter().copied(), "")
}

fn check_there(
    view: &GraphView<'_>,
    created: &Created,
    vertices: impl Iterator<Item = VertexId>,
    role: &str,
) -> Result<()> {
    let old: Vec<VertexId> = vertices.filter(|id| !created.vertices.contains(id.0)).collect();
    if old.is_empty() {
        return Ok(());
    }
    let exist = view.graph.partitions.exist(view.at, Elements::Vertices(&old))?;
    match (0..old.len()).find(|row| !exist.get(*row)) {
        None => Ok(()),
        Some(row) => Err(no_such(format!("vertex {}{role}", old[row])).in_phase(Phase::Commit)),
    }
}

fn check_edges(view: &GraphView<'_>, created: &Created, part: &Changes) -> Result<()> {
    let owners = part.edge_properties.iter().flat_map(|block| block.owners.iter().copied());
    let old: Vec<EdgeId> = owners.filter(|id| !created.edges.contains(id.0)).collect();
    if !old.is_empty() {
        let exist = view.graph.partitions.exist(view.at, Elements::Edges(&old))?;
        if let Some(row) = (0..old.len()).find(|row| !exist.get(*row)) {
            return Err(no_such(format!("edge {}", old[row])).in_phase(Phase::Commit));
        }
    }
    if part.deleted_edges.is_empty() {
        return Ok(());
    }
    let edges: Vec<EdgeId> = part.deleted_edges.iter().map(|ends| ends.edge).collect();
    let mut sorted = edges.clone();
    sorted.sort_unstable();
    if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(no_such(format!("edge {}, deleted twice,", twice[0])));
    }
    let found = view.graph.partitions.ends(view.at, &edges)?;
    for (row, given) in part.deleted_edges.iter().enumerate() {
        if !found.exist.get(row) {
            return Err(no_such(format!("edge {}", given.edge)).in_phase(Phase::Commit));
        }
        let stored = (found.types[row], found.sources[row], found.targets[row]);
        if stored != (given.edge_type, given.source, given.target) {
            return Err(bug(format!("edge {} has other ends than the deletion says", given.edge)));
        }
    }
    Ok(())
}

fn check_lengths(what: &str, rows: usize, others: impl IntoIterator<Item = usize>) -> Result<()> {
    match others.into_iter().find(|other| *other != rows) {
        None => Ok(()),
        Some(other) => Err(bug(format!("a block of {rows} {what} has a column of {other}"))),
    }
}

fn bug(detail: String) -> Error {
    Error::new(ErrorKind::Bug, detail).in_phase(Phase::Commit)
}
