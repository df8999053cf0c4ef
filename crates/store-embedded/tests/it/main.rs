//! The integration tests of the durable store, in one binary.

mod backup;
mod check;
mod conformance;
mod log_simulator;
mod memory;
mod opening;
mod repair;
mod simulator;
mod soak;
