//! `Seek` by values of the row: the same rows by an index and by a scan, each value asked for once.

use std::path::Path;
use std::sync::Arc;

use millrace_engine::{CancelFlag, Limits, Prepared, execute};
use millrace_model::schema::IndexKind;
use millrace_model::{Batch, Column, ColumnValues, KeyId, LabelId, Value};
use millrace_plan::{
    Arithmetic, ColumnId, Definition, Expr, Fold, Name, OwnerName, Parameter, Plan, PlanBuilder,
    SeekBound, SeekRange, op,
};
use millrace_store::{Labels, NameKind, Store};
use millrace_testkit::golden;

use crate::fixture::{begin, builder, commit, empty, reading, rows, run_with, write};

/// Vertices of label X with `p` and `n`; the number of one is its place, from 1.
fn things() -> Arc<dyn Store> {
    let store = empty();
    let transaction = begin(&store);
    let names = [(NameKind::Label, "X"), (NameKind::Key, "p"), (NameKind::Key, "n")];
    transaction.intern(&names).expect("names");
    let ps = [
        Value::I64(1),
        Value::F64(1.0),
        Value::from("1"),
        Value::Null,
        Value::F64(f64::NAN),
        Value::I64(2),
        Value::I64(2),
        Value::Bool(true),
    ];
    let count = ps.len();
    let ps = Column::from_values(ps);
    let ns = Column::of(ColumnValues::I64((1..=count as i64).collect()));
    let properties = [(KeyId(0), &ps), (KeyId(1), &ns)];
    transaction.create_vertices(&Labels::from([LabelId(0)]), count, &properties).expect("things");
    // One without the keys.
    transaction.create_vertices(&Labels::from([LabelId(0)]), 1, &[]).expect("a thing");
    commit(transaction);
    store
}

fn with_index(keys: &[&str], kind: IndexKind) -> Arc<dyn Store> {
    let store = things();
    let mut plan = builder();
    let owner = OwnerName::Label("X".into());
    let keys = keys.iter().map(|key| Name::from(*key)).collect();
    plan.push(op::Define { definition: Definition::CreateIndex { owner, keys, kind } });
    write(&store, &plan.finish(vec![]));
    store
}

/// Values of all types, some more than once, one with a weight.
fn sought() -> Parameter {
    let values = [
        Value::F64(1.0),
        Value::I64(1),
        Value::from("1"),
        Value::Null,
        Value::F64(f64::NAN),
        Value::I64(2),
        Value::F64(1.0),
        Value::I64(7),
        Value::Bool(true),
    ];
    let numbers = Column::of(ColumnValues::I64((0..values.len() as i64).collect()));
    let mut weights = vec![1; values.len()];
    weights[6] = 3;
    let mut batch = Batch::of(vec![numbers, Column::from_values(values)]);
    batch.weights = Some(Arc::new(weights));
    Parameter::Rows(batch)
}

fn seek(plan: &mut PlanBuilder, keys: &[(&str, Expr)], range: Option<SeekRange>) -> ColumnId {
    let to = plan.column("v");
    let owner = OwnerName::Label("X".into());
    let (keys, values) = keys.iter().map(|(key, value)| (Name::from(*key), value.clone())).unzip();
    plan.push(op::Seek { owner, keys, values, range, to });
    to
}

fn n_plus_one(n: ColumnId) -> Expr {
    let (operation, left) = (Arithmetic::Add, Box::new(Expr::Column(n)));
    Expr::Arithmetic { operation, left, right: Box::new(Expr::literal(1)) }
}

fn plan(name: &str) -> Plan {
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [n, p] = plan.rows(parameter, ["n", "p"]);
    let column = ("p", Expr::Column(p));
    let v = match name {
        "a column" => seek(&mut plan, &[column], None),
        "two keys, one calculated" => seek(&mut plan, &[column, ("n", n_plus_one(n))], None),
        "a column and a range" => {
            let lower = Some(SeekBound { value: Expr::Column(n), inclusive: true });
            let upper = Some(SeekBound { value: Expr::literal(7), inclusive: false });
            seek(&mut plan, &[column], Some(SeekRange { key: "n".into(), lower, upper }))
        }
        other => panic!("no plan is named {other}"),
    };
    let found = plan.project("found", Expr::property(v, "n"));
    plan.finish(vec![n, p, found])
}

#[test]
fn values_of_the_row_find_the_same_by_an_index_and_by_a_scan() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/seeks");
    let stores = [
        things(),
        with_index(&["p"], IndexKind::Exact),
        with_index(&["p", "n"], IndexKind::Exact),
        with_index(&["p", "n"], IndexKind::Range),
    ];
    golden::check_folder(folder, |case| {
        let plan = plan(&case.input);
        let parameters = [sought()];
        let [scanned, indexed @ ..] = &stores;
        let expected = run_with(scanned, &plan, &parameters);
        let mut used = std::collections::BTreeSet::new();
        for store in &stores {
            let mut prepared = Prepared::new(&plan).expect("a good plan");
            let (_, explained) = prepared.profile(&reading(store), &parameters).expect("runs");
            let did = explained.operators.iter().map(|report| report.did());
            used.extend(did.filter(|did| did.contains("Seek")).map(str::to_owned));
        }
        for store in indexed {
            assert_eq!(run_with(store, &plan, &parameters), expected, "{plan}");
            for batch_rows_max in [1, 2, 3] {
                let limits = Limits { batch_rows_max, ..Limits::default() };
                let context = reading(store).with_limits(limits, CancelFlag::default());
                let found = execute(&plan, &context, &parameters).expect("runs");
                assert_eq!(rows(&found), expected, "{batch_rows_max}");
            }
        }
        let used: Vec<String> = used.into_iter().collect();
        format!("{plan}by\n{}\nrows\n{}", used.join("\n"), expected.join("\n"))
    });
}

/// Without an index, as many rows as may be collected share one scan; all of them find what is theirs.
#[test]
fn rows_of_many_batches_find_their_own() {
    for store in [things(), with_index(&["n"], IndexKind::Unique)] {
        let mut plan = builder();
        let n = crate::fixture::numbers(&mut plan, "n", (0..40_000).map(|n| n % 10));
        seek(&mut plan, &[("n", Expr::Column(n))], None);
        let count = plan.aggregate(&[n], "count", Fold::Count);
        let found =
            rows(&execute(&plan.finish(vec![n, count]), &reading(&store), &[]).expect("runs"));
        assert_eq!(found, (1..=8).map(|n| format!("{n},4000")).collect::<Vec<_>>());
    }
}

/// Rows collected for one scan go on before the error of a later row is raised.
#[test]
fn an_error_behind_collected_rows_waits_for_them() {
    let store = things();
    let plan = |to: Option<u64>| {
        let mut plan = builder();
        let n = crate::fixture::numbers(&mut plan, "n", [1, 2, 3, 4, 0]);
        let (operation, left) = (Arithmetic::Divide, Box::new(Expr::literal(4)));
        let share = Expr::Arithmetic { operation, left, right: Box::new(Expr::Column(n)) };
        let share = plan.project("share", share);
        let v = seek(&mut plan, &[("n", Expr::Column(share))], None);
        plan.push(op::Range::of(0, to));
        let found = plan.project("found", Expr::property(v, "n"));
        plan.finish(vec![n, found])
    };
    let limits = Limits { batch_rows_max: 2, ..Limits::default() };
    let context = || reading(&store).with_limits(limits, CancelFlag::default());
    let found = execute(&plan(Some(4)), &context(), &[]).expect("four rows are there");
    assert_eq!(rows(&found), ["1,4", "2,2", "3,1", "4,1"]);
    assert!(execute(&plan(None), &context(), &[]).is_err());
}

/// What a row finds is given in pieces, however much it is.
#[test]
fn many_elements_of_one_value_come_in_pieces() {
    let store = empty();
    let transaction = begin(&store);
    transaction.intern(&[(NameKind::Label, "X"), (NameKind::Key, "n")]).expect("names");
    let ones = Column::of(ColumnValues::I64(vec![1; 5_000]));
    let labels = Labels::from([LabelId(0)]);
    transaction.create_vertices(&labels, 5_000, &[(KeyId(0), &ones)]).expect("things");
    commit(transaction);
    let mut plan = builder();
    let n = crate::fixture::numbers(&mut plan, "n", vec![1; 20]);
    seek(&mut plan, &[("n", Expr::Column(n))], None);
    let count = plan.aggregate(&[], "count", Fold::Count);
    let found = execute(&plan.finish(vec![count]), &reading(&store), &[]).expect("runs");
    assert_eq!(rows(&found), ["100000"]);
}
