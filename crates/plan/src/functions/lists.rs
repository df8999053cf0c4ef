//! Functions on lists, and those that take a text as a list of characters.

use std::collections::HashSet;
use std::sync::Arc;

use millrace_model::value::Path;
use millrace_model::{Result, Value, compare};

use super::arguments::{bad, bound, bounded_list, check_entries, int, list, misplaced, place};
use super::{Function, IndexMode};

/// The rows of this family; see `functions!`.
macro_rules! lists_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// How many characters, entries or pairs.
            Size: [1, 1], ALL, Fails::May => lists::call;
            /// The entry at a place.
            ElementAt(IndexMode): [2, 2], ALL, Fails::May => lists::call;
            /// Entries from a place to another, exclusive (none: to the end).
            Slice(IndexMode): [2, 3], ALL, Fails::May => lists::call;
            /// A text, list or path, last first.
            Reverse: [1, 1], ALL, Fails::May => lists::call;
            /// Lists as one.
            ConcatLists: [0, MANY], ALL, Fails::May => lists::call;
            /// A list with each value once, by identity.
            Distinct: [1, 1], ALL, Fails::May => lists::call;
            /// A list in the order of a compare mode.
            SortList(CompareMode): [1, 1], ALL, Fails::May => lists::call;
            /// Whole numbers from one to another, inclusive, by a step (none: 1).
            Range: [2, 3], ALL, Fails::May => lists::call;
        }
    };
}

pub(super) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    match function {
        Function::Size => size(function, &arguments[0]),
        Function::Reverse => match &arguments[0] {
            Value::String(text) => Ok(Value::string(&text.chars().rev().collect::<String>())),
            Value::Path(path) => {
                let Path { mut objects, mut tags } = Path::clone(path);
                objects.reverse();
                tags.reverse();
                Ok(Value::Path(Arc::new(Path { objects, tags })))
            }
            other => Ok(Value::list(list(function, other)?.iter().rev().cloned().collect())),
        },
        Function::ElementAt(mode) => {
            let own = list(function, &arguments[0])?;
            let place = place(mode, int(function, &arguments[1])?, own.len())?;
            Ok(place.map_or(Value::Null, |place| own[place].clone()))
        }
        Function::Slice(mode) => {
            if let Value::String(text) = &arguments[0] {
                return part_of_text(function, mode, text, arguments);
            }
            let own = list(function, &arguments[0])?;
            let start = bound(mode, int(function, &arguments[1])?, own.len())?;
            let end = match arguments.get(2) {
                Some(end) => bound(mode, int(function, end)?, own.len())?,
                None => own.len(),
            };
            Ok(Value::list(own.get(start..end).unwrap_or(&[]).to_vec()))
        }
        Function::ConcatLists => {
            let lists: Vec<&[Value]> =
                arguments.iter().map(|own| list(function, own)).collect::<Result<_>>()?;
            check_entries(lists.iter().map(|own| own.len()).sum())?;
            Ok(Value::list(lists.concat()))
        }
        Function::Distinct => {
            let mut seen = HashSet::new();
            let own = list(function, &arguments[0])?.iter();
            Ok(Value::list(own.filter(|value| seen.insert(*value)).cloned().collect()))
        }
        Function::SortList(mode) => {
            let mut sorted = list(function, &arguments[0])?.to_vec();
            sorted.sort_by(compare::order_of(mode));
            Ok(Value::list(sorted))
        }
        Function::Range => range(arguments),
        other => Err(misplaced(other)),
    }
}

fn part_of_text(
    function: Function,
    mode: IndexMode,
    text: &str,
    arguments: &[Value],
) -> Result<Value> {
    let count = text.chars().count();
    let start = bound(mode, int(function, &arguments[1])?, count)?;
    let end = match arguments.get(2) {
        Some(end) => bound(mode, int(function, end)?, count)?,
        None => count,
    };
    let part = text.chars().skip(start).take(end.saturating_sub(start));
    Ok(Value::string(&part.collect::<String>()))
}

fn size(function: Function, value: &Value) -> Result<Value> {
    let count = match value {
        Value::String(text) => text.chars().count(),
        Value::Map(pairs) => pairs.len(),
        Value::MapEntry(_) => 1,
        other => list(function, other)?.len(),
    };
    Ok(Value::I64(i64::try_from(count).unwrap_or(i64::MAX)))
}

fn range(arguments: &[Value]) -> Result<Value> {
    let range = IntegerRange::of(arguments)?;
    check_entries(usize::try_from(range.len()).unwrap_or(usize::MAX))?;
    bounded_list((0..range.len()).map(|place| range.get(place)).collect())
}

/// The entries of [`Function::Range`], made as they are asked for.
#[derive(Clone, Copy, Debug)]
pub struct IntegerRange {
    first: i64,
    step: i64,
    len: u64,
}

impl IntegerRange {
    /// The range of the function's arguments, which are not null.
    pub fn of(arguments: &[Value]) -> Result<IntegerRange> {
        let argument = |at: usize| int(Function::Range, &arguments[at]);
        let (first, last) = (argument(0)?, argument(1)?);
        let step = if arguments.len() < 3 { 1 } else { argument(2)? };
        if step == 0 {
            let error = bad("a range goes by a step other than 0");
            return Err(error.with_name("NumberOutOfRange"));
        }
        let distance = i128::from(last) - i128::from(first);
        let is_empty = distance != 0 && (distance < 0) != (step < 0);
        let len = if is_empty { 0 } else { distance / i128::from(step) + 1 };
        Ok(IntegerRange { first, step, len: u64::try_from(len).unwrap_or(u64::MAX) })
    }

    /// How many entries it has.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entry at a place, which is less than its length.
    pub fn get(&self, place: u64) -> Value {
        let entry = i128::from(self.first) + i128::from(self.step) * i128::from(place);
        Value::I64(entry as i64)
    }
}
