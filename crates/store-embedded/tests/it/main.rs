//! The integration tests of the durable store, in one binary.

mod log_simulator;
