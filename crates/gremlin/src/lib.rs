//! Gremlin: text to instructions, instructions to plans.
//!
//! ```text
//!   text ──text::parse──┐
//!                       ├──> Bytecode ──lift──> Bytecode with numbered values
//!   bytes ───wire───────┘
//! ```
//!
//! Nothing here runs a plan, opens a store or knows a protocol. What a reader would get wrong: the parser
//! knows how things are written, not what they mean; that there is no such step, or that it takes no such
//! argument, is found later, by the position its instruction carries.

pub mod lift;
pub mod limits;
pub mod replacements;
pub mod text;

mod steps;
pub mod translate;

pub use steps::profile::Profiled;
pub use translate::{StepColumns, Translation, translate};
