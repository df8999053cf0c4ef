//! The families of functions: a file each, a row for each function.

pub(super) mod aggregates;
pub(super) mod durations;
pub(super) mod files;
pub(super) mod graphs;
pub(super) mod instants;
pub(super) mod lists;
pub(super) mod numbers;
pub(super) mod predicates;
pub(super) mod scalars;
pub(super) mod spatial;
pub(super) mod strings;
pub(super) mod trigonometry;
pub(super) mod vectors;
