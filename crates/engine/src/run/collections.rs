//! Named collections that rows add to.
//!
//! A set of vertices over a dense id range is a bitmap; anything else is a hash set of codes,
//! compared by identity. Where nothing in a plan looks a collection up, only set tests read it, and
//! a list is kept as the set of its values: its order and repeats would never be read.

use millrace_model::{Batch, Bits, Column, ColumnValues, Result, Value, VertexId};
use millrace_plan::{Name, SideFold};
use millrace_store::IdSpace;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::limits;
use crate::rows::{Code, Codes, Tally, table_bytes};

/// Collections by name.
pub(crate) type SideEffects = FxHashMap<Name, Collection>;

/// A collection of added values, with a fast membership test.
pub(crate) struct Collection {
    /// Vertices below this are bits.
    dense_bound: u64,
    vertices: Bits,
    codes: Codes,
    others: FxHashSet<Code>,
    /// The added values, in order: stored only where an operator looks them up.
    listed: Vec<Value>,
    /// How often each of it was added.
    times: Tally,
    /// Where the values of a bag stand.
    places: FxHashMap<Value, usize>,
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
            times: Tally::default(),
            places: FxHashMap::default(),
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

    /// Adds the entries that are present to the list; to the list of a set only values not in it yet.
    pub(crate) fn list(&mut self, batch: &Batch, column: &Column, fold: SideFold) {
        for row in 0..column.len() {
            let Some(value) = column.get(row) else { continue };
            match fold {
                SideFold::Set if self.contains_value(&value) => {}
                SideFold::Set => {
                    self.add(&Column::from_values([value.clone()]));
                    self.push(value, 1);
                }
                SideFold::List => self.push(value, batch.weight(row)),
                SideFold::Bag => match self.places.get(&value) {
                    Some(&place) => self.times.add(place, batch.weight(row)),
                    None => {
                        self.places.insert(value.clone(), self.listed.len());
                        self.push(value, batch.weight(row));
                    }
                },
            }
        }
    }

    fn push(&mut self, value: Value, times: u64) {
        self.listed_bytes += value.heap_size() as u64;
        self.listed.push(value);
        self.times.push(times);
    }

    /// Whether nothing was listed.
    pub(crate) fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// How often each value was listed, as far as 64 bits go.
    pub(crate) fn weights(&self) -> impl Iterator<Item = u64> {
        let count = |place| u64::try_from(self.times.count(place)).unwrap_or(u64::MAX);
        (0..self.listed.len()).map(count)
    }

    /// The listed values, each as often as it was listed.
    pub(crate) fn listed(&self) -> Value {
        let each = self.listed.iter().zip(self.weights());
        Value::list(each.flat_map(|(value, times)| (0..times).map(|_| value.clone())).collect())
    }

    /// Each value that was listed with how often it was, as a list of two.
    pub(crate) fn counted(&self) -> Result<Value> {
        let pair = |(place, value): (usize, &Value), times: &Column| {
            Value::list(vec![value.clone(), times.get(place).unwrap_or_default()])
        };
        // In a bag no value stands twice, and its counts may exceed 64 bits.
        if self.places.len() == self.listed.len() {
            let times = self.times.column(0..self.listed.len())?;
            let pairs = self.listed.iter().enumerate().map(|entry| pair(entry, &times));
            return Ok(Value::list(pairs.collect()));
        }
        let (mut distinct, mut times) = (Vec::new(), Tally::default());
        let mut places: FxHashMap<&Value, usize> = FxHashMap::default();
        for (value, added) in self.listed.iter().zip(self.weights()) {
            match places.get(value) {
                Some(&place) => times.add(place, added),
                None => {
                    places.insert(value, distinct.len());
                    distinct.push(value);
                    times.push(added);
                }
            }
        }
        let times = times.column(0..distinct.len())?;
        let pairs = distinct.into_iter().enumerate();
        Ok(Value::list(pairs.map(|entry| pair(entry, &times)).collect()))
    }

    /// Bytes used, for the budget.
    pub(crate) fn bytes(&self) -> u64 {
        let (count, room) = (self.places.len(), self.places.capacity());
        self.vertices.words().len() as u64 * 8
            + table_bytes(self.others.len(), self.others.capacity(), size_of::<Code>())
            + self.codes.bytes()
            + (self.listed.capacity() * size_of::<Value>()) as u64
            + self.times.len() as u64 * 8
            + table_bytes(count, room, size_of::<(Value, usize)>())
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
    match &column.values {
        ColumnValues::Vertex(vertices) if column.nulls.is_none() && column.absents.is_none() => {
            Some(vertices)
        }
        _ => None,
    }
}
