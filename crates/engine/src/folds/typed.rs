//! Folds over arrays: rows of weight 1 with entries of one type, numbers or texts.
//!
//! The results are those of the general way, entry by entry. Sums of doubles are exact, so no order is to be kept; a
//! double that has no place in the plain order of doubles (a zero, which has a sign, or NaN) goes the general way.

use std::cmp::Ordering;

use millrace_model::{Column, ColumnValues, Result, Strings, Value, compare};

use super::states::{FoldState, Grouping, Lists, keep};
use super::sum::{Sum, add_grouped};
use crate::expressions::Operand;
use crate::rows::Tally;
use crate::run::Run;

/// Rows for each group from which doubles are summed up by group before they are added to the exact sums.
const ROWS_PER_GROUP_MIN: usize = 8;

/// Folds rows in, if there is a loop for them; gives the bytes now used beyond the states.
pub(super) fn update(
    fold: &mut FoldState,
    grouping: Grouping<'_>,
    operand: Option<&Operand>,
    run: &Run<'_>,
) -> Result<Option<u64>> {
    if let FoldState::Count(tally) = fold {
        count(tally, grouping);
        return Ok(Some(0));
    }
    let Some(Operand::Column(column)) = operand else { return Ok(None) };
    Ok(match fold {
        FoldState::CountValues(tally) => {
            let present = Present::of(column, grouping);
            count(tally, present.grouping());
            Some(0)
        }
        FoldState::Sum(sums) | FoldState::Mean(sums) => match &column.values {
            ColumnValues::I64(ints) => {
                let present = Present::of(column, grouping);
                add_ints(sums, present.grouping(), &present.pick(ints))?;
                Some(0)
            }
            ColumnValues::F64(doubles) => {
                let present = Present::of(column, grouping);
                Some(add_doubles(sums, present.grouping(), &present.pick(doubles)))
            }
            _ => None,
        },
        FoldState::Collect(lists) if column.absents.is_none() && column.nulls.is_none() => {
            collect(lists, column, grouping, run)?
        }
        FoldState::CollectValues(lists) => collect(lists, column, grouping, run)?,
        FoldState::Min(best) => extremes(best, column, grouping, (Ordering::Less, run)),
        FoldState::Max(best) => extremes(best, column, grouping, (Ordering::Greater, run)),
        _ => None,
    })
}

/// Adds numbers and truths to the lists of their groups; `None` for other columns.
fn collect(
    lists: &mut Lists,
    column: &Column,
    grouping: Grouping<'_>,
    run: &Run<'_>,
) -> Result<Option<u64>> {
    let present = Present::of(column, grouping);
    Ok(match &column.values {
        ColumnValues::I64(ints) => {
            Some(collect_by(lists, &present, run, |row| Value::I64(ints[row]))?)
        }
        ColumnValues::F64(doubles) => {
            Some(collect_by(lists, &present, run, |row| Value::F64(doubles[row]))?)
        }
        ColumnValues::Bool(bits) => {
            Some(collect_by(lists, &present, run, |row| Value::Bool(bits[row]))?)
        }
        _ => None,
    })
}

fn collect_by(
    lists: &mut Lists,
    present: &Present<'_>,
    run: &Run<'_>,
    value: impl Fn(usize) -> Value,
) -> Result<u64> {
    let mut room = lists.room(run);
    let of_groups = &mut lists.of_groups;
    for (row, group) in present.iter() {
        let list = &mut of_groups[group];
        if list.len() == list.capacity() {
            room.grow(list, list.capacity(), 1)?;
        }
        list.push(value(row));
    }
    // At the end the entries are copied into lists that are shared.
    let copied = present.len() as u64 * size_of::<Value>() as u64;
    Ok(room.grown + copied)
}

fn count(tally: &mut Tally, grouping: Grouping<'_>) {
    match grouping.is_one {
        true if grouping.of_rows.is_empty() => {}
        true => tally.add(0, grouping.of_rows.len() as u64),
        false => grouping.of_rows.iter().for_each(|&group| tally.add(group as usize, 1)),
    }
}

/// The rows of a column that have a value; all where `rows` is `None`.
struct Present<'a> {
    grouping: Grouping<'a>,
    rows: Option<(Vec<u32>, Vec<u32>)>,
}

impl<'a> Present<'a> {
    fn of(column: &Column, grouping: Grouping<'a>) -> Present<'a> {
        if column.nulls.is_none() && column.absents.is_none() {
            return Present { grouping, rows: None };
        }
        let there = |row: &u32| !column.is_null(*row as usize) && !column.is_absent(*row as usize);
        let rows: Vec<u32> = (0..column.len() as u32).filter(there).collect();
        let groups = rows.iter().map(|&row| grouping.of_rows[row as usize]).collect();
        Present { grouping, rows: Some((rows, groups)) }
    }

    fn len(&self) -> usize {
        self.grouping().of_rows.len()
    }

    /// The groups of these rows.
    fn grouping(&self) -> Grouping<'_> {
        match &self.rows {
            Some((_, groups)) => Grouping::of_one(groups, self.grouping.is_one),
            None => self.grouping,
        }
    }

    /// The entries of these rows.
    fn pick<'e, T: Copy>(&self, entries: &'e [T]) -> std::borrow::Cow<'e, [T]> {
        match &self.rows {
            Some((rows, _)) => rows.iter().map(|&row| entries[row as usize]).collect(),
            None => entries.into(),
        }
    }

    /// The number and group of each row.
    fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let groups = &self.grouping().of_rows;
        let rows = self.rows.as_ref().map(|(rows, _)| rows);
        let row = move |at: usize| rows.map_or(at, |rows| rows[at] as usize);
        groups.iter().enumerate().map(move |(at, &group)| (row(at), group as usize))
    }
}

fn add_ints(sums: &mut [Sum], grouping: Grouping<'_>, ints: &[i64]) -> Result<()> {
    if grouping.is_one {
        return match ints {
            [] => Ok(()),
            ints => sums[0].add_int_slice(ints),
        };
    }
    let mut pairs = grouping.of_rows.iter().zip(ints);
    pairs.try_for_each(|(&group, &int)| sums[group as usize].add_int(int, 1))
}

fn add_doubles(sums: &mut [Sum], grouping: Grouping<'_>, doubles: &[f64]) -> u64 {
    if doubles.is_empty() {
        return 0;
    }
    if grouping.is_one {
        let before = sums[0].heap_bytes();
        sums[0].add_double_slice(doubles);
        return sums[0].heap_bytes() - before;
    }
    if sums.len() * ROWS_PER_GROUP_MIN <= doubles.len() {
        return add_grouped(sums, grouping.of_rows, doubles);
    }
    let pairs = grouping.of_rows.iter().zip(doubles);
    pairs.map(|(&group, &double)| sums[group as usize].add_one_double(double)).sum()
}

/// Entries that are compared side by side, each with one so many before it.
const LANES: usize = 8;

/// The entry that is better than all others.
fn reduced<T: Copy>(entries: &[T], better: impl Fn(T, T) -> T) -> Option<T> {
    let mut lanes = [*entries.first()?; LANES];
    let chunks = entries.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, entry) in lanes.iter_mut().zip(chunk) {
            *lane = better(*lane, *entry);
        }
    }
    lanes.into_iter().chain(rest.iter().copied()).reduce(better)
}

/// The best entries by an order; `None` if the column has no loop.
fn extremes(
    best: &mut [Option<Value>],
    column: &Column,
    grouping: Grouping<'_>,
    (wanted, run): (Ordering, &Run<'_>),
) -> Option<u64> {
    let by = (compare::total_of(run.compare), wanted);
    match &column.values {
        ColumnValues::I64(ints) => {
            let present = Present::of(column, grouping);
            if grouping.is_one {
                let ints = present.pick(ints);
                let found = match wanted {
                    Ordering::Less => reduced(&ints, i64::min),
                    Ordering::Equal | Ordering::Greater => reduced(&ints, i64::max),
                };
                return Some(found.map_or(0, |int| keep(&mut best[0], Some(Value::I64(int)), by)));
            }
            let wins = |new: &i64, own: &i64| new.cmp(own) == wanted;
            Some(of_groups(best, &present, |own, row| match own {
                Some(Value::I64(own)) => {
                    if wins(&ints[row], own) {
                        *own = ints[row];
                    }
                    0
                }
                own => keep(own, Some(Value::I64(ints[row])), by),
            }))
        }
        ColumnValues::F64(doubles) => {
            let is_plain = |double: f64| double != 0.0 && !double.is_nan();
            let wins = |new: f64, own: f64| new.partial_cmp(&own) == Some(wanted);
            let present = Present::of(column, grouping);
            if grouping.is_one {
                let doubles = present.pick(doubles);
                if doubles.iter().fold(true, |all, double| all & is_plain(*double)) {
                    let better = |own: f64, new: f64| if wins(new, own) { new } else { own };
                    let found = reduced(&doubles, better);
                    let kept = found.map(|double| keep(&mut best[0], Some(Value::F64(double)), by));
                    return Some(kept.unwrap_or(0));
                }
            }
            Some(of_groups(best, &present, |own, row| match own {
                Some(Value::F64(own)) if is_plain(*own) && is_plain(doubles[row]) => {
                    if wins(doubles[row], *own) {
                        *own = doubles[row];
                    }
                    0
                }
                own => keep(own, Some(Value::F64(doubles[row])), by),
            }))
        }
        ColumnValues::String(texts) => {
            let present = Present::of(column, grouping);
            Some(of_groups(best, &present, |own, row| keep_text(own, (texts, row), by)))
        }
        _ => None,
    }
}

fn keep_text(
    own: &mut Option<Value>,
    (texts, row): (&Strings, usize),
    by: (fn(&Value, &Value) -> Ordering, Ordering),
) -> u64 {
    match own {
        Some(Value::String(text)) if texts.bytes_of(row).cmp(text.as_bytes()) != by.1 => 0,
        own => keep(own, Some(Value::string(texts.get(row))), by),
    }
}

fn of_groups(
    best: &mut [Option<Value>],
    present: &Present<'_>,
    keep: impl Fn(&mut Option<Value>, usize) -> u64,
) -> u64 {
    present.iter().map(|(row, group)| keep(&mut best[group], row)).sum()
}
