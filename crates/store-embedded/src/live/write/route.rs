//! Which rows of a group of commits modify which partition.
//!
//! Rows are sorted out once for the whole group, so that a partition is locked once for many
//! commits and walks only its own rows. Within a partition they stand in the order in which they
//! take effect: commit by commit, and within a commit in the order that `store::Changes` promises.

use millrace_model::{EdgeId, LogPosition, VertexId};
use millrace_store::Changes;
use rustc_hash::FxHashMap;

use crate::live::ordinal_of_vertex;
use crate::persistent::{home, ordinal_of_edge};

/// One commit of a group.
#[derive(Clone, Copy, Debug)]
pub struct Commit<'a> {
    /// Its position.
    pub position: LogPosition,
    /// Its writes.
    pub changes: &'a Changes,
    /// The only rows of `changes` that are this commit's; `None`: all are.
    pub edges: Option<EdgeSpan>,
}

/// Edges of one block that lie side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeSpan {
    /// The block.
    pub block: u32,
    /// The first row.
    pub first: u32,
    /// How many.
    pub count: u32,
}

impl<'a> Commit<'a> {
    /// A commit that wrote all of `changes`.
    pub fn new(position: LogPosition, changes: &'a Changes) -> Commit<'a> {
        Commit { position, changes, edges: None }
    }

    /// A commit that wrote some edges, which lie in `changes` with those of others.
    pub fn of_edges(position: LogPosition, changes: &'a Changes, edges: EdgeSpan) -> Commit<'a> {
        Commit { position, changes, edges: Some(edges) }
    }
}

/// The rows of a group that modify one partition.
#[derive(Clone, Debug)]
pub struct PartitionPart {
    /// The partition.
    pub ordinal: u32,
    pub(crate) rows: Vec<RowWrite>,
}

/// One row of one commit, as one partition sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowWrite {
    /// Which commit of the group.
    pub(crate) commit: u32,
    pub(crate) kind: WriteKind,
    /// Which block of its kind, where there are blocks.
    pub(crate) block: u32,
    pub(crate) row: u32,
}

/// The effect of a row on this partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteKind {
    CreateVertex,
    /// The source of a new edge is here.
    InsertOut,
    /// The target of a new edge is here.
    InsertIn,
    SetLabels,
    SetVertexProperty,
    SetEdgeProperty,
    /// The source of a deleted edge is here.
    RemoveOut,
    /// The target of a deleted edge is here.
    RemoveIn,
    DeleteVertex,
}

/// Sorts the rows of a group, positions ascending, by partition. Partitions come in the order in
/// which the group first modifies them.
pub fn route(commits: &[Commit<'_>]) -> Vec<PartitionPart> {
    let mut router = Router::default();
    for (commit, Commit { changes, edges, .. }) in commits.iter().enumerate() {
        router.commit = u32::try_from(commit).expect("a group has fewer than 2^32 commits");
        match edges {
            Some(rows) => router.edges(changes, *rows),
            None => router.changes(changes),
        }
    }
    router.parts
}

/// Where an end of an edge has it in its list: in the partition of the end, or in the one of as
/// many ordinals above as the edge's id is above its source's partition.
#[inline]
fn ordinal_of_end(edge: EdgeId, end: VertexId) -> u32 {
    let of_edge = ordinal_of_edge(edge).expect("only ids of this store are written");
    let ordinal = ordinal_of_vertex(end).expect("larger ids are refused before");
    of_edge - home(of_edge) + ordinal
}

#[derive(Default)]
struct Router {
    commit: u32,
    parts: Vec<PartitionPart>,
    places: FxHashMap<u32, usize>,
}

impl Router {
    fn changes(&mut self, changes: &Changes) {
        for (block, vertices) in changes.vertices.iter().enumerate() {
            self.by_vertex(WriteKind::CreateVertex, block, vertices.ids.iter().copied());
        }
        for (block, edges) in changes.edges.iter().enumerate() {
            let ids = || edges.ids.iter().copied();
            self.by_end(WriteKind::InsertOut, block, ids().zip(edges.sources.iter().copied()));
            self.by_end(WriteKind::InsertIn, block, ids().zip(edges.targets.iter().copied()));
        }
        self.by_vertex(WriteKind::SetLabels, 0, changes.labels.iter().map(|(vertex, _)| *vertex));
        for (block, values) in changes.vertex_properties.iter().enumerate() {
            self.by_vertex(WriteKind::SetVertexProperty, block, values.owners.iter().copied());
        }
        for (block, values) in changes.edge_properties.iter().enumerate() {
            self.by_edge(WriteKind::SetEdgeProperty, block, values.owners.iter().copied());
        }
        let deleted = &changes.deleted_edges;
        self.by_end(WriteKind::RemoveOut, 0, deleted.iter().map(|edge| (edge.edge, edge.source)));
        self.by_end(WriteKind::RemoveIn, 0, deleted.iter().map(|edge| (edge.edge, edge.target)));
        self.by_vertex(WriteKind::DeleteVertex, 0, changes.deleted_vertices.iter().copied());
    }

    fn edges(&mut self, changes: &Changes, rows: EdgeSpan) {
        let EdgeSpan { block, first, count } = rows;
        let edges = &changes.edges[block as usize];
        for row in first as usize..(first + count) as usize {
            for (kind, ends) in
                [(WriteKind::InsertOut, &edges.sources), (WriteKind::InsertIn, &edges.targets)]
            {
                self.push(ordinal_of_end(edges.ids[row], ends[row]), kind, block as usize, row);
            }
        }
    }

    fn by_vertex(
        &mut self,
        kind: WriteKind,
        block: usize,
        vertices: impl Iterator<Item = VertexId>,
    ) {
        for (row, vertex) in vertices.enumerate() {
            let ordinal = ordinal_of_vertex(vertex).expect("larger ids are refused before");
            self.push(ordinal, kind, block, row);
        }
    }

    /// Rows of edges by one of their ends.
    fn by_end(
        &mut self,
        kind: WriteKind,
        block: usize,
        ends: impl Iterator<Item = (EdgeId, VertexId)>,
    ) {
        for (row, (edge, end)) in ends.enumerate() {
            self.push(ordinal_of_end(edge, end), kind, block, row);
        }
    }

    fn by_edge(&mut self, kind: WriteKind, block: usize, edges: impl Iterator<Item = EdgeId>) {
        for (row, edge) in edges.enumerate() {
            let ordinal = ordinal_of_edge(edge).expect("only ids of this store are written");
            self.push(ordinal, kind, block, row);
        }
    }

    #[inline]
    fn push(&mut self, ordinal: u32, kind: WriteKind, block: usize, row: usize) {
        let parts = &mut self.parts;
        let place = *self.places.entry(ordinal).or_insert_with(|| {
            parts.push(PartitionPart { ordinal, rows: Vec::new() });
            parts.len() - 1
        });
        let (block, row) = (block as u32, row as u32);
        parts[place].rows.push(RowWrite { commit: self.commit, kind, block, row });
    }
}
