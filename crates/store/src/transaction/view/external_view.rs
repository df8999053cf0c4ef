//! External ids in a transaction: the snapshot's, and those it chose itself.
//!
//! A transaction may be older than an index of external ids. It learns of the index when it chooses
//! its first external id, and all entries it may see are then its own.

use std::sync::Arc;

use millrace_model::external_id::decode_external;
use millrace_model::{Bits, Column, EXTERNAL_ID_KEY, EdgeId, ExternalId, Owner, Result, VertexId};

use crate::backend::{Store, make_index};
use crate::external_ids::{
    are_external, find_texts_with, find_with, id_values, internal_of_text, numbers, owner_of,
    with_elements,
};
use crate::reads::{Elements, SeekMatches};
use crate::transaction::state::own_index::OwnIndex;
use crate::transaction::state::spilled_part::PartSummary;
use crate::transaction::state::write_set::WriteSet;
use crate::transaction::view::View;
use crate::transaction::view::patch::{Patch, patch_edges, patch_vertices, patched};

impl View<'_> {
    /// The stored external ids of elements. A deleted element has its id as before: a query may
    /// return the id of a deleted element.
    fn kept_external(&self, elements: Elements<'_>) -> Result<Option<Column>> {
        if self.set.catalog.external_index_of(owner_of(elements)).is_none() {
            return Ok(None);
        }
        let mut kept = self.snapshot.gather(elements, &[EXTERNAL_ID_KEY])?;
        let mut patches = vec![Patch::Keep; elements.len()];
        let modifies = |part: &PartSummary| match elements {
            Elements::Vertices(ids) => ids.iter().any(|id| part.modifies_values(*id)),
            Elements::Edges(ids) => ids.iter().any(|id| part.modifies_edge_values(*id)),
        };
        self.for_each_part(modifies, |part| {
            match elements {
                Elements::Vertices(ids) => patch_vertices(part, ids, EXTERNAL_ID_KEY, &mut patches),
                Elements::Edges(ids) => patch_edges(part, ids, EXTERNAL_ID_KEY, &mut patches),
            }
            Ok(())
        })?;
        Ok(Some(patched(std::mem::take(&mut kept[0]), patches)))
    }

    pub(in crate::transaction) fn external_numbers(
        &self,
        elements: Elements<'_>,
    ) -> Result<Option<Vec<u64>>> {
        Ok(self.kept_external(elements)?.map(|kept| numbers(elements, &kept)))
    }

    pub(in crate::transaction) fn external_id_values(
        &self,
        elements: Elements<'_>,
    ) -> Result<Option<Column>> {
        Ok(self.kept_external(elements)?.map(|kept| id_values(elements, &kept)))
    }

    pub(in crate::transaction) fn find_numbers(
        &self,
        owner: Owner,
        ids: &[u64],
    ) -> Result<Option<Vec<u64>>> {
        let Some(index) = self.set.catalog.external_index_of(owner) else { return Ok(None) };
        let kept = |internal_ids: Elements<'_>| self.gather(internal_ids, &[EXTERNAL_ID_KEY]);
        let seek = |keys: &Column, matches: &mut SeekMatches| self.seek(index.id, &[keys], matches);
        let mut internal_ids = find_with(owner, ids, seek, kept)?;
        // A number that stands for a text is found where it was deleted here, to return the text.
        for (internal_id, id) in
            internal_ids.iter_mut().zip(ids).filter(|(internal_id, id)| internal_id == id)
        {
            let Some(place) = internal_of_text(owner, *id) else { continue };
            let kept = with_elements(owner, &[place], |gone| self.kept_external(gone))?;
            if kept
                .is_some_and(|kept| matches!(decode_external(&kept, 0), Some(ExternalId::Text(_))))
            {
                *internal_id = place;
            }
        }
        Ok(Some(internal_ids))
    }

    pub(in crate::transaction) fn find_texts(
        &self,
        owner: Owner,
        texts: &[Arc<str>],
    ) -> Result<Vec<Option<u64>>> {
        match self.set.catalog.external_index_of(owner) {
            None => Ok(vec![None; texts.len()]),
            Some(index) => {
                find_texts_with(texts, |keys, matches| self.seek(index.id, &[keys], matches))
            }
        }
    }

    /// Which of the internal ids have a number that is an external id here.
    pub(in crate::transaction) fn are_external(
        &self,
        owner: Owner,
        internal_ids: &[u64],
    ) -> Result<Bits> {
        match self.set.catalog.external_index_of(owner) {
            None => Ok(Bits::unset(internal_ids.len())),
            Some(index) => {
                are_external(internal_ids, |keys, matches| self.seek(index.id, &[keys], matches))
            }
        }
    }
}

impl WriteSet {
    /// Knows the index of external ids from here on. If the snapshot lacks the index, its elements
    /// are known by their internal ids.
    pub(in crate::transaction) fn learn_external_index(
        &mut self,
        store: &dyn Store,
        owner: Owner,
    ) -> Result<()> {
        if self.catalog.external_index_of(owner).is_none() {
            let index = make_index(store, owner)?;
            self.indexes.insert(index.id, OwnIndex::new(index.clone(), true));
            Arc::make_mut(&mut self.catalog).indexes.push(index);
        }
        Ok(())
    }

    /// Elements were made with these external ids.
    pub(in crate::transaction) fn insert_external(
        &mut self,
        owner: Owner,
        kept: &Column,
        internal_ids: &[u64],
    ) {
        let index = self.catalog.external_index_of(owner).map(|index| index.id);
        let Some(own) = index.and_then(|index| self.index_mut(index)) else { return };
        for (row, internal_id) in internal_ids.iter().enumerate() {
            // An index of whole values has one key of each.
            own.insert(&[kept], row, *internal_id);
        }
    }
}

/// Internal ids as they are counted: plain numbers.
pub(in crate::transaction) fn slots_of_vertices(vertices: &[VertexId]) -> Vec<u64> {
    vertices.iter().map(|vertex| vertex.0).collect()
}

/// Internal ids as they are counted: plain numbers.
pub(in crate::transaction) fn slots_of_edges(edges: &[EdgeId]) -> Vec<u64> {
    edges.iter().map(|edge| edge.0).collect()
}
