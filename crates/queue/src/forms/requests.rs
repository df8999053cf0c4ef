//! The form `requests`: a message brings a statement and its parameters.

use std::sync::Arc;

use millrace_db::languages::{Binding, Language};
use millrace_db::session;
use millrace_model::{Error, ErrorKind, Result, Value};

use super::bad;
use super::{Applied, Content, Discarded, Failure, foreign, language};
use crate::settings::{Allowed, QueueSettings};

/// Names in a message.
const STATEMENT: &str = "statement";
const PARAMETERS: &str = "parameters";

/// A statement with parameters.
#[derive(Debug)]
pub(crate) struct Request {
    text: Arc<str>,
    parameters: Vec<(Arc<str>, Value)>,
}

/// Which statements messages may bring, and their language.
pub(crate) struct Requests {
    pub(super) language: &'static dyn Language,
    /// `None`: any.
    allowed: Option<Vec<Arc<str>>>,
}

impl Requests {
    pub(super) fn new(settings: &QueueSettings) -> Result<Requests> {
        let allowed = match &settings.statements_allowed {
            Allowed::Any => None,
            Allowed::These(texts) => Some(texts.iter().map(|text| text.trim().into()).collect()),
            Allowed::Unset => Some(Vec::new()),
        };
        Ok(Requests { language: language(settings)?, allowed })
    }

    pub(super) fn read(&self, value: Value) -> Result<Request> {
        let Value::Map(pairs) = value else {
            let error = bad(format!("the message is a {}", value.type_name()));
            return Err(error.with_help("send a map of statement and parameters"));
        };
        let (mut text, mut parameters) = (None, Vec::new());
        for (key, value) in pairs.iter() {
            match (key.as_str().unwrap_or_default(), value) {
                (STATEMENT, Value::String(own)) => text = Some(own),
                (PARAMETERS, Value::Null) => {}
                (PARAMETERS, Value::Map(pairs)) => {
                    parameters = pairs.iter().map(parameter).collect();
                }
                (name @ (STATEMENT | PARAMETERS), value) => {
                    return Err(bad(format!("{name} of the message is a {}", value.type_name())));
                }
                (name, _) => {
                    let error = bad(format!("the message has `{name}`"));
                    return Err(error.with_help("send a map of statement and parameters"));
                }
            }
        }
        let Some(text) = text else {
            return Err(bad("the message has no statement".to_owned()));
        };
        Ok(Request { text: self.permitted(text)?, parameters })
    }

    /// A text of the list itself, so that equal texts are one.
    fn permitted(&self, text: &Arc<str>) -> Result<Arc<str>> {
        let Some(allowed) = &self.allowed else { return Ok(Arc::clone(text)) };
        let known = allowed.iter().find(|known| ***known == *text.trim());
        known.cloned().ok_or_else(|| {
            let detail = "the statement of the message is not in `statements-allowed`";
            Error::new(ErrorKind::Forbidden, detail)
        })
    }

    pub(super) fn apply(
        &self,
        applied: &mut Applied<'_, '_>,
        contents: &[&Content],
    ) -> std::result::Result<(), Failure> {
        for (at, content) in contents.iter().enumerate() {
            let Content::Request(own) = content else { return Err(foreign()) };
            let limits = applied.limits.clone();
            let mut request =
                session::Request::text(self.language, &own.text, applied.graph, limits);
            let bind = |(name, value): &(Arc<str>, Value)| {
                (Arc::clone(name), Binding::Value(value.clone()))
            };
            request.bindings = own.parameters.iter().map(bind).collect();
            let done = applied.transaction.run(&request, &mut Discarded);
            done.map_err(|error| Failure { error, at: Some(at) })?;
        }
        Ok(())
    }
}

fn parameter((name, value): &(Value, Value)) -> (Arc<str>, Value) {
    (Arc::from(name.as_str().unwrap_or_default()), value.clone())
}
