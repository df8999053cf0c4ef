//! The integration tests of the durable store, in one binary.

mod conformance;
mod declarations;
mod log_simulator;
mod memory;
mod opening;
mod simulator;
mod soak;
