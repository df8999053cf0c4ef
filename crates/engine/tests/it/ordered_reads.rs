//! The first rows of an order, pages and extremes: the same with an ordered index as without, for values of every type
//! in every mode; and the index is read, and no more of it than is needed.

use std::sync::Arc;

use millrace_engine::Prepared;
use millrace_model::compare::CompareMode;
use millrace_model::schema::{IndexKind, PropertyType};
use millrace_model::temporal::{Date, DateTime, Time};
use millrace_model::{Column, KeyId, LabelId, PropertyValues, Value};
use millrace_plan::{
    ColumnId, Comparison, Definition, Expr, Fold, Function, Name, Nulls, OwnerName, Plan,
    PlanBuilder, SortKey, op,
};
use millrace_store::{Labels, NameKind, Store};

use crate::fixture::{begin, commit, empty, reading, rows, run_with, write};

const MODES: [CompareMode; 3] =
    [CompareMode::NullIsUnknown, CompareMode::NullIsValue, CompareMode::Plain];

/// Properties of vertices of label X, in turn: values of `p`, and three numbers as `n`. Each tenth has no `p`.
fn store_of(count: usize, value: impl Fn(usize) -> Value) -> Arc<dyn Store> {
    let store = empty();
    let transaction = begin(&store);
    let names = [(NameKind::Label, "X"), (NameKind::Key, "p"), (NameKind::Key, "n")];
    transaction.intern(&names).expect("names");
    let mut values = Column::default();
    for row in 0..count {
        values.push_entry((row % 10 != 9).then(|| value(row)));
    }
    let numbers = Column::from_values((0..count).map(|row| Value::I64(row as i64 % 3)));
    let properties = [(KeyId(0), &values), (KeyId(1), &numbers)];
    let label = Labels::from([LabelId(0)]);
    transaction.create_vertices(&label, count, &properties).expect("vertices");
    commit(transaction);
    store
}

fn define(store: &Arc<dyn Store>, definition: Definition) {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    plan.push(op::Define { definition });
    write(store, &plan.finish(vec![]));
}

fn add_index(store: &Arc<dyn Store>, owner: OwnerName, keys: &[&str]) {
    let keys = keys.iter().map(|&key| Name::from(key)).collect();
    define(store, Definition::CreateIndex { owner, keys, kind: IndexKind::Range });
}

fn label() -> OwnerName {
    OwnerName::Label(Name::from("X"))
}

/// What a plan asks of the elements.
#[derive(Clone, Copy)]
struct Asked {
    compare: CompareMode,
    descending: bool,
    nulls: Nulls,
    /// Whether elements without the key are dropped.
    has_key: bool,
    /// Whether `n` equals one number, by a filter or by a seek.
    equal: Option<bool>,
    /// Whether the elements themselves are a second key.
    then_by_element: bool,
    count: u64,
}

impl Asked {
    /// Everything that there is to ask, of few rows and of more in turn.
    fn all() -> Vec<Asked> {
        let mut all = Vec::new();
        for number in 0..3 * 2 * 2 * 2 * 3 {
            let digit = |below: usize, of: usize| number / below % of;
            all.push(Asked {
                compare: MODES[digit(1, 3)],
                descending: digit(3, 2) == 1,
                nulls: [Nulls::First, Nulls::Last][digit(6, 2)],
                has_key: digit(12, 2) == 1,
                equal: [None, Some(false), Some(true)][digit(24, 3)],
                then_by_element: number % 5 < 2,
                count: [1, 7][number % 7 % 2],
            });
        }
        all
    }

    /// The builder with the elements that are asked for, and their property.
    fn elements(&self) -> (PlanBuilder, ColumnId, Expr) {
        let mut plan = PlanBuilder::new(self.compare);
        let v = match self.equal {
            Some(true) => plan.seek("X", "n", Expr::literal(1), "v"),
            Some(false) | None => plan.scan(Some("X"), "v"),
        };
        if self.equal == Some(false) {
            let n = Expr::property(v, "n");
            plan.filter(Expr::compare(Comparison::Equal, n, Expr::literal(1)));
        }
        if self.has_key {
            plan.filter(Expr::IsNull(Expr::property(v, "p").into()).negate());
        }
        let p = plan.project("p", Expr::call(Function::OrNull, vec![Expr::property(v, "p")]));
        (plan, v, Expr::Column(p))
    }

    fn keys(&self, v: ColumnId, by: Expr) -> Vec<SortKey> {
        let (descending, nulls) = (self.descending, self.nulls);
        let then = SortKey { by: Expr::Column(v), descending: false, nulls };
        let by = SortKey { by, descending, nulls };
        if self.then_by_element { vec![by, then] } else { vec![by] }
    }

    fn first(&self) -> Plan {
        let (mut plan, v, p) = self.elements();
        plan.push(op::TopK { count: self.count.into(), keys: self.keys(v, p.clone()) });
        let Expr::Column(p) = p else { panic!("a column") };
        plan.finish(vec![v, p])
    }

    fn page(&self) -> Plan {
        let (mut plan, v, p) = self.elements();
        plan.push(op::Sort { keys: self.keys(v, p) });
        plan.push(op::Range::of(2, Some(2 + self.count)));
        plan.finish(vec![v])
    }

    fn extreme(&self) -> Plan {
        let (mut plan, _, p) = self.elements();
        let fold = if self.descending { Fold::Max(p) } else { Fold::Min(p) };
        let best = plan.aggregate(&[], "best", fold);
        plan.finish(vec![best])
    }
}

/// Checks that plans give the same with indexes as without, and as the oracle.
fn agree(count: usize, value: impl Fn(usize) -> Value + Copy) {
    let plain = store_of(count, value);
    let with = |owner: OwnerName, keys: &[&str]| {
        let store = store_of(count, value);
        add_index(&store, owner, keys);
        store
    };
    let indexed = [
        ("ordered", with(label(), &["p"])),
        ("of all vertices", with(OwnerName::AllVertices, &["p"])),
        ("of two keys", with(label(), &["n", "p"])),
    ];
    let plans: Vec<Plan> = Asked::all()
        .iter()
        .flat_map(|asked| [asked.first(), asked.page(), asked.extreme()])
        .collect();
    for plan in &plans {
        let expected = run_with(&plain, plan, &[]);
        for (name, store) in &indexed {
            assert_eq!(run_with(store, plan, &[]), expected, "{name} {:?}\n{plan}", plan.compare);
        }
    }
}

#[test]
fn rows_of_one_type_come_in_the_same_order() {
    agree(60, |row| Value::I64(row as i64 * 37 % 20));
    agree(60, |row| Value::F64(if row % 7 == 0 { f64::NAN } else { (row * 37 % 20) as f64 }));
    agree(60, |row| Value::from(format!("t{}", row * 37 % 20).as_str()));
    agree(60, |row| Value::Date(Date { days: row as i64 * 37 % 20 }));
    agree(60, |row| Value::Bool(row % 2 == 0));
}

#[test]
fn values_that_a_mode_orders_otherwise_than_an_index_come_in_the_modes_order() {
    let timestamp = |row: usize, zones: i32| {
        let offset_seconds = match zones {
            0 => DateTime::LOCAL,
            zones => (row as i32 % zones) * 3_600,
        };
        Value::DateTime(DateTime { seconds: row as i64 % 5, nanos: 0, offset_seconds })
    };
    agree(60, |row| timestamp(row, 0));
    agree(60, |row| timestamp(row, 3));
    agree(60, |row| timestamp(row, if row % 2 == 0 { 0 } else { 2 }));
    agree(60, |row| {
        let nanos = (row as u64 % 4) * 3_600_000_000_000;
        let offset = [None, Some(3_600), Some(0)][row % 3];
        Value::Time(Time { nanos, offset_seconds: offset })
    });
    agree(60, |row| match row % 5 {
        0 => Value::from("a"),
        1 => Value::F64(row as f64),
        2 => Value::list(vec![Value::I64(row as i64)]),
        3 => Value::Bool(true),
        _ => Value::I64(row as i64),
    });
    agree(60, |row| Value::list(vec![Value::I64(row as i64 % 3), Value::Null]));
}

#[test]
fn keys_with_null_or_several_values_are_sorted() {
    agree(60, |row| if row % 11 == 3 { Value::Null } else { Value::I64(row as i64 % 20) });
    agree(60, |row| {
        let mut several = PropertyValues::default();
        several.append(&Value::I64(row as i64), &[]);
        several.append(&Value::I64(-(row as i64)), &[]);
        let several = several.into_value().expect("two values");
        if row % 11 == 3 { several } else { Value::I64(row as i64 % 20) }
    });
}

/// The rows that came out of the source of a plan.
fn read(store: &Arc<dyn Store>, plan: &Plan) -> (u64, String) {
    let mut prepared = Prepared::new(plan).expect("a good plan");
    let (_, explanation) = prepared.profile(&reading(store), &[]).expect("runs");
    let source = &explanation.operators[0];
    (source.rows, source.did().to_owned())
}

const MANY: usize = 30_000;

fn scattered(row: usize) -> Value {
    Value::I64((row * 7_919 % MANY) as i64)
}

fn first(compare: CompareMode, descending: bool) -> Asked {
    let nulls = if descending { Nulls::First } else { Nulls::Last };
    let (has_key, equal, then_by_element) = (descending, None, false);
    Asked { compare, descending, nulls, has_key, equal, then_by_element, count: 10 }
}

#[test]
fn few_of_many_elements_are_read_where_an_index_has_their_order() {
    let store = store_of(MANY, scattered);
    add_index(&store, label(), &["p"]);
    add_index(&store, label(), &["n", "p"]);
    for compare in MODES {
        for descending in [false, true] {
            let asked = first(compare, descending);
            for plan in [asked.first(), asked.page(), asked.extreme()] {
                let (rows, used) = read(&store, &plan);
                assert!(rows <= 17, "{rows} {compare:?}\n{plan}");
                assert!(used.starts_with("Index (X.p) v"), "{used}");
                assert!(used.ends_with("in order of p"), "{used}");
            }
            let asked = Asked { equal: Some(true), ..asked };
            let (rows, used) = read(&store, &asked.first());
            assert!(rows <= 17, "{rows} {compare:?}");
            assert_eq!(used, "Seek v by X(n = 1) (Index X.n+p), in order of p");
        }
    }
}

#[test]
fn elements_without_the_key_are_first_only_where_there_may_be_some() {
    let store = store_of(MANY, scattered);
    add_index(&store, label(), &["p"]);
    let plan = Asked { has_key: false, ..first(CompareMode::NullIsUnknown, true) }.first();
    let (rows, used) = read(&store, &plan);
    assert_eq!((rows, used.as_str()), (MANY as u64, "Scan (X) v"), "each tenth has none");
    let mut fill = PlanBuilder::new(CompareMode::Plain);
    let v = fill.scan(Some("X"), "v");
    fill.filter(Expr::IsAbsent(Expr::property(v, "p").into()));
    fill.push(op::Set {
        element: v,
        properties: millrace_plan::Properties {
            keyed: vec![("p".into(), Expr::literal(-1))],
            map: None,
        },
        replace: false,
        rules: Default::default(),
    });
    write(&store, &fill.finish(vec![]));
    define(
        &store,
        Definition::CreateProperty {
            owner: label(),
            key: "p".into(),
            kind: PropertyType::Any,
            required: true,
        },
    );
    assert!(read(&store, &plan).0 <= 17, "now all have one");
}

/// The first elements above a number.
fn above(least: i64, compare: CompareMode) -> Plan {
    let asked = first(compare, false);
    let (mut plan, v, p) = asked.elements();
    // No condition that an index could answer.
    let is_less = Expr::compare(Comparison::LessEqual, p.clone(), Expr::literal(least));
    plan.filter(is_less.negate());
    plan.push(op::TopK { count: 10u64.into(), keys: asked.keys(v, p) });
    plan.finish(vec![v])
}

#[test]
fn batches_grow_until_enough_survive_and_a_scan_follows_where_too_few_do() {
    let store = store_of(MANY, scattered);
    let all = store_of(MANY, scattered);
    add_index(&store, label(), &["p"]);
    for (least, by_index) in [(100, true), (3_000, true), (MANY as i64 - 200, false)] {
        let plan = above(least, CompareMode::NullIsUnknown);
        let expected = run_with(&all, &plan, &[]);
        assert_eq!(run_with(&store, &plan, &[]), expected, "{least}");
        let (read, used) = read(&store, &plan);
        assert_eq!(used.starts_with("Index"), by_index, "{used} {least}");
        assert_eq!(read < MANY as u64, by_index, "{read} {least}");
    }
}

#[test]
fn a_page_behind_a_key_and_an_element_begins_there() {
    let store = store_of(MANY, scattered);
    add_index(&store, label(), &["p"]);
    let asked = Asked { then_by_element: true, ..first(CompareMode::NullIsUnknown, false) };
    let mut plan = PlanBuilder::new(asked.compare);
    let v = plan.scan(Some("X"), "v");
    let p = Expr::property(v, "p");
    let is = |comparison| Expr::compare(comparison, p.clone(), Expr::literal(20_000));
    let behind = Expr::compare(
        Comparison::Greater,
        Expr::call(Function::NumberOfId, vec![Expr::Id(Expr::Column(v).into()), Expr::Column(v)]),
        Expr::literal(7),
    );
    let or = vec![is(Comparison::Greater), Expr::And(vec![is(Comparison::Equal), behind])];
    plan.filter(Expr::Or(or));
    plan.push(op::TopK { count: 10u64.into(), keys: asked.keys(v, p.clone()) });
    let p = plan.project("p", p);
    let plan = plan.finish(vec![p]);
    let found = run_with(&store, &plan, &[]);
    assert_eq!(found.len(), 10);
    assert!(
        found.iter().all(|row| row.parse::<i64>().is_ok_and(|p| (20_000..20_020).contains(&p)))
    );
    assert!(read(&store, &plan).0 <= 20, "{:?}", read(&store, &plan));
}

#[test]
fn a_prepared_plan_reads_an_order_as_soon_as_there_is_one() {
    let store = store_of(MANY, scattered);
    let plan = first(CompareMode::Plain, false).first();
    let mut prepared = Prepared::new(&plan).expect("a good plan");
    let mut run = || {
        let (batch, explanation) = prepared.profile(&reading(&store), &[]).expect("runs");
        (explanation.operators[0].rows, rows(&batch))
    };
    let (all, expected) = run();
    assert_eq!(all, MANY as u64);
    add_index(&store, label(), &["p"]);
    let (few, found) = run();
    assert!(few <= 17 && found == expected, "{few} {found:?}");
}
