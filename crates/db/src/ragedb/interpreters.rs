//! The interpreters of one graph: each on a thread of its own, made when all others are busy.
//!
//! Globals of a script are gone when it ends. Scripts for all (`--ALL`, to `/db`) are stored, and
//! replayed by each interpreter before its next script, in each of its sandboxes: what they define
//! stays. A replay rolls its writes back; they were committed once, when the script was sent.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use millrace_model::{Error, ErrorKind, MemoryBudget, Reservation, Result};
use millrace_ragedb::lua::{Access, Interpreter, SENT_TO_ALL};
use millrace_store::Ticket;
use parking_lot::{Condvar, Mutex};

use super::scripts::{self, Answered, Script, ScriptFailure, ScriptResult};
use crate::limits::{
    IDLE_GARBAGE_BYTES_MAX, INTERPRETER_IDLE_MAX, INTERPRETER_STACK_BYTES, LONG_SCRIPT,
    LONG_SCRIPTS_FACTOR, SCRIPTS_FOR_ALL_MAX,
};
use crate::request::{Phase, RequestLimits, Trace};
use crate::resources::fair_queue::{Client, FairQueue, Shares};
use crate::resources::{CommitNotifier, script_files};
use crate::settings::Settings;
use crate::transaction::GraphParts;

/// The callback for a script's result; it runs on a thread that must not be blocked.
pub(crate) type OnDone = Box<dyn FnOnce(ScriptResult) + Send>;

struct Job {
    script: Script,
    on_done: OnDone,
}

/// The threads and their queue.
pub(crate) struct Interpreters {
    shared: Arc<Shared>,
}

struct Shared {
    graph: Arc<GraphParts>,
    settings: Settings,
    commit_notifier: Arc<CommitNotifier>,
    state: Mutex<State>,
    /// Notified when there is work, and when it is time to end.
    work: Condvar,
    /// Notified when a thread ended.
    ended: Condvar,
    /// Notified when the monitor has nothing to do any more.
    monitor: Condvar,
}

struct State {
    queue: FairQueue<Job>,
    idle: u64,
    threads: u64,
    /// When each script that runs began, the first to begin first, and whether it counts as long.
    running: BTreeMap<u64, Running>,
    taken: u64,
    has_monitor: bool,
    for_all: Vec<Arc<str>>,
    closed: bool,
}

/// A script that runs.
struct Running {
    client: Client,
    began: Instant,
    is_long: bool,
}

impl State {
    fn new(interpreters_max: u64) -> State {
        let threads_max = interpreters_max.saturating_mul(LONG_SCRIPTS_FACTOR);
        State {
            queue: FairQueue::new(Shares::of(usize::try_from(threads_max).unwrap_or(usize::MAX))),
            idle: 0,
            threads: 0,
            running: BTreeMap::new(),
            taken: 0,
            has_monitor: false,
            for_all: Vec::new(),
            closed: false,
        }
    }

    /// Scripts that run for so long that others have interpreters in their stead.
    fn count_long(&mut self) -> u64 {
        let now = Instant::now();
        let old = |running: &&mut Running| LONG_SCRIPT <= now.duration_since(running.began);
        self.running.values_mut().take_while(old).for_each(|running| running.is_long = true);
        self.running.values().filter(|running| running.is_long).count() as u64
    }
}

impl Interpreters {
    pub(crate) fn new(
        graph: Arc<GraphParts>,
        settings: Settings,
        commit_notifier: Arc<CommitNotifier>,
    ) -> Interpreters {
        let state = Mutex::new(State::new(settings.scripts.interpreters_max));
        let (work, ended) = (Condvar::new(), Condvar::new());
        let shared = Shared {
            graph,
            settings,
            commit_notifier,
            state,
            work,
            ended,
            monitor: Condvar::new(),
        };
        Interpreters { shared: Arc::new(shared) }
    }

    /// How many interpreters there are.
    pub(crate) fn count(&self) -> u64 {
        self.shared.state.lock().threads
    }

    /// Queues a script.
    pub(crate) fn submit(&self, script: Script, on_done: OnDone) {
        if let Err(refused) = self.try_submit(Job { script, on_done }) {
            let (job, error) = *refused;
            (job.on_done)(Err(error.into()));
        }
    }

    fn try_submit(&self, job: Job) -> std::result::Result<(), Box<(Job, Error)>> {
        let shared = &self.shared;
        let mut state = shared.state.lock();
        if state.closed {
            return Err(Box::new((job, closing())));
        }
        if shared.settings.scripts.queue_max <= state.queue.len() as u64 {
            let detail = "too many scripts wait for an interpreter";
            let error = Error::new(ErrorKind::Unavailable, detail)
                .with_help("try again later, or raise scripts.interpreters-max");
            return Err(Box::new((job, error)));
        }
        let wanted = state.queue.len() as u64 + 1;
        if state.idle < wanted && shared.has_room(&mut state) {
            match Shared::spawn(shared) {
                Ok(()) => state.threads += 1,
                // With another interpreter there the script only waits longer.
                Err(error) if state.threads == 0 => return Err(Box::new((job, error))),
                Err(_) => {}
            }
        }
        state.queue.push(job.script.limits.client, job);
        shared.work.notify_one();
        if !state.has_monitor && state.idle < wanted {
            state.has_monitor = Shared::start_monitor(shared);
        }
        Ok(())
    }

    /// Runs what is queued, refuses what comes, and waits until every thread has ended.
    pub(crate) fn close(&self) {
        let mut state = self.shared.state.lock();
        state.closed = true;
        self.shared.work.notify_all();
        self.shared.monitor.notify_all();
        while 0 < state.threads {
            self.shared.ended.wait(&mut state);
        }
    }
}

impl Drop for Interpreters {
    fn drop(&mut self) {
        self.shared.state.lock().closed = true;
        self.shared.work.notify_all();
        self.shared.monitor.notify_all();
    }
}

fn closing() -> Error {
    Error::new(ErrorKind::Unavailable, "the graph is being closed")
}

impl Shared {
    fn spawn(shared: &Arc<Shared>) -> Result<()> {
        let shared = Arc::clone(shared);
        let named = thread::Builder::new()
            .name("millrace-lua".to_owned())
            .stack_size(INTERPRETER_STACK_BYTES);
        let spawned = named.spawn(move || {
            let _leaving = Leaving(&shared);
            shared.serve();
        });
        spawned.map(|_| ()).map_err(|error| {
            Error::new(
                ErrorKind::Unavailable,
                format!(
                    "the thread of an interpreter cannot start: \
                                                        {error}"
                ),
            )
        })
    }

    /// Whether there may be one more interpreter: those with long-running scripts do not count, up to a
    /// bound.
    fn has_room(&self, state: &mut State) -> bool {
        let most = self.settings.scripts.interpreters_max;
        let threads = state.threads;
        let is_room = |long: u64| {
            threads - long.min(threads) < most && threads < most.saturating_mul(LONG_SCRIPTS_FACTOR)
        };
        is_room(0) || is_room(state.count_long())
    }

    /// Starts a thread that, while scripts wait, makes an interpreter whenever running scripts have turned
    /// out to be long; false if there is no thread for it.
    fn start_monitor(shared: &Arc<Shared>) -> bool {
        let shared = Arc::clone(shared);
        let named = thread::Builder::new().name("millrace-lua-watch".to_owned());
        let monitor = named.spawn(move || {
            let mut state = shared.state.lock();
            while !state.queue.is_empty() && !state.closed {
                shared.monitor.wait_for(&mut state, LONG_SCRIPT);
                let waits = state.queue.is_ready() && state.idle == 0;
                // Without a thread the scripts only wait longer.
                if waits && shared.has_room(&mut state) && Shared::spawn(&shared).is_ok() {
                    state.threads += 1;
                }
            }
            state.has_monitor = false;
        });
        monitor.is_ok()
    }

    fn serve(&self) {
        let mut replayed = 0;
        let mut interpreter = self.interpreter();
        let mut idle = Idle::default();
        while let Some((number, job)) = self.next_job() {
            let _done = Done(self, number);
            idle.reserved = None;
            match &mut interpreter {
                Ok(interpreter) => self.run(interpreter, &mut replayed, job),
                Err(error) => (job.on_done)(Err(error.clone().into())),
            }
            let keep = |own: &mut Interpreter| !own.is_worn() && idle.keep(own, &self.graph.memory);
            if !interpreter.as_mut().is_ok_and(keep) {
                (interpreter, replayed) = (self.interpreter(), 0);
            }
        }
    }

    fn interpreter(&self) -> Result<Interpreter> {
        // A little more than the process may hold, so that its budget refuses by its own name; but one long text is
        // made before that is asked.
        let of_process = self.graph.memory.bytes_max();
        let most = of_process.saturating_add(of_process / 16);
        let bytes_max = self.settings.scripts.interpreter_bytes_max.min(most);
        let bytes_max = usize::try_from(bytes_max).unwrap_or(usize::MAX);
        let opener = script_files::opener(&self.settings.scripts.csv_folder);
        let mut interpreter = Interpreter::new(bytes_max, opener)?;
        interpreter.print_with(|text| tracing::info!(name: "print", text));
        Ok(interpreter)
    }

    /// The next script; `None` when it is time to end.
    fn next_job(&self) -> Option<(u64, Job)> {
        let mut state = self.state.lock();
        loop {
            let next = if state.closed { state.queue.pop_any() } else { state.queue.pop() };
            if let Some((client, job)) = next {
                let number = state.taken;
                state.taken += 1;
                let running = Running { client, began: Instant::now(), is_long: false };
                state.running.insert(number, running);
                return Some((number, job));
            }
            if state.closed {
                return None;
            }
            state.idle += 1;
            let waited = self.work.wait_for(&mut state, INTERPRETER_IDLE_MAX);
            state.idle -= 1;
            if waited.timed_out() && !state.queue.is_ready() && 1 < state.threads {
                return None;
            }
        }
    }

    fn run(&self, interpreter: &mut Interpreter, replayed: &mut usize, job: Job) {
        let Job { script, on_done } = job;
        let trace = script.limits.trace.clone();
        trace.waited();
        let is_for_all = script.access == Access::Admin && Interpreter::is_for_all(&script.text);
        let ready = script.limits.check().and_then(|()| self.check_room(is_for_all));
        if let Err(error) = ready {
            return on_done(Err(error.into()));
        }
        self.catch_up(interpreter, replayed);
        let result = scripts::run(interpreter, &self.graph, &script);
        match result {
            Ok(Answered { ticket, .. }) if is_for_all => {
                self.state.lock().for_all.push(Arc::clone(&script.text));
                self.answer(format!("\"{SENT_TO_ALL}\""), ticket, (on_done, trace));
            }
            Ok(Answered { answer, ticket }) => self.answer(answer, ticket, (on_done, trace)),
            Err(failure) => on_done(Err(failure)),
        }
    }

    /// Answers now, or once the commit is visible.
    fn answer(&self, answer: String, ticket: Option<Ticket>, (on_done, trace): (OnDone, Trace)) {
        let Some(ticket) = ticket else { return on_done(Ok(answer)) };
        let committed = Instant::now();
        let on_visible = move |visible: Result<()>| {
            trace.add(Phase::Sync, committed.elapsed());
            on_done(visible.map(|()| answer).map_err(ScriptFailure::from));
        };
        self.commit_notifier.wait(ticket, Box::new(on_visible));
    }

    fn check_room(&self, is_for_all: bool) -> Result<()> {
        if is_for_all && SCRIPTS_FOR_ALL_MAX <= self.state.lock().for_all.len() {
            let detail = format!("a graph stores at most {SCRIPTS_FOR_ALL_MAX} scripts for all");
            return Err(Error::new(ErrorKind::LimitReached, detail));
        }
        Ok(())
    }

    /// Replays the scripts for all that this interpreter has not run yet. A sandbox with fewer rights
    /// takes a script as far as it may; a later call of a missing function fails by its name.
    fn catch_up(&self, interpreter: &mut Interpreter, replayed: &mut usize) {
        let missed: Vec<Arc<str>> = self.state.lock().for_all[*replayed..].to_vec();
        for text in missed {
            let limits = RequestLimits::within(self.settings.scripts.deadline_ms, &self.settings);
            for access in Access::ALL {
                let result = scripts::replay(interpreter, &self.graph, &text, access, &limits);
                drop(result);
            }
            *replayed += 1;
        }
    }
}

/// What an interpreter holds while no script runs in it: globals, and garbage up to a bound.
#[derive(Default)]
struct Idle {
    reserved: Option<Reservation>,
    /// What was left when garbage was last collected.
    left_bytes: usize,
}

impl Idle {
    /// Reserves what the interpreter holds; false where the process has no room for it: then a new
    /// interpreter takes its place, and scripts for all are replayed in it.
    fn keep(&mut self, interpreter: &mut Interpreter, memory: &MemoryBudget) -> bool {
        if IDLE_GARBAGE_BYTES_MAX + 2 * self.left_bytes < interpreter.memory_bytes() {
            interpreter.collect_garbage();
            self.left_bytes = interpreter.memory_bytes();
        }
        let bytes = interpreter.memory_bytes() as u64;
        if IDLE_GARBAGE_BYTES_MAX as u64 <= bytes {
            self.reserved = memory.reserve(bytes).ok();
            return self.reserved.is_some();
        }
        true
    }
}

/// Counts a script out, also when it panics.
struct Done<'a>(&'a Shared, u64);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        if let Some(running) = state.running.remove(&self.1) {
            state.queue.done(running.client);
        }
        // It may be the turn of work that waited for this client's share.
        if state.queue.is_ready() {
            self.0.work.notify_one();
        }
    }
}

/// Counts a thread out, also when it panics.
struct Leaving<'a>(&'a Shared);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.state.lock().threads -= 1;
        self.0.ended.notify_all();
    }
}
