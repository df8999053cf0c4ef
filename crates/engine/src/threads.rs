//! The engine's threads: one pool for the process, as many as there are cores.
//!
//! Only large frontiers and sorts come here, for one piece of work each. No query waits for the pool. A
//! small query runs on its caller's thread, and so does a large one that finds the pool taken. So a
//! large query slows another one no more than one additional thread on the machine would. No plan and no graph is known
//! here.

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
    use super::*;

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
}
