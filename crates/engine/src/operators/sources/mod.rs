//! Operators that rows begin with.

pub(super) mod in_order;
pub(super) mod let_ref;
pub(super) mod lookup_by_id;
pub(super) mod rows;
pub(super) mod scan;
pub(super) mod seek;
