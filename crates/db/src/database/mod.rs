//! A database: the graphs of one data folder by name, and what they share; its loads, its backup, its end.
//!
//! It makes, finds and drops graphs. It runs no request: sessions and languages are above and add their own methods to
//! [`Database`].

mod handle;
pub(crate) mod loads;
mod names;
mod renewal;
mod start_checks;

pub use handle::Database;
pub use renewal::Emptying;
