//! Large queries and the pool of threads: order, and that no query waits.

use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;

use millrace_model::Value;
use millrace_model::compare::CompareMode;
use millrace_plan::{Expr, Nulls, Plan, PlanBuilder, RowsSource, SortKey, op};
use millrace_store::Backend;
use millrace_store::memory::MemoryBackend;

use super::Prepared;
use crate::context::Context;
use crate::{limits, threads};

/// So many rows in an order with many ties.
fn sorting(rows: i64) -> Plan {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    let [n, key] = ["n", "key"].map(|name| plan.column(name));
    let literal = (0..rows).map(|n| vec![Value::I64(n), Value::I64(n % 7)]).collect();
    plan.push(op::Rows { source: RowsSource::Literal(literal), to: vec![n, key] });
    let by = SortKey { by: Expr::Column(key), descending: true, nulls: Nulls::Last };
    plan.push(op::Sort { keys: vec![by] });
    plan.finish(vec![n])
}

fn run(plan: &Plan) -> Vec<Value> {
    let graph = MemoryBackend::new().create_graph("g").expect("a new graph");
    let context = Context::reading(graph.snapshot().expect("a snapshot"));
    let mut prepared = Prepared::new(plan).expect("a good plan");
    let batch = prepared.run(&context, &[]).expect("a good plan");
    (0..batch.len).map(|row| batch.columns[0].get(row).unwrap_or_default()).collect()
}

#[test]
fn rows_sorted_by_threads_keep_the_order_of_ties() {
    let rows = 2 * limits::PARALLEL_SORT_ROWS_MIN as i64;
    let expected = (0..7).rev().flat_map(|key| (0..rows).filter(move |n| n % 7 == key));
    assert!(run(&sorting(rows)) == expected.map(Value::I64).collect::<Vec<_>>());
}

/// A query that waited for a thread of the pool would wait here for ever.
#[test]
fn small_queries_and_large_ones_go_on_while_one_has_all_threads() {
    static GATE: Mutex<()> = Mutex::new(());
    let gate = GATE.lock().expect("no test panics with it");
    let (begin, begun) = channel();
    let holder = std::thread::spawn(move || {
        let taken = loop {
            // Another test may have it for a moment; on one core there is no pool to wait for.
            let taken = threads::take();
            if taken.is_some() || threads::count() == 1 {
                break taken;
            }
            std::thread::yield_now();
        };
        let work = |_: rayon::BroadcastContext<'_>| {
            begin.send(()).expect("the test waits");
            drop(GATE.lock());
        };
        match taken {
            Some(taken) => drop(taken.install(|| rayon::broadcast(work))),
            None => begin.send(()).expect("the test waits"),
        }
    });
    for _ in 0..threads::count() {
        begun.recv().expect("each thread is held up");
    }
    let (answer, answered) = channel();
    let large = 2 * limits::PARALLEL_SORT_ROWS_MIN as i64;
    for rows in [10, large] {
        let answer = answer.clone();
        std::thread::spawn(move || answer.send(run(&sorting(rows)).len() as i64));
    }
    let next = || answered.recv_timeout(Duration::from_secs(60));
    let mut answers = [next(), next()].map(|answer| answer.expect("it does not wait"));
    answers.sort_unstable();
    assert_eq!(answers, [10, large]);
    drop(gate);
    holder.join().expect("ends once it may");
}
