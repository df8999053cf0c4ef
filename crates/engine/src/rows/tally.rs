//! Counts of rows, by group, that never overflow: a count of ways soon exceeds 64 bits, though few rows
//! are held.
//!
//! A row's *weight* has 64 bits, and a larger weight takes several rows; here they are added up. A count
//! above 2^63 is a decimal without a fraction, as wider integers are.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{Column, ColumnValues, Decimal, Error, ErrorKind, Result, Value};

use super::weights::Weighed;
use crate::context::Guard;

/// Counts by group.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    low: Vec<u64>,
    /// How often a group's count passed 2^64: of hardly any.
    carried: BTreeMap<usize, u64>,
}

impl Tally {
    /// Counts that are there.
    pub(crate) fn of(counts: Vec<u64>) -> Tally {
        Tally { low: counts, carried: BTreeMap::new() }
    }

    /// Another group that has so many.
    pub(crate) fn push(&mut self, rows: u64) {
        self.low.push(rows);
    }

    /// There are so many groups.
    pub(crate) fn resize(&mut self, groups: usize) {
        self.low.resize(groups, 0);
    }

    pub(crate) fn len(&self) -> usize {
        self.low.len()
    }

    pub(crate) fn clear(&mut self) {
        self.low.clear();
        self.carried.clear();
    }

    #[inline]
    pub(crate) fn add(&mut self, group: usize, rows: u64) {
        let (sum, passed) = self.low[group].overflowing_add(rows);
        self.low[group] = sum;
        if passed {
            self.carry(group, 1);
        }
    }

    /// Adds the count of another group.
    pub(crate) fn add_all(&mut self, group: usize, count: u128) {
        self.add(group, count as u64);
        let above = (count >> 64) as u64;
        if above != 0 {
            self.carry(group, above);
        }
    }

    /// Adds `times` as many.
    #[inline]
    pub(crate) fn add_times(&mut self, group: usize, rows: u64, times: u64) {
        let product = u128::from(rows) * u128::from(times);
        self.add(group, product as u64);
        let above = (product >> 64) as u64;
        if above != 0 {
            self.carry(group, above);
        }
    }

    /// The counts of these groups, each in the narrowest type that fits; none of those that are not there.
    pub(crate) fn column(&self, groups: impl Iterator<Item = usize>) -> Result<Column> {
        if self.carried.is_empty() && self.low.iter().all(|count| i64::try_from(*count).is_ok()) {
            let count = |group: usize| self.low.get(group).map_or(0, |count| *count as i64);
            return Ok(Column::of(ColumnValues::I64(groups.map(count).collect())));
        }
        let values = groups.map(|group| integer(self.count(group))).collect::<Result<Vec<_>>>()?;
        Ok(Column::from_values(values))
    }

    /// The groups as rows: one each, and several of a group with a count too large for one row.
    pub(crate) fn into_rows(self, row_bytes: u64, guard: &Guard) -> Result<Weighed> {
        if self.carried.is_empty() {
            return Ok(Weighed { places: None, weights: self.low });
        }
        Weighed::of((0..self.len()).map(|group| self.count(group)), row_bytes, guard)
    }

    /// The counts of these groups, in this order.
    pub(crate) fn take(&self, groups: &[u32]) -> Tally {
        let low = groups.iter().map(|&group| self.low[group as usize]).collect();
        let mut taken = Tally::of(low);
        if !self.carried.is_empty() {
            let carried = |&group: &u32| self.carried.get(&(group as usize)).copied();
            let carried = groups.iter().map(carried).enumerate();
            taken.carried =
                carried.filter_map(|(at, times)| times.map(|times| (at, times))).collect();
        }
        taken
    }

    #[cold]
    fn carry(&mut self, group: usize, times: u64) {
        // 2^64 rows of 2^64 each come together in no time there is.
        let carried = self.carried.entry(group).or_default();
        *carried = carried.saturating_add(times);
    }

    pub(crate) fn count(&self, group: usize) -> u128 {
        let low = self.low.get(group).copied().unwrap_or(0);
        let carried = self.carried.get(&group).copied().unwrap_or(0);
        u128::from(carried) << 64 | u128::from(low)
    }
}

fn integer(count: u128) -> Result<Value> {
    if let Ok(count) = i64::try_from(count) {
        return Ok(Value::I64(count));
    }
    let unscaled = i128::try_from(count)
        .map_err(|_| Error::new(ErrorKind::LimitReached, "a count above 2^127 has no number"))?;
    Ok(Value::Decimal(Arc::new(Decimal { unscaled, scale: 0 })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(tally: &Tally) -> Vec<String> {
        let column = tally.column(0..tally.len()).expect("they have numbers");
        (0..column.len()).map(|row| format!("{:?}", column.values.value(row))).collect()
    }

    #[test]
    fn counts_pass_every_width_and_are_exact() {
        let mut tally = Tally::default();
        tally.resize(3);
        tally.add(1, i64::MAX as u64);
        assert_eq!(counts(&tally)[..2], ["I64(0)", "I64(9223372036854775807)"]);
        tally.add(1, 1);
        tally.add(2, u64::MAX);
        tally.add(2, u64::MAX);
        let decimal = |digits: &str| format!("Decimal(Decimal {{ unscaled: {digits}, scale: 0 }})");
        assert_eq!(counts(&tally)[1], decimal("9223372036854775808"));
        assert_eq!(counts(&tally)[2], decimal("36893488147419103230"));
        tally.resize(4);
        tally.add_times(3, u64::MAX, u64::MAX);
        assert!(tally.column(3..4).is_err(), "(2^64 - 1)^2 is above 2^127");
        tally.clear();
        tally.resize(1);
        tally.add_times(0, 1 << 40, 1 << 40);
        assert_eq!(counts(&tally), [decimal("1208925819614629174706176")]);
    }
}
