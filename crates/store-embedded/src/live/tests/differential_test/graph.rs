//! The naive graph: maps, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::{EdgeTypeId, KeyId, LabelId, Value};

/// The partitions in use; not neighbours, so that there are gaps.
pub(super) const ORDINALS: [u32; 3] = [0, 1, 300];

/// Labels, types and keys in use.
pub(super) const LABELS: u32 = 4;
pub(super) const TYPES: u32 = 3;
pub(super) const KEYS: u32 = 4;

pub(super) type Properties = BTreeMap<KeyId, Value>;

#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) vertices: BTreeMap<u64, Vertex>,
    pub(super) edges: BTreeMap<u64, Edge>,
    /// Ids that were used once: never again.
    pub(super) used: BTreeSet<u64>,
    /// Edges that are no more.
    pub(super) gone: Vec<u64>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Vertex {
    pub(super) labels: BTreeSet<LabelId>,
    pub(super) properties: Properties,
}

#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) edge_type: EdgeTypeId,
    pub(super) source: u64,
    pub(super) target: u64,
    pub(super) properties: Properties,
}

impl Graph {
    /// A vertex id that may be in use: few, on both ends of pages and partitions.
    pub(super) fn candidates() -> impl Iterator<Item = u64> {
        let locals = (0..12).chain(60..68).chain([1_000, 32_767, 65_534, 65_535]);
        locals.flat_map(|local| ORDINALS.map(|ordinal| u64::from(ordinal) << 16 | local))
    }
}
