//! Procedures that define and list indexes and constraints by name.
//!
//! ```text
//!   Rule ──text──> a note `schema.rule.NAME` of the catalog
//!     └──needs──> definitions of the catalog: an index, properties
//! ```
//!
//! The catalog has indexes and properties without names; a rule is an index or a constraint with one. A rule holds
//! while the catalog has the definitions that it needs, so a definition that another language drops ends its rules, and
//! one that another language makes is a rule under a generated name. Several rules may need one definition; it is
//! dropped with the last of them.

mod awaited;
mod create;
mod drop;
mod fulltext;
mod made;
mod nearest;
mod options;
mod rule;
mod rules;
mod show;
mod vector;

use std::sync::Arc;

use crate::context::Procedure;

pub(super) use drop::drop_index;
pub(super) use fulltext::{Fulltext, create_fulltext, fulltext_index};
pub(super) use options::fulltext_config;

/// The procedures of this family.
pub(super) fn procedures() -> Vec<Arc<dyn Procedure>> {
    vec![
        Arc::new(awaited::AwaitIndex),
        Arc::new(awaited::AwaitIndexes),
        Arc::new(awaited::ResampleIndex),
        Arc::new(create::CreateConstraint),
        Arc::new(create::CreateIndex),
        Arc::new(drop::DROP_CONSTRAINT),
        Arc::new(drop::DROP_CONSTRAINT_ON),
        Arc::new(drop::DROP_INDEX),
        Arc::new(drop::DROP_INDEX_ON),
        Arc::new(nearest::QUERY_NODES),
        Arc::new(nearest::QUERY_RELATIONSHIPS),
        Arc::new(nearest::SET_NODE),
        Arc::new(nearest::SET_OLD),
        Arc::new(nearest::SET_RELATIONSHIP),
        Arc::new(show::Constraints),
        Arc::new(show::Indexes),
        Arc::new(vector::CreateNodeIndex),
    ]
}
