//! What a shell knows while it runs: what it asks, in which language, on which graph, and how it shows results.

use std::io::stdout;
use std::rc::Rc;

use millrace_db::languages::{Entry, LANGUAGES};
use millrace_model::{Error, ErrorKind, Result, TextPosition};
use millrace_server::query::DEFAULT_GRAPH;

use super::commands::{self, Action};
use super::interrupt::Interrupt;
use super::output::{Printer, profile_rows, shown};
use super::parameters::{Parameters, Wanted};
use super::schema::SCHEMA;
use super::target::{Asked, Mode, Target, Transaction};
use crate::answer::{Columns, Line};
use crate::arguments::Format;

/// The language of expressions of parameters, and whose elements are nodes and relationships.
const CYPHER: &str = "cypher";

/// The language of `:schema`.
const SCHEMA_LANGUAGE: &str = "lua";

/// The argument of `:schema` that waits for indexes.
const AWAIT: &str = "await";

/// The column of an expression that is evaluated, and what stands in front of it.
const EXPRESSION_COLUMN: &str = "value";
const EXPRESSION_BEGINS: &str = "RETURN ";

/// A shell under way.
pub(crate) struct Session {
    pub(crate) target: Rc<Target>,
    pub(crate) interrupt: Interrupt,
    pub(crate) language: Entry,
    pub(crate) graph: String,
    pub(crate) format: Format,
    pub(crate) parameters: Parameters,
    /// The transaction that was begun and not ended.
    transaction: Option<Transaction>,
    /// The last statement that has a plan, and its language.
    last: Option<(Entry, String)>,
}

/// What is left to be printed, or that the shell ends.
pub(crate) enum Step {
    Print(String),
    Quit,
}

impl Session {
    pub(crate) fn new(target: Target, interrupt: Interrupt, format: Format) -> Session {
        let (language, graph) = (LANGUAGES[0], DEFAULT_GRAPH.to_owned());
        let (target, parameters) = (Rc::new(target), Parameters::default());
        let (transaction, last) = (None, None);
        Session { target, interrupt, language, graph, format, parameters, transaction, last }
    }

    /// Whether a transaction is open.
    pub(crate) fn is_in_transaction(&self) -> bool {
        self.transaction.is_some()
    }

    /// Runs a statement and prints its rows as they come.
    pub(crate) fn run(&mut self, text: &str) -> Result<Step> {
        match self.language {
            Entry::Compiled(_) => self.last = Some((self.language, text.to_owned())),
            // Refused here, so that the transaction goes on.
            Entry::Interpreted(language) if self.transaction.is_some() => {
                let detail = format!("a script in {} joins no open transaction", language.name());
                let error = Error::new(ErrorKind::Unsupported, detail);
                return Err(
                    error.with_help(":commit or :rollback first, or :use cypher or gremlin")
                );
            }
            Entry::Interpreted(_) => {}
        }
        let mut transaction = self.transaction.take();
        let done = self.ask(self.language, text, transaction.as_mut());
        self.keep(transaction, done)
    }

    /// Keeps a transaction whose statement succeeded. After an error it is rolled back, which the error says.
    fn keep<T>(&mut self, transaction: Option<Transaction>, done: Result<T>) -> Result<T> {
        match (done, transaction) {
            (Ok(done), transaction) => {
                self.transaction = transaction;
                Ok(done)
            }
            (Err(error), None) => Err(error),
            (Err(error), Some(transaction)) => {
                // One that failed has ended in the server already.
                let _ended = self.target.roll_back(transaction, &self.graph, &self.interrupt);
                let detail = format!("{}; the transaction is rolled back", error.detail);
                Err(Error { detail, ..error })
            }
        }
    }

    fn asked<'a>(&'a self, language: Entry, text: &'a str) -> Asked<'a> {
        let (graph, parameters) = (&self.graph, &self.parameters);
        Asked { language, graph, text, parameters, mode: Mode::Rows }
    }

    fn ask(
        &self,
        language: Entry,
        text: &str,
        transaction: Option<&mut Transaction>,
    ) -> Result<Step> {
        let mut out = stdout().lock();
        let mut printer = Printer::new(&mut out, self.format, language.name() == CYPHER);
        let mut is_closed = false;
        let asked = self.asked(language, text);
        let done = self.target.ask(&asked, transaction, &self.interrupt, &mut |line| {
            printer.line(line)?.map_err(|error| {
                is_closed = true;
                Error::new(ErrorKind::Io, error.to_string())
            })
        });
        if is_closed {
            return Ok(Step::Quit);
        }
        let ended = match done {
            Ok(summary) => printer.end(&summary)?,
            Err(error) => {
                // The error is what is said, whether or not the line of rows can be ended.
                let _closed = printer.break_off();
                return Err(error);
            }
        };
        Ok(if ended.is_ok() { Step::Print(String::new()) } else { Step::Quit })
    }

    fn profile(&mut self, argument: &str) -> Result<Step> {
        let (language, text) = match argument {
            "" => self.last.clone().ok_or_else(|| {
                let error = Error::new(ErrorKind::BadInput, "no statement has run yet");
                error.with_help("write :profile STATEMENT, in Cypher, Gremlin or DQL")
            })?,
            text => match self.language {
                Entry::Compiled(_) => (self.language, text.trim_end_matches(';').to_owned()),
                Entry::Interpreted(language) => {
                    let detail = format!("a script in {} has no profile", language.name());
                    let error = Error::new(ErrorKind::Unsupported, detail);
                    return Err(error.with_help(":use cypher or :use gremlin first"));
                }
            },
        };
        self.last = Some((language, text.clone()));
        let mut transaction = self.transaction.take();
        let done = self.profiled(
            &Asked { mode: Mode::Profile, ..self.asked(language, &text) },
            transaction.as_mut(),
        );
        self.keep(transaction, done)
    }

    fn profiled(&self, asked: &Asked<'_>, transaction: Option<&mut Transaction>) -> Result<Step> {
        let mut names = Vec::new();
        let summary = self.target.ask(asked, transaction, &self.interrupt, &mut |line| {
            if let Line::Columns(Columns { names: Some(own), .. }) = line {
                names = own;
            }
            Ok(())
        })?;
        let profile = summary.profile.unwrap_or_else(|| "{}".to_owned());
        let rows = profile_rows(&profile, &names)?;
        shown(&rows, summary.elapsed_ms, self.format).map(Step::Print)
    }

    /// Does what a line with a command says.
    pub(crate) fn command(&mut self, line: &str) -> Result<Step> {
        let Some((command, argument)) = commands::find(line, self.language) else {
            let name = line.split_whitespace().next().unwrap_or_default();
            let detail = format!("there is no command {name}");
            return Err(Error::new(ErrorKind::BadInput, detail).with_help(":help lists them"));
        };
        let silent = Step::Print(String::new());
        if command.arguments.is_empty() && !argument.is_empty() {
            let detail = format!(":{} takes no argument", command.name);
            return Err(Error::new(ErrorKind::BadInput, detail));
        }
        match command.action {
            Action::Help => Ok(Step::Print(commands::help())),
            Action::Quit => Ok(Step::Quit),
            Action::Schema => self.schema(argument),
            Action::Profile => self.profile(argument),
            Action::Begin => self.begin(),
            Action::Commit => {
                let transaction = self.ended()?;
                self.target.commit(transaction, &self.graph, &self.interrupt).map(|()| silent)
            }
            Action::RollBack => {
                let transaction = self.ended()?;
                self.target.roll_back(transaction, &self.graph, &self.interrupt).map(|()| silent)
            }
            Action::Parameter => self.set(argument, false, line),
            Action::Parameters => self.set(argument, true, line),
            Action::Use => {
                self.language = Entry::of_name(argument).map_err(|error| {
                    let help = error.help.clone().unwrap_or_default();
                    error.with_help(format!("{help}; :graph NAME switches to another graph"))
                })?;
                Ok(silent)
            }
            Action::Format => {
                self.format = clap::ValueEnum::from_str(argument, false).map_err(|_| {
                    let detail = format!("there is no format `{argument}`");
                    let help = format!("write :format {}", command.arguments);
                    Error::new(ErrorKind::BadInput, detail).with_help(help)
                })?;
                Ok(silent)
            }
            Action::Graph => self.graph(argument),
        }
    }

    /// Shows the schema. Indexes are there once their statement has ended, so there is nothing to wait for.
    fn schema(&self, argument: &str) -> Result<Step> {
        match argument.trim_end_matches(';') {
            "" => self.ask(Entry::of_name(SCHEMA_LANGUAGE)?, SCHEMA, None),
            word if word.eq_ignore_ascii_case(AWAIT) => Ok(Step::Print(String::new())),
            other => {
                let detail = format!(":schema has no argument `{other}`");
                let help = "SHOW INDEXES and SHOW CONSTRAINTS list them in Cypher";
                Err(Error::new(ErrorKind::BadInput, detail).with_help(help))
            }
        }
    }

    fn begin(&mut self) -> Result<Step> {
        if let Entry::Interpreted(language) = self.language {
            let detail = format!("a script in {} is a transaction of its own", language.name());
            let error = Error::new(ErrorKind::Unsupported, detail);
            return Err(error.with_help("write it as one script, or :use cypher or gremlin first"));
        }
        if self.transaction.is_some() {
            let error = Error::new(ErrorKind::BadInput, "a transaction is open already");
            return Err(error.with_help(":commit or :rollback ends it"));
        }
        self.transaction = Some(self.target.begin(&self.graph, &self.interrupt)?);
        Ok(Step::Print(String::new()))
    }

    /// The transaction, which ends now.
    fn ended(&mut self) -> Result<Transaction> {
        self.transaction.take().ok_or_else(|| {
            let error = Error::new(ErrorKind::BadInput, "no transaction is open");
            error.with_help(":begin begins one")
        })
    }

    /// Rolls back what is left open at the end. Whether there was something.
    pub(crate) fn abandon(&mut self) -> bool {
        let Some(transaction) = self.transaction.take() else { return false };
        // The server does it by itself later, if it does not answer now.
        let _late = self.target.roll_back(transaction, &self.graph, &self.interrupt);
        true
    }

    /// Lists or sets parameters. With `replaces` those of a map take the place of all.
    fn set(&mut self, argument: &str, replaces: bool, line: &str) -> Result<Step> {
        let silent = Ok(Step::Print(String::new()));
        match Wanted::of(argument)? {
            Wanted::List => {
                let rows = self.parameters.rows()?;
                return shown(&rows, 0.0, self.format).map(Step::Print);
            }
            Wanted::Clear => self.parameters.clear(),
            Wanted::One(name, expression) => {
                let value = self.evaluated(expression, line)?;
                self.parameters.set(name, &value)?;
            }
            Wanted::All(map) => {
                let value = self.evaluated(map, line)?;
                if replaces {
                    self.parameters.clear();
                }
                self.parameters.set_all(&value)?;
            }
        }
        silent
    }

    /// The value of an expression of Cypher, as JSON with types.
    fn evaluated(&self, expression: &str, line: &str) -> Result<String> {
        let text = format!("{EXPRESSION_BEGINS}{expression} AS {EXPRESSION_COLUMN}");
        let language = Entry::of_name(CYPHER)?;
        let asked = Asked { mode: Mode::TypedRead, ..self.asked(language, &text) };
        let (mut names, mut rows) = (Vec::new(), Vec::new());
        let asked = self.target.ask(&asked, None, &self.interrupt, &mut |line| {
            match line {
                Line::Columns(columns) => names = columns.names.unwrap_or_default(),
                Line::Rows(more) => rows.extend(more),
                Line::Summary(_) => {}
            }
            Ok(())
        });
        asked.map_err(|error| {
            // Its place in the line, in front of which the query has other words.
            let before = line.find(expression).map_or(0, |at| line[..at].chars().count());
            let position = error.position.map(|at| {
                let column = (at.column as usize).saturating_sub(EXPRESSION_BEGINS.len()) + before;
                TextPosition { column: u32::try_from(column).unwrap_or(u32::MAX), ..at }
            });
            Error { position, ..error }
        })?;
        if let ([name], [row]) = (names.as_slice(), rows.as_slice())
            && name == EXPRESSION_COLUMN
        {
            let begin = format!("{{\"{EXPRESSION_COLUMN}\":");
            let value = row.strip_prefix(&begin).and_then(|rest| rest.strip_suffix('}'));
            if let Some(value) = value {
                return Ok(value.to_owned());
            }
        }
        let error = Error::new(ErrorKind::BadInput, "this is not a single expression");
        Err(error.with_help("write :param name => expression"))
    }

    /// Asks another graph from now on; without a name, lists those that there are.
    pub(crate) fn graph(&mut self, name: &str) -> Result<Step> {
        let graphs = self.target.graphs(&self.interrupt)?;
        if name.is_empty() {
            let rows: Vec<_> =
                graphs.iter().map(|name| serde_json::json!({ "graph": name })).collect();
            return shown(&serde_json::Value::from(rows).to_string(), 0.0, self.format)
                .map(Step::Print);
        }
        if self.transaction.is_some() {
            let detail = "a transaction is open, and belongs to its graph";
            let error = Error::new(ErrorKind::BadInput, detail);
            return Err(error.with_help(":commit or :rollback ends it"));
        }
        if !graphs.iter().any(|graph| graph == name) {
            let detail = format!("there is no graph `{name}`");
            let help = format!("graphs: {}", graphs.join(", "));
            return Err(Error::new(ErrorKind::NotFound, detail).with_help(help));
        }
        self.graph = name.to_owned();
        Ok(Step::Print(String::new()))
    }
}
