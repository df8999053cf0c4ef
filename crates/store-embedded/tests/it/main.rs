//! The integration tests of the durable store, in one binary.

mod admission;
mod backup;
mod check;
mod conformance;
mod declarations;
mod delta_images;
mod failed_syncs;
mod found;
mod full_disk;
mod log_simulator;
mod memory;
mod opening;
mod repair;
mod simulator;
mod soak;
