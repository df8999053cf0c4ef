//! A traversal as a plan.

use std::sync::Arc;

use millrace_bytecode::Bytecode;
use millrace_model::compare::CompareMode;
use millrace_model::{Result, Value};
use millrace_plan::{Plan, PlanBuilder};

use super::sources::sources;
use super::strategies;
use crate::steps::{LIST, Profiled};
use crate::translate::{Shared, State, StepColumns, Traversal, options};

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
    let mut shared = Shared::of(&LIST, bytecode);
    let mut traversal = Traversal { plan: &mut plan, shared: &mut shared, state: State::default() };
    sources(&mut traversal, bytecode)?;
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
