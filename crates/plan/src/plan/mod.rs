//! A whole plan: its pipelines, its `Let`s, its names and hints, and its text.
//!
//! What is true of a plan without looking for it enters; a property that must be computed is of `analysis`, a change
//! of `rules`.

pub mod hints;
mod query_plan;
mod text;

pub use hints::{DegreeHint, Hints, IndexHint, Mentioned};
pub use query_plan::{LetBinding, Plan};
