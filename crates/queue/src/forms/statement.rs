//! The form `statement`: the batch is one parameter of one statement, so it is one bulk run.

use std::sync::Arc;

use millrace_db::languages::{Binding, Language};
use millrace_db::session::Request;
use millrace_model::{Result, Value};

use super::{Applied, Content, Discarded, Failure, foreign, language};
use crate::settings::QueueSettings;

/// The parameter's name.
const MESSAGES: &str = "messages";

/// The statement of the settings.
pub(crate) struct Statement {
    pub(super) language: &'static dyn Language,
    text: String,
}

impl Statement {
    pub(super) fn new(settings: &QueueSettings) -> Result<Statement> {
        Ok(Statement { language: language(settings)?, text: settings.statement.clone() })
    }

    pub(super) fn apply(
        &self,
        applied: &mut Applied<'_, '_>,
        contents: &[&Content],
    ) -> std::result::Result<(), Failure> {
        let row = |content: &&Content| match content {
            Content::Row(value) => Ok(value.clone()),
            _ => Err(foreign()),
        };
        let rows = contents.iter().map(row).collect::<std::result::Result<Vec<Value>, _>>()?;
        let limits = applied.limits.clone();
        let mut request = Request::text(self.language, &self.text, applied.graph, limits);
        request.bindings = vec![(Arc::from(MESSAGES), Binding::Value(Value::list(rows)))];
        Ok(applied.transaction.run(&request, &mut Discarded)?)
    }
}
