//! What is wrong with a queue, for `/health` and the log: each state is logged once, however often it is tried again.

use std::time::Instant;

use parking_lot::Mutex;

use crate::limits::DEAD_LOG_INTERVAL;

pub(crate) struct Status {
    queue: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// By consumer.
    problems: Vec<Option<String>>,
    /// The problem that the log has.
    logged: Option<String>,
    halted: Option<String>,
    dead_logged: Option<Instant>,
    dead_unlogged: u64,
}

impl Status {
    pub(crate) fn new(queue: &str, consumers: usize) -> Status {
        let state = State { problems: vec![None; consumers], ..State::default() };
        Status { queue: queue.to_owned(), state: Mutex::new(state) }
    }

    /// A consumer waits for this reason.
    pub(crate) fn set_problem(&self, consumer: usize, problem: String) {
        let mut state = self.state.lock();
        if state.logged.as_ref() != Some(&problem) {
            let queue = self.queue.as_str();
            tracing::warn!(name: "queue-waits", queue, problem);
            state.logged = Some(problem.clone());
        }
        state.problems[consumer] = Some(problem);
    }

    /// A consumer goes on.
    pub(crate) fn clear(&self, consumer: usize) {
        let mut state = self.state.lock();
        state.problems[consumer] = None;
        if state.logged.is_some() && state.problems.iter().all(Option::is_none) {
            state.logged = None;
            let queue = self.queue.as_str();
            tracing::info!(name: "queue-goes-on", queue);
        }
    }

    /// The queue has stopped for good.
    pub(crate) fn halt(&self, why: String) {
        let mut state = self.state.lock();
        if state.halted.is_none() {
            let (queue, problem) = (self.queue.as_str(), why.as_str());
            tracing::error!(name: "queue-stopped", queue, problem);
            state.halted = Some(why);
        }
    }

    /// Messages are dead, the last one by an error of this word for this reason.
    pub(crate) fn dead(&self, count: u64, error: &'static str, reason: &str) {
        let mut state = self.state.lock();
        if state.dead_logged.is_some_and(|at| at.elapsed() < DEAD_LOG_INTERVAL) {
            state.dead_unlogged += count;
            return;
        }
        let (queue, others) = (self.queue.as_str(), state.dead_unlogged + count - 1);
        tracing::warn!(name: "queue-dead-letter", queue, error, reason, others);
        state.dead_logged = Some(Instant::now());
        state.dead_unlogged = 0;
    }

    /// What is wrong.
    pub(crate) fn problem(&self) -> Option<String> {
        let state = self.state.lock();
        let halted = state.halted.as_ref().map(|why| format!("stopped: {why}"));
        halted.or_else(|| state.problems.iter().flatten().next().cloned())
    }

    /// Whether it has stopped for good.
    pub(crate) fn is_halted(&self) -> bool {
        self.state.lock().halted.is_some()
    }
}
