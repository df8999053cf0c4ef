//! The builder of plans, for front ends and tests: it adds operators and names columns.
//!
//! Shorthands for operators that a front end writes often enter. Nothing here looks at a plan to change it: that is
//! a rule's work, and a builder's method that needs a rule stands beside the rule.

mod plan_builder;
pub mod tags;

pub use plan_builder::PlanBuilder;
