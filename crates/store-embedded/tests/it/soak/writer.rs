//! A writer: many small transactions on vertices of its own, and edges from them to shared hubs.

use std::sync::Arc;

use millrace_model::{Column, EdgeId, EdgeTypeId, Result, Value, VertexId};
use millrace_store::{Isolation, Store, Transaction};
use millrace_testkit::Rng;

use super::ledger::{Ends, Ledger};
use super::names::Names;
use super::shared::{Met, Shared};

/// A writer with more vertices than this deletes some.
const VERTICES_MAX: usize = 2_000;
const EDGES_MAX: usize = 20_000;

/// Edges of a transaction that goes beside the log.
const LARGE_EDGES: usize = 4_000;

/// Writes until the time is over; returns its acknowledged content.
pub(super) fn write(store: &Arc<dyn Store>, names: Names, shared: &Shared, rng: Rng) -> Ledger {
    let mut writer = Writer { store, names, shared, rng, ledger: Ledger::default() };
    while shared.goes_on() {
        let outcome = writer.write_once();
        shared.lost(outcome);
    }
    writer.ledger
}

struct Writer<'a> {
    store: &'a Arc<dyn Store>,
    names: Names,
    shared: &'a Shared,
    rng: Rng,
    ledger: Ledger,
}

impl Writer<'_> {
    fn begin(&mut self) -> Result<Transaction> {
        let isolation =
            if self.rng.chance(0.2) { Isolation::Serializable } else { Isolation::Snapshot };
        Transaction::begin(Arc::clone(self.store), isolation)
    }

    fn write_once(&mut self) -> Result<()> {
        if self.ledger.vertices.len() < 10 {
            return self.create();
        }
        match self.rng.below(100) {
            0..=9 => self.create(),
            10..=59 => self.connect(1),
            60..=67 => self.connect(50),
            68..=70 => {
                self.connect(LARGE_EDGES)?;
                self.shared.count(Met::OutOfLineCommit);
                Ok(())
            }
            71..=84 => self.set_age(),
            85..=92 => self.delete_edges(),
            _ => self.delete_vertex(),
        }
    }

    fn create(&mut self) -> Result<()> {
        if VERTICES_MAX < self.ledger.vertices.len() {
            return self.delete_vertex();
        }
        let count = 1 + self.rng.index(20);
        let ages: Vec<i64> = (0..count).map(|_| self.rng.below(50) as i64).collect();
        let column = Column::from_values(ages.iter().map(|age| Value::I64(*age)));
        let transaction = self.begin()?;
        let own = self.names.own_labels();
        let made = transaction.create_vertices(&own, count, &[(self.names.age, &column)])?;
        transaction.commit()?.wait()?;
        self.ledger.vertices.extend(made.into_iter().zip(ages));
        Ok(())
    }

    fn own(&mut self) -> VertexId {
        let at = self.rng.index(self.ledger.vertices.len());
        *self.ledger.vertices.keys().nth(at).expect("it is below the length")
    }

    fn connect(&mut self, count: usize) -> Result<()> {
        if EDGES_MAX < self.ledger.edges.len() + count {
            return self.delete_edges();
        }
        let to_hubs = self.rng.chance(0.6);
        let edge_type = if to_hubs { self.names.likes } else { self.names.knows };
        let ends: Vec<Ends> = (0..count).map(|_| self.ends(edge_type, to_hubs)).collect();
        let sources: Vec<VertexId> = ends.iter().map(|ends| ends.1).collect();
        let targets: Vec<VertexId> = ends.iter().map(|ends| ends.2).collect();
        let weights = Column::from_values((0..count).map(|at| Value::F64(at as f64)));
        let transaction = self.begin()?;
        let weights = [(self.names.weight, &weights)];
        let made = transaction.create_edges(edge_type, &sources, &targets, &weights)?;
        transaction.commit()?.wait()?;
        self.ledger.edges.extend(made.into_iter().zip(ends));
        Ok(())
    }

    fn ends(&mut self, edge_type: EdgeTypeId, to_hub: bool) -> Ends {
        let source = self.own();
        let target = if to_hub { self.shared.hub(&mut self.rng) } else { self.own() };
        (edge_type, source, target)
    }

    fn set_age(&mut self) -> Result<()> {
        let (vertex, age) = (self.own(), self.rng.below(50) as i64);
        let transaction = self.begin()?;
        let values = Column::from_values([Value::I64(age)]);
        transaction.set_vertex_properties(self.names.age, &[vertex], &values)?;
        transaction.commit()?.wait()?;
        self.ledger.vertices.insert(vertex, age);
        Ok(())
    }

    fn delete_edges(&mut self) -> Result<()> {
        let known: Vec<EdgeId> = self.ledger.edges.keys().copied().collect();
        if known.is_empty() {
            return Ok(());
        }
        let from = self.rng.index(known.len());
        let most = if EDGES_MAX / 2 < known.len() { 5_000 } else { 20 };
        let gone = &known[from..known.len().min(from + most)];
        let transaction = self.begin()?;
        transaction.delete_edges(gone)?;
        transaction.commit()?.wait()?;
        for edge in gone {
            self.ledger.edges.remove(edge);
        }
        Ok(())
    }

    fn delete_vertex(&mut self) -> Result<()> {
        let vertex = self.own();
        let transaction = self.begin()?;
        transaction.delete_vertices(&[vertex], true)?;
        transaction.commit()?.wait()?;
        self.ledger.vertices.remove(&vertex);
        self.ledger.edges.retain(|_, (_, source, target)| *source != vertex && *target != vertex);
        Ok(())
    }
}
