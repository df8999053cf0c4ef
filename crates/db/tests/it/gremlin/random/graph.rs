//! Small random property graphs, made and shown as Gremlin: loops, parallel edges, several values of a
//! key, properties of properties, two numeric types under one key, keys that are missing.

use std::fmt::{self, Display};
use std::sync::Arc;

use millrace_engine::Context;
use millrace_gremlin::translate;
use millrace_model::schema::{CatalogChange, IndexDefinition, IndexKind};
use millrace_model::{KeyId, LabelId, Owner};
use millrace_plan::Parameter;
use millrace_store::memory::MemoryBackend;
use millrace_store::{Backend, Isolation, NameKind, Store, Transaction};
use millrace_testkit::Rng;

use super::ways::read;
use crate::random_runs::remove_edges_of;

pub(super) const LABELS: [&str; 2] = ["A", "B"];
pub(super) const TYPES: [&str; 2] = ["R", "S"];
/// Keys, the last of which nothing has.
pub(super) const KEYS: [&str; 4] = ["i", "n", "s", "x"];
/// Numbers of several types, equal ones among them, and one with sums that depend on the order if they
/// are rounded.
pub(super) const NUMBERS: [&str; 9] =
    ["0", "1", "2", "1L", "1.0d", "0.1d", "-1", "-0.0d", "100000000000000000.0d"];
pub(super) const TEXTS: [&str; 6] = ["''", "'a'", "'ab'", "'b'", "' A '", "'a,b'"];

/// A graph before it is stored, so that it can be made smaller.
#[derive(Clone, Default)]
pub(super) struct Graph {
    pub(super) vertices: Vec<Vertex>,
    pub(super) edges: Vec<Edge>,
    /// Keys of vertices that an index has, with a label or without.
    pub(super) indexes: Vec<(Option<&'static str>, &'static str)>,
}

#[derive(Clone)]
pub(super) struct Vertex {
    label: &'static str,
    pub(super) properties: Vec<String>,
}

#[derive(Clone)]
pub(super) struct Edge {
    edge_type: &'static str,
    source: usize,
    target: usize,
    pub(super) properties: Vec<String>,
}

impl Graph {
    pub(super) fn random(rng: &mut Rng) -> Graph {
        let count = rng.range(1..6) as usize;
        let vertex =
            |rng: &mut Rng| Vertex { label: one_of(rng, &LABELS), properties: of_vertex(rng) };
        let vertices = (0..count).map(|_| vertex(rng)).collect();
        let edge = |rng: &mut Rng| Edge {
            edge_type: one_of(rng, &TYPES),
            source: rng.rank(count as u64, 0.8) as usize,
            target: rng.rank(count as u64, 0.5) as usize,
            properties: of_edge(rng),
        };
        let edge_count = rng.below(2 * count as u64 + 1);
        let edges = (0..edge_count).map(|_| edge(rng)).collect();
        let indexes = match rng.below(3) {
            0 => vec![(Some(*rng.pick(&LABELS)), *rng.pick(&KEYS))],
            1 => vec![(None, *rng.pick(&KEYS))],
            _ => Vec::new(),
        };
        Graph { vertices, edges, indexes }
    }

    /// The graph without a vertex and its edges.
    pub(super) fn without_vertex(&self, gone: usize) -> Graph {
        let mut graph = self.clone();
        graph.vertices.remove(gone);
        remove_edges_of(&mut graph.edges, gone, |edge| [&mut edge.source, &mut edge.target]);
        graph
    }

    /// The statements that make it.
    fn statements(&self) -> impl Iterator<Item = String> {
        let given = |properties: &[String]| {
            properties.iter().map(|own| format!(".property({own})")).collect::<String>()
        };
        let vertex = move |vertex: &Vertex| {
            format!("g.addV('{}'){}", vertex.label, given(&vertex.properties))
        };
        let edge = move |edge: &Edge| {
            let (source, target) = (edge.source + 1, edge.target + 1);
            let own = given(&edge.properties);
            format!("g.V({source}).addE('{}').to(__.V({target})){own}", edge.edge_type)
        };
        self.vertices.iter().map(vertex).chain(self.edges.iter().map(edge))
    }

    pub(super) fn store(&self) -> Arc<dyn Store> {
        self.store_of(self.statements())
    }

    /// The graph that some statements make, with these indexes.
    pub(super) fn store_of(&self, statements: impl Iterator<Item = String>) -> Arc<dyn Store> {
        let store = MemoryBackend::new().create_graph("one").expect("an empty backend");
        let begin = || Transaction::begin(Arc::clone(&store), Isolation::Snapshot).expect("begins");
        let context = Context::writing(begin());
        for statement in statements {
            let translation = translate(&read(&statement).expect("a statement of the language"));
            let translation = translation.expect("a statement that is done here");
            let values = translation.parameters.into_iter();
            let values: Vec<_> = values.map(|(_, value)| Parameter::Value(value)).collect();
            let made = millrace_engine::execute(&translation.plan, &context, &values);
            made.unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
        let transaction = context.into_transaction().expect("it writes");
        for (label, key) in &self.indexes {
            let number = |kind, name| transaction.intern(&[(kind, name)]).expect("interns")[0];
            let owner = match label {
                Some(label) => Owner::Label(LabelId(number(NameKind::Label, label))),
                None => Owner::AllVertices,
            };
            let keys = vec![KeyId(number(NameKind::Key, key))];
            let kind = IndexKind::Range;
            let index = IndexDefinition::new(owner, keys, kind);
            transaction.change_schema(&[CatalogChange::CreateIndex(index)]).expect("declares");
        }
        transaction.commit().expect("commits").wait().expect("is visible");
        store
    }
}

impl Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.statements().try_for_each(|statement| writeln!(f, "{statement}"))?;
        for (label, key) in &self.indexes {
            writeln!(f, "// index of {} over {key}", label.unwrap_or("all vertices"))?;
        }
        Ok(())
    }
}

/// One of several words.
pub(super) fn one_of(rng: &mut Rng, words: &[&'static str]) -> &'static str {
    words[rng.index(words.len())]
}

fn of_vertex(rng: &mut Rng) -> Vec<String> {
    let mut all = Vec::new();
    if rng.chance(0.7) {
        all.push(format!("single, 'i', {}", rng.below(4)));
    }
    if rng.chance(0.6) {
        all.push(format!("single, 'n', {}", rng.pick(&NUMBERS)));
    }
    if rng.chance(0.6) {
        // Several values in one of three, some of them equal, some with properties of their own.
        let several = rng.chance(0.4);
        let count = if several { 1 + rng.below(3) } else { 1 };
        for _ in 0..count {
            let meta = if several && rng.chance(0.5) {
                format!(", 'since', {}", rng.below(3))
            } else {
                String::new()
            };
            let cardinality = if several { "list" } else { "single" };
            all.push(format!("{cardinality}, 's', {}{meta}", rng.pick(&TEXTS)));
        }
    }
    all
}

fn of_edge(rng: &mut Rng) -> Vec<String> {
    let mut all = Vec::new();
    if rng.chance(0.5) {
        all.push(format!("'i', {}", rng.below(4)));
    }
    if rng.chance(0.3) {
        all.push(format!("'n', {}", rng.pick(&NUMBERS)));
    }
    if rng.chance(0.3) {
        all.push(format!("'s', {}", rng.pick(&TEXTS)));
    }
    all
}
