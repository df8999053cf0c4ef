//! Who declares, and who must not be overtaken by a declaration: one declarer of a graph at a time,
//! beside all small writers, but not beside the last part of a load.
//!
//! What a reader would get wrong: this keeps nothing sound. A writer that was overtaken by a
//! declaration is sent back by its marks; a load or a spilled write set of ten million rows is kept
//! from that fate, because running it again is dear.

use parking_lot::{Condvar, Mutex};

use millrace_model::{Error, ErrorKind, Phase, Result};

/// The gate of one graph.
#[derive(Default)]
pub(crate) struct Declaring {
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Default)]
struct State {
    alone: bool,
    shared: u32,
}

/// The part of a load that no declaration overtakes.
pub(crate) struct Shared<'a> {
    gate: &'a Declaring,
}

impl Declaring {
    /// Waits for the declarer. Without threads nobody would end while one waits, so the answer is
    /// a conflict.
    pub(crate) fn shared(&self, waits: bool) -> Result<Shared<'_>> {
        let mut state = self.state.lock();
        while state.alone {
            self.wait(&mut state, waits)?;
        }
        state.shared += 1;
        Ok(Shared { gate: self })
    }

    /// Waits until nobody else declares and no load ends; [`Declaring::leave`] ends it.
    pub(crate) fn enter(&self, waits: bool) -> Result<()> {
        let mut state = self.state.lock();
        while state.alone || state.shared != 0 {
            self.wait(&mut state, waits)?;
        }
        state.alone = true;
        Ok(())
    }

    /// The declarer is done.
    pub(crate) fn leave(&self) {
        self.state.lock().alone = false;
        self.moved.notify_all();
    }

    fn wait(&self, state: &mut parking_lot::MutexGuard<'_, State>, waits: bool) -> Result<()> {
        if waits {
            self.moved.wait(state);
            return Ok(());
        }
        let detail = "something else is being declared or loaded in this graph";
        Err(Error::new(ErrorKind::Conflict, detail)
            .with_help("run the transaction again")
            .in_phase(Phase::Commit))
    }
}

impl Drop for Shared<'_> {
    fn drop(&mut self) {
        self.gate.state.lock().shared -= 1;
        self.gate.moved.notify_all();
    }
}
