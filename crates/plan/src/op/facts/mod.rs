//! What an operator states about itself, for rules, analyses, the printer and the engine, and the terms for it.
//!
//! A fact that each operator answers enters, with a safe default where there is one. No operator is named here, so
//! that a new one changes nothing; what is concluded from the facts of several operators is of `analysis`.

pub mod access;
mod demand;
mod element_columns;
mod operator_facts;

pub(in crate::op) use access::{Reads, Writes};
pub use demand::Demand;
pub use element_columns::{ElementColumns, KnownKinds, MadeKinds};
pub use operator_facts::{DependsOn, Distinct, Effect, Facts};
pub(super) use operator_facts::{and_made, kinds_of};
