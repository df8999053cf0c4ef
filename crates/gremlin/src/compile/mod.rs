//! From a whole traversal to its plan: its profile is taken off, its strategies rewrite it, the words about its source
//! are applied, and then its steps are translated.
//!
//! What is about the traversal as a whole enters. What a step means is in its file, and the values of parameters are
//! not here: two traversals that differ in these alone have one plan.

mod sources;
mod strategies;
mod translation;

pub use translation::{Translation, translate};
