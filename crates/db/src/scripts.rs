//! One script: its transaction, its races, its answer.

use std::sync::Arc;
use std::time::Instant;

use millrace_lua::{Access, Interpreter};
use millrace_model::{Error, ErrorKind, Result};
use millrace_store::{Store, Ticket};
use parking_lot::Mutex;

use crate::execution::{Execution, RequestLimits, Shared};
use crate::limits::{LOST_RACE_PAUSE, LOST_RACE_PAUSE_MAX};
use crate::metrics::Counters;

/// A script to run.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its text.
    pub text: Arc<str>,
    /// What it may do.
    pub access: Access,
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

/// An answer, and the commit it waits for; a script that wrote nothing waits for none.
pub(crate) struct Answered {
    pub(crate) answer: String,
    pub(crate) ticket: Option<Ticket>,
}

/// What scripts of one graph share.
pub(crate) struct ScriptGraph {
    pub(crate) store: Arc<dyn Store>,
    /// Held by a script that lost too many races, so that those take turns (STORE section 4).
    pub(crate) turn: Mutex<()>,
    pub(crate) counters: Arc<Counters>,
}

/// Runs a script until it commits, fails, or its time is up.
pub(crate) fn run(
    interpreter: &mut Interpreter,
    graph: &ScriptGraph,
    script: &Script,
) -> std::result::Result<Answered, ScriptFailure> {
    with_races(graph, &script.limits, || attempt(interpreter, graph, script))
}

/// Runs `attempt` again while it loses races: three times at once, then in turn with other losers,
/// until the deadline.
pub(crate) fn with_races<T>(
    graph: &ScriptGraph,
    limits: &RequestLimits,
    mut attempt: impl FnMut() -> std::result::Result<T, ScriptFailure>,
) -> std::result::Result<T, ScriptFailure> {
    let mut turn = None;
    let mut lost = 0;
    loop {
        let result = attempt();
        let is_lost = |failure: &ScriptFailure| failure.error.kind == ErrorKind::Conflict;
        if !result.as_ref().is_err_and(is_lost) || limits.is_over() {
            return result;
        }
        lost += 1;
        graph.counters.race_lost();
        if millrace_store::limits::LOST_RACES_MAX <= lost && turn.is_none() {
            turn = Some(graph.turn.lock());
        }
        pause(lost, limits.deadline);
    }
}

/// The winner becomes visible with the sync that is under way; running at once would lose again.
fn pause(lost: u32, deadline: Option<Instant>) {
    let pause = LOST_RACE_PAUSE.saturating_mul(1 << lost.min(10)).min(LOST_RACE_PAUSE_MAX);
    let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    std::thread::sleep(left.map_or(pause, |left| pause.min(left)));
}

fn attempt(
    interpreter: &mut Interpreter,
    graph: &ScriptGraph,
    script: &Script,
) -> std::result::Result<Answered, ScriptFailure> {
    let execution = Shared::new(Execution::begin(&graph.store, &script.limits)?);
    let answer = interpreter.run(&script.text, script.access, Box::new(execution.clone()));
    drop(answer.runner);
    let answer = answer
        .result
        .map_err(|failed| ScriptFailure { error: failed.error, lua_text: Some(failed.text) })?;
    let ticket = execution.into_inner().commit()?;
    Ok(Answered { answer, ticket })
}

/// Runs a script in one sandbox for its globals only; what it writes is rolled back.
pub(crate) fn replay(
    interpreter: &mut Interpreter,
    graph: &ScriptGraph,
    text: &str,
    access: Access,
    limits: &RequestLimits,
) -> Result<()> {
    let execution = Execution::begin(&graph.store, limits)?;
    let answer = interpreter.run(text, access, Box::new(Shared::new(execution)));
    answer.result.map(|_| ()).map_err(|failed| failed.error)
}
