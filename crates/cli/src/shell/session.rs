//! What a shell knows while it runs: what it asks, in which language, on which graph, and how it shows results.

use std::io::stdout;
use std::rc::Rc;

use millrace_db::languages::{Entry, LANGUAGES};
use millrace_model::{Error, ErrorKind, Result};
use millrace_server::query::DEFAULT_GRAPH;

use super::commands::{self, Action};
use super::interrupt::Interrupt;
use super::output::{Printer, shown};
use super::profile;
use super::target::{Asked, Target};
use crate::arguments::Format;

/// The language of `:schema`.
const SCHEMA_LANGUAGE: &str = "lua";

/// A shell under way.
pub(crate) struct Session {
    pub(crate) target: Rc<Target>,
    pub(crate) interrupt: Interrupt,
    pub(crate) language: Entry,
    pub(crate) graph: String,
    pub(crate) format: Format,
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
        Session { target: Rc::new(target), interrupt, language, graph, format, last: None }
    }

    /// Whether a line is a command, where a statement could begin.
    pub(crate) fn is_command(line: &str) -> bool {
        line.trim_start().starts_with(':')
    }

    /// Runs a statement and prints its rows as they come.
    pub(crate) fn run(&mut self, text: &str) -> Result<Step> {
        if let Entry::Compiled(_) = self.language {
            self.last = Some((self.language, text.to_owned()));
        }
        self.ask(self.language, text)
    }

    fn asked<'a>(&'a self, language: Entry, text: &'a str) -> Asked<'a> {
        Asked { language, graph: &self.graph, text, is_profiled: false }
    }

    fn ask(&self, language: Entry, text: &str) -> Result<Step> {
        let mut out = stdout().lock();
        let mut printer = Printer::new(&mut out, self.format);
        let mut is_closed = false;
        let done = self.target.ask(&self.asked(language, text), &self.interrupt, &mut |line| {
            printer.line(line)?.map_err(|error| {
                is_closed = true;
                Error::new(ErrorKind::Io, error.to_string())
            })
        });
        if is_closed {
            return Ok(Step::Quit);
        }
        let ended = match done {
            Ok(summary) => printer.end(summary.rows, summary.elapsed_ms)?,
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
                let error = Error::new(ErrorKind::BadInput, "no traversal has run yet");
                error.with_help("write :profile TRAVERSAL, in Gremlin")
            })?,
            text => match self.language {
                Entry::Compiled(_) => (self.language, text.to_owned()),
                Entry::Interpreted(_) => (LANGUAGES[0], text.to_owned()),
            },
        };
        self.last = Some((language, text.clone()));
        let asked = Asked { is_profiled: true, ..self.asked(language, &text) };
        let summary = self.target.ask(&asked, &self.interrupt, &mut |_| Ok(()))?;
        let profile = summary.profile.unwrap_or_else(|| "{}".to_owned());
        shown(&profile::rows(&profile)?, summary.elapsed_ms, self.format).map(Step::Print)
    }

    /// Does what a line with a command says.
    pub(crate) fn command(&mut self, line: &str) -> Result<Step> {
        let Some((command, argument)) = commands::find(line) else {
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
            Action::Schema => self.ask(Entry::of_name(SCHEMA_LANGUAGE)?, profile::SCHEMA),
            Action::Profile => self.profile(argument),
            Action::Use => {
                self.language = Entry::of_name(argument)?;
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

    /// Asks another graph from now on; without a name, lists those that there are.
    pub(crate) fn graph(&mut self, name: &str) -> Result<Step> {
        let graphs = self.target.graphs(&self.interrupt)?;
        if name.is_empty() {
            let rows: Vec<_> =
                graphs.iter().map(|name| serde_json::json!({ "graph": name })).collect();
            return shown(&serde_json::Value::from(rows).to_string(), 0.0, self.format)
                .map(Step::Print);
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
