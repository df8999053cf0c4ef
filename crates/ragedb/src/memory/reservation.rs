//! Memory of results outside Lua's own, reserved until they are dropped.
//!
//! Lua's collector sees only the few bytes of a userdata, not the columns behind it. So the session
//! counts them, charges them to the query's budget, and collects when much has been made.

use std::cell::Cell;
use std::rc::Rc;

/// The memory of all results of one interpreter, of those in globals too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger(Rc<Cell<usize>>);

impl Ledger {
    /// Bytes reserved now.
    pub(crate) fn bytes(&self) -> usize {
        self.0.get()
    }

    /// Reserves bytes until the reservation is dropped.
    pub(crate) fn reserve(&self, bytes: usize) -> Reservation {
        self.0.set(self.0.get().saturating_add(bytes));
        Reservation { bytes, ledger: self.clone() }
    }
}

/// Reserved bytes.
#[derive(Debug)]
pub(crate) struct Reservation {
    bytes: usize,
    ledger: Ledger,
}

impl Reservation {
    /// How many there are.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes over the bytes of another reservation.
    pub(crate) fn add(&mut self, mut other: Reservation) {
        self.bytes += std::mem::take(&mut other.bytes);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.ledger.0.set(self.ledger.0.get().saturating_sub(self.bytes));
    }
}
