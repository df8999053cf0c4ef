//! From instructions to a plan.
//!
//! A traverser is a row; its object, tags, path and sack are columns, so a step adds operators and says
//! which columns hold them from there on. A traversal inside another starts from the rows outside and
//! runs once for all of them. The translation reads no data: a `Kind` is its knowledge of objects before a
//! run; where it is `Kind::Any`, the operators find out at run time.
//!
//! What several steps translate with enters, and the terms in which a step describes itself ([`Step`]). No step is
//! named here: the translation asks the list of steps that it is given.

mod by;
mod calls;
mod collect;
mod connectives;
pub(crate) mod elements;
mod janusgraph;
mod kind;
mod options;
mod predicates;
pub(crate) mod properties;
mod sack_merges;
mod state;
mod step;
mod step_list;
mod traversal;
mod types;
mod values;

pub(crate) use by::By;
pub(crate) use calls::{Call, check_count, name, names, wrong};
pub(crate) use connectives::connect;
pub(crate) use kind::{At, Kind};
pub use options::options;
pub(crate) use sack_merges::merge_sacks;
pub(crate) use state::{Parts, State, Sub, Tag};
pub use step::Step;
pub(crate) use step::{Fact, Leads, MANY, Parameters};
pub(crate) use step_list::StepList;
pub use traversal::StepColumns;
pub(crate) use traversal::{Shared, SideEffectKind, Traversal, set_tags};
pub(crate) use values::{
    SourceValue, described, has_element, integer, reduction, scope, symbol, text_or_null,
};
