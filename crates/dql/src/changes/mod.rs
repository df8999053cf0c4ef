//! What clients ask to change: mutations with their quads, and changes of the schema, as plain data.
//!
//! ```text
//!   N-Quads, JSON, messages ──> Quads ──> Mutation ──> Changes      (one request: a query, and mutations with conditions)
//!   the text of /alter, or a name ──> Alter
//! ```
//!
//! Which predicates there are and which types their values have is not known here: `language` asks the schema.

mod alter;
mod of_text;
mod quads;

use std::sync::Arc;

use millrace_model::Result;

use crate::tree;

pub use alter::Alter;
pub use quads::{Facet, NodeNumber, NodeRef, ObjectRef, QuadRow, Quads};

/// A request that changes data: at most one query, whose variables the mutations use, and mutations in their order.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The text of the query; empty: there is none.
    pub query: Arc<str>,
    /// The query as a document, where the text was part of a larger one.
    pub document: Option<tree::Document>,
    /// The mutations.
    pub mutations: Vec<Mutation>,
}

/// Quads to set and to delete, if a condition holds.
#[derive(Clone, Debug, Default)]
pub struct Mutation {
    /// `@if(eq(len(v), 0))`; none: always.
    pub condition: Option<tree::Filter>,
    /// What is added.
    pub set: Quads,
    /// What is removed, before anything is added.
    pub delete: Quads,
}

impl Mutation {
    /// One with a condition, as clients send it: `@if(…)`, or nothing.
    pub fn with_condition(text: &str) -> Result<Mutation> {
        let condition = match text.trim() {
            "" => None,
            text => crate::parse_condition(text)?,
        };
        Ok(Mutation { condition, ..Mutation::default() })
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.delete.is_empty()
    }
}
