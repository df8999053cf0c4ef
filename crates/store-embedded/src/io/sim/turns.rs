//! A thread beside the caller's, one of the two at a time: how an operation is held up in its midst.
//!
//! ```text
//!   caller  ── start ──┐             ┌── other steps, other commits ──┐             ┌── its answer
//!   aside              └── n changes ┘            held up             └── go_on ────┘
//! ```
//!
//! Only one thread runs at a time. The turn is passed at changing operations of the disk and nowhere
//! else, so a seed replays exactly. An operation on the log never passes it, since the store holds the
//! log's lock there.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

thread_local! {
    /// The turns of the aside that this thread is, if it is one.
    static OWN: RefCell<Option<Arc<Turns>>> = const { RefCell::new(None) };
    /// Whether this thread has begun asides: then what it waits for, one that is held up has.
    static HAS_ASIDES: Cell<bool> = const { Cell::new(false) };
}

/// Work on a thread of its own that runs only while its owner waits for it.
pub struct Aside<T> {
    turns: Arc<Turns>,
    answer: Arc<Mutex<Option<std::thread::Result<T>>>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Turns {
    state: Mutex<Turn>,
    passed: Condvar,
}

#[derive(Default)]
struct Turn {
    is_asides: bool,
    /// Changing operations before it is held up.
    operations: u64,
    is_done: bool,
}

impl<T: Send + 'static> Aside<T> {
    /// Work that has not begun.
    pub fn new(work: impl FnOnce() -> T + Send + 'static) -> Aside<T> {
        HAS_ASIDES.set(true);
        let turns = Arc::new(Turns::default());
        let answer = Arc::new(Mutex::new(None));
        let (own_turns, own_answer) = (Arc::clone(&turns), Arc::clone(&answer));
        let thread = std::thread::spawn(move || {
            own_turns.wait_for_turn(true);
            OWN.with(|own| *own.borrow_mut() = Some(Arc::clone(&own_turns)));
            let outcome = catch_unwind(AssertUnwindSafe(work));
            *own_answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
            own_turns.end();
        });
        Aside { turns, answer, thread: Some(thread) }
    }

    /// Lets it go on for some changing operations; its answer, if it came to its end. It panics
    /// here if it panicked there.
    pub fn go_on(&mut self, operations: u64) -> Option<T> {
        self.turns.pass_to_aside(operations);
        if !self.turns.wait_for_turn(false) {
            return None;
        }
        if let Some(thread) = self.thread.take() {
            thread.join().expect("an aside catches its panics");
        }
        let answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner).take();
        match answer.expect("an answer is taken once") {
            Ok(answer) => Some(answer),
            Err(panic) => resume_unwind(panic),
        }
    }
}

impl Turns {
    fn lock(&self) -> MutexGuard<'_, Turn> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pass_to_aside(&self, operations: u64) {
        let mut turn = self.lock();
        turn.is_asides = true;
        turn.operations = operations;
        self.passed.notify_all();
    }

    /// Whether the aside is done.
    fn wait_for_turn(&self, asides: bool) -> bool {
        let mut turn = self.lock();
        while turn.is_asides != asides {
            turn = self.passed.wait(turn).unwrap_or_else(PoisonError::into_inner);
        }
        turn.is_done
    }

    fn end(&self) {
        let mut turn = self.lock();
        (turn.is_asides, turn.is_done) = (false, true);
        self.passed.notify_all();
    }

    /// Counts an operation, and gives the turn away if it is due.
    fn count(&self) {
        let mut turn = self.lock();
        if turn.operations != 0 {
            turn.operations -= 1;
            return;
        }
        turn.is_asides = false;
        self.passed.notify_all();
        drop(turn);
        self.wait_for_turn(true);
    }
}

/// Called before every changing operation that may be held up, without any lock.
pub(super) fn may_be_held_up() {
    let own = OWN.with(|own| own.borrow().clone());
    if let Some(turns) = own {
        turns.count();
    }
}

/// Called by a thread that waits for what another one has: an aside is held up immediately, and a
/// client's thread beside others lets them run. False on a thread that begins asides, because nothing
/// could resume it.
pub(super) fn give_way() -> bool {
    let own = OWN.with(|own| own.borrow().clone());
    let Some(turns) = own else {
        std::thread::yield_now();
        return !HAS_ASIDES.get();
    };
    turns.lock().operations = 0;
    turns.count();
    true
}
