//! Literals become parameters: those of a traversal, so that traversals which differ only in them share a plan, and
//! those of a text, so that texts which differ only in them are parsed once.
//!
//! What decides which literals are values of a plan enters. A step says it of its arguments; nothing is translated
//! here.

mod literals;
mod normalized;
mod original;

pub(crate) use literals::element;
pub use literals::{LiteralSlots, literal_slots, parameterize, say_ids};
pub use normalized::{normalize, parse_normalized};
pub use original::original_position;
