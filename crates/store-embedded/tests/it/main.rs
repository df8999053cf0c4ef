//! The integration tests of the durable store, in one binary.

mod conformance;
mod declarations;
mod log_simulator;
mod opening;
mod simulator;
