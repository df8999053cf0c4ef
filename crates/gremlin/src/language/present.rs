//! The result of a statement: the rows of its traversal in the form that its ending asks for.
//!
//! A collection as a result is sent as its entries, as from any server of this protocol; a map is sent as maps
//! of one pair each.

use std::sync::Arc;

use millrace_bytecode::{Argument, Bytecode, Instruction};
use millrace_model::{Batch, Error, ErrorKind, Profile, Result, Value};
use millrace_plan::language::{Outcome, Presented};

use crate::steps::Profiled;
use crate::text::Ending;

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

/// Limits a traversal to the results that its ending takes. A profile is a single result and is not limited.
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

/// The result of a traversal with this ending.
pub(super) fn presented(ending: Ending, outcome: Outcome, bytes_max: u64) -> Result<Presented> {
    match outcome {
        Outcome::Rows(rows) => of_rows(ending, rows, bytes_max),
        Outcome::Explained(explained) => {
            Ok(Presented::Values(vec![Value::from(explained.text.as_str())]))
        }
        Outcome::Profiled(profile, _) => Ok(of_profile(ending, profile)),
    }
}

fn of_rows(ending: Ending, rows: Batch, bytes_max: u64) -> Result<Presented> {
    Ok(match ending {
        Ending::None | Ending::ToList | Ending::ToBulkSet => Presented::Rows(rows),
        Ending::Iterate => Presented::Values(Vec::new()),
        Ending::Next => match value_at(&rows, 0) {
            Some(value) => Presented::Values(vec![value]),
            None => {
                let detail = "next() found no result in the traversal";
                let error = Error::new(ErrorKind::NotFound, detail);
                return Err(error.with_help(
                    "use tryNext() for an optional result, or test with \
                                            hasNext() first",
                ));
            }
        },
        Ending::TryNext => Presented::Values(value_at(&rows, 0).into_iter().collect()),
        Ending::HasNext => Presented::Values(vec![Value::Bool(rows.len != 0)]),
        Ending::NextMany(count) => {
            let rows = Presented::Rows(rows);
            Presented::Values(vec![rows.into_list(count, bytes_max)?])
        }
        Ending::ToSet => {
            let mut seen = std::collections::HashSet::new();
            let values = (0..rows.len).filter_map(|row| value_at(&rows, row));
            let distinct = values.filter(|value| seen.insert(value.clone()));
            Presented::Values(vec![Value::Set(distinct.collect())])
        }
        Ending::Explain | Ending::ToString => {
            return Err(Error::new(
                ErrorKind::Bug,
                "a traversal ran that should only be explained",
            ));
        }
    })
}

fn of_profile(ending: Ending, profile: Profile) -> Presented {
    match ending {
        Ending::Iterate => Presented::Values(Vec::new()),
        Ending::HasNext => Presented::Values(vec![Value::Bool(true)]),
        Ending::NextMany(0) => Presented::Values(vec![Value::list(Vec::new())]),
        Ending::None
        | Ending::Explain
        | Ending::Next
        | Ending::NextMany(_)
        | Ending::ToBulkSet
        | Ending::ToList
        | Ending::ToSet
        | Ending::ToString
        | Ending::TryNext => Presented::Profile(profile, None),
    }
}

/// The value of a row; one without an entry has null.
fn value_at(rows: &Batch, row: usize) -> Option<Value> {
    let column = rows.columns.first().filter(|_| row < rows.len)?;
    Some(column.get(row).unwrap_or_default())
}

/// One value as results: the entries of a collection, or the value itself.
pub(super) fn spread(value: Value) -> Vec<Value> {
    match value {
        Value::List(entries) | Value::Set(entries) => entries.to_vec(),
        Value::Map(pairs) => pairs.iter().map(|pair| Value::map(vec![pair.clone()])).collect(),
        other => vec![other],
    }
}
