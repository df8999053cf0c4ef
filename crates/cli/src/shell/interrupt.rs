//! Ctrl-C while a query runs: one thread waits for the signal and calls what ends the query.
//!
//! At the prompt no signal comes, since the line editor reads Ctrl-C as a key. Elsewhere a signal while nothing
//! runs ends the process, as without a handler.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use millrace_model::{Error, ErrorKind, Result};
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

/// What a process that ended by Ctrl-C gives its shell: 128 and the signal's number.
const INTERRUPTED: i32 = 130;

type Action = Box<dyn Fn() + Send>;

/// Whether Ctrl-C was pressed, and what it does now.
#[derive(Clone, Default)]
pub(crate) struct Interrupt {
    is_raised: Arc<AtomicBool>,
    stays_alive: Arc<AtomicBool>,
    action: Arc<Mutex<Option<Action>>>,
}

/// A query that can be ended. Dropped: no query runs.
pub(crate) struct Watched<'a>(&'a Interrupt);

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.0.set(None);
    }
}

impl Interrupt {
    /// Listens for the signal from now on.
    pub(crate) fn listen() -> Result<Interrupt> {
        let failed = |error: std::io::Error| {
            Error::new(ErrorKind::Io, format!("Ctrl-C cannot be listened for: {error}"))
        };
        let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let mut signals = {
            let _inside = runtime.enter();
            signal(SignalKind::interrupt()).map_err(failed)?
        };
        let interrupt = Interrupt::default();
        let own = interrupt.clone();
        thread::spawn(move || {
            runtime.block_on(async {
                while signals.recv().await.is_some() {
                    own.raise();
                }
            });
        });
        Ok(interrupt)
    }

    /// From now on a signal while nothing runs does nothing.
    pub(crate) fn keep_alive(&self) {
        self.stays_alive.store(true, Ordering::SeqCst);
    }

    /// A query begins, and this ends it.
    pub(crate) fn watch(&self, action: impl Fn() + Send + 'static) -> Watched<'_> {
        self.is_raised.store(false, Ordering::SeqCst);
        self.set(Some(Box::new(action)));
        Watched(self)
    }

    /// Whether Ctrl-C was pressed since the last query began.
    pub(crate) fn is_raised(&self) -> bool {
        self.is_raised.load(Ordering::SeqCst)
    }

    fn set(&self, action: Option<Action>) {
        *self.action.lock().unwrap_or_else(PoisonError::into_inner) = action;
    }

    fn raise(&self) {
        let action = self.action.lock().unwrap_or_else(PoisonError::into_inner);
        match action.as_ref() {
            Some(action) => {
                self.is_raised.store(true, Ordering::SeqCst);
                action();
            }
            None if self.stays_alive.load(Ordering::SeqCst) => {}
            None => std::process::exit(INTERRUPTED),
        }
    }
}
