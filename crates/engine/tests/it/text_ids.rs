//! Ids of edges that clients chose, and ids that are texts: in results, in parameters, and for elements
//! that are made under them. The fixture runs every plan on both interpreters.

use std::sync::Arc;

use millrace_engine::{execute, oracle};
use millrace_model::{Decimal, Direction, EdgeId, ErrorKind, Value, VertexId};
use millrace_plan::op::IdForm;
use millrace_plan::op::RowsSource;
use millrace_plan::{
    ColumnId, ElementKind, Expr, Fold, LookupMode, Parameter, Plan, PlanBuilder, op,
};
use millrace_store::Store;

use crate::fixture::{builder, edge, empty, error, name_of, run, run_with, vertex, write, writing};

fn rows_of(plan: &mut PlanBuilder, ids: &[Value]) -> (ColumnId, ColumnId) {
    let rows = ids.iter().enumerate();
    let rows = rows.map(|(row, id)| vec![id.clone(), Value::from(&*format!("n{row}"))]).collect();
    let (id, name) = (plan.column("id"), plan.column("name"));
    plan.push(op::Rows { source: RowsSource::Literal(rows), to: vec![id, name] });
    (id, name)
}

/// Makes people of the ids; null: any id.
fn create(ids: &[Value]) -> Plan {
    let mut plan = builder();
    let (id, name) = rows_of(&mut plan, ids);
    let to = plan.column("v");
    let template = vertex("Person", vec![("name", Expr::Column(name))]);
    plan.push(op::Create { template, id: Some(Expr::Column(id)), to });
    let shown = id_of(&mut plan, to);
    plan.finish(vec![shown])
}

/// Makes edges of the ids, all from the first person to the second.
fn join(ids: &[Value]) -> Plan {
    let mut plan = builder();
    let (id, _) = rows_of(&mut plan, ids);
    let a = plan.seek("Person", "name", Expr::literal("n0"), "a");
    let b = plan.seek("Person", "name", Expr::literal("n1"), "b");
    let to = plan.column("e");
    let (template, chosen) = (edge("KNOWS", a, b), Some(Expr::Column(id)));
    plan.push(op::Create { template, id: chosen, to });
    let shown = id_of(&mut plan, to);
    plan.finish(vec![shown])
}

fn id_of(plan: &mut PlanBuilder, element: ColumnId) -> ColumnId {
    plan.project("id", Expr::Id(Box::new(Expr::Column(element))))
}

fn texts(ids: &[&str]) -> Vec<Value> {
    ids.iter().map(|id| Value::from(*id)).collect()
}

/// Ada and Bob and a person without an id of their own; edges 5, 'e' and one without.
fn store() -> Arc<dyn Store> {
    let store = empty();
    let people = [Value::from("ada"), Value::from("bob"), Value::Null];
    assert_eq!(write(&store, &create(&people))[..2], ["ada", "bob"]);
    let edges = [Value::I64(5), Value::from("e"), Value::Null];
    assert_eq!(write(&store, &join(&edges))[..2], ["5", "e"]);
    store
}

fn by_ids(element: ElementKind, ids: &[Value], checked: bool) -> Plan {
    let mode = if checked { LookupMode::Checked } else { LookupMode::Unchecked };
    let mut plan = builder();
    let to = plan.column("found");
    let ids = Expr::List(ids.iter().cloned().map(Expr::Literal).collect());
    plan.push(op::LookupById { element, ids, mode, to });
    let id = id_of(&mut plan, to);
    plan.finish(vec![id])
}

#[test]
fn texts_and_ids_of_edges_are_shown_and_found() {
    let store = store();
    let mixed = [Value::from("bob"), Value::from("nobody"), Value::from("ada"), Value::I64(99)];
    for checked in [true, false] {
        let found = run(&store, &by_ids(ElementKind::Vertex, &mixed, checked));
        assert_eq!(found[..2], ["bob", "ada"]);
        assert_eq!(found.len(), if checked { 2 } else { 3 });
    }
    let edges = [Value::I64(5), Value::from("e"), Value::from("ada"), Value::I64(6)];
    assert_eq!(run(&store, &by_ids(ElementKind::Edge, &edges, true)), ["5", "e"]);
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let (edge, to) = (plan.column("e"), plan.column("to"));
    let (direction, loops) = (Direction::Out, millrace_plan::Loops::Twice);
    plan.push(op::Expand {
        from: v,
        types: None,
        direction,
        edge: Some(edge),
        to: Some(to),
        loops,
    });
    let (from, edge, to) = (id_of(&mut plan, v), id_of(&mut plan, edge), id_of(&mut plan, to));
    let of_list = Expr::List([from, edge, to].map(Expr::Column).to_vec());
    let list = plan.project("list", of_list);
    let mut found = run(&store, &plan.finish(vec![list]));
    found.sort();
    assert_eq!(found.len(), 3);
    assert_eq!(found[1..], ["[ada 5 bob]", "[ada e bob]"]);
}

#[test]
fn an_element_goes_out_and_comes_in_by_its_external_id() {
    let store = store();
    let mut plan = builder();
    let to = plan.column("e");
    let ids = Expr::literal(5);
    plan.push(op::LookupById { element: ElementKind::Edge, ids, mode: LookupMode::Checked, to });
    let list = plan.project("list", Expr::List(vec![Expr::Column(to)]));
    assert_eq!(run(&store, &plan.finish(vec![to, list])), ["e5,[e5]"]);
    let mut plan = builder();
    let parameter = plan.parameter("e");
    let same = plan.project("same", Expr::Parameter(parameter));
    let kind = plan.project("type", Expr::EdgeType(Box::new(Expr::Parameter(parameter))));
    let plan = plan.finish(vec![same, kind]);
    let found = run_with(&store, &plan, &[Parameter::Value(Value::Edge(EdgeId(5)))]);
    assert_eq!(found, ["e5,KNOWS"]);
    // A vertex with a text id goes out as a number, which finds it again.
    let mut plan = builder();
    let v = plan.column("v");
    let ids = Expr::literal("ada");
    plan.push(op::LookupById {
        element: ElementKind::Vertex,
        ids,
        mode: LookupMode::Checked,
        to: v,
    });
    let context = writing(&store);
    let batch = execute(&plan.finish(vec![v]), &context, &[]).expect("it runs");
    assert_eq!(batch.len, 1, "she is there");
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [v] = plan.rows(parameter, ["v"]);
    let id = id_of(&mut plan, v);
    let name = plan.project("name", name_of(v));
    let found = run_with(&store, &plan.finish(vec![id, name]), &[Parameter::Rows(batch)]);
    assert_eq!(found, ["ada,n0"]);
}

#[test]
fn an_id_that_is_chosen_twice_or_cannot_be_is_refused_by_its_name() {
    let store = store();
    let refuse = |plan: &Plan| {
        let errors = [execute, oracle::execute].map(|way| way(plan, &writing(&store), &[]).err());
        let [Some(first), Some(second)] = errors else { panic!("it must be refused") };
        assert_eq!(first.kind, second.kind);
        first
    };
    for (plan, named) in [
        (create(&texts(&["new", "ada"])), "vertex 'ada'"),
        (create(&texts(&["new", "new"])), "vertex 'new'"),
        (join(&texts(&["e"])), "edge 'e'"),
        (join(&[Value::I64(5)]), "edge 5"),
    ] {
        let error = refuse(&plan);
        assert_eq!(error.kind, ErrorKind::AlreadyExists);
        assert!(error.detail.contains(named), "{error}");
    }
    for bad in [Value::I64(0), Value::I64(-3), Value::Bool(true), Value::F64(1.5)] {
        assert_eq!(refuse(&create(std::slice::from_ref(&bad))).kind, ErrorKind::BadInput);
        assert_eq!(refuse(&join(&[bad])).kind, ErrorKind::BadInput);
    }
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let x = plan.expand(v, Direction::Both, None, "x");
    let sum = plan.aggregate(&[], "sum", Fold::Sum(Expr::Id(Box::new(Expr::Column(x)))));
    assert_eq!(error(&store, &plan.finish(vec![sum])).kind, ErrorKind::BadQuery);
}

#[test]
fn as_scanned_each_element_is_found_once_by_values_that_equal_its_id() {
    let whole = Value::Decimal(Arc::new(Decimal { unscaled: 10, scale: 1 }));
    let texts = ["1", "", "nobody"].map(Value::from);
    let ids = [Value::F64(1.0), Value::I64(1), Value::F64(1.5), Value::I64(-1), Value::Null, whole];
    let vertices = [Value::Vertex(VertexId(1)), Value::list(vec![Value::I64(2)])];
    let ids: Vec<Value> = ids.into_iter().chain(texts).chain(vertices).collect();
    for element in [ElementKind::Vertex, ElementKind::Edge] {
        let graph = crate::fixture::graph();
        let mut plan = builder();
        let to = plan.column("found");
        let ids = Expr::Literal(Value::list(ids.clone()));
        let mode = LookupMode::Scanned { form: IdForm::Id, in_list: false };
        plan.push(op::LookupById { element, ids, mode, to });
        let id = id_of(&mut plan, to);
        assert_eq!(run(&graph.store, &plan.finish(vec![id])), ["1"], "{element:?}");
    }
}
