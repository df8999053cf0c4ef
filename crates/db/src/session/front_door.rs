//! The front door of a database: every request of every language enters here.

use millrace_model::Result;
use millrace_store::Ticket;

use super::attempt;
use super::autocommit;
use super::client_session::{Session, SessionMode};
use super::graphs::default_name_of;
use super::stream::Started;
use crate::database::Database;
use crate::request::{Request, Results, Variables};

impl Database {
    /// Runs a request that belongs to no session. Its writes, if it made any, are visible once the ticket
    /// resolves.
    pub fn run(&self, request: &Request, results: &mut dyn Results) -> Result<Option<Ticket>> {
        self.run_in(&mut Session::default(), SessionMode::AUTOCOMMIT, request, results)
    }

    /// Answers a small request that belongs to no session, on a thread that must not block: reads of data in
    /// memory, and writes up to their place in the log. `None` where the request would wait, walks many rows, or
    /// has a text that is not in the statement cache; then it has had no effect, and results already emitted are void.
    pub fn try_answer(
        &self,
        request: &mut Request,
        results: &mut dyn Results,
    ) -> Option<Result<Option<Ticket>>> {
        let answer = attempt::try_answer(self, request, results);
        if answer.is_none() {
            request.limits.trace.begin_again();
        }
        answer
    }

    /// Begins a request that belongs to no session. Where it only reads, its results are left to be pulled.
    pub fn start(&self, request: &Request, results: &mut dyn Results) -> Result<Started> {
        let trace = &request.limits.trace;
        if trace.is_on() {
            let graph = || default_name_of(self, request);
            let counted = &mut trace.begin(request, graph, results);
            return autocommit::run(self, request, &mut Variables::default(), counted);
        }
        autocommit::run(self, request, &mut Variables::default(), results)
    }

    /// Runs a request that belongs to a session.
    pub fn run_in(
        &self,
        session: &mut Session,
        mode: SessionMode,
        request: &Request,
        results: &mut dyn Results,
    ) -> Result<Option<Ticket>> {
        let trace = &request.limits.trace;
        if trace.is_on() {
            let graph = || default_name_of(self, request);
            let counted = &mut trace.begin(request, graph, results);
            return session.run(self, mode, request, counted);
        }
        session.run(self, mode, request, results)
    }
}
