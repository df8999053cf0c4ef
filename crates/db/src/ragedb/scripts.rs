//! One script: its transaction, its write conflicts, its answer.

use std::borrow::Borrow;
use std::sync::Arc;

use millrace_model::query_limits::enforce;
use millrace_model::{Error, MemoryShare, Result, Value};
use millrace_ragedb::lua::{Access, Interpreter, ScriptLimits};
use millrace_store::{ConflictTicketId, Ticket};

use super::script_limits::OfScript;
use crate::request::{Phase, RequestLimits};
use crate::transaction::{Execution, GraphParts, Shared, retrying};

/// A script to run.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its text.
    pub text: Arc<str>,
    /// What it may do.
    pub access: Access,
    /// Globals that it has besides those of its sandbox.
    pub parameters: Vec<(Arc<str>, Value)>,
    /// How long and how large it may be.
    pub limits: RequestLimits,
}

/// Why a script gave no answer.
#[derive(Clone, Debug)]
pub struct ScriptFailure {
    /// What the caller can do about it.
    pub error: Error,
    /// What Lua says, if the script itself failed.
    pub lua_text: Option<String>,
}

/// The JSON text of a script's last expression.
pub type ScriptResult = std::result::Result<String, ScriptFailure>;

impl From<Error> for ScriptFailure {
    fn from(error: Error) -> ScriptFailure {
        ScriptFailure { error, lua_text: None }
    }
}

impl Borrow<Error> for ScriptFailure {
    fn borrow(&self) -> &Error {
        &self.error
    }
}

/// An answer, and the commit it waits for; a script that wrote nothing waits for none.
pub(crate) struct Answered {
    pub(crate) answer: String,
    pub(crate) ticket: Option<Ticket>,
}

/// Runs a script until it commits, fails, or its time is up.
pub(crate) fn run(
    interpreter: &mut Interpreter,
    graph: &GraphParts,
    script: &Script,
) -> std::result::Result<Answered, ScriptFailure> {
    let share = Arc::new(graph.memory.share());
    retrying(&graph.store, &graph.counters, &script.limits, |ticket| {
        attempt(interpreter, graph, script, (ticket, &share))
    })
}

fn attempt(
    interpreter: &mut Interpreter,
    graph: &GraphParts,
    script: &Script,
    (ticket, share): (Option<ConflictTicketId>, &Arc<MemoryShare>),
) -> std::result::Result<Answered, ScriptFailure> {
    let execution = Execution::begin(graph, &script.limits, ticket)?.in_interpreter(share);
    let execution = Shared::new(execution);
    let enforced = enforce(OfScript::new(&script.limits, &graph.memory, share));
    interpreter.set_parameters(script.access, &script.parameters)?;
    let answer = interpreter.run(
        &script.text,
        script.access,
        sizes(&script.limits),
        Box::new(execution.clone()),
    );
    // A commit is not stopped.
    let kept = enforced.finish();
    drop((enforced, answer.runner));
    script.limits.trace.add(Phase::Parse, answer.reading);
    let answer = answer
        .result
        .map_err(|failed| ScriptFailure { error: failed.error, lua_text: Some(failed.text) })?;
    kept?;
    let execution = execution.into_inner();
    let ticket = script.limits.trace.time(Phase::Commit, || execution.commit())?;
    Ok(Answered { answer, ticket })
}

/// Runs a script in one sandbox for its globals only; what it writes is rolled back.
pub(crate) fn replay(
    interpreter: &mut Interpreter,
    graph: &GraphParts,
    text: &str,
    access: Access,
    limits: &RequestLimits,
) -> Result<()> {
    let share = Arc::new(graph.memory.share());
    let execution = Execution::begin(graph, limits, None)?.in_interpreter(&share);
    let _enforced = enforce(OfScript::new(limits, &graph.memory, &share));
    let answer = interpreter.define(text, access, sizes(limits), Box::new(Shared::new(execution)));
    answer.result.map(|_| ()).map_err(|failed| failed.error)
}

fn sizes(limits: &RequestLimits) -> ScriptLimits {
    let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
    ScriptLimits {
        bytes_max: size(limits.bytes_max),
        answer_bytes_max: size(limits.answer_bytes_max),
        times_reading: limits.trace.is_on(),
    }
}
