//! Changes applied to a copy of a version, then judged as a whole by the defined rules.
//!
//! Rules are checked on the end state of a transaction, not on its steps, so two unique values may
//! be swapped.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{
    CatalogChange, Column, Direction, EXTERNAL_ID_KEY, EdgeId, ExternalId, IndexId, KeyId, Owner,
    Result, VertexId,
};

use super::graph_version::{EdgeRecord, GraphVersion, IndexKey, Properties, VertexRecord};
use crate::changes::{Changes, EdgeBlock, PropertyBlock, VertexBlock};
use crate::constraint;

/// The elements a transaction changed.
#[derive(Default)]
pub(super) struct Modified {
    pub(super) vertices: BTreeSet<VertexId>,
    pub(super) edges: BTreeSet<EdgeId>,
    pub(super) owners: BTreeSet<Owner>,
}

impl GraphVersion {
    pub(super) fn apply(
        &mut self,
        changes: &Changes,
        next_index: &mut u32,
        modified: &mut Modified,
    ) -> Result<()> {
        self.change_catalog(&changes.catalog, next_index, modified);
        for block in &changes.vertices {
            self.create_vertices(block, modified)?;
        }
        for block in &changes.edges {
            self.create_edges(block, modified)?;
        }
        for (vertex, labels) in &changes.labels {
            self.vertex_mut(*vertex, modified)?.labels = labels.clone();
        }
        for block in &changes.vertex_properties {
            for (row, owner) in block.owners.iter().enumerate() {
                set(&mut self.vertex_mut(*owner, modified)?.properties, block, row);
            }
        }
        for block in &changes.edge_properties {
            for (row, owner) in block.owners.iter().enumerate() {
                set(&mut self.edge_mut(*owner, modified)?.properties, block, row);
            }
        }
        for edge in &changes.deleted_edges {
            self.delete_edge(edge.edge, modified)?;
        }
        changes.deleted_vertices.iter().try_for_each(|vertex| self.delete_vertex(*vertex, modified))
    }

    /// The indexes follow the modified elements, and every defined rule must hold in the end.
    pub(super) fn derive_indexes(
        &mut self,
        before: &GraphVersion,
        modified: &Modified,
    ) -> Result<()> {
        let catalog = self.catalog.clone();
        let indexes = Arc::make_mut(&mut self.indexes);
        indexes.retain(|id, _| catalog.indexes.get(id).is_some());
        for index in &catalog.indexes {
            let ids = if before.catalog.indexes.get(&index.id).is_some() {
                modified.ids(index.owner)
            } else {
                self.candidates(index.owner)
            };
            self.derive_index(before, index, &ids)?;
        }
        self.check_sets(before, modified)?;
        self.check_external_ids(modified)?;
        self.check_properties(modified)
    }

    /// No two elements have one external number: the own number of one without an external id, no
    /// other one has as its external id.
    fn check_external_ids(&self, modified: &Modified) -> Result<()> {
        let of_vertex = |id: u64| self.vertices.get(&VertexId(id)).map(|own| &own.properties);
        let vertices = modified.vertices.iter().map(|vertex| vertex.0);
        self.check_numbers(Owner::AllVertices, vertices, of_vertex)?;
        let of_edge = |id: u64| self.edges.get(&EdgeId(id)).map(|own| &own.properties);
        self.check_numbers(Owner::AllEdges, modified.edges.iter().map(|edge| edge.0), of_edge)
    }

    fn check_numbers<'g>(
        &self,
        owner: Owner,
        modified: impl Iterator<Item = u64>,
        properties_of: impl Fn(u64) -> Option<&'g Properties>,
    ) -> Result<()> {
        let Some(index) = self.catalog.external_index_of(owner) else { return Ok(()) };
        let entries = &self.indexes[&index.id];
        for (id, properties) in modified.filter_map(|id| Some((id, properties_of(id)?))) {
            let own = properties.get(&EXTERNAL_ID_KEY).and_then(ExternalId::of_stored);
            let clashes = match &own {
                None => entries.contains_key(&IndexKey(vec![ExternalId::Number(id).to_stored()])),
                Some(ExternalId::Number(number)) => properties_of(*number)
                    .is_some_and(|other| !other.contains_key(&EXTERNAL_ID_KEY)),
                Some(ExternalId::Text(_)) => false,
            };
            if clashes {
                return Err(match own {
                    None => constraint::number_chosen(owner, id),
                    Some(id) => constraint::id_exists(owner, &id),
                });
            }
        }
        Ok(())
    }

    /// No second edge from a source to a target, in types that are sets.
    fn check_sets(&self, before: &GraphVersion, modified: &Modified) -> Result<()> {
        for edge_type in &self.catalog.sets {
            let edges: Vec<EdgeId> = match before.catalog.is_set(*edge_type) {
                true => modified.edges.iter().copied().collect(),
                false => self.edges.keys().copied().collect(),
            };
            let records = edges.iter().filter_map(|edge| self.edges.get(edge));
            for edge in records.filter(|edge| edge.edge_type == *edge_type) {
                let key = (*edge_type, Direction::Out, edge.source);
                let first = (edge.target, EdgeId(0));
                let list = self.lists[&key].range(first..);
                if 1 < list.take_while(|entry| entry.0 == edge.target).count() {
                    let pair = (edge.source, edge.target);
                    return Err(constraint::second_edge(&self.catalog, *edge_type, pair));
                }
            }
        }
        Ok(())
    }

    fn check_properties(&self, modified: &Modified) -> Result<()> {
        let catalog = &self.catalog;
        for defined in &catalog.properties {
            let ids = if modified.owners.contains(&defined.owner) {
                self.candidates(defined.owner)
            } else {
                modified.ids(defined.owner)
            };
            let owned = |id: &u64| Some((*id, self.owned(defined.owner, *id)?));
            for (id, properties) in ids.iter().filter_map(owned) {
                match properties.get(&defined.key).filter(|value| !value.is_null()) {
                    None if defined.required => {
                        return Err(constraint::missing(catalog, defined, id));
                    }
                    None => {}
                    Some(value) => constraint::check_form(catalog, defined, value, id)?,
                }
            }
        }
        Ok(())
    }

    fn derive_index(
        &mut self,
        before: &GraphVersion,
        index: &IndexDefinition,
        ids: &[u64],
    ) -> Result<()> {
        let fresh = ids.iter().map(|id| self.fitting_keys(index, *id));
        let fresh: Vec<_> = fresh.collect::<Result<_>>()?;
        let entries = Arc::make_mut(&mut self.indexes).entry(index.id).or_default();
        for id in ids {
            for key in before.index_keys(index, *id) {
                let Some(owners) = entries.get_mut(&key) else { continue };
                owners.remove(id);
                if owners.is_empty() {
                    entries.remove(&key);
                }
            }
        }
        let fresh = ids.iter().zip(fresh);
        for (id, key) in fresh.flat_map(|(id, keys)| keys.into_iter().map(move |key| (id, key))) {
            let owners = entries.entry(key.clone()).or_default();
            owners.insert(*id);
            if index.kind == IndexKind::Unique && 1 < owners.len() {
                let other = owners.iter().copied().find(|other| other != id).unwrap_or(*id);
                return Err(constraint::duplicate(&self.catalog, index, (other, None), &key.0));
            }
        }
        Ok(())
    }

    fn change_catalog(
        &mut self,
        changes: &[CatalogChange],
        next_index: &mut u32,
        modified: &mut Modified,
    ) {
        if changes.is_empty() {
            return;
        }
        let catalog = Arc::make_mut(&mut self.catalog);
        if !changes.iter().all(CatalogChange::is_note) {
            catalog.version += 1;
        }
        for change in changes {
            // No transaction that began before the first external id has written one.
            let is_of_external_ids =
                matches!(change, CatalogChange::CreateIndex(index) if index.is_of_external_ids());
            if let Some(owner) = catalog.owner_of(change).filter(|_| !is_of_external_ids) {
                modified.owners.insert(owner);
            }
            if let CatalogChange::CreateIndex(index) = change {
                let index = IndexDefinition { id: IndexId(*next_index), ..index.clone() };
                *next_index += 1;
                catalog.apply(&CatalogChange::CreateIndex(index));
            } else {
                catalog.apply(change);
            }
        }
    }

    fn create_vertices(&mut self, block: &VertexBlock, modified: &mut Modified) -> Result<()> {
        let vertices = Arc::make_mut(&mut self.vertices);
        for (row, vertex) in block.ids.iter().enumerate() {
            let properties = row_properties(&block.properties, row);
            let record = VertexRecord { labels: block.labels.clone(), properties };
            if vertices.insert(*vertex, record).is_some() {
                return Err(constraint::vertex_exists(*vertex));
            }
            self.id_bound = self.id_bound.max(vertex.0.saturating_add(1));
            modified.vertices.insert(*vertex);
        }
        Ok(())
    }

    fn create_edges(&mut self, block: &EdgeBlock, modified: &mut Modified) -> Result<()> {
        for (row, edge) in block.ids.iter().enumerate() {
            let (edge_type, source, target) =
                (block.edge_type, block.sources[row], block.targets[row]);
            for end in [source, target] {
                if !self.vertices.contains_key(&end) {
                    return Err(constraint::no_such(format!("vertex {end}, end of an edge,")));
                }
            }
            let properties = row_properties(&block.properties, row);
            let record = EdgeRecord { edge_type, source, target, properties };
            Arc::make_mut(&mut self.edges).insert(*edge, record);
            let lists = Arc::make_mut(&mut self.lists);
            let out = lists.entry((edge_type, Direction::Out, source)).or_default();
            out.insert((target, *edge));
            lists.entry((edge_type, Direction::In, target)).or_default().insert((source, *edge));
            modified.edges.insert(*edge);
        }
        Ok(())
    }

    fn vertex_mut(&mut self, id: VertexId, modified: &mut Modified) -> Result<&mut VertexRecord> {
        modified.vertices.insert(id);
        let vertex = Arc::make_mut(&mut self.vertices).get_mut(&id);
        vertex.ok_or_else(|| constraint::no_such(format!("vertex {id}")))
    }

    fn edge_mut(&mut self, id: EdgeId, modified: &mut Modified) -> Result<&mut EdgeRecord> {
        modified.edges.insert(id);
        let edge = Arc::make_mut(&mut self.edges).get_mut(&id);
        edge.ok_or_else(|| constraint::no_such(format!("edge {id}")))
    }

    fn delete_edge(&mut self, id: EdgeId, modified: &mut Modified) -> Result<()> {
        let edge = Arc::make_mut(&mut self.edges).remove(&id);
        let edge = edge.ok_or_else(|| constraint::no_such(format!("edge {id}")))?;
        let lists = Arc::make_mut(&mut self.lists);
        let out = (edge.edge_type, Direction::Out, edge.source);
        let into = (edge.edge_type, Direction::In, edge.target);
        for (key, entry) in [(out, (edge.target, id)), (into, (edge.source, id))] {
            let list = lists.get_mut(&key).expect("an edge is in the lists of both ends");
            list.remove(&entry);
            if list.is_empty() {
                lists.remove(&key);
            }
        }
        modified.edges.insert(id);
        Ok(())
    }

    fn delete_vertex(&mut self, id: VertexId, modified: &mut Modified) -> Result<()> {
        let halves = [Direction::Out, Direction::In];
        let types = self.types(None);
        let mut lists = types.iter().flat_map(|kind| halves.map(|half| (*kind, half, id)));
        if lists.any(|key| self.lists.contains_key(&key)) {
            return Err(constraint::still_connected(id, false));
        }
        modified.vertices.insert(id);
        let vertex = Arc::make_mut(&mut self.vertices).remove(&id);
        vertex.map(|_| ()).ok_or_else(|| constraint::no_such(format!("vertex {id}")))
    }
}

impl Modified {
    pub(super) fn ids(&self, owner: Owner) -> Vec<u64> {
        match owner {
            Owner::EdgeType(_) | Owner::AllEdges => self.edges.iter().map(|edge| edge.0).collect(),
            Owner::Label(_) | Owner::AllVertices => {
                self.vertices.iter().map(|vertex| vertex.0).collect()
            }
        }
    }
}

fn row_properties(columns: &[(KeyId, Column)], row: usize) -> Properties {
    columns.iter().filter_map(|(key, column)| Some((*key, column.get(row)?))).collect()
}

fn set<Id>(properties: &mut Properties, block: &PropertyBlock<Id>, row: usize) {
    match block.values.get(row) {
        Some(value) => properties.insert(block.key, value),
        None => properties.remove(&block.key),
    };
}
