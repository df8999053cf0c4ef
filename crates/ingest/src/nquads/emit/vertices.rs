//! Vertices to the store: new ones as blocks, known ones as changes of labels and values.

use super::Emission;
use crate::error::LoadError;
use crate::graph::{Piece, labels_of, pieces, push_from, push_text, with_values};
use crate::limits::PART_ROWS;
use millrace_model::external_id::encode_external;
use millrace_model::{Column, EXTERNAL_ID_KEY, KeyId, Value, VertexId};
use millrace_store::{Changes, Elements, Labels, PropertyBlock, VertexBlock};
use rustc_hash::FxHashSet;
use std::ops::Range;

impl Emission<'_, '_> {
    /// New vertices, in parts that share a label set.
    pub(super) fn push_new(&mut self, set_of: &[u32], labels: &[Labels]) -> Result<(), LoadError> {
        let new = self.order.vertices[..self.order.new as usize].to_vec();
        let mut first = 0;
        let same_set = |a: &u32, b: &u32| set_of[*a as usize] == set_of[*b as usize];
        for group in new.chunk_by(same_set).flat_map(|group| group.chunks(PART_ROWS)) {
            let ranks = first..first + group.len() as u32;
            let start = std::mem::replace(&mut first, ranks.end);
            for piece in pieces(ranks, |key| &self.graph.values[key], self.keys.len()) {
                let group = &group[as_rows(&(piece.range.start - start..piece.range.end - start))];
                let block = VertexBlock {
                    labels: labels[set_of[group[0] as usize] as usize].clone(),
                    ids: self.order.ids[as_rows(&piece.range)].to_vec(),
                    properties: self.columns(group, piece),
                };
                let part = Changes { vertices: vec![block], ..Changes::default() };
                self.push(part, group.len(), 0)?;
            }
        }
        Ok(())
    }

    fn columns(&self, vertices: &[u32], piece: Piece) -> Vec<(KeyId, Column)> {
        let mut columns = Vec::with_capacity(piece.keys.len() + 1);
        columns.extend(self.xid.map(|xid| (xid, self.names(vertices))));
        columns.extend(self.external_ids(&piece.range).map(|ids| (EXTERNAL_ID_KEY, ids)));
        for key in piece.keys {
            let column = self.graph.values[key].column(piece.range.clone());
            columns.extend(column.map(|column| (KeyId(self.keys[key]), column)));
        }
        columns
    }

    fn names(&self, vertices: &[u32]) -> Column {
        let mut names = Column::default();
        for vertex in vertices {
            match self.graph.xid(*vertex) {
                Some(name) => push_text(&mut names, &name),
                None => names.push_absent(),
            }
        }
        names
    }

    /// The uids that are no ids of the store, if there are any.
    fn external_ids(&self, ranks: &Range<u32>) -> Option<Column> {
        let uids = self.order.uids.get(as_rows(ranks))?;
        let pairs = uids.iter().zip(&self.order.ids[as_rows(ranks)]);
        let external = pairs.map(|(uid, id)| (*uid != 0 && *uid != id.0).then_some(*uid));
        let external: Vec<Option<u64>> = external.collect();
        external.iter().any(Option::is_some).then(|| encode_external(external.into_iter()))
    }

    /// Labels and values for vertices that were there: labels are added, values replaced.
    pub(super) fn push_existing(
        &mut self,
        set_of: &[u32],
        sets: &[Vec<u32>],
        labels: &[Labels],
    ) -> Result<(), LoadError> {
        let resource_only = |vertex: u32| sets[set_of[vertex as usize] as usize] == sets[0];
        for first in (self.order.new as usize..self.order.ids.len()).step_by(PART_ROWS) {
            let last = self.order.ids.len().min(first + PART_ROWS);
            let mut part = Changes::default();
            let before = self.snapshot.labels(&self.order.ids[first..last])?;
            for (rank, before) in (first..last).zip(before) {
                let vertex = self.order.vertices[rank];
                let added = &labels[set_of[vertex as usize] as usize];
                // A node for which an earlier batch of this load knew no label has none but that.
                let stays = !self.graph.is_batch() || before != labels[0];
                let kept = before.iter().filter(|_| stays);
                let all = labels_of(kept.chain(added.iter()).map(|label| label.0).collect());
                if !resource_only(vertex) && all != before {
                    part.labels.push((self.order.ids[rank], all));
                }
            }
            part.vertex_properties = self.property_blocks(first as u32..last as u32)?;
            self.push(part, 0, 0)?;
        }
        Ok(())
    }

    /// Removals of the facets that single values of some vertices had, under a schema.
    fn old_facets(&self, ranks: &Range<u32>) -> Result<Vec<PropertyBlock<VertexId>>, LoadError> {
        let mut blocks = Vec::new();
        if !self.graph.has_schema() {
            return Ok(blocks);
        }
        let catalog = self.snapshot.catalog();
        for (number, name) in catalog.keys.iter().enumerate() {
            let Some((of, _)) = name.rsplit_once('|') else { continue };
            let Some(of) = self.graph.keys.find(of) else { continue };
            let values = self.graph.values[of as usize].values_of(ranks.clone());
            let owners: Vec<VertexId> =
                values.map(|own| self.order.ids[own.owner as usize]).collect();
            let key = KeyId(number as u32);
            let facets = self.snapshot.gather(Elements::Vertices(&owners), &[key])?.remove(0);
            let has_facet = |(row, _): &(usize, VertexId)| facets.get(*row).is_some();
            let owners = owners.into_iter().enumerate().filter(has_facet);
            let owners: Vec<VertexId> = owners.map(|(_, owner)| owner).collect();
            if !owners.is_empty() {
                let mut values = Column::default();
                owners.iter().for_each(|_| values.push_absent());
                blocks.push(PropertyBlock { key, owners, values });
            }
        }
        Ok(blocks)
    }

    fn property_blocks(
        &mut self,
        ranks: Range<u32>,
    ) -> Result<Vec<PropertyBlock<VertexId>>, LoadError> {
        // A new value has none of the facets of the one that it replaces.
        let mut blocks = self.old_facets(&ranks)?;
        for (number, (key, parts)) in self.keys.iter().zip(&self.graph.values).enumerate() {
            let (mut owners, mut values) = (Vec::new(), Column::default());
            for kept in parts.values_of(ranks.clone()) {
                owners.push(self.order.ids[kept.owner as usize]);
                push_from(&mut values, kept.column, kept.row);
            }
            if owners.is_empty() {
                continue;
            }
            let elements = Elements::Vertices(&owners);
            let earlier = self.snapshot.gather(elements, &[KeyId(*key)])?.remove(0);
            match self.graph.has_schema() {
                true if self.graph.is_list(self.graph.keys.text(number as u32)) => {
                    values = together(&earlier, &values);
                }
                false if self.graph.is_batch() => values = both(&earlier, &values),
                _ => self.replaced += differences(&earlier, &values),
            }
            blocks.push(PropertyBlock { key: KeyId(*key), owners, values });
        }
        Ok(blocks)
    }
}

/// The values of lists with those that they had before.
fn together(earlier: &Column, values: &Column) -> Column {
    let all = |row: usize| with_values(earlier.get(row).as_ref(), values.get(row).as_slice());
    Column::from_values((0..values.len()).map(|row| all(row).unwrap_or_default()))
}

/// How many values differ from those that were there.
fn differences(earlier: &Column, values: &Column) -> u64 {
    let differs =
        |row: &usize| earlier.get(*row).is_some_and(|known| values.get(*row) != Some(known));
    (0..values.len()).filter(differs).count() as u64
}

/// Values behind those that earlier batches stored: as if all had come in one.
fn both(earlier: &Column, values: &Column) -> Column {
    let both = (0..values.len()).map(|row| match (earlier.get(row), values.get(row)) {
        (Some(earlier), Some(value)) => behind(&earlier, &value),
        (earlier, value) => value.or(earlier).unwrap_or_default(),
    });
    Column::from_values(both)
}

/// The distinct values of both, in their order.
fn behind(earlier: &Value, value: &Value) -> Value {
    let (mut all, mut seen) = (Vec::new(), FxHashSet::default());
    for value in [earlier, value] {
        let several = match value {
            Value::List(values) => &values[..],
            value => std::slice::from_ref(value),
        };
        all.extend(several.iter().filter(|value| seen.insert(*value)).cloned());
    }
    if all.len() == 1 { all.remove(0) } else { Value::list(all) }
}

fn as_rows(ranks: &Range<u32>) -> Range<usize> {
    ranks.start as usize..ranks.end as usize
}
