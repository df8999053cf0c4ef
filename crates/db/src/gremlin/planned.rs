//! Plans that are made once for all traversals of one shape, with the operators that idle between runs.
//!
//! The engine's cache finds a plan by comparing whole plans; here the shape holds its plan, and a run
//! only takes operators that are idle.

use millrace_engine::Prepared;
use millrace_gremlin::{StepColumns, translate};
use millrace_model::bytecode::Bytecode;
use millrace_model::{Batch, Error, ErrorKind, Result, TraversalMetrics, Value};
use millrace_plan::{Parameter, Plan};
use parking_lot::Mutex;

use super::options::Options;
use super::profile;
use crate::execution::Execution;
use crate::limits::IDLE_ALIKE_MAX;

/// A plan, and operators that wait for the next run.
pub(super) struct Planned {
    plan: Plan,
    /// Which of a traversal's values each parameter takes.
    takes: Vec<usize>,
    options: Options,
    /// Which step made which columns, where what the plan does is wanted in place of its rows.
    profiled: Option<Vec<StepColumns>>,
    idle: Mutex<Vec<Prepared>>,
}

impl Planned {
    /// The plan of all traversals that look like this one, with lifted literals.
    pub(super) fn of_shape(shape: &Bytecode) -> Result<Planned> {
        let translation = translate(shape)?;
        let number = |name: &str| {
            name.parse().map_err(|_| {
                Error::new(ErrorKind::Bug, format!("a lifted value is called `{name}`"))
            })
        };
        let names = translation.parameters.iter().map(|(name, _)| number(name));
        let planned = Planned::new(translation.plan, names.collect::<Result<_>>()?);
        let profiled = translation.wants_metrics.then_some(translation.steps);
        Ok(Planned { options: Options::of(shape)?, profiled, ..planned })
    }

    /// A plan with parameters that are given in its order.
    pub(super) fn of_plan(plan: Plan) -> Planned {
        let takes = (0..plan.parameters.len()).collect();
        Planned::new(plan, takes)
    }

    fn new(plan: Plan, takes: Vec<usize>) -> Planned {
        let (options, idle) = (Options::default(), Mutex::default());
        Planned { plan, takes, options, profiled: None, idle }
    }

    /// What the traversal says of how it is to be run.
    pub(super) fn options(&self) -> Options {
        self.options
    }

    /// The plan.
    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The parameters of a run with these values.
    pub(super) fn parameters(&self, mut values: Vec<Value>) -> Vec<Parameter> {
        let mut take = |place: usize| Parameter::Value(std::mem::take(&mut values[place]));
        self.takes.iter().map(|&place| take(place)).collect()
    }

    /// Runs it for what it does, if that is what is wanted.
    pub(super) fn profile(
        &self,
        execution: &mut Execution,
        parameters: &[Parameter],
    ) -> Result<Option<TraversalMetrics>> {
        let Some(steps) = &self.profiled else { return Ok(None) };
        // Operators that ran before have counts of earlier runs.
        let mut prepared = Prepared::optimized(&self.plan)?;
        let explanation = execution.profile_prepared(&mut prepared, parameters)?;
        Ok(Some(profile::metrics(&explanation, steps)))
    }

    /// Runs it.
    pub(super) fn run(&self, execution: &mut Execution, parameters: &[Parameter]) -> Result<Batch> {
        let idle = self.idle.lock().pop();
        let mut prepared = match idle {
            Some(prepared) => prepared,
            None => Prepared::optimized(&self.plan)?,
        };
        let result = execution.run_prepared(&mut prepared, parameters);
        if !execution.is_heavy() {
            let mut idle = self.idle.lock();
            if idle.len() < IDLE_ALIKE_MAX {
                idle.push(prepared);
            }
        }
        result
    }
}
