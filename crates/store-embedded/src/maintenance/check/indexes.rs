//! Records against the definitions: index entries, unique values, types, required properties.
//!
//! The entries that the records ask for are summed up by shard, as hashes; a shard with another sum
//! is compared entry by entry. So a check needs memory for one shard at a time.
//!
//! An extra entry costs a seek time and never an answer, a missing entry hides an element. Both are
//! findings: no commit wrote either.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{Catalog, Column, EdgeId, EdgeTypeId, KeyId, Owner, Result, VertexId};
use millrace_store::constraint::{check_form, holds_labels, holds_type, property_name};
use millrace_store::index_keys::{each_key, share_key};
use millrace_store::key_hash::hash_row;
use millrace_store::ordered_keys::KeyMaker;
use millrace_store::{EdgeRows, Elements, ScanCursor};

use super::GraphCheck;
use super::directions::mix;
use super::partition::Several;
use super::report::Stage;
use crate::base::limits::CHECK_ROWS;
use crate::graph::is_of_edges;
use crate::index::{RangeIndex, Window, shard_of};
use crate::persistent::segment::RangeEntry;

/// Entries of a shard: how many, and the sum of their hashes.
type Sum = (u64, u64);

/// Vertices or edges, some of them.
#[derive(Clone, Copy)]
struct Chunk<'a> {
    of_edges: bool,
    ids: &'a [u64],
    /// Whether an owner has the element of a row.
    covers: &'a dyn Fn(Owner, usize) -> bool,
}

/// A number for a key of an ordered index, to be summed up.
fn sum_of_key(key: &[u8]) -> u64 {
    key.iter().fold(0, |sum, byte| mix(sum ^ u64::from(*byte)))
}

impl GraphCheck<'_, '_, '_, '_> {
    pub(super) fn rules_and_indexes(&mut self) -> Result<()> {
        let catalog = Arc::clone(&self.view.catalog);
        let defined = !catalog.indexes.is_empty() || !catalog.properties.is_empty();
        if !defined {
            return Ok(());
        }
        let mut sums = BTreeMap::new();
        let outcome =
            self.each_chunk(&mut |graph, chunk| graph.add_chunk(&catalog, chunk, &mut sums));
        if self.met("records", outcome)?.is_none() {
            return Ok(());
        }
        for index in &catalog.indexes {
            let outcome = self.index(index, &sums);
            self.met(format!("index {}", index.id.0), outcome)?;
        }
        Ok(())
    }

    /// Walks all vertices, then all edges.
    fn each_chunk(
        &mut self,
        take: &mut dyn FnMut(&mut Self, Chunk<'_>) -> Result<()>,
    ) -> Result<()> {
        let (at, partitions) = (self.view.at, &self.view.graph.partitions);
        let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::new());
        let total = self.checked.vertices + self.checked.edges;
        let mut done = 0;
        while !cursor.finished {
            vertices.clear();
            partitions.scan_vertices(at, None, &mut cursor, CHECK_ROWS, &mut vertices)?;
            let labels = partitions.labels(at, &vertices)?;
            let ids: Vec<u64> = vertices.iter().map(|vertex| vertex.0).collect();
            let covers = |owner: Owner, row: usize| holds_labels(owner, &labels[row]);
            take(self, Chunk { of_edges: false, ids: &ids, covers: &covers })?;
            done += ids.len() as u64;
            self.watcher.step(Stage::Records, &self.checked.name, done, total)?;
        }
        let types: Vec<_> =
            (0..self.view.catalog.edge_types.len() as u32).map(EdgeTypeId).collect();
        let mut cursor = ScanCursor::default();
        while !cursor.finished {
            let mut edges = EdgeRows::default();
            partitions.scan_edges(at, &types, &mut cursor, CHECK_ROWS, &mut edges)?;
            let ids: Vec<u64> = edges.edges.iter().map(|edge| edge.0).collect();
            let covers = |owner: Owner, row: usize| holds_type(owner, edges.types[row]);
            take(self, Chunk { of_edges: true, ids: &ids, covers: &covers })?;
            done += ids.len() as u64;
            self.watcher.step(Stage::Records, &self.checked.name, done, total)?;
        }
        Ok(())
    }

    fn columns(&self, of_edges: bool, ids: &[u64], keys: &[KeyId]) -> Result<Vec<Column>> {
        let partitions = &self.view.graph.partitions;
        if of_edges {
            let edges: Vec<EdgeId> = ids.iter().copied().map(EdgeId).collect();
            return partitions.gather(self.view.at, Elements::Edges(&edges), keys);
        }
        let vertices: Vec<VertexId> = ids.iter().copied().map(VertexId).collect();
        partitions.gather(self.view.at, Elements::Vertices(&vertices), keys)
    }

    /// Judges a chunk by the defined properties and adds its entries.
    fn add_chunk(
        &mut self,
        catalog: &Catalog,
        chunk: Chunk<'_>,
        sums: &mut BTreeMap<(u32, usize), Sum>,
    ) -> Result<()> {
        for defined in &catalog.properties {
            if is_of_edges(defined.owner) != chunk.of_edges {
                continue;
            }
            let column = self.columns(chunk.of_edges, chunk.ids, &[defined.key])?.remove(0);
            let (mut wrong, mut lacking) = (Several::default(), Several::default());
            for (row, id) in chunk.ids.iter().enumerate() {
                if !(chunk.covers)(defined.owner, row) {
                    continue;
                }
                match column.get(row).filter(|value| !value.is_null()) {
                    Some(value) if check_form(catalog, defined, &value, *id).is_err() => {
                        wrong.add(id);
                    }
                    Some(_) => {}
                    None if defined.required => lacking.add(id),
                    None => {}
                }
            }
            let said = property_name(catalog, defined);
            let faults = [
                wrong.tell("elements", &format!("hold a value of another type ({said})")),
                lacking.tell("elements", &format!("lack a required property ({said})")),
            ];
            faults.into_iter().flatten().for_each(|fault| self.find("records", fault));
        }
        let owner = if chunk.of_edges { Owner::AllEdges } else { Owner::AllVertices };
        if catalog.external_index_of(owner).is_some() {
            self.find_duplicates(owner, chunk.ids)?;
        }
        for index in &catalog.indexes {
            if is_of_edges(index.owner) == chunk.of_edges {
                for (hash, id) in self.entries(index, &chunk)? {
                    let shard = if index.kind.is_ordered() { 0 } else { shard_of(hash) };
                    let sum = sums.entry((index.id.0, shard)).or_default();
                    *sum = (sum.0 + 1, sum.1.wrapping_add(mix(mix(hash) ^ id)));
                }
            }
        }
        Ok(())
    }

    /// The entries that the elements of a chunk have in an index.
    fn entries(&self, index: &IndexDefinition, chunk: &Chunk<'_>) -> Result<Vec<(u64, u64)>> {
        let columns = self.columns(is_of_edges(index.owner), chunk.ids, &index.keys)?;
        let keys: Vec<&Column> = columns.iter().collect();
        let rows =
            chunk.ids.iter().enumerate().filter(|(row, _)| (chunk.covers)(index.owner, *row));
        let mut entries = Vec::with_capacity(chunk.ids.len());
        let maker = KeyMaker::of(index)?;
        for (row, id) in rows {
            if index.kind.is_ordered() {
                maker.each_of_row(&keys, row, |key| entries.push((sum_of_key(key), *id)))?;
                continue;
            }
            each_key(&keys, row, |keys, row| {
                entries.extend(hash_row(keys, row).map(|hash| (hash, *id)));
            });
        }
        Ok(entries)
    }

    /// An ordered index: its entries are those of the records, in order, each in its shard.
    fn ordered(
        &mut self,
        index: &IndexDefinition,
        ordered: &RangeIndex,
        sums: &BTreeMap<(u32, usize), Sum>,
    ) -> Result<()> {
        let (mut sum, mut last) = (Sum::default(), RangeEntry::default());
        let mut in_order = true;
        for shard in ordered.all() {
            let before = sum.0;
            let mut add = |key: &[u8], ids: &[u64]| {
                let of_key = mix(sum_of_key(key));
                in_order &= shard.lower.as_slice() <= key;
                for id in ids {
                    in_order &= (last.0.as_slice(), last.1) < (key, *id) || sum.0 == 0;
                    sum = (sum.0 + 1, sum.1.wrapping_add(mix(of_key ^ id)));
                    last.1 = *id;
                    if last.0 != key {
                        last.0 = key.to_vec();
                    }
                }
            };
            let everything = Window::everything();
            shard.visit(self.view.at, &everything, (false, usize::MAX), &mut add)?;
            self.checked.entries += sum.0 - before;
        }
        let wanted = sums.get(&(index.id.0, 0)).copied().unwrap_or_default();
        if sum != wanted || !in_order {
            let (found, wanted) = (sum.0, wanted.0);
            let fault = format!("it has {found} entries, and the records require {wanted}");
            self.find(format!("index {}", index.id.0), fault);
        }
        Ok(())
    }

    fn index(&mut self, index: &IndexDefinition, sums: &BTreeMap<(u32, usize), Sum>) -> Result<()> {
        if let Some(ordered) = self.view.graph.indexes.ordered(index.id) {
            return self.ordered(index, &ordered, sums);
        }
        let Some(shards) = self.view.graph.indexes.get(index.id) else {
            self.find(format!("index {}", index.id.0), "it is defined, and missing");
            return Ok(());
        };
        for (number, shard) in shards.iter().enumerate() {
            let base = shard.base_at(self.view.at, |_| true)?;
            let entries: Vec<(u64, u64)> =
                base.entries.iter().map(|entry| (entry.hash, entry.id)).collect();
            drop(base);
            self.checked.entries += entries.len() as u64;
            let add = |sum: Sum, (hash, id): &(u64, u64)| {
                (sum.0 + 1, sum.1.wrapping_add(mix(mix(*hash) ^ id)))
            };
            let sum = entries.iter().fold(Sum::default(), add);
            if sum != sums.get(&(index.id.0, number)).copied().unwrap_or_default() {
                self.name_entries(index, number, &entries)?;
            }
            if index.kind == IndexKind::Unique {
                self.unique(index, &entries)?;
            }
        }
        Ok(())
    }

    /// Says which entries of a shard are missing or too many.
    fn name_entries(
        &mut self,
        index: &IndexDefinition,
        number: usize,
        entries: &[(u64, u64)],
    ) -> Result<()> {
        let mut wanted = BTreeSet::new();
        self.each_chunk(&mut |graph, chunk| {
            let found = graph.entries(index, &chunk)?;
            wanted.extend(found.into_iter().filter(|(hash, _)| shard_of(*hash) == number));
            Ok(())
        })?;
        let there: BTreeSet<(u64, u64)> = entries.iter().copied().collect();
        let (mut lacking, mut surplus) = (Several::default(), Several::default());
        wanted.difference(&there).for_each(|(_, id)| lacking.add(id));
        there.difference(&wanted).for_each(|(_, id)| surplus.add(id));
        let place = format!("index {}, shard {number}", index.id.0);
        let faults = [
            lacking.tell("elements", "have values, and no entry"),
            surplus.tell("elements", "have an entry, and not the values"),
        ];
        faults.into_iter().flatten().for_each(|fault| self.find(&place, fault));
        Ok(())
    }

    /// Entries of one hash, which are sorted, must be of different values.
    fn unique(&mut self, index: &IndexDefinition, entries: &[(u64, u64)]) -> Result<()> {
        let mut twice = Several::default();
        for same in entries.chunk_by(|left, right| left.0 == right.0).filter(|same| 1 < same.len())
        {
            let ids: Vec<u64> = same.iter().map(|(_, id)| *id).collect();
            let columns = self.columns(is_of_edges(index.owner), &ids, &index.keys)?;
            let columns: Vec<&Column> = columns.iter().collect();
            let equal = |left: usize, right: usize| {
                ids[left] != ids[right] && share_key(&columns, left, right)
            };
            for right in 1..ids.len() {
                if let Some(left) = (0..right).find(|left| equal(*left, right)) {
                    twice.add(format!("{} and {}", ids[left], ids[right]));
                }
            }
        }
        if let Some(fault) = twice.tell("pairs of elements", "have the same unique values") {
            self.find(format!("index {}", index.id.0), fault);
        }
        Ok(())
    }
}
