//! Plans with their operators and their results: the word of a case names a plan below.

use std::path::Path;

use millrace_model::Direction;
use millrace_plan::{ApplyKind, Comparison, Expr, Fold, Nulls, Plan, SetName, SortKey, op};
use millrace_testkit::golden;

use crate::fixture::{builder, graph, name_of, operators, run};

#[test]
fn compiled_plans_agree_with_the_goldens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/plans");
    let graph = graph();
    golden::check_folder(folder, |case| {
        let plan = plan(&case.input);
        let rows = run(&graph.store, &plan).join("\n");
        format!("{plan}\noperators\n{}\nrows\n{rows}", operators(&plan))
    });
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
            plan.push(op::TopK { count: 25, keys: vec![key] });
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
