//! Small random graphs: several labels on a vertex, parallel edges, loops, keys that are missing.
//!
//! Every element has an `id` of its own, by which results name it.

use std::fmt::{self, Display};
use std::sync::Arc;

use millrace_engine::Context;
use millrace_model::schema::{CatalogChange, IndexDefinition, IndexKind};
use millrace_model::{KeyId, LabelId, Owner};
use millrace_store::memory::MemoryBackend;
use millrace_store::{Backend, Isolation, NameKind, Store, Transaction};
use millrace_testkit::Rng;

use super::ways::compile;
use crate::random_runs::remove_edges_of;

/// Labels; a graph's vertices have any of them.
pub(super) const LABELS: [&str; 3] = ["P", "I", "T"];
/// Edge types.
pub(super) const TYPES: [&str; 2] = ["L", "K"];
const TEXTS: [&str; 4] = ["a", "ab", "b", ""];
const ANY: [&str; 8] = ["1", "1.0", "0.5", "'a'", "true", "false", "[1, 2]", "-1"];

/// A graph before it is stored, so that it can be made smaller, and searched without the engine.
#[derive(Clone, Default)]
pub(super) struct Graph {
    pub(super) vertices: Vec<Vertex>,
    pub(super) edges: Vec<Edge>,
    /// Labels and keys that an index has.
    pub(super) indexes: Vec<(&'static str, &'static str)>,
}

#[derive(Clone)]
pub(super) struct Vertex {
    pub(super) id: i64,
    pub(super) labels: Vec<&'static str>,
    pub(super) n: Option<i64>,
    pub(super) s: Option<&'static str>,
    /// Of any type, as it is written.
    pub(super) x: Option<&'static str>,
}

#[derive(Clone)]
pub(super) struct Edge {
    pub(super) id: i64,
    pub(super) edge_type: &'static str,
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) n: Option<i64>,
}

impl Graph {
    pub(super) fn random(rng: &mut Rng) -> Graph {
        let count = rng.range(1..8);
        let vertices = (0..count as i64).map(|id| Vertex::random(rng, id)).collect();
        let skew = rng.unit();
        let edge_count =
            if rng.chance(0.1) { rng.below(3) } else { rng.range(count..3 * count + 1) };
        let edges = (0..edge_count as i64).map(|id| Edge {
            id,
            edge_type: if rng.chance(0.7) { TYPES[0] } else { TYPES[1] },
            source: rng.rank(count, skew) as usize,
            target: rng.rank(count, 1.0 - skew) as usize,
            n: rng.chance(0.7).then(|| rng.below(3) as i64),
        });
        let edges = edges.collect();
        let indexes = match rng.below(3) {
            0 => vec![(*rng.pick(&LABELS), *rng.pick(&["id", "n", "s"]))],
            _ => Vec::new(),
        };
        Graph { vertices, edges, indexes }
    }

    /// The graphs with one thing less.
    pub(super) fn smaller(&self) -> Vec<Graph> {
        let mut all: Vec<Graph> =
            (0..self.vertices.len()).map(|gone| self.without_vertex(gone)).collect();
        let mut push = |change: &dyn Fn(&mut Graph)| {
            let mut smaller = self.clone();
            change(&mut smaller);
            all.push(smaller);
        };
        for gone in 0..self.edges.len() {
            push(&|graph| {
                graph.edges.remove(gone);
            });
        }
        if !self.indexes.is_empty() {
            push(&|graph| graph.indexes.clear());
        }
        for (index, vertex) in self.vertices.iter().enumerate() {
            for gone in 0..vertex.labels.len() {
                push(&|graph| {
                    graph.vertices[index].labels.remove(gone);
                });
            }
            if vertex.n.is_some() || vertex.s.is_some() || vertex.x.is_some() {
                push(&|graph| {
                    let Vertex { n, s, x, .. } = &mut graph.vertices[index];
                    (*n, *s, *x) = (None, None, None);
                });
            }
        }
        for (index, edge) in self.edges.iter().enumerate() {
            if edge.n.is_some() {
                push(&|graph| graph.edges[index].n = None);
            }
        }
        all
    }

    /// The graph without a vertex and its edges.
    fn without_vertex(&self, gone: usize) -> Graph {
        let mut graph = self.clone();
        graph.vertices.remove(gone);
        remove_edges_of(&mut graph.edges, gone, |edge| [&mut edge.source, &mut edge.target]);
        graph
    }

    /// The statement that makes it.
    fn statement(&self) -> String {
        let vertex = |(index, vertex): (usize, &Vertex)| {
            let labels: String = vertex.labels.iter().map(|label| format!(":{label}")).collect();
            let keys = [
                vertex.n.map(|n| format!(", n: {n}")),
                vertex.s.map(|s| format!(", s: '{s}'")),
                vertex.x.map(|x| format!(", x: {x}")),
            ];
            let keys: String = keys.into_iter().flatten().collect();
            format!("(v{index}{labels} {{id: {}{keys}}})", vertex.id)
        };
        let edge = |edge: &Edge| {
            let Edge { id, edge_type, source, target, n } = edge;
            let n = n.map(|n| format!(", n: {n}")).unwrap_or_default();
            format!("(v{source})-[:{edge_type} {{id: {id}{n}}}]->(v{target})")
        };
        let vertices = self.vertices.iter().enumerate().map(vertex);
        let parts: Vec<String> = vertices.chain(self.edges.iter().map(edge)).collect();
        format!("CREATE {}", parts.join(", "))
    }

    pub(super) fn store(&self) -> Arc<dyn Store> {
        let store = MemoryBackend::new().create_graph("g").expect("an empty backend");
        let begun = Transaction::begin(Arc::clone(&store), Isolation::Snapshot);
        let context = Context::writing(begun.expect("begins on memory"));
        if !self.vertices.is_empty() {
            let (plan, _) = compile(&self.statement(), Arc::default()).expect("a statement");
            millrace_engine::execute(&plan, &context, &[]).expect("makes the graph");
        }
        let transaction = context.into_transaction().expect("it writes");
        for (label, key) in &self.indexes {
            let number = |kind, name| transaction.intern(&[(kind, name)]).expect("interns")[0];
            let owner = Owner::Label(LabelId(number(NameKind::Label, label)));
            let keys = vec![KeyId(number(NameKind::Key, key))];
            let index = IndexDefinition::new(owner, keys, IndexKind::Range);
            transaction.change_schema(&[CatalogChange::CreateIndex(index)]).expect("declares");
        }
        transaction.commit().expect("commits").wait().expect("is visible");
        store
    }
}

impl Vertex {
    fn random(rng: &mut Rng, id: i64) -> Vertex {
        let labels = match rng.below(10) {
            0..=3 => vec![LABELS[0]],
            4 | 5 => vec![LABELS[1]],
            6 => LABELS.to_vec(),
            _ => LABELS.into_iter().filter(|_| rng.chance(0.5)).collect(),
        };
        Vertex {
            id,
            labels,
            n: rng.chance(0.7).then(|| rng.below(3) as i64),
            s: rng.chance(0.7).then(|| *rng.pick(&TEXTS)),
            x: rng.chance(0.5).then(|| *rng.pick(&ANY)),
        }
    }
}

impl Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.vertices.is_empty() {
            writeln!(f, "{}", self.statement())?;
        }
        self.indexes
            .iter()
            .try_for_each(|(label, key)| writeln!(f, "// index of {label} over {key}"))
    }
}
