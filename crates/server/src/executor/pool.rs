//! Threads that run requests: as many as processors, and more while those are held up.
//!
//! Few requests wait for a commit here, so a thread goes from one request to the next without sleeping; with
//! a thread for each request the processors would mostly switch between them. Where work waits and no
//! thread took any for [`PATIENCE`], one more is put to work; work that waits because all processors are busy
//! gets none, even where threads are idle.
//!
//! There are two bounds. Requests that run for long do not count against the first, so that short ones
//! always find a thread; the second holds for all threads. One client has a share of those, and its
//! further requests wait in a queue of their own.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use millrace_db::fair_queue::{Client, FairQueue, Shares};
use millrace_model::{Error, ErrorKind, Result};

use crate::limits::{
    LONG_REQUEST, LONG_WORKERS_MAX, PATIENCE, WORKER_IDLE_MAX, WORKER_REPLACED_AFTER,
    WORKER_STACK_BYTES, WORKERS_MAX,
};

/// Work that is handed over.
pub(super) type Work = Box<dyn FnOnce() + Send>;

/// The threads and their queue. Dropped, they end once the queued work has run.
pub(super) struct Pool(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    /// Rung when there is work, and when it is time to end.
    work: Condvar,
    /// Rung when work waits that no thread was rung for, and when it is time to end.
    held_up: Condvar,
    bounds: Bounds,
}

/// How many threads there may be.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// Threads that stay.
    least: usize,
    /// Threads at most, without the threads of long requests.
    short_max: usize,
    /// Threads of long requests at most.
    long_max: usize,
    /// After how much time a request runs for long.
    long: Duration,
}

/// A request that runs.
struct Running {
    client: Client,
    began: Instant,
    is_long: bool,
}

struct Queue {
    waiting: FairQueue<Work>,
    /// Requests that run, by the order of their beginning.
    running: BTreeMap<u64, Running>,
    /// Those of them that count as long.
    long: usize,
    /// How much was taken so far.
    taken: u64,
    idle: usize,
    /// Idle threads that were rung and have not come yet.
    called: usize,
    threads: usize,
    is_watched: bool,
    is_closed: bool,
}

impl Queue {
    fn new(bounds: Bounds) -> Queue {
        Queue {
            waiting: FairQueue::new(Shares::of(bounds.short_max + bounds.long_max)),
            running: BTreeMap::new(),
            long: 0,
            taken: 0,
            idle: 0,
            called: 0,
            threads: 0,
            is_watched: false,
            is_closed: false,
        }
    }

    /// Threads that are at work on short requests, or were called to it.
    fn short(&self) -> usize {
        (self.threads - self.idle + self.called).saturating_sub(self.long)
    }

    /// Counts the requests as long that have become so.
    fn note_long(&mut self, long: Duration) {
        let now = Instant::now();
        let old = |running: &&mut Running| long <= now.duration_since(running.began);
        for running in self.running.values_mut().take_while(old) {
            self.long += usize::from(!running.is_long);
            running.is_long = true;
        }
    }

    fn begin(&mut self, client: Client) -> u64 {
        let number = self.taken;
        self.taken += 1;
        let running = Running { client, began: Instant::now(), is_long: false };
        self.running.insert(number, running);
        number
    }

    fn end(&mut self, number: u64) {
        if let Some(running) = self.running.remove(&number) {
            self.long -= usize::from(running.is_long);
            self.waiting.done(running.client);
        }
    }
}

impl Pool {
    /// Starts as many threads as there are processors, and one that watches whether they suffice.
    pub(super) fn start() -> Result<Pool> {
        Pool::within(Bounds {
            least: thread::available_parallelism().map_or(2, usize::from),
            short_max: WORKERS_MAX,
            long_max: LONG_WORKERS_MAX,
            long: LONG_REQUEST,
        })
    }

    fn within(bounds: Bounds) -> Result<Pool> {
        let (queue, work) = (Mutex::new(Queue::new(bounds)), Condvar::new());
        let shared = Arc::new(Shared { queue, work, held_up: Condvar::new(), bounds });
        for _ in 0..bounds.least {
            shared.lock().threads += 1;
            spawn(&shared)?;
        }
        let watching = Arc::clone(&shared);
        let named = thread::Builder::new().name("millrace-watch".to_owned());
        named.spawn(move || watching.watch()).map_err(|error| no_thread(&error))?;
        Ok(Pool(shared))
    }

    /// Queues the work of a client. A panic in it harms no other work.
    pub(super) fn run(&self, client: Client, work: Work) {
        let mut queue = self.0.lock();
        queue.waiting.push(client, work);
        if queue.short() < self.0.bounds.least && self.0.call(&mut queue) {
            return;
        }
        if !queue.is_watched {
            queue.is_watched = true;
            self.0.held_up.notify_one();
        }
    }

    /// How many requests run that count as long.
    pub(super) fn long_count(&self) -> usize {
        self.0.lock().long
    }

    /// How many requests wait for a thread.
    pub(super) fn waiting_count(&self) -> usize {
        self.0.lock().waiting.len()
    }

    /// The number of threads.
    pub(super) fn count(&self) -> usize {
        self.0.lock().threads
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.work.notify_all();
        self.0.held_up.notify_all();
    }
}

fn no_thread(error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Unavailable, format!("a worker thread cannot start: {error}"))
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

    /// Rings an idle thread that was not rung yet; false if there is none.
    fn call(&self, queue: &mut Queue) -> bool {
        let is_there = queue.called < queue.idle;
        if is_there {
            queue.called += 1;
            self.work.notify_one();
        }
        is_there
    }

    fn serve(self: &Arc<Shared>) {
        let mut has_worked = false;
        while let Some((number, work)) = self.next(has_worked) {
            // The request said so itself; this thread goes on.
            let _panicked = catch_unwind(AssertUnwindSafe(work));
            self.lock().end(number);
            has_worked = true;
        }
    }

    /// The next work; `None` when this thread is to end, and is counted out or replaced.
    fn next(self: &Arc<Shared>, mut has_worked: bool) -> Option<(u64, Work)> {
        let mut queue = self.lock();
        loop {
            let is_closed = queue.is_closed;
            let next = if is_closed { queue.waiting.pop_any() } else { queue.waiting.pop() };
            if let Some((client, work)) = next {
                return Some((queue.begin(client), work));
            }
            if queue.is_closed {
                break;
            }
            queue.idle += 1;
            let most = if has_worked { WORKER_REPLACED_AFTER } else { WORKER_IDLE_MAX };
            let (woken, timeout) = self.wait(&self.work, queue, most);
            queue = woken;
            queue.idle -= 1;
            queue.called = queue.called.saturating_sub(1);
            if !timeout || queue.waiting.is_ready() {
                continue;
            }
            if has_worked {
                drop(queue);
                if spawn(self).is_ok() {
                    return None;
                }
                queue = self.lock();
                queue.threads += 1;
                has_worked = false;
            } else if self.bounds.least < queue.threads {
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
            queue.note_long(self.bounds.long);
            let is_held_up = queue.taken == taken && queue.waiting.is_ready();
            let Bounds { short_max, long_max, .. } = self.bounds;
            let is_room = |queue: &Queue| {
                queue.threads - queue.long.min(queue.threads) < short_max
                    && queue.threads < short_max + long_max
            };
            if is_held_up && !self.call(&mut queue) && is_room(&queue) {
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
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    #[test]
    fn work_that_waits_holds_no_other_work_up() {
        let workers = Pool::start().unwrap();
        let (done, ended) = channel();
        // Each but the last waits for the one behind it.
        let mut wake: Option<Sender<()>> = None;
        for number in 0..20 {
            let (own, woken) = channel();
            let before = wake.replace(own);
            let done = done.clone();
            workers.run(
                Client::default(),
                Box::new(move || {
                    if number != 19 {
                        woken.recv().unwrap();
                    }
                    if let Some(before) = before {
                        before.send(()).unwrap();
                    }
                    done.send(number).unwrap();
                }),
            );
        }
        let mut all: Vec<i32> = (0..20).map(|_| ended.recv().unwrap()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..20).collect::<Vec<_>>());
        assert!(20 <= workers.count());
    }

    const FEW: Bounds =
        Bounds { least: 1, short_max: 2, long_max: 6, long: Duration::from_millis(1) };

    fn client(connection: u64) -> Client {
        Client { address: connection, connection }
    }

    /// Requests of a client that run until the test ends them: those that began say so.
    fn endless(workers: &Pool, client: Client, count: usize) -> (Receiver<()>, Vec<Sender<()>>) {
        let (began, begun) = channel();
        let ends = (0..count).map(|_| {
            let (end, ended) = channel::<()>();
            let began = began.clone();
            workers.run(
                client,
                Box::new(move || {
                    began.send(()).unwrap();
                    // Answered, or the test is over.
                    let _over = ended.recv();
                }),
            );
            end
        });
        let ends = ends.collect();
        (begun, ends)
    }

    #[test]
    fn endless_requests_of_one_client_stop_no_other() {
        let workers = Pool::within(FEW).unwrap();
        let (begun, ends) = endless(&workers, client(1), 20);
        // Its share is two of eight threads.
        (0..2).for_each(|_| begun.recv().unwrap());
        for number in 2..50 {
            let (done, ended) = channel();
            workers.run(client(number), Box::new(move || done.send(number).unwrap()));
            assert_eq!(ended.recv(), Ok(number));
        }
        assert_eq!((workers.waiting_count(), begun.try_recv().is_ok()), (18, false));
        drop(ends);
        (0..18).for_each(|_| begun.recv().unwrap());
    }

    #[test]
    fn long_requests_leave_threads_to_short_ones_up_to_a_bound() {
        let workers = Pool::within(FEW).unwrap();
        let held: Vec<_> = (1..=3).map(|number| endless(&workers, client(number), 2)).collect();
        // Six run, which is more than there are threads for short ones.
        held.iter().for_each(|(begun, _)| (0..2).for_each(|_| begun.recv().unwrap()));
        let (done, ended) = channel();
        workers.run(client(9), Box::new(move || done.send(()).unwrap()));
        ended.recv().unwrap();
        assert!(4 <= workers.long_count());
        let (_begun, _ends) = endless(&workers, client(4), 20);
        assert!(workers.count() <= 8, "{}", workers.count());
        drop(held);
    }

    #[test]
    fn a_panic_takes_no_thread_with_it_and_queued_work_runs_at_the_end() {
        let workers = Pool::start().unwrap();
        let (done, ended) = channel();
        for number in 0..100 {
            let done = done.clone();
            workers.run(
                Client::default(),
                Box::new(move || {
                    assert!(number % 2 == 0, "each other one panics");
                    done.send(number).unwrap();
                }),
            );
        }
        drop((workers, done));
        assert_eq!(ended.iter().count(), 50);
    }
}
