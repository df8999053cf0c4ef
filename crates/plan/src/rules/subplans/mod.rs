//! Rules of the first phase: the kinds of subplans, and where scans, hops and counts begin.

pub(super) mod count_pattern;
pub(super) mod distinct_count;
pub(super) mod let_once;
pub(crate) mod look_up;
pub(super) mod narrow_scan;
pub(super) mod one_of;
pub(super) mod outer_row;
pub(super) mod reach;
pub(super) mod semi_join;
pub(super) mod simple_path;
pub(super) mod start_by_hints;
