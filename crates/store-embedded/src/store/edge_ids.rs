//! Ids of edges: those that partitions give, and those that clients choose.
//!
//! A chosen id is never where its edge lies. So that no edge lies where its number is the external
//! id of another, leases pass over ids that the index knows and ids that were chosen lately. This
//! only spares other commits write conflicts. That no two edges are shown under one id is checked
//! when they are committed (`commit/prepare/external_id_values`), whatever was noted here.

use std::sync::Arc;

use millrace_model::{EdgeId, EdgeTypeId, Owner, Result, VertexId};
use millrace_store::external_ids::lease_not_external;
use millrace_store::run::PARTITION_BITS;
use millrace_store::snapshot::external_in;

use super::EmbeddedSnapshot;
use crate::checkpoint::OpenFolder;
use crate::graph::Graph;

/// A fresh id for an edge of the type from each source.
pub(crate) fn lease(
    open: &Arc<OpenFolder>,
    graph: &Arc<Graph>,
    edge_type: EdgeTypeId,
    sources: &[VertexId],
) -> Result<Vec<EdgeId>> {
    if !may_be_chosen(graph) {
        return lease_any(graph, edge_type, sources);
    }
    let snapshot = EmbeddedSnapshot::of_now(open, graph);
    let are_external = |numbers: &[u64]| {
        let mut external = external_in(&snapshot, Owner::AllEdges, numbers)?;
        graph.chosen_edges.add_to(&mut external, numbers);
        Ok(external)
    };
    lease_not_external(sources, |sources| lease_any(graph, edge_type, sources), are_external)
}

/// Whether some edge may have an id that a client chose.
pub(crate) fn may_be_chosen(graph: &Graph) -> bool {
    let catalog = &graph.catalog;
    catalog.defines(true)
        && catalog.newest().maintained_of(Owner::AllEdges).any(|own| own.is_of_external_edge_ids())
}

fn lease_any(graph: &Graph, edge_type: EdgeTypeId, sources: &[VertexId]) -> Result<Vec<EdgeId>> {
    let mut edges = Vec::with_capacity(sources.len());
    let ordinal = |vertex: &VertexId| vertex.0 >> PARTITION_BITS;
    for chunk in sources.chunk_by(|left, right| ordinal(left) == ordinal(right)) {
        let ordinal = graph.partition_of(chunk[0])?.ordinal();
        let take = |edge| edges.push(edge);
        graph.partitions.lease_edges(ordinal, edge_type, chunk.len(), take)?;
    }
    Ok(edges)
}
