//! The ways to run a traversal, their outcomes, and when two outcomes agree.

use std::sync::Arc;

use millrace_engine::{CancelFlag, Context, Limits, oracle};
use millrace_gremlin::bytecode::Bytecode;
use millrace_gremlin::parameterize::parameterize;
use millrace_gremlin::text::{Expression, Language, parse};
use millrace_gremlin::{Translation, translate};
use millrace_model::{Batch, Error, ErrorKind, Result};
use millrace_plan::rules::optimize;
use millrace_plan::{ApplyKind, Fold, Op, Parameter, Plan, op};
use millrace_store::Store;
use millrace_testkit::named::{Before, Named};

use super::text::Script;
use crate::random_runs::{Outcome, context_over};

/// The seed of all ways.
const SEED: u64 = 1;

/// A text as instructions.
pub(in crate::gremlin) fn read(text: &str) -> Result<Bytecode> {
    let script = parse(text, Language::Gremlin)?;
    match script.statements[0].bind(&mut |_| None)? {
        Expression::Traversal(traversal) => Ok(traversal.bytecode),
        _ => Err(Error::new(ErrorKind::Bug, format!("no traversal: {text}"))),
    }
}

type Execute = fn(&Plan, &Context, &[Parameter]) -> Result<Batch>;

/// A way to run a traversal.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) name: &'static str,
    execute: Execute,
    rules: bool,
    /// Whether its literals are parameters, as they are where plans are shared.
    parameterized: bool,
    batch_rows_max: usize,
}

const ROW_BY_ROW: Way = Way {
    name: "oracle",
    execute: oracle::execute,
    rules: false,
    parameterized: false,
    batch_rows_max: usize::MAX,
};
const BULK: Way = Way { name: "engine", execute: millrace_engine::execute, ..ROW_BY_ROW };

/// The reference for the other ways: the plan as it was translated, row by row.
pub(super) const REFERENCE: Way = ROW_BY_ROW;

/// The others.
pub(super) const WAYS: [Way; 6] = [
    BULK,
    Way { name: "engine with rules", rules: true, ..BULK },
    Way { name: "engine with rules, two rows a batch", rules: true, batch_rows_max: 2, ..BULK },
    Way { name: "engine, one row a batch", batch_rows_max: 1, ..BULK },
    Way {
        name: "engine with rules, literals parameterized",
        rules: true,
        parameterized: true,
        ..BULK
    },
    Way { name: "oracle with rules", rules: true, ..ROW_BY_ROW },
];

impl Way {
    /// The traversal's plan and its parameters; the order of its result is demanded where it would else
    /// be open which of several rows there are.
    pub(super) fn plan(&self, script: &Script) -> Result<(Plan, Vec<Parameter>)> {
        let mut bytecode = read(&script.to_string())?;
        let values = if self.parameterized { parameterize(&mut bytecode) } else { Vec::new() };
        let Translation { mut plan, parameters, .. } = translate(&bytecode)?;
        let value = |(name, value): (Arc<str>, _)| match name.parse::<usize>() {
            Ok(place) if self.parameterized => values[place].value.clone(),
            _ => value,
        };
        let parameters = parameters.into_iter().map(value).map(Parameter::Value).collect();
        plan.ordered = script.ordered;
        plan.root.visit_ops(&mut |op| {
            plan.ordered |= matches!(op, Op::Sort(_) | Op::TopK(_) | Op::Dedup(_));
        });
        if self.rules {
            optimize(&mut plan);
        }
        Ok((plan, parameters))
    }

    pub(super) fn run(&self, store: &Arc<dyn Store>, script: &Script) -> Outcome {
        let (plan, parameters) = match self.plan(script) {
            Ok(planned) => planned,
            Err(error) => return Outcome::Refused(error),
        };
        let before = Before::of(&*store.snapshot().expect("a snapshot of memory"));
        let limits = Limits { batch_rows_max: self.batch_rows_max, ..Limits::default() };
        let context = context_over(store, &plan).with_seed(SEED);
        let context = context.with_limits(limits, CancelFlag::default());
        let batch = match (self.execute)(&plan, &context, &parameters) {
            Ok(batch) => batch,
            Err(error) => return Outcome::Failed(error),
        };
        let named = Named { graph: context.graph(), before: &before, ordered: plan.ordered };
        let rows = named.rows(&batch, 0..batch.len);
        let graph = if plan.root.has_effect() { named.dump() } else { Vec::new() };
        Outcome::Rows { rows, graph }
    }

    /// Whether this way may give `outcome` where the reference gave `expected`: the same, but for an
    /// error of a row that it need not look at.
    pub(super) fn agrees(&self, script: &Script, outcome: &Outcome, expected: &Outcome) -> bool {
        match (outcome, expected) {
            (Outcome::Failed(error), Outcome::Failed(expected)) => {
                // The error of a `fail()` may come before an error of a column that no operator reads.
                let of_a_row =
                    |error: &Error| is_of_a_row(error) || error.kind == ErrorKind::Failed;
                error.kind == expected.kind || of_a_row(error) && of_a_row(expected)
            }
            (Outcome::Rows { .. }, Outcome::Failed(error)) => {
                is_of_a_row(error) && (self.rules || may_spare_rows(script))
            }
            (Outcome::Refused(error), Outcome::Refused(expected)) => error.kind == expected.kind,
            (outcome, expected) => outcome == expected,
        }
    }
}

/// Whether which of several such errors comes first depends on which row is looked at first.
fn is_of_a_row(error: &Error) -> bool {
    matches!(
        error.kind,
        ErrorKind::NotFound
            | ErrorKind::BadInput
            | ErrorKind::BadQuery
            | ErrorKind::AlreadyExists
            | ErrorKind::Unsupported
    )
}

/// Whether the plan has rows that no operator needs to look at, rules or not.
fn may_spare_rows(script: &Script) -> bool {
    let Ok((plan, _)) = REFERENCE.plan(script) else { return false };
    let mut spares = false;
    plan.root.visit_ops(&mut |op| {
        spares |= match op {
            Op::Range(_) | Op::Tail(_) | Op::TopK(_) => true,
            Op::Apply(op::Apply { kind: ApplyKind::Exists | ApplyKind::Absent, .. }) => true,
            Op::Apply(op::Apply { kind: ApplyKind::Value { fold, .. }, .. }) => spares_in(fold),
            Op::Aggregate(op::Aggregate { folds, .. }) => {
                folds.iter().any(|(_, fold)| spares_in(fold))
            }
            _ => false,
        }
    });
    // A column that no later operator reads is not computed, rules or not.
    spares || has_dead_columns(&plan)
}

fn spares_in(fold: &Fold) -> bool {
    match fold {
        Fold::IfSeen { fold, .. } => spares_in(fold),
        fold => matches!(fold, Fold::Exists | Fold::First(_)),
    }
}

fn has_dead_columns(plan: &Plan) -> bool {
    let mut without_dead = plan.clone();
    let all = millrace_plan::rules::RULES.iter().map(|rule| rule.name);
    let others: Vec<_> = all.filter(|name| *name != "dead_columns").collect();
    millrace_plan::rules::optimize_without(&mut without_dead, &others);
    without_dead != *plan
}
