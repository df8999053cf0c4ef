//! Random commits: made on the naive graph and, at the same time, as `store::Changes`.

use std::sync::Arc;

use millrace_model::{Column, EdgeId, EdgeTypeId, KeyId, LabelId, Value, VertexId};
use millrace_store::{Changes, EdgeBlock, EdgeEnds, PropertyBlock, VertexBlock};

use super::Random;
use super::graph::{Edge, Graph, KEYS, LABELS, Properties, TYPES, Vertex};
use crate::live::Partitions;

impl Graph {
    /// Makes a commit and returns its changes.
    pub(super) fn change(&mut self, random: &mut Random, partitions: &Partitions) -> Changes {
        let mut changes = Changes::default();
        let (vertices, edges) = (self.keys(), self.edges.keys().copied().collect::<Vec<_>>());
        for _ in 0..random.below(3) {
            self.create_vertices(random, &mut changes);
        }
        for _ in 0..random.below(4) {
            self.create_edges(random, partitions, &mut changes);
        }
        self.set_labels(random, &mut changes);
        self.set_vertex_properties(random, &mut changes);
        self.set_edge_properties(random, &mut changes);
        if random.below(2) == 0 {
            self.delete_edges(random, &edges, &mut changes);
        }
        if random.one_in(6) {
            self.delete_vertex(random, &vertices, &mut changes);
        }
        changes
    }

    fn keys(&self) -> Vec<u64> {
        self.vertices.keys().copied().collect()
    }

    fn create_vertices(&mut self, random: &mut Random, changes: &mut Changes) {
        let labels = random_labels(random);
        let mut block =
            VertexBlock { labels: labels.iter().copied().collect(), ..Default::default() };
        let mut rows = Vec::new();
        let free: Vec<u64> = Graph::candidates().filter(|id| !self.used.contains(id)).collect();
        for _ in 0..=random.below(4) {
            let Some(id) = random.pick(&free).copied().filter(|id| self.used.insert(*id)) else {
                continue;
            };
            let properties = random_properties(random);
            block.ids.push(VertexId(id));
            rows.push(properties.clone());
            let labels = labels.iter().copied().collect();
            self.vertices.insert(id, Vertex { labels, properties });
        }
        block.properties = columns(&rows);
        changes.vertices.push(block);
    }

    fn create_edges(
        &mut self,
        random: &mut Random,
        partitions: &Partitions,
        changes: &mut Changes,
    ) {
        let vertices = self.keys();
        let (Some(&hub), true) = (random.pick(&vertices), vertices.len() > 1) else { return };
        let edge_type = EdgeTypeId(random.below(TYPES as usize) as u32);
        let count = if random.one_in(25) { 600 } else { 1 + random.below(6) };
        let hub_end = random.below(3);
        let mut block = EdgeBlock { edge_type, ..Default::default() };
        let mut rows = Vec::new();
        for _ in 0..count {
            let source = if hub_end == 0 { hub } else { *random.pick(&vertices).unwrap() };
            let target = match hub_end {
                1 => hub,
                _ if random.one_in(10) => source,
                _ => *random.pick(&vertices).unwrap(),
            };
            let mut id = 0;
            let ordinal = (source >> 16) as u32;
            partitions.lease_edges(ordinal, edge_type, 1, |edge| id = edge.0).unwrap();
            let properties =
                if random.one_in(3) { random_properties(random) } else { Properties::new() };
            block.ids.push(EdgeId(id));
            block.sources.push(VertexId(source));
            block.targets.push(VertexId(target));
            rows.push(properties.clone());
            self.edges.insert(id, Edge { edge_type, source, target, properties });
        }
        block.properties = columns(&rows);
        changes.edges.push(block);
    }

    fn set_labels(&mut self, random: &mut Random, changes: &mut Changes) {
        let vertices = self.keys();
        for _ in 0..random.below(3) {
            let Some(&id) = random.pick(&vertices) else { return };
            let labels = random_labels(random);
            changes.labels.push((VertexId(id), labels.iter().copied().collect()));
            self.vertices.get_mut(&id).unwrap().labels = labels.into_iter().collect();
        }
    }

    fn set_vertex_properties(&mut self, random: &mut Random, changes: &mut Changes) {
        let vertices = self.keys();
        for _ in 0..random.below(3) {
            let (key, mut owners, mut values) = (random_key(random), Vec::new(), Column::default());
            for _ in 0..random.below(4) {
                let Some(&id) = random.pick(&vertices) else { break };
                let value = (!random.one_in(3)).then(|| random_value(random));
                owners.push(VertexId(id));
                values.push_entry(value.clone());
                set(&mut self.vertices.get_mut(&id).unwrap().properties, key, value);
            }
            changes.vertex_properties.push(PropertyBlock { key, owners, values });
        }
    }

    fn set_edge_properties(&mut self, random: &mut Random, changes: &mut Changes) {
        let edges: Vec<u64> = self.edges.keys().copied().collect();
        for _ in 0..random.below(3) {
            let (key, mut owners, mut values) = (random_key(random), Vec::new(), Column::default());
            for _ in 0..random.below(4) {
                let Some(&id) = random.pick(&edges) else { break };
                let value = (!random.one_in(3)).then(|| random_value(random));
                owners.push(EdgeId(id));
                values.push_entry(value.clone());
                set(&mut self.edges.get_mut(&id).unwrap().properties, key, value);
            }
            changes.edge_properties.push(PropertyBlock { key, owners, values });
        }
    }

    /// Deletes some of the edges that were there before the commit.
    fn delete_edges(&mut self, random: &mut Random, before: &[u64], changes: &mut Changes) {
        let count = if random.one_in(12) { before.len() } else { random.below(5) };
        for _ in 0..count {
            if let Some(&id) = random.pick(before) {
                self.delete_edge(id, changes);
            }
        }
    }

    fn delete_edge(&mut self, id: u64, changes: &mut Changes) {
        let Some(edge) = self.edges.remove(&id) else { return };
        self.gone.push(id);
        changes.deleted_edges.push(EdgeEnds {
            edge: EdgeId(id),
            edge_type: edge.edge_type,
            source: VertexId(edge.source),
            target: VertexId(edge.target),
        });
    }

    /// Deletes a vertex that was there before, unless the commit made edges at it.
    fn delete_vertex(&mut self, random: &mut Random, before: &[u64], changes: &mut Changes) {
        let Some(&id) = random.pick(before) else { return };
        let made =
            changes.edges.iter().flat_map(|block| block.sources.iter().chain(&block.targets));
        if made.into_iter().any(|vertex| vertex.0 == id) {
            return;
        }
        let own = self.edges.iter().filter(|(_, edge)| edge.source == id || edge.target == id);
        for edge in own.map(|(id, _)| *id).collect::<Vec<_>>() {
            self.delete_edge(edge, changes);
        }
        self.vertices.remove(&id);
        changes.deleted_vertices.push(VertexId(id));
    }
}

fn set(properties: &mut Properties, key: KeyId, value: Option<Value>) {
    match value {
        Some(value) => properties.insert(key, value),
        None => properties.remove(&key),
    };
}

fn random_labels(random: &mut Random) -> Vec<LabelId> {
    (0..LABELS).filter(|_| random.below(2) == 0).map(LabelId).collect()
}

fn random_key(random: &mut Random) -> KeyId {
    KeyId(random.below(KEYS as usize) as u32)
}

fn random_value(random: &mut Random) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => Value::I64(random.below(5) as i64),
        2 => Value::Bool(random.below(2) == 0),
        3 => Value::from(["", "a", "film", "überlang"][random.below(4)]),
        4 => Value::I32(random.below(3) as i32),
        5 => Value::List(Arc::from([Value::I64(1), Value::from("x")])),
        _ => Value::F64(random.below(100) as f64 / 4.0),
    }
}

fn random_properties(random: &mut Random) -> Properties {
    (0..random.below(3)).map(|_| (random_key(random), random_value(random))).collect()
}

/// Rows of properties as columns.
fn columns(rows: &[Properties]) -> Vec<(KeyId, Column)> {
    let column = |key: KeyId| {
        let mut column = Column::default();
        rows.iter().for_each(|row| column.push_entry(row.get(&key).cloned()));
        (key, column)
    };
    (0..KEYS).map(KeyId).map(column).collect()
}
