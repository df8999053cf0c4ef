//! Outer ids in a transaction: the snapshot's, and those it chose itself.
//!
//! What a reader would get wrong: a transaction may be older than the index of outer ids. It learns
//! of the index when it chooses its first, and all entries it may see are then its own.

use std::sync::Arc;

use millrace_model::{Column, OUTER_KEY, Result, VertexId};

use super::Transaction;
use super::own_index::OwnIndex;
use super::patch::{Patch, patch_vertices, patched};
use super::spilled_part::PartSummary;
use super::view::View;
use super::write_set::WriteSet;
use crate::backend::Store;
use crate::changes::ReadUnit;
use crate::key_hash::hash_row;
use crate::limits::CHOSEN_AHEAD;
use crate::outer::{find_with, keys_of, make_index, shown};
use crate::snapshot::{Elements, Snapshot};

impl View<'_> {
    pub(super) fn outer_ids(&self, vertices: &[VertexId]) -> Result<Option<Vec<u64>>> {
        if self.set.catalog.outer_index().is_none() {
            return Ok(None);
        }
        let mut kept = self.snapshot.gather(Elements::Vertices(vertices), &[OUTER_KEY])?;
        // What was deleted here is shown as before: somebody may ask who it was that is gone.
        let mut patches = vec![Patch::Keep; vertices.len()];
        let touches = |part: &PartSummary| vertices.iter().any(|id| part.touches_values(*id));
        self.for_each_part(touches, |part| {
            patch_vertices(part, vertices, OUTER_KEY, &mut patches);
            Ok(())
        })?;
        Ok(Some(shown(vertices, &patched(std::mem::take(&mut kept[0]), patches))))
    }

    pub(super) fn find_outer(&self, ids: &[u64]) -> Result<Option<Vec<VertexId>>> {
        let Some(index) = self.set.catalog.outer_index() else { return Ok(None) };
        let kept = |slots: &[VertexId]| self.gather(Elements::Vertices(slots), &[OUTER_KEY]);
        find_with(ids, |keys, matches| self.seek(index.id, &[keys], matches), kept).map(Some)
    }
}

impl WriteSet {
    /// Knows the index of outer ids from here on. What the snapshot has, if it lacks the index, is
    /// shown under its slots.
    pub(super) fn learn_outer_index(&mut self, store: &dyn Store) -> Result<()> {
        if self.catalog.outer_index().is_none() {
            let index = make_index(store)?;
            self.indexes.push(OwnIndex::new(index.clone(), true));
            Arc::make_mut(&mut self.catalog).indexes.push(index);
        }
        Ok(())
    }

    /// Vertices were made that are shown under these ids.
    pub(super) fn insert_outer(&mut self, kept: &Column, vertices: &[VertexId]) {
        for index in self.indexes.iter_mut().filter(|own| own.declaration.is_of_outer_ids()) {
            vertices.iter().enumerate().for_each(|(row, id)| index.insert(&[kept], row, id.0));
        }
    }
}

impl Transaction {
    /// A vertex is shown under one id as long as it lives, so showing it reads nothing.
    pub(super) fn outer_ids_unread(&self, vertices: &[VertexId]) -> Result<Option<Vec<u64>>> {
        self.with_view(|view| view.outer_ids(vertices))
    }

    /// Notes that the ids were looked for. Before the first outer id, one that cannot be a slot may
    /// come with any vertex.
    pub(super) fn find_outer_reading(&self, ids: &[u64]) -> Result<Option<Vec<VertexId>>> {
        let catalog = self.catalog();
        match catalog.outer_index() {
            Some(index) => {
                let keys = keys_of(ids);
                let hashes = (0..ids.len()).filter_map(|row| hash_row(&[&keys], row));
                self.record(hashes.map(|hash| ReadUnit::Seek(index.id, hash)));
            }
            None => {
                let slots_end = self.snapshot.id_space().bound.saturating_add(CHOSEN_AHEAD);
                let is_far = ids.iter().any(|id| slots_end <= *id);
                self.record(is_far.then_some(ReadUnit::Label(None)).into_iter());
            }
        }
        self.with_view(|view| view.find_outer(ids))
    }
}
