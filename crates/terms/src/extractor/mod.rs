//! What an index makes of a value.

mod key_extractor;
mod keys;
pub mod scored;
mod text_form;

pub use key_extractor::KeyExtractor;
pub use keys::{KeySink, RowKeySink, WordCounts};
