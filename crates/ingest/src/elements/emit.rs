//! The gathered graph to the store. Vertices are renumbered by label set, so that each set's vertices
//! are plain columns.

use super::XID;
use super::graph::{EdgeParts, ElementGraph};
use super::record::Id;
use crate::error::LoadError;
use crate::graph::{Piece, Sink, intern, intern_one, labels_of, lease, pieces, push_text};
use crate::limits::PART_ROWS;
use crate::progress::{LoadPath, Meter};
use millrace_model::external_id::encode_ids;
use millrace_model::{
    Bits, Column, EXTERNAL_ID_KEY, EdgeTypeId, ExternalId, KeyId, Owner, VertexId,
};
use millrace_store::backend::make_index;
use millrace_store::{Changes, EdgeBlock, NameKind, Snapshot, Store, VertexBlock};
use std::ops::Range;
use std::sync::Arc;

/// The sink with the whole graph in it, and its size. Nothing is visible before the sink is finished.
pub(super) struct Emitted<'a> {
    pub(super) vertices: u64,
    pub(super) edges: u64,
    pub(super) sink: Sink<'a>,
}

/// Hands the whole graph over.
pub(super) fn emit<'a>(
    mut graph: ElementGraph,
    store: &'a dyn Store,
    snapshot: Arc<dyn Snapshot>,
    meter: &mut Meter<'_>,
) -> Result<Emitted<'a>, LoadError> {
    let order = Order::of(&graph, store)?;
    for values in &mut graph.values {
        values.settle(|vertex| order.ranks[vertex as usize]);
    }
    let sink = match meter.path() {
        LoadPath::Bulk => Sink::bulk(store)?,
        LoadPath::Transaction => Sink::transaction(store, Some(snapshot)),
    };
    let vertices = order.vertices.len() as u64;
    let mut emission = Emission { graph, order, sink };
    emission.push_vertices(store, meter)?;
    let edges = emission.push_edges(store, meter)?;
    Ok(Emitted { vertices, edges, sink: emission.sink })
}

/// Vertices in the order in which they go to the store: by label set.
struct Order {
    /// The graph's vertex, by rank.
    vertices: Vec<u32>,
    /// Rank, by vertex; none for one that no line describes.
    ranks: Vec<Option<u32>>,
    /// Slot in the store, by rank.
    slots: Vec<VertexId>,
}

impl Order {
    fn of(graph: &ElementGraph, store: &dyn Store) -> Result<Order, LoadError> {
        let all = 0..graph.vertices.len() as u32;
        let known = |vertex: &u32| graph.vertices[*vertex as usize];
        let mut vertices: Vec<u32> = all.filter(|vertex| known(vertex).is_described()).collect();
        vertices.sort_by_key(|vertex| known(vertex).labels);
        let mut ranks = vec![None; graph.vertices.len()];
        for (rank, vertex) in vertices.iter().enumerate() {
            ranks[*vertex as usize] = Some(rank as u32);
        }
        let numbers: Vec<_> = vertices.iter().map(|vertex| known(vertex).number).collect();
        let name = |vertex: &u32| Id::external_text(graph.names.text(*vertex)).is_some();
        if vertices.iter().any(name) {
            make_index(store, Owner::AllVertices)?;
        }
        Ok(Order { vertices, ranks, slots: slots(&numbers, store)? })
    }
}

/// The slots of vertices, by their external ids. They are claimed in ascending order, so that each
/// claim is near the slots in use.
fn slots(numbers: &[Option<u64>], store: &dyn Store) -> Result<Vec<VertexId>, LoadError> {
    let ranks = numbers.iter().enumerate();
    let mut external: Vec<(u64, usize)> =
        ranks.filter_map(|(rank, number)| number.map(|number| (number, rank))).collect();
    external.sort_unstable();
    let mut slots = vec![VertexId(0); numbers.len()];
    for part in external.chunks(PART_ROWS) {
        let ids: Vec<u64> = part.iter().map(|(number, _)| *number).collect();
        let claimed = store.claim_vertices(&ids, &Bits::unset(ids.len()))?;
        for ((_, rank), slot) in part.iter().zip(claimed) {
            slots[*rank] = slot;
        }
    }
    let mut leased = lease(store, numbers.len() - external.len())?.into_iter();
    let others = slots.iter_mut().zip(numbers).filter(|(_, number)| number.is_none());
    others.zip(&mut leased).for_each(|((slot, _), fresh)| *slot = fresh);
    Ok(slots)
}

/// The state of handing one graph over.
struct Emission<'a> {
    graph: ElementGraph,
    order: Order,
    sink: Sink<'a>,
}

impl Emission<'_> {
    fn push_vertices(&mut self, store: &dyn Store, meter: &mut Meter<'_>) -> Result<(), LoadError> {
        let labels = intern(store, NameKind::Label, self.graph.labels.iter())?;
        let keys = intern(store, NameKind::Key, self.graph.keys.iter())?;
        let xid = KeyId(intern_one(store, NameKind::Key, XID)?);
        let set_of = |vertex: &u32| self.graph.vertices[*vertex as usize].labels;
        let same = |a: &u32, b: &u32| set_of(a) == set_of(b);
        let vertices = std::mem::take(&mut self.order.vertices);
        let mut first = 0;
        for group in vertices.chunk_by(same).flat_map(|group| group.chunks(PART_ROWS)) {
            let ranks = first..first + group.len() as u32;
            let start = std::mem::replace(&mut first, ranks.end);
            let set = &self.graph.label_sets[set_of(&group[0]) as usize];
            let labels = labels_of(set.iter().map(|label| labels[*label as usize]).collect());
            for piece in pieces(ranks, |key| &self.graph.values[key], keys.len()) {
                let group = &group[as_rows(&(piece.range.start - start..piece.range.end - start))];
                let block = VertexBlock {
                    labels: labels.clone(),
                    ids: self.order.slots[as_rows(&piece.range)].to_vec(),
                    properties: self.columns(group, piece, &keys, xid),
                };
                self.sink.push(Changes { vertices: vec![block], ..Changes::default() })?;
                meter.stored(group.len() as u64, 0)?;
            }
        }
        Ok(())
    }

    fn columns(
        &self,
        vertices: &[u32],
        piece: Piece,
        keys: &[u32],
        xid: KeyId,
    ) -> Vec<(KeyId, Column)> {
        let mut columns: Vec<(KeyId, Column)> = Vec::new();
        for key in piece.keys {
            let column = self.graph.values[key].column(piece.range.clone());
            columns.extend(column.map(|column| (KeyId(keys[key]), column)));
        }
        let ids: Vec<Option<ExternalId>> =
            vertices.iter().map(|vertex| self.external_id_of(*vertex)).collect();
        if ids.iter().any(Option::is_none) {
            let mut names = Column::default();
            for (vertex, id) in vertices.iter().zip(&ids) {
                match id {
                    None => push_text(&mut names, self.graph.names.text(*vertex)),
                    Some(_) => names.push_absent(),
                }
            }
            merge(&mut columns, xid, names);
        }
        let slots = &self.order.slots[as_rows(&piece.range)];
        let is_slot = |id: &ExternalId, slot: &VertexId| *id == ExternalId::Number(slot.0);
        let pairs = ids.into_iter().zip(slots);
        let external: Vec<Option<ExternalId>> =
            pairs.map(|(id, slot)| id.filter(|id| !is_slot(id, slot))).collect();
        if external.iter().any(Option::is_some) {
            columns.push((EXTERNAL_ID_KEY, encode_ids(external.into_iter())));
        }
        columns
    }

    /// The external id of a vertex.
    fn external_id_of(&self, vertex: u32) -> Option<ExternalId> {
        let text = || Id::external_text(self.graph.names.text(vertex)).map(Arc::from);
        let number = self.graph.vertices[vertex as usize].number.map(ExternalId::Number);
        number.or_else(|| text().map(ExternalId::Text))
    }

    fn push_edges(&mut self, store: &dyn Store, meter: &mut Meter<'_>) -> Result<u64, LoadError> {
        let types = intern(store, NameKind::EdgeType, self.graph.edge_types.iter())?;
        let keys = intern(store, NameKind::Key, self.graph.edge_keys.iter())?;
        let mut pushed = 0;
        let all = std::mem::take(&mut self.graph.edges);
        for (number, (edge_type, mut parts)) in types.into_iter().zip(all).enumerate() {
            let rows = self.rows_with_ends(number as u32, &mut parts, meter)?;
            for first in (0..rows.len()).step_by(PART_ROWS) {
                let range = first as u32..rows.len().min(first + PART_ROWS) as u32;
                let some = &rows[as_rows(&range)];
                let ids: Vec<ExternalId> =
                    some.iter().filter_map(|row| external_id(&parts, *row)).collect();
                if !ids.is_empty() {
                    store.claim_edges(&ids)?;
                }
                for piece in pieces(range, |key| &parts.values[key].1, parts.values.len()) {
                    let count = piece.range.len() as u64;
                    let block =
                        self.edge_block(EdgeTypeId(edge_type), &parts, &rows, &piece, &keys);
                    self.sink.push(Changes { edges: vec![block], ..Changes::default() })?;
                    meter.stored(0, count)?;
                }
            }
            pushed += rows.len() as u64;
        }
        Ok(pushed)
    }

    /// The rows with both ends described; the properties of these get their places.
    fn rows_with_ends(
        &self,
        edge_type: u32,
        parts: &mut EdgeParts,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<u32>, LoadError> {
        let mut places = Vec::with_capacity(parts.targets.len());
        let (mut rows, mut bad) = (Vec::new(), Vec::new());
        for (row, target) in parts.targets.iter().enumerate() {
            let ends = [parts.sources[row], *target];
            if ends.iter().all(|end| self.order.ranks[*end as usize].is_some()) {
                places.push(Some(rows.len() as u32));
                rows.push(row as u32);
            } else {
                bad.push(self.graph.dangling(edge_type, parts, row));
                places.push(None);
            }
        }
        for (_, values) in &mut parts.values {
            values.settle(|row| places[row as usize]);
        }
        meter.rows(0, bad)?;
        Ok(rows)
    }

    fn edge_block(
        &self,
        edge_type: EdgeTypeId,
        parts: &EdgeParts,
        rows: &[u32],
        piece: &Piece,
        keys: &[u32],
    ) -> EdgeBlock {
        let slot = |vertex: u32| {
            let rank = self.order.ranks[vertex as usize].unwrap_or_default();
            self.order.slots[rank as usize]
        };
        let rows = &rows[as_rows(&piece.range)];
        let ends = rows.iter().map(|row| *row as usize);
        let (sources, targets) =
            ends.map(|row| (slot(parts.sources[row]), slot(parts.targets[row]))).unzip();
        let columns = piece.keys.iter().filter_map(|at| {
            let (key, values) = &parts.values[*at];
            Some((KeyId(keys[*key as usize]), values.column(piece.range.clone())?))
        });
        let mut properties: Vec<(KeyId, Column)> = columns.collect();
        if rows.iter().any(|row| external_id(parts, *row).is_some()) {
            let ids = rows.iter().map(|row| external_id(parts, *row));
            properties.push((EXTERNAL_ID_KEY, encode_ids(ids)));
        }
        EdgeBlock { edge_type, ids: Vec::new(), sources, targets, properties }
    }
}

/// The external id of an edge.
fn external_id(parts: &EdgeParts, row: u32) -> Option<ExternalId> {
    parts.ids.get(row as usize).cloned().flatten()
}

/// Adds names to the column of their key: some vertices of a label may have the key themselves.
fn merge(columns: &mut Vec<(KeyId, Column)>, key: KeyId, names: Column) {
    let Some((_, own)) = columns.iter_mut().find(|(known, _)| *known == key) else {
        columns.push((key, names));
        return;
    };
    let mut both = Column::default();
    for row in 0..names.len() {
        match names.get(row).or_else(|| own.get(row)) {
            Some(value) => both.push(value),
            None => both.push_absent(),
        }
    }
    *own = both;
}

fn as_rows(ranks: &Range<u32>) -> Range<usize> {
    ranks.start as usize..ranks.end as usize
}
