//! Cypher: openCypher 9, and what users of Neo4j 5 write beyond it, from text to plans.
//!
//! ```text
//!   language     what the database sees: scripts, completion, trees of operators
//!   commands     indexes, constraints, databases, SHOW ──> calls of procedures
//!   clauses      clauses, projections, queries ──> operators
//!   patterns     patterns, found and made ──> operators
//!   expressions  expressions of a tree ──> expressions of a plan
//!   scope        tree ──> tree with symbols: names, types, rules of aggregation; whatever is wrong with a text
//!   functions    the table of functions
//!   translate    the state of a translation
//!   primitives   expressions of a plan that operators and functions are made of
//!   types        static types, symbols
//!   apoc         calls of APOC's procedures ──> clauses
//!   write        tree ──> text in a normal form
//!   text         text ──> tokens ──> tree, with positions; errors of syntax
//!   tree         the syntax of expressions, patterns, clauses, commands, queries
//!   limits       the named bounds
//! ```
//!
//! These are the modules, and a module imports from those below it only: the list is in
//! `crates/xtask/arrows.toml`, and `cargo xtask tidy` checks it.
//!
//! An expression may hold a query, which has clauses, which have expressions. The trees and the readers of all of them are
//! one module each; translation goes around by a trait, `translate::Nested`.
//!
//! This crate sees `model` and `plan` only: no store, no engine, no transport.

mod apoc;
mod clauses;
mod commands;
mod expressions;
mod functions;
pub mod language;
pub mod limits;
mod patterns;
mod primitives;
mod scope;
mod text;
mod translate;
mod tree;
mod types;
mod write;

pub use functions::{ListedFunction, functions_page, listed_functions};
pub use scope::diagnose;
pub use text::check;
pub use write::normal_text;
