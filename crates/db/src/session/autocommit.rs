//! A request that is a transaction of its own, run again after a write conflict.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::language::{Binding, StatementKind};
use millrace_store::{ConflictTicketId, non_blocking};

use super::evaluate::{Evaluated, Evaluation};
use super::graphs::graph_of;
use super::stream::{ResultStream, Started};
use super::transactions::Transactions;
use crate::database::Database;
use crate::request::{Phase, Request, Results, Statements, Variables};
use crate::statements::CachedScript;
use crate::transaction::retrying;

/// Runs a request over variables that may outlive it; the assignments of a failed attempt are undone.
pub(super) fn run(
    database: &Database,
    request: &Request,
    variables: &mut Variables,
    results: &mut dyn Results,
) -> Result<Started> {
    with_script(database, request, variables, |script, variables| {
        run_script(database, request, script, variables, results)
    })
}

/// Runs the script of a request with its literals as variables; positions in errors are those of its own text.
pub(super) fn with_script<T>(
    database: &Database,
    request: &Request,
    variables: &mut Variables,
    run: impl FnOnce(&Arc<CachedScript>, &mut Variables) -> Result<T>,
) -> Result<T> {
    let read = || database.statements().normalized_script(&request.source);
    let (script, literals) = request.limits.trace.time(Phase::Parse, read)?;
    variables.extend(&request.bindings, request.limits.bytes_max)?;
    let is_normalized = !literals.is_empty();
    variables.set_literals(literals.into_iter().map(Binding::Value).collect());
    let done = run(&script, variables);
    variables.set_literals(Vec::new());
    // A script may have committed before it failed, so it never runs a second time to find the position.
    done.map_err(|error| match &request.source.statements {
        Statements::Text(text) if is_normalized => {
            let original = |position| request.source.language.original_position(text, position);
            Error { position: error.position.map(original), ..error }
        }
        Statements::Text(_) | Statements::Decoded(_) => error,
    })
}

/// The error of a statement that waits for results that are not there.
pub(super) fn blocked() -> Error {
    Error::new(ErrorKind::Bug, "a statement waits for results that are not open")
}

fn run_script(
    database: &Database,
    request: &Request,
    script: &Arc<CachedScript>,
    variables: &mut Variables,
    results: &mut dyn Results,
) -> Result<Started> {
    let mut attempt = |ticket: Option<ConflictTicketId>| {
        let mut copy = script.assigns.then(|| variables.clone());
        let mut transactions = match request.is_read_only {
            true => Transactions::reading(),
            false => Transactions::with_ticket(ticket),
        };
        let mut evaluation = Evaluation {
            database,
            request,
            transactions: &mut transactions,
            variables: copy.as_mut().unwrap_or(variables),
            is_open: false,
            may_stream: true,
            has_open_results: false,
        };
        let done = match evaluation.run(script, results)? {
            Evaluated::Done(ticket) => ticket,
            Evaluated::Blocked => return Err(blocked()),
            Evaluated::Open(query) => {
                if let Some(assigned) = copy {
                    *variables = assigned;
                }
                let stream = ResultStream::new(transactions, Arc::clone(script), *query);
                return Ok(Started::Streaming(Box::new(stream)));
            }
        };
        let committed = request.limits.trace.time(Phase::Commit, || transactions.commit(None));
        let ticket = match (committed, done) {
            (Ok(ticket), done) => ticket.or(done),
            // The error is answered after the script's own commit is visible.
            (Err(error), Some(done)) => return done.wait().and(Err(error)),
            (Err(error), None) => return Err(error),
        };
        if let Some(assigned) = copy {
            *variables = assigned;
        }
        Ok(Started::Done(ticket))
    };
    // A script that commits halfway cannot be run again; nor can one that committed to another graph.
    let Some(graph) = only_graph(script) else {
        non_blocking::would_block()?;
        return attempt(None);
    };
    let graph = graph_of(database, request, graph)?;
    let parts = graph.parts();
    retrying(&parts.store, &parts.counters, &request.limits, attempt)
}

/// The only graph that a script runs on, if it leaves its transaction to the request.
fn only_graph(script: &CachedScript) -> Option<&str> {
    let mut only = None;
    for statement in script.statements() {
        match statement.kind {
            StatementKind::Query | StatementKind::Explain => {
                if *only.get_or_insert(&*statement.graph) != &*statement.graph {
                    return None;
                }
            }
            StatementKind::Begin | StatementKind::Commit | StatementKind::Rollback => return None,
            StatementKind::Value => {}
        }
    }
    only
}
