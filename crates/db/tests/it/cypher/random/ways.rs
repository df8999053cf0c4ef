//! The ways to run a text, their outcomes, and when two outcomes agree.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use millrace_db::languages::{Binding, Entry};
use millrace_engine::{CancelFlag, Context, Limits, oracle};
use millrace_model::{Batch, Error, ErrorKind, Result};
use millrace_plan::language::{Options, Scope};
use millrace_plan::rules::{RULES, optimize, optimize_without};
use millrace_plan::{DegreeHint, Hints, Mentioned, Name, Parameter, Plan, Runner};
use millrace_store::Store;
use millrace_testkit::Rng;
use millrace_testkit::named::{Before, Named};

use super::graph::{LABELS, TYPES};
use crate::random_runs::{Outcome, context_over};

/// The seed of all ways.
const SEED: u64 = 1;

/// The scope of a text without parameters.
struct OnlyHints(Arc<Hints>);

impl Scope for OnlyHints {
    fn variable(&self, _name: &str) -> Option<Binding> {
        None
    }

    fn is_graph(&self, _name: &str) -> bool {
        true
    }

    fn hints(&mut self, _mentioned: &Mentioned) -> Result<Arc<Hints>> {
        Ok(Arc::clone(&self.0))
    }

    fn runner(&mut self, _options: &Options) -> Result<&mut dyn Runner> {
        Err(Error::new(ErrorKind::Bug, "no text looks elements up before it runs"))
    }
}

/// The plan of a text as it is translated, and its parameters.
pub(super) fn compile(text: &str, hints: Arc<Hints>) -> Result<(Plan, Vec<Parameter>)> {
    let Entry::Compiled(language) = Entry::of_name("cypher")? else {
        return Err(Error::new(ErrorKind::Bug, "Cypher is compiled"));
    };
    let bound = language.parse(text)?.bind(0, &mut OnlyHints(hints))?;
    let compiled = bound.statement.compile()?;
    let value = |slot: usize| Parameter::Value(bound.values[slot].value.clone());
    Ok((compiled.plan, compiled.slots.into_iter().map(value).collect()))
}

type Execute = fn(&Plan, &Context, &[Parameter]) -> Result<Batch>;

/// A way to run a text.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) name: String,
    execute: Execute,
    rules: Rules,
    hints: Knows,
    batch_rows_max: usize,
    merging: bool,
}

#[derive(Clone, Copy)]
enum Rules {
    None,
    All,
    AllBut(&'static str),
}

/// What the translation knows of the graph.
#[derive(Clone, Copy)]
enum Knows {
    Nothing,
    TheGraph,
    /// Counts that are wrong: a plan is right whatever hints say.
    AnotherGraph(u64),
}

fn way(name: &str, execute: Execute, rules: Rules) -> Way {
    let (hints, batch_rows_max) = (Knows::Nothing, usize::MAX);
    Way { name: name.to_owned(), execute, rules, hints, batch_rows_max, merging: true }
}

/// The plan as it was translated, row by row: the reference for all others.
pub(super) fn reference() -> Way {
    way("oracle", oracle::execute, Rules::None)
}

/// As the database runs a text.
pub(super) fn as_served() -> Way {
    let served = way("engine with rules", millrace_engine::execute, Rules::All);
    Way { hints: Knows::TheGraph, ..served }
}

/// The others. With one rule off now and then, as that is many.
pub(super) fn ways(seed: u64, each_rule_off: bool) -> Vec<Way> {
    let engine: Execute = millrace_engine::execute;
    let served = as_served();
    let named = |name: &str| Way { name: name.to_owned(), ..served.clone() };
    let others = Knows::AnotherGraph(seed);
    let mut ways = vec![
        way("engine without rules", engine, Rules::None),
        served.clone(),
        Way { hints: Knows::Nothing, ..named("engine with rules, without hints") },
        Way { hints: others, ..named("engine with rules, hints of another graph") },
        Way { batch_rows_max: 2, ..named("engine with rules, two rows a batch") },
        Way { batch_rows_max: 1, ..way("engine, one row a batch", engine, Rules::None) },
        Way { merging: false, ..named("engine with rules, rows not merged") },
        Way { execute: oracle::execute, hints: others, ..named("oracle with rules") },
    ];
    if each_rule_off {
        ways.extend(RULES.iter().map(|rule| {
            let rules = Rules::AllBut(rule.name);
            Way { rules, ..named(&format!("engine with rules but {}", rule.name)) }
        }));
    }
    ways
}

/// What of a result is fixed by its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fixed {
    /// Its rows, in any order.
    Rows,
    /// Its rows in their order.
    Order,
    /// These columns in their order: which of equal rows a limit takes is open.
    Columns(Vec<usize>),
}

/// Whether a way may give `outcome` where the reference gave `expected`: the same, but for an error of a row that
/// it need not look at.
pub(super) fn agree(outcome: &Outcome, expected: &Outcome) -> bool {
    match (outcome, expected) {
        (Outcome::Rows { .. }, Outcome::Failed(_)) => !expected.is_bug(),
        (Outcome::Failed(_), Outcome::Failed(_)) => !outcome.is_bug() && !expected.is_bug(),
        (Outcome::Refused(error), Outcome::Refused(expected)) => error.kind == expected.kind,
        (one, other) => one == other,
    }
}

impl Way {
    /// The plan of a text over a graph.
    pub(super) fn plan(
        &self,
        store: &Arc<dyn Store>,
        text: &str,
    ) -> Result<(Plan, Vec<Parameter>)> {
        let hints = match self.hints {
            Knows::Nothing => Hints::default(),
            Knows::TheGraph => millrace_engine::hints(&*store.snapshot()?, &everything())?,
            Knows::AnotherGraph(seed) => random_hints(&mut Rng::new(seed)),
        };
        let (mut plan, parameters) = compile(text, Arc::new(hints))?;
        plan.merging &= self.merging;
        match self.rules {
            Rules::None => {}
            Rules::All => optimize(&mut plan),
            Rules::AllBut(name) => optimize_without(&mut plan, &[name]),
        }
        Ok((plan, parameters))
    }

    pub(super) fn run(&self, store: &Arc<dyn Store>, text: &str, fixed: &Fixed) -> Outcome {
        catch_unwind(AssertUnwindSafe(|| self.run_once(store, text, fixed)))
            .unwrap_or_else(|panic| Outcome::Failed(Error::new(ErrorKind::Bug, message(&*panic))))
    }

    fn run_once(&self, store: &Arc<dyn Store>, text: &str, fixed: &Fixed) -> Outcome {
        let (plan, parameters) = match self.plan(store, text) {
            Ok(prepared) => prepared,
            Err(error) => return Outcome::Refused(error),
        };
        let before = Before::of(&*store.snapshot().expect("a snapshot of memory"));
        let limits = Limits { batch_rows_max: self.batch_rows_max, ..Limits::default() };
        let context = context_over(store, &plan).with_seed(SEED);
        let context = context.with_limits(limits, CancelFlag::default());
        let mut batch = match (self.execute)(&plan, &context, &parameters) {
            Ok(batch) => batch,
            Err(error) => return Outcome::Failed(error),
        };
        if let Fixed::Columns(columns) = fixed {
            batch.columns = columns.iter().map(|&column| batch.columns[column].clone()).collect();
        }
        let ordered = *fixed != Fixed::Rows;
        let named = Named { graph: context.graph(), before: &before, ordered };
        let rows = named.rows(&batch, 0..batch.len);
        let mut graph = Vec::new();
        if plan.root.has_effect() {
            graph = named.dump();
            let counts = context.write_counts().each().into_iter().filter(|(_, count)| *count != 0);
            graph.extend(counts.map(|(name, count)| format!("{name} {count}")));
        }
        Outcome::Rows { rows, graph }
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
    format!("panicked: {}", text.unwrap_or_default())
}

fn random_hints(rng: &mut Rng) -> Hints {
    let count = |rng: &mut Rng| 1 << rng.below(20);
    let mut counts = |names: &[&str]| -> BTreeMap<Name, u64> {
        names.iter().map(|&name| (name.into(), count(rng))).collect()
    };
    let (labels, edge_types) = (counts(&LABELS), counts(&TYPES));
    let mut degree = |name: &&str| {
        let (out, into) = (rng.below(1 << 10), rng.below(1 << 10));
        let (one_out, one_into) = (rng.chance(0.5), rng.chance(0.5));
        (Name::from(*name), DegreeHint { out, into, one_out, one_into })
    };
    let degrees =
        LABELS.iter().map(|&label| (label.into(), TYPES.iter().map(&mut degree).collect()));
    let degrees = degrees.collect();
    Hints { vertices: Some(1 << 20), labels, edge_types, degrees, ..Hints::default() }
}

fn everything() -> Mentioned {
    let names = LABELS.iter().chain(&TYPES).map(|&name| name.into()).collect();
    Mentioned { patterns: true, hops: true, untyped_hops: true, names }
}
