//! Operators that write, and what they share: properties on their way into elements, rows in their order.

pub(super) mod absent_nulls;
pub(super) mod claim;
pub(super) mod create;
pub(super) mod define;
pub(super) mod delete;
pub(super) mod fail;
pub(super) mod label_names;
pub(super) mod merge;
pub(super) mod property_writes;
pub(super) mod remove;
pub(super) mod set;
pub(super) mod set_labels;
