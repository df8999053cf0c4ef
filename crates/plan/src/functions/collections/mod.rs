//! Functions on lists, sets and maps, and between them.

#[macro_use]
pub(super) mod list_edits;
#[macro_use]
pub(super) mod lists;
#[macro_use]
pub(super) mod map_edits;
#[macro_use]
pub(super) mod maps;
#[macro_use]
pub(super) mod mixed;
#[macro_use]
pub(super) mod reduce;
#[macro_use]
pub(super) mod sets;
#[macro_use]
pub(super) mod vectors;

pub use lists::NumberRange;
