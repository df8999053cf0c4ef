//! Cases of indexes and of the rules that a schema defines.

pub(super) mod indexes;
pub(super) mod made_keys;
pub(super) mod out_of_line_rules;
pub(super) mod ranges;
pub(super) mod rules;
pub(super) mod values;
pub(super) mod vectors;
