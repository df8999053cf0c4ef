//! Edges to the store. A statement made twice is one edge, with the facets of the last, and so is
//! a statement that the graph already holds: RDF is a set.

use super::super::graph::EdgeParts;
use super::Emission;
use super::order::Order;
use crate::error::LoadError;
use crate::graph::{Piece, intern, pieces, push_from, sort_last_wins};
use crate::limits::PART_ROWS;
use millrace_model::{Column, Direction, EdgeId, EdgeTypeId, KeyId, VertexId};
use millrace_store::{Changes, EdgeBlock, EdgeEnds, NameKind, PropertyBlock, Run, Store};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// One edge type's edges: distinct rows, new ones first.
struct Distinct {
    edge_type: EdgeTypeId,
    parts: EdgeParts,
    /// Rows of new edges, then rows of edges that the graph holds.
    rows: Vec<u32>,
    /// The edges that the graph holds.
    known: Vec<EdgeId>,
    /// Edges of the graph that are replaced, where a vertex may have one only.
    replaced: Vec<EdgeEnds>,
}

impl Distinct {
    fn new_count(&self) -> usize {
        self.rows.len() - self.known.len()
    }
}

impl Emission<'_, '_> {
    /// All edges; says how many were new.
    pub(super) fn push_edges(&mut self, store: &dyn Store) -> Result<u64, LoadError> {
        let types = intern(store, NameKind::EdgeType, self.graph.edge_types.iter())?;
        let facet_keys = intern(store, NameKind::Key, self.graph.facet_keys.iter())?;
        let mut pushed = 0;
        let all = types.into_iter().zip(std::mem::take(&mut self.graph.edges));
        for (number, (edge_type, parts)) in all.enumerate() {
            let is_single = self.graph.is_single(self.graph.edge_types.text(number as u32));
            let edges = self.distinct(EdgeTypeId(edge_type), parts, is_single)?;
            let count = edges.new_count();
            for first in (0..count).step_by(PART_ROWS) {
                let range = first as u32..count.min(first + PART_ROWS) as u32;
                let facets = &edges.parts.facets;
                for piece in pieces(range, |facet| &facets[facet].1, facets.len()) {
                    let count = piece.range.len();
                    let block = self.edge_block(&edges, &piece, &facet_keys);
                    self.push(Changes { edges: vec![block], ..Changes::default() }, 0, count)?;
                }
            }
            let edge_properties = property_blocks(&edges, &facet_keys);
            if !edge_properties.is_empty() {
                self.push(Changes { edge_properties, ..Changes::default() }, 0, 0)?;
            }
            if !edges.replaced.is_empty() {
                let deleted_edges = edges.replaced;
                self.push(Changes { deleted_edges, ..Changes::default() }, 0, 0)?;
            }
            pushed += count as u64;
        }
        Ok(pushed)
    }

    fn distinct(
        &self,
        edge_type: EdgeTypeId,
        mut parts: EdgeParts,
        is_single: bool,
    ) -> Result<Distinct, LoadError> {
        let mut rows = distinct_rows(&parts, &self.order, is_single);
        let (mut known, mut replaced) = (Vec::new(), Vec::new());
        if self.order.has_existing() {
            let existing = self.existing_edges(edge_type, &parts)?;
            let edge_of = |row: &u32| existing.get(&ends(&parts, &self.order, *row));
            let (old, new): (Vec<u32>, Vec<u32>) =
                rows.iter().partition(|row| edge_of(row).is_some());
            if is_single {
                let targets: FxHashMap<VertexId, VertexId> =
                    rows.iter().map(|row| ends(&parts, &self.order, *row)).collect();
                let others = existing.iter().filter(|((source, target), _)| {
                    targets.get(source).is_some_and(|new| new != target)
                });
                replaced.extend(others.map(|((source, target), edge)| EdgeEnds {
                    edge: *edge,
                    edge_type,
                    source: *source,
                    target: *target,
                }));
                replaced.sort_unstable_by_key(|ends| ends.edge);
            }
            known = old.iter().filter_map(edge_of).copied().collect();
            rows = [new, old].concat();
        }
        settle_facets(&mut parts, &rows);
        Ok(Distinct { edge_type, parts, rows, known, replaced })
    }

    /// Edges of the type that leave vertices which were there before.
    fn existing_edges(
        &self,
        edge_type: EdgeTypeId,
        parts: &EdgeParts,
    ) -> Result<FxHashMap<(VertexId, VertexId), EdgeId>, LoadError> {
        let ranks = parts.sources.iter().map(|source| self.order.ranks[*source as usize]);
        let mut ranks: Vec<u32> = ranks.filter(|rank| self.order.new <= *rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let mut existing = FxHashMap::default();
        for ranks in ranks.chunks(PART_ROWS) {
            let sources: Vec<_> = ranks.iter().map(|rank| self.order.ids[*rank as usize]).collect();
            let mut collect = |row: usize, run: Run<'_>| {
                for at in 0..run.len() {
                    existing.insert((sources[row], run.neighbours.get(at)), run.edge(at));
                }
                ControlFlow::Continue(())
            };
            let types = [edge_type];
            self.snapshot.expand(&sources, Some(&types), Direction::Out, &mut collect)?;
        }
        Ok(existing)
    }

    fn edge_block(&self, edges: &Distinct, piece: &Piece, facet_keys: &[u32]) -> EdgeBlock {
        let rows = &edges.rows[piece.range.start as usize..piece.range.end as usize];
        let all_ends = rows.iter().map(|row| ends(&edges.parts, &self.order, *row));
        let (sources, targets) = all_ends.unzip();
        let facet = |at: &usize| {
            let (key, parts) = &edges.parts.facets[*at];
            Some((KeyId(facet_keys[*key as usize]), parts.column(piece.range.clone())?))
        };
        let properties = piece.keys.iter().filter_map(facet).collect();
        EdgeBlock { edge_type: edges.edge_type, ids: Vec::new(), sources, targets, properties }
    }
}

/// Gives each facet the place of its edge's row, and drops those of repeated edges.
fn settle_facets(parts: &mut EdgeParts, rows: &[u32]) {
    if parts.facets.is_empty() {
        return;
    }
    let mut places = vec![None; parts.sources.len()];
    for (place, row) in rows.iter().enumerate() {
        places[*row as usize] = Some(place as u32);
    }
    for (_, facet) in &mut parts.facets {
        facet.settle(|row| places[row as usize]);
    }
}

/// Facets for edges that the graph holds.
fn property_blocks(edges: &Distinct, facet_keys: &[u32]) -> Vec<PropertyBlock<EdgeId>> {
    let first = edges.new_count();
    let mut blocks = Vec::new();
    for (key, parts) in &edges.parts.facets {
        let (mut owners, mut values) = (Vec::new(), Column::default());
        for kept in parts.values_of(first as u32..edges.rows.len() as u32) {
            owners.push(edges.known[kept.owner as usize - first]);
            push_from(&mut values, kept.column, kept.row);
        }
        if !owners.is_empty() {
            let key = KeyId(facet_keys[*key as usize]);
            blocks.push(PropertyBlock { key, owners, values });
        }
    }
    blocks
}

fn ends(parts: &EdgeParts, order: &Order, row: u32) -> (VertexId, VertexId) {
    let id = |vertex: u32| order.ids[order.ranks[vertex as usize] as usize];
    (id(parts.sources[row as usize]), id(parts.targets[row as usize]))
}

/// The last row of each pair of ends, or of each source, by source and target, which is also the order a store lays
/// edges down in.
fn distinct_rows(parts: &EdgeParts, order: &Order, is_single: bool) -> Vec<u32> {
    let rank = |vertex: &u32| u64::from(order.ranks[*vertex as usize]);
    let pairs = parts.sources.iter().zip(&parts.targets).enumerate();
    let key = |(row, (source, target))| match is_single {
        true => (rank(source) << 32, row as u32),
        false => (rank(source) << 32 | rank(target), row as u32),
    };
    sort_last_wins(pairs.map(key).collect())
}
