//! Queries: on the newest snapshot, on that of an earlier read, or in an open transaction.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use millrace_db::Pinned;
use millrace_db::languages::dql::changes::bytes_of_query;
use millrace_db::languages::dql::language::{DQL, DQL_AS_RDF, DQL_WITH_UIDS};
use millrace_db::languages::{Binding, Language};
use millrace_db::session::Statements;
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::dql::{AnswerForm, Latency, TxnContext};

use super::mutations::reserved;
use super::open::{Transaction, Writes, aborted};
use super::run::Work;
use super::{Asker, Clock, Done, Dql};

/// A query as its client sent it.
pub(crate) struct Query {
    pub(crate) text: String,
    /// Values of its variables, whose names begin with a dollar.
    pub(crate) variables: BTreeMap<String, String>,
    /// The transaction; 0: a new one.
    pub(crate) start_ts: u64,
    /// Whether nothing is read or written under its number later.
    pub(crate) is_best_effort: bool,
    /// Whether nothing is written under its number later.
    pub(crate) only_reads: bool,
    pub(crate) form: AnswerForm,
    /// Whether nodes have their uids.
    pub(crate) has_uids: bool,
}

/// Where a query runs.
enum Basis {
    /// In a transaction that wrote, or that may commit only if what it read has stayed.
    Open(Arc<Transaction>),
    /// On a snapshot; none: the graph is not there yet.
    Snapshot(Option<Pinned>),
}

/// Values of variables, as requests have them.
pub(super) fn bindings(variables: BTreeMap<String, String>) -> Result<Vec<(Arc<str>, Binding)>> {
    let one = |(name, value): (String, String)| match name.strip_prefix('$') {
        Some(name) => Ok((Arc::from(name), Binding::Value(Value::String(value.into())))),
        None => {
            let detail = format!("the variable `{name}` has no dollar");
            let error = Error::new(ErrorKind::BadInput, detail);
            Err(error.with_help(format!("send its value as `${name}`")))
        }
    };
    variables.into_iter().map(one).collect()
}

impl Dql {
    /// Answers a query; `prefix` stands in front of its results.
    pub(crate) async fn query(
        &self,
        asker: &Asker,
        query: Query,
        (began, prefix): (Instant, &'static str),
    ) -> Result<Done> {
        let mut clock = Clock::new(began);
        let Query { text, variables, start_ts, is_best_effort, only_reads, form, has_uids } = query;
        if text.trim().is_empty() {
            return Err(Error::new(ErrorKind::BadQuery, "empty request"));
        }
        let _memory = reserved(bytes_of_query(&text), self.state.database.memory())?;
        let language: &'static dyn Language = match (form, has_uids) {
            (AnswerForm::Rdf, _) => &DQL_AS_RDF,
            (AnswerForm::Json, true) => &DQL_WITH_UIDS,
            (AnswerForm::Json, false) => &DQL,
        };
        let mut work = Work {
            language,
            statements: Statements::Text(text.into()),
            bindings: bindings(variables)?,
            is_read_only: true,
            pinned: None,
            may_try: true,
        };
        clock.note(|own| &mut own.parsing_ns, began);
        let assigning = Instant::now();
        let may_write = !is_best_effort && !only_reads;
        let (number, basis) = self.basis(asker, start_ts, may_write).await?;
        clock.note(|own| &mut own.assign_timestamp_ns, assigning);
        let running = Instant::now();
        let answer = match basis {
            Basis::Open(transaction) => {
                self.run_open(asker, work, prefix, (&transaction, number)).await?
            }
            Basis::Snapshot(pinned) => {
                work.pinned = pinned.clone();
                let answer = self.run_alone(asker, work, prefix).await?;
                if let Some(pinned) = pinned.filter(|_| start_ts == 0 && !is_best_effort) {
                    self.reads.note(number, &asker.user, pinned);
                }
                answer
            }
        };
        clock.note(|own| &mut own.processing_ns, running);
        let txn = TxnContext { start_ts: number, ..TxnContext::default() };
        Ok(Done { answer, txn, latency: clock.end() })
    }

    async fn basis(&self, asker: &Asker, start_ts: u64, may_write: bool) -> Result<(u64, Basis)> {
        if start_ts == 0 {
            let number = self.number(asker).await?;
            let pinned = self.pin(asker)?;
            if may_write && pinned.as_ref().is_some_and(Pinned::demands_serializable) {
                let socket = self.state.under_way.new_socket();
                let begun = self.open.begin((number, &asker.user), socket, Writes::NotYet)?;
                return Ok((number, Basis::Open(begun)));
            }
            return Ok((number, Basis::Snapshot(pinned)));
        }
        if let Some(transaction) = self.open.find(start_ts, &asker.user) {
            return Ok((start_ts, Basis::Open(transaction)));
        }
        let pinned = self.reads.find(start_ts, &asker.user).ok_or_else(aborted)?;
        Ok((start_ts, Basis::Snapshot(Some(pinned))))
    }

    /// The newest snapshot; that of earlier reads where nothing was committed since.
    fn pin(&self, asker: &Asker) -> Result<Option<Pinned>> {
        if let Some(shared) = self.reads.shared(asker.user.namespace) {
            return Ok(Some(shared));
        }
        let graph = self.state.database.find_graph(&self.graph_for(asker))?;
        graph.map(|graph| graph.pin()).transpose()
    }
}

impl Done {
    /// Notes the time that its answer took to write.
    pub(crate) fn note_encoding(&mut self, since: Instant) {
        let took = super::nanos(since.elapsed());
        let latency: &mut Latency = &mut self.latency;
        latency.encoding_ns += took;
        latency.total_ns += took;
    }
}
