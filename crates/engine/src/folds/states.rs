//! Folds over the rows of a group: one state for each fold of an operator, by group number.
//!
//! `Count` alone never looks at a value. `Collect` leaves out absent entries only, and `First` takes the first entry as
//! it is; all others pass over null and absent ones.

use std::cmp::Ordering;

use millrace_model::{
    Batch, Bits, Column, ColumnValues, CountedOnce, Error, ErrorKind, Result, Value, compare,
    query_limits,
};
use millrace_plan::{Fold, Missing};

use super::distinct::{Distinct, Seen};
use super::samples::Sample;
use super::sum::Sum;
use super::typed;
use crate::expressions::Operand;
use crate::limits;
use crate::rows::Tally;
use crate::run::Run;

/// The states of one fold.
pub(crate) enum FoldState {
    Count(Tally),
    CountDistinct { seen: Seen, counts: Vec<u64> },
    CountValues(Tally),
    Sum(Vec<Sum>),
    Mean(Vec<Sum>),
    Min(Vec<Option<Value>>),
    Max(Vec<Option<Value>>),
    StDev { samples: Vec<Sample>, of_population: bool },
    Percentile { samples: Vec<Sample>, interpolated: bool },
    Collect(Lists),
    CollectValues(Lists),
    First(Vec<Option<Option<Value>>>),
    Exists(Vec<bool>),
    Distinct(Box<Distinct>),
    IfSeen { fold: Box<FoldState>, seen: Bits, missing: Missing },
}

/// The groups of the rows of a batch.
#[derive(Clone, Copy)]
pub(crate) struct Grouping<'a> {
    pub(super) of_rows: &'a [u32],
    /// Whether all rows are in the first group.
    pub(super) is_one: bool,
}

impl<'a> Grouping<'a> {
    /// The group of each row.
    pub(crate) fn of(of_rows: &'a [u32]) -> Grouping<'a> {
        Grouping { of_rows, is_one: false }
    }

    /// The same where there may be no more than one group.
    pub(crate) fn of_one(of_rows: &'a [u32], is_one: bool) -> Grouping<'a> {
        Grouping { of_rows, is_one }
    }
}

/// The list of each group; memory that the values in them share is counted once.
#[derive(Default)]
pub(crate) struct Lists {
    pub(super) of_groups: Vec<Vec<Value>>,
    counted: CountedOnce,
}

/// Bytes of a state for each group, near enough for the budget.
pub(crate) const STATE_BYTES: u64 = 64;

impl FoldState {
    pub(crate) fn new(fold: &Fold) -> FoldState {
        match fold {
            Fold::Count => FoldState::Count(Tally::default()),
            Fold::CountDistinct(_) => {
                FoldState::CountDistinct { seen: Seen::default(), counts: Vec::new() }
            }
            Fold::CountValues(_) => FoldState::CountValues(Tally::default()),
            Fold::StDev(_) => FoldState::StDev { samples: Vec::new(), of_population: false },
            Fold::StDevP(_) => FoldState::StDev { samples: Vec::new(), of_population: true },
            Fold::PercentileCont(_) => {
                FoldState::Percentile { samples: Vec::new(), interpolated: true }
            }
            Fold::PercentileDisc(_) => {
                FoldState::Percentile { samples: Vec::new(), interpolated: false }
            }
            Fold::CollectValues(_) => FoldState::CollectValues(Lists::default()),
            Fold::Distinct(fold) => {
                FoldState::Distinct(Box::new(Distinct::new(FoldState::new(fold))))
            }
            Fold::Sum(_) => FoldState::Sum(Vec::new()),
            Fold::Mean(_) => FoldState::Mean(Vec::new()),
            Fold::Min(_) => FoldState::Min(Vec::new()),
            Fold::Max(_) => FoldState::Max(Vec::new()),
            Fold::Collect(_) => FoldState::Collect(Lists::default()),
            Fold::First(_) => FoldState::First(Vec::new()),
            Fold::Exists => FoldState::Exists(Vec::new()),
            Fold::IfSeen { fold, missing } => FoldState::IfSeen {
                fold: Box::new(FoldState::new(fold)),
                seen: Bits::default(),
                missing: *missing,
            },
        }
    }

    /// Makes room for groups up to `count`.
    pub(crate) fn grow(&mut self, count: usize) {
        match self {
            FoldState::Count(tally) | FoldState::CountValues(tally) => tally.resize(count),
            FoldState::CountDistinct { counts, .. } => counts.resize(count, 0),
            FoldState::Sum(sums) | FoldState::Mean(sums) => {
                sums.resize(count, Sum::default());
            }
            FoldState::Min(values) | FoldState::Max(values) => values.resize(count, None),
            FoldState::StDev { samples, .. } | FoldState::Percentile { samples, .. } => {
                samples.resize(count, Sample::default());
            }
            FoldState::Collect(lists) | FoldState::CollectValues(lists) => {
                lists.of_groups.resize(count, Vec::new());
            }
            FoldState::Distinct(distinct) => distinct.fold.grow(count),
            FoldState::First(values) => values.resize(count, None),
            FoldState::Exists(truths) => truths.resize(count, false),
            FoldState::IfSeen { fold, .. } => fold.grow(count),
        }
    }

    /// Folds rows in; `operand` is the fold's expression, if it has one. Returns the bytes now used
    /// beyond the states.
    pub(crate) fn update(
        &mut self,
        batch: &Batch,
        grouping: Grouping<'_>,
        operand: Option<&Operand>,
        run: &Run<'_>,
    ) -> Result<u64> {
        if batch.weights.is_none()
            && let Some(held) = typed::update(self, grouping, operand, run)?
        {
            return Ok(held);
        }
        let groups = grouping.of_rows;
        let entry = |row: usize| operand.and_then(|operand| operand.get(row));
        let value = |row: usize| entry(row).filter(|value| !value.is_null());
        let rows = groups.iter().map(|&group| group as usize).enumerate();
        let mut held = 0;
        match self {
            FoldState::Count(tally) => {
                rows.for_each(|(row, group)| tally.add(group, batch.weight(row)));
            }
            FoldState::Exists(truths) => {
                groups.iter().for_each(|&group| truths[group as usize] = true);
            }
            FoldState::CountValues(tally) => {
                rows.filter(|(row, _)| value(*row).is_some())
                    .for_each(|(row, group)| tally.add(group, batch.weight(row)));
            }
            FoldState::CountDistinct { seen, counts } => {
                let Some(operand) = operand else { return Ok(0) };
                let known_bytes = seen.bytes();
                let column = operand.clone().into_column(groups.len());
                for row in seen.fresh(groups, &column, false) {
                    counts[groups[row as usize] as usize] += 1;
                }
                held += seen.bytes().saturating_sub(known_bytes);
            }
            FoldState::Sum(sums) | FoldState::Mean(sums) => {
                held += add_all(sums, batch, rows, operand)?;
            }
            FoldState::Min(best) => held += keep_all(best, rows, value, Ordering::Less, run),
            FoldState::Max(best) => held += keep_all(best, rows, value, Ordering::Greater, run),
            FoldState::StDev { samples, .. } => {
                for (row, group) in rows {
                    let value = value(row).unwrap_or_default();
                    held += samples[group].add(value, batch.weight(row))?;
                }
            }
            FoldState::Percentile { samples, .. } => {
                for (row, group) in rows {
                    let pair = value(row).unwrap_or_default();
                    held += samples[group].add_with_fraction(&pair, batch.weight(row))?;
                }
            }
            FoldState::Collect(lists) => held += collect(lists, batch, rows, entry, run)?,
            FoldState::CollectValues(lists) => held += collect(lists, batch, rows, value, run)?,
            FoldState::Distinct(distinct) => held += distinct.update(groups, operand, run)?,
            FoldState::First(values) => {
                let added =
                    |(row, group): (usize, usize)| keep_first(&mut values[group], || entry(row));
                held += rows.map(added).sum::<u64>();
            }
            FoldState::IfSeen { fold, seen, .. } => {
                let is_there = |row| operand.is_none_or(|operand| !operand.is_absent(row));
                let rows = rows.filter(|(row, _)| is_there(*row));
                // Of the one group that there may be, the first row says it.
                let rows_max = if grouping.is_one { 1 } else { usize::MAX };
                for (_, group) in rows.take(rows_max) {
                    seen.insert(group);
                }
                held += fold.update(batch, grouping, operand, run)?;
            }
        }
        Ok(held)
    }

    /// The column of results, by group; the states are empty again.
    pub(crate) fn finish(&mut self) -> Result<Column> {
        Ok(match self {
            FoldState::Count(tally) | FoldState::CountValues(tally) => {
                let column = tally.column(0..tally.len())?;
                tally.clear();
                column
            }
            FoldState::CountDistinct { seen, counts } => {
                seen.clear();
                counts_column(std::mem::take(counts))?
            }
            FoldState::Sum(sums) => {
                let totals = std::mem::take(sums).into_iter().map(|sum| sum.total());
                Column::from_values(totals.collect::<Result<Vec<_>>>()?)
            }
            FoldState::Mean(sums) => {
                let means = std::mem::take(sums).into_iter().map(|sum| sum.mean());
                Column::from_values(means.collect::<Result<Vec<_>>>()?)
            }
            FoldState::Min(values) | FoldState::Max(values) => {
                let values = std::mem::take(values).into_iter();
                Column::from_values(values.map(Option::unwrap_or_default))
            }
            FoldState::StDev { samples, of_population } => {
                let samples = std::mem::take(samples).into_iter();
                let deviations = samples.map(|sample| sample.deviation(*of_population));
                Column::from_values(deviations.collect::<Result<Vec<_>>>()?)
            }
            FoldState::Percentile { samples, interpolated } => {
                let samples = std::mem::take(samples).into_iter();
                let values = samples.map(|mut sample| sample.percentile(*interpolated));
                Column::from_values(values.collect::<Result<Vec<_>>>()?)
            }
            FoldState::Collect(lists) | FoldState::CollectValues(lists) => {
                let lists = std::mem::take(lists).of_groups.into_iter();
                Column::from_values(lists.map(Value::list))
            }
            FoldState::Distinct(distinct) => distinct.finish()?,
            FoldState::First(values) => {
                let mut column = Column::default();
                for value in std::mem::take(values) {
                    column.push_entry(value.unwrap_or(Some(Value::Null)));
                }
                column
            }
            FoldState::Exists(truths) => Column::of(ColumnValues::Bool(std::mem::take(truths))),
            FoldState::IfSeen { fold, seen, .. } => {
                let column = fold.finish()?;
                let seen = std::mem::take(seen);
                let unseen = (0..column.len()).filter(|&group| !seen.get(group));
                absent_at(column, unseen.collect())
            }
        })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        match self {
            FoldState::Count(tally) | FoldState::CountValues(tally) => tally.clear(),
            FoldState::CountDistinct { seen, counts } => {
                seen.clear();
                counts.clear();
            }
            FoldState::Sum(sums) | FoldState::Mean(sums) => {
                sums.clear();
            }
            FoldState::Min(values) | FoldState::Max(values) => values.clear(),
            FoldState::StDev { samples, .. } | FoldState::Percentile { samples, .. } => {
                samples.clear();
            }
            FoldState::Collect(lists) | FoldState::CollectValues(lists) => {
                *lists = Lists::default();
            }
            FoldState::Distinct(distinct) => distinct.clear(),
            FoldState::First(values) => values.clear(),
            FoldState::Exists(truths) => truths.clear(),
            FoldState::IfSeen { fold, seen, .. } => {
                fold.clear();
                *seen = Bits::default();
            }
        }
    }

    /// The groups that have no row, of so many, if it says so of those where it saw nothing.
    pub(crate) fn dropped(&self, count: usize) -> Vec<u32> {
        match self {
            FoldState::IfSeen { seen, missing: Missing::NoRow, .. } => {
                (0..count).filter(|&group| !seen.get(group)).map(|group| group as u32).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Counts as numbers that languages show.
pub(crate) fn counts_column(counts: Vec<u64>) -> Result<Column> {
    let tally = Tally::of(counts);
    tally.column(0..tally.len())
}

fn absent_at(mut column: Column, groups: Vec<usize>) -> Column {
    for group in groups {
        if let Some(nulls) = &mut column.nulls {
            nulls.remove(group);
        }
        column.absents.get_or_insert_default().insert(group);
    }
    column
}

/// Adds the rows to the lists of their groups. Returns the bytes now used beyond the states.
fn collect(
    lists: &mut Lists,
    batch: &Batch,
    rows: impl Iterator<Item = (usize, usize)>,
    entry: impl Fn(usize) -> Option<Value>,
    run: &Run<'_>,
) -> Result<u64> {
    if batch.weights.is_some() {
        let there = (0..batch.len).filter(|&row| entry(row).is_some());
        run.room_for_weights(there.map(|row| batch.weight(row)))?;
    }
    let mut room = lists.room(run);
    let Lists { of_groups, counted } = lists;
    for (row, group) in rows {
        if let Some(value) = entry(row) {
            let times = collect_times(batch.weight(row))?;
            room.push(&mut of_groups[group], (value, times), counted)?;
        }
    }
    Ok(room.grown)
}

fn add_all(
    sums: &mut [Sum],
    batch: &Batch,
    rows: impl Iterator<Item = (usize, usize)>,
    operand: Option<&Operand>,
) -> Result<u64> {
    let Some(operand) = operand else { return Ok(0) };
    if let (true, Operand::Column(column)) = (operand.is_complete(), operand)
        && let ColumnValues::I64(ints) = &column.values
    {
        for (row, group) in rows {
            sums[group].add_int(ints[row], batch.weight(row))?;
        }
        return Ok(0);
    }
    let mut held = 0;
    for (row, group) in rows {
        let sum = &mut sums[group];
        let before = sum.heap_bytes();
        sum.add(&operand.value(row), batch.weight(row))?;
        held += sum.heap_bytes() - before;
    }
    Ok(held)
}

/// Keeps the entry if it is the first; gives the bytes that it points to.
fn keep_first(first: &mut Option<Option<Value>>, entry: impl FnOnce() -> Option<Value>) -> u64 {
    if first.is_some() {
        return 0;
    }
    first.insert(entry()).as_ref().map_or(0, Value::heap_size) as u64
}

/// Keeps the best value of each group, by the order of the run's mode; gives the bytes now used beyond the states.
fn keep_all(
    best: &mut [Option<Value>],
    rows: impl Iterator<Item = (usize, usize)>,
    value: impl Fn(usize) -> Option<Value>,
    wanted: Ordering,
    run: &Run<'_>,
) -> u64 {
    let order = compare::total_of(run.compare);
    rows.map(|(row, group)| keep(&mut best[group], value(row), (order, wanted))).sum()
}

/// Keeps the better value; gives the bytes that it points to beyond those of the one before.
pub(super) fn keep(
    best: &mut Option<Value>,
    new: Option<Value>,
    (order, wanted): (fn(&Value, &Value) -> Ordering, Ordering),
) -> u64 {
    let wins = |new: &Value, best: &Value| {
        let units = query_limits::work_of(new).min(query_limits::work_of(best));
        !query_limits::is_over(units) && order(new, best) == wanted
    };
    if let Some(new) = new
        && best.as_ref().is_none_or(|best| wins(&new, best))
    {
        let before = best.as_ref().map_or(0, Value::heap_size);
        let grown = new.heap_size().saturating_sub(before);
        *best = Some(new);
        return grown as u64;
    }
    0
}

impl Lists {
    /// The room of a batch.
    pub(super) fn room<'r>(&self, run: &'r Run<'r>) -> Room<'r> {
        Room { run, grown: 0, asked: 0 }
    }
}

/// Bytes by which the lists grow in one batch. The budget is asked before a list grows much,
/// and charged once for the batch.
pub(super) struct Room<'r> {
    run: &'r Run<'r>,
    pub(super) grown: u64,
    /// The value of `grown` when the budget was last asked.
    asked: u64,
}

impl Room<'_> {
    fn push(
        &mut self,
        list: &mut Vec<Value>,
        (value, times): (Value, usize),
        counted: &mut CountedOnce,
    ) -> Result<()> {
        let slot = size_of::<Value>() as u64;
        // At the end it is copied into one that is shared.
        self.grown += times as u64 * slot + counted.heap_size(&value) as u64;
        self.grow(list, list.capacity(), times)?;
        if 1 < times {
            list.extend(std::iter::repeat_n(value, times));
        } else {
            list.push(value);
        }
        Ok(())
    }

    /// Counts what a list grows by for so many entries.
    pub(super) fn grow(&mut self, list: &[Value], capacity: usize, times: usize) -> Result<()> {
        let slot = size_of::<Value>() as u64;
        let wanted = list.len().saturating_add(times);
        // A list that is full doubles.
        let grown = if wanted <= capacity { 0 } else { wanted.max(2 * capacity).max(4) - capacity };
        self.grown += grown as u64 * slot;
        // While it doubles, both are there.
        let copied = if grown == 0 { 0 } else { capacity as u64 * slot };
        if limits::ROOM_BYTES_UNASKED_MAX <= self.grown + copied - self.asked {
            self.run.context.guard().require_room(self.grown + copied)?;
            self.asked = self.grown;
        }
        Ok(())
    }
}

fn collect_times(weight: u64) -> Result<usize> {
    usize::try_from(weight).ok().filter(|&times| times < u32::MAX as usize).ok_or_else(|| {
        Error::new(ErrorKind::LimitReached, "a list of more than 2^32 equal values")
            .with_help("count the values instead of collecting them")
    })
}
