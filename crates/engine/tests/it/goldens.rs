//! Plans with their operators and their results: the word of a case names a plan below.

use std::path::Path;
use std::sync::Arc;

use millrace_model::{Batch, Column, Direction, Value};
use millrace_plan::{
    ApplyKind, Comparison, Expr, Fold, JoinKind, Nulls, Parameter, Plan, SetName, SortKey, op,
};
use millrace_testkit::golden;

use crate::fixture::{builder, graph, name_of, operators, run_with};

#[test]
fn compiled_plans_agree_with_the_goldens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/plans");
    let graph = graph();
    golden::check_folder(folder, |case| {
        let plan = plan(&case.input);
        let parameters: Vec<_> = plan.parameters.iter().map(|_| pairs()).collect();
        let rows = run_with(&graph.store, &plan, &parameters).join("\n");
        format!("{plan}\noperators\n{}\nrows\n{rows}", operators(&plan))
    });
}

/// Pairs of a number and a text or null; the second pair is there twice.
fn pairs() -> Parameter {
    let numbers = Column::from_values([1, 2].map(Value::I64));
    let texts = Column::from_values([Value::from("one"), Value::Null]);
    let mut batch = Batch::of(vec![numbers, texts]);
    batch.weights = Some(Arc::new(vec![1, 2]));
    Parameter::Rows(batch)
}

fn plan(name: &str) -> Plan {
    let mut plan = builder();
    let output = match name {
        "two hops counted" => {
            let v = plan.scan(Some("Person"), "v");
            let w = plan.expand(v, Direction::Out, Some(&["LIKES"]), "w");
            plan.push(op::Barrier { merge: Some(vec![w]) });
            plan.expand(w, Direction::In, Some(&["LIKES"]), "x");
            vec![plan.aggregate(&[], "count", Fold::Count)]
        }
        "recommendation" => {
            let p = plan.seek("Person", "name", Expr::literal("p1"), "p");
            let i = plan.expand(p, Direction::Out, Some(&["LIKES"]), "i");
            plan.side_effect_set("mine", Expr::Column(i));
            plan.push(op::Barrier { merge: Some(vec![i]) });
            let o = plan.expand(i, Direction::In, Some(&["LIKES"]), "o");
            plan.push(op::Barrier { merge: Some(vec![o]) });
            let j = plan.expand(o, Direction::Out, Some(&["LIKES"]), "j");
            let mine = SetName::SideEffect("mine".into());
            plan.filter(Expr::InSet { item: Box::new(Expr::Column(j)), set: mine }.negate());
            let count = plan.aggregate(&[j], "count", Fold::Count);
            let key = SortKey { by: Expr::Column(count), descending: true, nulls: Nulls::Last };
            plan.push(op::TopK { count: 25.into(), keys: vec![key] });
            vec![plan.project("name", name_of(j)), count]
        }
        "thirty or older" | "of one name, thirty or older" => {
            let v = plan.scan(Some("Person"), "v");
            let age = Expr::property(v, "age");
            let old = Expr::compare(Comparison::GreaterEqual, age, Expr::literal(30));
            if name == "thirty or older" {
                plan.filter(old);
            } else {
                let named = Expr::compare(Comparison::Equal, Expr::literal("p3"), name_of(v));
                let person =
                    Expr::HasLabel { vertex: Box::new(Expr::Column(v)), label: "Person".into() };
                plan.filter(Expr::And(vec![named, old, person]));
            }
            vec![plan.project("name", name_of(v))]
        }
        "names in a range" => {
            let bounds = [Some((Expr::literal("p1"), false)), Some((Expr::literal("p4"), false))];
            let v = plan.seek_range("Person", "name", bounds, "v");
            vec![plan.project("name", name_of(v))]
        }
        "nobody knows them" => {
            let v = plan.scan(Some("Person"), "v");
            plan.apply(ApplyKind::Absent, |plan| {
                plan.expand(v, Direction::In, Some(&["KNOWS"]), "x");
            });
            vec![plan.project("name", name_of(v))]
        }
        "degree of each" => {
            let v = plan.scan(Some("Person"), "v");
            let to = plan.column("degree");
            plan.apply(ApplyKind::Value { fold: Fold::Count, to }, |plan| {
                plan.expand(v, Direction::Out, None, "x");
            });
            vec![plan.project("name", name_of(v)), to]
        }
        "what each is worth" => {
            // A relation: of each item how often it is liked, and by whom first; one column is not read.
            let worth = plan.bind_columns("worth", |plan| {
                let p = plan.scan(Some("Person"), "p");
                let i = plan.expand(p, Direction::Out, Some(&["LIKES"]), "i");
                let first = plan.column("first");
                let count = plan.column("count");
                let folds = vec![(count, Fold::Count), (first, Fold::First(name_of(p)))];
                plan.push(op::Aggregate { keys: vec![i], folds });
                vec![i, count, first]
            });
            let v = plan.scan(Some("Item"), "v");
            let [item, count, first] = ["item", "count", "first"].map(|name| plan.column(name));
            let right = plan.pipeline(|right| {
                right.let_ref(worth, &[item, count, first]);
                right.filter(Expr::compare(
                    Comparison::Less,
                    Expr::Column(count),
                    Expr::literal(4),
                ));
            });
            plan.push(op::Join { right, kind: JoinKind::Left, on: vec![(v, item)] });
            let known = Expr::InSet { item: Box::new(Expr::Column(v)), set: SetName::Let(worth) };
            vec![plan.project("name", name_of(v)), count, first, plan.project("known", known)]
        }
        "the most liked, ordered by sorts only" => {
            plan = plan.sorted_only();
            let p = plan.scan(Some("Person"), "p");
            let i = plan.expand(p, Direction::Out, Some(&["LIKES"]), "i");
            let o = plan.expand(i, Direction::In, Some(&["LIKES"]), "o");
            let count = plan.aggregate(&[o], "count", Fold::Count);
            let key = |by| SortKey { by, descending: true, nulls: Nulls::Last };
            plan.push(op::Sort { keys: vec![key(Expr::Column(count)), key(name_of(o))] });
            plan.push(op::Range::of(0, Some(3)));
            let named = plan.project("name", name_of(o));
            vec![plan.aggregate(&[], "names", Fold::Collect(Expr::Column(named)))]
        }
        "rows of a relation" => {
            let parameter = plan.parameter("rows");
            let pairs =
                plan.bind_columns("pairs", |plan| plan.rows(parameter, ["a", "b"]).to_vec());
            let [a, b, again] = ["a", "b", "b"].map(|name| plan.column(name));
            plan.let_ref(pairs, &[a, b]);
            let kept = plan.let_columns(pairs)[1];
            plan.push(op::LetRef { name: pairs, columns: vec![(kept, again)] });
            plan.push(op::LetRef { name: pairs, columns: Vec::new() });
            vec![a, b, again]
        }
        "three hops touched" => {
            plan = plan.without_merging();
            let p = plan.seek("Person", "name", Expr::literal("p1"), "p");
            let i = plan.expand(p, Direction::Out, Some(&["LIKES"]), "i");
            let o = plan.expand(i, Direction::In, Some(&["LIKES"]), "o");
            let j = plan.expand(o, Direction::Out, Some(&["LIKES"]), "j");
            vec![plan.aggregate(&[], "sum", Fold::Sum(Expr::Id(Box::new(Expr::Column(j)))))]
        }
        other => panic!("no plan is named {other}"),
    };
    plan.finish(output)
}
