//! How commits reach a partition: routed by group, applied under one lock, with ids for new edges.

pub(super) mod apply;
pub(super) mod edge_slots;
pub(super) mod route;
pub(super) mod writes;
