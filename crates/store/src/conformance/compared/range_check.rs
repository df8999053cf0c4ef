//! The answers of an index to ranges, compared with its content.

use std::cmp::Ordering;
use std::collections::HashSet;

use millrace_model::compare::{CompareMode, compare, order};
use millrace_model::schema::IndexDefinition;
use millrace_model::{Column, Result, Value};

use crate::base::index_keys::keys_of;
use crate::reads::{KeyRanges, RangeBound, SeekMatches};
use crate::snapshot::Snapshot;

/// Every range between two values that are there holds what it should, from either side.
pub(in crate::conformance) fn check_ranges(
    snapshot: &dyn Snapshot,
    index: &IndexDefinition,
    ids: &[u64],
    columns: &[&Column],
) -> Result<()> {
    const PROBES: usize = 4;
    let values = |row: usize| -> Option<Vec<Value>> {
        columns.iter().map(|column| column.get(row).filter(|value| !value.is_null())).collect()
    };
    let keys = |row: usize| values(row).map(keys_of).unwrap_or_default();
    let mut entries: Vec<(Vec<Value>, u64)> = (0..ids.len())
        .flat_map(|row| keys(row).into_iter().map(move |key| (key, ids[row])))
        .collect();
    entries.sort_by(|(left, left_id), (right, right_id)| {
        let pairs = left.iter().zip(right).map(|(left, right)| order(left, right));
        pairs.fold(Ordering::Equal, Ordering::then).then(left_id.cmp(right_id))
    });
    let step = entries.len().div_ceil(PROBES).max(1);
    let probes: Vec<Value> =
        entries.iter().step_by(step).map(|(values, _)| values[0].clone()).collect();
    let pairs = probes.iter().flat_map(|lower| probes.iter().map(move |upper| (lower, upper)));
    let (lower, upper): (Vec<Value>, Vec<Value>) =
        pairs.map(|(lower, upper)| (lower.clone(), upper.clone())).unzip();
    let columns = [Column::from_values(lower.clone()), Column::from_values(upper.clone())];
    for form in 0..16 {
        let [lower_inclusive, upper_inclusive, descending, one_sided] =
            [0, 1, 2, 3].map(|bit| form >> bit & 1 == 1);
        let lower_bound = RangeBound { values: &columns[0], inclusive: lower_inclusive };
        let upper_bound = RangeBound { values: &columns[1], inclusive: upper_inclusive };
        let ranges = KeyRanges {
            rows: lower.len(),
            prefix: &[],
            lower: (!one_sided || lower_inclusive).then_some(lower_bound),
            upper: (!one_sided || !lower_inclusive).then_some(upper_bound),
            descending,
            limit: if upper_inclusive { usize::MAX } else { 3 },
        };
        let mut matches = SeekMatches::default();
        snapshot.seek_ranges(index.id, &ranges, &mut matches)?;
        let mut expected = Vec::new();
        for row in 0..ranges.rows {
            let inside = |value: &Value| {
                let above = compare(value, &lower[row], CompareMode::Plain);
                let below = compare(value, &upper[row], CompareMode::Plain);
                (ranges.lower.is_none()
                    || above.is_some_and(|at| at.is_gt() || lower_inclusive && at.is_eq()))
                    && (ranges.upper.is_none()
                        || below.is_some_and(|at| at.is_lt() || upper_inclusive && at.is_eq()))
            };
            let found = entries.iter().filter(|(values, _)| inside(&values[0]));
            let mut found: Vec<u64> = found.map(|(_, id)| *id).collect();
            if descending {
                found.reverse();
            }
            let mut seen = HashSet::new();
            found.retain(|id| seen.insert(*id));
            found.truncate(ranges.limit);
            expected.extend(found.into_iter().map(|id| (row as u32, id)));
        }
        let found: Vec<_> = matches.rows.into_iter().zip(matches.ids).collect();
        assert_eq!(found, expected, "ranges of {index:?}, form {form}: {lower:?} to {upper:?}");
    }
    Ok(())
}
