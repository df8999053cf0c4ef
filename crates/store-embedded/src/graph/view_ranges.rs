//! Ranges of an ordered index at a position.
//!
//! Candidates come in order, and those that a record contradicts drop out; so a limit is reached in
//! rounds, all rows of a round verified together.

use std::collections::HashSet;

use millrace_model::{Column, Result};
use millrace_store::constraint::check_ranges;
use millrace_store::index_keys::{any_multi_valued, each_key};
use millrace_store::key_range::{bytes_of_row, key_of_row};
use millrace_store::{KeyRanges, SeekMatches, non_blocking};

use millrace_model::schema::IndexDefinition;

use crate::base::limits::RANGE_CANDIDATES_MAX;
use crate::graph::GraphView;
use crate::index::{RangeIndex, Window};
use crate::persistent::segment::RangeEntry;

/// A row with more in its range.
struct Open {
    row: u32,
    rest: Window,
    found: Vec<u64>,
    /// Those of the found that may be found again.
    of_several: HashSet<u64>,
    done: bool,
}

impl GraphView<'_> {
    /// Finds the elements of each row's range, in order.
    pub(crate) fn seek_ranges(
        &self,
        index: &IndexDefinition,
        ranges: &KeyRanges<'_>,
        matches: &mut SeekMatches,
    ) -> Result<()> {
        check_ranges(&self.catalog, index, ranges)?;
        let Some(ordered) = self.graph.indexes.ordered(index.id) else { return Ok(()) };
        let mut rows: Vec<Open> = (0..ranges.rows).filter_map(|row| open(ranges, row)).collect();
        while rows.iter().any(|row| !row.done) {
            self.round(index, &ordered, ranges, &mut rows)?;
        }
        for Open { row, mut found, .. } in rows {
            found.truncate(ranges.limit);
            matches.rows.extend(found.iter().map(|_| row));
            matches.ids.append(&mut found);
        }
        Ok(())
    }

    /// Takes candidates for the rows that are not done, as many as are looked at together, and
    /// keeps those that their record confirms.
    fn round(
        &self,
        index: &IndexDefinition,
        ordered: &RangeIndex,
        ranges: &KeyRanges<'_>,
        rows: &mut [Open],
    ) -> Result<()> {
        let mut candidates: Vec<(usize, RangeEntry)> = Vec::new();
        for (at, row) in rows.iter_mut().enumerate().filter(|(_, row)| !row.done) {
            if RANGE_CANDIDATES_MAX <= candidates.len() {
                break;
            }
            let room = RANGE_CANDIDATES_MAX - candidates.len();
            let wanted = room.min(ranges.limit - row.found.len());
            let mut found = Vec::new();
            ordered.candidates(self.at, &row.rest, (ranges.descending, wanted), &mut found)?;
            non_blocking::walk(found.len())?;
            row.done = found.len() < wanted;
            if let Some(last) = found.last() {
                row.rest.go_behind(last, ranges.descending);
            }
            candidates.extend(found.into_iter().map(|entry| (at, entry)));
        }
        let ids: Vec<u64> = candidates.iter().map(|(_, (_, id))| *id).collect();
        let covered = self.covered(index.owner, &ids)?;
        let values = self.values(index, &ids)?;
        let values: Vec<&Column> = values.iter().collect();
        for (place, (at, (key, id))) in candidates.iter().enumerate() {
            let is_covered = covered.as_ref().is_none_or(|covered| covered.get(place));
            if !is_covered {
                continue;
            }
            if !any_multi_valued(&values, place) {
                if key_of_row(&values, place).as_ref() == Some(key) {
                    rows[*at].found.push(*id);
                }
                continue;
            }
            let mut holds = false;
            each_key(&values, place, |values, place| {
                holds |= key_of_row(values, place).as_ref() == Some(key);
            });
            // An element of several keys in the range is found by the first of them.
            if holds && rows[*at].of_several.insert(*id) {
                rows[*at].found.push(*id);
            }
        }
        rows.iter_mut().for_each(|row| row.done |= ranges.limit <= row.found.len());
        Ok(())
    }
}

fn open(ranges: &KeyRanges<'_>, row: usize) -> Option<Open> {
    let bytes = bytes_of_row(ranges, row)?;
    let rest = Window { start: (bytes.start, 0), end: bytes.end.map(|end| (end, 0)) };
    Some(Open {
        row: row as u32,
        rest,
        found: Vec::new(),
        of_several: HashSet::new(),
        done: ranges.limit == 0,
    })
}
