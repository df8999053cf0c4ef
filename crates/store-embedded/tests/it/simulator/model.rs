//! The graph as the judge knows it: maps, and the effect of each commit on them.
//!
//! [`Model::after`] is the law, not a copy of the store. The store must never have accepted a
//! change that it refuses, nor have refused one that it accepts.

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::schema::IndexKind;

use super::rules::RULES;
use super::schema::INDEXES;

pub(super) const LABELS: usize = 2;
pub(super) const TYPES: usize = 2;

/// A vertex: its labels, its age, its name by number, and its external id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Vertex {
    pub(super) labels: [bool; LABELS],
    pub(super) age: Option<i64>,
    pub(super) name: Option<u8>,
    /// The id that it is shown under and found by, if that is not its internal id.
    pub(super) external: Option<u64>,
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) kind: usize,
    pub(super) source: u64,
    pub(super) target: u64,
    pub(super) weight: Option<i64>,
    /// The id that it is shown under and found by, if that is not its place; an odd one is a text.
    pub(super) external: Option<u64>,
}

/// A graph at one position. Vertices are by internal id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Model {
    pub(super) vertices: BTreeMap<u64, Vertex>,
    pub(super) edges: BTreeMap<u64, Edge>,
    /// Which of [`INDEXES`] are defined.
    pub(super) indexes: BTreeSet<usize>,
    /// Which of [`RULES`] are defined.
    pub(super) rules: BTreeSet<usize>,
}

/// The effects of one commit, in the order in which they apply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) creates: Vec<usize>,
    pub(super) drops: Vec<usize>,
    /// Of [`RULES`].
    pub(super) rules: Vec<usize>,
    pub(super) dropped_rules: Vec<usize>,
    pub(super) vertices: Vec<(u64, Vertex)>,
    /// Without ids in a bulk load, until they are read back.
    pub(super) edges: Vec<(Option<u64>, Edge)>,
    pub(super) labels: Vec<(u64, [bool; LABELS])>,
    pub(super) ages: Vec<(u64, Option<i64>)>,
    pub(super) names: Vec<(u64, Option<u8>)>,
    pub(super) weights: Vec<(u64, Option<i64>)>,
    pub(super) deleted_edges: Vec<(u64, Edge)>,
    pub(super) deleted_vertices: Vec<u64>,
}

impl Change {
    pub(super) fn is_empty(&self) -> bool {
        *self == Change::default()
    }

    /// Whether it changes the schema.
    pub(super) fn changes_schema(&self) -> bool {
        *self.schema_part() != Change::default()
    }

    /// Its schema changes, without its writes.
    pub(super) fn schema_part(&self) -> Box<Change> {
        let Change { creates, drops, rules, dropped_rules, .. } = self.clone();
        Box::new(Change { creates, drops, rules, dropped_rules, ..Change::default() })
    }
}

impl Model {
    /// The graph after a change. The error is why it must never be accepted.
    pub(super) fn after(&self, change: &Change) -> Result<Model, String> {
        let mut model = self.clone();
        model.indexes.extend(&change.creates);
        change.drops.iter().for_each(|index| {
            model.indexes.remove(index);
        });
        model.rules.extend(&change.rules);
        change.dropped_rules.iter().for_each(|rule| {
            model.rules.remove(rule);
        });
        model.create(change)?;
        for (id, labels) in &change.labels {
            model.vertex(*id)?.labels = *labels;
        }
        for (id, age) in &change.ages {
            model.vertex(*id)?.age = *age;
        }
        for (id, name) in &change.names {
            model.vertex(*id)?.name = *name;
        }
        for (id, weight) in &change.weights {
            let edge = model.edges.get_mut(id);
            edge.ok_or_else(|| format!("edge {id} was changed and is gone"))?.weight = *weight;
        }
        model.delete(change)?;
        model.check_external_ids()?;
        model.check_edge_ids()?;
        model.check_unique()?;
        model.check_rules()?;
        Ok(model)
    }

    /// The edges that begin or end at a vertex.
    pub(super) fn incident(&self, id: u64) -> impl Iterator<Item = (u64, Edge)> + '_ {
        let incident = move |edge: &Edge| edge.source == id || edge.target == id;
        self.edges.iter().filter(move |(_, edge)| incident(edge)).map(|(id, edge)| (*id, *edge))
    }

    /// The internal ids of vertices by external id.
    pub(super) fn by_external_id(&self) -> BTreeMap<u64, u64> {
        let external = |(internal_id, vertex): (&u64, &Vertex)| {
            (vertex.external.unwrap_or(*internal_id), *internal_id)
        };
        self.vertices.iter().map(external).collect()
    }

    /// The internal id of the vertex that is shown under an id.
    pub(super) fn with_external_id(&self, id: u64) -> Option<u64> {
        let external = self
            .with_external()
            .find(|(_, external)| *external == id)
            .map(|(internal_id, _)| internal_id);
        let own = || self.vertices.get(&id).filter(|vertex| vertex.external.is_none()).map(|_| id);
        external.or_else(own)
    }

    /// The vertices that are shown under external ids: their internal ids, and these ids.
    pub(super) fn with_external(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.vertices
            .iter()
            .filter_map(|(internal_id, vertex)| Some((*internal_id, vertex.external?)))
    }

    fn create(&mut self, change: &Change) -> Result<(), String> {
        for (id, vertex) in &change.vertices {
            if self.vertices.insert(*id, *vertex).is_some() {
                return Err(format!("vertex {id} was created twice"));
            }
        }
        for (row, (id, edge)) in (0..).zip(&change.edges) {
            for end in [edge.source, edge.target] {
                if !self.vertices.contains_key(&end) {
                    return Err(format!("edge {id:?} was accepted without its end {end}"));
                }
            }
            // A load that was refused never had ids.
            let id = id.unwrap_or(u64::MAX - row);
            if self.edges.insert(id, *edge).is_some() {
                return Err(format!("edge {id} was given twice"));
            }
        }
        Ok(())
    }

    fn delete(&mut self, change: &Change) -> Result<(), String> {
        for (id, _) in &change.deleted_edges {
            let edge = self.edges.remove(id);
            edge.ok_or_else(|| format!("edge {id} was deleted and is gone"))?;
        }
        for id in &change.deleted_vertices {
            if let Some(edge) = self.incident(*id).next() {
                return Err(format!("vertex {id} was deleted and {edge:?} is left hanging"));
            }
            let vertex = self.vertices.remove(id);
            vertex.ok_or_else(|| format!("vertex {id} was deleted twice"))?;
        }
        Ok(())
    }

    fn check_external_ids(&self) -> Result<(), String> {
        match self.by_external_id().len() == self.vertices.len() {
            true => Ok(()),
            false => Err(format!("two vertices are shown under one id: {:?}", self.vertices)),
        }
    }

    fn check_edge_ids(&self) -> Result<(), String> {
        let external: BTreeSet<u64> =
            self.edges.iter().map(|(place, edge)| edge.external.unwrap_or(*place)).collect();
        match external.len() == self.edges.len() {
            true => Ok(()),
            false => Err(format!("two edges are shown under one id: {:?}", self.edges)),
        }
    }

    fn check_unique(&self) -> Result<(), String> {
        let is_unique = |index: &&usize| INDEXES[**index].kind == IndexKind::Unique;
        for index in self.indexes.iter().filter(is_unique) {
            let mut seen = BTreeMap::new();
            for (id, key) in self.entries(*index) {
                if let Some(other) = seen.insert(key.clone(), id) {
                    return Err(format!("{id} and {other} both have the unique value {key:?}"));
                }
            }
        }
        Ok(())
    }

    fn check_rules(&self) -> Result<(), String> {
        for rule in self.rules.iter().map(|rule| &RULES[*rule]) {
            if let Some(id) = rule.breaches(self).first() {
                return Err(format!("{id} is not as {rule:?} demands"));
            }
        }
        Ok(())
    }

    fn vertex(&mut self, id: u64) -> Result<&mut Vertex, String> {
        self.vertices.get_mut(&id).ok_or_else(|| format!("vertex {id} was changed and is gone"))
    }
}
