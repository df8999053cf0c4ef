//! Prepared statements: one plan for all traversals that are equal once parameterized, and a pool of its
//! operators for the next runs.
//!
//! The engine's plan cache finds a plan by comparing whole plans; a prepared statement holds its plan, and
//! a run only takes operators from the pool.

use millrace_engine::Prepared;
use millrace_gremlin::{StepColumns, translate};
use millrace_model::bytecode::Bytecode;
use millrace_model::{Batch, Error, ErrorKind, Result, TraversalMetrics, Value};
use millrace_plan::{Parameter, Plan};
use parking_lot::Mutex;

use super::options::Options;
use super::profile;
use crate::execution::Execution;
use crate::limits::STATEMENT_POOL_MAX;

/// A plan with the operators that wait for its next run.
pub(super) struct PreparedStatement {
    plan: Plan,
    /// The parameter slot of each parameter of the plan.
    takes: Vec<usize>,
    options: Options,
    /// Which step made which columns, if the traversal returns its metrics in place of rows.
    profiled: Option<Vec<StepColumns>>,
    pool: Mutex<Vec<Prepared>>,
}

impl PreparedStatement {
    /// Prepares a parameterized traversal.
    pub(super) fn of_bytecode(bytecode: &Bytecode) -> Result<PreparedStatement> {
        let translation = translate(bytecode)?;
        let number = |name: &str| {
            name.parse().map_err(|_| {
                Error::new(ErrorKind::Bug, format!("a parameter slot is called `{name}`"))
            })
        };
        let names = translation.parameters.iter().map(|(name, _)| number(name));
        let statement = PreparedStatement::new(translation.plan, names.collect::<Result<_>>()?);
        let profiled = translation.wants_metrics.then_some(translation.steps);
        Ok(PreparedStatement { options: Options::of(bytecode)?, profiled, ..statement })
    }

    /// A plan whose parameters are passed in its order.
    pub(super) fn of_plan(plan: Plan) -> PreparedStatement {
        let takes = (0..plan.parameters.len()).collect();
        PreparedStatement::new(plan, takes)
    }

    fn new(plan: Plan, takes: Vec<usize>) -> PreparedStatement {
        let (options, pool) = (Options::default(), Mutex::default());
        PreparedStatement { plan, takes, options, profiled: None, pool }
    }

    /// The options that the traversal sets for its run.
    pub(super) fn options(&self) -> Options {
        self.options
    }

    /// The plan.
    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The parameters of a run with these values.
    pub(super) fn parameters(&self, mut values: Vec<Value>) -> Vec<Parameter> {
        let mut take = |slot: usize| Parameter::Value(std::mem::take(&mut values[slot]));
        self.takes.iter().map(|&slot| take(slot)).collect()
    }

    /// Runs it and returns its metrics, if the traversal asks for them.
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
        let pooled = self.pool.lock().pop();
        let mut prepared = match pooled {
            Some(prepared) => prepared,
            None => Prepared::optimized(&self.plan)?,
        };
        let result = execution.run_prepared(&mut prepared, parameters);
        if !execution.is_heavy() {
            let mut pool = self.pool.lock();
            if pool.len() < STATEMENT_POOL_MAX {
                pool.push(prepared);
            }
        }
        result
    }
}
