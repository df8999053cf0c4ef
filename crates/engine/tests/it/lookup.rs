//! Look-ups by name: maps, collections and tags; procedures; `Let`s as values; some fields.

use millrace_model::{Direction, ErrorKind, Value};
use millrace_plan::op::RowsSource;
use millrace_plan::{
    ApplyKind, Call, ColumnId, ElementKind, Expr, LetRead, Op, PlanBuilder, SideFold, op,
};

use crate::fixture::{builder, empty, error, graph, name_of, numbers, run};

fn collect(plan: &mut PlanBuilder, value: Expr, fold: SideFold) {
    plan.push(op::SideEffect { name: "x".into(), value, fold });
}

fn maps(plan: &mut PlanBuilder) -> ColumnId {
    let to = plan.column("map");
    let map = |key: &str| Value::map(vec![(Value::from(key), Value::I64(1))]);
    let rows = vec![vec![map("x")], vec![map("y")], vec![Value::I64(5)]];
    plan.push(op::Rows { source: RowsSource::Literal(rows), to: vec![to] });
    to
}

#[test]
fn a_name_is_looked_up_in_the_map_then_among_collections_then_as_a_tag() {
    for (collects, expected) in [(true, ["1", "[7 7 7]", "[7 7 7]"]), (false, ["1", "9", "9"])] {
        let mut plan = builder();
        let map = maps(&mut plan);
        let tag = plan.project("tag", Expr::literal(9));
        if collects {
            collect(&mut plan, Expr::literal(7), SideFold::List);
        }
        let found = plan.lookup("x", Some(map), Some(tag));
        assert_eq!(run(&empty(), &plan.finish(vec![found])), expected);
    }
}

#[test]
fn values_that_a_let_collects_are_looked_up_behind_it() {
    let mut plan = builder();
    plan.bind("collecting", |block| {
        let n = numbers(block, "n", [2, 1, 2]);
        collect(block, Expr::Column(n), SideFold::List);
        n
    });
    let found = plan.lookup("x", None, None);
    assert_eq!(run(&empty(), &plan.finish(vec![found])), ["[2 1 2]"]);
}

#[test]
fn a_name_that_nothing_has_is_absent_and_one_that_is_only_a_tag_is_its_column() {
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [4]);
    assert_eq!(plan.lookup("x", None, Some(n)), n);
    let found = plan.lookup("x", None, None);
    assert_eq!(run(&empty(), &plan.finish(vec![found])), ["-"]);
}

#[test]
fn a_set_is_listed_in_the_order_of_adding_and_a_list_with_repeats() {
    for (fold, expected) in [(SideFold::Set, "[3 1 2]"), (SideFold::List, "[3 1 3 2 1]")] {
        let mut plan = builder();
        let n = numbers(&mut plan, "n", [3, 1, 3, 2, 1]);
        collect(&mut plan, Expr::Column(n), fold);
        let found = plan.lookup("x", None, None);
        plan.push(op::Range { from: 0, to: Some(1) });
        assert_eq!(run(&empty(), &plan.finish(vec![found])), [expected]);
    }
}

/// Symptom: a value that a list has twice was counted as two values, each there once.
#[test]
fn counted_each_value_stands_once_whatever_collected_it() {
    for fold in [SideFold::List, SideFold::Bag] {
        let mut plan = builder();
        let n = numbers(&mut plan, "n", [3, 1, 3]);
        collect(&mut plan, Expr::Column(n), fold);
        let found = plan.lookup_counted("x");
        plan.push(op::Range { from: 0, to: Some(1) });
        assert_eq!(run(&empty(), &plan.finish(vec![found])), ["[[3 2] [1 1]]"]);
    }
}

/// `V().local(out('KNOWS').store('x').by('name').select('x'))`: each person sees those before.
#[test]
fn a_subplan_that_adds_and_looks_up_goes_in_turn() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let found = plan.column("found");
    plan.apply(ApplyKind::Flat, |sub| {
        let w = sub.expand(v, Direction::Out, Some(&["KNOWS"]), "w");
        collect(sub, name_of(w), SideFold::Set);
        sub.push(op::Range { from: 0, to: Some(1) });
        let (name, map, tag) = ("x".into(), None, None);
        sub.push(millrace_plan::Lookup { name, map, tag, counted: false, to: found });
    });
    let rows = run(&graph.store, &plan.finish(vec![found]));
    assert_eq!(rows, ["[p1]", "[p1 p2]", "[p1 p2 p0]", "[p1 p2 p0 p3]"]);
}

#[test]
fn procedures_yield_for_each_row_and_a_void_one_keeps_it() {
    let graph = graph();
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [1, 2]);
    plan.call("db.awaitIndexes", vec![Expr::literal(300)], []);
    let [label] = plan.call("db.labels", Vec::new(), ["label"]);
    let plan = plan.finish(vec![n, label]);
    assert_eq!(run(&graph.store, &plan), ["1,Item", "1,Person", "2,Item", "2,Person"]);
    let mut plan = builder();
    let [name] = plan.call("db.relationshipTypes", Vec::new(), ["relationshipType"]);
    assert_eq!(run(&graph.store, &plan.finish(vec![name])), ["KNOWS", "LIKES"]);
}

#[test]
fn a_procedure_that_is_not_there_or_is_called_wrongly_is_refused_by_its_name() {
    let refused = |procedure: &str, arguments: Vec<Expr>, yields: &[&str]| {
        let mut plan = builder();
        let yields = yields.iter().map(|&name| (name.into(), plan.column(name))).collect();
        plan.push(Call { procedure: procedure.into(), arguments, yields, writes: false });
        error(&empty(), &plan.finish(vec![]))
    };
    let unknown = refused("db.nothing", Vec::new(), &[]);
    assert_eq!(unknown.kind, ErrorKind::Unsupported);
    assert!(unknown.detail.contains("db.nothing"), "{unknown}");
    let named = refused("db.labels", Vec::new(), &["name"]);
    assert!(named.detail.contains("db.labels yields no name"), "{named}");
    let counted = refused("db.labels", vec![Expr::literal(1)], &[]);
    assert!(counted.detail.contains("got 1"), "{counted}");
}

/// DQL: `p as shortest(…)` and a scalar of a block; both are read where there is no row of theirs.
#[test]
fn a_let_is_read_as_its_first_entry_or_as_all_of_them_in_order() {
    let graph = graph();
    let mut plan = builder();
    let path = plan.bind("path", |block| {
        let v = block.scan(Some("Person"), "v");
        let by = Expr::property(v, "age");
        let (descending, nulls) = (true, millrace_plan::Nulls::Last);
        block.push(Op::Sort(op::Sort {
            keys: vec![millrace_plan::SortKey { by, descending, nulls }],
        }));
        block.project("name", name_of(v))
    });
    let none = plan.bind("none", |block| numbers(block, "n", []));
    let read = |name, read| Expr::Let { name, read };
    let columns = [
        read(path, LetRead::First),
        read(path, LetRead::All),
        read(none, LetRead::First),
        read(none, LetRead::All),
    ];
    let columns = columns.map(|expr| plan.project("c", expr)).to_vec();
    let rows = run(&graph.store, &plan.finish(columns));
    assert_eq!(rows, ["p0,[p0 p3 p1 p2 p4],null,[]"]);
}

#[test]
fn fields_may_be_those_of_some_keys() {
    let graph = graph();
    for (keys, count) in [(vec!["age"], 1), (vec!["name", "age"], 2), (vec!["unknown"], 0)] {
        let mut plan = builder();
        let person = Expr::Literal(Value::Vertex(graph.persons[0]));
        let v = plan.ids(ElementKind::Vertex, person, "v");
        let fields = plan.column("fields");
        let keys = Some(keys.into_iter().map(Into::into).collect());
        plan.push(op::Fields { element: v, keys, languages: None, to: fields });
        let plan = plan.finish(vec![fields]);
        let batch = millrace_engine::execute(&plan, &crate::fixture::reading(&graph.store), &[]);
        let batch = batch.expect("runs");
        let millrace_model::ColumnValues::Fields(fields) = &batch.columns[0].values else {
            panic!("fields are fields");
        };
        assert_eq!(fields[0].len(), count);
        run(&graph.store, &plan);
    }
}
