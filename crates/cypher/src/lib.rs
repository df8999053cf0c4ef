//! Cypher: openCypher 9, and what users of Neo4j 5 write beyond it, from text to plans.
//!
//! ```text
//!   text ──text──> tree ──scope──> tree with symbols ──clauses, patterns, expressions──> Plan
//!                 positions        names, types, aggregation rules
//! ```
//!
//! - `text`: the lexer and the parser's core: tokens, look-ahead, errors with positions.
//! - `tree`: the syntax of expressions, patterns and queries, with positions.
//! - `clauses`: a file for each clause: its syntax, its reader, its scope, its plan.
//! - `scope`: symbols, static types, rules of aggregation. Whatever is wrong with a text is found here, and not in
//!   the plan.
//! - `patterns`, `expressions`, `functions`: a resolved tree to operators and expressions of a plan.
//! - `commands`: indexes, constraints, databases, `SHOW`.
//!
//! - `translate`: the state of a translation; projections, queries.
//! - `language`: what the database sees.
//! - `write`: a tree as text again, in a normal form.
//! - `limits`: the named bounds.
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
mod scope;
mod text;
mod translate;
mod tree;
mod write;

pub use functions::{ListedFunction, functions_page, listed_functions};
pub use scope::diagnose;
pub use text::{check, normal_text};
