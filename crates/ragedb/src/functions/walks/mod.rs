//! Functions that follow relationships: from one node, from many, over several hops; and sets of what they find.
//!
//! A walk is a plan for each call. Longer chains of steps that become one plan are in `traversals`.

pub(super) mod bulk;
pub(super) mod degrees;
pub(super) mod hops;
mod prefetch;
pub(super) mod sets;
pub(super) mod traversing;
