//! What a message is, from its value to queries in a transaction: a file for each form.
//!
//! A form sees a value. Bytes, keys and brokers are above.

mod commands;
mod jobs;
mod requests;
mod statement;

use std::sync::Arc;

use millrace_db::RequestLimits;
use millrace_db::Results;
use millrace_db::languages::{Entry, Language};
use millrace_db::session::ComposedTransaction;
use millrace_model::{DetachedElements, Error, ErrorKind, Profile, Result, Value};

use millrace_wire::neo4j_http::legacy::Jobs;
pub(crate) use millrace_wire::neo4j_http::legacy::Order;

use crate::settings::{self, QueueSettings};

/// What is to be applied.
pub(crate) enum Content {
    /// One row of the statement's parameter.
    Row(Value),
    /// A statement with parameters.
    Request(requests::Request),
    /// A batch of the older REST interface.
    Jobs(Jobs),
}

/// The form of a queue's messages.
pub(crate) enum Form {
    /// A row for one statement.
    Statement(statement::Statement),
    /// A statement with parameters.
    Requests(requests::Requests),
    /// Jobs, by the reader of their form.
    Jobs(fn(&Value) -> Result<Jobs>),
}

/// The error of a message that cannot be read.
pub(crate) fn bad(detail: String) -> Error {
    Error::new(ErrorKind::BadInput, detail)
}

/// Why a batch failed, and at which of its messages, if that is known.
pub(crate) struct Failure {
    pub(crate) error: Error,
    pub(crate) at: Option<usize>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { error, at: None }
    }
}

/// The transaction of a batch, with what a form needs beside it.
pub(crate) struct Applied<'a, 't> {
    pub(crate) transaction: &'a mut ComposedTransaction<'t>,
    pub(crate) graph: &'a Arc<str>,
    pub(crate) limits: &'a RequestLimits,
}

impl Form {
    pub(crate) fn new(settings: &QueueSettings) -> Result<Form> {
        match settings.form {
            Some(settings::Form::Statement) => {
                Ok(Form::Statement(statement::Statement::new(settings)?))
            }
            Some(settings::Form::Requests) => {
                Ok(Form::Requests(requests::Requests::new(settings)?))
            }
            Some(settings::Form::Commands) => Ok(Form::Jobs(commands::read)),
            Some(settings::Form::Jobs) => Ok(Form::Jobs(jobs::read)),
            None => {
                let detail = format!("queue.{}.form is not set", settings.name);
                Err(Error::new(ErrorKind::BadInput, detail))
            }
        }
    }

    /// The language whose deadline a transaction has.
    pub(crate) fn language(&self) -> &'static str {
        match self {
            Form::Statement(statement) => statement.language.name(),
            Form::Requests(requests) => requests.language.name(),
            Form::Jobs(_) => "cypher",
        }
    }

    /// Reads the value of a message.
    pub(crate) fn read(&self, value: Value) -> Result<Content> {
        match self {
            Form::Statement(_) => Ok(Content::Row(value)),
            Form::Requests(requests) => requests.read(value).map(Content::Request),
            Form::Jobs(read) => read(&value).map(Content::Jobs),
        }
    }

    /// Whether a message that fails in bulk may do otherwise if its parts are run one after the other.
    pub(crate) fn has_orders(&self) -> bool {
        match self {
            Form::Jobs(_) => true,
            Form::Statement(_) | Form::Requests(_) => false,
        }
    }

    /// Applies messages in their order.
    pub(crate) fn apply(
        &self,
        applied: &mut Applied<'_, '_>,
        contents: &[&Content],
        order: Order,
    ) -> std::result::Result<(), Failure> {
        match self {
            Form::Statement(statement) => statement.apply(applied, contents),
            Form::Requests(requests) => requests.apply(applied, contents),
            Form::Jobs(_) => jobs::apply(applied, contents, order),
        }
    }
}

/// A language whose texts run in a transaction with others.
fn language(settings: &QueueSettings) -> Result<&'static dyn Language> {
    match Entry::of_name(&settings.language)? {
        Entry::Compiled(language) => Ok(language),
        Entry::Interpreted(language) => {
            let detail = format!("{} cannot be in a transaction of a batch", language.name());
            Err(Error::new(ErrorKind::Unsupported, detail).with_help("set cypher or gremlin"))
        }
    }
}

/// Results that no client waits for.
pub(crate) struct Discarded;

impl Results for Discarded {
    fn begin(&mut self, _streams: bool) {}

    fn take(&mut self, _: &[Value], _: &[u64], _: &DetachedElements) -> Result<()> {
        Ok(())
    }

    fn take_profile(&mut self, _: &Profile) -> Result<()> {
        Ok(())
    }
}

/// A content of a form that the queue does not have is a bug of the decoder.
fn foreign() -> Failure {
    Error::new(ErrorKind::Bug, "a message was read in a form that is not its queue's").into()
}
