//! Gremlin: requests of clients, run in transactions, and results with the elements they show.
//!
//! ```text
//!   text ──texts (kept)────> Script ──bind──┐              ┌─ shape ──traversals (kept)──> Planned
//!   bytes ─────wire──────────> Bytecode ────┴──lift────────┤                                 │
//!                                                          └─ values ──────────────────> Execution
//!                                                                                            │
//!   Results <──show── values and bulks <─────────────────────────────────────────────────────┘
//! ```
//!
//! Without a session a request is one transaction, run again after a write conflict. Its results leave
//! before the end only if it wrote nothing; otherwise they leave once its commit is visible. A request
//! that commits by itself never runs again, and goes on when its commit is visible.

mod evaluate;
mod kept;
mod options;
mod planned;
mod profile;
mod references;
mod results;
mod session;
mod shapes;
mod show;
mod sources;
mod texts;
mod transactions;
mod variables;

use std::sync::Arc;

use millrace_gremlin::lift::{Lifted, lift};
use millrace_gremlin::text::Language;
use millrace_model::bytecode::{Argument, Bytecode};
use millrace_model::{Result, ShownElements, TraversalMetrics, Value};

use crate::execution::RequestLimits;
use crate::limits::TRAVERSALS_KEPT_MAX;
use crate::metrics::Metric;

pub use millrace_gremlin as language;
pub use millrace_store::Ticket;
pub use session::{Session, SessionMode};
pub use show::Shows;
pub use variables::random_uuid;

use kept::{Kept, Size};
use planned::Planned;
use references::ReferencePlans;
use show::ShowPlans;
use texts::Texts;

/// What a client asks.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is to be run.
    pub work: Work,
    /// Names of graphs in it, and those of the database.
    pub aliases: Vec<(String, String)>,
    /// What results show of elements.
    pub shows: Shows,
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
    /// A run begins. What was taken of a run before, and has not left, is void. `leaves` says whether
    /// results may leave before the run has ended.
    fn begin(&mut self, leaves: bool);

    /// Takes results: values, how many equal ones each stands for, and the elements they show.
    fn take(&mut self, values: &[Value], bulks: &[u64], shown: &ShownElements) -> Result<()>;

    /// Takes what a traversal did, which is wanted in place of its results.
    fn take_metrics(&mut self, metrics: &TraversalMetrics) -> Result<()>;
}

/// What all requests of a database share.
pub(crate) struct Gremlin {
    texts: [Texts; 2],
    traversals: Kept<Bytecode, Planned>,
    shows: ShowPlans,
    references: ReferencePlans,
}

impl Default for Gremlin {
    fn default() -> Gremlin {
        let shapes = Size { entries: TRAVERSALS_KEPT_MAX, bytes: usize::MAX };
        Gremlin {
            texts: [Language::Gremlin, Language::Groovy].map(Texts::new),
            traversals: Kept::new(shapes),
            shows: ShowPlans::default(),
            references: ReferencePlans::default(),
        }
    }
}

impl Gremlin {
    /// The texts of a language.
    fn texts(&self, language: Language) -> &Texts {
        &self.texts[language as usize]
    }

    /// The plan of a traversal, and its literals.
    fn planned(&self, mut bytecode: Bytecode) -> Result<(Arc<Planned>, Vec<Lifted>)> {
        let lifted = lift(&mut bytecode);
        let planned = self.traversals.get(bytecode, 1, Planned::of_shape)?;
        Ok((planned, lifted))
    }

    pub(crate) fn metrics(&self) -> Vec<Metric> {
        let [one, other] = self.texts.each_ref().map(Texts::counts);
        let both = |at: usize| [0, 1, 2].map(|place: usize| one[at][place] + other[at][place]);
        let kinds =
            [("script", both(0)), ("skeleton", both(1)), ("traversal", self.traversals.counts())];
        let mut metrics = Vec::new();
        for (kind, counts) in kinds {
            let [hits, misses, kept] = counts.map(|count| count as f64);
            let labelled =
                |metric: Metric| Metric { labels: vec![("kind", kind.to_owned())], ..metric };
            metrics.push(labelled(Metric::counter(
                "millrace_gremlin_kept_hits_total",
                "Texts that were read before, as they stand or without their literals, and \
                 traversals whose shape was planned before.",
                hits,
            )));
            metrics.push(labelled(Metric::counter(
                "millrace_gremlin_kept_misses_total",
                "Texts that had to be read, and traversals that had to be planned.",
                misses,
            )));
            metrics.push(labelled(Metric::gauge(
                "millrace_gremlin_kept",
                "Texts and plans that are kept.",
                kept,
            )));
        }
        metrics
    }
}
