//! The integration tests of the durable store, in one binary.

mod admission;
mod conformance;
mod delta_images;
mod failed_syncs;
mod full_disk;
mod found;
mod log_simulator;
mod memory;
mod opening;
mod simulator;
mod soak;
