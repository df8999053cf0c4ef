//! PULL and DISCARD: records of an open result, as many as the client wants and as fast as it reads them.

use std::sync::Arc;
use std::time::Instant;

use millrace_db::Phase as TracePhase;
use millrace_model::{Error, ErrorKind, Value};
use millrace_wire::bolt::state::State as Phase;

use super::actions::Fields;
use super::connection::Connection;
use super::link::Alive;
use super::session::Session;
use super::summary;
use crate::executor::visible;
use crate::limits::CHUNK_BYTES;
use crate::state::State;

impl Connection {
    /// Sends records of a result, or passes over them.
    pub(super) async fn records(&mut self, query: i64, count: Option<u64>, is_sent: bool) -> Alive {
        let mut left = count.unwrap_or(u64::MAX);
        let has_more = loop {
            let is_interrupted = self.machine.state() == Phase::Interrupted;
            let Some(result) = self.session.as_mut().and_then(|own| own.results.get_mut(&query))
            else {
                let error = Error::new(ErrorKind::Bug, "a result that is open is missing");
                return self.done(Err(error));
            };
            if is_interrupted {
                return self.done(Err(Error::new(ErrorKind::Cancelled, "the query was reset")));
            }
            match is_sent {
                true => result.records.write(&mut self.out, &mut left, CHUNK_BYTES),
                false => result.records.discard(&mut left),
            }
            if !is_sent && count.is_none() {
                break false;
            }
            match (result.records.is_empty(), result.is_open()) {
                (true, false) => break false,
                (false, _) if left == 0 => break true,
                (false, _) => {}
                (true, true) => {
                    let cancel = result.request.cancel.clone();
                    self.cancel = Some(cancel);
                    let database_fill = move |state: &State, session: &mut Session| {
                        session.fill(query, &state.database)
                    };
                    if let Err(error) = self.work(database_fill).await? {
                        return self.fail_result(query, error);
                    }
                }
            }
            if CHUNK_BYTES <= self.out.len() {
                self.flush().await?;
            }
        };
        if has_more {
            return self.done_with(Ok(vec![("has_more", Value::Bool(true))]), true);
        }
        self.end_result(query).await
    }

    fn fail_result(&mut self, query: i64, error: Error) -> Alive {
        if let Some(result) = self.session().results.remove(&query) {
            result.request.end(self.state(), &Err(error.clone()));
        }
        self.done(Err(error))
    }

    /// Answers the last records of a result, once what it wrote is visible.
    async fn end_result(&mut self, query: i64) -> Alive {
        let Some(mut result) = self.session().results.remove(&query) else {
            return self.done(Ok(Fields::new()));
        };
        let is_in_transaction = self.session().transaction.is_some();
        if is_in_transaction && let Some(open) = &mut self.session().transaction {
            open.inner.close(query);
        }
        let position = result.ticket.as_ref().map(|ticket| ticket.position);
        if let Some(ticket) = result.ticket.take() {
            let state = Arc::clone(self.state());
            let waiting = async move { visible(&state.database, Some(ticket)).await };
            let committed = Instant::now();
            let waited = self.wait(waiting).await?;
            result.request.trace.add(TracePhase::Sync, committed.elapsed());
            if let Err(error) = waited {
                result.request.end(self.state(), &Err(error.clone()));
                return self.done(Err(error));
            }
        }
        let bookmark = match is_in_transaction {
            true => None,
            false => self.bookmark(&result.target, position),
        };
        let fields = summary::ended(&result, bookmark);
        result.request.end(self.state(), &Ok(()));
        self.done(Ok(fields))
    }
}
