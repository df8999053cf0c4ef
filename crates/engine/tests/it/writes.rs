//! Create, Merge, Set, Remove, Delete, Define.

use millrace_engine::{execute, oracle};
use millrace_model::{Direction, ErrorKind, PropertyType, Value};
use millrace_plan::{
    ApplyKind, Arithmetic, ColumnId, Definition, Expr, Fold, OwnerName, Plan, PlanBuilder,
    Properties, op,
};

use crate::fixture::{
    builder, edge, empty, graph, name_of, numbers, run, vertex, weighted, write, writing,
};

fn names(label: &str) -> Plan {
    let mut plan = builder();
    let v = plan.scan(Some(label), "v");
    let name = plan.project("name", name_of(v));
    plan.finish(vec![name])
}

fn keyed(pairs: Vec<(&str, Expr)>) -> Properties {
    let keyed = pairs.into_iter().map(|(key, expr)| (key.into(), expr)).collect();
    Properties { keyed, map: None }
}

fn plus_one(element: ColumnId, key: &str) -> Expr {
    Expr::Arithmetic {
        operation: Arithmetic::Add,
        left: Box::new(Expr::property(element, key)),
        right: Box::new(Expr::literal(1)),
    }
}

#[test]
fn create_makes_an_element_for_each_single_row_even_if_its_rows_are_not_wanted() {
    let store = empty();
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [n] = plan.rows(parameter, ["n"]);
    let v = plan.column("v");
    let map = Expr::Map(vec![("size".into(), Expr::Column(n))]);
    let mut template =
        vertex("X", vec![("name", Expr::Column(n)), ("gone", Expr::Literal(Value::Null))]);
    if let millrace_plan::Template::Vertex { properties, .. } = &mut template {
        properties.map = Some(map);
    }
    plan.push(op::Create { template, id: None, to: v });
    plan.push(op::Range::of(0, Some(0)));
    let plan = plan.finish(vec![v]);
    let context = writing(&store);
    let batch = execute(&plan, &context, &[weighted(&[(1, 3), (2, 1)])]).expect("creates");
    assert_eq!(batch.len, 0);
    crate::fixture::commit(context.into_transaction().expect("it writes"));
    assert_eq!(run(&store, &names("X")), ["1", "1", "1", "2"]);
    let mut plan = builder();
    let v = plan.seek("X", "size", Expr::literal(2), "v");
    let gone = plan.project("gone", Expr::IsAbsent(Box::new(Expr::property(v, "gone"))));
    assert_eq!(run(&store, &plan.finish(vec![gone])), ["true"]);
}

#[test]
fn an_edge_with_a_null_end_is_not_made_and_its_column_is_null() {
    let graph = graph();
    let mut plan = builder();
    let a = plan.scan(Some("Person"), "a");
    let b = plan.column("b");
    let sub = plan.pipeline(|plan| {
        plan.push(op::Expand {
            from: a,
            types: Some(vec!["KNOWS".into()]),
            direction: Direction::In,
            edge: None,
            to: Some(b),
            loops: millrace_plan::Loops::Once,
        });
        plan.push(op::Dedup { columns: vec![b] });
    });
    plan.push(op::Apply { sub, kind: ApplyKind::Optional });
    let e = plan.column("e");
    plan.push(op::Create { template: edge("BACK", a, b), id: None, to: e });
    let missing = plan.project("missing", Expr::IsNull(Box::new(Expr::Column(e))));
    let names = [plan.project("a", name_of(a)), missing];
    let found = write(&graph.store, &plan.finish(names.to_vec()));
    assert_eq!(found, ["p0,false", "p0,false", "p1,false", "p2,false", "p3,false", "p4,true"]);
}

#[test]
fn merge_makes_equal_keys_once_and_finds_the_rest() {
    let store = empty();
    let merge = |numbers_of: Vec<i64>| {
        let mut plan = builder();
        let n = numbers(&mut plan, "n", numbers_of);
        let (v, created) = (plan.column("v"), plan.column("created"));
        plan.push(op::Merge {
            template: vertex("N", vec![("name", Expr::Column(n))]),
            on_create: keyed(vec![("made", Expr::literal(true))]),
            on_match: keyed(vec![("met", Expr::Column(n))]),
            to: v,
            created: Some(created),
        });
        let output = vec![
            n,
            created,
            plan.project("made", Expr::property(v, "made")),
            plan.project("met", Expr::property(v, "met")),
        ];
        write(&store, &plan.finish(output))
    };
    assert_eq!(merge(vec![1, 2, 1]), ["1,true,true,1", "2,true,true,-", "1,false,true,1"]);
    assert_eq!(merge(vec![2, 3]), ["2,false,true,2", "3,true,true,-"]);
    assert_eq!(run(&store, &names("N")), ["1", "2", "3"]);
}

#[test]
fn options_of_a_merge_read_its_element() {
    for execute in [execute, oracle::execute] {
        let store = empty();
        let merge = |numbers_of: Vec<i64>| {
            let mut plan = builder();
            let n = numbers(&mut plan, "n", numbers_of);
            let v = plan.column("v");
            plan.push(op::Merge {
                template: vertex("N", vec![("name", Expr::Column(n))]),
                on_create: keyed(vec![("first", Expr::property(v, "name"))]),
                on_match: keyed(vec![("last", Expr::property(v, "first"))]),
                to: v,
                created: None,
            });
            let keys = ["name", "first", "last"];
            let output = keys.map(|key| plan.project(key, Expr::property(v, key)));
            let context = writing(&store);
            let batch = execute(&plan.finish(output.to_vec()), &context, &[]).expect("merges");
            crate::fixture::commit(context.into_transaction().expect("it writes"));
            crate::fixture::rows(&batch)
        };
        assert_eq!(merge(vec![1, 1]), ["1,1,1", "1,1,1"]);
        assert_eq!(merge(vec![2, 1]), ["2,2,-", "1,1,1"]);
    }
}

#[test]
fn a_merge_counts_how_often_it_met_an_element() {
    for execute in [execute, oracle::execute] {
        let mut plan = builder();
        let parameter = plan.parameter("rows");
        let [n] = plan.rows(parameter, ["n"]);
        let v = plan.column("v");
        plan.push(op::Merge {
            template: vertex("N", vec![("name", Expr::Column(n))]),
            on_create: keyed(vec![("met", Expr::literal(0))]),
            on_match: keyed(vec![("met", plus_one(v, "met"))]),
            to: v,
            created: None,
        });
        let rows = plan.aggregate(&[v], "rows", Fold::Count);
        let output = vec![plan.project("met", Expr::property(v, "met")), rows];
        let given = [weighted(&[(7, 3), (8, 1), (7, 2)])];
        let batch = execute(&plan.finish(output), &writing(&empty()), &given).expect("merges");
        assert_eq!(crate::fixture::rows(&batch), ["4,5", "0,1"]);
    }
}

#[test]
fn merged_edges_are_found_by_ends_and_values() {
    let graph = graph();
    let merge = || {
        let mut plan = builder();
        let parameter = plan.parameter("rows");
        let [n] = plan.rows(parameter, ["n"]);
        let a = plan.seek("Person", "name", Expr::literal("p0"), "a");
        let b = plan.seek("Item", "name", Expr::literal("i0"), "b");
        let (e, created) = (plan.column("e"), plan.column("created"));
        let template = millrace_plan::Template::Edge {
            edge_type: "LIKES".into(),
            source: a,
            target: b,
            properties: keyed(vec![("weight", Expr::Column(n))]),
            must_have_ends: None,
        };
        let (on_create, on_match) = (Properties::default(), Properties::default());
        plan.push(op::Merge { template, on_create, on_match, to: e, created: Some(created) });
        plan.finish(vec![n, created])
    };
    let context = writing(&graph.store);
    let batch =
        execute(&merge(), &context, &[weighted(&[(0, 1), (5, 3), (5, 1)])]).expect("merges");
    assert_eq!(crate::fixture::rows(&batch), ["0,false", "5,true", "2x 5,false", "5,false"]);
}

#[test]
fn the_last_row_of_an_element_wins_and_null_removes() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let x = plan.column("x");
    let list = Expr::List(vec![Expr::literal(1), Expr::literal(2)]);
    plan.push(op::Unwind { list, to: x, position: None });
    let properties = keyed(vec![("age", Expr::Column(x)), ("name", Expr::Literal(Value::Null))]);
    plan.push(op::Set { element: v, properties, replace: false, rules: Default::default() });
    let output = vec![plan.project("age", Expr::property(v, "age")), plan.project("n", name_of(v))];
    assert_eq!(write(&graph.store, &plan.finish(output))[..2], ["2,-", "2,-"]);
}

#[test]
fn a_set_that_reads_its_own_writes_goes_in_rounds() {
    let graph = graph();
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    plan.rows(parameter, ["n"]);
    let v = plan.seek("Person", "name", Expr::literal("p1"), "v");
    let properties = keyed(vec![("age", plus_one(v, "age"))]);
    plan.push(op::Set { element: v, properties, replace: false, rules: Default::default() });
    let age = plan.project("age", Expr::property(v, "age"));
    let plan = plan.finish(vec![age]);
    let context = writing(&graph.store);
    let batch = execute(&plan, &context, &[weighted(&[(0, 3), (1, 1)])]).expect("sets");
    assert_eq!(crate::fixture::rows(&batch), ["3x 24", "24"]);
}

#[test]
fn replace_and_remove_take_away_properties_that_are_not_named() {
    let graph = graph();
    let all = |build: &dyn Fn(&mut PlanBuilder, ColumnId)| {
        let mut plan = builder();
        let v = plan.seek("Person", "name", Expr::literal("p0"), "v");
        build(&mut plan, v);
        let output =
            vec![plan.project("n", name_of(v)), plan.project("a", Expr::property(v, "age"))];
        let context = writing(&graph.store);
        crate::fixture::rows(&execute(&plan.finish(output), &context, &[]).expect("writes"))
    };
    let replaced = all(&|plan, element| {
        let properties = keyed(vec![("age", Expr::literal(1))]);
        plan.push(op::Set { element, properties, replace: true, rules: Default::default() });
    });
    assert_eq!(replaced, ["-,1"]);
    let removed = all(&|plan, element| {
        plan.push(op::Remove {
            element,
            keys: Some(vec!["age".into(), "unknown".into()]),
            rules: Default::default(),
        });
    });
    assert_eq!(removed, ["p0,-"]);
    let emptied = all(&|plan, element| {
        plan.push(op::Remove { element, keys: None, rules: Default::default() });
    });
    assert_eq!(emptied, ["-,-"]);
}

#[test]
fn a_deleted_vertex_must_leave_no_edge_hanging_when_the_statement_ends() {
    let graph = graph();
    let delete = |detach, edges_first: bool| {
        let mut plan = builder();
        let v = plan.seek("Person", "name", Expr::literal("p4"), "v");
        let mut doomed = vec![Expr::Column(v)];
        if edges_first {
            let to = plan.column("edges");
            let e = plan.column("e");
            let sub = plan.pipeline(|plan| {
                plan.push(op::Expand {
                    from: v,
                    types: None,
                    direction: Direction::Both,
                    edge: Some(e),
                    to: None,
                    loops: millrace_plan::Loops::Once,
                });
            });
            let fold = Fold::Collect(Expr::Column(e));
            plan.push(op::Apply { sub, kind: ApplyKind::Value { fold, to } });
            doomed.push(Expr::Column(to));
        }
        plan.push(op::Delete { element: Expr::List(doomed), detach });
        let plan = plan.finish(vec![]);
        execute(&plan, &writing(&graph.store), &[])
    };
    assert_eq!(delete(false, false).expect_err("edges hang").kind, ErrorKind::Constraint);
    delete(true, false).expect("its edges go with it");
    delete(false, true).expect("its edges went before");
}

#[test]
fn definitions_change_the_catalog_and_are_refused_where_they_cannot() {
    let graph = graph();
    let define = |definition| {
        let mut plan = builder();
        plan.push(op::Define { definition });
        let context = writing(&graph.store);
        execute(&plan.finish(vec![]), &context, &[])?;
        crate::fixture::commit(context.into_transaction().expect("it writes"));
        Ok::<_, millrace_model::Error>(())
    };
    let person = || OwnerName::Label("Person".into());
    define(Definition::CreateProperty {
        owner: person(),
        key: "age".into(),
        kind: PropertyType::Integer,
        required: false,
    })
    .expect("all ages are integers");
    let catalog = crate::fixture::reading(&graph.store).catalog();
    assert_eq!(catalog.properties.len(), 1);
    let error = define(Definition::DropOwner(person())).expect_err("there are persons");
    assert_eq!(error.kind, ErrorKind::Constraint);
    let error =
        define(Definition::DropIndex { owner: person(), keys: vec!["age".into()], kind: None });
    assert_eq!(error.expect_err("there is none").kind, ErrorKind::NotFound);
}

#[test]
fn effects_in_a_sub_happen_for_each_single_row() {
    let store = empty();
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [n] = plan.rows(parameter, ["n"]);
    plan.apply(ApplyKind::Effect, |plan| {
        let v = plan.column("v");
        plan.push(op::Create {
            template: vertex("X", vec![("name", Expr::Column(n))]),
            id: None,
            to: v,
        });
    });
    plan.push(op::Range::of(0, Some(1)));
    let plan = plan.finish(vec![n]);
    let context = writing(&store);
    execute(&plan, &context, &[weighted(&[(1, 2), (2, 1)])]).expect("creates");
    crate::fixture::commit(context.into_transaction().expect("it writes"));
    assert_eq!(run(&store, &names("X")), ["1", "1", "2"]);
}

/// Symptom: all rows saw the values from before the statement. Shape: a `Set` that replaces, with
/// values that read a key they do not write. Bound: `replace` writes every key.
#[test]
fn a_set_that_replaces_and_reads_goes_in_rounds() {
    let graph = graph();
    let mut plan = builder();
    numbers(&mut plan, "n", [0, 1]);
    let v = plan.seek("Person", "name", Expr::literal("p1"), "v");
    let properties = keyed(vec![("old", Expr::property(v, "age"))]);
    plan.push(op::Set { element: v, properties, replace: true, rules: Default::default() });
    let old = plan.project("old", Expr::property(v, "old"));
    let found = write(&graph.store, &plan.finish(vec![old]));
    assert_eq!(found, ["-", "-"], "the second row has no age to read");
}

/// Symptom: a fold saw the writes of later outer rows. Shape: `Apply value` where the fold, not
/// the subplan, reads the key that the subplan writes. Bound: a fold at the end is part of the subplan.
#[test]
fn a_fold_over_writes_of_its_subplan_sees_its_own_turn() {
    let graph = graph();
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [7, 8]);
    let v = plan.seek("Person", "name", Expr::literal("p1"), "v");
    let to = plan.column("seen");
    let fold = Fold::Max(Expr::property(v, "age"));
    plan.apply(ApplyKind::Value { fold, to }, |sub| {
        let properties = keyed(vec![("age", Expr::Column(n))]);
        sub.push(op::Set { element: v, properties, replace: false, rules: Default::default() });
    });
    assert_eq!(write(&graph.store, &plan.finish(vec![to])), ["7", "8"]);
}

/// Symptom: a value was read before an earlier outer row wrote it. Shape: a `Set` in a subplan that
/// reads one element and writes another. Bound: rounds are of one operator, turns of outer rows.
#[test]
fn a_set_in_a_subplan_reads_writes_of_earlier_outer_rows() {
    let graph = graph();
    let mut plan = builder();
    let from = plan.scan(Some("Person"), "from");
    let to = plan.scan(Some("Person"), "to");
    let next = Expr::compare(
        millrace_plan::Comparison::Equal,
        Expr::Id(Box::new(Expr::Column(to))),
        Expr::Arithmetic {
            operation: Arithmetic::Add,
            left: Box::new(Expr::Id(Box::new(Expr::Column(from)))),
            right: Box::new(Expr::literal(1)),
        },
    );
    plan.filter(next);
    plan.apply(ApplyKind::Effect, |sub| {
        let properties = keyed(vec![("age", Expr::property(from, "age"))]);
        sub.push(op::Set { element: to, properties, replace: false, rules: Default::default() });
    });
    let age = plan.project("age", Expr::property(to, "age"));
    let found = write(&graph.store, &plan.finish(vec![age]));
    assert_eq!(found, ["40", "40", "40", "40"], "the first age goes from one to the next");
}

/// Symptom: a property that a later outer row removes was there. Shape: a subplan with two writes
/// of one key. Bound: rows go in turn where one operator overwrites another's writes.
#[test]
fn writes_of_one_key_in_a_subplan_follow_one_another_by_outer_row() {
    let graph = graph();
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [0, 1]);
    let (v, w) = (plan.column("v"), plan.column("w"));
    for (to, first) in [(v, "p0"), (w, "p1")] {
        let other = if first == "p0" { "p1" } else { "p0" };
        let is_first =
            Expr::compare(millrace_plan::Comparison::Equal, Expr::Column(n), Expr::literal(0));
        let branches = vec![(is_first, Expr::literal(first))];
        let otherwise = Some(Box::new(Expr::literal(other)));
        let owner = OwnerName::Label("Person".into());
        let values = vec![Expr::Case { branches, otherwise }];
        plan.push(op::Seek { owner, keys: vec!["name".into()], values, range: None, to });
    }
    plan.apply(ApplyKind::Effect, |sub| {
        sub.push(op::Remove {
            element: v,
            keys: Some(vec!["age".into()]),
            rules: Default::default(),
        });
        let properties = keyed(vec![("age", Expr::literal(1))]);
        sub.push(op::Set { element: w, properties, replace: false, rules: Default::default() });
    });
    let (a, b) = (Expr::property(v, "age"), Expr::property(w, "age"));
    let output = vec![plan.project("a", a), plan.project("b", b)];
    // The second row removes the property that the first one set, and sets the one it removed.
    assert_eq!(write(&graph.store, &plan.finish(output)), ["1,-", "-,1"]);
}

/// A subplan that sets and deletes: an earlier outer row's turn deletes the element that a later one
/// sets. All were set before any was deleted, and no error was raised.
#[test]
fn an_element_deleted_by_an_earlier_outer_row_cannot_be_set_by_a_later_one() {
    let graph = graph();
    let mut plan = builder();
    let c = plan.scan(Some("Person"), "c");
    let a = plan.seek("Person", "name", Expr::literal("p1"), "a");
    let sub = plan.pipeline(|sub| {
        let properties = keyed(vec![("age", Expr::literal(1))]);
        sub.push(op::Set { element: c, properties, replace: false, rules: Default::default() });
        sub.push(op::Delete { element: Expr::Column(a), detach: true });
    });
    plan.push(op::Apply { sub, kind: ApplyKind::Effect });
    let plan = plan.finish(vec![c]);
    for run in [execute, oracle::execute] {
        let error = run(&plan, &writing(&graph.store), &[]);
        assert_eq!(error.map(|_| ()).map_err(|error| error.kind), Err(ErrorKind::NotFound));
    }
}

#[test]
fn vertices_made_together_are_those_that_would_be_made_one_by_one() {
    let made = |off: &[&str]| {
        let store = empty();
        let mut plan = builder();
        let parameter = plan.parameter("name");
        let mut last = ColumnId(0);
        for name in [Expr::Parameter(parameter), Expr::literal("b"), Expr::Literal(Value::Null)] {
            last = plan.column("v");
            let template = vertex("X", vec![("name", name), ("size", Expr::literal(1))]);
            plan.push(op::Create { template, id: None, to: last });
        }
        let id = plan.project("id", Expr::Id(Box::new(Expr::Column(last))));
        let mut plan = plan.finish(vec![id]);
        millrace_plan::rules::optimize_without(&mut plan, off);
        let context = writing(&store);
        let parameters = [millrace_plan::Parameter::Value("a".into())];
        let batch = execute(&plan, &context, &parameters).expect("creates");
        crate::fixture::commit(context.into_transaction().expect("it writes"));
        let mut all = builder();
        let v = all.scan(Some("X"), "v");
        let id = all.project("id", Expr::Id(Box::new(Expr::Column(v))));
        let properties =
            all.project("all", Expr::Properties { element: Box::new(Expr::Column(v)), keys: None });
        (
            plan.to_string(),
            crate::fixture::rows(&batch),
            run(&store, &all.finish(vec![id, properties])),
        )
    };
    let (together, one_by_one) = (made(&[]), made(&["creates_together"]));
    assert!(together.0.contains("Tail 1") && !one_by_one.0.contains("Tail 1"), "{}", together.0);
    assert_eq!((together.1, together.2), (one_by_one.1, one_by_one.2));
}
