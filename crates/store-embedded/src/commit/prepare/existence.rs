//! Checks that the elements named by a batch exist, and that no edge is left without an end.
//!
//! Judged as of now, which may be later than the batch's snapshot: whatever changed in between
//! is a mark that makes the batch lose, so both answers agree or do not matter. Whether a vertex is
//! there is asked of bits that need no lock and no position; the rest is asked of a view.

use std::collections::BTreeMap;

use millrace_model::{Direction, EdgeId, Error, ErrorKind, Phase, Result, VertexId};
use millrace_store::constraint::{no_such, still_connected, vertex_exists};
use millrace_store::run::PARTITION_BITS;
use millrace_store::{Changes, Elements};

use super::created::Created;
use super::parts::Parts;
use crate::base::commit_limits::MISSING_ENDS_MAX;
use crate::commit::PresentView;
use crate::persistent::edge_partition;

/// Checks one part of a batch. Ends of edges that are not there, and that no part so far creates,
/// are `missing` as yet.
pub(super) fn check(
    view: &PresentView<'_>,
    created: &Created,
    part: &Changes,
    missing: &mut Vec<VertexId>,
) -> Result<()> {
    check_created_rows(view, part)?;
    check_vertices(view, created, part, missing)?;
    check_edges(view, created, part)
}

/// Checks that the ends that were missing are among the vertices that the whole batch creates.
pub(super) fn check_created(created: &Created, missing: &[VertexId]) -> Result<()> {
    match missing.iter().find(|vertex| !created.vertices.contains(vertex.0)) {
        None => Ok(()),
        Some(vertex) => {
            Err(no_such(format!("vertex {vertex}, end of an edge,")).in_phase(Phase::Commit))
        }
    }
}

/// Checks, over all parts, that no deleted vertex keeps an edge.
pub(super) fn check_nothing_hangs(view: &PresentView<'_>, parts: Parts<'_>) -> Result<()> {
    let mut vertices = parts.rest().deleted_vertices.clone();
    if vertices.is_empty() {
        return Ok(());
    }
    vertices.sort_unstable();
    if let Some(twice) = vertices.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(no_such(format!("vertex {}, deleted twice,", twice[0])));
    }
    let mut degrees = Vec::with_capacity(vertices.len());
    let (partitions, at) = (&view.graph.partitions, view.view().at);
    partitions.degrees(at, &vertices, None, Direction::Both, &mut degrees)?;
    let mut left: BTreeMap<VertexId, i64> =
        vertices.iter().copied().zip(degrees.iter().map(|degree| *degree as i64)).collect();
    let mut add = |vertex: &VertexId, change: i64| {
        if let Some(degree) = left.get_mut(vertex) {
            *degree += change;
        }
    };
    parts.each(|part| {
        let deleted = part.deleted_edges.iter();
        deleted.flat_map(|ends| [ends.source, ends.target]).for_each(|end| add(&end, -1));
        let blocks = part.edges.iter();
        blocks
            .flat_map(|block| block.sources.iter().chain(&block.targets))
            .for_each(|end| add(end, 1));
        Ok(())
    })?;
    match left.iter().find(|(_, degree)| **degree != 0) {
        None => Ok(()),
        Some((vertex, _)) => Err(still_connected(*vertex, false).in_phase(Phase::Commit)),
    }
}

fn check_created_rows(view: &PresentView<'_>, part: &Changes) -> Result<()> {
    for block in &part.vertices {
        let columns = block.properties.iter().map(|(_, column)| column.len());
        check_lengths("vertices", block.ids.len(), columns)?;
        if let Some(twice) = view.graph.partitions.find_live(block.ids.iter().copied(), true)? {
            return Err(vertex_exists(twice).in_phase(Phase::Commit));
        }
    }
    for block in &part.edges {
        let columns = block.properties.iter().map(|(_, column)| column.len());
        let ends = [block.sources.len(), block.targets.len()];
        check_lengths("edges", block.ids.len(), columns.chain(ends))?;
        let stray = block.ids.iter().zip(&block.sources).find(|(edge, source)| {
            edge.0 == 0 || edge_partition(**edge).map(u64::from) != Some(source.0 >> PARTITION_BITS)
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

fn check_vertices(
    view: &PresentView<'_>,
    created: &Created,
    part: &Changes,
    missing: &mut Vec<VertexId>,
) -> Result<()> {
    let partitions = &view.graph.partitions;
    let blocks = part.edges.iter();
    let ends = blocks.flat_map(|block| block.sources.iter().chain(&block.targets));
    let mut old = ends.copied().filter(|end| !created.vertices.contains(end.0));
    while let Some(end) = partitions.find_live(&mut old, false)? {
        missing.push(end);
        if missing.len() == MISSING_ENDS_MAX {
            let detail = format!("vertex {end} and as many others, ends of edges,");
            return Err(no_such(detail).in_phase(Phase::Commit));
        }
    }
    let labelled = part.labels.iter().map(|(vertex, _)| *vertex);
    let owners = part.vertex_properties.iter().flat_map(|block| block.owners.iter().copied());
    check_there(view, created, labelled.chain(owners))?;
    if let Some(vertex) =
        part.deleted_vertices.iter().find(|vertex| created.vertices.contains(vertex.0))
    {
        return Err(bug(format!("vertex {vertex} is created and deleted at once")));
    }
    check_there(view, created, part.deleted_vertices.iter().copied())
}

fn check_there(
    view: &PresentView<'_>,
    created: &Created,
    vertices: impl Iterator<Item = VertexId>,
) -> Result<()> {
    let old = vertices.filter(|id| !created.vertices.contains(id.0));
    match view.graph.partitions.find_live(old, false)? {
        None => Ok(()),
        Some(missing) => Err(no_such(format!("vertex {missing}")).in_phase(Phase::Commit)),
    }
}

fn check_edges(view: &PresentView<'_>, created: &Created, part: &Changes) -> Result<()> {
    let owners = part.edge_properties.iter().flat_map(|block| block.owners.iter().copied());
    let old: Vec<EdgeId> = owners.filter(|id| !created.edges.contains(id.0)).collect();
    if !old.is_empty() {
        let exist = view.graph.partitions.exist(view.view().at, Elements::Edges(&old))?;
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
    let found = view.graph.partitions.ends(view.view().at, &edges)?;
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
