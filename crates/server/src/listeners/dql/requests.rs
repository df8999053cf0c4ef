//! Each path: its parameters and its body to a request, and what was done to an answer.

use std::collections::BTreeMap;
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderName, header};
use millrace_db::languages::dql::changes::Alter;
use millrace_model::{Error, ErrorKind};
use millrace_wire::dql::{
    self as wire, AdminQuestion, AdminWanted, Code, Endpoint, Failure, MutateBody, Parameters,
    abort_answer, admin_answer, admin_request, altered, assigned, commit_answer, commit_body,
    keywords, login_answer, login_body, mutate_body, query_body, write_extensions,
};

use super::answer::{Answer, Failed};
use super::{KIND, Shared, body};
use crate::connections::{Held, peer_of};
use crate::dql::{Asker, Data, Done, Mutate, Query, User};
use crate::http::limits_of;

/// What stands in front of the results.
const PREFIX: &str = "{\"data\":";

/// A word for people that open the address.
const HOME: &str =
    "This is Dgraph's HTTP, as Millrace serves it. Ratel connects to this address.\n";

/// A request that was let in.
struct Request<'a> {
    shared: &'a Shared,
    head: &'a Parts,
    began: Instant,
    parameters: Parameters,
    asker: Asker,
}

/// Answers a request.
pub(super) async fn answer(
    shared: &Shared,
    endpoint: Endpoint,
    head: &Parts,
    (user, body): (User, Body),
) -> Result<Answer, Failed> {
    let dql = &shared.dql;
    match endpoint {
        Endpoint::Home => return Ok(Answer::plain(HOME)),
        Endpoint::Keywords => return Ok(Answer::new(keywords())),
        Endpoint::Health => {
            return Ok(Answer::new(wire::health(&dql.health(shared.address.to_string()))));
        }
        Endpoint::State => {
            return Ok(Answer::new(wire::state(&dql.state(shared.address.to_string())?)));
        }
        Endpoint::Query
        | Endpoint::Mutate
        | Endpoint::Commit
        | Endpoint::Alter
        | Endpoint::Assign
        | Endpoint::Login
        | Endpoint::Admin => {}
    }
    let began = Instant::now();
    let asker = asker(shared, head, user)?;
    if endpoint == Endpoint::Assign {
        let (what, count) = Parameters::read_assign(head.uri.query())?;
        let (first, last) =
            dql.assign(&asker, what, count).await.map_err(|error| without_data(&error))?;
        return Ok(Answer::new(assigned(first, last)));
    }
    let parameters = Parameters::read(head.uri.query())?;
    let held = body::read(&dql.state, asker.peer.client, &head.headers, body).await?;
    let request = Request { shared, head, began, parameters, asker };
    match endpoint {
        Endpoint::Query => request.query(held).await,
        Endpoint::Mutate => request.mutate(held).await,
        Endpoint::Commit => request.commit(&held).await,
        Endpoint::Alter => request.alter(&held).await,
        Endpoint::Login => request.log_in(&held).await,
        Endpoint::Admin => request.administer(&held).await,
        Endpoint::Home
        | Endpoint::Keywords
        | Endpoint::Health
        | Endpoint::State
        | Endpoint::Assign => {
            Err(without_data(&Error::new(ErrorKind::Bug, "the path was answered before")).into())
        }
    }
}

/// The client of a request, with its limits.
fn asker(shared: &Shared, head: &Parts, user: User) -> Result<Asker, Error> {
    let state = &shared.dql.state;
    let usual_ms = state.database.settings().dql.deadline_ms;
    let peer = peer_of(&head.extensions);
    let mut limits = limits_of(state, &head.headers, usual_ms)?;
    limits.client = peer.client;
    Ok(Asker { peer, user, kind: KIND, limits })
}

/// A failure whose answer has no `data`, as those of operations that have no results.
fn without_data(error: &Error) -> Failure {
    Failure::of(error).without_data()
}

/// The text of a header; empty without one.
fn text_of<'a>(head: &'a Parts, name: &HeaderName) -> &'a str {
    head.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

impl Request<'_> {
    /// Bounds the time of the request by what it asks for.
    fn limit(&mut self) {
        let asked = self.parameters.timeout.filter(|timeout| !timeout.is_zero());
        let Some(asked) = asked.and_then(|timeout| self.began.checked_add(timeout)) else { return };
        let limits = &mut self.asker.limits;
        limits.deadline = Some(limits.deadline.map_or(asked, |usual| usual.min(asked)));
    }

    async fn query(mut self, held: Held) -> Result<Answer, Failed> {
        self.limit();
        let body = query_body(text_of(self.head, &header::CONTENT_TYPE), &held.bytes)?;
        let own = &self.parameters;
        let query = Query {
            text: body.query,
            variables: body.variables,
            start_ts: own.start_ts,
            is_best_effort: own.best_effort,
            only_reads: own.read_only,
            form: own.form,
            has_uids: own.debug,
        };
        let done = self.shared.dql.query(&self.asker, query, (self.began, PREFIX)).await?;
        Ok(finished(done))
    }

    async fn mutate(self, held: Held) -> Result<Answer, Failed> {
        let bytes: &Bytes = &held.bytes;
        let data = match mutate_body(text_of(self.head, &header::CONTENT_TYPE), bytes)? {
            MutateBody::Text(text) => Data::Text(text),
            MutateBody::Parts(request) => Data::Parts(request),
        };
        let (start_ts, commits) = (self.parameters.start_ts, self.parameters.commit_now);
        let mutate = Mutate { data, variables: BTreeMap::new(), start_ts, commits };
        let done = self.shared.dql.mutate(&self.asker, mutate, (self.began, PREFIX)).await?;
        Ok(finished(done))
    }

    async fn commit(self, held: &Held) -> Result<Answer, Failed> {
        let (dql, start_ts) = (&self.shared.dql, self.parameters.start_ts);
        if self.parameters.abort {
            dql.abort(&self.asker, start_ts).await.map_err(|error| without_data(&error))?;
            return Ok(Answer::new(abort_answer()));
        }
        let body = commit_body(&held.bytes)?;
        let has_written = !body.keys.is_empty() || !body.preds.is_empty();
        let txn = dql
            .commit(&self.asker, start_ts, has_written)
            .await
            .map_err(|error| without_data(&error))?;
        Ok(Answer::new(commit_answer(&txn)))
    }

    async fn log_in(self, held: &Held) -> Result<Answer, Failed> {
        let login = login_body(&held.bytes)?;
        let tokens =
            self.shared.dql.log_in(login, self.asker.peer).await.map_err(Failed::Denied)?;
        Ok(Answer::new(login_answer(&tokens)))
    }

    async fn administer(mut self, held: &Held) -> Result<Answer, Failed> {
        let (dql, peer) = (&self.shared.dql, self.asker.peer);
        let questions = admin_request(text_of(self.head, &header::CONTENT_TYPE), &held.bytes)?;
        let is_login = |own: &AdminQuestion| matches!(own.wanted, AdminWanted::Login(_));
        if !questions.iter().all(is_login) {
            // Logins alone need none before.
            self.asker.user = dql.user(&self.head.headers, peer).await.map_err(Failed::Denied)?;
        }
        let mut answers = Vec::new();
        // Found once for all questions between two changes.
        let mut status = None;
        for question in &questions {
            if !matches!(question.wanted, AdminWanted::Health | AdminWanted::State) {
                status = None;
            }
            answers.push(match &question.wanted {
                AdminWanted::Health | AdminWanted::State => {
                    let known = match status.take() {
                        Some(known) => known,
                        None => dql.state(self.shared.address.to_string())?,
                    };
                    question.answer(status.insert(known))?
                }
                AdminWanted::AddNamespace => {
                    let made = dql.create_namespace(&self.asker).await;
                    question.namespace(made.map_err(|error| without_data(&error))?, "Created")?
                }
                AdminWanted::DeleteNamespace(number) => {
                    let dropped = dql.drop_namespace(&self.asker, *number).await;
                    dropped.map_err(|error| without_data(&error))?;
                    question.namespace(*number, "Deleted")?
                }
                AdminWanted::Login(login) => {
                    let tokens = dql.log_in(login.clone(), peer).await.map_err(Failed::Denied)?;
                    question.tokens(&tokens)?
                }
            });
        }
        Ok(Answer::new(admin_answer(answers)))
    }

    async fn alter(self, held: &Held) -> Result<Answer, Failed> {
        let refused = |error: Error| without_data(&error).coded(Code::Error);
        let text = std::str::from_utf8(&held.bytes)
            .map_err(|_| refused(Error::new(ErrorKind::BadInput, "the body is not UTF-8")))?;
        if text.trim().is_empty() {
            let error =
                Error::new(ErrorKind::BadInput, "Operation must have at least one field set");
            return Err(refused(error).into());
        }
        let alter = Alter::of_body(text).map_err(refused)?;
        let dql = &self.shared.dql;
        if self.parameters.run_in_background
            && dql.alter_in_background(&self.asker, &alter).await.map_err(refused)?
        {
            return Ok(Answer::new(altered()));
        }
        let answer = dql.alter(&self.asker, alter, PREFIX).await.map_err(refused)?;
        let mut text = answer.text;
        text.push('}');
        Ok(Answer::new(text))
    }
}

/// Results with what belongs to their request behind them.
fn finished(mut done: Done) -> Answer {
    let encoding = Instant::now();
    let mut text = std::mem::take(&mut done.answer.text);
    text.push(',');
    done.note_encoding(encoding);
    write_extensions(&mut text, Some(&done.latency), &done.txn);
    text.push('}');
    Answer::new(text)
}
