//! Scans that an index answers, and seeks of ranges: the same rows as without an index, for every
//! value in every mode; and the index is read.

use std::sync::Arc;

use millrace_engine::{Prepared, execute};
use millrace_model::compare::CompareMode;
use millrace_model::schema::IndexKind;
use millrace_model::temporal::{DateTime, Duration, Time};
use millrace_model::{Batch, Column, ErrorKind, KeyId, LabelId, Value};
use millrace_plan::op::RowsSource;
use millrace_plan::{
    ColumnId, Comparison, Definition, Expr, Fold, Function, Name, Op, OwnerName, Parameter, Plan,
    PlanBuilder, ScanSource, SeekBound, SeekRange, op,
};
use millrace_store::{Labels, NameKind, Store};

use crate::fixture::{
    begin, builder, commit, empty, graph, numbers, reading, rows, run, run_with, vertex, write,
    writing,
};

const COMPARISONS: [Comparison; 5] = [
    Comparison::Equal,
    Comparison::Less,
    Comparison::LessEqual,
    Comparison::Greater,
    Comparison::GreaterEqual,
];

/// Everything that compares in a way of its own.
fn values() -> Vec<Value> {
    let time = |hours: u64, offset_seconds| {
        Value::Time(Time { nanos: hours * 3_600_000_000_000, offset_seconds })
    };
    let timestamp =
        |offset_seconds| Value::DateTime(DateTime { seconds: 0, nanos: 0, offset_seconds });
    let duration =
        |months, days| Value::Duration(Duration { months, days, seconds: 0, nanos: 0 }.into());
    vec![
        Value::Null,
        Value::Bool(true),
        Value::I64(1),
        Value::F64(1.0),
        Value::F64(1.5),
        Value::I32(2),
        Value::I64(9_007_199_254_740_993),
        Value::F64(9_007_199_254_740_992.0),
        Value::F64(-0.0),
        Value::F64(f64::NEG_INFINITY),
        Value::F64(f64::NAN),
        Value::from(""),
        Value::from("a"),
        Value::from("ab"),
        Value::from("b"),
        Value::from("\u{10FFFF}"),
        Value::list(vec![Value::I64(1)]),
        Value::list(vec![Value::Null]),
        Value::list(vec![Value::F64(f64::NAN)]),
        time(10, Some(7_200)),
        time(9, Some(0)),
        time(10, Some(3_600)),
        time(10, None),
        Value::list(vec![time(10, Some(7_200))]),
        Value::list(vec![time(9, Some(0))]),
        timestamp(0),
        timestamp(3_600),
        timestamp(DateTime::LOCAL),
        Value::list(vec![timestamp(0)]),
        Value::list(vec![timestamp(3_600)]),
        duration(1, 0),
        duration(0, 31),
    ]
}

/// A vertex of label X for each value under `p`, null stored as such, and one without it.
fn store_of_values() -> Arc<dyn Store> {
    let store = empty();
    let transaction = begin(&store);
    let names = [(NameKind::Label, "X"), (NameKind::Key, "p"), (NameKind::Key, "n")];
    transaction.intern(&names).expect("names");
    let column = Column::from_values(values());
    let numbers = Column::from_values((0..values().len()).map(|n| Value::I64(n as i64 % 3)));
    let label = Labels::from([LabelId(0)]);
    let properties = [(KeyId(0), &column), (KeyId(1), &numbers)];
    transaction.create_vertices(&label, values().len(), &properties).expect("vertices");
    transaction.create_vertices(&label, 1, &[]).expect("a vertex without");
    transaction.create_vertices(&Labels::from([]), 2, &[]).expect("others");
    commit(transaction);
    store
}

fn declare(store: &Arc<dyn Store>, owner: OwnerName, keys: &[&str], kind: IndexKind) {
    let keys = keys.iter().map(|&key| Name::from(key)).collect();
    let mut plan = builder();
    plan.push(op::Define { definition: Definition::CreateIndex { owner, keys, kind } });
    write(store, &plan.finish(vec![]));
}

fn label(name: &str) -> OwnerName {
    OwnerName::Label(Name::from(name))
}

/// Stores of the same graph with different indexes.
fn stores() -> Vec<(&'static str, Arc<dyn Store>)> {
    let with = |owner: OwnerName, keys: &[&str], kind| {
        let store = store_of_values();
        declare(&store, owner, keys, kind);
        store
    };
    vec![
        ("no index", store_of_values()),
        ("ordered", with(label("X"), &["p"], IndexKind::Range)),
        ("exact", with(label("X"), &["p"], IndexKind::Exact)),
        ("of all vertices", with(OwnerName::AllVertices, &["p"], IndexKind::Range)),
        ("two keys", with(label("X"), &["n", "p"], IndexKind::Range)),
        ("of others", with(label("Y"), &["p"], IndexKind::Range)),
    ]
}

/// Checks that a plan gives the same rows on every store as without an index (and `run` that the
/// oracle gives them too).
fn agree(stores: &[(&str, Arc<dyn Store>)], plan: &Plan, parameters: &[Parameter]) {
    let expected = run_with(&stores[0].1, plan, parameters);
    for (name, store) in &stores[1..] {
        let found = run_with(store, plan, parameters);
        assert_eq!(found, expected, "{name} {:?} {parameters:?}\n{plan}", plan.compare);
    }
}

fn scan_where(compare: CompareMode, predicate: impl Fn(Expr, Expr) -> Expr) -> Plan {
    let mut plan = PlanBuilder::new(compare);
    let value = Expr::Parameter(plan.parameter("value"));
    let v = plan.scan(Some("X"), "v");
    plan.filter(predicate(Expr::property(v, "p"), value));
    plan.finish(vec![v])
}

#[test]
fn a_scan_gives_the_same_with_an_index_for_every_value_in_every_mode() {
    let stores = stores();
    let modes = [CompareMode::Plain, CompareMode::NullIsValue, CompareMode::NullIsUnknown];
    for mode in modes {
        let mut plans = Vec::new();
        for comparison in COMPARISONS {
            plans.push(scan_where(mode, |p, value| Expr::compare(comparison, p, value)));
            plans.push(scan_where(mode, |p, value| Expr::compare(comparison, value, p)));
            plans.push(scan_where(mode, |p, value| {
                let there = Expr::IsNull(Box::new(p.clone())).negate();
                Expr::And(vec![there, Expr::compare(comparison, p, value)])
            }));
            plans.push(scan_where(mode, |p, value| {
                let below = Expr::compare(Comparison::Less, p.clone(), Expr::literal(2));
                Expr::And(vec![Expr::compare(comparison, p, value), below])
            }));
        }
        plans.push(scan_where(mode, |p, value| Expr::Call {
            function: Function::StartsWith,
            arguments: vec![p, value],
        }));
        plans.push(scan_where(mode, |p, value| Expr::InList {
            item: Box::new(p),
            list: Box::new(Expr::List(vec![Expr::literal(2), value.clone(), value])),
        }));
        for value in values() {
            let parameters = [Parameter::Value(value)];
            plans.iter().for_each(|plan| agree(&stores, plan, &parameters));
        }
    }
}

#[test]
fn every_row_of_a_batch_is_sought_at_once_in_the_order_of_the_scan() {
    let stores = stores();
    let modes = [CompareMode::Plain, CompareMode::NullIsValue, CompareMode::NullIsUnknown];
    for mode in modes {
        for comparison in COMPARISONS {
            let mut plan = PlanBuilder::new(mode);
            let (n, value) = (plan.column("n"), plan.column("value"));
            let all =
                values().into_iter().zip(0..).map(|(value, n)| vec![Value::I64(n % 3), value]);
            let source = RowsSource::Literal(all.collect());
            plan.push(op::Rows { source, to: vec![n, value] });
            let v = plan.scan(Some("X"), "v");
            plan.filter(Expr::And(vec![
                Expr::compare(comparison, Expr::property(v, "p"), Expr::Column(value)),
                Expr::compare(Comparison::Equal, Expr::property(v, "n"), Expr::Column(n)),
            ]));
            agree(&stores, &plan.finish(vec![n, value, v]), &[]);
        }
    }
}

/// Each row's list, in all pairs of values, beside another key and for the whole list as a parameter.
#[test]
fn entries_of_lists_are_sought_for_all_rows() {
    let stores = stores();
    let modes = [CompareMode::Plain, CompareMode::NullIsValue, CompareMode::NullIsUnknown];
    let pairs = values().into_iter().zip(values().into_iter().rev()).zip(0..);
    let lists: Vec<Vec<Value>> = pairs
        .map(|((one, other), n)| {
            vec![Value::I64(n % 3), Value::list(vec![one.clone(), other, one])]
        })
        .chain([vec![Value::I64(0), Value::list(Vec::new())], vec![Value::I64(0), Value::Null]])
        .collect();
    for mode in modes {
        let mut plan = PlanBuilder::new(mode);
        let (n, list) = (plan.column("n"), plan.column("list"));
        let source = RowsSource::Literal(lists.clone());
        plan.push(op::Rows { source, to: vec![n, list] });
        let v = plan.scan(Some("X"), "v");
        let item = Box::new(Expr::property(v, "p"));
        plan.filter(Expr::And(vec![
            Expr::InList { item, list: Box::new(Expr::Column(list)) },
            Expr::compare(Comparison::Equal, Expr::property(v, "n"), Expr::Column(n)),
        ]));
        agree(&stores, &plan.finish(vec![n, list, v]), &[]);
        let of_parameter =
            scan_where(mode, |p, value| Expr::InList { item: Box::new(p), list: Box::new(value) });
        agree(&stores, &of_parameter, &[Parameter::Value(Value::list(values()))]);
        for (name, store) in &stores {
            let wrong = [Parameter::Value(Value::I64(1))];
            let error = execute(&of_parameter, &reading(store), &wrong).expect_err("is no list");
            assert_eq!(error.kind, ErrorKind::BadQuery, "{name}: {error}");
        }
    }
}

fn bound(value: &Value, inclusive: bool) -> Option<SeekBound> {
    Some(SeekBound { value: Expr::Literal(value.clone()), inclusive })
}

#[test]
fn a_seek_of_a_range_gives_the_same_with_and_without_an_index() {
    let stores = stores();
    let seek = |keys: Vec<Name>, lower: Option<SeekBound>, upper: Option<SeekBound>| {
        let mut plan = builder();
        let to = plan.column("v");
        let range = Some(SeekRange { key: Name::from("p"), lower, upper });
        let values = keys.iter().map(|_| Expr::literal(1)).collect();
        plan.push(op::Seek { owner: label("X"), keys, values, range, to });
        plan.finish(vec![to])
    };
    agree(&stores, &seek(vec![], None, None), &[]);
    for value in values() {
        for inclusive in [false, true] {
            for keys in [vec![], vec![Name::from("n")]] {
                let side = bound(&value, inclusive);
                agree(&stores, &seek(keys.clone(), side.clone(), None), &[]);
                agree(&stores, &seek(keys.clone(), None, side.clone()), &[]);
                let two = bound(&Value::F64(2.0), true);
                agree(&stores, &seek(keys, side, two), &[]);
            }
        }
    }
    let found = |lower, upper| run(&stores[1].1, &seek(vec![], lower, upper)).len();
    assert_eq!(found(bound(&Value::I64(1), true), bound(&Value::I64(2), false)), 3);
    assert_eq!(found(bound(&Value::I64(1), false), bound(&Value::I64(2), true)), 2);
    assert_eq!(found(bound(&Value::Null, true), None), 0, "null is no bound, in any mode");
}

#[test]
fn a_range_is_printed_with_its_bounds() {
    let mut plan = builder();
    let bounds = [Some((Expr::literal(3), true)), Some((Expr::literal(7), false))];
    let a = plan.seek_range("X", "p", bounds, "a");
    let b = plan.seek_range("X", "p", [None, Some((Expr::literal(7), true))], "b");
    let c = plan.seek_range("X", "p", [None, None], "c");
    let text = plan.finish(vec![a, b, c]).to_string();
    assert_eq!(
        text,
        "Seek a by X(3 <= p < 7)\nSeek b by X(p <= 7)\nSeek c by X(has p)\n-> a, b, c\n"
    );
}

/// A store with `count` vertices of label N, numbered by `n`, in an order that is not that of ids.
fn numbered(count: i64) -> Arc<dyn Store> {
    let store = empty();
    let mut plan = builder();
    let n = numbers(&mut plan, "n", (0..count).map(|n| n * 7_919 % count));
    let to = plan.column("v");
    let template = vertex("N", vec![("n", Expr::Column(n))]);
    plan.push(op::Create { template, id: None, to });
    write(&store, &plan.finish(vec![]));
    store
}

/// The numbers from `from` on and below `to`.
fn between(from: i64, to: i64, limit: Option<u64>) -> Plan {
    let mut plan = builder();
    let v = plan.scan(Some("N"), "v");
    let at_least =
        Expr::compare(Comparison::GreaterEqual, Expr::property(v, "n"), Expr::literal(from));
    let below = Expr::compare(Comparison::Greater, Expr::literal(to), Expr::property(v, "n"));
    plan.filter(Expr::And(vec![at_least, below]));
    if limit.is_some() {
        plan.push(op::Range::of(0, limit));
    }
    let n = plan.project("n", Expr::property(v, "n"));
    plan.finish(vec![n])
}

/// The rows that came out of the scan, and the plan's own.
fn scanned(prepared: &mut Prepared, store: &Arc<dyn Store>) -> (u64, Vec<String>) {
    let (batch, explanation) = prepared.profile(&reading(store), &[]).expect("runs");
    let first = &explanation.operators[0];
    assert!(first.label.starts_with("Scan (N) v, or an index: range of n"), "{}", first.label);
    (first.rows, rows(&batch))
}

#[test]
fn a_prepared_scan_reads_an_index_as_soon_as_there_is_one_and_as_long() {
    let store = numbered(20_000);
    let plan = between(500, 700, None);
    let mut prepared = Prepared::new(&plan).expect("a good plan");
    let (read, without) = scanned(&mut prepared, &store);
    assert_eq!((read, without.len()), (20_000, 200));
    declare(&store, label("N"), &["n"], IndexKind::Range);
    assert_eq!(scanned(&mut prepared, &store), (200, without.clone()));
    let mut drop = builder();
    let (owner, keys) = (label("N"), vec![Name::from("n")]);
    drop.push(Op::Define(op::Define {
        definition: Definition::DropIndex { owner, keys, kind: None },
    }));
    write(&store, &drop.finish(vec![]));
    assert_eq!(scanned(&mut prepared, &store), (20_000, without));
}

#[test]
fn few_of_a_list_are_read_where_an_index_has_them() {
    let store = numbered(20_000);
    declare(&store, label("N"), &["n"], IndexKind::Unique);
    let mut plan = builder();
    let list = Expr::Parameter(plan.parameter("list"));
    let v = plan.scan(Some("N"), "v");
    let item = Box::new(Expr::property(v, "n"));
    plan.filter(Expr::InList { item, list: Box::new(list) });
    let n = plan.project("n", Expr::property(v, "n"));
    let mut prepared = Prepared::new(&plan.finish(vec![n])).expect("a good plan");
    let numbers = [9, 5, 19_999, 9, 20_000].map(Value::I64);
    let wanted = [Parameter::Value(Value::list(numbers.to_vec()))];
    let (batch, explanation) = prepared.profile(&reading(&store), &wanted).expect("runs");
    let mut found = rows(&batch);
    found.sort();
    assert_eq!(found, ["19999", "5", "9"]);
    assert_eq!(explanation.operators[0].rows, 3);
}

#[test]
fn an_index_that_would_find_too_much_is_left_for_the_scan() {
    let store = numbered(20_000);
    declare(&store, label("N"), &["n"], IndexKind::Range);
    let read = |plan: &Plan| scanned(&mut Prepared::new(plan).expect("a good plan"), &store).0;
    assert_eq!(read(&between(0, 2_500, None)), 2_500, "an eighth is worth it");
    assert_eq!(read(&between(0, 2_501, None)), 20_000, "more is not");
    assert!(read(&between(0, 2_000, Some(3))) < 200, "few are wanted, and a scan soon has them");
    assert!(
        read(&between(0, 1_000, Some(3))) < 200,
        "few were found, and no more went on than asked"
    );
}

#[test]
fn rows_that_find_much_are_asked_alone_and_come_in_their_place() {
    let store = numbered(12_000);
    declare(&store, label("N"), &["n"], IndexKind::Range);
    let mut plan = builder();
    // Some rows find one, some 1,400 (more than their share of a batch), one all.
    let upper = numbers(
        &mut plan,
        "upper",
        (0..880).map(|row| match row {
            700 => 12_000,
            row if row % 220 == 3 => 1_400,
            _ => 1,
        }),
    );
    let v = plan.scan(Some("N"), "v");
    plan.filter(Expr::compare(Comparison::Less, Expr::property(v, "n"), Expr::Column(upper)));
    let count = plan.aggregate(&[upper], "count", Fold::Count);
    let plan = plan.finish(vec![upper, count]);
    let batch = execute(&plan, &reading(&store), &[]).expect("runs");
    assert_eq!(rows(&batch), ["1,875", "1400,5600", "12000,12000"]);
    let mut prepared = Prepared::new(&plan).expect("a good plan");
    let (_, explanation) = prepared.profile(&reading(&store), &[]).expect("runs");
    assert_eq!(explanation.operators[1].rows, 875 + 5_600 + 12_000, "only one row was scanned for");
}

#[test]
fn a_transaction_finds_its_own_writes_by_an_index() {
    let store = numbered(5_000);
    declare(&store, label("N"), &["n"], IndexKind::Range);
    let context = writing(&store);
    let change = |plan: PlanBuilder| execute(&plan.finish(vec![]), &context, &[]).expect("writes");
    let mut create = builder();
    let to = create.column("v");
    create.push(Op::Create(op::Create {
        template: vertex("N", vec![("n", Expr::literal(103))]),
        id: None,
        to,
    }));
    change(create);
    let mut set = builder();
    let v = set.seek("N", "n", Expr::literal(4_000), "v");
    let keyed = vec![(Name::from("n"), Expr::Literal(Value::F64(101.5)))];
    let properties = millrace_plan::Properties { keyed, map: None };
    set.push(Op::Set(op::Set {
        element: v,
        properties,
        replace: false,
        rules: Default::default(),
    }));
    change(set);
    let mut delete = builder();
    let v = delete.seek("N", "n", Expr::literal(102), "v");
    delete.push(Op::Delete(op::Delete { element: Expr::Column(v), detach: true }));
    change(delete);
    let sorted = |batch: &Batch| {
        let mut found = rows(batch);
        found.sort();
        found
    };
    let expected = ["100", "101", "101.5", "103", "103", "104"];
    let mut prepared = Prepared::new(&between(100, 105, None)).expect("a good plan");
    let (batch, explanation) = prepared.profile(&context, &[]).expect("runs");
    assert_eq!(sorted(&batch), expected);
    assert_eq!(explanation.operators[0].rows, 6, "by the index");
    let mut plan = builder();
    let bounds = [Some((Expr::literal(100), true)), Some((Expr::literal(105), false))];
    let v = plan.seek_range("N", "n", bounds, "v");
    let n = plan.project("n", Expr::property(v, "n"));
    let batch = execute(&plan.finish(vec![n]), &context, &[]).expect("runs");
    assert_eq!(sorted(&batch), expected);
}

#[test]
fn an_error_is_raised_with_an_index_as_without() {
    let stores = [numbered(50), numbered(50)];
    declare(&stores[1], label("N"), &["n"], IndexKind::Range);
    let plan = {
        let mut plan = builder();
        let v = plan.scan(Some("N"), "v");
        let n = |v: ColumnId| Expr::property(v, "n");
        let (left, right) = (Box::new(Expr::literal(1)), Box::new(n(v)));
        let operation = millrace_plan::Arithmetic::Divide;
        let divided = Expr::Arithmetic { operation, left, right };
        let some = Expr::compare(Comparison::GreaterEqual, divided, Expr::literal(0));
        let large = Expr::compare(Comparison::Greater, n(v), Expr::literal(10));
        plan.filter(Expr::And(vec![some, large]));
        plan.finish(vec![v])
    };
    for store in &stores {
        let error = execute(&plan, &reading(store), &[]).expect_err("divides by zero");
        assert!(error.detail.contains("zero"), "{error}");
    }
}

#[test]
fn edges_are_found_by_an_index_where_no_order_is_demanded() {
    let graph = graph();
    let owner = OwnerName::EdgeType(Name::from("LIKES"));
    declare(&graph.store, owner, &["weight"], IndexKind::Range);
    let plan = |ordered| {
        let mut plan = builder();
        let e = plan.column("e");
        let source = ScanSource::Edges(Some(vec![Name::from("LIKES")]));
        plan.push(op::Scan { source, to: e });
        let weight = Expr::property(e, "weight");
        plan.filter(Expr::compare(Comparison::GreaterEqual, weight.clone(), Expr::literal(40)));
        let weight = plan.project("weight", weight);
        Plan { ordered, ..plan.finish(vec![weight]) }
    };
    for (ordered, read) in [(false, 5), (true, 15)] {
        let mut prepared = Prepared::new(&plan(ordered)).expect("a good plan");
        let (batch, explanation) = prepared.profile(&reading(&graph.store), &[]).expect("runs");
        let mut found = rows(&batch);
        found.sort();
        assert_eq!(found, ["40", "41", "42", "43", "44"]);
        assert_eq!(explanation.operators[0].rows, read, "ordered: {ordered}");
    }
    let mut seek = builder();
    let to = seek.column("e");
    let owner = OwnerName::EdgeType(Name::from("LIKES"));
    let range = Some(SeekRange {
        key: Name::from("weight"),
        lower: bound(&Value::I64(43), true),
        upper: None,
    });
    seek.push(Op::Seek(op::Seek { owner, keys: vec![], values: vec![], range, to }));
    let weight = seek.project("weight", Expr::property(to, "weight"));
    assert_eq!(run(&graph.store, &seek.finish(vec![weight])), ["43", "44"]);
}
