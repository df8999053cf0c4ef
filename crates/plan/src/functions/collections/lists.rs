//! Functions on lists, and those that take a text as a list of characters.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

use millrace_model::{Result, Value, compare, query_limits};

use crate::functions::arguments::{
    bad, bound, bounded_list, check_entries, int, list, map, misplaced, place, text,
};
use crate::functions::{Function, IndexMode};

/// The rows of this family; see `functions!`.
macro_rules! lists_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// How many characters, entries or pairs.
            Size: [1, 1], ALL, Fails::May => collections::lists::call;
            /// The entry at a place.
            ElementAt(IndexMode): [2, 2], ALL, Fails::May => collections::lists::call;
            /// Entries from a place to another, exclusive (none: to the end).
            Slice(IndexMode): [2, 3], ALL, Fails::May => collections::lists::call;
            /// A text, list or path, last first.
            Reverse: [1, 1], ALL, Fails::May => collections::lists::call;
            /// Lists as one.
            ConcatLists: [0, MANY], ALL, Fails::May => collections::lists::call;
            /// A list with each value once, by identity.
            Distinct: [1, 1], ALL, Fails::May => collections::lists::call;
            /// A list in the order of a compare mode.
            SortList(CompareMode): [1, 1], ALL, Fails::May => collections::lists::call;
            /// The entries of a list, with those of lists in it in their places: of the lists in it only, or at all depths.
            Flatten: [2, 2], 1, Fails::May => collections::lists::call;
            /// The place of a list, from 0, with an entry that equals a value by a compare mode; -1 where there is none.
            IndexOf(CompareMode): [2, 2], 1, Fails::May => collections::lists::call;
            /// Maps of a list by the value of a key, the greatest first; the least first where `^` stands before the key.
            SortMaps(CompareMode): [2, 2], ALL, Fails::May => collections::lists::call;
            /// Entries of two lists in pairs, as many as the first has.
            Zip: [2, 2], ALL, Fails::May => collections::lists::call;
            /// Whole numbers from one to another, inclusive, by a step (none: 1).
            Range: [2, 3], ALL, Fails::May => collections::lists::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    match function {
        Function::Size => size(function, &arguments[0]),
        Function::Reverse => match &arguments[0] {
            Value::String(text) => Ok(Value::string(&text.chars().rev().collect::<String>())),
            Value::Path(path) => Ok(Value::Path(Arc::new(path.reversed()))),
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
            bounded_list(own.filter(|value| seen.insert(*value)).cloned())
        }
        Function::SortList(mode) => {
            let own = list(function, &arguments[0])?;
            let order = compare::order_of(mode);
            let places = sorted_places(own.len(), |left, right| (&own[left], &own[right]), order)?;
            bounded_list(places.into_iter().map(|place| own[place as usize].clone()))
        }
        Function::Flatten => {
            let is_deep = matches!(arguments[1], Value::Bool(true));
            let mut flat = Vec::new();
            flatten(
                list(function, &arguments[0])?,
                if is_deep { usize::MAX } else { 1 },
                &mut flat,
            )?;
            bounded_list(flat)
        }
        Function::IndexOf(mode) => {
            let mut place = None;
            let sought = query_limits::work_of(&arguments[1]);
            for (number, entry) in list(function, &arguments[0])?.iter().enumerate() {
                query_limits::step(sought.min(query_limits::work_of(entry)))?;
                if compare::equal(entry, &arguments[1], mode) == Some(true) {
                    place = Some(number);
                    break;
                }
            }
            let place = place.map_or(-1, |place| i64::try_from(place).unwrap_or(i64::MAX));
            Ok(Value::I64(place))
        }
        Function::SortMaps(mode) => {
            let key = text(function, &arguments[1])?;
            let (key, is_ascending) = key.strip_prefix('^').map_or((key, false), |key| (key, true));
            let mut keyed = Vec::new();
            for entry in list(function, &arguments[0])? {
                let pairs = map(function, entry)?.iter();
                let value = pairs.clone().find(|(own, _)| own.as_str() == Some(key));
                keyed.push((value.map_or(Value::Null, |(_, value)| value.clone()), entry.clone()));
            }
            let order = compare::order_of(mode);
            let pair = |left: usize, right: usize| match is_ascending {
                true => (&keyed[left].0, &keyed[right].0),
                false => (&keyed[right].0, &keyed[left].0),
            };
            let places = sorted_places(keyed.len(), pair, order)?;
            bounded_list(places.into_iter().map(|place| keyed[place as usize].1.clone()))
        }
        Function::Zip => {
            let others = list(function, &arguments[1])?;
            let pair = |(place, own): (usize, &Value)| {
                Value::list(vec![own.clone(), others.get(place).cloned().unwrap_or_default()])
            };
            bounded_list(list(function, &arguments[0])?.iter().enumerate().map(pair))
        }
        Function::Range => range(function, arguments),
        other => Err(misplaced(other)),
    }
}

/// The places of a list in the order of the values that are compared for each pair.
fn sorted_places<'v>(
    len: usize,
    pair: impl Fn(usize, usize) -> (&'v Value, &'v Value),
    order: impl Fn(&Value, &Value) -> Ordering,
) -> Result<Vec<u32>> {
    let mut places: Vec<u32> = (0..len as u32).collect();
    let pair = |left: &u32, right: &u32| pair(*left as usize, *right as usize);
    let compare = |left: &u32, right: &u32| {
        let (left, right) = pair(left, right);
        order(left, right)
    };
    let units = |left: &u32, right: &u32| {
        let (left, right) = pair(left, right);
        query_limits::work_of(left).min(query_limits::work_of(right))
    };
    query_limits::sort_by(&mut places, compare, units)?;
    Ok(places)
}

/// Adds entries, and in the place of a list its entries, down to a depth.
fn flatten(entries: &[Value], depth: usize, flat: &mut Vec<Value>) -> Result<()> {
    for entry in entries {
        match entry {
            Value::List(inner) if depth == 1 => flat.extend(inner.iter().cloned()),
            Value::List(inner) => flatten(inner, depth - 1, flat)?,
            other => flat.push(other.clone()),
        }
    }
    check_entries(flat.len())
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

fn range(_: Function, arguments: &[Value]) -> Result<Value> {
    let numbers = NumberRange::of(arguments)?.unwrap_or_default();
    check_entries(usize::try_from(numbers.count).unwrap_or(usize::MAX))?;
    bounded_list((0..numbers.count).map(|place| Value::I64(numbers.entry(place))))
}

/// The numbers of a [`Function::Range`], of which no list needs to be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumberRange {
    /// The first.
    pub first: i64,
    /// From each to the next.
    pub step: i64,
    /// How many there are.
    pub count: u64,
}

impl NumberRange {
    /// That of the arguments of the function; `None` if one is null.
    pub fn of(arguments: &[Value]) -> Result<Option<NumberRange>> {
        if arguments.iter().any(Value::is_null) {
            return Ok(None);
        }
        let number = |place: usize| match arguments.get(place) {
            Some(number) => int(Function::Range, number),
            None => Ok(1),
        };
        let (first, last, step) = (number(0)?, number(1)?, number(2)?);
        if step == 0 {
            let error = bad("a range goes by a step other than 0");
            return Err(error.with_name("NumberOutOfRange"));
        }
        let (way, by) = (i128::from(last) - i128::from(first), i128::from(step));
        let is_empty = way != 0 && (way < 0) != (by < 0);
        let count = if is_empty { 0 } else { u64::try_from(way / by + 1).unwrap_or(u64::MAX) };
        Ok(Some(NumberRange { first, step, count }))
    }

    /// The number at a place.
    pub fn entry(&self, place: u64) -> i64 {
        (i128::from(self.first) + i128::from(self.step) * i128::from(place)) as i64
    }
}
