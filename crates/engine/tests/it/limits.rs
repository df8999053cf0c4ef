//! Deadline, memory budget, cancel flag; bounds on plans.

use std::time::Instant;

use millrace_engine::{CancelFlag, Limits, execute};
use millrace_model::ErrorKind;
use millrace_plan::{ApplyKind, Expr, Fold, Op, Parameter};

use crate::fixture::{builder, empty, error, graph, numbers, reading};

#[test]
fn a_query_stops_at_its_deadline_and_when_cancelled() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(None, "v");
    let plan = plan.finish(vec![v]);
    let limits = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    let context = reading(&graph.store).with_limits(limits, CancelFlag::default());
    let found = execute(&plan, &context, &[]).expect_err("the time is up");
    assert_eq!(found.kind, ErrorKind::DeadlineExceeded);
    let flag = CancelFlag::default();
    let context = reading(&graph.store).with_limits(Limits::default(), flag.clone());
    execute(&plan, &context, &[]).expect("not cancelled yet");
    flag.cancel();
    let found = execute(&plan, &context, &[]).expect_err("cancelled");
    assert_eq!(found.kind, ErrorKind::Cancelled);
}

#[test]
fn over_the_memory_limit_is_an_error_that_names_it_and_gives_back() {
    let limits = Limits { deadline: None, memory_bytes_max: 100_000 };
    let context = reading(&empty()).with_limits(limits, CancelFlag::default());
    let plan = |rows, op: Option<Op>| {
        let mut plan = builder();
        let n = numbers(&mut plan, "n", 0..rows);
        plan.push(op.unwrap_or(Op::Barrier { merge: None }));
        let count = plan.aggregate(&[], "count", Fold::Count);
        let _ = n;
        plan.finish(vec![count])
    };
    let found = execute(
        &plan(50_000, Some(Op::Dedup { columns: vec![millrace_plan::ColumnId(0)] })),
        &context,
        &[],
    );
    let found = found.expect_err("too much");
    assert_eq!(found.kind, ErrorKind::LimitReached);
    assert!(found.detail.contains("100000 bytes"), "{found}");
    assert_eq!(context.held_bytes(), 0);
    execute(&plan(100, None), &context, &[]).expect("small enough");
    assert_eq!(context.held_bytes(), 0);
}

#[test]
fn a_write_needs_a_transaction_and_parameters_must_fit() {
    let graph = graph();
    let mut plan = builder();
    let template = crate::fixture::vertex("X", vec![]);
    let v = plan.column("v");
    plan.push(Op::Create { template, id: None, to: v });
    let found = error(&graph.store, &plan.finish(vec![v]));
    assert_eq!(found.kind, ErrorKind::Forbidden);
    let mut plan = builder();
    let parameter = plan.parameter("p");
    let [n] = plan.rows(parameter, ["n"]);
    let plan = plan.finish(vec![n]);
    let context = reading(&graph.store);
    for bound in [vec![], vec![Parameter::Value(1.into())]] {
        execute(&plan, &context, &bound).expect_err("not what the plan wants");
    }
}

#[test]
fn plans_that_nest_too_deep_are_refused() {
    let mut sub = millrace_plan::Pipeline::default();
    for _ in 0..100 {
        sub = millrace_plan::Pipeline { ops: vec![Op::Apply { sub, kind: ApplyKind::Exists }] };
    }
    let plan = millrace_plan::Plan { root: sub, ..Default::default() };
    assert!(error(&empty(), &plan).detail.contains("deeper"));
    let mut expr = Expr::literal(true);
    for _ in 0..1_000 {
        expr = expr.negate();
    }
    let mut plan = builder();
    plan.filter(expr);
    assert!(error(&empty(), &plan.finish(vec![])).detail.contains("deeper"));
}
