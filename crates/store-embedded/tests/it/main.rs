//! The integration tests of the durable store, in one binary.

mod admission;
mod append;
mod backup;
mod check;
mod conformance;
mod damage;
mod declarations;
mod delta_images;
mod edge_ids;
mod external_repair;
mod failed_syncs;
mod found;
mod full_disk;
mod further_edges;
mod large_commits;
mod loads;
mod log_simulator;
mod memory;
mod opening;
mod ordered_repair;
mod repair;
mod simulator;
mod soak;
mod unwritable;
