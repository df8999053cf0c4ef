//! The snapshot and the write set as one graph.
//!
//! Spilled parts are read oldest first and the open part last, so a later value replaces an earlier
//! one.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{
    Bits, Column, EXTERNAL_ID_KEY, EdgeId, EdgeTypeId, IndexId, KeyId, LabelId, Result, VertexId,
};

use crate::changes::{EdgeEnds, Labels};
use crate::reads::{Elements, Ends, SeekMatches};
use crate::snapshot::Snapshot;
use crate::transaction::state::part::Part;
use crate::transaction::state::spilled_part::PartSummary;
use crate::transaction::state::write_set::WriteSet;
use crate::transaction::view::patch::{
    Patch, patch_edges, patch_vertices, patched, patched_fields,
};

#[derive(Clone, Copy)]
pub(in crate::transaction) struct View<'a> {
    pub(in crate::transaction) snapshot: &'a dyn Snapshot,
    pub(in crate::transaction) set: &'a WriteSet,
}

impl View<'_> {
    /// Visits the spilled parts that may matter, oldest first, then the open part.
    pub(in crate::transaction) fn for_each_part(
        &self,
        modifies: impl Fn(&PartSummary) -> bool,
        mut visit: impl FnMut(&Part) -> Result<()>,
    ) -> Result<()> {
        for at in 0..self.set.spilled.len() {
            if modifies(&self.set.spilled[at].summary) {
                visit(&*self.load(at)?)?;
            }
        }
        visit(&self.set.open)
    }

    pub(in crate::transaction) fn load(&self, at: usize) -> Result<Arc<Part>> {
        self.set.loaded.get(at, || {
            let changes = self.set.spilled[at].changes.read()?;
            Ok(Part::loaded(changes, |edge| self.set.dead_edges.contains_key(&edge)))
        })
    }

    pub(in crate::transaction) fn count_vertices(&self, label: Option<LabelId>) -> Result<u64> {
        let counts = &self.set.counts;
        let difference = match label {
            None => counts.vertices,
            Some(label) => counts.labels.get(&label).copied().unwrap_or(0),
        };
        Ok(self.snapshot.count_vertices(label)?.saturating_add_signed(difference))
    }

    pub(in crate::transaction) fn count_edges(&self, edge_type: Option<EdgeTypeId>) -> Result<u64> {
        let counts = &self.set.counts.edges;
        let difference = match edge_type {
            None => counts.values().sum(),
            Some(edge_type) => counts.get(&edge_type).copied().unwrap_or(0),
        };
        Ok(self.snapshot.count_edges(edge_type)?.saturating_add_signed(difference))
    }

    pub(in crate::transaction) fn seek(
        &self,
        index: IndexId,
        keys: &[&Column],
        matches: &mut SeekMatches,
    ) -> Result<()> {
        let Some(own) = self.set.index(index) else {
            return self.snapshot.seek(index, keys, matches);
        };
        if own.is_unmodified() && !own.whole {
            return self.snapshot.seek(index, keys, matches);
        }
        let mut before = SeekMatches::default();
        if !own.whole {
            self.snapshot.seek(index, keys, &mut before)?;
        }
        let mut before = before.rows.into_iter().zip(before.ids).peekable();
        let mut ids = Vec::new();
        for row in 0..keys.first().map_or(0, |column| column.len()) as u32 {
            ids.extend(own.find(keys, row as usize));
            while let Some((_, id)) = before.next_if(|(found, _)| *found == row) {
                if !own.changed.contains(&id) {
                    ids.push(id);
                }
            }
            ids.sort_unstable();
            matches.rows.extend(ids.iter().map(|_| row));
            matches.ids.append(&mut ids);
        }
        Ok(())
    }

    pub(in crate::transaction) fn exist(&self, elements: Elements<'_>) -> Result<Bits> {
        if self.set.is_empty() {
            return self.snapshot.exist(elements);
        }
        let mut exist = self.snapshot.exist(elements)?;
        match elements {
            Elements::Vertices(ids) => {
                for (row, id) in ids.iter().enumerate() {
                    if self.set.created.is_alive(*id) {
                        exist.insert(row);
                    } else if self.is_gone(*id) {
                        exist.remove(row);
                    }
                }
            }
            Elements::Edges(ids) => {
                let own = self.own_ends(ids)?;
                for (row, id) in ids.iter().enumerate() {
                    if own[row].is_some() {
                        exist.insert(row);
                    } else if self.set.deleted_edges.contains_key(id) {
                        exist.remove(row);
                    }
                }
            }
        }
        Ok(exist)
    }

    pub(in crate::transaction) fn labels(&self, vertices: &[VertexId]) -> Result<Vec<Labels>> {
        if self.set.is_empty() {
            return self.snapshot.labels(vertices);
        }
        let mut labels = self.snapshot.labels(vertices)?;
        for (vertex, labels) in vertices.iter().zip(&mut labels) {
            if self.is_gone(*vertex) {
                *labels = Labels::default();
            } else if let Some(now) = self.labels_now(*vertex) {
                *labels = now.clone();
            }
        }
        Ok(labels)
    }

    pub(in crate::transaction) fn have_label(
        &self,
        vertices: &[VertexId],
        label: LabelId,
    ) -> Result<Bits> {
        let mut have = self.snapshot.have_label(vertices, label)?;
        if self.set.is_empty() {
            return Ok(have);
        }
        for (row, vertex) in vertices.iter().enumerate() {
            if self.is_gone(*vertex) {
                have.remove(row);
            } else if let Some(now) = self.labels_now(*vertex) {
                have.set(row, now.contains(&label));
            }
        }
        Ok(have)
    }

    /// The labels that the write set gives a vertex.
    fn labels_now(&self, vertex: VertexId) -> Option<&Labels> {
        self.set.relabelled.get(&vertex).or_else(|| self.set.created.labels(vertex))
    }

    pub(in crate::transaction) fn ends(&self, edges: &[EdgeId]) -> Result<Ends> {
        if self.set.is_empty() {
            return self.snapshot.ends(edges);
        }
        let mut ends = self.snapshot.ends(edges)?;
        let own = self.own_ends(edges)?;
        for (row, edge) in edges.iter().enumerate() {
            let now = if self.set.deleted_edges.contains_key(edge) {
                EdgeEnds { edge: *edge, ..EdgeEnds::default() }
            } else if let Some(own) = own[row] {
                own
            } else {
                continue;
            };
            ends.exist.set(row, own[row].is_some());
            ends.types[row] = now.edge_type;
            ends.sources[row] = now.source;
            ends.targets[row] = now.target;
        }
        Ok(ends)
    }

    pub(in crate::transaction) fn gather(
        &self,
        elements: Elements<'_>,
        keys: &[KeyId],
    ) -> Result<Vec<Column>> {
        if self.set.is_empty() {
            return self.snapshot.gather(elements, keys);
        }
        let base = self.snapshot.gather(elements, keys)?;
        let patches = self.patches(elements, keys)?;
        let pairs = base.into_iter().zip(patches);
        Ok(pairs.map(|(column, patches)| patched(column, patches)).collect())
    }

    pub(in crate::transaction) fn fields(
        &self,
        elements: Elements<'_>,
    ) -> Result<Vec<Arc<[Field]>>> {
        if self.set.is_empty() {
            return self.snapshot.fields(elements);
        }
        let mut fields = self.snapshot.fields(elements)?;
        let mut keys: BTreeSet<KeyId> = self.set.open.keys();
        keys.extend(self.set.spilled.iter().flat_map(|part| &part.summary.keys));
        keys.remove(&EXTERNAL_ID_KEY);
        let keys: Vec<_> = keys.into_iter().collect();
        let patches = self.patches(elements, &keys)?;
        for (row, fields) in fields.iter_mut().enumerate() {
            if self.is_unread(elements, row) {
                *fields = Arc::from([]);
            } else if patches.iter().any(|column| matches!(column[row], Patch::Set(_))) {
                let patches = keys.iter().zip(patches.iter().map(|column| &column[row]));
                *fields = patched_fields(fields, patches);
            }
        }
        Ok(fields)
    }

    /// Type and ends of the edges among these that were created here and live.
    pub(in crate::transaction) fn own_ends(
        &self,
        edges: &[EdgeId],
    ) -> Result<Vec<Option<EdgeEnds>>> {
        let mut ends = vec![None; edges.len()];
        let modifies = |part: &PartSummary| edges.iter().any(|edge| part.created_edge(*edge));
        self.for_each_part(modifies, |part| {
            for (edge, ends) in edges.iter().zip(&mut ends) {
                *ends = ends.or_else(|| part.index.ends(&part.changes, *edge));
            }
            Ok(())
        })?;
        Ok(ends)
    }

    /// Whether a vertex was deleted here, wherever it came from.
    pub(in crate::transaction) fn is_gone(&self, vertex: VertexId) -> bool {
        self.set.deleted_vertices.contains(&vertex) || self.set.created.is_dead(vertex)
    }

    fn is_unread(&self, elements: Elements<'_>, row: usize) -> bool {
        match elements {
            Elements::Vertices(ids) => self.is_gone(ids[row]),
            Elements::Edges(ids) => {
                self.set.deleted_edges.contains_key(&ids[row])
                    || self.set.dead_edges.contains_key(&ids[row])
            }
        }
    }

    /// For each key, the write set's change of each element.
    fn patches(&self, elements: Elements<'_>, keys: &[KeyId]) -> Result<Vec<Vec<Patch>>> {
        let mut patches = vec![vec![Patch::Keep; elements.len()]; keys.len()];
        let modifies = |part: &PartSummary| match elements {
            Elements::Vertices(ids) => ids.iter().any(|id| part.modifies_values(*id)),
            Elements::Edges(ids) => ids.iter().any(|id| part.modifies_edge_values(*id)),
        };
        self.for_each_part(modifies, |part| {
            for (key, patches) in keys.iter().zip(&mut patches) {
                match elements {
                    Elements::Vertices(ids) => patch_vertices(part, ids, *key, patches),
                    Elements::Edges(ids) => patch_edges(part, ids, *key, patches),
                }
            }
            Ok(())
        })?;
        for row in (0..elements.len()).filter(|row| self.is_unread(elements, *row)) {
            patches.iter_mut().for_each(|column| column[row] = Patch::Set(None));
        }
        Ok(patches)
    }
}
