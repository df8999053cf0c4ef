//! `RecursiveExpand`: each edge of a block once, level by level, as nested bags.

use millrace_model::{Direction, ErrorKind};
use millrace_plan::{
    ApplyKind, ColumnId, Expr, Op, Pipeline, Plan, PlanBuilder, RecursiveExpand, op,
};

use crate::fixture::{builder, error, graph, name_of, run};

/// Steps along types from the persons of these names.
fn recursion(
    plan: &mut PlanBuilder,
    from: ColumnId,
    types: &[&str],
    (depth, loops): (Option<u64>, bool),
) -> ColumnId {
    let [at, to] = ["at", "tree"].map(|name| plan.column(name));
    let (mut steps, mut next) = (Vec::new(), Vec::new());
    for name in types {
        steps.push(
            plan.pipeline(|step| next.push(step.expand(at, Direction::Out, Some(&[*name]), "x"))),
        );
    }
    plan.push(RecursiveExpand { from, at, steps, next, depth, loops, to });
    to
}

fn from(names: &[&str], types: &[&str], rounds: (Option<u64>, bool)) -> Plan {
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let list = Expr::List(names.iter().map(|&name| Expr::literal(name)).collect());
    plan.filter(Expr::InList { item: Box::new(name_of(v)), list: Box::new(list) });
    let to = recursion(&mut plan, v, types, rounds);
    let name = plan.project("name", name_of(v));
    plan.finish(vec![name, to])
}

/// Persons are vertices 1 to 5, items 6 to 10; 0 knows 1, 1 knows 2, 2 knows 0.
#[test]
fn a_circle_is_gone_once() {
    let graph = graph();
    let found = run(&graph.store, &from(&["p0"], &["KNOWS"], (None, false)));
    assert_eq!(found, ["p0,[0,v2,[0,v3,[0,v1,[]]]]"]);
    let found = run(&graph.store, &from(&["p0"], &["KNOWS"], (Some(2), false)));
    assert_eq!(found, ["p0,[0,v2,[0,v3,[]]]"]);
}

/// One seen set for the whole block: no other start walks an edge again that person 3 has walked;
/// parallel edges are one.
#[test]
fn a_block_goes_each_edge_once_whoever_began() {
    let graph = graph();
    let found = run(&graph.store, &from(&["p0", "p3"], &["KNOWS"], (None, false)));
    assert_eq!(found, ["p0,[0,v2,[0,v3,[0,v1,[]]]]", "p3,[0,v1,[] 0,v4,[]]"]);
}

#[test]
fn with_loops_edges_are_gone_again_until_the_depth() {
    let graph = graph();
    let found = run(&graph.store, &from(&["p1"], &["KNOWS"], (Some(4), true)));
    assert_eq!(found, ["p1,[0,v3,[0,v1,[0,v2,[0,v3,[]]]]]"]);
    let refused = error(&graph.store, &from(&["p1"], &["KNOWS"], (None, true)));
    assert_eq!(refused.kind, ErrorKind::BadQuery);
}

/// Each predicate goes on from the vertices that each predicate reached, in their order.
#[test]
fn steps_have_lists_of_their_own() {
    let graph = graph();
    let found = run(&graph.store, &from(&["p2"], &["LIKES", "KNOWS"], (Some(2), false)));
    assert_eq!(found, ["p2,[0,v6,[] 0,v7,[] 0,v8,[] 1,v1,[0,v6,[] 1,v2,[]]]"]);
}

#[test]
fn scopes_are_blocks_of_their_own_and_null_reaches_nothing() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    plan.push(op::Range::of(0, Some(2)));
    let mut tree = v;
    plan.apply(ApplyKind::Flat, |sub| tree = recursion(sub, v, &["KNOWS"], (Some(1), false)));
    let found = run(&graph.store, &plan.finish(vec![v, tree]));
    assert_eq!(found, ["v1,[0,v2,[]]", "v2,[0,v3,[]]"]);
    let mut plan = builder();
    let none = plan.project("none", Expr::literal(millrace_model::Value::Null));
    let tree = recursion(&mut plan, none, &["KNOWS"], (None, false));
    assert_eq!(run(&graph.store, &plan.finish(vec![tree])), ["[]"]);
}

#[test]
fn a_step_with_an_effect_is_refused() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let at = plan.column("at");
    let fail = Op::Fail(op::Fail { message: Expr::literal("no"), kind: ErrorKind::Failed });
    let step = Pipeline { ops: vec![fail] };
    let (steps, next, to) = (vec![step], vec![at], plan.column("tree"));
    plan.push(RecursiveExpand { from: v, at, steps, next, depth: None, loops: false, to });
    let refused = error(&graph.store, &plan.finish(vec![to]));
    assert_eq!(refused.kind, ErrorKind::Unsupported);
    assert!(refused.detail.contains("RecursiveExpand"), "{refused}");
}
