//! The forms `jobs` and `commands`: each message is a batch of the older REST interface; all of a transaction are run
//! together, in bulk.

use std::sync::Arc;

use millrace_db::languages::{Binding, Entry};
use millrace_db::session::Request;
use millrace_db::{ResultHead, Results};
use millrace_model::{DetachedElements, ElementDetail, Error, ErrorKind, Profile, Result, Value};
use millrace_wire::neo4j_http::legacy::{
    Answers, JobFailure, Jobs, Order, StatementRows, Statements,
};

use super::{Applied, Content, Failure, foreign};

/// The jobs of a message.
pub(super) fn read(value: &Value) -> Result<Jobs> {
    Jobs::of_value(value).map_err(|failure| error_of(&failure))
}

/// The error of a batch with its job in front.
pub(super) fn error_of(failure: &JobFailure) -> Error {
    Error { detail: failure.message(), ..failure.error().clone() }
}

pub(super) fn apply(
    applied: &mut Applied<'_, '_>,
    contents: &[&Content],
    order: Order,
) -> std::result::Result<(), Failure> {
    let mut all = Jobs::default();
    for content in contents {
        let Content::Jobs(jobs) = content else { return Err(foreign()) };
        all.append(jobs.clone());
    }
    let mut statements = InTransaction(applied);
    match all.run(&mut statements, Answers::None, order) {
        Ok(_) => Ok(()),
        Err(failure) => Err(error_of(&failure).into()),
    }
}

/// Statements of jobs in the transaction of a batch.
struct InTransaction<'r, 'a, 't>(&'r mut Applied<'a, 't>);

impl Statements for InTransaction<'_, '_, '_> {
    fn run(
        &mut self,
        language: &'static str,
        text: &Arc<str>,
        parameters: Vec<(Arc<str>, Value)>,
    ) -> Result<StatementRows> {
        let Applied { transaction, graph, limits } = &mut *self.0;
        let Entry::Compiled(language) = Entry::of_name(language)? else {
            let detail = format!("{language} cannot be in a transaction of a batch");
            return Err(Error::new(ErrorKind::Unsupported, detail));
        };
        let mut request = Request::text(language, text, graph, limits.clone());
        let bind = |(name, value)| (name, Binding::Value(value));
        request.bindings = parameters.into_iter().map(bind).collect();
        request.detail = ElementDetail::Tokens;
        let mut collected =
            Collected { rows: StatementRows::default(), bytes_left: limits.bytes_max };
        transaction.run(&request, &mut collected)?;
        Ok(collected.rows)
    }
}

/// The rows of a statement without the contents of elements, which tell what a job made; those of a query that a message brings are not looked at, and
/// are bounded like the query.
struct Collected {
    rows: StatementRows,
    bytes_left: u64,
}

impl Results for Collected {
    fn begin(&mut self, _streams: bool) {
        self.rows = StatementRows::default();
    }

    fn take_head(&mut self, head: &ResultHead) {
        self.rows.columns = head.columns.iter().flat_map(|names| names.iter().cloned()).collect();
    }

    fn take(&mut self, values: &[Value], weights: &[u64], _: &DetachedElements) -> Result<()> {
        let width = self.rows.columns.len().max(1);
        for (row, weight) in values.chunks(width).zip(weights) {
            for _ in 0..*weight {
                let bytes: usize = row.iter().map(Value::byte_size).sum();
                self.bytes_left = self.bytes_left.checked_sub(bytes as u64).ok_or_else(|| {
                    let detail = "the results of a job take more than query.bytes-max";
                    Error::new(ErrorKind::LimitReached, detail)
                })?;
                self.rows.values.extend_from_slice(row);
            }
        }
        Ok(())
    }

    fn take_profile(&mut self, _: &Profile) -> Result<()> {
        Ok(())
    }
}
