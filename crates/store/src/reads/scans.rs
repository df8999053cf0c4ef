//! Where a scan stands, and what a seek looks for and finds.

use millrace_model::{Column, EdgeTypeId, LabelId};

/// The range and density of vertex ids in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdSpace {
    /// Whether ids are dense, so that arrays and bitmaps over them are worth making.
    pub dense: bool,
    /// All ids are below this.
    pub bound: u64,
}

/// Where a scan goes on; starts at `default()`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScanCursor {
    /// A scan of vertices: the lowest id not looked at yet, so a scan may begin anywhere. A scan
    /// of edges: the next place to look at, as the store counts.
    pub next: u64,
    /// A place of its own for a snapshot that wraps another; a store leaves it alone.
    pub write_set: u64,
    /// Where it ends, counted as `next` is; none: with the graph.
    pub until: Option<u64>,
    /// Set when there is nothing more.
    pub finished: bool,
}

/// The elements that a scan lists.
#[derive(Clone, Copy, Debug)]
pub enum Scanned<'a> {
    /// Vertices with a label, or all.
    Vertices(Option<LabelId>),
    /// Edges of some types, or all.
    Edges(Option<&'a [EdgeTypeId]>),
}

/// The matches of a seek: pairs of (row of the keys, id), rows ascending; in a row, ids ascending,
/// or in the order of the keys where ranges were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeekMatches {
    /// The row of the keys that matched.
    pub rows: Vec<u32>,
    /// The vertex or edge, as a plain number; the index's owner says which.
    pub ids: Vec<u64>,
}

/// Ranges of an index of kind `Range`, one for each row.
#[derive(Clone, Copy, Debug)]
pub struct KeyRanges<'a> {
    /// How many there are.
    pub rows: usize,
    /// The values that the first keys must equal, a column each.
    pub prefix: &'a [&'a Column],
    /// Where the next key begins; none: at its least value.
    pub lower: Option<RangeBound<'a>>,
    /// Where the next key ends; none: at its greatest value.
    pub upper: Option<RangeBound<'a>>,
    /// From the greatest key to the least.
    pub descending: bool,
    /// How many elements a row finds at most: the first in its order.
    pub limit: usize,
}

/// One side of ranges.
#[derive(Clone, Copy, Debug)]
pub struct RangeBound<'a> {
    /// The value of each row.
    pub values: &'a Column,
    /// Whether the value itself is in the range.
    pub inclusive: bool,
}
