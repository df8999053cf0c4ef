//! Plans that write: what they give, and the graph behind them; the oracle agrees on both.

use std::path::Path;

use millrace_engine::{Context, execute, oracle};
use millrace_model::{Batch, ErrorKind, Result};
use millrace_plan::rules::optimize;
use millrace_plan::{ColumnId, Expr, Fold, Parameter, Plan, PlanBuilder, Properties, op};
use millrace_testkit::golden;
use millrace_testkit::named::{Before, Named};

use crate::fixture::{builder, edge, graph, name_of, numbers, vertex, weighted, writing};
use crate::random_plans::outcome::Outcome;

#[test]
fn writes_are_what_the_goldens_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/writes");
    golden::check_folder(folder, |case| {
        let (plan, parameters) = plan(&case.input);
        let mut optimized = plan.clone();
        optimize(&mut optimized);
        let given = outcome(&optimized, &parameters, execute);
        // An error is the oracle's in its own words, or one that it does not check for.
        if let Ok(given) = &given {
            let expected = outcome(&plan, &parameters, oracle::execute);
            assert_eq!(Ok(given), expected.as_ref(), "the oracle\n{plan}");
        }
        format!("{plan}\ngives\n{}", given.unwrap_or_else(|error| error))
    });
}

type Execute = fn(&Plan, &Context, &[Parameter]) -> Result<Batch>;

/// What a plan gives, or its error.
type Outcomes = std::result::Result<String, String>;

/// What a plan gives on the fixture's graph, with the lines of the graph that are new.
fn outcome(plan: &Plan, parameters: &[Parameter], execute: Execute) -> Outcomes {
    let graph = graph();
    let context = writing(&graph.store);
    let before = Before::of(context.graph());
    let lines = Named { graph: context.graph(), before: &before, ordered: false }.dump();
    let result = execute(plan, &context, parameters);
    match Outcome::of(result, plan, &context, &before) {
        Outcome::Error { kind, detail } => Err(format!("{kind:?}: {detail}")),
        Outcome::Rows { rows, graph } => {
            let new = graph.into_iter().filter(|line| !lines.contains(line));
            let new: Vec<String> = new.collect();
            Ok(format!("{}\nand the graph\n{}", rows.join("\n"), new.join("\n")))
        }
    }
}

fn labels_of(vertex: ColumnId) -> Expr {
    Expr::Labels(Box::new(Expr::Column(vertex)))
}

fn person(plan: &mut PlanBuilder, name: &str) -> ColumnId {
    plan.seek("Person", "name", Expr::literal(name), "v")
}

fn set_labels(plan: &mut PlanBuilder, vertex: ColumnId, add: &[&str], remove: &[&str]) {
    let names = |names: &[&str]| names.iter().map(|&name| name.into()).collect();
    plan.push(op::SetLabels { vertex, add: names(add), remove: names(remove), claims: false });
}

fn keyed(pairs: Vec<(&str, Expr)>) -> Properties {
    let keyed = pairs.into_iter().map(|(key, expr)| (key.into(), expr)).collect();
    Properties { keyed, map: None }
}

fn plan(name: &str) -> (Plan, Vec<Parameter>) {
    let mut plan = builder();
    let mut parameters = Vec::new();
    let output = match name {
        "labels of no row" => {
            let v = person(&mut plan, "nobody");
            set_labels(&mut plan, v, &["New"], &["Person"]);
            vec![plan.project("labels", labels_of(v))]
        }
        "labels of one row" => {
            let v = person(&mut plan, "p1");
            set_labels(&mut plan, v, &["Young", "New", "Person"], &["Item", "Unknown"]);
            vec![plan.project("labels", labels_of(v))]
        }
        "labels twice, and found by them" => {
            let v = person(&mut plan, "p1");
            set_labels(&mut plan, v, &["Item"], &[]);
            set_labels(&mut plan, v, &["Item"], &["Person"]);
            let found = plan.scan(Some("Item"), "found");
            vec![plan.project("name", name_of(found)), plan.project("labels", labels_of(found))]
        }
        "labels of weighted rows, null among them" => {
            let parameter = plan.parameter("rows");
            plan.rows(parameter, ["n"]);
            let v = person(&mut plan, "p1");
            let n = ColumnId(0);
            let is_one =
                Expr::compare(millrace_plan::Comparison::Equal, Expr::Column(n), Expr::literal(1));
            let branches = vec![(is_one, Expr::Column(v))];
            let some = plan.project("some", Expr::Case { branches, otherwise: None });
            set_labels(&mut plan, some, &["Item"], &[]);
            parameters.push(weighted(&[(0, 2), (1, 3), (0, 1)]));
            vec![n, plan.project("labels", labels_of(v))]
        }
        "labels of more rows than a batch has" => {
            numbers(&mut plan, "n", 0..2_049);
            let v = person(&mut plan, "p1");
            set_labels(&mut plan, v, &["Item"], &[]);
            let labels = plan.project("labels", labels_of(v));
            vec![labels, plan.aggregate(&[labels], "rows", Fold::Count)]
        }
        "labels of each row in turn" => {
            let n = numbers(&mut plan, "n", [1, 2]);
            plan.apply(millrace_plan::ApplyKind::Flat, |plan| {
                let v = plan.scan(Some("Item"), "v");
                plan.push(op::Range::of(0, Some(1)));
                set_labels(plan, v, &["Person"], &["Item"]);
                plan.project("name", name_of(v));
            });
            vec![n, ColumnId(plan.next_column().0 - 1)]
        }
        "counts of what is made" => {
            let parameter = plan.parameter("rows");
            let [n] = plan.rows(parameter, ["n"]);
            parameters.push(weighted(&[(1, 2), (2, 1)]));
            let [v, e] = ["v", "e"].map(|name| plan.column(name));
            let null = Expr::Literal(millrace_model::Value::Null);
            let keyed = vec![("n", Expr::Column(n)), ("gone", null)];
            plan.push(op::Create { template: vertex("New", keyed), id: None, to: v });
            plan.push(op::Create { template: edge("LOOPS", v, v), id: None, to: e });
            vec![n]
        }
        "counts of what is set and removed" => {
            let parameter = plan.parameter("rows");
            let [n] = plan.rows(parameter, ["n"]);
            parameters.push(weighted(&[(1, 3)]));
            let v = plan.scan(Some("Person"), "v");
            // As it was: it counts, once for each single row. An age that is not there does not.
            let properties = keyed(vec![("name", name_of(v))]);
            plan.push(op::Set {
                element: v,
                properties,
                replace: false,
                rules: Default::default(),
            });
            plan.push(op::Remove {
                element: v,
                keys: Some(vec!["age".into()]),
                rules: Default::default(),
            });
            vec![n]
        }
        "counts of what replaces" => {
            let parameter = plan.parameter("rows");
            let [n] = plan.rows(parameter, ["n"]);
            parameters.push(weighted(&[(1, 3)]));
            let v = person(&mut plan, "p1");
            let properties = keyed(vec![("name", Expr::literal("new"))]);
            plan.push(op::Set { element: v, properties, replace: true, rules: Default::default() });
            vec![n]
        }
        "counts of what is deleted" => {
            let v = person(&mut plan, "p3");
            for _ in 0..2 {
                plan.push(op::Delete { element: Expr::Column(v), detach: true });
            }
            vec![]
        }
        "counts of a merge" => {
            let parameter = plan.parameter("rows");
            let [n] = plan.rows(parameter, ["n"]);
            parameters.push(weighted(&[(7, 2), (8, 1)]));
            let to = plan.column("v");
            let template = vertex("Person", vec![("name", Expr::Column(n))]);
            let on_create = keyed(vec![("name", Expr::literal(0)), ("age", Expr::literal(1))]);
            let on_match = keyed(vec![("age", Expr::literal(2))]);
            plan.push(op::Merge { template, on_create, on_match, to, created: None });
            vec![n]
        }
        "labels of an edge" => {
            let e = plan.column("e");
            plan.push(op::Scan { source: millrace_plan::ScanSource::Edges(None), to: e });
            set_labels(&mut plan, e, &["Item"], &[]);
            vec![e]
        }
        "a label added and removed" => {
            let v = person(&mut plan, "p1");
            set_labels(&mut plan, v, &["Item"], &["Item"]);
            vec![v]
        }
        other => panic!("no plan is named {other}"),
    };
    (plan.finish(output), parameters)
}

/// Constraints are judged as for other writes: a unique key of the new label, and a required one.
#[test]
fn a_vertex_that_enters_a_label_must_obey_its_definitions() {
    use millrace_model::PropertyType;
    use millrace_model::schema::IndexKind;
    use millrace_plan::{Definition, OwnerName};

    let owner = || OwnerName::Label("Named".into());
    let unique = Definition::CreateIndex {
        owner: owner(),
        keys: vec!["name".into()],
        kind: IndexKind::Unique,
    };
    let (key, kind) = ("age".into(), PropertyType::Integer);
    let required = Definition::CreateProperty { owner: owner(), key, kind, required: true };
    for (definition, names) in [(unique, ["p0", "i0"]), (required, ["p1", "p2"])] {
        let graph = graph();
        let mut define = builder();
        define.push(op::Define { definition });
        crate::fixture::write(&graph.store, &define.finish(Vec::new()));
        for execute in [execute as Execute, oracle::execute] {
            let context = writing(&graph.store);
            let mut errors = Vec::new();
            for name in names {
                let mut plan = builder();
                let v = plan.scan(None, "v");
                let equal = millrace_plan::Comparison::Equal;
                plan.filter(Expr::compare(equal, name_of(v), Expr::literal(name)));
                let properties =
                    Properties { keyed: vec![("name".into(), Expr::literal("same"))], map: None };
                plan.push(op::Set {
                    element: v,
                    properties,
                    replace: false,
                    rules: Default::default(),
                });
                set_labels(&mut plan, v, &["Named"], &[]);
                errors.push(execute(&plan.finish(Vec::new()), &context, &[]).err());
            }
            let kinds: Vec<_> = errors.into_iter().map(|error| error.map(|own| own.kind)).collect();
            assert_eq!(kinds, [None, Some(ErrorKind::Constraint)], "{names:?}");
        }
    }
}
