//! Gremlin: requests of clients, run in transactions, and results with the elements they show.
//!
//! ```text
//!   text ──texts (cached)──> Script ──bind──┐              ┌─ prepared (cached) ──> PreparedStatement
//!   bytes ─────wire────────> Bytecode ──────┴─parameterize─┤                             │
//!                                                          └─ values ──────────────> Execution
//!                                                                                        │
//!   Results <──detach── values and bulks <───────────────────────────────────────────────┘
//! ```
//!
//! Without a session a request is one transaction, run again after a write conflict. Its results leave
//! before the end only if it wrote nothing; otherwise they leave once its commit is visible. A request
//! that commits by itself never runs again, and goes on when its commit is visible.

mod cache;
mod detach;
mod evaluate;
mod fingerprints;
mod options;
mod prepared_statement;
mod profile;
mod references;
mod results;
mod session;
mod sources;
mod texts;
mod transactions;
mod variables;

use std::sync::Arc;

use millrace_gremlin::parameterize::{ParameterSlot, parameterize};
use millrace_gremlin::text::Language;
use millrace_model::bytecode::{Argument, Bytecode};
use millrace_model::{DetachedElements, Result, TraversalMetrics, Value};

use crate::execution::RequestLimits;
use crate::limits::PREPARED_STATEMENTS_CACHED_MAX;
use crate::metrics::Metric;

pub use detach::ElementDetail;
pub use millrace_gremlin as language;
pub use millrace_store::Ticket;
pub use session::{Session, SessionMode};
pub use variables::random_uuid;

use cache::{Cache, Size};
use detach::DetachPlans;
use prepared_statement::PreparedStatement;
use references::ReferencePlans;
use texts::Texts;

/// What a client asks.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is to be run.
    pub work: Work,
    /// Names of graphs in it, and those of the database.
    pub aliases: Vec<(String, String)>,
    /// What clients get of the elements in results.
    pub detail: ElementDetail,
    /// Whether it runs on a snapshot and may not write.
    pub is_read_only: bool,
    /// How long and how large it may be.
    pub limits: RequestLimits,
}

/// What is to be run.
#[derive(Clone, Debug)]
pub enum Work {
    /// A text.
    Script {
        /// The text.
        text: Arc<str>,
        /// What it says it is.
        language: Language,
        /// Its variables.
        bindings: Vec<(Arc<str>, Argument)>,
    },
    /// A traversal.
    Traversal(Bytecode),
}

/// The receiver of results.
pub trait Results {
    /// A run begins. Results of an earlier run that were not sent are void. `streams` says whether results
    /// may be sent before the run has ended.
    fn begin(&mut self, streams: bool);

    /// Takes results: values, how many equal ones each stands for, and the elements in them.
    fn take(&mut self, values: &[Value], bulks: &[u64], elements: &DetachedElements) -> Result<()>;

    /// Takes what a traversal did, which is wanted in place of its results.
    fn take_metrics(&mut self, metrics: &TraversalMetrics) -> Result<()>;
}

/// What all requests of a database share.
pub(crate) struct Gremlin {
    texts: [Texts; 2],
    prepared: Cache<Bytecode, PreparedStatement>,
    detach_plans: DetachPlans,
    references: ReferencePlans,
}

impl Default for Gremlin {
    fn default() -> Gremlin {
        let prepared = Size { entries: PREPARED_STATEMENTS_CACHED_MAX, bytes: usize::MAX };
        Gremlin {
            texts: [Language::Gremlin, Language::Groovy].map(Texts::new),
            prepared: Cache::new(prepared),
            detach_plans: DetachPlans::default(),
            references: ReferencePlans::default(),
        }
    }
}

impl Gremlin {
    /// The texts of a language.
    fn texts(&self, language: Language) -> &Texts {
        &self.texts[language as usize]
    }

    /// The prepared statement of a traversal, and its parameter slots.
    fn prepare(
        &self,
        mut bytecode: Bytecode,
    ) -> Result<(Arc<PreparedStatement>, Vec<ParameterSlot>)> {
        let slots = parameterize(&mut bytecode);
        let prepared = self.prepared.get(bytecode, 1, PreparedStatement::of_bytecode)?;
        Ok((prepared, slots))
    }

    pub(crate) fn metrics(&self) -> Vec<Metric> {
        let [one, other] = self.texts.each_ref().map(Texts::counts);
        let both = |at: usize| [0, 1, 2].map(|place: usize| one[at][place] + other[at][place]);
        let kinds = [
            ("script", both(0)),
            ("normalized_query", both(1)),
            ("prepared_statement", self.prepared.counts()),
        ];
        let mut metrics = Vec::new();
        for (kind, counts) in kinds {
            let [hits, misses, entries] = counts.map(|count| count as f64);
            let labelled =
                |metric: Metric| Metric { labels: vec![("kind", kind.to_owned())], ..metric };
            metrics.push(labelled(Metric::counter(
                "millrace_statement_cache_hits_total",
                "Statements found in a cache: scripts by their text or their normalized query, traversals \
                 by their prepared statement.",
                hits,
            )));
            metrics.push(labelled(Metric::counter(
                "millrace_statement_cache_misses_total",
                "Statements not found in a cache: scripts that were parsed, traversals that were planned.",
                misses,
            )));
            metrics.push(labelled(Metric::gauge(
                "millrace_statement_cache_entries",
                "Entries of the statement caches.",
                entries,
            )));
        }
        metrics
    }
}
