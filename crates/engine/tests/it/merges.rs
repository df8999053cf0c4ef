//! Merges on maps and on whole patterns, and those that count; the oracle gives the same.

use millrace_engine::{execute, oracle};
use millrace_model::{Batch, Column, Direction, ErrorKind, Value};
use millrace_plan::{
    Arithmetic, ColumnId, Expr, Fold, Op, Parameter, Pipeline, Plan, PlanBuilder, Properties,
    Template, op,
};

use crate::fixture::{builder, edge, empty, expand_edges, graph, name_of, rows, vertex, writing};

fn on_map(map: Expr) -> Template {
    Template::Vertex {
        labels: vec!["N".into()],
        properties: Properties { keyed: Vec::new(), map: Some(map) },
    }
}

/// Merges on the map of each row, by both interpreters; whether each row made its vertex, and the vertex's `a`
/// and `b`.
fn merged_on(maps: Vec<Value>) -> Vec<Vec<String>> {
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [map] = plan.rows(parameter, ["map"]);
    let [v, made] = ["v", "made"].map(|name| plan.column(name));
    let (on_create, on_match) = (Properties::default(), Properties::default());
    let template = on_map(Expr::Column(map));
    plan.push(op::Merge { template, on_create, on_match, to: v, created: Some(made) });
    let [a, b] = ["a", "b"].map(|key| plan.project(key, Expr::property(v, key)));
    let plan = plan.finish(vec![made, a, b]);
    let given = [Parameter::Rows(Batch::of(vec![Column::from_values(maps)]))];
    [execute, oracle::execute]
        .map(|execute| rows(&execute(&plan, &writing(&empty()), &given).expect("merges")))
        .to_vec()
}

fn map(pairs: &[(&str, i64)]) -> Value {
    Value::map(pairs.iter().map(|&(key, value)| (Value::from(key), Value::I64(value))).collect())
}

#[test]
fn maps_that_name_the_same_keys_merge_at_once() {
    let maps =
        vec![map(&[("a", 1), ("b", 2)]), map(&[("a", 1), ("b", 3)]), map(&[("b", 2), ("a", 1)])];
    for found in merged_on(maps) {
        assert_eq!(found, ["true,1,2", "true,1,3", "false,1,2"]);
    }
}

/// The second row's criteria are fewer: it finds the first one's vertex, and the third makes another.
#[test]
fn maps_that_name_different_keys_merge_in_turn() {
    let maps =
        vec![map(&[("a", 1), ("b", 2)]), map(&[("a", 1)]), map(&[("b", 3)]), map(&[("b", 2)])];
    for found in merged_on(maps) {
        assert_eq!(found, ["true,1,2", "false,1,2", "true,-,3", "false,1,2"]);
    }
}

#[test]
fn a_value_that_is_no_map_is_refused() {
    let mut plan = builder();
    let v = plan.column("v");
    let (on_create, on_match) = (Properties::default(), Properties::default());
    let template = on_map(Expr::literal(1));
    plan.push(op::Merge { template, on_create, on_match, to: v, created: None });
    let found = execute(&plan.finish(vec![v]), &writing(&empty()), &[]).expect_err("a number");
    assert_eq!(found.kind, ErrorKind::BadInput);
    assert!(found.detail.contains("merge"), "{found}");
}

fn plus(left: Expr, right: Expr) -> Expr {
    let (left, right) = (Box::new(left), Box::new(right));
    Expr::Arithmetic { operation: Arithmetic::Add, left, right }
}

/// A key that only options read goes in rounds; one of another element goes in turn.
#[test]
fn counting_goes_in_rounds_and_reading_another_element_in_turn() {
    for other in [false, true] {
        let mut plan = builder();
        let parameter = plan.parameter("rows");
        let [n] = plan.rows(parameter, ["n"]);
        let keyed = |keyed: Vec<(&str, Expr)>| Properties {
            keyed: keyed.into_iter().map(|(key, expr)| (key.into(), expr)).collect(),
            map: None,
        };
        let first = plan.column("first");
        plan.push(op::Merge {
            template: vertex("N", vec![("name", Expr::literal(1))]),
            on_create: keyed(vec![("met", Expr::literal(0))]),
            on_match: Properties::default(),
            to: first,
            created: None,
        });
        let v = plan.column("v");
        let read = if other { first } else { v };
        plan.push(op::Merge {
            template: vertex("N", vec![("name", Expr::Column(n))]),
            on_create: keyed(vec![("met", Expr::literal(100))]),
            on_match: keyed(vec![("met", plus(Expr::property(read, "met"), Expr::literal(1)))]),
            to: v,
            created: None,
        });
        let met = plan.project("met", Expr::property(v, "met"));
        let count = plan.aggregate(&[n, met], "count", Fold::Count);
        let plan = plan.finish(vec![n, met, count]);
        let given = [crate::fixture::weighted(&[(1, 2), (2, 3), (1, 1)])];
        let expected = if other { ["1,3,3", "2,3,3"] } else { ["1,3,3", "2,102,3"] };
        for execute in [execute, oracle::execute] {
            let batch = execute(&plan, &writing(&empty()), &given).expect("merges");
            assert_eq!(rows(&batch), expected);
        }
    }
}

/// `MATCH (a:Person) MERGE (a)-[:OWNS]->(b:Box)-[:HOLDS]->(c:Thing {name: 't'})`, for rows of which
/// two are of one person.
fn pattern(plan: &mut PlanBuilder, a: ColumnId) -> Vec<ColumnId> {
    let mut ends = [a; 2];
    let mut edges = [a; 2];
    let matched = plan.pipeline(|plan| {
        let loops = millrace_plan::Loops::Once;
        (edges[0], ends[0]) = expand_edges(plan, a, Direction::Out, "OWNS", loops);
        (edges[1], ends[1]) = expand_edges(plan, ends[0], Direction::Out, "HOLDS", loops);
        let named =
            Expr::compare(millrace_plan::Comparison::Equal, name_of(ends[1]), Expr::literal("t"));
        plan.filter(named);
    });
    let create = |template, to| Op::Create(op::Create { template, id: None, to });
    let create = vec![
        create(vertex("Box", Vec::new()), ends[0]),
        create(vertex("Thing", vec![("name", Expr::literal("t"))]), ends[1]),
        create(edge("OWNS", a, ends[0]), edges[0]),
        create(edge("HOLDS", ends[0], ends[1]), edges[1]),
    ];
    let seen = Properties { keyed: vec![("age".into(), Expr::literal(1))], map: None };
    let on_match = vec![Op::Set(op::Set {
        element: ends[1],
        properties: seen,
        replace: false,
        rules: Default::default(),
    })];
    let (on_match, create) = (Pipeline { ops: on_match }, Pipeline { ops: create });
    let created = plan.merge_pattern(matched, on_match, create, "created");
    vec![
        plan.project("name", name_of(a)),
        created,
        plan.project("age", Expr::property(ends[1], "age")),
    ]
}

#[test]
fn a_pattern_is_made_once_and_found_by_the_rows_behind() {
    let graph = graph();
    let mut plan: PlanBuilder = builder();
    let v = plan.scan(Some("Person"), "v");
    plan.push(op::Range::of(0, Some(2)));
    let list = Expr::literal(Value::list(vec![Value::I64(1), Value::I64(2)]));
    let to = plan.column("twice");
    plan.push(op::Unwind { list, to, position: None });
    let output = pattern(&mut plan, v);
    let plan: Plan = plan.finish(output);
    for execute in [execute, oracle::execute] {
        let batch = execute(&plan, &writing(&graph.store), &[]).expect("merges");
        assert_eq!(rows(&batch), ["p0,true,1", "p0,false,1", "p1,true,1", "p1,false,1"]);
    }
}

/// Persons twice, so that the second half depends on the first: it finds the first batch's vertices.
#[test]
fn a_pattern_of_many_rows_runs_in_batches_and_finds_elements_of_earlier_ones() {
    const PERSONS: i64 = 3_000;
    let store = empty();
    let mut plan = builder();
    let numbers = (0..PERSONS).map(|n| vec![Value::I64(n)]).collect();
    let n = plan.column("n");
    plan.push(op::Rows { source: op::RowsSource::Literal(numbers), to: vec![n] });
    let v = plan.column("v");
    let template = vertex("Person", vec![("name", Expr::Column(n))]);
    plan.push(op::Create { template, id: None, to: v });
    let list = Expr::literal(Value::list(vec![Value::I64(1), Value::I64(2)]));
    let twice = plan.column("twice");
    plan.push(op::Unwind { list, to: twice, position: None });
    let by = millrace_plan::SortKey {
        by: Expr::Column(twice),
        descending: false,
        nulls: millrace_plan::Nulls::Last,
    };
    plan.push(op::Sort { keys: vec![by] });
    let output = pattern(&mut plan, v);
    let count = plan.aggregate(&output[1..2], "count", Fold::Count);
    let plan = plan.finish(vec![output[1], count]);
    let batch = execute(&plan, &writing(&store), &[]).expect("merges");
    assert_eq!(rows(&batch), [format!("true,{PERSONS}"), format!("false,{PERSONS}")]);
}
