//! Plans in which null is unknown: comparison, the order of types, grouping by equivalence, aggregates, and numbers of
//! rows that a run makes.

use std::sync::Arc;

use millrace_model::compare::CompareMode;
use millrace_model::temporal::Duration;
use millrace_model::{Batch, Column, Direction, ErrorKind, Value};
use millrace_plan::op::RowsSource;
use millrace_plan::rules::optimize;
use millrace_plan::{
    ApplyKind, ColumnId, Comparison, Expr, Fold, Function, LetRead, Nulls, Op, Parameter, Plan,
    PlanBuilder, RowCount, SortKey, op,
};

use crate::fixture::{builder, empty, graph, numbers, run, run_with};

/// Values as a source of rows.
fn values(plan: &mut PlanBuilder, values: impl IntoIterator<Item = Value>) -> ColumnId {
    let rows = values.into_iter().map(|value| vec![value]).collect();
    let to = plan.column("x");
    plan.push(op::Rows { source: RowsSource::Literal(rows), to: vec![to] });
    to
}

/// The value of an expression without columns.
fn value_of(expr: Expr) -> String {
    let mut plan = builder();
    let _row = numbers(&mut plan, "n", [0]);
    let to = plan.project("to", expr);
    run(&empty(), &plan.finish(vec![to])).join(" ")
}

fn list(values: &[Value]) -> Value {
    Value::list(values.to_vec())
}

fn call(function: Function, column: ColumnId) -> Expr {
    Expr::call(function, vec![Expr::Column(column)])
}

fn mixed() -> Vec<Value> {
    vec![
        Value::F64(1.5),
        list(&["list".into()]),
        "text".into(),
        Value::Null,
        false.into(),
        Value::F64(f64::NAN),
        Value::map(vec![("a".into(), "map".into())]),
        Value::I64(1),
    ]
}

/// The number in `mixed` of the values in order.
const MIXED_ORDER: [&str; 8] = ["6", "1", "2", "4", "7", "0", "5", "3"];

fn sort_key(by: ColumnId, descending: bool) -> SortKey {
    let nulls = if descending { Nulls::First } else { Nulls::Last };
    SortKey { by: Expr::Column(by), descending, nulls }
}

#[test]
fn nan_compares_as_false_with_numbers_and_as_unknown_with_texts() {
    let nan = || Expr::literal(f64::NAN);
    for comparison in [
        Comparison::Less,
        Comparison::LessEqual,
        Comparison::Greater,
        Comparison::GreaterEqual,
        Comparison::Equal,
    ] {
        assert_eq!(value_of(Expr::compare(comparison, nan(), Expr::literal(1))), "false");
        assert_eq!(value_of(Expr::compare(comparison, nan(), nan())), "false");
    }
    assert_eq!(value_of(Expr::compare(Comparison::Less, nan(), Expr::literal("a"))), "null");
    assert_eq!(value_of(Expr::compare(Comparison::NotEqual, nan(), nan())), "true");
}

#[test]
fn elements_are_in_the_order_of_their_ids() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let compared = |comparison| Expr::compare(comparison, Expr::Column(v), Expr::Column(v));
    let most = plan.project("most", compared(Comparison::LessEqual));
    let less = plan.project("less", compared(Comparison::Less));
    let equal = plan.project("equal", compared(Comparison::Equal));
    let rows = run(&graph.store, &plan.finish(vec![most, less, equal]));
    assert_eq!(rows, vec!["true,false,true"; 5]);
}

#[test]
fn membership_is_unknown_where_an_entry_is() {
    let is_in = |item: Value, entries: &[Value]| {
        let list = Box::new(Expr::Literal(list(entries)));
        value_of(Expr::InList { item: Box::new(Expr::Literal(item)), list })
    };
    let (one, null) = (Value::I64(1), Value::Null);
    assert_eq!(is_in(one.clone(), &[null.clone(), Value::F64(1.0)]), "true");
    assert_eq!(is_in(one, &[null.clone(), Value::I64(2)]), "null");
    assert_eq!(is_in(list(&[1.into()]), &[list(&[null]), list(&[])]), "null");
    assert_eq!(is_in(list(&[1.into()]), &[list(&[1.into(), 1.into()])]), "false");
}

#[test]
fn values_of_all_types_are_sorted_with_null_last() {
    let sorted = |descending: bool, limit: Option<u64>| {
        let mut plan = builder();
        let x = values(&mut plan, mixed());
        let at = plan.column("at");
        plan.push(op::Aggregate {
            keys: vec![],
            folds: vec![(at, Fold::Collect(Expr::Column(x)))],
        });
        let (y, number) = (plan.column("y"), plan.column("number"));
        plan.push(op::Unwind { list: Expr::Column(at), to: y, position: Some(number) });
        plan.push(op::Sort { keys: vec![sort_key(y, descending)] });
        if let Some(limit) = limit {
            plan.push(op::Range::of(0, Some(limit)));
        }
        let mut plan = plan.finish(vec![number]);
        let rows = run(&empty(), &plan);
        optimize(&mut plan);
        assert_eq!(run(&empty(), &plan), rows);
        rows
    };
    assert_eq!(sorted(false, None), MIXED_ORDER);
    let mut reversed = MIXED_ORDER;
    reversed.reverse();
    assert_eq!(sorted(true, None), reversed);
    assert_eq!(sorted(false, Some(3)), &MIXED_ORDER[..3]);
    let sorted = Function::SortList(CompareMode::NullIsUnknown);
    let lists = [list(&[Value::Null, 1.into()]), list(&[1.into(), Value::Null]), list(&[1.into()])];
    let call = Expr::call(sorted, vec![Expr::Literal(list(&lists))]);
    assert_eq!(value_of(call), "[[1] [1 null] [null 1]]");
}

#[test]
fn the_least_and_the_greatest_are_of_that_order() {
    let extremes = |all: Vec<Value>| {
        let mut plan = builder();
        let x = values(&mut plan, all);
        let folds = [Fold::Min(Expr::Column(x)), Fold::Max(Expr::Column(x))];
        let folds: Vec<_> = folds.into_iter().map(|fold| (plan.column("f"), fold)).collect();
        let output = folds.iter().map(|(column, _)| *column).collect();
        plan.push(op::Aggregate { keys: vec![], folds });
        run(&empty(), &plan.finish(output)).join(" ")
    };
    let some = || vec![1.into(), "a".into(), Value::Null, list(&[1.into(), 2.into()]), 0.2.into()];
    assert_eq!(extremes(some()), "[1 2],1");
    assert_eq!(extremes(vec![1.into(), f64::NAN.into()]), "1,NaN");
    assert_eq!(extremes(vec![Value::Null]), "null,null");
}

#[test]
fn keys_of_equivalence_group_what_identity_keeps_apart() {
    let mut plan = builder();
    let map = |left: Value, right: Value| {
        let pairs = [("a", left), ("b", right)].map(|(key, value)| (key.into(), value));
        Value::map(pairs.to_vec())
    };
    let reversed = Value::map(vec![("b".into(), Value::Null), ("a".into(), 1.0.into())]);
    let all = [
        1.into(),
        1.0.into(),
        Value::Null,
        f64::NAN.into(),
        map(1.into(), Value::Null),
        Value::F64(-f64::NAN),
        reversed,
        Value::Null,
    ];
    let x = values(&mut plan, all);
    let key = plan.project("key", call(Function::EquivalenceKey, x));
    let (first, count) = (plan.column("first"), plan.column("count"));
    let folds = vec![(first, Fold::First(Expr::Column(x))), (count, Fold::Count)];
    plan.push(op::Aggregate { keys: vec![key], folds });
    assert_eq!(run(&empty(), &plan.finish(vec![count])), ["2", "2", "2", "2"]);
}

/// Persons 2 and 4 have no age.
#[test]
fn a_missing_property_is_null_in_keys_lists_and_projections() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let age = plan.project("age", Expr::call(Function::OrNull, vec![Expr::property(v, "age")]));
    let key = plan.project("key", call(Function::EquivalenceKey, age));
    let list = plan.project("list", Expr::List(vec![Expr::Column(age), Expr::literal(1)]));
    let rows = run(&graph.store, &plan.finish(vec![age, key, list]));
    let (null, old) = ("null,null,[null 1]", ["40,40,[40 1]", "20,20,[20 1]", "30,30,[30 1]"]);
    assert_eq!(rows, [old[0], old[1], null, old[2], null]);
}

fn duration(months: i64, days: i64, seconds: i64) -> Value {
    Value::Duration(Duration { months, days, seconds, nanos: 0 }.into())
}

/// One fold of values with weights.
fn folded(fold: impl Fn(Expr) -> Fold, all: &[(Value, u64)]) -> Result<Value, ErrorKind> {
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let x = plan.rows(parameter, ["x"])[0];
    let to = plan.aggregate(&[], "f", fold(Expr::Column(x)));
    let plan = plan.finish(vec![to]);
    let mut batch =
        Batch::of(vec![Column::from_values(all.iter().map(|(value, _)| value.clone()))]);
    batch.weights = Some(Arc::new(all.iter().map(|(_, weight)| *weight).collect()));
    let parameters = [Parameter::Rows(batch)];
    let context = crate::fixture::reading(&empty());
    let found = millrace_engine::execute(&plan, &context, &parameters);
    let expected = millrace_engine::oracle::execute(&plan, &context, &parameters);
    let value = |batch: Batch| batch.columns[0].get(0).unwrap_or_default();
    let found = found.map(value).map_err(|error| error.kind);
    assert_eq!(found, expected.map(value).map_err(|error| error.kind), "the oracle\n{plan}");
    found
}

fn distinct(fold: fn(Expr) -> Fold) -> impl Fn(Expr) -> Fold {
    move |expr| Fold::Distinct(Box::new(fold(expr)))
}

#[test]
fn aggregates_honour_weights_and_pass_over_null() {
    let some = [(Value::I64(2), 3), (Value::Null, 5), (Value::F64(4.0), 1), (Value::F64(2.0), 2)];
    let double = |double: f64| Ok(Value::F64(double));
    assert_eq!(folded(Fold::CountValues, &some), Ok(Value::I64(6)));
    let two = || Value::F64(2.0);
    let all = [2.into(), 2.into(), 2.into(), 4.0.into(), two(), two()];
    assert_eq!(folded(Fold::CollectValues, &some), Ok(list(&all)));
    assert_eq!(folded(distinct(Fold::CollectValues), &some), Ok(list(&[2.into(), 4.0.into()])));
    assert_eq!(folded(distinct(Fold::Sum), &some), double(6.0));
    assert_eq!(folded(distinct(Fold::Mean), &some), double(3.0));
    assert_eq!(folded(distinct(Fold::CountValues), &some), Ok(Value::I64(2)));
    assert_eq!(folded(Fold::StDevP, &some), double((20.0f64 / 36.0).sqrt()));
    assert_eq!(folded(distinct(Fold::StDev), &some), double(2f64.sqrt()));
    assert_eq!(folded(Fold::StDev, &[]), Ok(Value::Null));
    assert_eq!(folded(Fold::StDev, &[("a".into(), 1)]), Err(ErrorKind::BadQuery));
    assert_eq!(folded(Fold::CollectValues, &[]), Ok(list(&[])));
}

#[test]
fn percentiles_take_pairs_of_a_number_and_the_fraction() {
    let pair = |number: Value, fraction: f64| list(&[number, fraction.into()]);
    let at = |fraction: f64| {
        [(30.0, 1), (10.0, 1), (20.0, 2)]
            .map(|(number, weight)| (pair(number.into(), fraction), weight))
            .into_iter()
            .chain([(pair(Value::Null, 7.0), 1)])
            .collect::<Vec<_>>()
    };
    for (fraction, discrete, between) in [
        (0.0, 10.0, 10.0),
        (0.25, 10.0, 17.5),
        (0.5, 20.0, 20.0),
        (0.9, 30.0, 27.0),
        (1.0, 30.0, 30.0),
    ] {
        assert_eq!(
            folded(Fold::PercentileDisc, &at(fraction)),
            Ok(Value::F64(discrete)),
            "{fraction}"
        );
        let found = folded(Fold::PercentileCont, &at(fraction)).map(|found| found.as_double());
        let found = found.ok().flatten().expect("a number");
        assert!((found - between).abs() < 1e-9, "{fraction}: {found}");
    }
    assert_eq!(folded(Fold::PercentileCont, &at(1.1)), Err(ErrorKind::BadQuery));
    assert_eq!(folded(Fold::PercentileCont, &[]), Ok(Value::Null));
    let two_fractions = [(pair(1.into(), 0.1), 1), (pair(1.into(), 0.2), 1)];
    assert_eq!(folded(Fold::PercentileDisc, &two_fractions), Err(ErrorKind::BadQuery));
}

#[test]
fn durations_are_summed_by_themselves() {
    let some = [(duration(1, 1, 1), 2), (Value::Null, 1), (duration(0, 0, 3), 1)];
    assert_eq!(folded(Fold::Sum, &some), Ok(duration(2, 2, 5)));
    assert_eq!(folded(Fold::Mean, &[(duration(3, 2, 10), 2)]), Ok(duration(3, 2, 10)));
    let mean = folded(Fold::Mean, &[(duration(1, 0, 0), 1), (duration(0, 0, 0), 1)]);
    assert_eq!(mean, Ok(duration(0, 15, 18_873)));
    let mixed = [(duration(1, 0, 0), 1), (Value::I64(1), 1)];
    assert_eq!(folded(Fold::Sum, &mixed), Err(ErrorKind::BadQuery));
    assert_eq!(folded(Fold::Mean, &mixed), Err(ErrorKind::BadQuery));
}

#[test]
fn a_sum_beyond_64_bits_is_an_error_and_a_mean_is_not() {
    let large = [(Value::I64(i64::MAX), 2)];
    assert_eq!(folded(Fold::Sum, &large), Err(ErrorKind::BadQuery));
    assert_eq!(folded(Fold::Mean, &large), Ok(Value::F64(i64::MAX as f64)));
}

/// `SKIP $skip LIMIT $limit`, sorted or not; and the last `$limit`.
fn page(sorted: bool, tail: bool) -> Plan {
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [5, 3, 1, 4, 2]);
    let skip = Expr::Parameter(plan.parameter("skip"));
    let limit = Expr::Parameter(plan.parameter("limit"));
    let end = RowCount::Sum(vec![skip.clone(), limit.clone()]);
    let from = RowCount::of(skip);
    match (sorted, tail) {
        (_, true) => {
            plan.push(op::Tail { count: RowCount::of(limit) });
        }
        (true, false) => {
            plan.push(op::TopK { count: end, keys: vec![sort_key(n, false)] });
            plan.push(op::Range { from, to: None });
        }
        (false, false) => {
            plan.push(op::Range { from, to: Some(end) });
        }
    }
    plan.finish(vec![n])
}

#[test]
fn a_run_says_how_many_rows_it_wants() {
    let parameters = |skip: i64, limit: i64| [skip, limit].map(|n| Parameter::Value(Value::I64(n)));
    let rows = |plan: &Plan, skip, limit| run_with(&empty(), plan, &parameters(skip, limit));
    for (plan, first) in [(page(false, false), ["3", "1"]), (page(true, false), ["2", "3"])] {
        assert_eq!(rows(&plan, 1, 2), first);
        assert_eq!(rows(&plan, 1, i64::MAX).len(), 4);
        assert!(rows(&plan, 1, 0).is_empty());
        assert!(rows(&plan, 9, 1).is_empty());
    }
    assert_eq!(rows(&page(false, true), 0, 2), ["4", "2"]);
    assert_eq!(page(true, false).to_string().lines().nth(1), Some("TopK ($skip + $limit) by n"));
    let wrong = [Value::I64(-1), Value::F64(1.5), Value::Null, "1".into()];
    for value in wrong {
        for plan in [page(false, false), page(true, false), page(false, true)] {
            let parameters = [Value::I64(0), value.clone()].map(Parameter::Value);
            let context = crate::fixture::reading(&empty());
            let refused = millrace_engine::execute(&plan, &context, &parameters);
            assert_eq!(refused.expect_err("no number").kind, ErrorKind::BadQuery, "{plan}");
        }
    }
}

#[test]
fn the_first_of_an_order_are_found_without_sorting_all_whatever_the_run_says() {
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [5, 3, 1, 4, 2]);
    let limit = RowCount::of(Expr::Parameter(plan.parameter("limit")));
    plan.push(op::Sort { keys: vec![sort_key(n, true)] });
    plan.push(op::Range { from: 0.into(), to: Some(limit) });
    let mut plan = plan.finish(vec![n]);
    optimize(&mut plan);
    assert!(matches!(plan.root.ops.last(), Some(Op::TopK(_))), "{plan}");
    let rows = |limit: i64| run_with(&empty(), &plan, &[Parameter::Value(Value::I64(limit))]);
    assert_eq!(rows(2), ["5", "4"]);
    assert!(rows(0).is_empty());
}

#[test]
fn a_number_of_rows_may_be_read_of_a_let_and_holds_for_each_scope() {
    let graph = graph();
    let mut plan = builder();
    let limit = plan.bind_columns("limit", |plan| vec![numbers(plan, "n", [2])]);
    let limit = || RowCount::of(Expr::Let { name: limit, read: LetRead::First });
    let v = plan.scan(Some("Person"), "v");
    plan.apply(ApplyKind::Flat, |sub| {
        sub.expand(v, Direction::Out, Some(&["LIKES"]), "i");
        sub.push(op::Tail { count: limit() });
    });
    let count = plan.aggregate(&[v], "count", Fold::Count);
    plan.push(op::Range { from: limit(), to: None });
    let mut plan = plan.finish(vec![count]);
    assert_eq!(run(&graph.store, &plan), ["2", "2", "2"]);
    optimize(&mut plan);
    assert_eq!(run(&graph.store, &plan), ["2", "2", "2"]);
}

#[test]
fn a_number_of_rows_that_reads_a_row_is_refused() {
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [1]);
    plan.push(op::Range { from: 0.into(), to: Some(RowCount::of(Expr::Column(n))) });
    let refused = crate::fixture::error(&empty(), &plan.finish(vec![n]));
    assert_eq!(refused.detail, "a number of rows that is read from a row");
}
