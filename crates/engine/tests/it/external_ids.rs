//! Ids that clients chose: in results, in parameters, and for elements that are made under them.

use millrace_engine::{execute, oracle};
use millrace_model::{Batch, Column, Direction, ErrorKind, Value, VertexId};
use millrace_plan::{
    ApplyKind, ElementKind, Expr, Fold, LookupMode, Parameter, Plan, PlanBuilder, op,
};
use millrace_store::Store;
use std::sync::Arc;

use crate::fixture::{
    begin, builder, commit, edge, empty, name_of, numbers, rows, run, run_with, vertex, write,
    writing,
};

const FAR: i64 = 10_000_000_000;

/// Makes people of the ids, each named after the one it was made for; null: any id.
fn create(ids: &[Option<i64>]) -> Plan {
    let mut plan = builder();
    let rows = ids.iter().enumerate().map(|(row, id)| {
        vec![id.map_or(Value::Null, Value::I64), Value::from(&*format!("n{row}"))]
    });
    let (id, name, to) = (plan.column("id"), plan.column("name"), plan.column("v"));
    let source = op::RowsSource::Literal(rows.collect());
    plan.push(op::Rows { source, to: vec![id, name] });
    let template = vertex("Person", vec![("name", Expr::Column(name))]);
    plan.push(op::Create { template, id: Some(Expr::Column(id)), to });
    plan.finish(vec![to, id])
}

fn id_of(plan: &mut PlanBuilder, element: millrace_plan::ColumnId) -> millrace_plan::ColumnId {
    plan.project("id", Expr::Id(Box::new(Expr::Column(element))))
}

/// A graph with the vertex `FAR` in its first slot; it knows the vertex 7.
fn store() -> Arc<dyn Store> {
    let store = empty();
    assert_eq!(
        write(&store, &create(&[Some(FAR), Some(7)])),
        [format!("v{FAR},{FAR}"), "v7,7".into()]
    );
    let mut plan = builder();
    let a = plan.seek("Person", "name", Expr::literal("n0"), "a");
    let b = plan.seek("Person", "name", Expr::literal("n1"), "b");
    let to = plan.column("e");
    plan.push(op::Create { template: edge("KNOWS", a, b), id: None, to });
    write(&store, &plan.finish(vec![a, b]));
    store
}

/// `ids` as vertices, with their names.
fn by_ids(ids: Expr, checked: bool) -> Plan {
    let mode = if checked { LookupMode::Checked } else { LookupMode::Unchecked };
    let mut plan = builder();
    let to = plan.column("v");
    plan.push(op::LookupById { element: ElementKind::Vertex, ids, mode, to });
    let id = id_of(&mut plan, to);
    let name = plan.project("name", name_of(to));
    plan.finish(vec![to, id, name])
}

#[test]
fn a_vertex_is_shown_and_found_by_the_id_that_was_chosen() {
    let store = store();
    let mut plan = builder();
    let v = plan.scan(None, "v");
    let id = id_of(&mut plan, v);
    let other = plan.expand(v, Direction::Both, None, "other");
    let pair = plan.project("pair", Expr::List(vec![Expr::Column(v), Expr::Column(other)]));
    let mut found = run(&store, &plan.finish(vec![v, id, other, pair]));
    found.sort();
    let expected = [format!("v{FAR},{FAR},v7,[v{FAR} v7]"), format!("v7,7,v{FAR},[v7 v{FAR}]")];
    assert_eq!(found, expected);
    let ids = [FAR, 7, 1, FAR + 1].map(Expr::literal).to_vec();
    let expected = [format!("v{FAR},{FAR},n0"), "v7,7,n1".to_owned()];
    assert_eq!(run(&store, &by_ids(Expr::List(ids), true)), expected);
    for (id, name) in [(FAR, "n0"), (7, "n1")] {
        assert_eq!(run(&store, &by_ids(Expr::literal(id), false)), [format!("v{id},{id},{name}")]);
    }
    // Slot 1 is in use, and no vertex has the id 1.
    for id in [1, 2, FAR + 1] {
        assert_eq!(run(&store, &by_ids(Expr::literal(id), true)), [""; 0]);
        assert_eq!(run(&store, &by_ids(Expr::literal(id), false)), [format!("v{id},{id},-")]);
    }
}

#[test]
fn ids_come_in_as_parameters_wherever_they_are_in_them() {
    let store = store();
    let far = VertexId(FAR as u64);
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [v, list] = plan.rows(parameter, ["v", "list"]);
    let other = plan.expand(v, Direction::Both, None, "other");
    let is_in =
        Expr::InList { item: Box::new(Expr::Column(other)), list: Box::new(Expr::Column(list)) };
    let is_in = plan.project("in", is_in);
    let plan = plan.finish(vec![v, other, list, is_in]);
    let list =
        |ids: &[u64]| Value::list(ids.iter().map(|id| Value::Vertex(VertexId(*id))).collect());
    let batch = Batch::of(vec![
        Column::vertices(vec![far, VertexId(7), VertexId(1), VertexId(99)]),
        Column::from_values([list(&[7]), list(&[far.0, 1]), list(&[]), list(&[7])]),
    ]);
    let found = run_with(&store, &plan, &[Parameter::Rows(batch)]);
    assert_eq!(found, [format!("v{FAR},v7,[v7],true"), format!("v7,v{FAR},[v{FAR} v1],true")]);
    let mut plan = builder();
    let parameter = plan.parameter("v");
    let same = plan.project("same", Expr::Parameter(parameter));
    let id = plan.project("id", Expr::Id(Box::new(Expr::Parameter(parameter))));
    let name = plan.project(
        "name",
        Expr::Property { element: Box::new(Expr::Parameter(parameter)), key: "name".into() },
    );
    let plan = plan.finish(vec![same, id, name]);
    let found = run_with(&store, &plan, &[Parameter::Value(Value::Vertex(far))]);
    assert_eq!(found, [format!("v{FAR},{FAR},n0")]);
}

#[test]
fn bags_show_external_ids() {
    let store = store();
    let mut plan = builder();
    let v = plan.scan(None, "v");
    let to = plan.column("bag");
    let mut other = None;
    let sub = plan.pipeline(|plan| other = Some(plan.expand(v, Direction::Out, None, "other")));
    let columns = other.into_iter().collect();
    plan.push(op::Apply { sub, kind: ApplyKind::Bag { columns, to } });
    let mut found = run(&store, &plan.finish(vec![v, to]));
    found.sort();
    assert_eq!(found, [format!("v{FAR},[v7]"), "v7,[]".to_owned()]);
}

#[test]
fn some_rows_choose_an_id_and_others_get_one_and_both_interpreters_do_the_same() {
    let store = store();
    let plan = create(&[None, Some(i64::MAX), None, Some(1), Some(20)]);
    for way in [execute, oracle::execute] {
        let context = writing(&store);
        let found = rows(&way(&plan, &context, &[]).expect("it is created"));
        let chosen = [format!("v{max},{max}", max = i64::MAX), "v1,1".into(), "v20,20".into()];
        assert_eq!([&found[1], &found[3], &found[4]], [&chosen[0], &chosen[1], &chosen[2]]);
        let given = [&found[0], &found[2]];
        assert!(given.iter().all(|row| row.ends_with(",null") && !row.starts_with("v1,")));
        let named = by_ids(Expr::List([i64::MAX, 1, 20].map(Expr::literal).to_vec()), true);
        let names = rows(&way(&named, &context, &[]).expect("own writes are seen"));
        assert_eq!(names[0], format!("v{max},{max},n1", max = i64::MAX));
        assert_eq!(names[1..], ["v1,1,n3", "v20,20,n4"]);
    }
}

#[test]
fn an_id_that_cannot_be_chosen_is_refused_by_its_name() {
    let store = store();
    let refuse = |plan: &Plan| {
        let kinds =
            [execute, oracle::execute].map(|way| way(plan, &writing(&store), &[]).unwrap_err());
        assert_eq!(kinds[0].kind, kinds[1].kind);
        kinds[0].clone()
    };
    for taken in [FAR, 7] {
        let error = refuse(&create(&[Some(taken)]));
        assert_eq!(error.kind, ErrorKind::AlreadyExists);
        assert!(error.detail.contains(&taken.to_string()), "{error}");
    }
    for bad in [0, -1] {
        assert_eq!(refuse(&create(&[Some(bad)])).kind, ErrorKind::BadInput);
    }
    assert_eq!(refuse(&create(&[Some(8), Some(8)])).kind, ErrorKind::AlreadyExists);
}

#[test]
fn a_plan_that_deletes_shows_deleted_elements_and_one_that_replaces_keeps_the_id() {
    let store = store();
    let mut plan = builder();
    let v = plan.column("v");
    let ids = Expr::literal(FAR);
    plan.push(op::LookupById {
        element: ElementKind::Vertex,
        ids,
        mode: LookupMode::Checked,
        to: v,
    });
    plan.push(op::Remove { element: v, keys: None, rules: Default::default() });
    let properties = millrace_plan::Properties::default();
    plan.push(op::Set { element: v, properties, replace: true, rules: Default::default() });
    write(&store, &plan.finish(vec![v]));
    assert_eq!(run(&store, &by_ids(Expr::literal(FAR), true)), [format!("v{FAR},{FAR},-")]);
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [FAR]);
    let v = plan.column("v");
    let (ids, element) = (Expr::Column(n), Expr::Column(v));
    plan.push(op::LookupById {
        element: ElementKind::Vertex,
        ids,
        mode: LookupMode::Checked,
        to: v,
    });
    plan.push(op::Delete { element, detach: true });
    let id = id_of(&mut plan, v);
    assert_eq!(write(&store, &plan.finish(vec![v, id])), [format!("v{FAR},{FAR}")]);
    assert_eq!(run(&store, &by_ids(Expr::literal(FAR), true)), [""; 0]);
    let again = begin(&store);
    again.create_vertices_with_ids(&Default::default(), &[FAR as u64], &[]).expect("it is free");
    commit(again);
}

#[test]
fn a_sum_of_ids_behind_a_hop_adds_external_ids() {
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let x = plan.expand(v, Direction::Both, None, "x");
    let sum = plan.aggregate(&[], "sum", Fold::Sum(Expr::Id(Box::new(Expr::Column(x)))));
    assert_eq!(run(&store(), &plan.finish(vec![sum])), [(FAR + 7).to_string()]);
}
