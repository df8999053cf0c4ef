//! Functions and expressions that ask for types at run time, over columns of values of several types; the
//! oracle gives the same.

use std::sync::Arc;

use millrace_model::value::Point;
use millrace_model::{Direction, ErrorKind, Value};
use millrace_plan::functions::{Conversion, Elementary, IndexMode, Outside, Wanted, Which};
use millrace_plan::{
    Arithmetic, ColumnId, ElementKind, End, Expr, Function, LetRead, Loops, Makes, PlanBuilder, op,
};

use crate::fixture::{Graph, builder, error, expand_edges, graph, name_of, numbers, run};

/// Two columns with rows.
fn pairs(plan: &mut PlanBuilder, rows: &[[Value; 2]]) -> [ColumnId; 2] {
    let to = ["a", "b"].map(|name| plan.column(name));
    let rows = rows.iter().map(|row| row.to_vec()).collect();
    plan.push(op::Rows { source: op::RowsSource::Literal(rows), to: to.to_vec() });
    to
}

/// Values of many types, such as meet in one column.
fn values() -> Vec<Value> {
    let point = Point { srid: 7203, coordinates: vec![1.0, 2.0] };
    vec![
        Value::Null,
        Value::Bool(true),
        Value::I64(-1),
        Value::I64(2),
        Value::I64(i64::MAX),
        Value::I32(7),
        Value::F64(2.5),
        Value::F64(f64::NAN),
        Value::from("1.7"),
        Value::from("ab"),
        Value::from(""),
        Value::list(vec![Value::I64(1), Value::Null, Value::from("x")]),
        Value::list(Vec::new()),
        Value::map(vec![("ab".into(), Value::I64(1))]),
        Value::Point(Arc::new(point)),
    ]
}

fn functions_of_one() -> Vec<Function> {
    let conversions = [
        Conversion::Integer,
        Conversion::IntegerOrNull,
        Conversion::Integers,
        Conversion::Float,
        Conversion::Floats,
        Conversion::Boolean,
        Conversion::Booleans,
        Conversion::Text,
        Conversion::Texts,
    ];
    let elementary = [
        Elementary::Ceil,
        Elementary::Floor,
        Elementary::Cot,
        Elementary::Coth,
        Elementary::Degrees,
        Elementary::Radians,
        Elementary::Haversine,
    ];
    let others = [
        Function::IsEmpty,
        Function::ValueType,
        Function::IsNan,
        Function::PointOf,
        Function::RoundTo,
        Function::IsA(Wanted::Element),
        Function::IsA(Wanted::Number),
        Function::EdgeCount,
    ];
    let all = conversions.map(Function::Convert).into_iter();
    all.chain(elementary.map(Function::Elementary)).chain(others).collect()
}

fn functions_of_two() -> Vec<Function> {
    let operations = [
        Arithmetic::Add,
        Arithmetic::Subtract,
        Arithmetic::Multiply,
        Arithmetic::Divide,
        Arithmetic::Remainder,
    ];
    let others = [
        Function::At,
        Function::Component,
        Function::Distance,
        Function::MatchesWhole,
        Function::Trim,
        Function::Split,
        Function::LastCharacters,
        Function::Substring(IndexMode { first: 0, from_end: false, outside: Outside::ErrorBefore }),
        Function::Atan2,
        Function::RoundTo,
        Function::RandomBy,
        Function::UuidText,
    ];
    operations.map(Function::Operate).into_iter().chain(others).collect()
}

/// Rows that a function takes give its values, all in one batch, and each other row is an error.
fn check(function: Function, arity: usize, rows: &[[Value; 2]]) {
    let Graph { store, .. } = graph();
    let plan = |rows: &[[Value; 2]]| {
        let mut plan = builder();
        let columns = pairs(&mut plan, rows);
        let arguments = columns[..arity].iter().copied().map(Expr::Column).collect();
        let to = plan.project("value", Expr::call(function, arguments));
        plan.finish(vec![to])
    };
    let (good, bad): (Vec<_>, Vec<_>) =
        rows.iter().cloned().partition(|row| function.call(&row[..arity]).is_ok());
    let expected = good.iter().map(|row| function.call(&row[..arity]).expect("a good row"));
    let mut literal = builder();
    let all: Vec<[Value; 2]> = expected.map(|value| [value, Value::Null]).collect();
    let [column, _] = pairs(&mut literal, &all);
    let expected = run(&store, &literal.finish(vec![column]));
    assert_eq!(run(&store, &plan(&good)), expected, "{function}");
    for row in bad {
        let found = error(&store, &plan(std::slice::from_ref(&row)));
        let is_right = matches!(found.kind, ErrorKind::BadQuery | ErrorKind::Unsupported);
        assert!(is_right, "{function} of {row:?}: {found}");
    }
}

#[test]
fn functions_of_one_value_take_columns_of_mixed_types() {
    let rows: Vec<[Value; 2]> = values().into_iter().map(|value| [value, Value::Null]).collect();
    functions_of_one().into_iter().for_each(|function| check(function, 1, &rows));
}

#[test]
fn functions_of_two_values_take_columns_of_mixed_types() {
    let all = values();
    let rows = |left: &Value| all.iter().map(|right| [left.clone(), right.clone()]).collect();
    let rows: Vec<[Value; 2]> = all.iter().flat_map(|left| -> Vec<_> { rows(left) }).collect();
    functions_of_two().into_iter().for_each(|function| check(function, 2, &rows));
}

/// Columns of one plain type take the short way, with the same results.
#[test]
fn operators_on_plain_columns_are_those_on_values() {
    let ints = [[7, 2], [-7, 2], [7, -2], [0, 1]].map(|row| row.map(Value::I64));
    let doubles = [[7.5, 2.0], [-7.5, 2.0], [1.0, 0.0]].map(|row| row.map(Value::F64));
    let wrong = [[i64::MAX, i64::MAX], [i64::MIN, -1], [1, 0]].map(|row| row.map(Value::I64));
    for operation in [
        Arithmetic::Add,
        Arithmetic::Subtract,
        Arithmetic::Multiply,
        Arithmetic::Divide,
        Arithmetic::Remainder,
    ] {
        let function = Function::Operate(operation);
        check(function, 2, &ints);
        check(function, 2, &doubles);
        wrong.iter().for_each(|row| check(function, 2, std::slice::from_ref(row)));
    }
}

#[test]
fn parts_are_asked_of_elements_maps_and_lists() {
    let Graph { store, persons, .. } = graph();
    let map = Value::map(vec![("name".into(), "map".into())]);
    let rows = [
        [Value::Vertex(persons[0]), "name".into()],
        [Value::Vertex(persons[2]), "age".into()],
        [map, "name".into()],
        [Value::list(vec!["first".into(), "last".into()]), Value::I64(-1)],
        [Value::Null, "name".into()],
        [Value::Vertex(persons[1]), Value::Null],
    ];
    let mut plan = builder();
    let [a, b] = pairs(&mut plan, &rows);
    let to = plan.project("part", Expr::at(Expr::Column(a), Expr::Column(b)));
    let found = run(&store, &plan.finish(vec![to]));
    assert_eq!(found, ["p0", "null", "map", "last", "null", "null"]);
    let mut plan = builder();
    let [a, b] = pairs(&mut plan, &[[Value::Vertex(persons[0]), Value::I64(0)]]);
    let to = plan.project("part", Expr::at(Expr::Column(a), Expr::Column(b)));
    assert_eq!(error(&store, &plan.finish(vec![to])).kind, ErrorKind::BadQuery);
}

#[test]
fn properties_of_a_map_are_the_map_and_points_have_components() {
    let Graph { store, persons, .. } = graph();
    let map = Value::map(vec![("age".into(), 1.into()), ("name".into(), "map".into())]);
    let rows = [Value::Vertex(persons[0]), map, Value::Null].map(|value| [value, Value::Null]);
    let mut plan = builder();
    let [a, _] = pairs(&mut plan, &rows);
    let all = Expr::properties_of(Expr::Column(a));
    let keys = plan.project("keys", Expr::call(Function::Keys, vec![all]));
    assert_eq!(run(&store, &plan.finish(vec![keys])), ["[name age]", "[age name]", "null"]);

    let point = Value::Point(Arc::new(Point { srid: 4326, coordinates: vec![1.0, 2.0] }));
    let mut plan = builder();
    let [a, _] = pairs(&mut plan, &[[point, Value::Null], [Value::Null, Value::Null]]);
    let output = ["latitude", "y", "srid"].map(|key| plan.project(key, Expr::property(a, key)));
    assert_eq!(run(&store, &plan.finish(output.to_vec())), ["2.0,2.0,4326", "null,null,null"]);
    let mut plan = builder();
    let [a, _] = pairs(&mut plan, &[[Value::I64(1), Value::Null]]);
    let to = plan.project("x", Expr::property(a, "x"));
    assert_eq!(error(&store, &plan.finish(vec![to])).kind, ErrorKind::BadQuery);
}

#[test]
fn an_edge_has_two_ends_also_in_a_list() {
    let Graph { store, .. } = graph();
    let mut plan = builder();
    let p = plan.seek("Person", "name", Expr::literal("p2"), "p");
    let (edge, _) = expand_edges(&mut plan, p, Direction::Both, "KNOWS", Loops::Once);
    let end = |edge: Expr, end| Expr::EdgeEnd { edge: Box::new(edge), end };
    let edges = Expr::List(vec![Expr::Column(edge), Expr::Literal(Value::Null)]);
    let over = plan.over(edges, "r", |_, r| Makes::List {
        keep: None,
        value: Some(end(Expr::Column(r), End::Target)),
    });
    let source = plan.project("source", end(Expr::Column(edge), End::Source));
    let target = plan.project("target", end(Expr::Column(edge), End::Target));
    let output = vec![
        plan.project("from", name_of(source)),
        plan.project("to", name_of(target)),
        plan.project("count", Expr::call(Function::Size, vec![over])),
    ];
    let mut found = run(&store, &plan.finish(output));
    found.sort();
    assert_eq!(found, ["p1,p2,2", "p2,p0,2"]);
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [1]);
    let to = plan.project("end", end(Expr::Column(n), End::Source));
    assert_eq!(error(&store, &plan.finish(vec![to])).kind, ErrorKind::BadQuery);
}

/// An absent property is null among the entries, and in no empty list.
#[test]
fn absent_is_in_no_empty_list() {
    let Graph { store, .. } = graph();
    let mut plan = builder();
    let p = plan.seek("Person", "name", Expr::literal("p2"), "p");
    let is_in = |list: Vec<Value>| Expr::InList {
        item: Box::new(Expr::property(p, "age")),
        list: Box::new(Expr::Literal(Value::list(list))),
    };
    let empty = plan.project("empty", is_in(Vec::new()));
    let other = plan.project("other", is_in(vec![1.into()]));
    let or = Expr::coalesce(vec![Expr::property(p, "age"), name_of(p), Expr::literal(0)]);
    let or = plan.project("or", or);
    assert_eq!(run(&store, &plan.finish(vec![empty, other, or])), ["false,null,p2"]);
}

#[test]
fn paths_have_vertices_and_edges() {
    let Graph { store, .. } = graph();
    let mut plan = builder();
    let all = plan.bind("all", |plan| plan.scan(Some("Person"), "x"));
    let p = plan.seek("Person", "name", Expr::literal("p0"), "p");
    let (edge, to) = expand_edges(&mut plan, p, Direction::Out, "KNOWS", Loops::Once);
    let path = [p, edge, to]
        .into_iter()
        .fold(None, |path, object| Some(plan.path(path, Some(object), &[], "path")));
    let path = Expr::Column(path.expect("three steps"));
    let length = plan.project("length", Expr::call(Function::EdgeCount, vec![path.clone()]));
    let size = |kind| {
        let elements = Expr::call(Function::ElementsOf(kind), vec![path.clone()]);
        Expr::call(Function::Size, vec![elements])
    };
    let (vertices, edges) = (size(ElementKind::Vertex), size(ElementKind::Edge));
    let output = vec![
        length,
        plan.project("vertices", vertices),
        plan.project("edges", edges),
        plan.project(
            "persons",
            Expr::call(Function::Size, vec![Expr::Let { name: all, read: LetRead::All }]),
        ),
    ];
    assert_eq!(run(&store, &plan.finish(output)), ["1,2,1,5"]);
}

#[test]
fn texts_are_padded_and_replaced_as_often_as_asked() {
    let call = |function: Function, arguments: &[Value]| function.call(arguments);
    let pad = |which| call(Function::Pad(which), &["ab".into(), 5.into(), "xy".into()]);
    assert_eq!(pad(Which::First), Ok("xyxab".into()));
    assert_eq!(pad(Which::Last), Ok("abxyx".into()));
    let replaced = ["aaa".into(), "a".into(), "b".into(), Value::I64(2)];
    assert_eq!(call(Function::Replace, &replaced), Ok("bba".into()));
}
