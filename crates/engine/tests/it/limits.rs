//! Deadline, memory budget, cancel flag; bounds on plans.

use std::time::Instant;

use millrace_engine::{CancelFlag, Cursor, Limits, Prepared, execute};
use millrace_model::{Direction, ErrorKind};
use millrace_plan::{
    ApplyKind, Carried, ColumnId, Comparison, Expr, Fold, Function, JoinKind, Loops, Nulls, Op,
    Parameter, PathLeg, PathMode, PathPattern, Pipeline, Plan, PlanBuilder, Random, RandomKind,
    RecursiveExpand, Repeat, SetName, SideFold, SortKey, UnionPick, op,
};

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
    let limits = Limits { memory_bytes_max: 100_000, ..Limits::default() };
    let context = reading(&empty()).with_limits(limits, CancelFlag::default());
    let plan = |rows, op: Option<Op>| {
        let mut plan = builder();
        let n = numbers(&mut plan, "n", 0..rows);
        plan.push(op.unwrap_or(Op::Barrier(op::Barrier { merge: None })));
        let count = plan.aggregate(&[], "count", Fold::Count);
        let _ = n;
        plan.finish(vec![count])
    };
    let found = execute(
        &plan(50_000, Some(Op::Dedup(op::Dedup { columns: vec![ColumnId(0)] }))),
        &context,
        &[],
    );
    let found = found.expect_err("too much");
    assert_eq!(found.kind, ErrorKind::LimitReached);
    assert!(found.detail.contains("100000 bytes"), "{found}");
    assert_eq!(context.reserved_bytes(), 0);
    execute(&plan(100, None), &context, &[]).expect("small enough");
    assert_eq!(context.reserved_bytes(), 0);
}

#[test]
fn a_write_needs_a_transaction_and_parameters_must_fit() {
    let graph = graph();
    let mut plan = builder();
    let template = crate::fixture::vertex("X", vec![]);
    let v = plan.column("v");
    plan.push(op::Create { template, id: None, to: v });
    let found = error(&graph.store, &plan.finish(vec![v]));
    assert_eq!(found.kind, ErrorKind::Forbidden);
    let mut plan = builder();
    let parameter = plan.parameter("p");
    let [n] = plan.rows(parameter, ["n"]);
    let plan = plan.finish(vec![n]);
    let context = reading(&graph.store);
    for bound in [vec![], vec![Parameter::Value(1.into())]] {
        execute(&plan, &context, &bound).expect_err("a parameter is missing or of the wrong kind");
    }
}

#[test]
fn plans_that_nest_too_deep_are_refused() {
    let mut sub = Pipeline::default();
    for _ in 0..100 {
        sub = Pipeline { ops: vec![Op::Apply(op::Apply { sub, kind: ApplyKind::Exists })] };
    }
    let plan = Plan { root: sub, ..Default::default() };
    assert!(error(&empty(), &plan).detail.contains("deeper"));
    let mut expr = Expr::literal(true);
    for _ in 0..1_000 {
        expr = expr.negate();
    }
    let mut plan = builder();
    plan.filter(expr);
    assert!(error(&empty(), &plan.finish(vec![])).detail.contains("deeper"));
}

#[test]
fn ways_that_there_cannot_be_are_refused() {
    let mut plan = builder();
    let v = plan.scan(None, "v");
    for (bounds, kind, radius, wanted) in [
        ((0, None), PathMode::Walk, None, "a greatest length"),
        ((0, None), PathMode::Walk, Some(2), "a greatest length"),
        ((3, Some(2)), PathMode::Trail, None, "at least 3 edges and at most 2"),
        ((0, Some(2)), PathMode::CheapestTrails(1), Some(0), "radius 0"),
        ((2, None), PathMode::AllShortest, None, "two edges or more"),
    ] {
        let mut op = ways(&mut plan, v, bounds, kind);
        if let Op::PathExpand(op::PathExpand { path, .. }) = &mut op {
            path.radius = radius;
        }
        let plan = Plan { root: Pipeline { ops: vec![op] }, ..Plan::default() };
        let found = error(&empty(), &plan);
        assert!(found.detail.contains(wanted), "{found}");
    }
}

/// Rows that hold some memory wherever they are held.
const ROWS: i64 = 20_000;

/// Each operator that holds rows, over many of them.
fn holding(name: &str) -> Plan {
    let mut plan = builder();
    let n = numbers(&mut plan, "n", 0..ROWS);
    let by = SortKey { by: Expr::Column(n), descending: true, nulls: Nulls::Last };
    let count = ROWS as u64;
    let op = match name {
        "Aggregate" => {
            let folds = vec![(plan.column("count"), Fold::Count)];
            Op::Aggregate(op::Aggregate { keys: vec![n], folds })
        }
        "Fold" => Op::Fold(op::Fold { columns: vec![n], to: plan.column("bag") }),
        "Sample" => random(RandomKind::Sample { count }),
        "Coin" => random(RandomKind::Coin { probability: Expr::literal(1.0) }),
        "Random" => random(RandomKind::Number { to: plan.column("number") }),
        "Call" => {
            let (procedure, arguments) = ("db.awaitIndexes".into(), Vec::new());
            Op::Call(millrace_plan::Call {
                procedure,
                arguments,
                yields: Vec::new(),
                writes: false,
            })
        }
        "Barrier" => Op::Barrier(op::Barrier { merge: None }),
        "Barrier merge" => Op::Barrier(op::Barrier { merge: Some(vec![n]) }),
        "Dedup" => Op::Dedup(op::Dedup { columns: vec![n] }),
        "Sort" => Op::Sort(op::Sort { keys: vec![by] }),
        "TopK" => Op::TopK(op::TopK { count: count.into(), keys: vec![by] }),
        "Tail" => Op::Tail(op::Tail { count: count.into() }),
        "SideEffect" => {
            let fold = SideFold::Set;
            Op::SideEffect(op::SideEffect { name: "all".into(), value: Expr::Column(n), fold })
        }
        "Union" => {
            Op::Union(op::Union { branches: vec![Pipeline::default()], pick: UnionPick::All })
        }
        "Let" => {
            let id = plan.bind("all", |plan| numbers(plan, "m", 0..ROWS));
            let (item, set) = (Box::new(Expr::Column(n)), SetName::Let(id));
            Op::Filter(op::Filter { predicate: Expr::InSet { item, set } })
        }
        other => holding_in_a_body(&mut plan, n, other),
    };
    // An unread column is not held.
    let left = op.made_columns().first().copied().filter(|_| op.drops_other_columns());
    let read = Expr::Column(left.unwrap_or(n));
    plan.push(op);
    let greatest = plan.aggregate(&[], "greatest", Fold::Max(read));
    plan.finish(vec![greatest])
}

fn random(kind: RandomKind) -> Op {
    Op::Random(Random { stream: 0, kind })
}

fn holding_in_a_body(plan: &mut PlanBuilder, n: ColumnId, name: &str) -> Op {
    match name {
        "Apply" => {
            let sub = plan.pipeline(|sub| {
                sub.project("same", Expr::Column(n));
            });
            Op::Apply(op::Apply { sub, kind: ApplyKind::Flat })
        }
        "Group" => {
            let sub = plan.pipeline(|sub| {
                sub.aggregate(&[], "count", Fold::Count);
            });
            Op::Group(op::Group { keys: vec![n], sub })
        }
        "Join" => {
            let mut m = n;
            let right = plan.pipeline(|right| m = numbers(right, "m", 0..ROWS));
            Op::Join(op::Join { right, kind: JoinKind::Semi, on: vec![(n, m)] })
        }
        "RecursiveExpand" => {
            let (from, at) = (plan.scan(Some("Item"), "v"), plan.column("reached from"));
            let (steps, next, to) = (vec![Pipeline::default()], vec![at], plan.column("tree"));
            let (edges, depth, loops) = (vec![None], Some(5), true);
            Op::RecursiveExpand(RecursiveExpand { from, at, steps, next, edges, depth, loops, to })
        }
        "PathStep" => {
            let path = plan.path(None, Some(n), &["a"], "path");
            let simple = Expr::call(Function::IsSimple, vec![Expr::Column(path)]);
            Op::Filter(op::Filter { predicate: simple })
        }
        "cheapest ways" => {
            let a = plan.scan(Some("Item"), "a");
            ways(plan, a, (0, Some(9)), PathMode::CheapestTrails(1_000))
        }
        "Repeat" => endless(plan, n, Some(2)),
        other => panic!("no plan is named {other}"),
    }
}

/// Rounds that change nothing.
fn endless(plan: &mut PlanBuilder, from: ColumnId, times: Option<u64>) -> Op {
    let at = plan.column("at");
    let columns = vec![Carried { from, to: at, next: at }];
    let (body, rounds) = (Pipeline::default(), None);
    Op::Repeat(Repeat { columns, body, until: None, emit: None, times, rounds })
}

fn ways(
    plan: &mut PlanBuilder,
    from: ColumnId,
    (min, max): (u64, Option<u64>),
    ways: PathMode,
) -> Op {
    let step = PathLeg::along(None, Direction::Both, Loops::Twice);
    let path = PathPattern::repeating(from, step, (min, max), ways);
    let to = Some(plan.column("to"));
    Op::PathExpand(op::PathExpand { to, ..op::PathExpand::unread(path) })
}

const HOLDING: [&str; 22] = [
    "RecursiveExpand",
    "Sample",
    "Coin",
    "Random",
    "Call",
    "Aggregate",
    "Fold",
    "Barrier",
    "Barrier merge",
    "Dedup",
    "Sort",
    "TopK",
    "Tail",
    "SideEffect",
    "Union",
    "Apply",
    "Group",
    "Join",
    "Repeat",
    "PathStep",
    "cheapest ways",
    "Let",
];

#[test]
fn every_operator_that_holds_rows_counts_them_and_gives_them_back() {
    let graph = graph();
    for name in HOLDING {
        let plan = holding(name);
        let limits = Limits { memory_bytes_max: 50_000, ..Limits::default() };
        let context = reading(&graph.store).with_limits(limits, CancelFlag::default());
        let found = execute(&plan, &context, &[]).map(|batch| crate::fixture::rows(&batch));
        let found = found.expect_err(name);
        assert_eq!(found.kind, ErrorKind::LimitReached, "{name}: {found}");
        assert!(found.detail.contains("50000 bytes"), "{name}: {found}");
        assert_eq!(context.reserved_bytes(), 0, "{name}");
    }
}

/// All ways are counted in the memory of one: with their number it would grow to gigabytes.
#[test]
fn ways_of_any_order_are_counted_in_the_memory_of_one_way() {
    let graph = graph();
    for kind in [PathMode::Walk, PathMode::Trail] {
        let mut plan = builder();
        let a = plan.scan(Some("Item"), "a");
        let op = ways(&mut plan, a, (0, Some(6)), kind);
        plan.push(op);
        let count = plan.aggregate(&[], "count", Fold::Count);
        let plan = plan.finish(vec![count]);
        let limits = Limits { memory_bytes_max: 50_000, ..Limits::default() };
        let context = reading(&graph.store).with_limits(limits, CancelFlag::default());
        execute(&plan, &context, &[]).expect("few bytes are held");
    }
}

const HAVE_EFFECTS: [&str; 5] = ["SideEffect", "Call", "Sample", "Coin", "Random"];

#[test]
fn every_operator_that_holds_rows_is_stopped_when_cancelled() {
    let graph = graph();
    // One with an effect is at its end before the first pull.
    for name in HOLDING.into_iter().filter(|name| !HAVE_EFFECTS.contains(name)) {
        let flag = CancelFlag::default();
        let context = reading(&graph.store).with_limits(Limits::default(), flag.clone());
        let plan = holding(name);
        let prepared = Prepared::to_be_pulled(&plan).expect("a good plan");
        let mut cursor = Cursor::open(prepared, &context, &[]).expect("begins");
        flag.cancel();
        let found = cursor.next_batch(&context).map(|_| ()).expect_err(name);
        assert_eq!(found.kind, ErrorKind::Cancelled, "{name}: {found}");
        assert!(cursor.next_batch(&context).expect("at its end").is_none(), "{name}");
        cursor.close(&context);
        assert_eq!(context.reserved_bytes(), 0, "{name}");
    }
}

/// Work without an end, or as good as: only the deadline stops it.
#[test]
fn endless_rounds_ways_and_products_end_at_the_deadline() {
    let graph = graph();
    for name in ["rounds", "ways", "product"] {
        let mut plan = builder();
        let v = plan.scan(None, "v");
        if name == "rounds" {
            let rounds = endless(&mut plan, v, None);
            plan.push(rounds);
        } else if name == "ways" {
            let trails = ways(&mut plan, v, (1, None), PathMode::Trail);
            plan.push(trails);
        } else {
            // A filter between keeps the scans from being counted by themselves.
            for _ in 0..12 {
                let w = plan.scan(None, "w");
                plan.filter(Expr::compare(
                    Comparison::Less,
                    Expr::literal(0),
                    Expr::Id(Box::new(Expr::Column(w))),
                ));
            }
        }
        let count = plan.aggregate(&[], "count", Fold::Count);
        let plan = plan.finish(vec![count]);
        let deadline = Some(Instant::now() + std::time::Duration::from_millis(50));
        let limits = Limits { deadline, memory_bytes_max: u64::MAX, ..Limits::default() };
        let context = reading(&graph.store).with_limits(limits, CancelFlag::default());
        let found = execute(&plan, &context, &[]).map(|batch| crate::fixture::rows(&batch));
        let found = found.expect_err(name);
        assert_eq!(found.kind, ErrorKind::DeadlineExceeded, "{name}: {found}");
    }
}

#[test]
fn a_result_over_its_limit_is_an_error_that_names_it() {
    let graph = graph();
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [n] = plan.rows(parameter, ["n"]);
    let plan = plan.finish(vec![n]);
    // Three rows, one of which stands for eight.
    let rows = [crate::fixture::weighted(&[(1, 1), (2, 8), (3, 1)])];
    for (limit, fits) in [(10, true), (9, false)] {
        let limits = Limits { result_rows_max: limit, ..Limits::default() };
        let context = reading(&graph.store).with_limits(limits, CancelFlag::default());
        let found = execute(&plan, &context, &rows);
        assert_eq!(found.is_ok(), fits, "{limit}");
        if let Err(found) = found {
            assert_eq!(found.kind, ErrorKind::LimitReached);
            assert!(found.detail.contains("limit of 9 rows"), "{found}");
        }
    }
}
