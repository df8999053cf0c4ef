//! Folds that saw nothing, and rows of a scope as a bag.

use millrace_model::Direction;
use millrace_plan::rules::optimize;
use millrace_plan::{ApplyKind, Expr, Fold, Missing, Plan, PlanBuilder, op};

use crate::fixture::{builder, empty, graph, name_of, numbers, run};

fn if_seen(fold: Fold, missing: Missing) -> Fold {
    Fold::IfSeen { fold: Box::new(fold), missing }
}

fn age_of(element: millrace_plan::ColumnId) -> Expr {
    Expr::property(element, "age")
}

#[test]
fn a_sum_that_saw_nothing_gives_no_row_and_a_count_of_nothing_is_there() {
    let rows = |count: i64, fold: &dyn Fn(Expr) -> Fold| {
        let mut plan = builder();
        let n = numbers(&mut plan, "n", 0..count);
        let to = plan.aggregate(&[], "f", fold(Expr::Column(n)));
        run(&empty(), &plan.finish(vec![to]))
    };
    let folds: [fn(Expr) -> Fold; 4] = [Fold::Sum, Fold::Min, Fold::Max, Fold::Mean];
    for fold in folds {
        assert_eq!(rows(0, &fold), ["null"]);
        assert!(rows(0, &|expr| if_seen(fold(expr), Missing::NoRow)).is_empty());
        assert_eq!(rows(0, &|expr| if_seen(fold(expr), Missing::Absent)), ["-"]);
        assert_eq!(rows(2, &|expr| if_seen(fold(expr), Missing::NoRow)), rows(2, &fold));
    }
    assert_eq!(rows(0, &|_| Fold::Count), ["0"]);
}

/// Persons 2 and 4 have no age: an absent entry was not seen, and a null one was.
#[test]
fn a_group_of_absent_entries_saw_nothing_and_one_of_nulls_did() {
    let graph = graph();
    let ages = |value: &dyn Fn(Expr) -> Expr| {
        let mut plan = builder();
        let v = plan.scan(Some("Person"), "v");
        let name = plan.project("name", name_of(v));
        let fold = if_seen(Fold::Sum(value(age_of(v))), Missing::NoRow);
        let sum = plan.aggregate(&[name], "sum", fold);
        run(&graph.store, &plan.finish(vec![name, sum]))
    };
    assert_eq!(ages(&|age| age), ["p0,40", "p1,20", "p3,30"]);
    let or_null = |age: Expr| Expr::Case {
        branches: vec![(
            Expr::IsAbsent(Box::new(age.clone())),
            Expr::literal(millrace_model::Value::Null),
        )],
        otherwise: Some(Box::new(age)),
    };
    assert_eq!(ages(&or_null), ["p0,40", "p1,20", "p2,null", "p3,30", "p4,null"]);
}

/// `project('name', 'known').by('name').by(out('KNOWS').values('age').max())`.
fn modulated(missing: Option<Missing>) -> Plan {
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let to = plan.column("eldest");
    let x = plan.column("x");
    let sub = plan.pipeline(|sub: &mut PlanBuilder| {
        sub.push(op::Expand {
            from: v,
            types: Some(vec!["KNOWS".into()]),
            direction: Direction::Out,
            edge: None,
            to: Some(x),
            loops: millrace_plan::Loops::Twice,
        });
    });
    let fold = Fold::Max(age_of(x));
    let fold = missing.map_or(fold.clone(), |missing| if_seen(fold, missing));
    plan.push(op::Apply { sub, kind: ApplyKind::Value { fold, to } });
    let list = Expr::List(vec![name_of(v), Expr::Column(to)]);
    let size = Expr::Call { function: millrace_plan::Function::Size, arguments: vec![list] };
    let size = plan.project("size", size);
    plan.finish(vec![size, to])
}

#[test]
fn a_modulator_without_a_value_is_null_drops_the_row_or_leaves_out_its_entry() {
    let graph = graph();
    let rows = |missing| run(&graph.store, &modulated(missing));
    assert_eq!(rows(None), ["2,20", "2,null", "2,40", "2,40", "2,null"]);
    assert_eq!(rows(Some(Missing::NoRow)), ["2,20", "2,40", "2,40"]);
    assert_eq!(rows(Some(Missing::Absent)), ["2,20", "1,-", "2,40", "2,40", "1,-"]);
}

#[test]
fn a_dead_modulator_that_drops_rows_still_drops_them() {
    let graph = graph();
    let mut plan = modulated(Some(Missing::NoRow));
    plan.output.clear();
    let before = run(&graph.store, &plan);
    optimize(&mut plan);
    assert_eq!(run(&graph.store, &plan), before);
    assert_eq!(before.len(), 3);
}

#[test]
fn the_rows_of_each_scope_are_a_bag_and_an_empty_scope_is_an_empty_one() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let bag = plan.column("bag");
    plan.apply(ApplyKind::Flat, |sub| {
        let x = sub.expand(v, Direction::Out, Some(&["KNOWS"]), "x");
        let name = sub.project("name", name_of(x));
        sub.push(op::Fold { columns: vec![name], to: bag });
    });
    let name = plan.project("v.name", name_of(v));
    let plan = plan.finish(vec![name, bag]);
    assert_eq!(
        run(&graph.store, &plan),
        ["p0,[p1]", "p1,[p2]", "p2,[p0]", "p3,[p0 p0 p3]", "p4,[]"]
    );
}
