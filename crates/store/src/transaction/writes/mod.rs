//! The writes of a transaction: each checks its rules over the view, then changes the write set; and the commit.
//!
//! A kind of write enters, set-at-a-time, and the rules that several of them check.

pub(super) mod commit;
pub(super) mod create;
pub(super) mod delete;
pub(super) mod index_change;
pub(super) mod irregular_keys;
pub(super) mod labels_write;
pub(super) mod merge_created;
pub(super) mod property_rules;
pub(super) mod schema_change;
pub(super) mod set_properties;
