//! What a shell knows while it runs: whom it asks, in which language, on which graph, and how it shows results.

use millrace_db::model::{Error, ErrorKind, Result};
use millrace_server::query::{Language, Query};

use super::commands::{self, Action};
use super::interrupt::Interrupt;
use super::output::{Format, shown};
use super::profile;
use super::target::Target;

/// A shell under way.
pub(crate) struct Session {
    pub(crate) target: Target,
    pub(crate) interrupt: Interrupt,
    pub(crate) language: Language,
    pub(crate) graph: String,
    pub(crate) format: Format,
    /// The last statement of Gremlin.
    last: Option<String>,
}

/// What is to be printed, or that the shell ends.
pub(crate) enum Step {
    Print(String),
    Quit,
}

impl Session {
    pub(crate) fn new(target: Target, interrupt: Interrupt, format: Format) -> Session {
        let (language, graph) =
            (Language::Gremlin, millrace_server::query::DEFAULT_GRAPH.to_owned());
        Session { target, interrupt, language, graph, format, last: None }
    }

    /// Whether a line is a command, where a statement could begin.
    pub(crate) fn is_command(line: &str) -> bool {
        line.trim_start().starts_with(':')
    }

    /// Runs a statement.
    pub(crate) fn run(&mut self, text: &str) -> Result<Step> {
        if self.language == Language::Gremlin {
            self.last = Some(text.to_owned());
        }
        self.ask(self.language, text, Ok)
    }

    fn ask(
        &self,
        language: Language,
        text: &str,
        change: impl FnOnce(String) -> Result<String>,
    ) -> Result<Step> {
        let query = Query { language, graph: self.graph.clone(), text: text.to_owned() };
        let answer = self.target.ask(&query, &self.interrupt)?;
        shown(&change(answer.results)?, answer.took_ms, self.format).map(Step::Print)
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
            Action::Schema => self.ask(Language::Lua, profile::SCHEMA, Ok),
            Action::Profile => {
                let traversal = match argument {
                    "" => self.last.clone().ok_or_else(|| {
                        let error = Error::new(ErrorKind::BadInput, "no traversal has run yet");
                        error.with_help("write :profile TRAVERSAL, in Gremlin")
                    })?,
                    traversal => traversal.to_owned(),
                };
                let text = profile::measured(&traversal);
                self.last = Some(traversal);
                self.ask(Language::Gremlin, &text, |results| profile::rows(&results))
            }
            Action::Use => {
                self.language = Language::of_name(argument)?;
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
