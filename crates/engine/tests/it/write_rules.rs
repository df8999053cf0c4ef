//! The rules of a language for what is set on elements that are null, or gone.

use millrace_engine::{execute, oracle};
use millrace_model::{ErrorKind, Result, Value};
use millrace_plan::op::{self, WriteRules};
use millrace_plan::{Arithmetic, ColumnId, Expr, Plan, PlanBuilder, Properties};

use crate::fixture::{builder, graph, rows, writing};

const CYPHER: WriteRules = WriteRules { passes_deleted: true, counts_nulls: true };

/// Rows and how many properties were set, by engine and oracle, which agree.
fn outcome(build: &dyn Fn(&mut PlanBuilder, ColumnId)) -> Result<(Vec<String>, u64)> {
    let plan: Plan = {
        let mut plan = builder();
        let v = plan.seek("Person", "name", Expr::literal("p0"), "v");
        build(&mut plan, v);
        let one = plan.project("one", Expr::literal(1));
        plan.finish(vec![one])
    };
    let of = |run: &dyn Fn(&millrace_engine::Context) -> Result<millrace_model::Batch>| {
        let graph = graph();
        let context = writing(&graph.store);
        run(&context).map(|batch| (rows(&batch), context.write_counts().properties_set))
    };
    let engine = of(&|context| execute(&plan, context, &[]));
    let oracle = of(&|context| oracle::execute(&plan, context, &[]));
    match (&engine, &oracle) {
        (Ok(one), Ok(other)) => assert_eq!(one, other),
        (Err(one), Err(other)) => assert_eq!(one.kind, other.kind),
        _ => panic!("{engine:?} and {oracle:?}"),
    }
    engine
}

fn set(element: ColumnId, key: &str, value: Expr, rules: WriteRules) -> op::Set {
    let properties = Properties { keyed: vec![(key.into(), value)], map: None };
    op::Set { element, properties, replace: false, rules }
}

fn deleted(plan: &mut PlanBuilder, v: ColumnId) {
    plan.push(op::Delete { element: Expr::Column(v), detach: true });
}

#[test]
fn an_element_that_the_statement_deleted_is_passed_over_if_the_rules_say_so_and_counts() {
    let write = |rules| {
        outcome(&|plan, v| {
            deleted(plan, v);
            plan.push(set(v, "age", Expr::literal(1), rules));
            plan.push(op::Remove { element: v, keys: Some(vec!["age".into()]), rules });
        })
    };
    assert_eq!(write(CYPHER), Ok((vec!["1".to_owned()], 1)));
    let error = write(WriteRules::default()).expect_err("it is gone");
    assert_eq!((error.kind, error.name), (ErrorKind::NotFound, Some("EntityNotFound")));
}

#[test]
fn a_null_counts_where_nothing_was_removed_if_the_rules_say_so() {
    let count = |rules, replace| {
        let written = outcome(&|plan, v| {
            let keyed = ["none", "age"].map(|key| (key.into(), Expr::Literal(Value::Null)));
            let properties = Properties { keyed: keyed.into(), map: None };
            plan.push(op::Set { element: v, properties, replace, rules });
        });
        written.expect("it writes").1
    };
    assert_eq!((count(WriteRules::default(), false), count(CYPHER, false)), (1, 2));
    // The name is removed too.
    assert_eq!((count(WriteRules::default(), true), count(CYPHER, true)), (2, 3));
}

#[test]
fn what_is_set_on_null_is_not_evaluated() {
    let written = outcome(&|plan, _| {
        let null = plan.project("null", Expr::Literal(Value::Null));
        let fails = Expr::Arithmetic {
            operation: Arithmetic::Divide,
            left: Box::new(Expr::literal(1)),
            right: Box::new(Expr::literal(0)),
        };
        plan.push(set(null, "age", fails, WriteRules::default()));
    });
    assert_eq!(written, Ok((vec!["1".to_owned()], 0)));
}

#[test]
fn properties_from_no_map_are_an_error_and_nothing_is_written() {
    for wrong in [Value::Null, Value::I64(1), Value::list(vec![])] {
        let error = outcome(&|plan, v| {
            let map = Some(Expr::Literal(wrong.clone()));
            let properties = Properties { keyed: Vec::new(), map };
            plan.push(op::Set { element: v, properties, replace: true, rules: CYPHER });
        });
        error.expect_err("no map");
    }
}

#[test]
fn a_living_element_is_itself_and_a_deleted_one_an_error() {
    let read = |deletes: bool, only_edges: bool| {
        outcome(&|plan, v| {
            if deletes {
                deleted(plan, v);
            }
            let element = Box::new(Expr::Column(v));
            let living = plan.project("living", Expr::Living { element, only_edges });
            plan.filter(Expr::IsNull(Box::new(Expr::Column(living))).negate());
        })
    };
    for (deletes, only_edges) in [(false, false), (false, true), (true, true)] {
        assert_eq!(read(deletes, only_edges).map(|(rows, _)| rows), Ok(vec!["1".to_owned()]));
    }
    let error = read(true, false).expect_err("it is gone");
    assert_eq!(error.name, Some("DeletedEntityAccess"));
}
