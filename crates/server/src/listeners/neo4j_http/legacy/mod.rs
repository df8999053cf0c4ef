//! Neo4j's interface of versions 1 to 3: from its operations to the database.
//!
//! An operation that is one statement is a query like any other, and a small one is answered on the thread of its connection.
//! A batch is one transaction, run on the pool, and again as a whole after a write conflict.

mod batch;
mod collected;

use std::sync::Arc;

use axum::http::{HeaderName, StatusCode, header};
use millrace_model::{Error, Result};
use millrace_wire::neo4j_http::legacy::{
    self, Answer as Answered, Failure, JobFailure, Operation, Request, StatementRows,
};

use super::Asker;
use super::answer::Answer;
use super::query::{Job, Text};
use crate::neo4j::Target;
use crate::state::State;
use collected::Collected;

/// Answers a request.
pub(super) async fn answer(state: &Arc<State>, asker: &Asker<'_>, request: Request) -> Answer {
    let answer = match request {
        Request::Operation(operation) => match single(state, asker, *operation).await {
            Ok(answered) => Answer {
                location: answered.location,
                ..Answer::new(status(answered.status), answered.body.unwrap_or_default())
            },
            Err(failure) => failed(&failure),
        },
        Request::Batch(jobs) => match batch::run(state, asker, *jobs).await {
            Ok(answers) => Answer::new(StatusCode::OK, legacy::write_answers(&answers)),
            Err(failure) => failed_batch(&failure, asker),
        },
        Request::Refused(failure, allow) => Answer { allow, ..failed(&failure) },
        Request::RefusedBatch(failure) => failed_batch(&failure, asker),
    };
    Answer { kind: legacy::JSON.into(), ..answer }
}

fn failed(failure: &Failure) -> Answer {
    Answer::new(status(failure.status), failure.body())
}

fn failed_batch(failure: &JobFailure, asker: &Asker<'_>) -> Answer {
    match failure.streamed_body().filter(|_| is_streamed(asker)) {
        Some(body) => Answer::new(StatusCode::OK, body),
        None => Answer::new(status(failure.status()), failure.body()),
    }
}

/// Whether the client wants answers as they come, and looks for failures among them.
fn is_streamed(asker: &Asker<'_>) -> bool {
    let streams = asker.header(&HeaderName::from_static("x-stream"));
    let accepts = asker.header(&header::ACCEPT).unwrap_or_default();
    let mut parts = accepts.split([';', ',']);
    let accepts = parts.any(|part| part.trim().eq_ignore_ascii_case("stream=true"));
    accepts || streams.is_some_and(|text| text.eq_ignore_ascii_case("true"))
}

fn status(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// The address below which everything is, as the client has it, and the version of Neo4j that is spoken.
fn base_and_version(state: &State, asker: &Asker<'_>) -> (String, String) {
    let agent = &state.database.settings().bolt.server_agent;
    let version = agent.split_once('/').map_or(&**agent, |(_, version)| version);
    (asker.base(), version.to_owned())
}

/// An operation by itself.
async fn single(
    state: &Arc<State>,
    asker: &Asker<'_>,
    operation: Operation,
) -> std::result::Result<Answered, Failure> {
    let (base, version) = base_and_version(state, asker);
    let failed = |error: Error| Failure::of(&error);
    if !operation.is_one_statement() {
        return batch::alone(state, asker, operation).await;
    }
    let rows = ask(state, asker, &operation).await.map_err(failed)?;
    if rows.values.is_empty()
        && let Some(probe) = operation.probe()
    {
        let probed = ask(state, asker, &probe).await.map_err(failed)?;
        return Err(operation.missing_after(Some(&probed)));
    }
    operation.answer(&rows, &base, &version)
}

/// Runs the statement of an operation, if it has one.
async fn ask(
    state: &Arc<State>,
    asker: &Asker<'_>,
    operation: &Operation,
) -> Result<StatementRows> {
    let Some(statement) = operation.statement() else { return Ok(StatementRows::default()) };
    let target = Target::of(&state.database, None)?;
    let asked = Text {
        language: statement.language,
        text: statement.text,
        parameters: statement.parameters,
        is_read_only: asker.is_read_only()?,
    };
    let client = (asker.headers, asker.peer);
    let job = Job::admit_with(state, client, (&target, None), asked, |limits| {
        Collected::new(limits.answer_bytes_max, state.database.memory())
    })?;
    let (collected, _) = job.run(state, Vec::new()).await?;
    Ok(collected.into_rows())
}
