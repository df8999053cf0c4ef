//! Mutations, perhaps with a query.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use millrace_db::languages::Script;
use millrace_db::languages::dql::changes::{
    Changes, Mutation, bytes_of_json, bytes_of_messages, bytes_of_nquads, bytes_of_query,
};
use millrace_db::languages::dql::language::{changing, of_text_noting};
use millrace_db::languages::dql::tree::Offset;
use millrace_model::{Error, ErrorKind, MemoryBudget, Reservation, Result, UNCOUNTED_BYTES};
use millrace_wire::dql::{self, Action, BlankNames, TxnContext, statement_of};

use super::open::{Writes, aborted};
use super::queries::bindings;
use super::run::Work;
use super::written::Written;
use super::{Asker, Clock, Done, Dql};
use crate::limits::MUTATION_INLINE_BYTES_MAX;

/// What a client wants to change.
pub(crate) enum Data {
    /// A text with blocks.
    Text(String),
    /// A query, and mutations beside it.
    Parts(dql::Request),
    /// What was read already.
    Prepared(Prepared),
}

/// Mutations that were read.
pub(crate) struct Prepared {
    script: Arc<dyn Script>,
    written: Written,
    /// Bytes of what they were read from.
    byte_size: usize,
    /// The memory that they take, where it is much.
    memory: Option<Reservation>,
}

/// Mutations as their client sent them.
pub(crate) struct Mutate {
    pub(crate) data: Data,
    /// Values of the query's variables, whose names begin with a dollar.
    pub(crate) variables: BTreeMap<String, String>,
    /// The transaction; 0: a new one.
    pub(crate) start_ts: u64,
    /// Whether they are committed at once.
    pub(crate) commits: bool,
}

impl Data {
    /// Its bytes, about.
    fn byte_size(&self) -> usize {
        match self {
            Data::Text(text) => text.len(),
            Data::Prepared(prepared) => prepared.byte_size,
            Data::Parts(request) => {
                let of = |own: &dql::Mutation| {
                    let texts = [&own.set_json, &own.delete_json, &own.set_nquads, &own.del_nquads];
                    let quads = (own.set.len() + own.del.len()) * size_of::<dql::NQuad>();
                    texts.iter().map(|text| text.len()).sum::<usize>() + quads
                };
                request.query.len() + request.mutations.iter().map(of).sum::<usize>()
            }
        }
    }

    /// The memory that it becomes, at most about.
    fn bytes_in_memory(&self) -> u64 {
        match self {
            Data::Text(text) => bytes_of_nquads(text.as_bytes()).max(bytes_of_query(text)),
            Data::Prepared(_) => 0,
            Data::Parts(request) => {
                let of = |own: &dql::Mutation| {
                    let json = [&own.set_json, &own.delete_json].map(|text| bytes_of_json(text));
                    let nquads = [&own.set_nquads, &own.del_nquads];
                    let nquads = nquads.map(|text| bytes_of_nquads(text));
                    let messages = bytes_of_messages(own.set.len() + own.del.len());
                    json.iter().chain(&nquads).sum::<u64>() + messages
                };
                bytes_of_query(&request.query) + request.mutations.iter().map(of).sum::<u64>()
            }
        }
    }

    /// Reads the data, once its memory is taken; new nodes without a name get one with this number.
    fn prepared(self, number: u64, memory: &MemoryBudget) -> Result<Prepared> {
        let memory = reserved(self.bytes_in_memory(), memory)?;
        let request = match self {
            Data::Text(text) => return prepared_text(&text, (number, memory)),
            Data::Prepared(prepared) => return Ok(prepared),
            Data::Parts(request) => request,
        };
        if request.mutations.is_empty() && request.query.trim().is_empty() {
            return Err(empty());
        }
        let mut names = BlankNames::new(number);
        let mutations = request.mutations.iter().map(|own| mutation(own, &mut names));
        let mutations = mutations.collect::<Result<Vec<Mutation>>>()?;
        let changes = Changes { query: Arc::from(request.query), mutations };
        let written = Written::of(&changes, number);
        Ok(Prepared { script: changing(changes)?, written, byte_size: 0, memory })
    }
}

/// Takes the memory that a request becomes, if it is much.
pub(super) fn reserved(bytes: u64, memory: &MemoryBudget) -> Result<Option<Reservation>> {
    (UNCOUNTED_BYTES < bytes).then(|| memory.reserve(bytes)).transpose()
}

/// A text with mutations; with a query alone it has an answer of the same form.
fn prepared_text(text: &str, (number, memory): (u64, Option<Reservation>)) -> Result<Prepared> {
    match noted_text(text, number)? {
        Some(prepared) => Ok(Prepared { memory, ..prepared }),
        None => {
            let changes = Changes { query: Arc::from(text), mutations: Vec::new() };
            let (script, written) = (changing(changes)?, Written::default());
            Ok(Prepared { script, written, byte_size: text.len(), memory })
        }
    }
}

/// A text, if it has mutations.
fn noted_text(text: &str, number: u64) -> Result<Option<Prepared>> {
    if text.trim().is_empty() {
        return Err(empty());
    }
    let mut written = None;
    let script = of_text_noting(text, |changes| written = Some(Written::of(changes, number)))?;
    let byte_size = text.len();
    Ok(written.map(|written| Prepared { script, written, byte_size, memory: None }))
}

fn empty() -> Error {
    Error::new(ErrorKind::BadQuery, "empty request")
}

fn mutation(own: &dql::Mutation, names: &mut BlankNames) -> Result<Mutation> {
    let mut mutation = Mutation::with_condition(&own.cond)?;
    if !own.set_json.is_empty() {
        mutation.set.read_json(utf_8(&own.set_json)?, Action::Set, names)?;
    }
    if !own.delete_json.is_empty() {
        mutation.delete.read_json(utf_8(&own.delete_json)?, Action::Delete, names)?;
    }
    let texts = [(&mut mutation.set, &own.set_nquads), (&mut mutation.delete, &own.del_nquads)];
    for (quads, text) in texts {
        let text = utf_8(text)?;
        quads.read_nquads(text, text, Offset(0))?;
    }
    for quad in &own.set {
        mutation.set.push(&statement_of(quad, Action::Set)?)?;
    }
    for quad in &own.del {
        mutation.delete.push(&statement_of(quad, Action::Delete)?)?;
    }
    Ok(mutation)
}

fn utf_8(bytes: &[u8]) -> Result<&str> {
    let refused = |_| Error::new(ErrorKind::BadInput, "the data of a mutation is not UTF-8");
    std::str::from_utf8(bytes).map_err(refused)
}

impl Dql {
    /// Reads a text that is committed at once, if it has mutations.
    pub(crate) async fn read_text(&self, asker: &Asker, text: &str) -> Result<Option<Data>> {
        let budget = self.state.database.memory();
        let bytes = bytes_of_nquads(text.as_bytes()).max(bytes_of_query(text));
        let memory = reserved(bytes, budget)?;
        let read = |text: &str, memory| {
            let prepared = noted_text(text, 0)?.map(|own| Prepared { memory, ..own });
            Ok(prepared.map(Data::Prepared))
        };
        if text.len() <= MUTATION_INLINE_BYTES_MAX {
            return read(text, memory);
        }
        let own = text.to_owned();
        self.state.executor.answer(asker.peer.client, move || read(&own, memory)).await?
    }

    /// Applies mutations; `prefix` stands in front of the results.
    pub(crate) async fn mutate(
        &self,
        asker: &Asker,
        mutate: Mutate,
        (began, prefix): (Instant, &'static str),
    ) -> Result<Done> {
        let mut clock = Clock::new(began);
        let Mutate { data, variables, start_ts, commits } = mutate;
        let assigning = Instant::now();
        let number = if start_ts == 0 { self.number(asker).await? } else { start_ts };
        clock.note(|own| &mut own.assign_timestamp_ns, assigning);
        let parsing = Instant::now();
        let bindings = bindings(variables)?;
        let may_try = data.byte_size() <= MUTATION_INLINE_BYTES_MAX;
        let prepared = match may_try {
            true => data.prepared(number, self.state.database.memory())?,
            false => {
                let memory = self.state.database.memory().clone();
                let work = move || data.prepared(number, &memory);
                self.state.executor.answer(asker.peer.client, work).await??
            }
        };
        // Given back when they are applied.
        let Prepared { script, written, byte_size: _, memory: _memory } = prepared;
        let work = Work { bindings, may_try, ..Work::writing(script) };
        clock.note(|own| &mut own.parsing_ns, parsing);
        let running = Instant::now();
        let mut txn = TxnContext { start_ts: number, ..TxnContext::default() };
        let answer = if start_ts == 0 && commits {
            let answer = self.run_alone(asker, work, prefix).await?;
            txn.commit_ts = self.number(asker).await?;
            answer
        } else {
            let answer = self.mutate_open(asker, work, prefix, (start_ts, number)).await?;
            if commits {
                txn.commit_ts = self.commit(asker, number, true).await?.commit_ts;
            }
            answer
        };
        txn.preds = written.predicates_in(asker.user.namespace);
        // What is committed has nothing left to claim.
        txn.keys = if commits { Vec::new() } else { written.keys };
        clock.note(|own| &mut own.processing_ns, running);
        Ok(Done { answer, txn, latency: clock.end() })
    }

    /// Runs mutations in the transaction of a number, which begins if it has not written before.
    async fn mutate_open(
        &self,
        asker: &Asker,
        mut work: Work,
        prefix: &'static str,
        (start_ts, number): (u64, u64),
    ) -> Result<super::Answer> {
        let known = if start_ts == 0 { None } else { self.open.find(number, &asker.user) };
        let transaction = match known {
            Some(known) => {
                self.open.note_writes(number);
                known
            }
            None => {
                if start_ts != 0 {
                    let pinned = self.reads.find(number, &asker.user).ok_or_else(aborted)?;
                    // It was to read only, so what it read is not known.
                    if pinned.demands_serializable() {
                        return Err(aborted());
                    }
                    work.pinned = Some(pinned);
                }
                let socket = self.state.under_way.new_socket();
                let begun = self.open.begin((number, &asker.user), socket, Writes::Some)?;
                drop(self.reads.take(number, &asker.user));
                begun
            }
        };
        self.run_open(asker, work, prefix, (&transaction, number)).await
    }
}
