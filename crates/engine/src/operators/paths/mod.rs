//! Operators that go on along paths, and what they share: the tree of steps, the edges of a round.

pub(super) mod approach;
pub(super) mod bidirectional;
pub(super) mod bounds;
pub(super) mod by_length;
pub(super) mod cheapest_ways;
pub(super) mod depth_first;
pub(super) mod edges;
pub(super) mod found;
pub(super) mod path_expand;
pub(super) mod path_step;
pub(super) mod radius;
pub(super) mod recursive_expand;
pub(super) mod trail_endpoints;
pub(super) mod tree;
pub(super) mod walked;
pub(super) mod way_test;
