//! The statements of a request, one after the other, in the transactions of a request or a session.

use std::sync::Arc;
use std::time::Duration;

use millrace_model::{ElementDetail, Error, ErrorKind, Result, query_limits};
use millrace_plan::language::{
    Binding, Options, Outcome, Presented, Scope, Statement, StatementKind,
};
use millrace_plan::{Hints, Mentioned, Notice, Parameter, Runner, Signatures, WriteCounts};
use millrace_store::Ticket;

use super::answer_room::RoomOfAnswer;
use super::emit::{Pace, bytes_of, emit};
use super::graphs::{graph_name_of, graph_of, is_for_commands};
use super::stream::OpenQuery;
use super::transactions::Transactions;
use crate::database::Database;
use crate::graph::Graph;
use crate::request::{Phase, Request, RequestLimits, ResultHead, Results, Variables};
use crate::statements::{CachedScript, Fingerprints, PreparedStatement, ReadyStatement};
use crate::transaction::Execution;

/// A request while it runs.
pub(super) struct Evaluation<'a> {
    pub(super) database: &'a Database,
    pub(super) request: &'a Request,
    pub(super) transactions: &'a mut Transactions,
    pub(super) variables: &'a mut Variables,
    /// Whether the transactions outlive the request.
    pub(super) is_open: bool,
    /// Whether the last query may be left open, for its rows to be pulled.
    pub(super) may_stream: bool,
    /// Whether earlier queries of the transactions are open: nothing is written before their rows were read.
    pub(super) has_open_results: bool,
}

/// The outcome of a request.
pub(super) enum Evaluated {
    /// All statements ran; the ticket of the last commit by a statement, if any.
    Done(Option<Ticket>),
    /// All but the last ran, and its rows are to be pulled.
    Open(Box<OpenQuery>),
    /// A statement would write while earlier queries are open. Nothing was written; it is run again.
    Blocked,
}

/// The scope in which a statement is bound: variables, graphs and transactions of the request.
struct StatementScope<'a, 'b> {
    evaluation: &'b mut Evaluation<'a>,
    graph: &'b str,
}

impl Scope for StatementScope<'_, '_> {
    fn variable(&self, name: &str) -> Option<Binding> {
        self.evaluation.variables.get(name).cloned()
    }

    fn is_graph(&self, name: &str) -> bool {
        graph_of(self.evaluation.database, self.evaluation.request, name).is_ok()
    }

    /// Of the newest snapshot, which the statement's own may be behind.
    fn hints(&mut self, mentioned: &Mentioned) -> Result<Arc<Hints>> {
        if !mentioned.patterns {
            return Ok(Arc::default());
        }
        let graph = graph_of(self.evaluation.database, self.evaluation.request, self.graph)?;
        let parts = graph.parts();
        let left = self.evaluation.request.limits.time_left().unwrap_or(Duration::MAX);
        let hints = parts.samples.hints(&*parts.store.snapshot()?, mentioned, left)?;
        Ok(Arc::new(hints))
    }

    fn signatures(&self) -> Signatures {
        self.evaluation.database.procedures().signatures().clone()
    }

    fn runner(&mut self, options: &Options) -> Result<&mut dyn Runner> {
        let Evaluation { database, request, transactions, .. } = &mut *self.evaluation;
        let graph = graph_of(database, request, self.graph)?;
        Ok(transactions.on(&graph, &request.limits.with_options(*options))?)
    }
}

/// The scope of a value, which belongs to no graph.
struct ValueScope<'a>(&'a Variables);

impl Scope for ValueScope<'_> {
    fn variable(&self, name: &str) -> Option<Binding> {
        self.0.get(name).cloned()
    }

    fn is_graph(&self, _name: &str) -> bool {
        false
    }

    fn runner(&mut self, _options: &Options) -> Result<&mut dyn Runner> {
        Err(Error::new(ErrorKind::Bug, "a value needs no transaction"))
    }
}

impl Evaluation<'_> {
    /// Runs all statements and emits the result of the last one.
    pub(super) fn run(
        &mut self,
        script: &CachedScript,
        results: &mut dyn Results,
    ) -> Result<Evaluated> {
        script.script.check_variables(&|name| self.variables.get(name).is_some())?;
        results.begin(self.is_open);
        let mut done = Evaluated::Done(None);
        let count = script.statements().len();
        for number in 0..count {
            let results: Option<&mut dyn Results> = match number + 1 == count {
                true => Some(&mut *results),
                false => None,
            };
            // The statements after a commit read it and may fail, and their error must not precede its visibility.
            if let Evaluated::Done(Some(committed)) = &done {
                self.request.limits.trace.time(Phase::Sync, || committed.wait())?;
            }
            done = self.statement(script, number, results)?;
            if matches!(done, Evaluated::Blocked) {
                return Ok(done);
            }
        }
        for statement in script.statements().iter().filter(|_| script.assigns) {
            let target = statement.target.as_ref().filter(|target| target.is_temporary);
            target.inspect(|target| self.variables.remove(&target.name));
        }
        Ok(done)
    }

    fn statement(
        &mut self,
        script: &CachedScript,
        number: usize,
        results: Option<&mut dyn Results>,
    ) -> Result<Evaluated> {
        self.request.limits.check()?;
        let statement = &script.statements()[number];
        let ticket = match statement.kind {
            StatementKind::Query | StatementKind::Explain => {
                return self.query(script, number, results);
            }
            StatementKind::Value => {
                let value = script.script.value(number, &ValueScope(self.variables))?;
                let result = self.assign(statement, Presented::Values(vec![value]))?;
                if let Some(results) = results {
                    let detach = &mut |_: &[_]| Ok(Default::default());
                    emit(&*script.script, (result, 1), (results, Pace::Waits), detach)?;
                }
                None
            }
            // The next statement begins one.
            StatementKind::Begin => self.graph(statement).map(|_| None)?,
            StatementKind::Commit => {
                let graph = self.graph(statement)?;
                let trace = &self.request.limits.trace;
                trace.time(Phase::Commit, || self.transactions.commit(Some(&graph)))?
            }
            StatementKind::Rollback => {
                let graph = self.graph(statement)?;
                self.transactions.roll_back(Some(&graph));
                None
            }
        };
        Ok(Evaluated::Done(ticket))
    }

    /// Runs a query, assigns its result, if there is a variable for it, and emits it, if there are results to
    /// take it.
    fn query(
        &mut self,
        script: &CachedScript,
        number: usize,
        results: Option<&mut dyn Results>,
    ) -> Result<Evaluated> {
        let statement = &script.statements()[number];
        let trace = &self.request.limits.trace;
        trace.is_for(|| graph_name_of(self.database, self.request, &statement.graph));
        let ready = self.ready(script, number)?;
        let graph = self.graph(statement)?;
        let options = ready.prepared.options();
        let limits = self.request.limits.with_options(options);
        let ReadyStatement { prepared, values } = ready;
        prepared.attempts.check()?;
        let is_run = statement.kind == StatementKind::Query;
        if self.has_open_results && is_run && prepared.writes() {
            return Ok(Evaluated::Blocked);
        }
        if prepared.commits() && statement.kind == StatementKind::Query {
            self.must_be_implicit(script)?;
        }
        let parameters = prepared.parameters(values);
        let detail = options.detail.unwrap_or(self.request.detail);
        if self.may_stream
            && results.is_some()
            && is_run
            && statement.target.is_none()
            && prepared.only_reads()
            && script.script.streams(number)
            && (self.is_open || self.transactions.is_clean())
        {
            let execution = self.transactions.on(&graph, &limits)?;
            let cursor = prepared.open(execution, &parameters);
            if cursor.is_err() {
                prepared.attempts.note(&cursor);
            }
            let cursor = cursor?;
            if let Some(results) = results {
                results.begin(true);
                results.take_head(&prepared.head());
            }
            let query = OpenQuery { graph, prepared, cursor, detail, limits };
            return Ok(Evaluated::Open(Box::new(query)));
        }
        let execution = self.transactions.on(&graph, &limits)?;
        let changed_before = execution.write_counts();
        let outcome = match outcome(&prepared, execution, &parameters, is_run) {
            Ok(outcome) => outcome,
            Err(error) => {
                // A client learns the columns of a statement that fails while it runs.
                if let Some(results) = results {
                    results.begin(false);
                    results.take_head(&prepared.head());
                }
                return Err(error);
            }
        };
        let changed = (execution.write_counts() - changed_before, execution.take_notices());
        let result = match write((&prepared, &outcome), execution, &limits)? {
            Some(answer) => Presented::Json(answer),
            None => script.script.present(number, outcome, limits.bytes_max)?,
        };
        let result = self.assign(statement, result)?;
        if let Some(results) = results {
            self.emit(script, (result, &prepared.head()), (&graph, detail, changed), results)?;
        }
        Ok(Evaluated::Done(None))
    }

    /// Refuses a statement that commits by itself where a transaction of its client is under way.
    fn must_be_implicit(&self, script: &CachedScript) -> Result<()> {
        if !self.is_open && script.statements().len() == 1 {
            return Ok(());
        }
        let detail = "A query with 'CALL { ... } IN TRANSACTIONS' can only be executed in an implicit transaction, \
                      but tried to execute in an explicit transaction.";
        let error = Error::new(ErrorKind::BadQuery, detail).with_name("TransactionStartFailed");
        Err(error.with_help("send it alone and outside of a transaction (in Python `session.run`)"))
    }

    fn emit(
        &mut self,
        script: &CachedScript,
        (result, head): (Presented, &ResultHead),
        (graph, detail, changed): (&Arc<Graph>, ElementDetail, (WriteCounts, Vec<Notice>)),
        results: &mut dyn Results,
    ) -> Result<()> {
        results.begin(self.is_open || self.transactions.is_clean());
        results.take_head(head);
        let (changed, notices) = changed;
        if !changed.is_empty() {
            results.take_write_counts(&changed);
        }
        if !notices.is_empty() {
            results.take_notices(&notices);
        }
        let execution = self.transactions.on(graph, &self.request.limits)?;
        // Charged until the client has taken them.
        let bytes = i64::try_from(bytes_of(&result)).unwrap_or(i64::MAX);
        execution.charge(bytes)?;
        let plans = self.database.detach_plans();
        let result = (result, head.width());
        let done = emit(&*script.script, result, (results, Pace::Waits), &mut |values| {
            plans.detach(execution, values, detail)
        });
        execution.charge(-bytes)?;
        done
    }

    /// Assigns the result of a statement, if it has a variable; the variable's value is the result then.
    fn assign(&mut self, statement: &Statement, result: Presented) -> Result<Presented> {
        let Some(target) = &statement.target else { return Ok(result) };
        let bytes_max = self.request.limits.bytes_max;
        let value = result.into_variable(bytes_max)?;
        self.variables.set(&target.name, Binding::Value(value.clone()), bytes_max)?;
        Ok(Presented::Values(vec![value]))
    }

    /// A statement with a plan, and the values of its variables.
    fn ready(&mut self, script: &CachedScript, number: usize) -> Result<ReadyStatement> {
        let statement = &script.statements()[number];
        if is_for_commands(self.database, self.request, &statement.graph)? {
            script.script.check_command(number)?;
        }
        let fingerprints = script.fingerprints.get(number);
        let (database, request) = (self.database, self.request);
        let transactions = &mut *self.transactions;
        let mut catalog = || {
            let graph = graph_of(database, request, &statement.graph).ok()?;
            Some(transactions.on(&graph, &request.limits).ok()?.catalog())
        };
        let find = |own: &Fingerprints| own.find(&*script.script, self.variables, &mut catalog);
        if let Some(ready) = fingerprints.and_then(find) {
            return Ok(ready);
        }
        let scope = &mut StatementScope { evaluation: self, graph: &statement.graph };
        // Until the statement runs, and its run has limits of its own.
        let enforced = query_limits::enforce(Arc::new(scope.evaluation.request.limits.clone()));
        let bound = query_limits::stoppable(|| script.script.bind(number, scope))?;
        enforced.finish()?;
        let bound = bound?;
        let (is_reusable, values, catalog) = (bound.is_reusable, bound.values, bound.catalog);
        let prepare = || self.database.statements().prepared(bound.statement);
        let prepare = || query_limits::stoppable(prepare)?;
        let prepared = self.request.limits.trace.time(Phase::Plan, prepare)?;
        let plain = values.iter().map(|slot| slot.value.clone()).collect();
        if let Some(fingerprints) = fingerprints.filter(|_| is_reusable) {
            fingerprints.note(
                statement,
                (&*script.script, self.variables),
                &prepared,
                (values, catalog),
            );
        }
        Ok(ReadyStatement { prepared, values: plain })
    }

    fn graph(&self, statement: &Statement) -> Result<Arc<Graph>> {
        graph_of(self.database, self.request, &statement.graph)
    }
}

/// Runs a statement, or only explains it.
fn outcome(
    prepared: &PreparedStatement,
    execution: &mut Execution,
    parameters: &[Parameter],
    is_run: bool,
) -> Result<Outcome> {
    if !is_run {
        return prepared.explain(execution).map(Outcome::Explained);
    }
    let profiled =
        prepared.profile(execution, parameters).map_err(|error| once(prepared, error))?;
    if let Some((profile, rows)) = profiled {
        return Ok(Outcome::Profiled(profile, rows));
    }
    let rows = prepared.run(execution, parameters);
    prepared.attempts.note(&rows);
    rows.map(Outcome::Rows).map_err(|error| once(prepared, error))
}

/// The answer that the language of a statement writes itself; the limits of the request are in force meanwhile.
fn write(
    (prepared, outcome): (&PreparedStatement, &Outcome),
    execution: &Execution,
    limits: &RequestLimits,
) -> Result<Option<String>> {
    if !prepared.has_writer() {
        return Ok(None);
    }
    let enforced = query_limits::enforce(Arc::new(limits.clone()));
    let room = RoomOfAnswer::new(execution, limits.bytes_max);
    let written = prepared.write(outcome, &room);
    room.release()?;
    enforced.finish()?;
    written
}

/// An error of a statement that may have committed some of its batches: the statement never runs again.
fn once(prepared: &PreparedStatement, error: Error) -> Error {
    if !prepared.commits() || error.kind != ErrorKind::Conflict {
        return error;
    }
    let error = Error { kind: ErrorKind::Failed, write_conflict: None, ..error };
    error.with_help("earlier batches are committed: run the query for the remaining rows")
}
