//! The engine's threads: one pool for the process, as many as there are cores.
//!
//! Only large frontiers and sorts come here, for one piece of work each. No query waits for the pool. A
//! small query runs on its caller's thread, and so does a large one that finds the pool taken. So a
//! large query slows another one no more than one additional thread on the machine would.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use millrace_store::non_blocking;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How many threads the pool has.
pub(crate) fn count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, |count| count.get()))
}

/// The pool, until this is dropped; `None`: another query has it, or it has one thread only, and
/// the caller works alone.
pub(crate) fn take() -> Option<Taken> {
    static SEAT: Seat = Seat(AtomicBool::new(false));
    // A non-blocking caller does not wait for other threads either.
    if count() == 1 || non_blocking::is_required() { None } else { SEAT.take() }
}

/// Whether the pool is taken.
struct Seat(AtomicBool);

impl Seat {
    fn take(&'static self) -> Option<Taken> {
        let free = self.0.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed);
        // Made only where the seat was free, since the drop of a `Taken` frees it.
        free.is_ok().then(|| Taken(self))
    }
}

/// The pool in the hands of one query.
pub(crate) struct Taken(&'static Seat);

impl Taken {
    /// Runs work that may be shared among the pool's threads.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        pool().install(work)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.0.0.store(false, Ordering::Release);
    }
}

/// The threads, made when first needed.
fn pool() -> &'static ThreadPool {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| {
        ThreadPoolBuilder::new()
            .num_threads(count())
            .thread_name(|number| format!("engine-{number}"))
            .build()
            .expect("the system gives the process as many threads as cores")
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use millrace_model::Value;
    use millrace_model::compare::CompareMode;
    use millrace_plan::{Expr, Nulls, Plan, PlanBuilder, RowsSource, SortKey, op};
    use millrace_store::Backend;
    use millrace_store::memory::MemoryBackend;

    use super::*;
    use crate::{Context, execute, limits};

    #[test]
    fn the_pool_is_one_query_s_until_it_gives_it_back() {
        static SEAT: Seat = Seat(AtomicBool::new(false));
        let taken = SEAT.take();
        assert!(taken.is_some());
        for _ in 0..2 {
            assert!(SEAT.take().is_none(), "a second query works alone, and frees nothing");
        }
        drop(taken);
        assert!(SEAT.take().is_some());
    }

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
        let batch = execute(plan, &context, &[]).expect("a good plan");
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
                let taken = take();
                if taken.is_some() || count() == 1 {
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
        for _ in 0..count() {
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
}
