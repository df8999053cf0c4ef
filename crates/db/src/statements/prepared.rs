//! A statement with its plan, and a pool of operators that wait for the next run.

use millrace_engine::Prepared;
use millrace_model::{Batch, Profile, Result, Value};
use millrace_plan::language::{Compiled, Options};
use millrace_plan::{Parameter, Plan};
use parking_lot::Mutex;

use crate::limits::POOLED_OPERATORS_MAX;
use crate::session::execution::Execution;

/// A plan, and operators of it between two runs.
pub(crate) struct PreparedStatement {
    compiled: Compiled,
    pool: Mutex<Vec<Prepared>>,
}

/// A statement that can run.
pub(crate) struct ReadyStatement {
    pub(crate) prepared: std::sync::Arc<PreparedStatement>,
    /// The values of its slots.
    pub(crate) values: Vec<Value>,
}

impl PreparedStatement {
    /// A statement that was compiled.
    pub(crate) fn new(compiled: Compiled) -> PreparedStatement {
        PreparedStatement { compiled, pool: Mutex::default() }
    }

    /// A plan of the database's own, whose parameters are given in its order.
    pub(crate) fn of_plan(plan: Plan) -> PreparedStatement {
        let slots = (0..plan.parameters.len()).collect();
        let options = Options::default();
        PreparedStatement::new(Compiled { plan, slots, options, profile: None })
    }

    /// What the statement says of how it is to run.
    pub(crate) fn options(&self) -> Options {
        self.compiled.options
    }

    /// The plan.
    pub(crate) fn plan(&self) -> &Plan {
        &self.compiled.plan
    }

    /// The parameters of a run with these values of its slots.
    pub(crate) fn parameters(&self, mut values: Vec<Value>) -> Vec<Parameter> {
        let mut take = |slot: usize| Parameter::Value(std::mem::take(&mut values[slot]));
        self.compiled.slots.iter().map(|&slot| take(slot)).collect()
    }

    /// Runs it for its profile, if that is wanted in place of its rows.
    pub(crate) fn profile(
        &self,
        execution: &mut Execution,
        parameters: &[Parameter],
    ) -> Result<Option<Profile>> {
        let Some(profiler) = &self.compiled.profile else { return Ok(None) };
        // Pooled operators have counts of earlier runs.
        let mut prepared = Prepared::optimized(&self.compiled.plan)?;
        let explanation = execution.profile_prepared(&mut prepared, parameters)?;
        Ok(Some(profiler.profile(&explanation)))
    }

    /// Runs it; all its rows, in one batch.
    pub(crate) fn run(&self, execution: &mut Execution, parameters: &[Parameter]) -> Result<Batch> {
        let pooled = self.pool.lock().pop();
        let mut prepared = match pooled {
            Some(prepared) => prepared,
            None => Prepared::optimized(&self.compiled.plan)?,
        };
        let result = execution.run_prepared(&mut prepared, parameters);
        if !execution.is_heavy() {
            let mut pool = self.pool.lock();
            if pool.len() < POOLED_OPERATORS_MAX {
                pool.push(prepared);
            }
        }
        result
    }
}
