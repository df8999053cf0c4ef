//! The gate of schema changes: one at a time in a graph, beside all small writers, but not beside
//! the last part of a load.
//!
//! Correctness does not depend on it. A writer that a schema change overtook is sent back by its
//! marks; the gate spares a load or a spilled write set of ten million rows that, because running
//! it again is expensive.

use crate::sync::{Condvar, Mutex};

/// The gate of one graph.
#[derive(Default)]
pub(crate) struct SchemaLock {
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Default)]
struct State {
    alone: bool,
    shared: u32,
}

/// The part of a load that no definition overtakes.
pub(crate) struct Shared<'a> {
    gate: &'a SchemaLock,
}

impl SchemaLock {
    /// Waits for the schema change.
    pub(crate) fn shared(&self) -> Shared<'_> {
        let mut state = self.state.lock();
        while state.alone {
            self.moved.wait(&mut state);
        }
        state.shared += 1;
        Shared { gate: self }
    }

    /// The same, if no schema change is running.
    pub(crate) fn try_shared(&self) -> Option<Shared<'_>> {
        let mut state = self.state.lock();
        if state.alone {
            return None;
        }
        state.shared += 1;
        Some(Shared { gate: self })
    }

    /// Waits until no other schema change runs and no load ends; [`SchemaLock::leave`] ends it.
    pub(crate) fn enter(&self) {
        let mut state = self.state.lock();
        while state.alone || state.shared != 0 {
            self.moved.wait(&mut state);
        }
        state.alone = true;
    }

    /// The same, if that is so now.
    pub(crate) fn try_enter(&self) -> Option<()> {
        let mut state = self.state.lock();
        let is_free = !state.alone && state.shared == 0;
        state.alone |= is_free;
        is_free.then_some(())
    }

    /// The schema change is done.
    pub(crate) fn leave(&self) {
        self.state.lock().alone = false;
        self.moved.notify_all();
    }
}

impl Drop for Shared<'_> {
    fn drop(&mut self) {
        self.gate.state.lock().shared -= 1;
        self.gate.moved.notify_all();
    }
}
