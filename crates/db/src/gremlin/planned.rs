//! Plans that are made once for all traversals of one shape, with the operators that idle between runs.
//!
//! What a reader would get wrong: the cache of the engine finds a plan by comparing whole plans; here
//! whoever has the shape has the plan, and only takes operators that nobody uses just now.

use millrace_engine::Prepared;
use millrace_gremlin::translate;
use millrace_model::bytecode::Bytecode;
use millrace_model::{Batch, Error, ErrorKind, Result, Value};
use millrace_plan::{Parameter, Plan};
use parking_lot::Mutex;

use super::options::Options;
use crate::execution::Execution;
use crate::limits::IDLE_ALIKE_MAX;

/// A plan, and operators that wait for the next run.
pub(super) struct Planned {
    plan: Plan,
    /// Which of a traversal's values each parameter takes.
    takes: Vec<usize>,
    options: Options,
    idle: Mutex<Vec<Prepared>>,
}

impl Planned {
    /// The plan of all traversals that look like this one, whose literals were lifted.
    pub(super) fn of_shape(shape: &Bytecode) -> Result<Planned> {
        let translation = translate(shape)?;
        let number = |name: &str| {
            name.parse().map_err(|_| {
                Error::new(ErrorKind::Bug, format!("a lifted value is called `{name}`"))
            })
        };
        let names = translation.parameters.iter().map(|(name, _)| number(name));
        let planned = Planned::new(translation.plan, names.collect::<Result<_>>()?);
        Ok(Planned { options: Options::of(shape)?, ..planned })
    }

    /// A plan whose parameters are given in its order.
    pub(super) fn of_plan(plan: Plan) -> Planned {
        let takes = (0..plan.parameters.len()).collect();
        Planned::new(plan, takes)
    }

    fn new(plan: Plan, takes: Vec<usize>) -> Planned {
        Planned { plan, takes, options: Options::default(), idle: Mutex::default() }
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
