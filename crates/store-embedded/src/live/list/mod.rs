//! Adjacency lists that were modified since the base: a sorted prefix and a stamped tail.

pub(super) mod chunks;
pub(super) mod local_map;
pub(super) mod modified_list;
pub(super) mod prefix;
pub(super) mod tail;
