//! Merging off; and sums of ids that make no row for an edge.

use millrace_model::Direction;
use millrace_plan::rules::{optimize, trace};
use millrace_plan::{ApplyKind, ColumnId, ElementKind, Expr, Fold, Plan, op};

use crate::fixture::{builder, graph, numbers, operators, run, run_with, weighted};

fn sum_of_ids(column: ColumnId) -> Fold {
    Fold::Sum(Expr::Id(Box::new(Expr::Column(column))))
}

/// The persons that like the same items as person 1: ends of two hops.
fn two_hops(merging: bool, merged: bool) -> Plan {
    let mut plan = builder();
    if !merging {
        plan = plan.without_merging();
    }
    let v = plan.seek("Person", "name", Expr::literal("p1"), "v");
    let w = plan.expand(v, Direction::Out, Some(&["LIKES"]), "w");
    let x = plan.expand(w, Direction::In, Some(&["LIKES"]), "x");
    if merged {
        plan.push(op::Barrier { merge: Some(vec![x]) });
    }
    let name = plan.project("name", Expr::property(x, "name"));
    Plan { ordered: false, ..plan.finish(vec![name]) }
}

#[test]
fn a_result_has_single_rows_where_merging_is_off() {
    let graph = graph();
    let one_by_one = ["p0", "p1", "p1", "p2", "p2", "p3", "p3", "p4", "p4"];
    for merged in [false, true] {
        let mut rows = run(&graph.store, &two_hops(false, merged));
        rows.sort();
        assert_eq!(rows, one_by_one, "a barrier of the plan itself merges: {merged}");
    }
    assert!(run(&graph.store, &two_hops(true, true)).contains(&"2x p1".to_owned()));
}

#[test]
fn no_rule_merges_where_merging_is_off() {
    let merged = |merging: bool| {
        let mut plan = builder();
        if !merging {
            plan = plan.without_merging();
        }
        let v = plan.scan(Some("Person"), "v");
        let w = plan.expand(v, Direction::Out, None, "w");
        plan.expand(w, Direction::In, None, "x");
        let count = plan.aggregate(&[], "count", Fold::Count);
        let mut plan = plan.finish(vec![count]);
        let text = trace(&plan);
        optimize(&mut plan);
        assert!(operators(&plan).contains("Aggregate [] count = count"));
        (text.contains("== merge_rows"), run(&graph().store, &plan))
    };
    let (with, without) = (merged(true), merged(false));
    assert_eq!((with.0, without.0), (true, false));
    assert_eq!(with.1, without.1);
}

/// The sum behind `LookupById` of a list, some of them null; in the second plan the sum as a row of its own.
fn sums(ids: &[Option<i64>]) -> [Plan; 2] {
    [true, false].map(|fused| {
        let mut plan = builder();
        let id = plan.column("id");
        let rows = ids.iter().map(|id| vec![(*id).map_or(millrace_model::Value::Null, Into::into)]);
        let source = op::RowsSource::Literal(rows.collect());
        plan.push(op::Rows { source, to: vec![id] });
        let v = plan.ids(ElementKind::Vertex, Expr::Column(id), "v");
        let x = plan.expand(v, Direction::Both, None, "x");
        if !fused {
            plan.push(op::Barrier { merge: None });
        }
        let sum = plan.aggregate(&[], "sum", sum_of_ids(x));
        plan.finish(vec![sum])
    })
}

#[test]
fn ids_are_summed_by_lists_as_they_are_by_rows() {
    let graph = graph();
    let ids = |vertices: &[millrace_model::VertexId]| -> Vec<Option<i64>> {
        vertices.iter().map(|vertex| Some(vertex.0 as i64)).collect()
    };
    let all = [ids(&graph.persons), ids(&graph.items), vec![None]].concat();
    for some in [&all[..], &all[3..4], &all[10..]] {
        let [fused, apart] = sums(some);
        assert!(operators(&fused).contains("x + Aggregate [] sum = sum(id(x))"));
        assert_eq!(run(&graph.store, &fused), run(&graph.store, &apart));
    }
    assert_eq!(run(&graph.store, &sums(&all[10..])[0]), ["null"], "a sum of nothing");
}

#[test]
fn ids_are_summed_for_each_scope_by_weight() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let sum = plan.column("sum");
    let x = plan.column("x");
    plan.apply(ApplyKind::Value { fold: sum_of_ids(x), to: sum }, |plan| {
        let (from, loops) = (v, millrace_plan::Loops::Once);
        let (direction, types) = (Direction::Both, Some(vec!["KNOWS".into()]));
        plan.push(op::Expand { from, types, direction, edge: None, to: Some(x), loops });
    });
    let plan = plan.finish(vec![sum]);
    assert!(operators(&plan).contains("-> x loops once + Aggregate [] sum = sum(id(x))"));
    let [zero, one, two, three] = [0, 1, 2, 3].map(|person| graph.persons[person].0);
    let expected = [one + two + 2 * three, zero + two, zero + one, three + 2 * zero];
    let expected = expected.map(|sum| sum.to_string());
    assert_eq!(run(&graph.store, &plan), [&expected[..], &["null".to_owned()]].concat());

    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [id] = plan.rows(parameter, ["id"]);
    let v = plan.ids(ElementKind::Vertex, Expr::Column(id), "v");
    let x = plan.expand(v, Direction::Out, Some(&["KNOWS"]), "x");
    let sum = plan.aggregate(&[], "sum", sum_of_ids(x));
    let plan = plan.finish(vec![sum]);
    let rows = weighted(&[(zero as i64, 3), (one as i64, 1)]);
    assert_eq!(run_with(&graph.store, &plan, &[rows]), [(3 * one + two).to_string()]);
}

/// Enough rows that threads share them, where there are several.
#[test]
fn ids_of_a_large_frontier_are_summed_whoever_adds_them() {
    let graph = graph();
    let rows = 3 * millrace_engine::limits::PARALLEL_ROWS_MIN as i64;
    let mut plan = builder();
    let n = numbers(&mut plan, "n", std::iter::repeat_n(graph.persons[3].0 as i64, rows as usize));
    let v = plan.ids(ElementKind::Vertex, Expr::Column(n), "v");
    let x = plan.expand(v, Direction::Out, Some(&["KNOWS"]), "x");
    let sum = plan.aggregate(&[], "sum", sum_of_ids(x));
    let plan = plan.finish(vec![sum]);
    let each = graph.persons[3].0 as i64 + 2 * graph.persons[0].0 as i64;
    assert_eq!(run(&graph.store, &plan), [(rows * each).to_string()]);
}
