//! Bytes that results hold outside Lua's own memory, counted until they are dropped.
//!
//! Lua's collector sees only the few bytes of a userdata, not the columns behind it. So the session
//! counts them, charges them to the query's budget, and collects when much has been made.

use std::cell::Cell;
use std::ops::Deref;
use std::rc::Rc;

use super::list::Items;

/// All that is held by results of one interpreter, what scripts keep in globals included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger(Rc<Cell<usize>>);

impl Ledger {
    /// Bytes held now.
    pub(crate) fn bytes(&self) -> usize {
        self.0.get()
    }

    /// Counts bytes until the answer is dropped.
    pub(crate) fn hold(&self, bytes: usize) -> Held {
        self.0.set(self.0.get().saturating_add(bytes));
        Held { bytes, ledger: self.clone() }
    }
}

/// Counted bytes.
#[derive(Debug)]
pub(crate) struct Held {
    bytes: usize,
    ledger: Ledger,
}

impl Held {
    /// How many there are.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Counts other bytes with these.
    pub(crate) fn add(&mut self, mut other: Held) {
        self.bytes += std::mem::take(&mut other.bytes);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.ledger.0.set(self.ledger.0.get().saturating_sub(self.bytes));
    }
}

/// Entries that lists and elements share, and their count of bytes.
#[derive(Debug)]
pub(crate) struct Shared {
    items: Items,
    _held: Held,
}

impl Shared {
    /// Entries with what was counted for them.
    pub(crate) fn new(items: Items, held: Held) -> Rc<Shared> {
        Rc::new(Shared { items, _held: held })
    }
}

impl Deref for Shared {
    type Target = Items;

    fn deref(&self) -> &Items {
        &self.items
    }
}
