//! Labels and types that only rows know, of created and of merged elements; the oracle gives the same.

use millrace_engine::{execute, oracle};
use millrace_model::{Batch, Column, ErrorKind, Value};
use millrace_plan::{ColumnId, Expr, Fold, Label, Parameter, Plan, Properties, Template, op};

use crate::fixture::{builder, empty, rows, run, vertex, writing};

fn keyed(pairs: Vec<(&str, Expr)>) -> Properties {
    let keyed = pairs.into_iter().map(|(key, expr)| (key.into(), expr)).collect();
    Properties { keyed, map: None }
}

/// Rows (label, n) → elements with the label of their row.
fn labelled(template: impl Fn(ColumnId, ColumnId) -> Template, merges: bool) -> Plan {
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [label, n] = plan.rows(parameter, ["label", "n"]);
    let to = plan.column("v");
    let template = template(label, n);
    if merges {
        let (on_create, on_match) = (Properties::default(), Properties::default());
        plan.push(op::Merge { template, on_create, on_match, to, created: None });
    } else {
        plan.push(op::Create { template, id: None, to });
    }
    let labels = plan.project("labels", Expr::Labels(Box::new(Expr::Column(to))));
    let n = plan.project("n", Expr::property(to, "n"));
    plan.finish(vec![labels, n])
}

fn vertex_of(label: ColumnId, n: ColumnId) -> Template {
    let labels = vec!["Known".into(), Label::Of(Expr::Column(label))];
    Template::Vertex { labels, properties: keyed(vec![("n", Expr::Column(n))]) }
}

fn label_rows(pairs: &[(&str, i64)]) -> [Parameter; 1] {
    let labels = Column::from_values(pairs.iter().map(|(label, _)| Value::from(*label)));
    let numbers = Column::from_values(pairs.iter().map(|(_, n)| Value::I64(*n)));
    [Parameter::Rows(Batch::of(vec![labels, numbers]))]
}

#[test]
fn labels_of_rows_are_made_and_found_in_the_order_of_the_rows() {
    let pairs = [("B", 1), ("A", 2), ("B", 1), ("A", 3), ("A", 2)];
    for merges in [false, true] {
        let plan = labelled(vertex_of, merges);
        for execute in [execute, oracle::execute] {
            let store = empty();
            let context = writing(&store);
            let batch =
                execute(&plan, &context, &label_rows(&pairs)).expect("labels that are texts");
            let wanted =
                ["[Known B],1", "[Known A],2", "[Known B],1", "[Known A],3", "[Known A],2"];
            let found: Vec<String> = rows(&batch).iter().map(|row| sorted_labels(row)).collect();
            assert_eq!(found, wanted.map(sorted_labels));
            crate::fixture::commit(context.into_transaction().expect("it writes"));
            let mut count = builder();
            count.scan(Some("B"), "v");
            let all = count.aggregate(&[], "all", Fold::Count);
            let wanted = if merges { "1" } else { "2" };
            assert_eq!(run(&store, &count.finish(vec![all])), [wanted]);
        }
    }
}

/// A scan is by id, so the numbers that rows get are seen.
#[test]
fn elements_that_rows_make_are_scanned_in_the_order_of_the_rows_whatever_labels_they_have() {
    for execute in [execute, oracle::execute] {
        let store = empty();
        let context = writing(&store);
        let pairs = [("B", 1), ("A", 2), ("B", 3), ("C", 4), ("A", 5)];
        execute(&labelled(vertex_of, false), &context, &label_rows(&pairs)).expect("they are made");
        crate::fixture::commit(context.into_transaction().expect("it writes"));
        let mut scan = builder();
        let known = scan.scan(Some("Known"), "v");
        let n = scan.project("n", Expr::property(known, "n"));
        assert_eq!(run(&store, &scan.finish(vec![n])), ["1", "2", "3", "4", "5"]);
    }
}

/// Labels are a set: their order is the catalog's.
fn sorted_labels(row: &str) -> String {
    let mut letters: Vec<char> = row.chars().collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}

#[test]
fn a_label_of_a_row_is_a_text() {
    for merges in [false, true] {
        let plan = labelled(|_, n| vertex_of(n, n), merges);
        for execute in [execute, oracle::execute] {
            let error = execute(&plan, &writing(&empty()), &label_rows(&[("A", 1)]));
            assert_eq!(error.expect_err("a number is no label").kind, ErrorKind::BadQuery);
        }
    }
}

#[test]
fn edges_have_the_types_of_their_rows() {
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [label, n] = plan.rows(parameter, ["label", "n"]);
    let v = plan.column("v");
    plan.push(op::Create { template: vertex("N", Vec::new()), id: None, to: v });
    let nowhere = plan.project("nowhere", Expr::Literal(Value::Null));
    for target in [v, nowhere] {
        let e = plan.column("e");
        let edge_type = Label::Of(Expr::Column(label));
        let properties = keyed(vec![("n", Expr::Column(n))]);
        let template =
            Template::Edge { edge_type, source: v, target, properties, must_have_ends: None };
        plan.push(op::Create { template, id: None, to: e });
        let edge = Box::new(Expr::Column(e));
        plan.project("type", Expr::EdgeType(edge));
    }
    let last = ColumnId(plan.column("end").0 - 1);
    let first = ColumnId(last.0 - 2);
    let plan = plan.finish(vec![first, last]);
    for execute in [execute, oracle::execute] {
        let batch =
            execute(&plan, &writing(&empty()), &label_rows(&[("B", 1), ("A", 2), ("B", 3)]));
        assert_eq!(rows(&batch.expect("types that are texts")), ["B,null", "A,null", "B,null"]);
    }
}
