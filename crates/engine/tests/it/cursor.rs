//! Rows pulled batch by batch.

use millrace_engine::{CancelFlag, Context, Cursor, Limits, Prepared};
use millrace_plan::{Expr, Plan, op};

use crate::fixture::{
    builder, empty, graph, name_of, numbers, reading, rows, run, vertex, writing,
};

fn pulled(plan: &Plan, context: &Context) -> Vec<Vec<String>> {
    let prepared = Prepared::to_be_pulled(plan).expect("a good plan");
    let mut cursor = Cursor::open(prepared, context, &[]).expect("begins");
    let mut batches = Vec::new();
    while let Some(batch) = cursor.next_batch(context).expect("gives rows") {
        batches.push(rows(&batch));
    }
    batches
}

#[test]
fn a_cursor_gives_the_same_rows_in_growing_batches() {
    let graph = graph();
    let mut plan = builder();
    let a = plan.scan(None, "a");
    let b = plan.scan(None, "b");
    let c = plan.scan(None, "c");
    let names = [a, b, c].map(|v| plan.project("name", name_of(v)));
    let plan = plan.finish(names.to_vec());
    let batches = pulled(&plan, &reading(&graph.store));
    assert!(batches[0].len() <= 64, "the first batch is small");
    assert!(1 < batches.len());
    assert_eq!(batches.concat(), run(&graph.store, &plan));
}

#[test]
fn an_early_close_raises_no_error_of_unread_rows_and_releases_all_memory() {
    let store = graph().store;
    let mut plan = builder();
    let n = numbers(&mut plan, "n", 0..100_000);
    let tenth = Expr::Arithmetic {
        operation: millrace_plan::Arithmetic::Divide,
        left: Box::new(Expr::literal(10)),
        right: Box::new(Expr::Arithmetic {
            operation: millrace_plan::Arithmetic::Subtract,
            left: Box::new(Expr::literal(90_000)),
            right: Box::new(Expr::Column(n)),
        }),
    };
    let tenth = plan.project("tenth", tenth);
    let plan = plan.finish(vec![tenth]);
    let limits = Limits { memory_bytes_max: 10_000, ..Limits::default() };
    let context = reading(&store).with_limits(limits, CancelFlag::default());
    let prepared = Prepared::to_be_pulled(&plan).expect("a good plan");
    let mut cursor = Cursor::open(prepared, &context, &[]).expect("begins");
    let first = cursor.next_batch(&context).expect("the row that fails is far off");
    assert!(first.is_some_and(|batch| 0 < batch.len));
    let prepared = cursor.close(&context);
    assert_eq!(context.reserved_bytes(), 0);
    let mut cursor = Cursor::open(prepared, &context, &[]).expect("begins again");
    let end = loop {
        match cursor.next_batch(&context) {
            Ok(Some(_)) => {}
            Ok(None) => panic!("a row fails"),
            Err(error) => break error,
        }
    };
    assert!(end.detail.contains("zero"), "{end}");
    assert!(cursor.next_batch(&context).expect("nothing follows").is_none());
}

#[test]
fn writes_happen_though_no_row_is_pulled() {
    let store = empty();
    let mut plan = builder();
    let n = numbers(&mut plan, "n", 0..5_000);
    let v = plan.column("v");
    let template = vertex("N", vec![("n", Expr::Column(n))]);
    plan.push(op::Create { template, id: None, to: v });
    let plan = plan.finish(vec![n]);
    let context = writing(&store);
    let prepared = Prepared::to_be_pulled(&plan).expect("a good plan");
    drop(Cursor::open(prepared, &context, &[]).expect("runs"));
    let made = context.graph().count_vertices(None).expect("counts");
    assert_eq!(made, 5_000);
}

#[test]
fn a_cursor_may_be_pulled_by_one_thread_after_another() {
    let graph = graph();
    let mut plan = builder();
    let (a, b) = (plan.scan(None, "a"), plan.scan(None, "b"));
    let plan = plan.finish(vec![a, b]);
    let whole = run(&graph.store, &plan);
    let mut context = reading(&graph.store);
    let prepared = Prepared::to_be_pulled(&plan).expect("a good plan");
    let mut cursor = Cursor::open(prepared, &context, &[]).expect("begins");
    let mut found = Vec::new();
    loop {
        let pull = std::thread::spawn(move || {
            let batch = cursor.next_batch(&context).expect("gives rows");
            (batch, cursor, context)
        });
        let (batch, left, own) = pull.join().expect("it does not panic");
        (cursor, context) = (left, own);
        let Some(batch) = batch else { break };
        found.extend(rows(&batch));
    }
    assert_eq!(found, whole);
}

#[test]
fn what_cursors_hold_stays_counted_under_new_limits_and_beside_one_another() {
    let graph = graph();
    let mut plan = builder();
    let all = ["a", "b", "c"].map(|name| plan.scan(None, name));
    plan.push(op::Dedup { columns: all.to_vec() });
    let plan = plan.finish(all.to_vec());
    let mut context = reading(&graph.store);
    let mut cursors: Vec<Cursor> = (0..2)
        .map(|_| {
            let prepared = Prepared::to_be_pulled(&plan).expect("a good plan");
            Cursor::open(prepared, &context, &[]).expect("begins")
        })
        .collect();
    let mut before = 0;
    for pull in 0..4 {
        context.set_limits(Limits::default(), CancelFlag::default());
        assert_eq!(context.reserved_bytes(), before);
        let batch = cursors[pull % 2].next_batch(&context).expect("gives rows");
        assert!(batch.is_some_and(|batch| 0 < batch.len));
        before = context.reserved_bytes();
    }
    let held_by_both = before;
    cursors.pop().expect("there are two").close(&context);
    let held_by_one = context.reserved_bytes();
    assert!(0 < held_by_one && held_by_one < held_by_both, "{held_by_one} of {held_by_both}");
    cursors.pop().expect("there is one").close(&context);
    assert_eq!(context.reserved_bytes(), 0);
}
