//! What random traversals and random Cypher share: a run of a plan on a store, its outcome, a graph made smaller.

use std::fmt;
use std::sync::Arc;

use millrace_engine::Context;
use millrace_model::{Error, ErrorKind};
use millrace_plan::Plan;
use millrace_store::{Isolation, Store, Transaction};

/// The outcome of a run.
#[derive(Clone, PartialEq)]
pub(crate) enum Outcome {
    /// It was translated and ran.
    Rows { rows: Vec<String>, graph: Vec<String> },
    /// It was translated and failed.
    Failed(Error),
    /// It was not translated.
    Refused(Error),
}

impl Outcome {
    /// Whether the oracle gave up: then there is nothing to compare with.
    pub(crate) fn exceeds_a_limit(&self) -> bool {
        matches!(self, Outcome::Failed(error) if error.kind == ErrorKind::LimitReached)
    }

    pub(crate) fn is_bug(&self) -> bool {
        matches!(self, Outcome::Failed(error) | Outcome::Refused(error) if error.kind == ErrorKind::Bug)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Failed(error) => writeln!(f, "  failed, {:?}: {error}", error.kind),
            Outcome::Refused(error) => writeln!(f, "  refused, {:?}: {error}", error.kind),
            Outcome::Rows { rows, graph } => {
                rows.iter().try_for_each(|row| writeln!(f, "  {row}"))?;
                if !graph.is_empty() {
                    writeln!(f, "  and the graph")?;
                }
                graph.iter().try_for_each(|line| writeln!(f, "    {line}"))
            }
        }
    }
}

/// What a plan runs on: a transaction, if it writes.
pub(crate) fn context_over(store: &Arc<dyn Store>, plan: &Plan) -> Context {
    if plan.root.has_effect() {
        let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot);
        return Context::writing(transaction.expect("begins on memory"));
    }
    Context::reading(store.snapshot().expect("a snapshot of memory"))
}

/// Removes the edges of a vertex, and counts the ends of the others without it.
pub(crate) fn remove_edges_of<E>(
    edges: &mut Vec<E>,
    vertex: usize,
    ends: impl Fn(&mut E) -> [&mut usize; 2],
) {
    edges.retain_mut(|edge| ends(edge).iter().all(|end| **end != vertex));
    for end in edges.iter_mut().flat_map(ends) {
        *end -= usize::from(vertex < *end);
    }
}
