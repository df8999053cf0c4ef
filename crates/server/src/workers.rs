//! Threads that run requests which seldom wait: as many as processors, and more while those are held up.
//!
//! A commit is awaited by nobody here, so a thread goes from one request to the next without sleeping; with
//! a thread for each request the processors would mostly switch between them. What a reader would get
//! wrong: how many threads there are bounds nothing. Where work waits and nobody took any for [`PATIENCE`],
//! one more is at work, up to [`WORKERS_MAX`]; work that waits because all processors are busy gets none,
//! even where threads are idle.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use millrace_model::{Error, ErrorKind, Result};

use crate::limits::{PATIENCE, WORKER_IDLE_MAX, WORKER_STACK_BYTES, WORKERS_MAX};

/// Work that is handed over.
pub(crate) type Work = Box<dyn FnOnce() + Send>;

/// The threads and their queue. Dropped, they end once what is queued has run.
pub(crate) struct Workers(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    /// Rung when there is work, and when it is time to end.
    work: Condvar,
    /// Rung when work waits that no thread was rung for, and when it is time to end.
    held_up: Condvar,
    /// Threads that stay.
    least: usize,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Work>,
    /// How much was taken so far.
    taken: u64,
    idle: usize,
    /// Idle threads that were rung and have not come yet.
    called: usize,
    threads: usize,
    is_watched: bool,
    is_closed: bool,
}

impl Workers {
    /// Starts as many threads as there are processors, and one that watches whether they suffice.
    pub(crate) fn start() -> Result<Workers> {
        let least = thread::available_parallelism().map_or(2, usize::from);
        let (work, held_up) = (Condvar::new(), Condvar::new());
        let shared = Arc::new(Shared { queue: Mutex::default(), work, held_up, least });
        for _ in 0..least {
            shared.lock().threads += 1;
            spawn(&shared)?;
        }
        let watching = Arc::clone(&shared);
        let named = thread::Builder::new().name("millrace-watch".to_owned());
        named.spawn(move || watching.watch()).map_err(|error| no_thread(&error))?;
        Ok(Workers(shared))
    }

    /// Queues work. What panics in it harms nobody.
    pub(crate) fn run(&self, work: Work) {
        let mut queue = self.0.lock();
        queue.waiting.push_back(work);
        let is_room = queue.threads - queue.idle + queue.called < self.0.least;
        if is_room && self.0.call(&mut queue) {
            return;
        }
        if !queue.is_watched {
            queue.is_watched = true;
            self.0.held_up.notify_one();
        }
    }

    /// How many threads there are.
    pub(crate) fn count(&self) -> usize {
        self.0.lock().threads
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.work.notify_all();
        self.0.held_up.notify_all();
    }
}

fn no_thread(error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Unavailable, format!("no thread to run requests on: {error}"))
}

/// Starts a thread that was counted in already.
fn spawn(shared: &Arc<Shared>) -> Result<()> {
    let own = Arc::clone(shared);
    let named =
        thread::Builder::new().name("millrace-worker".to_owned()).stack_size(WORKER_STACK_BYTES);
    let spawned = named.spawn(move || own.serve()).map(drop);
    spawned.map_err(|error| {
        shared.lock().threads -= 1;
        no_thread(&error)
    })
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rings an idle thread that nobody rang yet; false if there is none.
    fn call(&self, queue: &mut Queue) -> bool {
        let is_there = queue.called < queue.idle;
        if is_there {
            queue.called += 1;
            self.work.notify_one();
        }
        is_there
    }

    fn serve(&self) {
        while let Some(work) = self.next() {
            // The request said so itself; this thread goes on.
            let _panicked = catch_unwind(AssertUnwindSafe(work));
        }
    }

    /// The next work; `None` when this thread is to end, and counted out.
    fn next(&self) -> Option<Work> {
        let mut queue = self.lock();
        loop {
            if let Some(work) = queue.waiting.pop_front() {
                queue.taken += 1;
                return Some(work);
            }
            if queue.is_closed {
                break;
            }
            queue.idle += 1;
            let (woken, timeout) = self.wait(&self.work, queue, WORKER_IDLE_MAX);
            queue = woken;
            queue.idle -= 1;
            queue.called = queue.called.saturating_sub(1);
            if timeout && queue.waiting.is_empty() && self.least < queue.threads {
                break;
            }
        }
        queue.threads -= 1;
        None
    }

    fn wait<'a>(
        &self,
        bell: &Condvar,
        queue: MutexGuard<'a, Queue>,
        most: Duration,
    ) -> (MutexGuard<'a, Queue>, bool) {
        let waited = bell.wait_timeout(queue, most).unwrap_or_else(PoisonError::into_inner);
        (waited.0, waited.1.timed_out())
    }

    /// Adds a thread whenever work waits and none is taken.
    fn watch(self: &Arc<Shared>) {
        let mut queue = self.lock();
        while !queue.is_closed {
            if queue.waiting.is_empty() {
                queue.is_watched = false;
                queue = self.wait(&self.held_up, queue, WORKER_IDLE_MAX).0;
                continue;
            }
            let taken = queue.taken;
            queue = self.wait(&self.held_up, queue, PATIENCE).0;
            let is_held_up = queue.taken == taken && !queue.waiting.is_empty();
            if is_held_up && !self.call(&mut queue) && queue.threads < WORKERS_MAX {
                queue.threads += 1;
                drop(queue);
                // Without it, the work only waits longer.
                let _no_thread = spawn(self);
                queue = self.lock();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn work_that_waits_holds_no_other_work_up() {
        let workers = Workers::start().unwrap();
        let (done, ended) = channel();
        // Each but the last waits for the one behind it.
        let mut wake: Option<std::sync::mpsc::Sender<()>> = None;
        for number in 0..20 {
            let (own, woken) = channel();
            let before = wake.replace(own);
            let done = done.clone();
            workers.run(Box::new(move || {
                if number != 19 {
                    woken.recv().unwrap();
                }
                if let Some(before) = before {
                    before.send(()).unwrap();
                }
                done.send(number).unwrap();
            }));
        }
        let mut all: Vec<i32> = (0..20).map(|_| ended.recv().unwrap()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..20).collect::<Vec<_>>());
        assert!(20 <= workers.count());
    }

    #[test]
    fn what_panics_takes_no_thread_with_it_and_what_is_queued_runs_at_the_end() {
        let workers = Workers::start().unwrap();
        let (done, ended) = channel();
        for number in 0..100 {
            let done = done.clone();
            workers.run(Box::new(move || {
                assert!(number % 2 == 0, "each other one panics");
                done.send(number).unwrap();
            }));
        }
        drop((workers, done));
        assert_eq!(ended.iter().count(), 50);
    }
}
