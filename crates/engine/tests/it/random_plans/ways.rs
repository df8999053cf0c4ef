//! The ways to run a plan, and when two outcomes agree.

use std::sync::Arc;

use millrace_engine::{CancelFlag, Context, Limits, Prepared, oracle};
use millrace_model::{Batch, ErrorKind, Result};
use millrace_plan::rules::{RULES, optimize, optimize_without};
use millrace_plan::{ApplyKind, Fold, Op, Parameter, Plan, op};
use millrace_store::{Isolation, Store, Transaction};
use millrace_testkit::Rng;
use millrace_testkit::named::Before;

use super::any_order::gives_the_same_in_any_order;
use super::graph::Graph;
use super::outcome::Outcome;

type Execute = fn(&Plan, &Context, &[Parameter]) -> Result<Batch>;

/// The seed of all ways.
const SEED: u64 = 1;

/// A result of more rows than this may exceed the memory of a run, which the oracle does not count.
const LARGE_ROWS: usize = 4_096;

/// The same in small batches: each counts all rows of the bags that it views.
const LARGE_ROWS_OF_BAGS: usize = 256;

/// A way to run a plan.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) name: String,
    execute: Execute,
    rules: Rules,
    limits: Limits,
    /// Whether only a `Sort` makes an order: results are then compared as multisets.
    sorted_only: bool,
}

#[derive(Clone)]
enum Rules {
    None,
    All,
    AllBut(&'static str),
}

/// The plan as it stands, row by row: the reference for all others.
pub(super) fn reference() -> Way {
    let (rules, limits) = (Rules::None, Limits::default());
    let (name, execute, sorted_only) = ("oracle".to_owned(), oracle::execute as Execute, false);
    Way { name, execute, rules, limits, sorted_only }
}

/// The others; with one rule off only now and then, as that is many.
pub(super) fn ways(each_rule_off: bool) -> Vec<Way> {
    let way = |name: &str, execute: Execute, rules: Rules| {
        let limits = Limits::default();
        Way { name: name.to_owned(), execute, rules, limits, sorted_only: false }
    };
    let mut ways = vec![
        way("oracle with rules", oracle::execute, Rules::All),
        way("engine without rules", millrace_engine::execute, Rules::None),
        way("engine with rules", millrace_engine::execute, Rules::All),
        way("engine with rules, after another graph", after_another_graph, Rules::All),
        way("engine with rules, two rows a batch", millrace_engine::execute, Rules::All).batched(2),
        way("engine without rules, one row a batch", millrace_engine::execute, Rules::None)
            .batched(1),
        way("engine with rules, scans in pieces of two", millrace_engine::execute, Rules::All)
            .in_pieces(2),
        way("engine without rules, scans in pieces of one", millrace_engine::execute, Rules::None)
            .in_pieces(1)
            .batched(3),
        way("engine with rules, ordered by sorts only", millrace_engine::execute, Rules::All)
            .sorted_only(),
        way("engine without rules, ordered by sorts only", millrace_engine::execute, Rules::None)
            .sorted_only()
            .batched(2),
    ];
    if each_rule_off {
        ways.extend(RULES.iter().map(|rule| {
            let name = format!("engine with rules but {}", rule.name);
            way(&name, millrace_engine::execute, Rules::AllBut(rule.name))
        }));
    }
    ways
}

/// Runs a prepared plan as the next transaction on another graph would: state left in operators by the
/// run before, which may have failed, must not show.
fn after_another_graph(plan: &Plan, context: &Context, parameters: &[Parameter]) -> Result<Batch> {
    let mut prepared = Prepared::new(plan)?;
    let other = Graph::random(&mut Rng::new(SEED));
    let before = context_over(other.store(), plan);
    // Only the state it leaves behind matters.
    let _other_rows = prepared.run(&before, parameters);
    prepared.run(context, parameters)
}

/// Where a plan runs: in a transaction only if it writes.
fn context_over(store: Arc<dyn Store>, plan: &Plan) -> Context {
    if plan.root.has_effect() {
        let transaction = Transaction::begin(store, Isolation::Snapshot);
        return Context::writing(transaction.expect("begins on memory"));
    }
    Context::reading(store.snapshot().expect("a snapshot of memory"))
}

impl Way {
    /// The same with batches as small as this: operators meet their edges without a large graph.
    fn batched(self, batch_rows_max: usize) -> Way {
        Way { limits: Limits { batch_rows_max, ..self.limits }, ..self }
    }

    fn sorted_only(self) -> Way {
        Way { sorted_only: true, ..self }
    }

    /// The same with scans that threads share, in pieces of so many elements.
    fn in_pieces(self, elements: u64) -> Way {
        Way { limits: Limits { piece_elements: Some(elements), ..self.limits }, ..self }
    }

    pub(super) fn plan(&self, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        plan.sorted_only |= self.sorted_only;
        match self.rules {
            Rules::None => {}
            Rules::All => optimize(&mut plan),
            Rules::AllBut(name) => optimize_without(&mut plan, &[name]),
        }
        plan
    }

    pub(super) fn run(&self, graph: &Graph, plan: &Plan, parameters: &[Parameter]) -> Outcome {
        let store = graph.store();
        let before = Before::of(&*store.snapshot().expect("a snapshot of memory"));
        let context = context_over(store, plan).with_seed(SEED);
        let context = context.with_limits(self.limits, CancelFlag::default());
        let result = (self.execute)(&self.plan(plan), &context, parameters);
        Outcome::of(result, plan, &context, &before)
    }

    /// Whether this way may exceed a limit with a result of so many rows. The oracle holds each row by
    /// itself, and a rule may make more of them on the way.
    fn may_give_up(&self, rows: usize) -> bool {
        let is_oracle = std::ptr::fn_addr_eq(self.execute, oracle::execute as Execute);
        let is_small = self.limits.batch_rows_max < Limits::default().batch_rows_max;
        is_oracle || (if is_small { LARGE_ROWS_OF_BAGS } else { LARGE_ROWS }) < rows
    }

    /// Whether its outcome can be compared.
    pub(super) fn says_much_of(&self, plan: &Plan) -> bool {
        !self.sorted_only || gives_the_same_in_any_order(plan)
    }

    /// Whether this way may give `outcome` where the reference gave `expected`: the same, but for
    /// an error of a row that it need not look at, behind which another one may wait.
    pub(super) fn agrees(&self, plan: &Plan, outcome: &Outcome, expected: &Outcome) -> bool {
        if !self.says_much_of(plan) {
            return true;
        }
        match (outcome, expected) {
            (Outcome::Rows { rows, .. }, Outcome::Rows { rows: expected, .. })
                if self.sorted_only =>
            {
                let sorted = |rows: &[String]| {
                    let mut rows = rows.to_vec();
                    rows.sort();
                    rows
                };
                sorted(rows) == sorted(expected)
            }
            (Outcome::Error { kind, .. }, Outcome::Error { kind: expected, .. }) => {
                let spared = !matches!(self.rules, Rules::None) && *kind != ErrorKind::Bug;
                kind == expected || spared || are_of_one_plan(plan, *kind, *expected)
            }
            (Outcome::Rows { .. }, Outcome::Error { .. }) => {
                !matches!(self.rules, Rules::None) || may_spare_rows(plan)
            }
            (
                Outcome::Error { kind: ErrorKind::LimitReached, .. },
                Outcome::Rows { rows, graph },
            ) => self.may_give_up(rows.len() + graph.len()),
            (outcome, expected) => outcome == expected,
        }
    }
}

/// Whether the algebra leaves it open which of two errors is raised first. It does in three places:
///
/// - a row that reaches a `Fail` ends the query, whether or not an earlier operator has been asked for
///   a later row, which it may fail for;
/// - the effects of a subplan happen for all outer rows at once, unless they go in turn, so that of
///   a later row may come before another effect of an earlier one;
/// - of several ids that one operator is to give, any may be the first that it cannot: one is in
///   use, another one of a vertex that the plan deleted.
fn are_of_one_plan(plan: &Plan, kind: ErrorKind, expected: ErrorKind) -> bool {
    let (mut applied, mut chooses, mut said) = (false, false, Vec::new());
    plan.root.visit_ops(&mut |op| {
        said.extend(if let Op::Fail(op::Fail { kind, .. }) = op { Some(*kind) } else { None });
        applied |= matches!(op, Op::Apply(op::Apply { sub, .. }) if sub.has_effect());
        chooses |= matches!(op, Op::Create(op::Create { id: Some(_), .. }));
    });
    let of_a_row = |kind| {
        is_of_an_id(kind)
            || matches!(kind, ErrorKind::NotFound | ErrorKind::BadInput | ErrorKind::BadQuery)
    };
    kind != ErrorKind::Bug && (said.contains(&kind) || said.contains(&expected))
        || applied && of_a_row(kind) && of_a_row(expected)
        || chooses && is_of_an_id(kind) && is_of_an_id(expected)
}

fn is_of_an_id(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::AlreadyExists | ErrorKind::Unsupported)
}

/// Whether the plan has rows or columns that need not be read.
fn may_spare_rows(plan: &Plan) -> bool {
    // A `Let` need not run if no operator reads it, or only operators that get no rows.
    let mut spares = !plan.lets.is_empty();
    plan.root.visit_ops(&mut |op| {
        spares |= match op {
            Op::Range(_) | Op::Tail(_) | Op::TopK(_) => true,
            // A subplan runs only if there is a row to join with.
            Op::Join(_) => true,
            Op::Apply(op::Apply { kind: ApplyKind::Exists | ApplyKind::Absent, .. }) => true,
            Op::Apply(op::Apply { kind: ApplyKind::Value { fold, .. }, .. }) => spares_rows(fold),
            Op::Aggregate(op::Aggregate { folds, .. }) => {
                folds.iter().any(|(_, fold)| spares_rows(fold))
            }
            _ => false,
        }
    });
    let mut without_dead = plan.clone();
    let others: Vec<_> = RULES.iter().map(|rule| rule.name).collect();
    let others: Vec<_> = others.into_iter().filter(|name| *name != "dead_columns").collect();
    optimize_without(&mut without_dead, &others);
    spares || without_dead != *plan
}

fn spares_rows(fold: &Fold) -> bool {
    match fold {
        Fold::IfSeen { fold, .. } | Fold::Distinct(fold) => spares_rows(fold),
        fold => matches!(fold, Fold::Exists | Fold::First(_)),
    }
}
