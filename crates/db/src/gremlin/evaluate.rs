//! Statements, one after the other, in the transactions of a request or a session.

use std::sync::Arc;

use millrace_gremlin::parameterize::{self, ParameterSlot};
use millrace_gremlin::replacements::{Use, instead};
use millrace_gremlin::text::{
    Ending, Expression, NormalizedQuery, Statement, TransactionWord, Traversal,
};
use millrace_model::bytecode::{Argument, Bytecode};
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_plan::Runner;
use millrace_store::{ConflictTicketId, Ticket};

use super::detach::ElementDetail;
use super::fingerprints::Fingerprints;
use super::options::Options;
use super::prepared_statement::PreparedStatement;
use super::references::References;
use super::results::{self, StatementResult};
use super::sources::{DEFAULT_SOURCE, graph_of};
use super::texts::{Read, Script};
use super::transactions::Transactions;
use super::variables::Variables;
use super::{Gremlin, Request, Results, Work};
use crate::database::Database;
use crate::execution::RequestLimits;
use crate::graph::Graph;
use crate::scripts::ScriptFailure;
use crate::trace::Phase;
use crate::write_conflicts::retrying;

/// What is to be run, read.
pub(super) enum Ready {
    /// The statements of a text.
    Script(Arc<Script>),
    /// A traversal.
    Traversal(Bytecode),
    /// A word to the transaction, sent as a traversal.
    Transaction(TransactionWord),
}

impl Ready {
    /// Reads what a request asks, as it stands.
    pub(super) fn of(gremlin: &Gremlin, work: &Work) -> Result<Ready> {
        match work {
            Work::Script { text, language, .. } => {
                gremlin.texts(*language).whole(text).map(Ready::Script)
            }
            Work::Traversal(bytecode) => match transaction_word(bytecode)? {
                Some(word) => Ok(Ready::Transaction(word)),
                None => Ok(Ready::Traversal(bytecode.clone())),
            },
        }
    }

    /// The same with literals apart: the values of variables that stand for them, if any do.
    fn with_literals(gremlin: &Gremlin, work: &Work) -> Result<(Ready, Vec<Argument>)> {
        match work {
            Work::Script { text, language, .. } => {
                let Read { script, literals } = gremlin.texts(*language).read(text)?;
                Ok((Ready::Script(script), literals))
            }
            Work::Traversal(_) => Ok((Ready::of(gremlin, work)?, Vec::new())),
        }
    }

    /// Whether it assigns a variable.
    fn assigns(&self) -> bool {
        matches!(self, Ready::Script(script) if script.assigns)
    }

    /// The sources that it names, each once, and whether it ends a transaction by itself.
    fn sources(&self) -> (Vec<&str>, bool) {
        let Ready::Script(script) = self else { return (vec![DEFAULT_SOURCE], false) };
        let (mut sources, mut ends) = (Vec::new(), false);
        for statement in &script.text.statements {
            match &statement.expression {
                Expression::Traversal(traversal) => sources.push(&*traversal.source),
                Expression::Transaction { source, .. } => {
                    ends = true;
                    sources.push(source);
                }
                Expression::Argument(_) => {}
            }
        }
        sources.sort_unstable();
        sources.dedup();
        (sources, ends)
    }
}

/// The word of a traversal that only speaks to its transaction: `tx('commit')`.
fn transaction_word(bytecode: &Bytecode) -> Result<Option<TransactionWord>> {
    let [source] = bytecode.sources.as_slice() else { return Ok(None) };
    if &*source.name != "tx" {
        return Ok(None);
    }
    let word = match source.arguments.as_slice() {
        [Argument::Value(Value::String(word))] => match &**word {
            "commit" => Some(TransactionWord::Commit),
            "rollback" => Some(TransactionWord::Rollback),
            "begin" => Some(TransactionWord::Begin),
            _ => None,
        },
        _ => None,
    };
    let wrong = || Error::new(ErrorKind::BadQuery, "tx() takes begin, commit or rollback");
    word.map(Some).ok_or_else(wrong)
}

impl Gremlin {
    /// Runs a request that is a transaction of its own, again after a write conflict.
    pub(crate) fn run(
        &self,
        database: &Database,
        request: &Request,
        results: &mut dyn Results,
    ) -> Result<Option<Ticket>> {
        let mut variables = Variables::default();
        self.run_with(database, request, &mut variables, results)
    }

    /// The same over variables that may outlive it; what a failed attempt assigned is forgotten.
    pub(super) fn run_with(
        &self,
        database: &Database,
        request: &Request,
        variables: &mut Variables,
        results: &mut dyn Results,
    ) -> Result<Option<Ticket>> {
        let read = || Ready::with_literals(self, &request.work);
        let (ready, literals) = request.limits.trace.time(Phase::Parse, read)?;
        if let Work::Script { bindings, .. } = &request.work {
            variables.extend(bindings, request.limits.bytes_max)?;
        }
        let is_normalized = !literals.is_empty();
        variables.set_literals(literals);
        let done = self.run_ready(database, request, &ready, variables, results);
        variables.set_literals(Vec::new());
        // A script may have committed before it failed, so it never runs a second time to find the position.
        done.map_err(|error| match &request.work {
            Work::Script { text, .. } if is_normalized => in_original(text, error),
            Work::Script { .. } | Work::Traversal(_) => error,
        })
    }

    fn run_ready(
        &self,
        database: &Database,
        request: &Request,
        ready: &Ready,
        variables: &mut Variables,
        results: &mut dyn Results,
    ) -> Result<Option<Ticket>> {
        let assigns = ready.assigns();
        let mut attempt = |ticket: Option<ConflictTicketId>| {
            let mut copy = assigns.then(|| variables.clone());
            let mut transactions = match request.is_read_only {
                true => Transactions::reading(),
                false => Transactions::with_ticket(ticket),
            };
            let mut evaluation = Evaluation {
                gremlin: self,
                database,
                request,
                transactions: &mut transactions,
                variables: copy.as_mut().unwrap_or(variables),
                is_open: false,
            };
            let done = evaluation.run(ready, results)?;
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
            Ok(ticket)
        };
        let (sources, ends) = ready.sources();
        // What was kept halfway cannot be done again; nor can what others saw of another graph.
        let [source] = sources.as_slice() else { return attempt(None) };
        if ends {
            return attempt(None);
        }
        let graph = graph_of(database, request, source)?;
        let scripts = graph.scripts();
        let done = retrying(&scripts.store, &scripts.counters, &request.limits, |ticket| {
            attempt(ticket).map_err(ScriptFailure::from)
        });
        done.map_err(|failure| failure.error)
    }
}

/// A traversal that can run.
struct Run {
    prepared: Arc<PreparedStatement>,
    /// The values of its literals.
    values: Vec<Value>,
    ending: Ending,
}

/// A request while it runs.
pub(super) struct Evaluation<'a> {
    pub(super) gremlin: &'a Gremlin,
    pub(super) database: &'a Database,
    pub(super) request: &'a Request,
    pub(super) transactions: &'a mut Transactions,
    pub(super) variables: &'a mut Variables,
    /// Whether the transactions outlive the request.
    pub(super) is_open: bool,
}

impl Evaluation<'_> {
    /// Runs all statements and emits the result of the last one; the ticket of an explicit commit.
    pub(super) fn run(
        &mut self,
        ready: &Ready,
        results: &mut dyn Results,
    ) -> Result<Option<Ticket>> {
        match ready {
            Ready::Script(script) => self.script(script, results),
            Ready::Traversal(bytecode) => {
                results.begin(self.is_open);
                let mut bytecode = bytecode.clone();
                self.find_references(DEFAULT_SOURCE, &mut bytecode)?;
                let (prepared, slots) = self.prepare(bytecode)?;
                let values = slots.into_iter().map(|own| own.value).collect();
                let run = Run { prepared, values, ending: Ending::None };
                self.traversal(None, DEFAULT_SOURCE, run, Some(results))?;
                Ok(None)
            }
            Ready::Transaction(word) => {
                results.begin(self.is_open);
                self.transaction(DEFAULT_SOURCE, *word)
            }
        }
    }

    fn script(&mut self, script: &Script, results: &mut dyn Results) -> Result<Option<Ticket>> {
        script.text.check_variables(&|name| self.variables.is_known(name))?;
        results.begin(self.is_open);
        let mut ticket: Option<Ticket> = None;
        let statements = &script.text.statements;
        let last = statements.len().wrapping_sub(1);
        for (place, (statement, fingerprints)) in
            statements.iter().zip(&script.fingerprints).enumerate()
        {
            let results: Option<&mut dyn Results> = match place == last {
                true => Some(&mut *results),
                false => None,
            };
            // What follows a commit reads it, and may fail: an error is answered after the commit is visible.
            if let Some(committed) = ticket.take() {
                self.request.limits.trace.time(Phase::Sync, || committed.wait())?;
            }
            ticket = self.statement(statement, fingerprints, results)?;
        }
        if script.assigns {
            self.variables.forget_hidden();
        }
        Ok(ticket)
    }

    fn statement(
        &mut self,
        statement: &Statement,
        fingerprints: &Fingerprints,
        results: Option<&mut dyn Results>,
    ) -> Result<Option<Ticket>> {
        self.request.limits.check()?;
        match &statement.expression {
            Expression::Transaction { source, word } => return self.transaction(source, *word),
            Expression::Argument(_) => self.value(statement, results)?,
            Expression::Traversal(traversal) => {
                let run = self.ready(statement, traversal, fingerprints)?;
                self.traversal(statement.target.as_ref(), &traversal.source, run, results)?;
            }
        }
        Ok(None)
    }

    /// The prepared statement of a traversal, with the values of its variables.
    fn ready(
        &mut self,
        statement: &Statement,
        traversal: &Traversal,
        fingerprints: &Fingerprints,
    ) -> Result<Run> {
        let ending = traversal.ending;
        if let Some((prepared, values)) = fingerprints.find(self.variables) {
            return Ok(Run { prepared, values, ending });
        }
        let variables = &*self.variables;
        let bound = statement.bind(&mut |name| variables.value_of(name))?;
        let Expression::Traversal(Traversal { source, mut bytecode, .. }) = bound else {
            return Err(Error::new(
                ErrorKind::Bug,
                "a traversal stopped being one when its variables were bound",
            ));
        };
        if bytecode.steps.is_empty() {
            let detail = format!("`{source}` alone is not a traversal");
            let error = Error::new(ErrorKind::BadQuery, detail);
            return Err(error.with_help(format!("add a step, such as {source}.V()")));
        }
        self.check_source(&source, &bytecode)?;
        results::limit_to(ending, &mut bytecode);
        let had_references = self.find_references(&source, &mut bytecode)?;
        let (prepared, slots) = self.prepare(bytecode)?;
        let values = slots.iter().map(|own| own.value.clone()).collect();
        if !had_references {
            fingerprints.add(statement, self.variables, &prepared, slots);
        }
        Ok(Run { prepared, values, ending })
    }

    fn prepare(&self, bytecode: Bytecode) -> Result<(Arc<PreparedStatement>, Vec<ParameterSlot>)> {
        self.request.limits.trace.time(Phase::Plan, || self.gremlin.prepare(bytecode))
    }

    /// Puts the elements in the place of what says them; whether there were any.
    fn find_references(&mut self, source: &str, bytecode: &mut Bytecode) -> Result<bool> {
        parameterize::say_ids(bytecode);
        let references = References::of(bytecode);
        if references.is_empty() {
            return Ok(false);
        }
        let graph = self.graph(source)?;
        let limits = Options::of(bytecode)?.limit(&self.request.limits);
        let execution = self.transactions.on(&graph, &limits)?;
        references.fill(&self.gremlin.references, execution, bytecode)?;
        Ok(true)
    }

    /// Emits the value of a statement without a traversal.
    fn value(&mut self, statement: &Statement, results: Option<&mut dyn Results>) -> Result<()> {
        let variables = &*self.variables;
        let value = match statement.bind(&mut |name| variables.value_of(name))? {
            Expression::Argument(argument) => value_of(argument)?,
            Expression::Traversal(_) | Expression::Transaction { .. } => Value::Null,
        };
        if let Some(target) = &statement.target {
            self.variables.set(target, value.clone(), self.request.limits.bytes_max)?;
        }
        let Some(results) = results else { return Ok(()) };
        let result = StatementResult::Values(vec![value]);
        result.emit(self.gremlin, None, self.request.detail, results)
    }

    /// Runs a traversal, assigns its result to the target variable, if there is one, and emits it, if
    /// there are results to take it.
    fn traversal(
        &mut self,
        target: Option<&Arc<str>>,
        source: &str,
        run: Run,
        results: Option<&mut dyn Results>,
    ) -> Result<()> {
        let graph = self.graph(source)?;
        let detail = run.prepared.options().detail(self.request.detail);
        let mut result = self.result(&graph, run)?;
        if let Some(target) = target {
            let bytes_max = self.request.limits.bytes_max;
            let value = result.into_variable(bytes_max)?;
            self.variables.set(target, value.clone(), bytes_max)?;
            result = StatementResult::Values(vec![value]);
        }
        self.emit(&result, &graph, detail, results)
    }

    fn emit(
        &mut self,
        result: &StatementResult,
        graph: &Arc<Graph>,
        detail: ElementDetail,
        results: Option<&mut dyn Results>,
    ) -> Result<()> {
        let Some(results) = results else { return Ok(()) };
        results.begin(self.is_open || self.transactions.is_clean());
        let execution = self.transactions.on(graph, &self.request.limits)?;
        // Held until the client has taken them.
        let held = i64::try_from(result.bytes()).unwrap_or(i64::MAX);
        execution.charge(held)?;
        let done = result.emit(self.gremlin, Some(&mut *execution), detail, results);
        execution.charge(-held)?;
        done
    }

    fn result(&mut self, graph: &Arc<Graph>, run: Run) -> Result<StatementResult> {
        let Run { prepared, values, ending } = run;
        let limits = prepared.options().limit(&self.request.limits);
        let execution = self.transactions.on(graph, &limits)?;
        match ending {
            Ending::Explain => {
                let text = execution.explain(prepared.plan())?;
                Ok(StatementResult::Values(vec![Value::from(text.as_str())]))
            }
            Ending::ToString => {
                let detail = "toString() of a traversal is not supported";
                let error = Error::new(ErrorKind::Unsupported, detail);
                Err(error.with_help("explain() shows the plan"))
            }
            ending => {
                let parameters = prepared.parameters(values);
                if let Some(metrics) = prepared.profile(execution, &parameters)? {
                    return Ok(results::of_metrics(ending, metrics));
                }
                let rows = prepared.run(execution, &parameters)?;
                results::of_rows(ending, rows, limits.bytes_max)
            }
        }
    }

    /// Refuses a variable where a traversal's source should stand.
    fn check_source(&self, source: &str, bytecode: &Bytecode) -> Result<()> {
        if !self.variables.is_known(source) || self.graph(source).is_ok() {
            return Ok(());
        }
        let detail = format!("`{source}` is a variable, and scripts cannot call methods of values");
        let method = bytecode.steps.first().and_then(|step| instead(Use::Call, &step.name));
        let help = method.map_or_else(
            || {
                format!(
                    "begin a traversal with {DEFAULT_SOURCE}: for an element, \
                     {DEFAULT_SOURCE}.V({source}); for other values, \
                     {DEFAULT_SOURCE}.inject({source})"
                )
            },
            str::to_owned,
        );
        Err(Error::new(ErrorKind::Unsupported, detail).with_help(help))
    }

    fn graph(&self, source: &str) -> Result<Arc<Graph>> {
        graph_of(self.database, self.request, source)
    }

    fn transaction(&mut self, source: &str, word: TransactionWord) -> Result<Option<Ticket>> {
        let graph = self.graph(source)?;
        match word {
            // Whatever comes next begins one.
            TransactionWord::Begin => Ok(None),
            TransactionWord::Commit => {
                let trace = &self.request.limits.trace;
                trace.time(Phase::Commit, || self.transactions.commit(Some(&graph)))
            }
            TransactionWord::Rollback => {
                self.transactions.roll_back(Some(&graph));
                Ok(None)
            }
        }
    }
}

/// An error at a position in a normalized text, with the position in the original text.
fn in_original(text: &str, error: Error) -> Error {
    let position =
        error.position.map(|position| NormalizedQuery::original_position(text, position));
    Error { position, ..error }
}

fn value_of(argument: Argument) -> Result<Value> {
    match argument {
        Argument::Value(value) => Ok(value),
        Argument::Binding(_, inner) => value_of(*inner),
        Argument::Vertex(ref id) | Argument::Edge(ref id) => {
            Ok(parameterize::element(&argument).unwrap_or_else(|| id.clone()))
        }
        _ => {
            let detail = "the statement is neither a value nor a traversal from a source";
            Err(Error::new(ErrorKind::BadQuery, detail).with_help("begin with g"))
        }
    }
}

/// Requests with default options.
impl Request {
    /// A text with nothing said besides.
    pub fn script(text: &str, limits: RequestLimits) -> Request {
        let language = millrace_gremlin::text::Language::Groovy;
        let work = Work::Script { text: Arc::from(text), language, bindings: Vec::new() };
        let (aliases, detail) = (Vec::new(), ElementDetail::default());
        Request { work, aliases, detail, is_read_only: false, limits }
    }
}
