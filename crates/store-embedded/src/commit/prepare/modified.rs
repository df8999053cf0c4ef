//! Before and after: the elements a batch modifies, with the values that definitions look at.
//!
//! Rules are judged by the end state of a transaction, not by its steps, so two unique values may
//! be swapped. Only keys are read that some definition of a modified element's labels or type
//! names, and of indexes those alone that the batch can change: a batch pays for the definitions of what it
//! modifies, not for the schema.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use millrace_model::schema::IndexDefinition;
use millrace_model::{
    Catalog, Column, EXTERNAL_ID_KEY, EdgeId, EdgeTypeId, KeyId, LabelId, Owner, Result, Value,
    VertexId,
};
use millrace_store::constraint::{holds_labels, holds_type, vertex_owners};
use millrace_store::{Changes, Elements, Labels};

use super::parts::Parts;
use crate::graph::GraphView;

/// The labels or the type of an element, which decide the definitions that hold for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A vertex with these labels.
    Vertex(Labels),
    /// An edge of this type.
    Edge(EdgeTypeId),
}

impl Kind {
    /// Whether an owner's definitions hold for it.
    pub(crate) fn belongs_to(&self, owner: Owner) -> bool {
        match self {
            Kind::Vertex(labels) => holds_labels(owner, labels),
            Kind::Edge(edge_type) => holds_type(owner, *edge_type),
        }
    }
}

/// The modified vertices or edges of a batch.
#[derive(Debug, Default)]
pub(crate) struct Modified {
    /// Which, ascending.
    pub(crate) ids: Vec<u64>,
    /// The kind of each before; none if it was not there.
    pub(crate) kind_before: Vec<Option<Kind>>,
    /// The kind of each in the end; none if it is deleted.
    pub(crate) kind_after: Vec<Option<Kind>>,
    /// The owners whose definitions hold for some of them, before or in the end.
    pub(crate) owners: Vec<Owner>,
    keys: Vec<KeyId>,
    /// By key, then by element.
    before: Vec<Column>,
    after: Vec<Vec<Option<Value>>>,
}

fn labels_of(kind: &Option<Kind>) -> &[LabelId] {
    match kind {
        Some(Kind::Vertex(labels)) => labels,
        Some(Kind::Edge(_)) | None => &[],
    }
}

/// The owners whose definitions hold for some of these kinds, ascending.
fn owners_of(kinds: &HashSet<Kind>) -> Vec<Owner> {
    let owners = kinds.iter().flat_map(|kind| match kind {
        Kind::Vertex(labels) => vertex_owners(labels).collect::<Vec<_>>(),
        Kind::Edge(edge_type) => vec![Owner::EdgeType(*edge_type), Owner::AllEdges],
    });
    owners.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The keys of which elements get, change or lose values; none: elements go or change their labels, and so all count.
type ChangedKeys = Option<HashSet<KeyId>>;

fn changed_in_vertices(parts: Parts<'_>) -> Result<ChangedKeys> {
    let mut changed = Some(HashSet::new());
    parts.each(|part| {
        if !(part.labels.is_empty() && part.deleted_vertices.is_empty()) {
            changed = None;
        }
        if let Some(keys) = &mut changed {
            let created = part.vertices.iter().flat_map(|block| &block.properties);
            keys.extend(created.map(|(key, _)| *key));
            keys.extend(part.vertex_properties.iter().map(|block| block.key));
        }
        Ok(())
    })?;
    Ok(changed)
}

fn changed_in_edges(parts: Parts<'_>) -> Result<ChangedKeys> {
    let mut changed = Some(HashSet::new());
    parts.each(|part| {
        if !part.deleted_edges.is_empty() {
            changed = None;
        }
        if let Some(keys) = &mut changed {
            let created = part.edges.iter().flat_map(|block| &block.properties);
            keys.extend(created.map(|(key, _)| *key));
            keys.extend(part.edge_properties.iter().map(|block| block.key));
        }
        Ok(())
    })?;
    Ok(changed)
}

/// The keys that definitions of these owners name, ascending; of indexes that are as before, only with others.
fn keys_of(catalogs: [&Catalog; 2], owners: &[Owner], changed: &ChangedKeys) -> Vec<KeyId> {
    // An element without a chosen id has an entry, too.
    let is_of_ids =
        |index: &IndexDefinition| index.is_of_external_ids() || index.is_of_external_edge_ids();
    let may_change = |index: &&IndexDefinition| match changed {
        Some(changed) => is_of_ids(index) || index.keys.iter().any(|key| changed.contains(key)),
        None => true,
    };
    let mut keys = BTreeSet::new();
    for (catalog, owner) in catalogs.iter().flat_map(|own| owners.iter().map(move |o| (own, *o))) {
        keys.extend(catalog.enforced_of(owner).map(|property| property.key));
        let changing = catalog.maintained_of(owner).filter(may_change);
        keys.extend(changing.flat_map(|index| index.keys.iter().copied()));
    }
    keys.into_iter().collect()
}

impl Modified {
    /// The modified vertices of all parts, with the values of the keys that some of the catalogs define of them.
    pub(crate) fn vertices(
        view: &GraphView<'_>,
        parts: Parts<'_>,
        catalogs: [&Catalog; 2],
    ) -> Result<Modified> {
        let (mut ids, mut kinds) = (Vec::new(), HashSet::new());
        parts.each(|part| {
            let labels = part.vertices.iter().map(|block| &block.labels);
            let labels = labels.chain(part.labels.iter().map(|(_, labels)| labels));
            kinds.extend(labels.map(|labels| Kind::Vertex(Labels::clone(labels))));
            ids.extend(part.vertices.iter().flat_map(|block| block.ids.iter().map(|id| id.0)));
            ids.extend(part.labels.iter().map(|(vertex, _)| vertex.0));
            let owners = part.vertex_properties.iter().flat_map(|block| &block.owners);
            ids.extend(owners.map(|vertex| vertex.0));
            ids.extend(part.deleted_vertices.iter().map(|vertex| vertex.0));
            Ok(())
        })?;
        ids.sort_unstable();
        ids.dedup();
        let vertices: Vec<VertexId> = ids.iter().copied().map(VertexId).collect();
        let partitions = &view.graph.partitions;
        let exist = partitions.exist(view.at, Elements::Vertices(&vertices))?;
        let labels = partitions.labels(view.at, &vertices)?.into_iter().enumerate();
        let kind_before: Vec<Option<Kind>> =
            labels.map(|(row, labels)| exist.get(row).then_some(Kind::Vertex(labels))).collect();
        kinds.extend(kind_before.iter().flatten().cloned());
        let owners = owners_of(&kinds);
        let keys = keys_of(catalogs, &owners, &changed_in_vertices(parts)?);
        let before = partitions.gather(view.at, Elements::Vertices(&vertices), &keys)?;
        let mut modified = Modified::new(ids, kind_before, (owners, keys), before);
        parts.each(|part| {
            modified.change_vertices(part);
            Ok(())
        })?;
        Ok(modified)
    }

    /// The modified edges of all parts, with the values of the keys that some of the catalogs define of them.
    pub(crate) fn edges(
        view: &GraphView<'_>,
        parts: Parts<'_>,
        catalogs: [&Catalog; 2],
    ) -> Result<Modified> {
        let (mut ids, mut kinds) = (Vec::new(), HashSet::new());
        parts.each(|part| {
            kinds.extend(part.edges.iter().map(|block| Kind::Edge(block.edge_type)));
            ids.extend(part.edges.iter().flat_map(|block| block.ids.iter().map(|id| id.0)));
            let owners = part.edge_properties.iter().flat_map(|block| &block.owners);
            ids.extend(owners.map(|edge| edge.0));
            ids.extend(part.deleted_edges.iter().map(|ends| ends.edge.0));
            Ok(())
        })?;
        ids.sort_unstable();
        ids.dedup();
        let edges: Vec<EdgeId> = ids.iter().copied().map(EdgeId).collect();
        let partitions = &view.graph.partitions;
        let ends = partitions.ends(view.at, &edges)?;
        let types = ends.types.iter().enumerate();
        let kind_before: Vec<Option<Kind>> =
            types.map(|(row, kind)| ends.exist.get(row).then_some(Kind::Edge(*kind))).collect();
        kinds.extend(kind_before.iter().flatten().cloned());
        let owners = owners_of(&kinds);
        let keys = keys_of(catalogs, &owners, &changed_in_edges(parts)?);
        let before = partitions.gather(view.at, Elements::Edges(&edges), &keys)?;
        let mut modified = Modified::new(ids, kind_before, (owners, keys), before);
        parts.each(|part| {
            modified.change_edges(part);
            Ok(())
        })?;
        Ok(modified)
    }

    /// Whether a definition of a key may be one of some modified element.
    pub(crate) fn has_key(&self, key: KeyId) -> bool {
        self.place(key).is_some()
    }

    /// The values of keys of an element, before.
    pub(crate) fn values_before(&self, row: usize, keys: &[KeyId]) -> Vec<Option<Value>> {
        keys.iter().map(|key| self.place(*key).and_then(|at| self.before[at].get(row))).collect()
    }

    /// The values of keys of an element, in the end.
    pub(crate) fn values_after(&self, row: usize, keys: &[KeyId]) -> Vec<Option<Value>> {
        keys.iter().map(|key| self.place(*key).and_then(|at| self.after[at][row].clone())).collect()
    }

    /// Whether an element is deleted.
    pub(crate) fn goes(&self, id: u64) -> bool {
        self.ids.binary_search(&id).is_ok_and(|row| self.kind_after[row].is_none())
    }

    /// Whether an element is made, and no client chose its id.
    pub(crate) fn comes_unchosen(&self, row: usize) -> bool {
        let comes = self.kind_before[row].is_none() && self.kind_after[row].is_some();
        comes && self.values_after(row, &[EXTERNAL_ID_KEY])[0].is_none()
    }

    /// Every label that some modified element had or has.
    pub(crate) fn labels(&self) -> Vec<LabelId> {
        let mut labels: Vec<LabelId> = Vec::new();
        let mut last: Option<&Labels> = None;
        for kind in self.kind_before.iter().chain(&self.kind_after).flatten() {
            if let Kind::Vertex(own) = kind
                && last.is_none_or(|last| !Arc::ptr_eq(last, own))
            {
                labels.extend(own.iter().copied());
                last = Some(own);
            }
        }
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// Whether some vertex comes or goes, and the labels that some vertex gets or loses.
    pub(crate) fn changed_labels(&self) -> (bool, Vec<LabelId>) {
        let (mut some, mut labels) = (false, Vec::new());
        for (before, after) in self.kind_before.iter().zip(&self.kind_after) {
            some |= before.is_some() != after.is_some();
            let (before, after) = (labels_of(before), labels_of(after));
            labels.extend(before.iter().filter(|label| !after.contains(label)));
            labels.extend(after.iter().filter(|label| !before.contains(label)));
        }
        labels.sort_unstable();
        labels.dedup();
        (some, labels)
    }

    fn new(
        ids: Vec<u64>,
        kind_before: Vec<Option<Kind>>,
        (owners, keys): (Vec<Owner>, Vec<KeyId>),
        before: Vec<Column>,
    ) -> Modified {
        let after = before.iter().map(|column| (0..ids.len()).map(|row| column.get(row)).collect());
        let after = after.collect();
        let kind_after = kind_before.clone();
        Modified { ids, kind_after, kind_before, owners, keys, before, after }
    }

    fn change_vertices(&mut self, part: &Changes) {
        for block in &part.vertices {
            let kind = Kind::Vertex(block.labels.clone());
            self.create(block.ids.iter().map(|id| id.0), &kind, &block.properties);
        }
        for (vertex, labels) in &part.labels {
            let row = self.row(vertex.0);
            self.kind_after[row] = Some(Kind::Vertex(labels.clone()));
        }
        for block in &part.vertex_properties {
            self.set(block.owners.iter().map(|id| id.0), block.key, &block.values);
        }
        self.delete(part.deleted_vertices.iter().map(|vertex| vertex.0));
    }

    fn change_edges(&mut self, part: &Changes) {
        for block in &part.edges {
            let kind = Kind::Edge(block.edge_type);
            self.create(block.ids.iter().map(|id| id.0), &kind, &block.properties);
        }
        for block in &part.edge_properties {
            self.set(block.owners.iter().map(|id| id.0), block.key, &block.values);
        }
        self.delete(part.deleted_edges.iter().map(|ends| ends.edge.0));
    }

    fn create(&mut self, ids: impl Iterator<Item = u64>, kind: &Kind, columns: &[(KeyId, Column)]) {
        for (index, id) in ids.enumerate() {
            let row = self.row(id);
            self.kind_after[row] = Some(kind.clone());
            for (key, column) in columns {
                if let Some(place) = self.place(*key) {
                    self.after[place][row] = column.get(index);
                }
            }
        }
    }

    fn set(&mut self, ids: impl Iterator<Item = u64>, key: KeyId, values: &Column) {
        let Some(place) = self.place(key) else { return };
        for (index, id) in ids.enumerate() {
            let row = self.row(id);
            self.after[place][row] = values.get(index);
        }
    }

    fn delete(&mut self, ids: impl Iterator<Item = u64>) {
        for id in ids {
            let row = self.row(id);
            self.kind_after[row] = None;
            self.after.iter_mut().for_each(|values| values[row] = None);
        }
    }

    fn row(&self, id: u64) -> usize {
        self.ids.binary_search(&id).expect("every id of the parts is among the modified")
    }

    fn place(&self, key: KeyId) -> Option<usize> {
        self.keys.binary_search(&key).ok()
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::schema::IndexKind;
    use millrace_model::{CatalogChange, IndexId};

    use super::*;

    #[test]
    fn an_index_counts_if_a_key_of_it_changes_and_that_of_ids_always() {
        let mut catalog = Catalog::default();
        let owner = Owner::AllVertices;
        let keys = [vec![KeyId(1)], vec![KeyId(2), KeyId(3)], vec![EXTERNAL_ID_KEY]];
        for (number, keys) in (0..).zip(keys) {
            let index = IndexDefinition::new(owner, keys, IndexKind::Unique);
            let id = IndexId(number);
            catalog.apply(&CatalogChange::CreateIndex(IndexDefinition { id, ..index }));
        }
        let of = |changed: &[KeyId]| {
            let changed = Some(changed.iter().copied().collect());
            keys_of([&catalog, &catalog], &[owner], &changed)
        };
        let all = keys_of([&catalog, &catalog], &[owner], &None);
        assert_eq!(all.len(), 4);
        assert_eq!(of(&[]), [EXTERNAL_ID_KEY]);
        let sorted = |mut keys: Vec<KeyId>| {
            keys.sort_unstable();
            keys
        };
        assert_eq!(of(&[KeyId(1)]), sorted(vec![KeyId(1), EXTERNAL_ID_KEY]));
        assert_eq!(of(&[KeyId(3)]), sorted(vec![KeyId(2), KeyId(3), EXTERNAL_ID_KEY]));
    }

    #[test]
    fn the_keys_of_a_batch_are_those_defined_for_what_it_modifies() {
        let [person, city] = [LabelId(1), LabelId(2)].map(Owner::Label);
        let of_all = (Owner::AllVertices, EXTERNAL_ID_KEY);
        let defined = [(city, KeyId(7)), (person, KeyId(9)), (person, KeyId(8)), of_all];
        let mut catalog = Catalog::default();
        catalog.properties.extend(defined.map(|(owner, key)| {
            let (kind, required) = (millrace_model::PropertyType::Any, false);
            millrace_model::schema::PropertyDefinition { owner, key, kind, required }
        }));
        let empty = Catalog::default();
        let of = |kinds| keys_of([&catalog, &empty], &owners_of(&kinds), &None);
        let kinds = |sets: &[&[LabelId]]| -> HashSet<Kind> {
            sets.iter().map(|labels| Kind::Vertex(Labels::from(*labels))).collect()
        };
        let people = of(kinds(&[&[LabelId(1), LabelId(3)], &[]]));
        assert!(people.is_sorted() && people.contains(&KeyId(8)) && people.contains(&KeyId(9)));
        assert!(people.contains(&EXTERNAL_ID_KEY) && !people.contains(&KeyId(7)));
        assert_eq!(of(kinds(&[&[]])), [EXTERNAL_ID_KEY]);
        assert_eq!(of(kinds(&[])), []);
    }
}
