//! Code that several steps share, by family: hops, branches, folds, texts, lists, merges.
//!
//! The file of each step states how the step uses it.

pub(super) mod branches;
pub(super) mod cardinality;
pub(super) mod choosing;
pub(super) mod folds;
pub(super) mod hops;
pub(super) mod lists;
pub(super) mod merge_found;
pub(super) mod merging;
pub(super) mod operands;
pub(super) mod property_arguments;
pub(super) mod ranges;
pub(super) mod sources;
pub(super) mod texts;
pub(super) mod wheres;
