//! Procedures that tell which labels, types and properties a graph has, by reading all of it.
//!
//! - `survey`: one reading of the graph, in bulk.
//! - `properties`: `db.schema.nodeTypeProperties`, `db.schema.relTypeProperties`, and those of APOC, which count.
//! - `table`: `apoc.meta.data`.
//! - `graph`: `apoc.meta.graph` and those of its kind.
//! - `maps`: `apoc.meta.schema`, `apoc.meta.stats`.

mod graph;
mod maps;
mod properties;
mod survey;
mod table;

use std::sync::Arc;

use crate::context::Procedure;

/// The procedures of this family.
pub(super) fn procedures() -> Vec<Arc<dyn Procedure>> {
    vec![
        Arc::new(graph::Graph("apoc.meta.graph")),
        Arc::new(graph::Graph("apoc.meta.graphSample")),
        Arc::new(graph::Graph("apoc.meta.subGraph")),
        Arc::new(maps::Schema),
        Arc::new(maps::Stats),
        Arc::new(properties::OfNodes { counts: false }),
        Arc::new(properties::OfNodes { counts: true }),
        Arc::new(properties::OfRelationships { counts: false }),
        Arc::new(properties::OfRelationships { counts: true }),
        Arc::new(table::Data),
    ]
}
