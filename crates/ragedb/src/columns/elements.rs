//! `Node` and `Relationship`: elements with their properties, in no graph any more.

use millrace_model::value::ValueMap;

/// A vertex as a script sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) id: u64,
    pub(crate) label: String,
    pub(crate) key: String,
    pub(crate) properties: ValueMap,
}

/// An edge as a script sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relationship {
    pub(crate) id: u64,
    pub(crate) edge_type: String,
    pub(crate) source: u64,
    pub(crate) target: u64,
    pub(crate) properties: ValueMap,
}
