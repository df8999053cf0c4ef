//! The integration tests of the durable store, in one binary.

mod admission;
mod append;
mod backup;
mod check;
mod conformance;
mod damage;
mod delta_layers;
mod edge_ids;
mod external_repair;
mod failed_syncs;
mod found;
mod full_disk;
mod index_builds;
mod loads;
mod log_simulator;
mod memory;
mod opening;
mod ordered_repair;
mod out_of_line_commits;
mod overflow_edges;
mod read_only;
mod repair;
mod schema_changes;
mod simulator;
mod soak;
mod unwritable;
