//! Edge types that are sets: at most one edge from a source to a target.
//!
//! Inserts and deletions claim their pair at the sequencer, so what is visible now may decide.

use millrace_model::{Catalog, Direction, EdgeId, EdgeTypeId, Error, Phase, Result};
use millrace_store::constraint::second_edge;
use millrace_store::pairs::{Pair, listed_pair, repeated_pair};
use millrace_store::{Changes, EdgeRows, ScanCursor};
use rustc_hash::FxHashSet;

use crate::commit::limits::SCAN_ROWS;
use crate::view::GraphView;

/// Requires the types that are sets in `after` to be so.
pub(super) fn check(view: &GraphView<'_>, after: &Catalog, parts: &[&Changes]) -> Result<()> {
    for edge_type in &after.sets {
        let taken = match view.catalog.is_set(*edge_type) {
            true => second(view, *edge_type, parts)?,
            false => second_anywhere(view, *edge_type, parts)?,
        };
        if let Some(pair) = taken {
            let error: Error = second_edge(after, *edge_type, pair);
            return Err(error.in_phase(Phase::Commit));
        }
    }
    Ok(())
}

/// A pair among the new edges that is there twice then.
fn second(view: &GraphView<'_>, edge_type: EdgeTypeId, parts: &[&Changes]) -> Result<Option<Pair>> {
    let pairs = new_pairs(edge_type, parts);
    if pairs.is_empty() {
        return Ok(None);
    }
    let gone = deleted(edge_type, parts);
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
    parts: &[&Changes],
) -> Result<Option<Pair>> {
    let gone = deleted(edge_type, parts);
    let mut pairs = new_pairs(edge_type, parts);
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

fn new_pairs(edge_type: EdgeTypeId, parts: &[&Changes]) -> Vec<Pair> {
    let blocks = parts.iter().flat_map(|part| &part.edges);
    let own = blocks.filter(|block| block.edge_type == edge_type);
    own.flat_map(|block| block.sources.iter().copied().zip(block.targets.iter().copied())).collect()
}

fn deleted(edge_type: EdgeTypeId, parts: &[&Changes]) -> FxHashSet<EdgeId> {
    let all = parts.iter().flat_map(|part| &part.deleted_edges);
    all.filter(|ends| ends.edge_type == edge_type).map(|ends| ends.edge).collect()
}
