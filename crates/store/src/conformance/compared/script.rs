//! Random writes in terms of what was created before, the same for every backend.
//!
//! Elements are named by their number in the order of creation. A step may name an element that is
//! gone; [`World::perform`] asks the transaction and leaves that step out, so existence is compared
//! too.

use millrace_model::random::SplitMix64;
use millrace_model::schema::{IndexDefinition, IndexKind, KeyMethod};
use millrace_model::{
    CatalogChange, Column, EdgeId, ErrorKind, KeyId, Owner, PropertyValues, Result, Value, VertexId,
};

use crate::changes::Labels;
use crate::conformance::compared::content::Naming;
use crate::conformance::fixture::Fixture;
use crate::reads::Elements;
use crate::snapshot::Snapshot;
use crate::transaction::Transaction;

/// One call, with elements by number.
#[derive(Clone, Debug)]
pub(in crate::conformance) enum Step {
    CreateVertices { person: bool, item: bool, ages: Vec<Option<Value>>, names: Vec<Option<Value>> },
    CreateEdges { likes: bool, ends: Vec<(usize, usize)>, ages: Vec<Option<Value>> },
    SetVertices { named: bool, owners: Vec<usize>, values: Vec<Option<Value>> },
    SetEdges { owners: Vec<usize>, values: Vec<Option<Value>> },
    SetLabels { vertices: Vec<usize>, person: bool, item: bool },
    DeleteEdges { edges: Vec<usize> },
    DeleteVertices { vertices: Vec<usize> },
    CreateIndex { keys: DefinedKeys, kind: IndexKind },
    DropIndex,
}

/// What an index is over.
#[derive(Clone, Copy, Debug)]
pub(in crate::conformance) enum DefinedKeys {
    Age,
    Name,
    Both,
}

/// How calls reach a transaction: results must not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::conformance) enum Batching {
    /// Each step in one call.
    Whole,
    /// Each row in a call of its own where calls are independent, with spills between.
    Rows,
}

/// One backend's side of a differential run.
pub(in crate::conformance) struct World {
    pub(in crate::conformance) fixture: Fixture,
    pub(in crate::conformance) naming: Naming,
    pub(in crate::conformance) batching: Batching,
    vertices: Vec<VertexId>,
    edges: Vec<EdgeId>,
}

const ROWS_MAX: usize = 6;

/// A random step, over this many vertices and edges.
pub(in crate::conformance) fn random_step(
    random: &mut SplitMix64,
    vertices: usize,
    edges: usize,
) -> Step {
    let rows = 1 + random.index(ROWS_MAX);
    let numbers = |random: &mut SplitMix64, count: usize| -> Vec<usize> {
        // Half are new, so that what is created is often changed and deleted at once.
        let first = if random.one_in(2) { count.saturating_sub(8) } else { 0 };
        (0..rows).map(|_| first + random.index((count - first).max(1))).collect()
    };
    match random.index(20) {
        0..=3 => Step::CreateVertices {
            person: !random.one_in(4),
            item: random.one_in(3),
            ages: values(random, rows, 5),
            names: values(random, rows, 200),
        },
        4..=8 => {
            let sources = numbers(random, vertices);
            // A few vertices are hubs.
            let range = if random.one_in(2) { 3 } else { vertices };
            let targets = numbers(random, range);
            let targets = targets.into_iter().map(|target| target % vertices.max(1));
            let ends = sources.into_iter().zip(targets).collect();
            Step::CreateEdges { likes: random.one_in(2), ends, ages: values(random, rows, 5) }
        }
        9..=11 => {
            let named = random.one_in(3);
            let owners = numbers(random, vertices);
            let values = values(random, rows, if named { 200 } else { 5 });
            Step::SetVertices { named, owners, values }
        }
        12..=13 => {
            let owners = numbers(random, edges);
            Step::SetEdges { owners, values: values(random, rows, 5) }
        }
        14 => {
            let vertices = numbers(random, vertices);
            Step::SetLabels { vertices, person: random.one_in(2), item: random.one_in(2) }
        }
        15..=16 => Step::DeleteEdges { edges: numbers(random, edges) },
        17 => {
            let mut vertices = numbers(random, vertices);
            vertices.truncate(2);
            Step::DeleteVertices { vertices }
        }
        18 if random.one_in(3) => {
            let keys = [DefinedKeys::Age, DefinedKeys::Name, DefinedKeys::Both];
            let kinds = [IndexKind::Unique, IndexKind::Exact, IndexKind::Range, IndexKind::Made];
            Step::CreateIndex { keys: keys[random.index(3)], kind: kinds[random.index(4)] }
        }
        19 if random.one_in(6) => Step::DropIndex,
        _ => Step::DeleteEdges { edges: numbers(random, edges) },
    }
}

/// Values of few kinds, so that equal ones are common.
fn values(random: &mut SplitMix64, rows: usize, range: usize) -> Vec<Option<Value>> {
    let value = |random: &mut SplitMix64| {
        let number = random.index(range) as i64;
        match random.index(8) {
            0 => None,
            1 => Some(Value::Null),
            2 => Some(Value::F64(number as f64)),
            3 => Some(Value::from(&*format!("text {number}"))),
            4 => Some(several(random, range)),
            _ => Some(Value::I64(number)),
        }
    };
    (0..rows).map(|_| value(random)).collect()
}

/// A property of a few values, equal ones among them, some with properties of their own.
fn several(random: &mut SplitMix64, range: usize) -> Value {
    let mut property = PropertyValues::default();
    for _ in 0..1 + random.index(3) {
        let value = Value::I64(random.index(range) as i64);
        let meta = [("since".into(), value.clone())];
        property.append(&value, if random.one_in(3) { &meta } else { &[] });
    }
    property.remove(random.index(4) as u32);
    property.into_value().unwrap_or_default()
}

impl World {
    pub(in crate::conformance) fn new(fixture: Fixture, batching: Batching) -> World {
        let naming = Naming::default();
        World { fixture, naming, batching, vertices: Vec::new(), edges: Vec::new() }
    }

    pub(in crate::conformance) fn sizes(&self) -> (usize, usize) {
        (self.vertices.len(), self.edges.len())
    }

    /// Does a step; says how it was refused, if it was. Nothing of a refused step is left.
    pub(in crate::conformance) fn perform(
        &mut self,
        transaction: &Transaction,
        step: &Step,
    ) -> Result<Option<ErrorKind>> {
        let outcome = self.try_perform(transaction, step);
        if self.batching == Batching::Rows {
            transaction.spill()?;
        }
        match outcome {
            Ok(()) => Ok(None),
            Err(error) if error.kind == ErrorKind::Constraint => Ok(Some(error.kind)),
            Err(error) if error.kind == ErrorKind::AlreadyExists => Ok(Some(error.kind)),
            Err(error) => Err(error),
        }
    }

    fn try_perform(&mut self, transaction: &Transaction, step: &Step) -> Result<()> {
        let (name, age) = (self.fixture.name, self.fixture.age);
        match step {
            Step::CreateVertices { person, item, ages, names } => {
                let labels = self.labels(*person, *item);
                let (ages, names) = (column(ages), column(names));
                let properties = [(age, &ages), (name, &names)];
                // One call: a refusal must leave nothing of the step.
                let made = transaction.create_vertices(&labels, ages.len(), &properties)?;
                self.name_vertices(made);
            }
            Step::CreateEdges { likes, ends, ages } => {
                self.create_edges(transaction, *likes, ends, ages)?;
            }
            Step::SetVertices { named, owners, values } => {
                let (owners, values) = self.living_vertices(transaction, owners, values)?;
                let key = if *named { name } else { age };
                transaction.set_vertex_properties(key, &owners, &column(&values))?;
            }
            Step::SetEdges { owners, values } => {
                let (owners, values) = self.living_edges(transaction, owners, values)?;
                for rows in self.pieces(owners.len()) {
                    let values = column(&values[rows.clone()]);
                    transaction.set_edge_properties(age, &owners[rows], &values)?;
                }
            }
            Step::SetLabels { vertices, person, item } => {
                let nothing = vec![None; vertices.len()];
                let (vertices, _) = self.living_vertices(transaction, vertices, &nothing)?;
                let labels = self.labels(*person, *item);
                let changes: Vec<_> =
                    vertices.into_iter().map(|vertex| (vertex, labels.clone())).collect();
                transaction.set_labels(&changes)?;
            }
            Step::DeleteEdges { edges } => {
                let edges = edges.iter().filter_map(|number| self.edges.get(*number).copied());
                let edges: Vec<_> = edges.collect();
                for rows in self.pieces(edges.len()) {
                    transaction.delete_edges(&edges[rows])?;
                }
            }
            Step::DeleteVertices { vertices } => {
                let found = vertices.iter().filter_map(|number| self.vertices.get(*number));
                let vertices: Vec<_> = found.copied().collect();
                for rows in self.pieces(vertices.len()) {
                    transaction.delete_vertices(&vertices[rows], true)?;
                }
            }
            Step::CreateIndex { keys, kind } => {
                let keys = match keys {
                    DefinedKeys::Age => vec![age],
                    DefinedKeys::Name => vec![name],
                    DefinedKeys::Both => vec![age, name],
                };
                self.create_index(transaction, keys, *kind)?;
            }
            Step::DropIndex => {
                let first = transaction.catalog().indexes.first().map(|index| index.id);
                let change = first.map(CatalogChange::DropIndex);
                transaction.change_schema(&change.into_iter().collect::<Vec<_>>())?;
            }
        }
        Ok(())
    }

    fn create_edges(
        &mut self,
        transaction: &Transaction,
        likes: bool,
        ends: &[(usize, usize)],
        ages: &[Option<Value>],
    ) -> Result<()> {
        let edge_type = if likes { self.fixture.likes } else { self.fixture.knows };
        let (sources, targets): (Vec<_>, Vec<_>) = ends.iter().copied().unzip();
        let (known, pairs) = self.known(&sources);
        let (known_targets, target_ids) = self.known(&targets);
        if known.len() < ends.len() || known_targets.len() < ends.len() {
            return Ok(());
        }
        let source_exist = transaction.exist(Elements::Vertices(&pairs))?;
        let target_exist = transaction.exist(Elements::Vertices(&target_ids))?;
        let rows: Vec<_> = (0..ends.len())
            .filter(|row| source_exist.get(*row) && target_exist.get(*row))
            .collect();
        let sources: Vec<_> = rows.iter().map(|row| pairs[*row]).collect();
        let targets: Vec<_> = rows.iter().map(|row| target_ids[*row]).collect();
        let ages: Vec<_> = rows.iter().map(|row| ages[*row].clone()).collect();
        for rows in self.pieces(rows.len()) {
            let ages = column(&ages[rows.clone()]);
            let properties = [(self.fixture.age, &ages)];
            let (sources, targets) = (&sources[rows.clone()], &targets[rows]);
            let made = transaction.create_edges(edge_type, sources, targets, &properties)?;
            for edge in made {
                self.naming.edges.insert(edge, self.edges.len());
                self.edges.push(edge);
            }
        }
        Ok(())
    }

    fn create_index(
        &self,
        transaction: &Transaction,
        keys: Vec<KeyId>,
        kind: IndexKind,
    ) -> Result<()> {
        let owner = Owner::Label(self.fixture.person);
        let index = match kind {
            IndexKind::Made => IndexDefinition::made(owner, keys, KeyMethod("trigrams".into())),
            IndexKind::Unique | IndexKind::Exact | IndexKind::Range => {
                IndexDefinition::new(owner, keys, kind)
            }
        };
        transaction.change_schema(&[CatalogChange::CreateIndex(index)]).map(drop)
    }

    /// Row ranges of the calls a step is made with.
    fn pieces(&self, rows: usize) -> Vec<std::ops::Range<usize>> {
        match self.batching {
            Batching::Whole => std::iter::once(0..rows).collect(),
            Batching::Rows => (0..rows).map(|row| row..row + 1).collect(),
        }
    }

    fn labels(&self, person: bool, item: bool) -> Labels {
        let labels = [(person, self.fixture.person), (item, self.fixture.item)];
        labels.into_iter().filter(|(holds, _)| *holds).map(|(_, label)| label).collect()
    }

    fn name_vertices(&mut self, made: Vec<VertexId>) {
        for vertex in made {
            self.naming.vertices.insert(vertex, self.vertices.len());
            self.vertices.push(vertex);
        }
    }

    fn known(&self, numbers: &[usize]) -> (Vec<usize>, Vec<VertexId>) {
        let known = numbers.iter().filter(|number| **number < self.vertices.len());
        known.map(|number| (*number, self.vertices[*number])).unzip()
    }

    fn living_vertices(
        &self,
        transaction: &Transaction,
        numbers: &[usize],
        values: &[Option<Value>],
    ) -> Result<(Vec<VertexId>, Vec<Option<Value>>)> {
        let known = numbers.iter().filter_map(|number| self.vertices.get(*number).copied());
        let known: Vec<_> = known.collect();
        let exist = transaction.exist(Elements::Vertices(&known))?;
        let rows = known.into_iter().zip(values).enumerate();
        Ok(rows.filter(|(row, _)| exist.get(*row)).map(|(_, (id, v))| (id, v.clone())).unzip())
    }

    fn living_edges(
        &self,
        transaction: &Transaction,
        numbers: &[usize],
        values: &[Option<Value>],
    ) -> Result<(Vec<EdgeId>, Vec<Option<Value>>)> {
        let known = numbers.iter().filter_map(|number| self.edges.get(*number).copied());
        let known: Vec<_> = known.collect();
        let exist = transaction.exist(Elements::Edges(&known))?;
        let rows = known.into_iter().zip(values).enumerate();
        Ok(rows.filter(|(row, _)| exist.get(*row)).map(|(_, (id, v))| (id, v.clone())).unzip())
    }
}

fn column(entries: &[Option<Value>]) -> Column {
    let mut column = Column::default();
    entries.iter().for_each(|entry| column.push_entry(entry.clone()));
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_every_kind_come_up() {
        let mut random = SplitMix64::new(7);
        let kinds: std::collections::BTreeSet<_> = (0..2_000)
            .map(|_| format!("{:?}", random_step(&mut random, 10, 10)))
            .filter_map(|text| text.split(' ').next().map(str::to_string))
            .collect();
        assert_eq!(kinds.len(), 9, "{kinds:?}");
    }
}
