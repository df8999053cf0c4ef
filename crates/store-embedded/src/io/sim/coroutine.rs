//! A thread beside the caller's, one of the two at a time: how an operation is suspended between
//! two steps.
//!
//! ```text
//!   caller  ── start ──┐             ┌── other steps, other commits ──┐             ┌── its answer
//!   coroutine           └── n changes ┘             suspended            └── resume ─┘
//! ```
//!
//! Only one thread runs at a time. Control is passed at changing operations of the disk and nowhere
//! else, so a seed replays exactly. An operation on the log never passes it, since the store holds
//! the log's lock there.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

thread_local! {
    /// How control passes to and from the coroutine that this thread is, if it is one.
    static OWN: RefCell<Option<Arc<Handover>>> = const { RefCell::new(None) };
    /// Whether this thread has begun coroutines: then a suspended one holds the resource that it
    /// waits for.
    static HAS_COROUTINES: Cell<bool> = const { Cell::new(false) };
}

/// Work on a thread of its own that runs only while its owner waits for it.
pub struct Coroutine<T> {
    handover: Arc<Handover>,
    answer: Arc<Mutex<Option<std::thread::Result<T>>>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Handover {
    state: Mutex<Control>,
    passed: Condvar,
}

#[derive(Default)]
struct Control {
    is_coroutines: bool,
    /// Changing operations before it is suspended.
    operations: u64,
    is_done: bool,
}

impl<T: Send + 'static> Coroutine<T> {
    /// Work that has not begun.
    pub fn new(work: impl FnOnce() -> T + Send + 'static) -> Coroutine<T> {
        HAS_COROUTINES.set(true);
        let handover = Arc::new(Handover::default());
        let answer = Arc::new(Mutex::new(None));
        let (own_handover, own_answer) = (Arc::clone(&handover), Arc::clone(&answer));
        let thread = std::thread::spawn(move || {
            own_handover.wait_for_control(true);
            OWN.with(|own| *own.borrow_mut() = Some(Arc::clone(&own_handover)));
            let outcome = catch_unwind(AssertUnwindSafe(work));
            *own_answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
            own_handover.end();
        });
        Coroutine { handover, answer, thread: Some(thread) }
    }

    /// Lets it go on for some changing operations; its answer, if it came to its end. It panics
    /// here if it panicked there.
    pub fn resume(&mut self, operations: u64) -> Option<T> {
        self.handover.pass_to_coroutine(operations);
        if !self.handover.wait_for_control(false) {
            return None;
        }
        if let Some(thread) = self.thread.take() {
            thread.join().expect("a coroutine catches its panics");
        }
        let answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner).take();
        match answer.expect("an answer is taken once") {
            Ok(answer) => Some(answer),
            Err(panic) => resume_unwind(panic),
        }
    }
}

impl Handover {
    fn lock(&self) -> MutexGuard<'_, Control> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pass_to_coroutine(&self, operations: u64) {
        let mut control = self.lock();
        control.is_coroutines = true;
        control.operations = operations;
        self.passed.notify_all();
    }

    /// Whether the coroutine is done.
    fn wait_for_control(&self, of_coroutine: bool) -> bool {
        let mut control = self.lock();
        while control.is_coroutines != of_coroutine {
            control = self.passed.wait(control).unwrap_or_else(PoisonError::into_inner);
        }
        control.is_done
    }

    fn end(&self) {
        let mut control = self.lock();
        (control.is_coroutines, control.is_done) = (false, true);
        self.passed.notify_all();
    }

    /// Counts an operation, and passes control if it is due.
    fn count(&self) {
        let mut control = self.lock();
        if control.operations != 0 {
            control.operations -= 1;
            return;
        }
        control.is_coroutines = false;
        self.passed.notify_all();
        drop(control);
        self.wait_for_control(true);
    }
}

/// Called before every changing operation that may be suspended, without any lock.
pub(super) fn suspension_point() {
    let own = OWN.with(|own| own.borrow().clone());
    if let Some(handover) = own {
        handover.count();
    }
}

/// Called by a thread that waits for a resource of another one: a coroutine is suspended
/// immediately, and a client's thread beside others lets them run. False on a thread that begins
/// coroutines, because nothing could resume it.
pub(super) fn give_way() -> bool {
    let own = OWN.with(|own| own.borrow().clone());
    let Some(handover) = own else {
        std::thread::yield_now();
        return !HAS_COROUTINES.get();
    };
    handover.lock().operations = 0;
    handover.count();
    true
}
