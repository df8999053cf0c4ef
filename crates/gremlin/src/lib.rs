//! Gremlin: text to instructions, instructions to plans.
//!
//! ```text
//!   text ──text::parse──┐
//!                       ├──> Bytecode ──parameterize──> Bytecode with numbered values
//!   bytes ───wire───────┘
//! ```
//!
//! Nothing here runs a plan, opens a store or knows a protocol. The parser knows syntax, not meaning: an
//! unknown step or a wrong argument is reported later, with the position that its instruction carries.

pub mod language;
pub mod limits;
pub mod parameterize;
pub mod replacements;
pub mod text;

mod step;
mod steps;
pub mod translate;

/// Traversals as instructions, of which plans are made.
pub use millrace_bytecode as bytecode;
pub use step::Step;
pub use steps::{Profiled, STEPS};
pub use translate::{StepColumns, Translation, translate};
