//! Lists made of other lists: parts, pairs, counts, and entries put in, replaced or taken out.
//!
//! Entries are the same by identity, as in a set.

use std::collections::{HashMap, HashSet};

use millrace_model::{Result, Value};

use crate::functions::arguments::{bad, bounded_list, check_entries, int, list, misplaced};
use crate::functions::{Function, Overflow};

/// The rows of this family; see `functions!`.
macro_rules! list_edits_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// How often a list has an entry.
            Occurrences: [2, 2], 1, Fails::May => collections::list_edits::call;
            /// The different entries of a list, each in a list with how often it is there.
            Counted: [1, 1], ALL, Fails::May => collections::list_edits::call;
            /// Each entry and the next one as a list of two, so far apart.
            Neighbours: [2, 2], ALL, Fails::May => collections::list_edits::call;
            /// Parts of so many entries, the last one of the rest.
            Partition: [2, 2], ALL, Fails::May => collections::list_edits::call;
            /// The parts of a list between entries that are a value; no empty ones.
            SplitList: [2, 2], 1, Fails::May => collections::list_edits::call;
            /// A list without entries that are as the one before.
            WithoutRepeats: [1, 1], ALL, Fails::May => collections::list_edits::call;
            /// A list without the entries of another, however often they are there.
            WithoutAll: [2, 2], ALL, Fails::May => collections::list_edits::call;
            /// A list with the entries of another in it, from a place on.
            InsertAt: [3, 3], ALL, Fails::May => collections::list_edits::call;
            /// A list without so many entries from a place on.
            RemoveAt: [3, 3], ALL, Fails::May => collections::list_edits::call;
            /// A list with another entry at a place.
            ReplaceAt: [3, 3], 2, Fails::May => collections::list_edits::call;
            /// A value so many times.
            Fill: [2, 2], 0, Fails::May => collections::list_edits::call;
            /// Each number added to those before it.
            RunningTotals: [1, 1], ALL, Fails::May => collections::list_edits::call;
            /// Whether another list has all entries of a list.
            IsSublistOf: [2, 2], ALL, Fails::May => collections::list_edits::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    if function == Function::Fill {
        let count = match &arguments[1] {
            Value::Null => 0,
            other => usize::try_from(int(function, other)?).unwrap_or(0),
        };
        check_entries(count)?;
        return Ok(Value::list(vec![arguments[0].clone(); count]));
    }
    let own = list(function, &arguments[0])?;
    match function {
        Function::Occurrences => {
            let count = own.iter().filter(|entry| **entry == arguments[1]).count();
            Ok(Value::I64(i64::try_from(count).unwrap_or(i64::MAX)))
        }
        Function::Counted => Ok(counted(own)),
        Function::Neighbours => {
            let apart = place(function, &arguments[1])?;
            let pairs = own.iter().zip(own.iter().skip(apart));
            Ok(Value::list(
                pairs.map(|(one, next)| Value::list(vec![one.clone(), next.clone()])).collect(),
            ))
        }
        Function::Partition => {
            let size = place(function, &arguments[1])?.max(1);
            Ok(Value::list(own.chunks(size).map(|part| Value::list(part.to_vec())).collect()))
        }
        Function::SplitList => {
            let parts = own.split(|entry| *entry == arguments[1]).filter(|part| !part.is_empty());
            Ok(Value::list(parts.map(|part| Value::list(part.to_vec())).collect()))
        }
        Function::WithoutRepeats => {
            let mut kept = own.to_vec();
            kept.dedup();
            Ok(Value::list(kept))
        }
        Function::WithoutAll => {
            let gone: HashSet<&Value> = list(function, &arguments[1])?.iter().collect();
            let kept = own.iter().filter(|entry| !gone.contains(entry));
            Ok(Value::list(kept.cloned().collect()))
        }
        Function::InsertAt | Function::RemoveAt | Function::ReplaceAt => {
            edited(function, arguments)
        }
        Function::RunningTotals => {
            let mut totals = Vec::with_capacity(own.len());
            let mut total = Value::I64(0);
            for entry in own {
                total = Function::Add(Overflow::Error).call(&[total, entry.clone()])?;
                totals.push(total.clone());
            }
            Ok(Value::list(totals))
        }
        Function::IsSublistOf => {
            let whole: HashSet<&Value> = list(function, &arguments[1])?.iter().collect();
            Ok(Value::Bool(own.iter().all(|entry| whole.contains(entry))))
        }
        other => Err(misplaced(other)),
    }
}

/// A place or a count that is no negative number.
fn place(function: Function, value: &Value) -> Result<usize> {
    let number = int(function, value)?;
    usize::try_from(number).map_err(|_| bad(format!("{number} is not an index of a list")))
}

fn counted(own: &[Value]) -> Value {
    let mut places: HashMap<&Value, usize> = HashMap::default();
    let mut counts: Vec<(&Value, i64)> = Vec::new();
    for entry in own {
        let place = *places.entry(entry).or_insert_with(|| {
            counts.push((entry, 0));
            counts.len() - 1
        });
        counts[place].1 += 1;
    }
    let pair = |(entry, count): (&Value, i64)| Value::list(vec![entry.clone(), Value::I64(count)]);
    Value::list(counts.into_iter().map(pair).collect())
}

/// A list that is changed from a place on; behind its end nothing changes.
fn edited(function: Function, arguments: &[Value]) -> Result<Value> {
    let mut entries = list(function, &arguments[0])?.to_vec();
    let number = int(function, &arguments[1])?;
    let at = usize::try_from(number).ok();
    match (function, at) {
        (Function::InsertAt, Some(at)) if at <= entries.len() => {
            entries.splice(at..at, list(function, &arguments[2])?.iter().cloned());
        }
        (Function::RemoveAt, Some(at)) if at < entries.len() => {
            let count = place(function, &arguments[2])?;
            entries.drain(at..at.saturating_add(count).min(entries.len()));
        }
        (Function::ReplaceAt, Some(at)) if at < entries.len() => {
            entries[at].clone_from(&arguments[2]);
        }
        _ => {}
    }
    bounded_list(entries)
}
