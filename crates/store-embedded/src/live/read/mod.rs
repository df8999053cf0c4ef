//! Reads of partitions: expansion, scans, records and columns, a chunk under each lock.

pub(super) mod ahead;
pub(super) mod edges;
pub(super) mod elements;
pub(super) mod expand;
pub(super) mod frontier;
pub(super) mod numbers;
pub(super) mod scan;
pub(super) mod vertices;
