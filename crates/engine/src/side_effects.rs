//! Named collections that rows add to.
//!
//! A set of vertices over a dense id range is a bitmap; anything else is a hash set of codes,
//! compared by identity. Where nothing in a plan looks a collection up, only set tests read it, and
//! a list is kept as the set of its values: its order and repeats would be held for nobody.

use millrace_model::{Batch, Bits, Column, Entries, Value, VertexId};
use millrace_plan::{Name, SideFold};
use millrace_store::IdSpace;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::limits;
use crate::rows::{Code, Codes};

/// Collections by name.
pub(crate) type SideEffects = FxHashMap<Name, Collection>;

/// A collection: what was added, and a fast answer to "is it in there?".
pub(crate) struct Collection {
    /// Vertices below this are bits.
    dense_bound: u64,
    vertices: Bits,
    codes: Codes,
    others: FxHashSet<Code>,
    /// What was added, in order: kept only where somebody looks it up.
    listed: Vec<Value>,
    /// Bytes that the listed values point to.
    listed_bytes: u64,
}

impl Collection {
    /// An empty collection for the vertices of this id space.
    pub(crate) fn new(space: IdSpace) -> Collection {
        let dense_bound = if space.dense { space.bound.min(limits::DENSE_BOUND_MAX) } else { 0 };
        Collection {
            dense_bound,
            vertices: Bits::default(),
            codes: Codes::default(),
            others: FxHashSet::default(),
            listed: Vec::new(),
            listed_bytes: 0,
        }
    }

    /// Adds all entries; absent ones are left out.
    pub(crate) fn add(&mut self, column: &Column) {
        if let Some(vertices) = plain_vertices(column) {
            vertices.iter().for_each(|&vertex| self.insert_vertex(vertex));
            return;
        }
        for value in (0..column.len()).filter_map(|index| column.get(index)) {
            match value {
                Value::Vertex(vertex) => self.insert_vertex(vertex),
                other => {
                    let code = self.codes.of_value(&other);
                    self.others.insert(code);
                }
            }
        }
    }

    /// Adds what is there of the entries to the list; to one of a set only what is not in it yet.
    pub(crate) fn list(&mut self, batch: &Batch, column: &Column, fold: SideFold) {
        for row in 0..column.len() {
            let Some(value) = column.get(row) else { continue };
            let heap_bytes = value.heap_size() as u64;
            match fold {
                SideFold::Set if self.contains_value(&value) => {}
                SideFold::Set => {
                    self.add(&Column::from_values([value.clone()]));
                    self.listed.push(value);
                    self.listed_bytes += heap_bytes;
                }
                SideFold::List => {
                    self.listed.extend((0..batch.weight(row)).map(|_| value.clone()));
                    self.listed_bytes += heap_bytes;
                }
            }
        }
    }

    /// What was listed.
    pub(crate) fn listed(&self) -> &[Value] {
        &self.listed
    }

    /// Bytes held, for the budget.
    pub(crate) fn bytes(&self) -> u64 {
        let code_bytes = 2 * size_of::<Code>() as u64;
        self.vertices.words().len() as u64 * 8
            + self.others.len() as u64 * code_bytes
            + self.codes.bytes()
            + (self.listed.capacity() * size_of::<Value>()) as u64
            + self.listed_bytes
    }

    /// Which entries are in it; absent ones are in nothing.
    pub(crate) fn contains(&self, column: &Column) -> Vec<bool> {
        if let Some(vertices) = plain_vertices(column) {
            return vertices.iter().map(|&vertex| self.contains_vertex(vertex)).collect();
        }
        let entry = |index| column.get(index).is_some_and(|value| self.contains_value(&value));
        (0..column.len()).map(entry).collect()
    }

    fn insert_vertex(&mut self, vertex: VertexId) {
        if vertex.0 < self.dense_bound {
            self.vertices.insert(vertex.0 as usize);
        } else {
            let code = self.codes.of_value(&Value::Vertex(vertex));
            self.others.insert(code);
        }
    }

    fn contains_vertex(&self, vertex: VertexId) -> bool {
        if vertex.0 < self.dense_bound {
            self.vertices.get(vertex.0 as usize)
        } else {
            self.contains_code(&Value::Vertex(vertex))
        }
    }

    /// Whether a value is in it.
    pub(crate) fn contains_value(&self, value: &Value) -> bool {
        match value {
            Value::Vertex(vertex) => self.contains_vertex(*vertex),
            other => self.contains_code(other),
        }
    }

    fn contains_code(&self, value: &Value) -> bool {
        self.codes.find(value).is_some_and(|code| self.others.contains(&code))
    }
}

fn plain_vertices(column: &Column) -> Option<&[VertexId]> {
    match &column.entries {
        Entries::Vertex(vertices) if column.nulls.is_none() && column.absents.is_none() => {
            Some(vertices)
        }
        _ => None,
    }
}
