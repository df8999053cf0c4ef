//! The results of statements: rows of a traversal or values, and what its ending makes of them.
//!
//! A collection as a result is sent as its entries, as from any server of this protocol; a map is sent
//! as maps of one pair each.

use std::sync::Arc;

use millrace_engine::batch_bytes;
use millrace_gremlin::Profiled;
use millrace_gremlin::text::Ending;
use millrace_model::bytecode::{Argument, Bytecode, Instruction};
use millrace_model::{Batch, Error, ErrorKind, Result, TraversalMetrics, Value};

use super::detach::ElementDetail;
use super::{Gremlin, Results};
use crate::execution::Execution;
use crate::limits::ROWS_DETACHED_MAX;

/// The result of a statement.
pub(super) enum StatementResult {
    /// Rows of one column, each as often as its weight says.
    Rows(Batch),
    /// Values.
    Values(Vec<Value>),
    /// What a traversal did.
    Metrics(TraversalMetrics),
}

/// How many results an ending takes at most.
fn taken_by(ending: Ending) -> Option<u64> {
    match ending {
        Ending::Next | Ending::TryNext | Ending::HasNext => Some(1),
        Ending::NextMany(count) => Some(count),
        Ending::None
        | Ending::Explain
        | Ending::Iterate
        | Ending::ToBulkSet
        | Ending::ToList
        | Ending::ToSet
        | Ending::ToString => None,
    }
}

/// Takes no more of a traversal than its ending wants; what it did is one thing however much that was.
pub(super) fn limit_to(ending: Ending, bytecode: &mut Bytecode) {
    let Some(most) = taken_by(ending) else { return };
    match Profiled::of(bytecode) {
        Some(profiled) if profiled.wants_metrics => return,
        Some(profiled) => *bytecode = profiled.rest,
        None => {}
    }
    let most = Value::I64(i64::try_from(most).unwrap_or(i64::MAX));
    bytecode.steps.push(Instruction {
        name: Arc::from("limit"),
        arguments: vec![Argument::Value(most)],
        position: None,
    });
}

/// The result of a traversal with these rows.
pub(super) fn of_rows(ending: Ending, rows: Batch, bytes_max: u64) -> Result<StatementResult> {
    Ok(match ending {
        Ending::None | Ending::ToList | Ending::ToBulkSet => StatementResult::Rows(rows),
        Ending::Iterate => StatementResult::Values(Vec::new()),
        Ending::Next => match value_at(&rows, 0) {
            Some(value) => StatementResult::Values(vec![value]),
            None => {
                let detail = "next() found no result in the traversal";
                let error = Error::new(ErrorKind::NotFound, detail);
                return Err(error.with_help(
                    "use tryNext() for an optional result, or test with hasNext() first",
                ));
            }
        },
        Ending::TryNext => StatementResult::Values(value_at(&rows, 0).into_iter().collect()),
        Ending::HasNext => StatementResult::Values(vec![Value::Bool(rows.len != 0)]),
        Ending::NextMany(count) => StatementResult::Values(vec![listed(&rows, count, bytes_max)?]),
        Ending::ToSet => {
            let mut seen = std::collections::HashSet::new();
            let values = (0..rows.len).filter_map(|row| value_at(&rows, row));
            let distinct = values.filter(|value| seen.insert(value.clone()));
            StatementResult::Values(vec![Value::Set(distinct.collect())])
        }
        Ending::Explain | Ending::ToString => {
            return Err(Error::new(
                ErrorKind::Bug,
                "a traversal ran that should only be explained",
            ));
        }
    })
}

/// The result of a traversal that returns its metrics.
pub(super) fn of_metrics(ending: Ending, metrics: TraversalMetrics) -> StatementResult {
    match ending {
        Ending::Iterate => StatementResult::Values(Vec::new()),
        Ending::HasNext => StatementResult::Values(vec![Value::Bool(true)]),
        Ending::NextMany(0) => StatementResult::Values(vec![Value::list(Vec::new())]),
        Ending::None
        | Ending::Explain
        | Ending::Next
        | Ending::NextMany(_)
        | Ending::ToBulkSet
        | Ending::ToList
        | Ending::ToSet
        | Ending::ToString
        | Ending::TryNext => StatementResult::Metrics(metrics),
    }
}

/// The value of a row; one without an entry has null.
fn value_at(rows: &Batch, row: usize) -> Option<Value> {
    let column = rows.columns.first().filter(|_| row < rows.len)?;
    Some(column.get(row).unwrap_or_default())
}

/// A list of the first so many values, as often as their weights say: few rows may stand for more than
/// there is room for.
fn listed(rows: &Batch, count: u64, bytes_max: u64) -> Result<Value> {
    let units = (0..rows.len).map(|row| rows.weight(row)).fold(0, u64::saturating_add).min(count);
    if bytes_max < units.saturating_mul(size_of::<Value>() as u64) {
        let detail = format!("a list of {units} results would hold more than {bytes_max} bytes");
        let help = "limit the results, or count them in the traversal";
        return Err(Error::new(ErrorKind::LimitReached, detail).with_help(help));
    }
    let mut values = Vec::with_capacity(units as usize);
    for row in 0..rows.len {
        let left = units - values.len() as u64;
        let value = value_at(rows, row).unwrap_or_default();
        values.extend(std::iter::repeat_n(value, rows.weight(row).min(left) as usize));
    }
    Ok(Value::list(values))
}

impl StatementResult {
    /// Bytes it holds, for the budget.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            StatementResult::Rows(rows) => batch_bytes(rows),
            StatementResult::Values(values) => {
                values.iter().map(Value::byte_size).sum::<usize>() as u64
            }
            StatementResult::Metrics(_) => 0,
        }
    }

    /// The value of a variable that is assigned it.
    pub(super) fn into_variable(self, bytes_max: u64) -> Result<Value> {
        match self {
            StatementResult::Rows(rows) => listed(&rows, u64::MAX, bytes_max),
            StatementResult::Values(values) => Ok(values.into_iter().next().unwrap_or_default()),
            StatementResult::Metrics(_) => {
                let detail = "assigning the metrics of profile() to a variable is not supported";
                let error = Error::new(ErrorKind::Unsupported, detail);
                Err(error.with_help("use profile() at the end of the last statement"))
            }
        }
    }

    /// Emits it, with its elements detached.
    pub(super) fn emit(
        &self,
        gremlin: &Gremlin,
        mut execution: Option<&mut Execution>,
        detail: ElementDetail,
        results: &mut dyn Results,
    ) -> Result<()> {
        let mut emit = |values: &[Value], bulks: &[u64]| {
            let detached = match &mut execution {
                Some(execution) => gremlin.detach_plans.detach(execution, values, detail)?,
                None => Default::default(),
            };
            results.take(values, bulks, &detached)
        };
        match self {
            StatementResult::Metrics(metrics) => results.take_metrics(metrics),
            StatementResult::Values(values) => {
                let entries: Vec<Value> = values.iter().flat_map(entries).collect();
                emit(&entries, &vec![1; entries.len()])
            }
            StatementResult::Rows(rows) => {
                let (mut values, mut bulks): (Vec<Value>, Vec<u64>) = Default::default();
                for row in 0..rows.len {
                    let (value, weight) =
                        (value_at(rows, row).unwrap_or_default(), rows.weight(row));
                    // Equal neighbours are one result, whatever the order.
                    if let (Some(bulk), true) = (bulks.last_mut(), values.last() == Some(&value)) {
                        let (sum, passed) = bulk.overflowing_add(weight);
                        // What has no room together stays two results.
                        if !passed {
                            *bulk = sum;
                            continue;
                        }
                    }
                    if values.len() == ROWS_DETACHED_MAX {
                        emit(&values, &bulks)?;
                        values.clear();
                        bulks.clear();
                    }
                    values.push(value);
                    bulks.push(weight);
                }
                if values.is_empty() { Ok(()) } else { emit(&values, &bulks) }
            }
        }
    }
}

/// The results that one value gives.
fn entries(value: &Value) -> Vec<Value> {
    match value {
        Value::List(entries) | Value::Set(entries) => entries.to_vec(),
        Value::Map(pairs) => pairs.iter().map(|pair| Value::map(vec![pair.clone()])).collect(),
        other => vec![other.clone()],
    }
}
