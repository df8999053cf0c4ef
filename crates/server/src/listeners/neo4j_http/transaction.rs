//! Requests of transactions: statements, commit, rollback.
//!
//! Statements that are committed by the request that brings them are run again after a write conflict. A transaction of
//! several requests gives the conflict to its client.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::http::StatusCode;
use millrace_db::session::ExplicitTransaction;
use millrace_db::{Phase, Trace};
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::bolt::errors::REQUEST_INVALID;
use millrace_wire::bolt::{Failure, Notification};
use millrace_wire::neo4j_http::{
    Request, Statement, Transaction, TransactionForm, TransactionReply, http_date,
};

use super::answer::Answer;
use super::query::{Asked, Failed, Job, OpenTransaction, bookmark_of};
use super::rows::Rows;
use super::{Asker, Shared};
use crate::executor::{guarded, visible};
use crate::listeners::open_transactions::{self, Owner};
use crate::neo4j::{Target, bookmark, deadline};
use crate::state::State;

/// A client with the form of its answer.
type Client<'a> = (&'a Asker<'a>, TransactionForm);

/// A transaction that a request has.
type Taken = open_transactions::Taken<OpenTransaction>;

/// What came of the statements of a request.
#[derive(Default)]
struct Done {
    /// Results, as text.
    results: Vec<String>,
    /// Whether the last of them is of a statement that failed.
    is_partial: bool,
    notifications: Vec<Notification>,
    failure: Option<Failure>,
    /// Of its commit.
    bookmark: Option<String>,
}

impl Done {
    fn failed(failure: Failure) -> Done {
        Done { failure: Some(failure), ..Done::default() }
    }

    /// The answer to a transaction that has ended. One of a database that is not there is 404, any other failure is
    /// only named in the body.
    fn ended(&self, form: TransactionForm) -> Answer {
        let Done { results, is_partial, notifications, failure, bookmark } = self;
        let reply = TransactionReply {
            results,
            is_partial: *is_partial,
            notifications,
            bookmark: bookmark.as_deref(),
            ..TransactionReply::default()
        };
        match failure {
            None => Answer::of_transaction(form, StatusCode::OK, &reply),
            Some(failure) => Answer::failed_transaction(form, failure, &reply),
        }
    }

    /// Takes the result of a statement. The rows of one that failed come in front of its failure.
    fn take(
        &mut self,
        done: std::result::Result<Rows, Failed<Rows>>,
        has_stats: bool,
    ) -> Result<()> {
        let Failed { error, receiver } = match done {
            Ok(rows) => {
                self.results.push(rows.statement_reply(has_stats));
                self.notifications.extend(rows.into_notifications());
                return Ok(());
            }
            Err(failed) => failed,
        };
        let partial = receiver.and_then(|rows| rows.partial_reply());
        self.is_partial = partial.is_some();
        self.results.extend(partial);
        Err(error)
    }

    /// The same after an error, if there was one.
    fn after(mut self, done: Result<()>) -> Done {
        if let Err(error) = done {
            self.failure = Some(Failure::of(&error));
        }
        self
    }
}

/// The answer to a request of a transaction.
pub(super) async fn answer(shared: &Shared, client: Client<'_>, request: Request) -> Answer {
    let (asker, form) = client;
    match request {
        Request::Transaction(request) => transaction(shared, client, *request).await,
        Request::RollBack { database, id } => roll_back(shared, (asker, form), database, id),
        Request::Discovery | Request::Query(_) | Request::Legacy(_) => {
            let failure = Failure::new(REQUEST_INVALID, "this is no request of a transaction");
            Done::failed(failure).ended(form)
        }
    }
}

/// Does the statements of a request.
async fn transaction(shared: &Shared, client: Client<'_>, request: Transaction) -> Answer {
    let (asker, form) = client;
    let Transaction { database, id, commits, statements } = request;
    let state = &shared.state;
    if id.is_none() && commits {
        let done = match statements.as_slice() {
            [only] => alone(state, client, &database, only.clone()).await,
            _ => whole(shared, client, &database, &statements).await,
        };
        return done.ended(form);
    }
    let owner = Owner { user: asker.user(), database };
    let taken = match id {
        Some(id) => shared.open.take(id, &owner).map_err(|error| Failure::of(&error)),
        None => begin(shared, asker, owner),
    };
    let mut taken = match taken {
        Ok(taken) => taken,
        Err(failure) => return Done::failed(failure).ended(form),
    };
    let id_of = taken.id;
    let mut done = Done::default();
    for statement in statements {
        let ran = run_in(state, client, &mut taken, statement, &mut done).await;
        if ran.is_err() {
            // Dropped, the transaction is rolled back.
            drop(taken);
            return done.after(ran).ended(form);
        }
    }
    if commits {
        let committed = commit(state, asker, taken).await;
        return match committed {
            Ok(bookmark) => Done { bookmark, ..done }.ended(form),
            Err(error) => Done::failed(Failure::of(&error)).ended(form),
        };
    }
    let idle = Duration::from_millis(state.database.settings().bolt.transaction_idle_ms);
    taken.put_back(idle);
    let address = format!("http://{}{}/{id_of}", asker.host(), asker.path_of_transactions());
    let commit = format!("{address}/commit");
    let expires = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() + idle;
    let expires = http_date(expires.as_secs());
    let open = Some((&*commit, &*expires));
    let (results, notifications) = (&*done.results, &*done.notifications);
    let reply = TransactionReply { results, notifications, open, ..TransactionReply::default() };
    let status = if id.is_none() { StatusCode::CREATED } else { StatusCode::OK };
    let location = id.is_none().then_some(address);
    Answer { location, ..Answer::of_transaction(form, status, &reply) }
}

/// Rolls a transaction back.
fn roll_back(shared: &Shared, (asker, form): Client<'_>, database: String, id: u64) -> Answer {
    match shared.open.take(id, &Owner { user: asker.user(), database }) {
        Ok(taken) => {
            drop(taken);
            Done::default().ended(form)
        }
        Err(error) => Done::failed(Failure::of(&error)).ended(form),
    }
}

/// A statement that may run, and whether its counters are wanted.
fn asked((asker, form): Client<'_>, statement: Statement, is_read_only: bool) -> (Asked, bool) {
    let Statement { text, parameters, contents, includes_stats } = statement;
    let (form, base) = (form.of_rows(contents), asker.base());
    (Asked { text, parameters, is_read_only, form, base }, includes_stats)
}

async fn alone(
    state: &Arc<State>,
    client: Client<'_>,
    database: &str,
    statement: Statement,
) -> Done {
    let mut done = Done::default();
    let ran = alone_in(state, client, database, statement, &mut done).await;
    done.after(ran)
}

async fn alone_in(
    state: &Arc<State>,
    client: Client<'_>,
    database: &str,
    statement: Statement,
    done: &mut Done,
) -> Result<()> {
    let asker = client.0;
    let target = Target::of(&state.database, Some(database))?;
    let (asked, has_stats) = asked(client, statement, asker.is_read_only()?);
    let job = Job::admit(state, (asker.headers, asker.peer), (&target, None), asked)?;
    let (rows, position) = match job.run(state, Vec::new()).await {
        Ok((rows, position)) => (Ok(rows), position),
        Err(failed) => (Err(failed), None),
    };
    done.take(rows, has_stats)?;
    done.bookmark = bookmark_of(state, &target, position);
    Ok(())
}

/// Runs statements and commits them, again after a write conflict as long as the time of a query allows.
async fn whole(
    shared: &Shared,
    client: Client<'_>,
    database: &str,
    statements: &[Statement],
) -> Done {
    let (state, asker) = (&shared.state, client.0);
    let until = deadline(&state.database, state.database.settings().cypher.deadline_ms);
    loop {
        let owner = Owner { user: asker.user(), database: database.to_owned() };
        let mut taken = match begin(shared, asker, owner) {
            Ok(taken) => taken,
            Err(failure) => return Done::failed(failure),
        };
        let graph = taken.transaction.as_ref().map(|open| Arc::clone(&open.target.graph));
        let mut done = Done::default();
        let error = match run_all(state, client, &mut taken, statements, &mut done).await {
            Ok(()) => match commit(state, asker, taken).await {
                Ok(bookmark) => return Done { bookmark, ..done },
                Err(error) => error,
            },
            Err(error) => error,
        };
        let is_over = until.is_some_and(|until| until <= Instant::now());
        if error.kind != ErrorKind::Conflict || is_over {
            return done.after(Err(error));
        }
        // Before the winner is visible there would be the same conflict. One that is too old for its snapshot has none.
        if let (Some(conflict), Some(graph)) = (error.write_conflict, graph) {
            let winner = Arc::from(bookmark::write(&graph, conflict.winner));
            let waited = match bookmark::not_visible(&state.database, &[winner]) {
                Ok(waiting) => {
                    let wait = move || bookmark::wait(&waiting, until);
                    state.executor.answer(asker.peer.client, wait).await.flatten()
                }
                Err(error) => Err(error),
            };
            if let Err(error) = waited {
                return Done::failed(Failure::of(&error));
            }
        }
    }
}

async fn run_all(
    state: &Arc<State>,
    client: Client<'_>,
    taken: &mut Taken,
    statements: &[Statement],
    done: &mut Done,
) -> Result<()> {
    for statement in statements {
        run_in(state, client, taken, statement.clone(), done).await?;
    }
    Ok(())
}

fn begin(shared: &Shared, asker: &Asker<'_>, owner: Owner) -> std::result::Result<Taken, Failure> {
    let opened = Target::of(&shared.state.database, Some(&owner.database))
        .and_then(|target| Ok((target, asker.is_read_only()?)));
    let (target, is_read_only) = opened.map_err(|error| Failure::of(&error))?;
    let inner = ExplicitTransaction::begin(is_read_only);
    let (target, number) = (Arc::new(target), shared.state.under_way.new_socket());
    let begun = shared.open.begin(owner, OpenTransaction { inner, target, is_read_only, number });
    begun.map_err(|error| Failure::of(&error))
}

async fn run_in(
    state: &Arc<State>,
    client: Client<'_>,
    taken: &mut Taken,
    statement: Statement,
    done: &mut Done,
) -> Result<()> {
    let asker = client.0;
    let open = taken.transaction.take().ok_or_else(missing)?;
    let (asked, has_stats) = asked(client, statement, open.is_read_only);
    let job =
        Job::admit(state, (asker.headers, asker.peer), (&open.target, Some(open.number)), asked)?;
    let (open, ran) = job.run_in(state, open).await?;
    taken.transaction = Some(open);
    done.take(ran, has_stats)
}

/// Commits, and gives the bookmark of what it wrote, or saw.
async fn commit(state: &Arc<State>, asker: &Asker<'_>, mut taken: Taken) -> Result<Option<String>> {
    let open = taken.transaction.take().ok_or_else(missing)?;
    let OpenTransaction { inner, target, .. } = *open;
    let trace = Trace::of_commit(state.database.settings(), state.bolt_language, &target.graph);
    let own = trace.clone();
    let committing = move || guarded(|| own.time(Phase::Commit, || inner.commit()));
    let done = state.executor.answer(asker.peer.client, committing).await.flatten();
    let position = done.as_ref().ok().and_then(|ticket| Some(ticket.as_ref()?.position));
    let committed = Instant::now();
    let done = match done {
        Ok(ticket) => visible(&state.database, ticket).await,
        Err(error) => Err(error),
    };
    trace.add(Phase::Sync, committed.elapsed());
    trace.end(done.as_ref().map(drop).map_err(|error| error.kind));
    done?;
    Ok(bookmark_of(state, &target, position))
}

fn missing() -> Error {
    Error::new(ErrorKind::Bug, "a transaction that is open is missing")
}
