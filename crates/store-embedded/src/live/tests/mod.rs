//! Tests of the partition as a whole, against naive graphs and across checkpoints.

mod checkpoint_test;
mod concurrent_test;
pub(super) mod differential_test;
mod expand_test;
mod hub_test;
mod overflow_test;
