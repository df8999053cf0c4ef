//! Edges added without a plan: when they are visible, which edges need a plan, and which values are refused.

use millrace_engine::{Context, ContextRunner};
use millrace_model::schema::IndexKind;
use millrace_model::{EdgeId, ErrorKind, PropertyType, Value, VertexId};
use millrace_plan::{
    Definition, EdgeLayout, Expr, NewEdges, OwnerName, Plan, Runner, ScanSource, op,
};

use crate::fixture::{Graph, builder, commit, graph, reading, rows, run, writing};

fn weights() -> Plan {
    let mut plan = builder();
    let edge = plan.column("e");
    plan.push(op::Scan { source: ScanSource::Edges(Some(vec!["KNOWS".into()])), to: edge });
    plan.filter(Expr::IsNull(Box::new(Expr::property(edge, "weight"))).negate());
    let weight = plan.project("weight", Expr::property(edge, "weight"));
    plan.finish(vec![edge, weight])
}

fn define(runner: &mut ContextRunner, definition: Definition) {
    let mut plan = builder();
    plan.push(op::Define { definition });
    runner.run_once(&plan.finish(Vec::new()), &[]).expect("it may be declared");
}

fn layout(runner: &mut ContextRunner, edge_type: &str, keys: &[&str]) -> Option<EdgeLayout> {
    let keys: Vec<String> = keys.iter().map(|&key| key.to_owned()).collect();
    runner.edge_layout(edge_type, &keys).expect("the layout is known or not")
}

fn add(
    runner: &mut ContextRunner,
    layout: EdgeLayout,
    ends: (&[VertexId], &[VertexId]),
    values: &[Value],
) -> millrace_model::Result<Option<Vec<EdgeId>>> {
    let mut ids = Vec::new();
    let new = NewEdges { sources: ends.0, targets: ends.1, values };
    Ok(runner.add_edges(layout, new, &mut ids)?.then_some(ids))
}

fn runner_of(graph: &Graph, pending_max: usize) -> ContextRunner {
    ContextRunner::new(writing(&graph.store)).with_pending_edges(pending_max)
}

#[test]
fn pending_edges_are_seen_by_the_next_operation_and_are_committed() {
    let mut seen = Vec::new();
    for pending_max in [1, 3, 100] {
        let graph = graph();
        let (persons, items) = (&graph.persons, &graph.items);
        let mut runner = runner_of(&graph, pending_max);
        let knows = layout(&mut runner, "KNOWS", &["weight"]).expect("names are known");
        let bare = layout(&mut runner, "KNOWS", &[]).expect("names are known");
        let two = (&persons[..2], &items[..2]);
        let first = add(&mut runner, knows, two, &[Value::I64(1), Value::I64(2)]);
        assert_eq!(first.expect("good").expect("taken").len(), 2);
        for row in 0..4 {
            let one = (&persons[row..=row], &items[..1]);
            assert!(add(&mut runner, bare, one, &[]).expect("good").is_some());
            let value = if row == 3 { Value::Null } else { Value::F64(row as f64) };
            assert!(add(&mut runner, knows, one, &[value]).expect("good").is_some());
        }
        let found = rows(&runner.run_once(&weights(), &[]).expect("runs"));
        assert!(add(&mut runner, knows, two, &[Value::I64(7), Value::I64(8)]).is_ok());
        let context = runner.into_context().expect("all is made");
        commit(context.into_transaction().expect("it writes"));
        let all = run(&graph.store, &weights());
        assert_eq!((found.len(), all.len()), (5, 7));
        seen.push((found, all));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
}

#[test]
fn edges_that_cannot_be_checked_alone_are_created_by_a_plan() {
    let graph = graph();
    let mut runner = runner_of(&graph, 100);
    assert_eq!(layout(&mut runner, "HATES", &[]), None, "a new type is made by a plan");
    assert_eq!(layout(&mut runner, "LIKES", &["colour"]), None, "so is a new key");
    let likes = layout(&mut runner, "LIKES", &["weight"]).expect("names are known");
    let one = (&graph.persons[..1], &graph.items[..1]);
    let large = [Value::string(&"x".repeat(10_000))];
    assert_eq!(add(&mut runner, likes, one, &large), Ok(None), "large values are counted");
    let owner = || OwnerName::EdgeType("LIKES".into());
    let (keys, kind) = (vec!["name".into()], IndexKind::Unique);
    define(&mut runner, Definition::CreateIndex { owner: owner(), keys, kind });
    assert_eq!(add(&mut runner, likes, one, &[Value::I64(1)]), Ok(None), "the catalog is another");
    assert_eq!(layout(&mut runner, "LIKES", &["weight"]), None, "a value may be there already");
    let mut reader = ContextRunner::new(reading(&graph.store));
    assert_eq!(layout(&mut reader, "LIKES", &[]), None, "a reading transaction makes nothing");
    let mut plain = runner_of(&graph, 0);
    assert_eq!(layout(&mut plain, "LIKES", &[]), None, "nothing may be pending");
}

#[test]
fn a_value_of_a_wrong_type_is_refused_by_the_call_and_leaves_the_others() {
    let graph = graph();
    let mut runner = runner_of(&graph, 100);
    let (owner, key) = (OwnerName::EdgeType("KNOWS".into()), "weight".into());
    let kind = PropertyType::Double;
    define(&mut runner, Definition::CreateProperty { owner, key, kind, required: false });
    let knows = layout(&mut runner, "KNOWS", &["weight"]).expect("names are known");
    let one = (&graph.persons[..1], &graph.items[..1]);
    assert!(add(&mut runner, knows, one, &[Value::I64(3)]).expect("a number").is_some());
    let refused = add(&mut runner, knows, one, &[Value::from("heavy")]).expect_err("no number");
    assert_eq!(refused.kind, ErrorKind::Constraint);
    assert!(add(&mut runner, knows, one, &[Value::F64(4.5)]).expect("a number").is_some());
    let found = rows(&runner.run_once(&weights(), &[]).expect("runs"));
    let weights: Vec<&str> = found.iter().filter_map(|row| row.split(',').nth(1)).collect();
    assert_eq!(weights, ["3.0", "4.5"], "stored as declared");
}

#[test]
fn a_pending_edge_that_cannot_be_created_ends_the_runner() {
    let graph = graph();
    let mut runner = runner_of(&graph, 100);
    let knows = layout(&mut runner, "KNOWS", &[]).expect("names are known");
    let nobody = [VertexId(1_000)];
    // Against the contract: no plan found this vertex.
    assert!(add(&mut runner, knows, (&nobody, &graph.items[..1]), &[]).is_ok());
    let error = runner.run_once(&weights(), &[]).map(|_| ()).expect_err("it is not there");
    assert_eq!(error.kind, ErrorKind::Bug);
    let context: millrace_model::Result<Context> = runner.into_context();
    assert_eq!(context.map(|_| ()).expect_err("nothing may be committed").kind, ErrorKind::Bug);
}
