//! Common neighbours.

use millrace_engine::{CancelFlag, Limits, execute};
use millrace_model::{Direction, ErrorKind, Value};
use millrace_plan::op::RowsSource;
use millrace_plan::{Expr, Fold, IntersectArm, Loops, Plan, PlanBuilder, op};

use crate::fixture::{builder, graph, name_of, operators, reading, run};

fn arm(from: millrace_plan::ColumnId, name: &str, direction: Direction) -> IntersectArm {
    IntersectArm { from, types: Some(vec![name.into()]), direction, loops: Loops::Twice }
}

fn liked_by_both() -> Plan {
    let mut plan: PlanBuilder = builder();
    let a = plan.seek("Person", "name", Expr::literal("p1"), "a");
    let b = plan.scan(Some("Person"), "b");
    let arms = vec![arm(a, "LIKES", Direction::Out), arm(b, "LIKES", Direction::Out)];
    let x = plan.intersect(arms, "x");
    let [b, x] = [b, x].map(name_of);
    let output = vec![plan.project("b.name", b), plan.project("x.name", x)];
    plan.finish(output)
}

#[test]
fn common_neighbours_are_found_by_an_intersect_in_order_of_ids() {
    let graph = graph();
    let found = run(&graph.store, &liked_by_both());
    let pairs = ["p0,i0", "p1,i0", "p1,i1", "p2,i0", "p2,i1", "p3,i0", "p3,i1", "p4,i0", "p4,i1"];
    assert_eq!(found, pairs);
    let text = operators(&liked_by_both());
    assert!(text.contains("Intersect x of a -out LIKES-> and b -out LIKES->"), "{text}");
}

/// Person 3 knows person 0 twice: each choice of an edge counts, as a pattern counts them.
#[test]
fn parallel_edges_multiply() {
    let graph = graph();
    let mut plan = builder();
    let a = plan.seek("Person", "name", Expr::literal("p3"), "a");
    let knows = || arm(a, "KNOWS", Direction::Out);
    let x = plan.intersect(vec![knows(), knows(), arm(a, "KNOWS", Direction::Out)], "x");
    let name = plan.project("name", name_of(x));
    let count = plan.aggregate(&[name], "count", Fold::Count);
    assert_eq!(run(&graph.store, &plan.finish(vec![name, count])), ["p0,8", "p3,1"]);
}

#[test]
fn a_null_vertex_has_no_neighbour_and_no_arm_is_no_plan() {
    let graph = graph();
    let mut plan = builder();
    let a = plan.column("a");
    let rows = vec![vec![Value::Null], vec![Value::Vertex(graph.persons[0])]];
    plan.push(op::Rows { source: RowsSource::Literal(rows), to: vec![a] });
    let x = plan.intersect(vec![arm(a, "KNOWS", Direction::Out)], "x");
    let name = plan.project("name", name_of(x));
    assert_eq!(run(&graph.store, &plan.finish(vec![name])), ["p1"]);
    let mut plan = builder();
    let x = plan.intersect(Vec::new(), "x");
    let found = crate::fixture::error(&graph.store, &plan.finish(vec![x]));
    assert!(found.detail.contains("no vertices"), "{found}");
}

#[test]
fn the_lists_of_an_intersection_are_reserved_and_released() {
    let graph = graph();
    let limits = Limits { memory_bytes_max: 200, ..Limits::default() };
    let context = reading(&graph.store).with_limits(limits, CancelFlag::default());
    let found = execute(&liked_by_both(), &context, &[]).map(|batch| crate::fixture::rows(&batch));
    let found = found.expect_err("too much");
    assert_eq!(found.kind, ErrorKind::LimitReached, "{found}");
    assert_eq!(context.reserved_bytes(), 0);
}
