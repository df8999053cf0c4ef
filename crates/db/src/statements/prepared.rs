//! A statement with its plan, and a pool of operators that wait for the next run.

use millrace_engine::{Cursor, Prepared};
use millrace_model::{Batch, Profile, Result, Value};
use millrace_plan::language::{AnswerRoom, Compiled, Explained, Options, Outcome};
use millrace_plan::{Op, Parameter, Pipeline, Plan};
use parking_lot::Mutex;

use crate::limits::POOLED_OPERATORS_MAX;
use crate::request::ResultHead;
use crate::transaction::{Attempts, Execution};

/// A plan, and operators of it between two runs.
pub(crate) struct PreparedStatement {
    compiled: Compiled,
    writes: bool,
    commits: bool,
    plan_bytes: usize,
    pub(crate) attempts: Attempts,
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
        let lets = compiled.plan.lets.iter().map(|binding| &binding.pipeline);
        let writes = lets.chain([&compiled.plan.root]).any(Pipeline::writes);
        let mut commits = false;
        compiled.plan.root.visit_ops(&mut |op| commits |= matches!(op, Op::InTransactions(_)));
        let plan_bytes = compiled.plan.byte_size();
        PreparedStatement {
            compiled,
            plan_bytes,
            writes,
            commits,
            attempts: Attempts::default(),
            pool: Mutex::default(),
        }
    }

    /// A plan of the database's own; its parameters are bound in their order in the plan.
    pub(crate) fn of_plan(plan: Plan) -> PreparedStatement {
        let slots = (0..plan.parameters.len()).collect();
        let options = Options::default();
        let (profiler, columns, is_administrative) = (None, None, false);
        PreparedStatement::new(Compiled {
            plan,
            slots,
            options,
            profiler,
            writer: None,
            columns,
            is_administrative,
        })
    }

    /// Bytes of its plan.
    pub(super) fn plan_bytes(&self) -> usize {
        self.plan_bytes
    }

    /// The options that the statement sets for its run.
    pub(crate) fn options(&self) -> Options {
        self.compiled.options
    }

    /// What is known of its results before a run.
    pub(crate) fn head(&self) -> ResultHead {
        ResultHead {
            columns: self.compiled.columns.clone(),
            only_reads: !self.writes,
            is_administrative: self.compiled.is_administrative,
        }
    }

    /// The parameters of a run with these values of its slots.
    pub(crate) fn parameters(&self, mut values: Vec<Value>) -> Vec<Parameter> {
        let mut take = |slot: usize| Parameter::Value(std::mem::take(&mut values[slot]));
        self.compiled.slots.iter().map(|&slot| take(slot)).collect()
    }

    /// Its operators, without a run.
    pub(crate) fn explain(&self, execution: &mut Execution) -> Result<Explained> {
        let explanation = execution.prepared(&self.compiled.plan)?.explain();
        let tree = self.compiled.profiler.as_ref().and_then(|profiler| profiler.tree(&explanation));
        Ok(Explained { text: explanation.operators_text(), tree })
    }

    /// Runs it for its profile and its rows, if a profile is wanted.
    pub(crate) fn profile(
        &self,
        execution: &mut Execution,
        parameters: &[Parameter],
    ) -> Result<Option<(Profile, Batch)>> {
        let Some(profiler) = &self.compiled.profiler else { return Ok(None) };
        // Pooled operators have counts of earlier runs.
        let mut prepared = execution.prepared(&self.compiled.plan)?;
        let (rows, explanation) = execution.profile_prepared(&mut prepared, parameters)?;
        Ok(Some((profiler.profile(&explanation), rows)))
    }

    /// Whether its language writes the answer.
    pub(crate) fn has_writer(&self) -> bool {
        self.compiled.writer.is_some()
    }

    /// The answer that its language writes of its rows, if it does.
    pub(crate) fn write(&self, outcome: &Outcome, room: &dyn AnswerRoom) -> Result<Option<String>> {
        match (&self.compiled.writer, outcome) {
            (Some(writer), Outcome::Rows(rows)) => writer.write(rows, room).map(Some),
            (Some(_) | None, _) => Ok(None),
        }
    }

    /// Runs it; all its rows, in one batch.
    pub(crate) fn run(&self, execution: &mut Execution, parameters: &[Parameter]) -> Result<Batch> {
        let mut prepared = self.take(execution)?;
        let result = execution.run_prepared(&mut prepared, parameters);
        if !execution.is_heavy() {
            self.give(prepared);
        }
        result
    }

    /// Whether it changes something, or may.
    pub(crate) fn writes(&self) -> bool {
        self.writes
    }

    /// Whether it commits batches of rows by itself.
    pub(crate) fn commits(&self) -> bool {
        self.commits
    }

    /// Whether it changes nothing: its rows may leave while it runs.
    pub(crate) fn only_reads(&self) -> bool {
        !self.writes && self.compiled.profiler.is_none()
    }

    /// Begins to run it; its rows come from the cursor, which [`PreparedStatement::close`] ends.
    pub(crate) fn open(
        &self,
        execution: &mut Execution,
        parameters: &[Parameter],
    ) -> Result<Cursor> {
        execution.open(self.take(execution)?, parameters)
    }

    /// Ends a run.
    pub(crate) fn close(&self, execution: &mut Execution, cursor: Cursor) {
        if let Some(prepared) = execution.close(cursor) {
            self.give(prepared);
        }
    }

    fn take(&self, execution: &Execution) -> Result<Prepared> {
        let pooled = self.pool.lock().pop();
        pooled.map_or_else(|| execution.prepared(&self.compiled.plan), Ok)
    }

    fn give(&self, prepared: Prepared) {
        let mut pool = self.pool.lock();
        if pool.len() < POOLED_OPERATORS_MAX {
            pool.push(prepared);
        }
    }
}
