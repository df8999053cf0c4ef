//! A change of the model as the store takes it.

use std::sync::Arc;

use millrace_model::external_id::{encode_external, encode_ids};
use millrace_model::{
    Catalog, CatalogChange, Column, EXTERNAL_ID_KEY, EdgeId, LabelId, Value, VertexId,
};
use millrace_store::{Changes, EdgeBlock, EdgeEnds, Labels, PropertyBlock, VertexBlock};

use super::edge_choice::choice;
use super::model::{Change, Edge, LABELS, TYPES, Vertex};
use super::schema::{Key, Names, value};

impl Change {
    /// The same for the store. `catalog` is the one of the snapshot the change was made from.
    pub(super) fn for_store(&self, names: Names, catalog: &Catalog) -> Changes {
        let vertex_properties = [
            property(names, Key::Age, &self.ages),
            property(names, Key::Name, &numbers(&self.names)),
        ];
        let vertex_properties = vertex_properties.into_iter().flatten();
        let edge_properties = property(names, Key::Weight, &self.weights);
        Changes {
            catalog: self.catalog_changes(names, catalog),
            vertices: self.vertices.iter().map(|created| vertex_block(names, created)).collect(),
            edges: (0..TYPES).filter_map(|kind| self.edge_block(names, kind)).collect(),
            labels: self
                .labels
                .iter()
                .map(|(id, labels)| (VertexId(*id), labels_of(names, *labels)))
                .collect(),
            vertex_properties: vertex_properties
                .map(|(key, ids, values)| PropertyBlock {
                    key,
                    owners: ids.into_iter().map(VertexId).collect(),
                    values,
                })
                .collect(),
            edge_properties: edge_properties
                .into_iter()
                .map(|(key, ids, values)| PropertyBlock {
                    key,
                    owners: ids.into_iter().map(EdgeId).collect(),
                    values,
                })
                .collect(),
            deleted_edges: self.deleted_edges.iter().map(|edge| ends(names, edge)).collect(),
            deleted_vertices: self.deleted_vertices.iter().copied().map(VertexId).collect(),
        }
    }

    fn catalog_changes(&self, names: Names, catalog: &Catalog) -> Vec<CatalogChange> {
        let creates = self.creates.iter();
        let creates = creates.map(|index| CatalogChange::CreateIndex(names.definition(*index)));
        let drops = self
            .drops
            .iter()
            .filter_map(|index| Some(CatalogChange::DropIndex(names.defined(catalog, *index)?.id)));
        let rules = self.rules.iter();
        let rules = rules.map(|rule| CatalogChange::CreateProperty(names.rule(*rule)));
        let dropped = self.dropped_rules.iter().map(|rule| names.rule(*rule));
        let dropped = dropped.map(|rule| CatalogChange::DropProperty(rule.owner, rule.key));
        creates.chain(drops).chain(rules).chain(dropped).collect()
    }

    fn edge_block(&self, names: Names, kind: usize) -> Option<EdgeBlock> {
        let of_kind: Vec<_> = self.edges.iter().filter(|(_, edge)| edge.kind == kind).collect();
        if of_kind.is_empty() {
            return None;
        }
        let weights = of_kind.iter().map(|(_, edge)| edge.weight);
        let external = of_kind.iter().map(|(_, edge)| edge.external.map(choice));
        let has_external = of_kind.iter().any(|(_, edge)| edge.external.is_some());
        let external = has_external.then(|| (EXTERNAL_ID_KEY, encode_ids(external)));
        Some(EdgeBlock {
            edge_type: names.types[kind],
            ids: of_kind.iter().filter_map(|(id, _)| id.map(EdgeId)).collect(),
            sources: of_kind.iter().map(|(_, edge)| VertexId(edge.source)).collect(),
            targets: of_kind.iter().map(|(_, edge)| VertexId(edge.target)).collect(),
            properties: [(names.weight, column(Key::Weight, weights))]
                .into_iter()
                .chain(external)
                .collect(),
        })
    }
}

type Block = (millrace_model::KeyId, Vec<u64>, Column);

fn property(names: Names, key: Key, values: &[(u64, Option<i64>)]) -> Option<Block> {
    if values.is_empty() {
        return None;
    }
    let ids = values.iter().map(|(id, _)| *id).collect();
    Some((names.key(key), ids, column(key, values.iter().map(|(_, value)| *value))))
}

fn numbers(names: &[(u64, Option<u8>)]) -> Vec<(u64, Option<i64>)> {
    names.iter().map(|(id, name)| (*id, name.map(i64::from))).collect()
}

fn vertex_block(names: Names, (id, vertex): &(u64, Vertex)) -> VertexBlock {
    let external = vertex
        .external
        .map(|external| (EXTERNAL_ID_KEY, encode_external([Some(external)].into_iter())));
    VertexBlock {
        labels: labels_of(names, vertex.labels),
        ids: vec![VertexId(*id)],
        properties: [
            (names.age, column(Key::Age, [vertex.age])),
            (names.name, column(Key::Name, [vertex.name.map(i64::from)])),
        ]
        .into_iter()
        .chain(external)
        .collect(),
    }
}

fn ends(names: Names, (id, edge): &(u64, Edge)) -> EdgeEnds {
    EdgeEnds {
        edge: EdgeId(*id),
        edge_type: names.types[edge.kind],
        source: VertexId(edge.source),
        target: VertexId(edge.target),
    }
}

/// The labels, ascending by number.
pub(super) fn labels_of(names: Names, has: [bool; LABELS]) -> Labels {
    let mut labels: Vec<LabelId> =
        (0..LABELS).filter(|label| has[*label]).map(|label| names.labels[label]).collect();
    labels.sort_unstable();
    Arc::from(labels)
}

/// A column of these values; absent where there is none.
pub(super) fn column(key: Key, values: impl IntoIterator<Item = Option<i64>>) -> Column {
    let mut column = Column::default();
    let entry = |number: Option<i64>| -> Option<Value> { number.map(|n| value(key, n)) };
    values.into_iter().for_each(|number| column.push_entry(entry(number)));
    column
}
