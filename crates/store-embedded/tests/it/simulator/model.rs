//! The graph as the judge knows it: maps, and what each commit does to them.

use std::collections::BTreeMap;

use millrace_model::schema::{IndexDeclaration, IndexKind};
use millrace_model::{
    CatalogChange, Column, EdgeId, EdgeTypeId, IndexId, KeyId, LabelId, Owner, Value, VertexId,
};
use millrace_store::{Changes, EdgeBlock, EdgeEnds, Labels, PropertyBlock, VertexBlock};

/// The names of the graph, by number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    pub(super) person: LabelId,
    pub(super) types: [EdgeTypeId; 2],
    pub(super) age: KeyId,
    pub(super) weight: KeyId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Vertex {
    pub(super) is_person: bool,
    pub(super) age: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) kind: usize,
    pub(super) source: u64,
    pub(super) target: u64,
    pub(super) weight: Option<i64>,
}

/// A graph at one position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Model {
    pub(super) vertices: BTreeMap<u64, Vertex>,
    pub(super) edges: BTreeMap<u64, Edge>,
    /// Whether there is an index of the ages of persons.
    pub(super) indexed: bool,
}

/// What one commit does.
#[derive(Clone, Debug, Default)]
pub(super) struct Change {
    pub(super) vertices: Vec<(u64, Vertex)>,
    /// Without ids in a bulk load, until they are read back.
    pub(super) edges: Vec<(Option<u64>, Edge)>,
    pub(super) labels: Vec<(u64, bool)>,
    pub(super) ages: Vec<(u64, Option<i64>)>,
    pub(super) weights: Vec<(u64, Option<i64>)>,
    pub(super) deleted_edges: Vec<(u64, Edge)>,
    pub(super) deleted_vertices: Vec<u64>,
    pub(super) declares: bool,
}

impl Model {
    /// The graph after a change. The error is a change that must never have been accepted.
    pub(super) fn after(&self, change: &Change) -> Result<Model, String> {
        let mut model = self.clone();
        model.indexed |= change.declares;
        for (id, vertex) in &change.vertices {
            if model.vertices.insert(*id, vertex.clone()).is_some() {
                return Err(format!("vertex {id} was created twice"));
            }
        }
        for (id, edge) in &change.edges {
            let id = id.ok_or("an edge of a load has no id yet")?;
            for end in [edge.source, edge.target] {
                if !model.vertices.contains_key(&end) {
                    return Err(format!("edge {id} was accepted without its end {end}"));
                }
            }
            if model.edges.insert(id, edge.clone()).is_some() {
                return Err(format!("edge {id} was given twice"));
            }
        }
        for (id, is_person) in &change.labels {
            model.vertex(*id)?.is_person = *is_person;
        }
        for (id, age) in &change.ages {
            model.vertex(*id)?.age = *age;
        }
        for (id, weight) in &change.weights {
            let edge = model.edges.get_mut(id);
            edge.ok_or(format!("edge {id} was changed and is gone"))?.weight = *weight;
        }
        for (id, _) in &change.deleted_edges {
            model.edges.remove(id).ok_or(format!("edge {id} was deleted and is gone"))?;
        }
        for id in &change.deleted_vertices {
            let hanging =
                model.edges.values().find(|edge| edge.source == *id || edge.target == *id);
            if let Some(edge) = hanging {
                return Err(format!("vertex {id} was deleted and {edge:?} is left hanging"));
            }
            model.vertices.remove(id).ok_or(format!("vertex {id} was deleted twice"))?;
        }
        Ok(model)
    }

    fn vertex(&mut self, id: u64) -> Result<&mut Vertex, String> {
        self.vertices.get_mut(&id).ok_or(format!("vertex {id} was changed and is gone"))
    }
}

impl Change {
    /// The same for the store.
    pub(super) fn for_store(&self, names: Names) -> Changes {
        let mut changes = Changes::default();
        if self.declares {
            let owner = Owner::Label(names.person);
            let (keys, kind) = (vec![names.age], IndexKind::Exact);
            let index = IndexDeclaration { id: IndexId::default(), owner, keys, kind };
            changes.catalog.push(CatalogChange::DeclareIndex(index));
        }
        for (id, vertex) in &self.vertices {
            changes.vertices.push(VertexBlock {
                labels: labels(names, vertex.is_person),
                ids: vec![VertexId(*id)],
                properties: vec![(names.age, column([vertex.age]))],
            });
        }
        for kind in 0..2 {
            let of_kind: Vec<_> = self.edges.iter().filter(|(_, edge)| edge.kind == kind).collect();
            if of_kind.is_empty() {
                continue;
            }
            changes.edges.push(EdgeBlock {
                edge_type: names.types[kind],
                ids: of_kind.iter().filter_map(|(id, _)| id.map(EdgeId)).collect(),
                sources: of_kind.iter().map(|(_, edge)| VertexId(edge.source)).collect(),
                targets: of_kind.iter().map(|(_, edge)| VertexId(edge.target)).collect(),
                properties: vec![(names.weight, column(of_kind.iter().map(|(_, e)| e.weight)))],
            });
        }
        changes.labels = self
            .labels
            .iter()
            .map(|(id, is_person)| (VertexId(*id), labels(names, *is_person)))
            .collect();
        if !self.ages.is_empty() {
            let owners = self.ages.iter().map(|(id, _)| VertexId(*id)).collect();
            let values = column(self.ages.iter().map(|(_, age)| *age));
            changes.vertex_properties.push(PropertyBlock { key: names.age, owners, values });
        }
        if !self.weights.is_empty() {
            let owners = self.weights.iter().map(|(id, _)| EdgeId(*id)).collect();
            let values = column(self.weights.iter().map(|(_, weight)| *weight));
            changes.edge_properties.push(PropertyBlock { key: names.weight, owners, values });
        }
        let ends = |(id, edge): &(u64, Edge)| EdgeEnds {
            edge: EdgeId(*id),
            edge_type: names.types[edge.kind],
            source: VertexId(edge.source),
            target: VertexId(edge.target),
        };
        changes.deleted_edges = self.deleted_edges.iter().map(ends).collect();
        changes.deleted_vertices = self.deleted_vertices.iter().copied().map(VertexId).collect();
        changes
    }
}

fn labels(names: Names, is_person: bool) -> Labels {
    if is_person { Labels::from([names.person]) } else { Labels::from([]) }
}

fn column(values: impl IntoIterator<Item = Option<i64>>) -> Column {
    let mut column = Column::default();
    values.into_iter().for_each(|value| column.push_entry(value.map(Value::I64)));
    column
}
