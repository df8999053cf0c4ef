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
//!
//! The modules, of which each imports from those below it only (the list is in `crates/xtask/arrows.toml`, and
//! `cargo xtask tidy` checks it):
//!
//! ```text
//!   language       Gremlin as a language of the database
//!   compile        a whole traversal to its plan: profile, strategies, source
//!   parameterize   literals of traversals and texts become parameters
//!   steps          a file for each step
//!   translate      a traversal while it is translated, and the terms in which a step describes itself
//!   text           text to instructions
//!   replacements   unsupported words, each with its replacement
//!   limits         the bounds
//! ```

mod compile;
pub mod language;
pub mod limits;
pub mod parameterize;
pub mod replacements;
pub mod text;

mod steps;
pub mod translate;

pub use compile::{Translation, translate};
/// Traversals as instructions, of which plans are made.
pub use millrace_bytecode as bytecode;
pub use steps::{Profiled, STEPS};
pub use translate::{Step, StepColumns};
