//! Requests of transactions: statements, commit, rollback.
//!
//! Statements that are committed by the request that brings them are run again after a write conflict. A transaction of
//! several requests gives the conflict to its client.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::http::StatusCode;
use millrace_db::session::ExplicitTransaction;
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::bolt::Failure;
use millrace_wire::neo4j_http::{
    Form, Statement, Transaction, TransactionReply, http_date, transaction_reply,
};

use super::answer::Answer;
use super::open::{OpenTransaction, Owner, Taken};
use super::query::{Asked, Job, bookmark_of};
use super::{Asker, Shared};
use crate::executor::{guarded, visible};
use crate::neo4j::{Target, bookmark, deadline};
use crate::state::State;

/// Does the statements of a request.
pub(super) async fn transaction(
    shared: &Shared,
    asker: &Asker<'_>,
    request: Transaction,
) -> Answer {
    let Transaction { database, id, commits, statements } = request;
    let state = &shared.state;
    if id.is_none() && commits && statements.len() == 1 {
        let only = statements.into_iter().next();
        let done = match only {
            Some(only) => alone(state, asker, &database, only).await,
            None => Ok((Vec::new(), None)),
        };
        return ended(done.map_err(|error| Failure::of(&error)));
    }
    if id.is_none() && commits {
        return ended(whole(shared, asker, &database, &statements).await);
    }
    let owner = Owner { user: asker.user(), database };
    let taken = match id {
        Some(id) => shared.open.take(id, &owner),
        None => begin(shared, asker, owner),
    };
    let mut taken = match taken {
        Ok(taken) => taken,
        Err(failure) => return Answer::failed_transaction(&failure),
    };
    let id_of = taken.id;
    let mut results = Vec::new();
    for statement in statements {
        match run_in(state, asker, &mut taken, statement).await {
            Ok(result) => results.push(result),
            // Dropped, the transaction is rolled back.
            Err(error) => {
                drop(taken);
                let failure = Failure::of(&error);
                let failure = Some(&failure);
                let reply = TransactionReply { results: &results, failure, ..Default::default() };
                return Answer::new(StatusCode::OK, transaction_reply(&reply));
            }
        }
    }
    if commits {
        let done = commit(state, asker, taken).await;
        let done = done.map(|bookmark| (results, bookmark));
        return ended(done.map_err(|error| Failure::of(&error)));
    }
    let idle = Duration::from_millis(state.database.settings().bolt.transaction_idle_ms);
    taken.put_back(idle);
    let place = format!("http://{}{}/{id_of}", asker.host(), asker.path_of_transactions());
    let commit = format!("{place}/commit");
    let expires = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() + idle;
    let expires = http_date(expires.as_secs());
    let open = Some((&*commit, &*expires));
    let reply = TransactionReply { results: &results, open, ..Default::default() };
    let text = transaction_reply(&reply);
    match id {
        None => Answer { location: Some(place), ..Answer::new(StatusCode::CREATED, text) },
        Some(_) => Answer::new(StatusCode::OK, text),
    }
}

/// Rolls a transaction back.
pub(super) fn roll_back(shared: &Shared, asker: &Asker<'_>, database: String, id: u64) -> Answer {
    match shared.open.take(id, &Owner { user: asker.user(), database }) {
        Ok(taken) => {
            drop(taken);
            Answer::new(StatusCode::OK, transaction_reply(&TransactionReply::default()))
        }
        Err(failure) => Answer::failed_transaction(&failure),
    }
}

/// Results as JSON, and the bookmark of their commit.
type Done = (Vec<String>, Option<String>);

/// The answer to a transaction that has ended. One of a database that is not there is 404, any other failure is
/// only named in the body.
fn ended(done: std::result::Result<Done, Failure>) -> Answer {
    match done {
        Ok((results, bookmark)) => {
            let bookmark = bookmark.as_deref();
            let reply = TransactionReply { results: &results, bookmark, ..Default::default() };
            Answer::new(StatusCode::OK, transaction_reply(&reply))
        }
        Err(failure) => Answer::failed_transaction(&failure),
    }
}

/// A statement that may run, and whether its counters are wanted.
fn asked(asker: &Asker<'_>, statement: Statement, is_read_only: bool) -> (Asked, bool) {
    let Statement { text, parameters, contents, includes_stats } = statement;
    let (form, base) = (Form::Transaction(contents), asker.base());
    (Asked { text, parameters, is_read_only, form, base }, includes_stats)
}

async fn alone(
    state: &Arc<State>,
    asker: &Asker<'_>,
    database: &str,
    statement: Statement,
) -> Result<Done> {
    let target = Target::of(&state.database, Some(database))?;
    let (asked, has_stats) = asked(asker, statement, asker.is_read_only()?);
    let job = Job::admit(state, (asker.headers, asker.peer), (&target, None), asked)?;
    let (rows, position) = job.run(state, Vec::new()).await?;
    let result = rows.statement_reply(has_stats);
    Ok((vec![result], bookmark_of(state, &target, position)))
}

/// Runs statements and commits them, again after a write conflict as long as the time of a query allows.
async fn whole(
    shared: &Shared,
    asker: &Asker<'_>,
    database: &str,
    statements: &[Statement],
) -> std::result::Result<Done, Failure> {
    let state = &shared.state;
    let until = deadline(&state.database, state.database.settings().cypher.deadline_ms);
    loop {
        let owner = Owner { user: asker.user(), database: database.to_owned() };
        let mut taken = begin(shared, asker, owner)?;
        let graph = taken.transaction.as_ref().map(|open| Arc::clone(&open.target.graph));
        let error = match run_all(state, asker, &mut taken, statements).await {
            Ok(results) => match commit(state, asker, taken).await {
                Ok(bookmark) => return Ok((results, bookmark)),
                Err(error) => error,
            },
            Err(error) => error,
        };
        let is_over = until.is_some_and(|until| until <= Instant::now());
        if error.kind != ErrorKind::Conflict || is_over {
            return Err(Failure::of(&error));
        }
        // Before the winner is visible there would be the same conflict. One that is too old for its snapshot has none.
        if let (Some(conflict), Some(graph)) = (error.write_conflict, graph) {
            let winner = Arc::from(bookmark::write(&graph, conflict.winner));
            let waiting = bookmark::not_visible(&state.database, &[winner]);
            let waiting = waiting.map_err(|error| Failure::of(&error))?;
            let wait = move || bookmark::wait(&waiting, until);
            let waited = state.executor.answer(asker.peer.client, wait).await;
            waited.flatten().map_err(|error| Failure::of(&error))?;
        }
    }
}

async fn run_all(
    state: &Arc<State>,
    asker: &Asker<'_>,
    taken: &mut Taken,
    statements: &[Statement],
) -> Result<Vec<String>> {
    let mut results = Vec::new();
    for statement in statements {
        results.push(run_in(state, asker, taken, statement.clone()).await?);
    }
    Ok(results)
}

fn begin(shared: &Shared, asker: &Asker<'_>, owner: Owner) -> std::result::Result<Taken, Failure> {
    let opened = Target::of(&shared.state.database, Some(&owner.database))
        .and_then(|target| Ok((target, asker.is_read_only()?)));
    let (target, is_read_only) = opened.map_err(|error| Failure::of(&error))?;
    let inner = ExplicitTransaction::begin(is_read_only);
    let (target, number) = (Arc::new(target), shared.state.under_way.new_socket());
    shared.open.begin(owner, OpenTransaction { inner, target, is_read_only, number })
}

async fn run_in(
    state: &Arc<State>,
    asker: &Asker<'_>,
    taken: &mut Taken,
    statement: Statement,
) -> Result<String> {
    let open = taken.transaction.take().ok_or_else(missing)?;
    let (asked, has_stats) = asked(asker, statement, open.is_read_only);
    let job =
        Job::admit(state, (asker.headers, asker.peer), (&open.target, Some(open.number)), asked)?;
    let (open, done) = job.run_in(state, open).await?;
    taken.transaction = Some(open);
    Ok(done?.statement_reply(has_stats))
}

/// Commits, and gives the bookmark of what it wrote, or saw.
async fn commit(state: &Arc<State>, asker: &Asker<'_>, mut taken: Taken) -> Result<Option<String>> {
    let open = taken.transaction.take().ok_or_else(missing)?;
    let OpenTransaction { inner, target, .. } = *open;
    let committing = move || guarded(|| inner.commit());
    let ticket = state.executor.answer(asker.peer.client, committing).await??;
    let position = ticket.as_ref().map(|ticket| ticket.position);
    visible(&state.database, ticket).await?;
    Ok(bookmark_of(state, &target, position))
}

fn missing() -> Error {
    Error::new(ErrorKind::Bug, "a transaction that is open is missing")
}
