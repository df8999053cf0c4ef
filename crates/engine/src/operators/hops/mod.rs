//! Operators that go from vertices to their edges and neighbours, a frontier at once.

pub(super) mod between;
pub(super) mod count;
pub(super) mod degree;
pub(super) mod endpoints;
pub(super) mod expand;
pub(super) mod expand_into;
pub(super) mod hop;
pub(super) mod intersect;
pub(super) mod neighbours;
pub(super) mod sum_ids;
