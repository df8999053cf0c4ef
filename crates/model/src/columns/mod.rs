//! Rows: columns, batches of them, paths of a run as steps, external ids as they are stored.
//!
//! The form in which values move between operators and stores. No operator enters, and no text of a language.

pub mod batch;
pub mod column;
pub mod copying;
pub mod external_id;
pub(crate) mod multi_valued;
pub mod path_arena;
