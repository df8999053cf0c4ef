//! Operators that go on along paths, and what they share: the tree of steps, the edges of a round.

pub(super) mod bidirectional;
pub(super) mod cheapest_ways;
pub(super) mod edges;
pub(super) mod path_expand;
pub(super) mod path_step;
pub(super) mod radius;
pub(super) mod recursive_expand;
pub(super) mod trail_endpoints;
pub(super) mod tree;
