//! One file for each operator of the algebra, or for several fused into one, in the folder of its family; what several
//! families share is beside the folders.
//!
//! An operator takes slots, never column names, and gives the columns that live on (`Keep`, in
//! order) followed by its own new ones, if they are read later; `Compile` turns the one into the other. Order
//! within a scope is kept; barriers give scopes in order of their ordinals.
//!
//! ```text
//!   compile ──> all;  writes ──> sources, hops;  paths ──> subplans ──> hops, scopes;  all ──> vertices
//! ```
//!
//! Patterns of several operators, and checks of whole plans, are in `prepare`; an operator never asks which plan it is in.

mod compile;
mod hops;
mod paths;
mod rows;
mod scopes;
mod sources;
mod subplans;
mod vertices;
mod writes;

pub(crate) use compile::compile;
pub(crate) use hops::count::{CountEdges, CountScanned, Counted, HasEdges};
pub(crate) use hops::hop::{Hop, HopResult};
pub(crate) use hops::sum_ids::SumIds;
pub(crate) use rows::filter::Filter;
pub(crate) use scopes::aggregate::{compile_by_element, reads_any};
pub(crate) use scopes::dedup::Dedup;
pub(crate) use scopes::first_in_scope::FirstInScope;
pub(crate) use sources::in_order::InOrder;
pub(crate) use writes::fail::failure;
pub(crate) use writes::label_names::label_texts;
