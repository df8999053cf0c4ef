//! A small request on a thread that must not block: answered at once, or left to a thread that may block.

use std::sync::Arc;

use millrace_model::{Batch, Column, ColumnValues, DetachedElements, Profile, Result, Value};
use millrace_plan::{Notice, WriteCounts};
use millrace_store::{Ticket, non_blocking};

use super::stream::Started;
use crate::database::Database;
use crate::limits::{ATTEMPT_BYTES_PER_ROW, ATTEMPT_TEXT_BYTES_MAX};
use crate::request::{Request, ResultHead, Results, Statements};
use crate::transaction::attempt;

/// Answers a request that belongs to no session, without blocking; `None` where that does not suffice.
pub(super) fn try_answer(
    database: &Database,
    request: &mut Request,
    results: &mut dyn Results,
) -> Option<Result<Option<Ticket>>> {
    if let Statements::Text(text) = &request.source.statements
        && ATTEMPT_TEXT_BYTES_MAX < text.len()
    {
        return None;
    }
    let limits = request.limits.clone();
    let tried = attempt(&limits, |few| {
        request.limits = few;
        answer(database, request, &mut Counted(results))
    });
    request.limits = limits;
    tried
}

fn answer(
    database: &Database,
    request: &Request,
    results: &mut dyn Results,
) -> Result<Option<Ticket>> {
    match database.start(request, results)? {
        Started::Done(ticket) => Ok(ticket),
        Started::Streaming(mut stream) => {
            while stream.advance(database, results)? {}
            Ok(None)
        }
    }
}

/// Results of an attempt: they count as rows that it walks.
struct Counted<'a>(&'a mut dyn Results);

impl Results for Counted<'_> {
    fn begin(&mut self, streams: bool) {
        self.0.begin(streams);
    }

    fn take(
        &mut self,
        values: &[Value],
        weights: &[u64],
        elements: &DetachedElements,
    ) -> Result<()> {
        let rows = weights.iter().fold(0, |sum: u64, weight| sum.saturating_add(*weight));
        let bytes: usize = values.iter().map(Value::byte_size).sum();
        let rows = usize::try_from(rows).unwrap_or(usize::MAX);
        non_blocking::walk(rows.saturating_add(bytes / ATTEMPT_BYTES_PER_ROW))?;
        self.0.take(values, weights, elements)
    }

    fn takes_columns(&self) -> bool {
        self.0.takes_columns()
    }

    fn take_columns(&mut self, columns: &Batch, rows: &[u32], weights: &[u64]) -> Result<()> {
        let count = weights.iter().fold(0, |sum: u64, weight| sum.saturating_add(*weight));
        let text_bytes = |column: &Arc<Column>| -> usize {
            match &column.values {
                ColumnValues::String(texts) => {
                    rows.iter().map(|row| texts.bytes_of(*row as usize).len()).sum()
                }
                _ => 0,
            }
        };
        let cells = size_of::<Value>() * columns.columns.len() * rows.len();
        let bytes = cells + columns.columns.iter().map(text_bytes).sum::<usize>();
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        non_blocking::walk(count.saturating_add(bytes / ATTEMPT_BYTES_PER_ROW))?;
        self.0.take_columns(columns, rows, weights)
    }

    fn take_json(&mut self, answer: &str) -> Result<()> {
        non_blocking::walk(answer.len() / ATTEMPT_BYTES_PER_ROW)?;
        self.0.take_json(answer)
    }

    fn take_head(&mut self, head: &ResultHead) {
        self.0.take_head(head);
    }

    fn take_explanation(&mut self, text: &str, tree: Option<&Profile>) -> Result<()> {
        self.0.take_explanation(text, tree)
    }

    fn take_write_counts(&mut self, counts: &WriteCounts) {
        self.0.take_write_counts(counts);
    }

    fn take_notices(&mut self, notices: &[Notice]) {
        self.0.take_notices(notices);
    }

    fn takes_rows_beside_profile(&self) -> bool {
        self.0.takes_rows_beside_profile()
    }

    fn take_profile(&mut self, profile: &Profile) -> Result<()> {
        self.0.take_profile(profile)
    }
}
