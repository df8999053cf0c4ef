//! The engine's threads: one pool for the process, as many as there are cores.
//!
//! Only large frontiers come here; a small query runs on its caller's thread and never waits.

use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// How many threads the pool has.
pub(crate) fn count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, |count| count.get()))
}

/// The pool, made when first needed.
pub(crate) fn pool() -> &'static ThreadPool {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| {
        ThreadPoolBuilder::new()
            .num_threads(count())
            .thread_name(|number| format!("engine-{number}"))
            .build()
            .expect("the system gives the process as many threads as cores")
    })
}
