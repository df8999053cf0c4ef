//! From instructions to a plan.
//!
//! A traverser is a row; its object, tags, path and sack are columns, so a step adds operators and says
//! which columns hold them from there on. A traversal inside another starts from the rows outside and
//! runs once for all of them. The translation reads no data: a `Kind` is its knowledge of objects before a
//! run; where it is `Kind::Any`, the operators find out at run time.

mod by;
mod calls;
mod collect;
mod connectives;
pub(crate) mod elements;
mod kind;
mod options;
mod predicates;
pub(crate) mod properties;
mod state;
mod strategies;
mod traversal;
mod types;
mod values;

pub(crate) use by::By;
pub(crate) use calls::{Call, check_count, name, names, wrong};
pub(crate) use connectives::connect;
pub(crate) use kind::{At, Kind};
pub use options::options;
pub(crate) use state::{Parts, State, Sub, Tag};
pub(crate) use traversal::{SideEffectKind, Traversal, set_tags};
pub(crate) use values::{SourceValue, described, integer, reduction, scope, symbol, text_or_null};

use std::ops::Range;
use std::sync::Arc;

use millrace_bytecode::Bytecode;
use millrace_model::compare::CompareMode;
use millrace_model::{Result, Value};
use millrace_plan::{ColumnId, Plan, PlanBuilder};

use crate::steps::Profiled;

/// The columns of a plan that were made for a step, or for the steps inside of it.
#[derive(Clone, Debug)]
pub struct StepColumns {
    /// The step's name.
    pub step: &'static str,
    /// Its columns.
    pub columns: Range<ColumnId>,
}

/// A traversal as a plan.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The plan; its one output column holds the objects of traversers.
    pub plan: Plan,
    /// The value of each of its parameters, in their order.
    pub parameters: Vec<(Arc<str>, Value)>,
    /// Whether the profile of the plan is wanted in place of its rows.
    pub wants_metrics: bool,
    /// Which step made which columns; a step stands behind those inside of it.
    pub steps: Vec<StepColumns>,
}

/// The plan of a traversal.
pub fn translate(bytecode: &Bytecode) -> Result<Translation> {
    let mut plan = PlanBuilder::new(CompareMode::NullIsValue);
    options(bytecode)?;
    let profiled = Profiled::of(bytecode);
    let wants_metrics = profiled.as_ref().is_some_and(|profiled| profiled.wants_metrics);
    let bytecode = profiled.as_ref().map_or(bytecode, |profiled| &profiled.rest);
    let bytecode = &strategies::rewrite(bytecode)?;
    let mut shared = traversal::Shared::of(bytecode);
    let mut traversal = Traversal { plan: &mut plan, shared: &mut shared, state: State::default() };
    traversal.sources(bytecode)?;
    traversal.run(bytecode)?;
    let output = traversal.output();
    if !shared.bulk {
        plan = plan.without_merging();
    }
    if let Some(seed) = shared.seed {
        plan = plan.with_seed(seed);
    }
    let (parameters, steps) = (shared.parameters, shared.steps);
    Ok(Translation { plan: plan.finish(output), parameters, wants_metrics, steps })
}
