//! The outcome of a run, in a form in which two runs can be compared.

use std::fmt;

use millrace_engine::Context;
use millrace_model::{Batch, ErrorKind, Result};
use millrace_plan::Plan;
use millrace_testkit::named::{Before, Named};

/// The rows and the graph after a run, or its error.
#[derive(Clone, PartialEq)]
pub(crate) enum Outcome {
    Rows { rows: Vec<String>, graph: Vec<String> },
    Error { kind: ErrorKind, detail: String },
}

impl Outcome {
    /// Whether the oracle gave up: then there is nothing to compare with.
    pub(super) fn is_too_large(&self) -> bool {
        matches!(self, Outcome::Error { kind: ErrorKind::LimitReached, .. })
    }

    /// Of a run in a context over a graph that had these elements before.
    pub(crate) fn of(
        result: Result<Batch>,
        plan: &Plan,
        context: &Context,
        before: &Before,
    ) -> Outcome {
        let batch = match result {
            Ok(batch) => batch,
            Err(error) => return Outcome::Error { kind: error.kind, detail: error.detail },
        };
        if !plan.merging && batch.weights.is_some() {
            let detail = "a plan with merging off gave rows with weights".to_owned();
            return Outcome::Error { kind: ErrorKind::Bug, detail };
        }
        let view = Named { graph: context.graph(), before, ordered: plan.ordered };
        let rows = view.rows(&batch, 0..batch.len);
        let mut graph = if plan.root.has_effect() { view.dump() } else { Vec::new() };
        let counts = context.write_counts().each().into_iter().filter(|(_, count)| *count != 0);
        graph.extend(counts.map(|(name, count)| format!("{name} {count}")));
        Outcome::Rows { rows, graph }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Error { kind, detail } => writeln!(f, "  {kind:?}: {detail}"),
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
