//! Memory outside Lua's own: what a call makes while it grows, and what results hold until they are dropped.
//!
//! The module counts bytes. It never knows what they are for, nor the session that charges them.

mod growth;
mod reservation;

pub(crate) use growth::{Growth, sort};
pub(crate) use reservation::{Ledger, Reservation};
