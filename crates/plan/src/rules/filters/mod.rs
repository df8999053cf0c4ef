//! Rules of the second phase: where rows are dropped, and by what.

pub(super) mod bound_end;
pub(super) mod filter_down;
pub(super) mod known_label;
