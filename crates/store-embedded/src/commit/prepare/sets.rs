//! Edge types that are sets: at most one edge from a source to a target.
//!
//! Inserts and deletions claim their pair at the sequencer, so the state visible now may decide.

use millrace_model::{Catalog, Direction, EdgeId, EdgeTypeId, Error, Phase, Result};
use millrace_store::constraint::second_edge;
use millrace_store::pairs::{Pair, listed_pair, repeated_pair};
use millrace_store::{EdgeRows, ScanCursor};
use rustc_hash::FxHashSet;

use super::parts::Parts;
use crate::base::commit_limits::SCAN_ROWS;
use crate::commit::PresentView;
use crate::graph::GraphView;

/// Requires the types that are sets in `after` to be so.
pub(super) fn check(view: &PresentView<'_>, after: &Catalog, parts: Parts<'_>) -> Result<()> {
    for edge_type in &after.sets {
        let taken = match view.catalog().is_set(*edge_type) {
            true => second(view, *edge_type, parts)?,
            false => second_anywhere(view.view(), *edge_type, parts)?,
        };
        if let Some(pair) = taken {
            let error: Error = second_edge(after, *edge_type, pair);
            return Err(error.in_phase(Phase::Commit));
        }
    }
    Ok(())
}

/// A pair among the new edges that is there twice then.
fn second(view: &PresentView<'_>, edge_type: EdgeTypeId, parts: Parts<'_>) -> Result<Option<Pair>> {
    let pairs = new_pairs(edge_type, parts)?;
    if pairs.is_empty() {
        return Ok(None);
    }
    let gone = deleted(edge_type, parts)?;
    let view = view.view();
    if let Some(pair) = repeated_pair(pairs.clone()) {
        return Ok(Some(pair));
    }
    listed_pair(
        &pairs,
        |edge| gone.contains(&edge),
        |sources, sink| {
            let types = Some(&[edge_type][..]);
            view.graph.partitions.expand(view.at, sources, types, Direction::Out, sink)
        },
    )
}

/// A pair among all edges: the type becomes a set just now.
fn second_anywhere(
    view: &GraphView<'_>,
    edge_type: EdgeTypeId,
    parts: Parts<'_>,
) -> Result<Option<Pair>> {
    let gone = deleted(edge_type, parts)?;
    let mut pairs = new_pairs(edge_type, parts)?;
    let mut cursor = ScanCursor::default();
    while !cursor.finished {
        let mut rows = EdgeRows::default();
        view.graph.partitions.scan_edges(
            view.at,
            &[edge_type],
            &mut cursor,
            SCAN_ROWS,
            &mut rows,
        )?;
        let ends = rows.sources.iter().copied().zip(rows.targets.iter().copied());
        let kept = ends.zip(&rows.edges).filter(|(_, edge)| !gone.contains(edge));
        pairs.extend(kept.map(|(pair, _)| pair));
    }
    Ok(repeated_pair(pairs))
}

fn new_pairs(edge_type: EdgeTypeId, parts: Parts<'_>) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    parts.each(|part| {
        for block in part.edges.iter().filter(|block| block.edge_type == edge_type) {
            pairs.extend(block.sources.iter().copied().zip(block.targets.iter().copied()));
        }
        Ok(())
    })?;
    Ok(pairs)
}

fn deleted(edge_type: EdgeTypeId, parts: Parts<'_>) -> Result<FxHashSet<EdgeId>> {
    let mut deleted = FxHashSet::default();
    parts.each(|part| {
        let own = part.deleted_edges.iter().filter(|ends| ends.edge_type == edge_type);
        deleted.extend(own.map(|ends| ends.edge));
        Ok(())
    })?;
    Ok(deleted)
}
