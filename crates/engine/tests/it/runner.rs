//! The runner: handles, transactions, and a script's view of its own writes.

use std::sync::{Arc, Mutex};

use millrace_engine::{ContextRunner, PlanPool, Prepared};
use millrace_model::{Direction, Value};
use millrace_plan::{Expr, Nulls, Op, Parameter, Plan, Runner, SortKey, op};

use crate::fixture::{builder, commit, edge, graph, name_of, rows, run, vertex, writing};

#[test]
fn equal_plans_share_a_handle_and_a_script_sees_its_own_writes() {
    let graph = graph();
    let mut runner = ContextRunner::new(writing(&graph.store));
    let seek = || {
        let mut plan = builder();
        let name = plan.parameter("name");
        let v = plan.seek("Robot", "name", Expr::Parameter(name), "v");
        plan.finish(vec![v])
    };
    let find = runner.prepare(&seek()).expect("a good plan");
    assert_eq!(runner.prepare(&seek()).expect("the same"), find);
    let r2 = [Parameter::Value(Value::from("r2"))];
    assert_eq!(runner.run(find, &r2).expect("runs").len, 0, "the label is not known yet");
    let mut create = builder();
    let template = vertex("Robot", vec![("name", Expr::literal("r2"))]);
    let v = create.column("v");
    create.push(Op::Create(op::Create { template, id: None, to: v }));
    let create = runner.prepare(&create.finish(vec![v])).expect("a good plan");
    assert_ne!(create, find);
    let made = runner.run(create, &[]).expect("creates");
    let found = runner.run(find, &r2).expect("runs");
    assert_eq!(rows(&found), rows(&made));
    assert!(runner.catalog().label("Robot").is_some());
    commit(runner.into_context().expect("all is made").into_transaction().expect("it writes"));
}

/// A pool of all plans.
#[derive(Default)]
struct Pool(Mutex<Vec<(Plan, Prepared)>>);

impl PlanPool for Pool {
    fn take(&self, _fingerprint: u64, plan: &Plan) -> Option<Prepared> {
        let mut all = self.0.lock().expect("no test panics with it");
        let at = all.iter().position(|(own, _)| own == plan)?;
        Some(all.remove(at).1)
    }

    fn give(&self, _fingerprint: u64, plan: Plan, prepared: Prepared) {
        self.0.lock().expect("no test panics with it").push((plan, prepared));
    }
}

#[test]
fn a_prepared_plan_goes_on_in_the_next_transaction_and_takes_no_bytes_from_it() {
    let graph = graph();
    let pool = Arc::new(Pool::default());
    let mut plan = builder();
    let v = plan.scan(Some("Item"), "v");
    let by = Expr::Column(v);
    plan.push(op::Sort { keys: vec![SortKey { by, descending: true, nulls: Nulls::Last }] });
    let plan = plan.finish(vec![v]);
    let mut answers = Vec::new();
    for _ in 0..2 {
        let mut runner = ContextRunner::with_pool(writing(&graph.store), Arc::clone(&pool) as _);
        let sorted = runner.prepare(&plan).expect("a good plan");
        assert!(pool.0.lock().expect("no test panics with it").is_empty(), "the runner has it");
        runner.charge(1_000).expect("there is room");
        for _ in 0..2 {
            answers.push(rows(&runner.run(sorted, &[]).expect("runs")));
            assert_eq!(runner.context().reserved_bytes(), 1_000, "other charges stay");
        }
    }
    assert!(answers.windows(2).all(|two| two[0] == two[1]) && !answers[0].is_empty());
    assert_eq!(pool.0.lock().expect("no test panics with it").len(), 1, "prepared once");
}

#[test]
fn links_of_links_are_one_bag_for_all() {
    let graph = graph();
    let mut plan = builder();
    let rows_of = plan.parameter("links");
    let [l] = plan.rows(rows_of, ["l"]);
    let (e, x, bag) = (plan.column("e"), plan.column("x"), plan.column("bag"));
    let sub = plan.pipeline(|plan| {
        plan.push(op::Expand {
            from: l,
            types: Some(vec!["LIKES".into()]),
            direction: Direction::In,
            edge: Some(e),
            to: Some(x),
            loops: millrace_plan::Loops::Twice,
        });
    });
    let kind = millrace_plan::ApplyKind::Bag { columns: vec![x, e], to: bag };
    plan.push(op::Apply { sub, kind });
    let plan = plan.finish(vec![bag]);
    let links =
        millrace_model::Column::vertices(vec![graph.items[4], graph.items[3], graph.items[4]]);
    let links = Parameter::Rows(millrace_model::Batch::of(vec![links]));
    let mut runner = ContextRunner::new(crate::fixture::reading(&graph.store));
    let handle = runner.prepare(&plan).expect("a good plan");
    let batch = runner.run(handle, &[links]).expect("runs");
    let millrace_model::ColumnValues::Bag(bags) = &batch.columns[0].values else { panic!("a bag") };
    assert_eq!(bags.views, [(0, 1), (1, 2), (0, 1)], "equal links share a view");
}

#[test]
fn an_edge_between_two_seeks_is_made_by_parameters() {
    let graph = graph();
    let mut plan = builder();
    let names = plan.parameter("names");
    let [from, to] = plan.rows(names, ["from", "to"]);
    let a = plan.seek("Person", "name", Expr::Column(from), "a");
    let b = plan.seek("Item", "name", Expr::Column(to), "b");
    let e = plan.column("e");
    plan.push(op::Create { template: edge("OWNS", a, b), id: None, to: e });
    let plan = plan.finish(vec![e]);
    let mut runner = ContextRunner::new(writing(&graph.store));
    let handle = runner.prepare(&plan).expect("a good plan");
    for (from, to) in [("p0", "i1"), ("p1", "i2"), ("p9", "i2")] {
        let text = |text: &str| millrace_model::Column::from_values([Value::from(text)]);
        let batch = millrace_model::Batch::of(vec![text(from), text(to)]);
        runner.run(handle, &[Parameter::Rows(batch)]).expect("runs");
    }
    commit(runner.into_context().expect("all is made").into_transaction().expect("it writes"));
    let mut plan = builder();
    let p = plan.scan(Some("Person"), "p");
    let i = plan.expand(p, Direction::Out, Some(&["OWNS"]), "i");
    let names = vec![plan.project("p", name_of(p)), plan.project("i", name_of(i))];
    assert_eq!(run(&graph.store, &plan.finish(names)), ["p0,i1", "p1,i2"]);
}
