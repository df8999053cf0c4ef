//! `RecursiveExpand`: each edge of a block once, level by level, as nested bags.

use millrace_model::{Direction, ErrorKind};
use millrace_plan::{
    ApplyKind, ColumnId, Expr, Loops, Nulls, Op, Pipeline, Plan, PlanBuilder, RecursiveExpand,
    SortKey, op,
};

use crate::fixture::{builder, error, expand_edges, graph, name_of, run};

/// Steps along types from the persons of these names.
fn recursion(
    plan: &mut PlanBuilder,
    from: ColumnId,
    types: &[&str],
    (depth, loops): (Option<u64>, bool),
) -> ColumnId {
    let [at, to] = ["at", "tree"].map(|name| plan.column(name));
    let (mut steps, mut next, mut edges) = (Vec::new(), Vec::new(), Vec::new());
    for name in types {
        steps.push(plan.pipeline(|step| {
            let (edge, vertex) = expand_edges(step, at, Direction::Out, name, Loops::Once);
            next.push(vertex);
            edges.push(Some(edge));
        }));
    }
    plan.push(RecursiveExpand { from, at, steps, next, edges, depth, loops, to });
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
    assert_eq!(found, ["p0,[0,v2,e16,[0,v3,e17,[0,v1,e18,[]]]]"]);
    let found = run(&graph.store, &from(&["p0"], &["KNOWS"], (Some(2), false)));
    assert_eq!(found, ["p0,[0,v2,e16,[0,v3,e17,[]]]"]);
}

/// One seen set for the whole block: no other start walks an edge again that person 3 has walked;
/// parallel edges are one, the first of them.
#[test]
fn a_block_goes_each_edge_once_whoever_began() {
    let graph = graph();
    let found = run(&graph.store, &from(&["p0", "p3"], &["KNOWS"], (None, false)));
    assert_eq!(found, ["p0,[0,v2,e16,[0,v3,e17,[0,v1,e18,[]]]]", "p3,[0,v1,e20,[] 0,v4,e19,[]]"]);
}

#[test]
fn with_loops_edges_are_gone_again_until_the_depth() {
    let graph = graph();
    let found = run(&graph.store, &from(&["p1"], &["KNOWS"], (Some(4), true)));
    assert_eq!(found, ["p1,[0,v3,e17,[0,v1,e18,[0,v2,e16,[0,v3,e17,[]]]]]"]);
    let refused = error(&graph.store, &from(&["p1"], &["KNOWS"], (None, true)));
    assert_eq!(refused.kind, ErrorKind::BadQuery);
}

/// Each predicate goes on from the vertices that each predicate reached, in their order.
#[test]
fn steps_have_lists_of_their_own() {
    let graph = graph();
    let found = run(&graph.store, &from(&["p2"], &["LIKES", "KNOWS"], (Some(2), false)));
    assert_eq!(found, ["p2,[0,v6,e4,[] 0,v7,e5,[] 0,v8,e6,[] 1,v1,e18,[0,v6,e1,[] 1,v2,e16,[]]]"]);
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
    assert_eq!(found, ["v1,[0,v2,e16,[]]", "v2,[0,v3,e17,[]]"]);
    let mut plan = builder();
    let none = plan.project("none", Expr::literal(millrace_model::Value::Null));
    let tree = recursion(&mut plan, none, &["KNOWS"], (None, false));
    assert_eq!(run(&graph.store, &plan.finish(vec![tree])), ["[]"]);
}

/// A step's rows keep the order that the step gives them, with the edges by which they were reached.
#[test]
fn a_step_may_order_its_rows_by_their_edges() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.seek("Person", "name", Expr::literal("p2"), "v");
    let [at, to] = ["at", "tree"].map(|name| plan.column(name));
    let mut end = (at, at);
    let step = plan.pipeline(|step| {
        end = expand_edges(step, at, Direction::Out, "LIKES", Loops::Once);
        let by = Expr::property(end.0, "weight");
        let keys = vec![SortKey { by, descending: true, nulls: Nulls::Last }];
        step.push(op::Sort { keys });
    });
    let (steps, next, edges) = (vec![step], vec![end.1], vec![Some(end.0)]);
    let (from, depth, loops) = (v, Some(1), false);
    plan.push(RecursiveExpand { from, at, steps, next, edges, depth, loops, to });
    let found = run(&graph.store, &plan.finish(vec![to]));
    assert_eq!(found, ["[0,v8,e6,[] 0,v7,e5,[] 0,v6,e4,[]]"]);
}

#[test]
fn a_step_that_names_no_edge_leaves_it_null() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.seek("Person", "name", Expr::literal("p3"), "v");
    let [at, to] = ["at", "tree"].map(|name| plan.column(name));
    let (mut steps, mut next, mut edges) = (Vec::new(), Vec::new(), Vec::new());
    for named in [false, true] {
        steps.push(plan.pipeline(|step| {
            let (edge, vertex) = expand_edges(step, at, Direction::Out, "KNOWS", Loops::Once);
            next.push(vertex);
            edges.push(named.then_some(edge));
        }));
    }
    let (from, depth, loops) = (v, Some(1), true);
    plan.push(RecursiveExpand { from, at, steps, next, edges, depth, loops, to });
    let found = run(&graph.store, &plan.finish(vec![to]));
    assert_eq!(
        found,
        ["[0,v1,null,[] 0,v1,null,[] 0,v4,null,[] 1,v1,e20,[] 1,v1,e21,[] 1,v4,e19,[]]"]
    );
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let (steps, next, edges) = (vec![Pipeline::default()], vec![v], Vec::new());
    let to = plan.column("tree");
    plan.push(RecursiveExpand { from: v, at: v, steps, next, edges, depth, loops, to });
    let refused = error(&graph.store, &plan.finish(vec![to]));
    assert!(refused.detail.contains("0 edges of steps"), "{refused}");
}

/// What a step calls its edge must be one.
#[test]
fn an_edge_that_is_none_is_refused() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let [at, to] = ["at", "tree"].map(|name| plan.column(name));
    let mut x = at;
    let step = plan.pipeline(|step| x = step.expand(at, Direction::Out, Some(&["KNOWS"]), "x"));
    let (steps, next, edges) = (vec![step], vec![x], vec![Some(x)]);
    plan.push(RecursiveExpand { from: v, at, steps, next, edges, depth: None, loops: false, to });
    let refused = error(&graph.store, &plan.finish(vec![to]));
    assert!(refused.detail.contains("a recursion's edge expects"), "{refused}");
}

#[test]
fn a_step_with_an_effect_is_refused() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let at = plan.column("at");
    let fail = Op::Fail(op::Fail { message: Expr::literal("no"), kind: ErrorKind::Failed });
    let step = Pipeline { ops: vec![fail] };
    let (steps, next, edges, to) = (vec![step], vec![at], vec![None], plan.column("tree"));
    plan.push(RecursiveExpand { from: v, at, steps, next, edges, depth: None, loops: false, to });
    let refused = error(&graph.store, &plan.finish(vec![to]));
    assert_eq!(refused.kind, ErrorKind::Unsupported);
    assert!(refused.detail.contains("RecursiveExpand"), "{refused}");
}
