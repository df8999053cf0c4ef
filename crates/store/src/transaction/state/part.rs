//! A part of a write set: blocks of columns that single rows append to without allocating.
//!
//! Label sets, deletes and the catalog are not here: they stay in memory, in the write set.

use std::collections::BTreeSet;

use millrace_model::{Column, EdgeId, EdgeTypeId, KeyId, VertexId};
use rustc_hash::FxHashMap;

use crate::changes::{Changes, EdgeBlock, Labels, PropertyBlock, VertexBlock};
use crate::transaction::state::column_append::{append, byte_size};
use crate::transaction::state::part_index::{PartIndex, SpanKind};

/// Property columns of new elements: one entry each, absent where an element has none.
pub type NewProperties<'a> = &'a [(KeyId, &'a Column)];

/// Columns of operations, and the index that reads need.
#[derive(Default)]
pub(in crate::transaction) struct Part {
    pub(in crate::transaction) changes: Changes,
    pub(in crate::transaction) index: PartIndex,
    pub(in crate::transaction) bytes: usize,
    vertex_blocks: Blocks<Labels>,
    edge_blocks: Blocks<EdgeTypeId>,
    vertex_values: FxHashMap<KeyId, usize>,
    edge_values: FxHashMap<KeyId, usize>,
}

/// The open block of each kind of row; the last one is tried first.
struct Blocks<Shape> {
    last: Option<usize>,
    by_shape: FxHashMap<(Shape, Vec<KeyId>), usize>,
}

impl<Shape> Default for Blocks<Shape> {
    fn default() -> Blocks<Shape> {
        Blocks { last: None, by_shape: FxHashMap::default() }
    }
}

impl Part {
    /// A part read back from where it was spilled, ready for reading.
    pub(in crate::transaction) fn loaded(
        changes: Changes,
        is_dead: impl Fn(EdgeId) -> bool,
    ) -> Part {
        let mut part = Part { changes, ..Part::default() };
        part.index.mark_all(&part.changes);
        part.catch_up();
        part.index.remove_edges(&part.changes, is_dead);
        part
    }

    pub(in crate::transaction) fn push_vertices(
        &mut self,
        labels: &Labels,
        ids: &[VertexId],
        properties: NewProperties<'_>,
    ) {
        let at = self.vertex_block(labels, properties);
        let block = &mut self.changes.vertices[at];
        self.index.mark(SpanKind::Vertices, at, block.ids.len(), ids.len());
        block.ids.extend_from_slice(ids);
        self.bytes += ids.len() * 8 + append_all(&mut block.properties, properties);
    }

    pub(in crate::transaction) fn push_edges(
        &mut self,
        edge_type: EdgeTypeId,
        ids: &[EdgeId],
        ends: (&[VertexId], &[VertexId]),
        properties: NewProperties<'_>,
    ) {
        let at = self.edge_block(edge_type, properties);
        let block = &mut self.changes.edges[at];
        self.index.mark(SpanKind::Edges, at, block.ids.len(), ids.len());
        block.ids.extend_from_slice(ids);
        block.sources.extend_from_slice(ends.0);
        block.targets.extend_from_slice(ends.1);
        self.bytes += ids.len() * 24 + append_all(&mut block.properties, properties);
    }

    pub(in crate::transaction) fn push_vertex_values(
        &mut self,
        key: KeyId,
        owners: &[VertexId],
        values: &Column,
    ) {
        let blocks = &mut self.changes.vertex_properties;
        let at = value_block(&mut self.vertex_values, blocks, key);
        self.index.mark(SpanKind::VertexValues, at, blocks[at].owners.len(), owners.len());
        self.bytes += append_values(&mut blocks[at], owners, values);
    }

    pub(in crate::transaction) fn push_edge_values(
        &mut self,
        key: KeyId,
        owners: &[EdgeId],
        values: &Column,
    ) {
        let blocks = &mut self.changes.edge_properties;
        let at = value_block(&mut self.edge_values, blocks, key);
        self.index.mark(SpanKind::EdgeValues, at, blocks[at].owners.len(), owners.len());
        self.bytes += append_values(&mut blocks[at], owners, values);
    }

    pub(in crate::transaction) fn catch_up(&mut self) {
        self.index.catch_up(&self.changes);
    }

    /// Every key that has a value in this part.
    pub(in crate::transaction) fn keys(&self) -> BTreeSet<KeyId> {
        let vertices = self.changes.vertices.iter().flat_map(|block| &block.properties);
        let edges = self.changes.edges.iter().flat_map(|block| &block.properties);
        let created = vertices.chain(edges).map(|(key, _)| *key);
        created.chain(self.vertex_values.keys().chain(self.edge_values.keys()).copied()).collect()
    }

    fn vertex_block(&mut self, labels: &Labels, properties: NewProperties<'_>) -> usize {
        let blocks = &mut self.changes.vertices;
        let fits = |at: &usize| {
            let block: &VertexBlock = &blocks[*at];
            block.labels == *labels && same_keys(&block.properties, properties)
        };
        if let Some(at) = self.vertex_blocks.last.filter(fits) {
            return at;
        }
        let shape = (labels.clone(), keys_of(properties));
        let at = *self.vertex_blocks.by_shape.entry(shape).or_insert_with(|| {
            let (labels, ids) = (labels.clone(), Vec::new());
            blocks.push(VertexBlock { labels, ids, properties: empty_columns(properties) });
            blocks.len() - 1
        });
        self.vertex_blocks.last = Some(at);
        at
    }

    fn edge_block(&mut self, edge_type: EdgeTypeId, properties: NewProperties<'_>) -> usize {
        let blocks = &mut self.changes.edges;
        let fits = |at: &usize| {
            let block: &EdgeBlock = &blocks[*at];
            block.edge_type == edge_type && same_keys(&block.properties, properties)
        };
        if let Some(at) = self.edge_blocks.last.filter(fits) {
            return at;
        }
        let shape = (edge_type, keys_of(properties));
        let at = *self.edge_blocks.by_shape.entry(shape).or_insert_with(|| {
            let properties = empty_columns(properties);
            blocks.push(EdgeBlock { edge_type, properties, ..EdgeBlock::default() });
            blocks.len() - 1
        });
        self.edge_blocks.last = Some(at);
        at
    }
}

fn value_block<Id>(
    by_key: &mut FxHashMap<KeyId, usize>,
    blocks: &mut Vec<PropertyBlock<Id>>,
    key: KeyId,
) -> usize {
    *by_key.entry(key).or_insert_with(|| {
        blocks.push(PropertyBlock { key, owners: Vec::new(), values: Column::default() });
        blocks.len() - 1
    })
}

fn append_values<Id: Copy>(block: &mut PropertyBlock<Id>, owners: &[Id], values: &Column) -> usize {
    block.owners.extend_from_slice(owners);
    append(&mut block.values, values);
    owners.len() * 8 + byte_size(values)
}

fn append_all(columns: &mut [(KeyId, Column)], properties: NewProperties<'_>) -> usize {
    let pairs = columns.iter_mut().zip(properties);
    pairs
        .map(|((_, column), (_, source))| {
            append(column, source);
            byte_size(source)
        })
        .sum()
}

fn same_keys(columns: &[(KeyId, Column)], properties: NewProperties<'_>) -> bool {
    columns.len() == properties.len()
        && columns.iter().zip(properties).all(|((own, _), (given, _))| own == given)
}

fn keys_of(properties: NewProperties<'_>) -> Vec<KeyId> {
    properties.iter().map(|(key, _)| *key).collect()
}

fn empty_columns(properties: NewProperties<'_>) -> Vec<(KeyId, Column)> {
    properties.iter().map(|(key, _)| (*key, Column::default())).collect()
}
