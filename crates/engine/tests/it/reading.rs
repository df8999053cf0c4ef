//! Scan, Seek, LookupById, Rows, LetRef, Expand, Endpoints, Fields, Filter, Project, Unwind.

use millrace_model::{Direction, Value};
use millrace_plan::op::RowsSource;
use millrace_plan::{
    Arithmetic, Comparison, ElementKind, End, Expr, Function, LookupMode, Loops, Name, OwnerName,
    ScanSource, SetName, op,
};

use crate::fixture::{
    builder, empty, error, expand_edges, graph, name_of, numbers, run, run_with, weighted,
};

#[test]
fn a_scan_lists_a_label_and_nothing_of_an_unknown_one() {
    let graph = graph();
    let plan = |label: Option<&str>| {
        let mut plan = builder();
        let v = plan.scan(label, "v");
        let name = plan.project("name", name_of(v));
        plan.finish(vec![name])
    };
    assert_eq!(run(&graph.store, &plan(Some("Item"))), ["i0", "i1", "i2", "i3", "i4"]);
    assert_eq!(run(&graph.store, &plan(None)).len(), 10);
    assert!(run(&graph.store, &plan(Some("Nobody"))).is_empty());
    assert!(run(&empty(), &plan(None)).is_empty());
}

#[test]
fn a_scan_in_the_middle_is_each_row_times_every_element() {
    let graph = graph();
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [7, 8]);
    let v = plan.scan(Some("Person"), "v");
    let name = plan.project("name", name_of(v));
    plan.push(op::Range::of(4, Some(7)));
    let plan = plan.finish(vec![n, name]);
    assert_eq!(run(&graph.store, &plan), ["7,p4", "8,p0", "8,p1"]);
}

#[test]
fn edges_are_scanned_by_type_with_their_ends() {
    let graph = graph();
    let mut plan = builder();
    let e = plan.column("e");
    let types = Some(vec![Name::from("KNOWS"), Name::from("NOTHING")]);
    plan.push(op::Scan { source: ScanSource::Edges(types), to: e });
    let (from, to) = (plan.column("from"), plan.column("to"));
    plan.push(op::Endpoints { edge: e, end: End::Source, to: from });
    plan.push(op::Endpoints { edge: e, end: End::Target, to });
    let kind = plan.project("type", Expr::EdgeType(Box::new(Expr::Column(e))));
    let names = [plan.project("f", name_of(from)), plan.project("t", name_of(to))];
    let plan = plan.finish(vec![kind, names[0], names[1]]);
    let mut found = run(&graph.store, &plan);
    found.sort();
    let expected = ["p0,p1", "p1,p2", "p2,p0", "p3,p0", "p3,p0", "p3,p3"];
    assert_eq!(found, expected.map(|pair| format!("KNOWS,{pair}")));
}

#[test]
fn properties_are_a_map_of_all_or_of_some_keys_and_null_of_null() {
    let graph = graph();
    let mut plan = builder();
    let p = plan.seek("Person", "name", Expr::literal("p1"), "p");
    let of = |keys: Option<&[&str]>| {
        let keys = keys.map(|keys| keys.iter().map(|&key| Name::from(key)).collect());
        Expr::Properties { element: Box::new(Expr::Column(p)), keys }
    };
    let some = plan.project("some", of(Some(&["name", "nothing"])));
    let none = plan.project("none", of(Some(&[])));
    let count = Expr::call(Function::Size, vec![of(None)]);
    let all = plan.project("all", count);
    let null = Expr::Properties { element: Box::new(Expr::literal(Value::Null)), keys: None };
    let null = plan.project("null", null);
    let plan = plan.finish(vec![some, none, all, null]);
    let found = run(&graph.store, &plan);
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("p1") && found[0].ends_with(",null"), "{found:?}");
    let wrong = Expr::Properties { element: Box::new(Expr::literal(7)), keys: None };
    let mut plan = builder();
    let column = plan.project("wrong", wrong);
    let plan = plan.finish(vec![column]);
    assert!(error(&graph.store, &plan).detail.contains("which has none"));
}

#[test]
fn a_seek_without_an_index_scans_once_for_all_rows() {
    let graph = graph();
    let mut plan = builder();
    let wanted = plan.column("wanted");
    let rows = ["p3", "nobody", "p1", "p3"].map(|name| vec![Value::from(name)]).to_vec();
    plan.push(op::Rows { source: RowsSource::Literal(rows), to: vec![wanted] });
    let v = plan.seek("Person", "name", Expr::Column(wanted), "v");
    let age = plan.project("age", Expr::property(v, "age"));
    let plan = plan.finish(vec![wanted, age]);
    assert_eq!(run(&graph.store, &plan), ["p3,30", "p1,20", "p3,30"]);
}

#[test]
fn a_seek_on_a_double_finds_the_equal_integer_and_null_finds_nothing() {
    let graph = graph();
    for (value, expected) in [(Value::F64(20.0), vec!["p1"]), (Value::Null, vec![])] {
        let mut plan = builder();
        let v = plan.seek("Person", "age", Expr::Literal(value), "v");
        let name = plan.project("name", name_of(v));
        assert_eq!(run(&graph.store, &plan.finish(vec![name])), expected);
    }
}

#[test]
fn checked_ids_leave_out_missing_elements() {
    let graph = graph();
    let ids = Value::list(vec![
        Value::I64(1_000_000),
        Value::Vertex(graph.persons[1]),
        Value::from("text"),
        Value::F64(1.5),
        Value::I64(graph.persons[0].0 as i64),
        Value::Null,
    ]);
    let mut plan = builder();
    let v = plan.ids(ElementKind::Vertex, Expr::Literal(ids.clone()), "v");
    let name = plan.project("name", name_of(v));
    assert_eq!(run(&graph.store, &plan.finish(vec![name])), ["p1", "p0"]);
    let mut plan = builder();
    let v = plan.column("v");
    let ids = Expr::Literal(ids);
    plan.push(op::LookupById {
        element: ElementKind::Vertex,
        ids,
        mode: LookupMode::Unchecked,
        to: v,
    });
    let found = error(&graph.store, &plan.finish(vec![v]));
    assert!(found.detail.contains("double"), "{found}");
}

#[test]
fn expansion_keeps_list_order_and_weights_and_sees_loops_as_asked() {
    let graph = graph();
    let degrees = |direction, loops| {
        let mut plan = builder();
        let v = plan.scan(Some("Person"), "v");
        let (edge, x) = expand_edges(&mut plan, v, direction, "KNOWS", loops);
        let names = [plan.project("v", name_of(v)), plan.project("x", name_of(x))];
        let _ = edge;
        run(&graph.store, &plan.finish(names.to_vec()))
    };
    let out = degrees(Direction::Out, Loops::Once);
    assert_eq!(out[..3], ["p0,p1", "p1,p2", "p2,p0"]);
    assert_eq!(out.len(), 6);
    let of_p3 = |rows: Vec<String>| rows.iter().filter(|row| row.starts_with("p3")).count();
    assert_eq!(of_p3(degrees(Direction::Both, Loops::Twice)), 4);
    assert_eq!(of_p3(degrees(Direction::Both, Loops::Once)), 3);
    assert_eq!(of_p3(degrees(Direction::In, Loops::Once)), 1);
}

#[test]
fn expansion_of_unknown_types_and_of_null_is_empty() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(None, "v");
    let x = plan.expand(v, Direction::Both, Some(&["NOTHING"]), "x");
    assert!(run(&graph.store, &plan.finish(vec![x])).is_empty());
    let mut plan = builder();
    let null = plan.project("null", Expr::Literal(Value::Null));
    let x = plan.expand(null, Direction::Both, None, "x");
    assert!(run(&graph.store, &plan.finish(vec![x])).is_empty());
    let mut plan = builder();
    let text = plan.project("text", Expr::literal("text"));
    let x = plan.expand(text, Direction::Both, None, "x");
    assert!(error(&graph.store, &plan.finish(vec![x])).detail.contains("vertex"));
}

#[test]
fn fields_are_what_the_data_has() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let fields = plan.column("fields");
    plan.push(op::Fields { element: v, keys: None, languages: None, to: fields });
    let plan = plan.finish(vec![fields]);
    let batch = millrace_engine::execute(&plan, &crate::fixture::reading(&graph.store), &[]);
    let batch = batch.expect("runs");
    let millrace_model::ColumnValues::Fields(fields) = &batch.columns[0].values else {
        panic!("fields")
    };
    assert_eq!(fields.iter().map(|fields| fields.len()).collect::<Vec<_>>(), [2, 2, 1, 2, 1]);
}

#[test]
fn unknown_is_false_at_a_filter_and_absent_is_null_to_is_null() {
    let graph = graph();
    let names_where = |predicate: &dyn Fn(Expr) -> Expr| {
        let mut plan = builder();
        let v = plan.scan(Some("Person"), "v");
        plan.filter(predicate(Expr::property(v, "age")));
        let name = plan.project("name", name_of(v));
        run(&graph.store, &plan.finish(vec![name]))
    };
    let young = |age| Expr::compare(Comparison::Less, age, Expr::literal(35));
    assert_eq!(names_where(&young), ["p1", "p3"]);
    assert_eq!(names_where(&|age| young(age).negate()), ["p0"]);
    assert_eq!(names_where(&|age| Expr::IsNull(Box::new(age))), ["p2", "p4"]);
    let or_unknown = |age: Expr| Expr::Or(vec![young(age), Expr::literal(true)]);
    assert_eq!(names_where(&or_unknown).len(), 5);
}

#[test]
fn an_error_is_raised_only_for_a_row_that_is_still_wanted() {
    let quotient = |n| Expr::Arithmetic {
        operation: Arithmetic::Divide,
        left: Box::new(Expr::literal(12)),
        right: Box::new(Expr::Column(n)),
    };
    let store = empty();
    let plan = |limit| {
        let mut plan = builder();
        let n = numbers(&mut plan, "n", [3, 4, 0, 6]);
        let q = plan.project("q", quotient(n));
        plan.push(op::Range::of(0, limit));
        plan.finish(vec![q])
    };
    assert_eq!(run(&store, &plan(Some(2))), ["4", "3"]);
    assert!(error(&store, &plan(Some(3))).detail.contains("divides an integer by zero"));
    let mut guarded = builder();
    let n = numbers(&mut guarded, "n", [3, 0, 6]);
    let not_zero = Expr::compare(Comparison::NotEqual, Expr::Column(n), Expr::literal(0));
    let large = Expr::compare(Comparison::Greater, quotient(n), Expr::literal(2));
    guarded.filter(Expr::And(vec![not_zero.clone(), large]));
    let q = guarded.project("q", quotient(n));
    let value = Expr::Case { branches: vec![(not_zero, quotient(n))], otherwise: None };
    let same = guarded.project("same", value);
    assert_eq!(run(&store, &guarded.finish(vec![q, same])), ["4,4"]);
}

#[test]
fn unwinding_multiplies_rows_and_keeps_weights() {
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [n] = plan.rows(parameter, ["n"]);
    let (x, at) = (plan.column("x"), plan.column("at"));
    let list = Expr::List(vec![Expr::Column(n), Expr::Literal(Value::Null)]);
    plan.push(op::Unwind { list, to: x, position: Some(at) });
    let plan = plan.finish(vec![x, at]);
    let found = run_with(&empty(), &plan, &[weighted(&[(5, 2), (6, 1)])]);
    assert_eq!(found, ["2x 5,0", "2x null,1", "6,0", "null,1"]);
    let mut plan = builder();
    let x = plan.column("x");
    plan.push(op::Unwind { list: Expr::Literal(Value::Null), to: x, position: None });
    assert!(run(&empty(), &plan.finish(vec![x])).is_empty());
}

#[test]
fn a_let_runs_once_and_is_rows_and_a_set() {
    let graph = graph();
    let mut plan = builder();
    let liked = plan.bind("liked", |plan| {
        let p = plan.seek("Person", "name", Expr::literal("p1"), "p");
        plan.expand(p, Direction::Out, Some(&["LIKES"]), "i")
    });
    let v = plan.scan(Some("Item"), "v");
    let in_set = Expr::InSet { item: Box::new(Expr::Column(v)), set: SetName::Let(liked) };
    plan.filter(in_set.negate());
    let r = plan.column("r");
    plan.let_ref(liked, &[r]);
    let names = vec![plan.project("v", name_of(v)), plan.project("r", name_of(r))];
    let found = run(&graph.store, &plan.finish(names));
    assert_eq!(found, ["i2,i0", "i2,i1", "i3,i0", "i3,i1", "i4,i0", "i4,i1"]);
}

#[test]
fn batch_edges_lose_and_repeat_nothing() {
    for count in [0, 1, 63, 64, 65, 2_047, 2_048, 2_049, 40_000] {
        let mut plan = builder();
        let n = numbers(&mut plan, "n", 0..count);
        let two = Expr::List(vec![Expr::Column(n), Expr::Column(n)]);
        let x = plan.column("x");
        plan.push(op::Unwind { list: two, to: x, position: None });
        plan.filter(Expr::compare(Comparison::GreaterEqual, Expr::Column(x), Expr::literal(0)));
        let found = run(&empty(), &plan.finish(vec![x]));
        let expected = (0..count).flat_map(|n| [n.to_string(), n.to_string()]);
        assert!(found.iter().cloned().eq(expected), "{count}");
    }
}

#[test]
fn an_index_of_all_vertices_serves_a_label() {
    let graph = graph();
    let mut plan = builder();
    plan.push(op::Define {
        definition: millrace_plan::Definition::CreateIndex {
            owner: OwnerName::AllVertices,
            keys: vec![Name::from("name")],
            kind: millrace_model::schema::IndexKind::Unique,
        },
    });
    crate::fixture::write(&graph.store, &plan.finish(vec![]));
    for (label, expected) in [("Person", vec!["40"]), ("Item", vec![])] {
        let mut plan = builder();
        let v = plan.seek(label, "name", Expr::literal("p0"), "v");
        let age = plan.project("age", Expr::property(v, "age"));
        assert_eq!(run(&graph.store, &plan.finish(vec![age])), expected, "{label}");
    }
}
