//! What clients ask to change: mutations with their quads, and changes of the schema, as plain data.
//!
//! ```text
//!   N-Quads, JSON, messages ──> Quads ──> Mutation ──> Changes      (one request: a query, and mutations with conditions)
//!   the text of /alter, or a name ──> Alter
//! ```
//!
//! Which predicates there are and which types their values have is not known here: `language` asks the schema.

mod alter;
mod bytes;
mod quads;

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::Result;

use crate::tree;

pub use alter::Alter;
pub use bytes::{bytes_of_json, bytes_of_messages, bytes_of_nquads, bytes_of_query};
pub use quads::{Facet, NodeNumber, NodeRef, ObjectRef, QuadRow, Quads};

/// A request that changes data: at most one query, and mutations in their order, which use its variables.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The text of the query; empty: there is none.
    pub query: Arc<str>,
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

impl Changes {
    /// The variables that its mutations use.
    pub(crate) fn variables(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        for mutation in &self.mutations {
            if let Some(condition) = &mutation.condition {
                names_of(condition, &mut names);
            }
            mutation.set.variables().chain(mutation.delete.variables()).for_each(|name| {
                names.insert(name);
            });
        }
        names
    }
}

/// The variables of a condition, which compares their lengths.
fn names_of<'t>(condition: &'t tree::Filter, names: &mut BTreeSet<&'t str>) {
    match condition {
        tree::Filter::Function(function) => {
            if let tree::Subject::Length(name) | tree::Subject::Variable(name) = &function.subject {
                names.insert(&name.text);
            }
        }
        tree::Filter::Not { of, .. } => names_of(of, names),
        tree::Filter::And(all) | tree::Filter::Or(all) => {
            all.iter().for_each(|own| names_of(own, names));
        }
    }
}

impl Mutation {
    /// One with a condition, as clients send it: `@if(…)`, or nothing.
    pub fn with_condition(text: &str) -> Result<Mutation> {
        let condition = match text.trim() {
            "" => None,
            text => crate::syntax::parse_condition(text)?,
        };
        Ok(Mutation { condition, ..Mutation::default() })
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.delete.is_empty()
    }
}
