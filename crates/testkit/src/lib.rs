//! Workshop for tests: goldens, seeded randomness, skips by name.
//!
//! A dev-dependency of every crate and a normal dependency of none (`cargo xtask tidy` checks it).
//! Temporary folders are not here: they come from the `tempfile` crate.

pub mod golden;
mod require;
mod rng;
mod seeds;
mod variables;

pub use require::{require, shared};
pub use rng::Rng;
pub use seeds::run_seeds;
pub use variables::number;
