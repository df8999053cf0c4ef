//! Operations that concern the whole graph: queries, labels, schema, scripts.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};

use super::super::failure::Failure;
use super::{Statement, StatementRows, Statements};

/// An operation on the whole graph.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Whole {
    /// The statement; nothing is asked without one.
    pub(in super::super) asked: Option<Statement>,
    /// What its answer is.
    pub(in super::super) answer: AnswerKind,
}

/// What an answer is.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum AnswerKind {
    /// The addresses of everything.
    Root,
    /// A body that is known.
    Known(Arc<str>),
    /// Columns and rows.
    Table { has_stats: bool },
    /// The values of one column.
    Values,
    /// A script's values: one by itself, several as a list.
    Script,
    /// Labels or types, and keys, of indexes.
    Indexes,
    /// The same of constraints, with their type.
    Constraints,
    /// The same of one that has to be there.
    Constraint,
    /// The statement finds the name of what is dropped then.
    Dropped(&'static str),
}

impl Whole {
    pub(in super::super) fn of(answer: AnswerKind) -> Whole {
        Whole { asked: None, answer }
    }

    /// A statement in Cypher.
    pub(in super::super) fn cypher(
        text: impl Into<Arc<str>>,
        parameters: Vec<(Arc<str>, Value)>,
        answer: AnswerKind,
    ) -> Whole {
        let asked = Statement { language: "cypher", text: text.into(), parameters };
        Whole { asked: Some(asked), answer }
    }

    /// The one statement that does it, if one does.
    pub(super) fn statement(&self) -> Option<Statement> {
        match self.answer {
            AnswerKind::Dropped(_) => None,
            AnswerKind::Root
            | AnswerKind::Known(_)
            | AnswerKind::Table { .. }
            | AnswerKind::Values
            | AnswerKind::Script
            | AnswerKind::Indexes
            | AnswerKind::Constraints
            | AnswerKind::Constraint => self.asked.clone(),
        }
    }

    pub(super) fn values_mut(&mut self) -> Vec<&mut Value> {
        let Some(asked) = &mut self.asked else { return Vec::new() };
        asked.parameters.iter_mut().map(|(_, value)| value).collect()
    }

    /// Runs its statements.
    pub(in super::super) fn run(&self, statements: &mut dyn Statements) -> Result<StatementRows> {
        let Some(asked) = &self.asked else { return Ok(StatementRows::default()) };
        let found = statements.run(asked.language, &asked.text, asked.parameters.clone())?;
        let AnswerKind::Dropped(kind) = self.answer else { return Ok(found) };
        let name = found.rows().find_map(|row| row.first().and_then(Value::as_str));
        let Some(name) = name else {
            return Err(Error::new(ErrorKind::NotFound, format!("there is no such {kind}")));
        };
        let text = format!("DROP {} {}", kind.to_uppercase(), quoted(name));
        statements.run("cypher", &Arc::from(text), Vec::new())
    }
}

/// A name as texts of Cypher have it.
pub(in super::super) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// Refuses names that no text can have.
pub(in super::super) fn name(text: &str, what: &str) -> std::result::Result<Arc<str>, Failure> {
    match text {
        "" => Err(Failure::bad_input(format!("the {what} is empty"))),
        text => Ok(Arc::from(text)),
    }
}
