//! An ordered index finds ranges in the order of its keys: all, a few from above, those from a
//! value on or below it, and those behind equal first keys.

use std::cmp::Ordering;

use millrace_model::compare::order;
use millrace_model::{Column, IndexId};
use millrace_store::{KeyRanges, RangeBound, SeekMatches, Snapshot};

use super::{Judged, require_same};
use crate::simulator::for_store::column;
use crate::simulator::model::Model;
use crate::simulator::schema::{INDEXES, Key, Values, sort, value};

/// How many a limited range asks for.
const FEW: usize = 3;

pub(super) fn judge(snapshot: &dyn Snapshot, id: IndexId, index: usize, model: &Model) -> Judged {
    let keys = INDEXES[index].keys;
    let mut entries = model.entries(index);
    entries.sort_by(|left, right| {
        let pairs = keys.iter().zip(left.1.iter().zip(&right.1));
        let by_key = pairs.map(|(key, (left, right))| compare(*key, *left, *right));
        by_key.fold(Ordering::Equal, Ordering::then).then(left.0.cmp(&right.0))
    });
    let mut firsts: Vec<i64> = entries.iter().map(|(_, values)| values[0]).collect();
    firsts.dedup();
    let judge = Judge { snapshot, id, keys, entries, firsts };
    judge.all_together()?;
    judge.starting_at_each_first_key()
}

fn compare(key: Key, left: i64, right: i64) -> Ordering {
    order(&value(key, left), &value(key, right))
}

struct Judge<'a> {
    snapshot: &'a dyn Snapshot,
    id: IndexId,
    keys: &'static [Key],
    /// In the order of the index.
    entries: Vec<(u64, Values)>,
    /// The values of the first key, once each, in their order.
    firsts: Vec<i64>,
}

impl Judge<'_> {
    fn all_together(&self) -> Judged {
        let all = KeyRanges {
            rows: 1,
            prefix: &[],
            lower: None,
            upper: None,
            descending: false,
            limit: usize::MAX,
        };
        let ids: Vec<u64> = self.entries.iter().map(|(id, _)| *id).collect();
        self.require("all", &all, ids.iter().map(|id| (0, *id)))?;
        let few = KeyRanges { descending: true, limit: FEW, ..all };
        self.require("the last few", &few, ids.iter().rev().take(FEW).map(|id| (0, *id)))
    }

    fn starting_at_each_first_key(&self) -> Judged {
        let firsts: Column = column(self.keys[0], self.firsts.iter().copied().map(Some));
        let bound = |inclusive: bool| Some(RangeBound { values: &firsts, inclusive });
        let ranges = KeyRanges {
            rows: self.firsts.len(),
            prefix: &[],
            lower: bound(true),
            upper: None,
            descending: false,
            limit: usize::MAX,
        };
        self.require("from a value on", &ranges, self.beside_each(Ordering::is_ge))?;
        let below = KeyRanges { lower: None, upper: bound(false), ..ranges };
        self.require("below a value", &below, self.beside_each(Ordering::is_lt))?;
        if 1 < self.keys.len() {
            let prefix = [&firsts];
            let behind = KeyRanges { prefix: &prefix, lower: None, ..ranges };
            let equal = self.beside_each(Ordering::is_eq);
            self.require("behind a first key", &behind, equal)?;
        }
        Ok(())
    }

    /// For each value of the first key, the entries that stand to it as wanted; a bound holds only
    /// entries that compare with it.
    fn beside_each(&self, wanted: fn(Ordering) -> bool) -> impl Iterator<Item = (u32, u64)> {
        let key = self.keys[0];
        (0..).zip(&self.firsts).flat_map(move |(row, first)| {
            let stands = move |values: &Values| {
                sort(key, values[0]) == sort(key, *first) && wanted(compare(key, values[0], *first))
            };
            let entries = self.entries.iter().filter(move |(_, values)| stands(values));
            entries.map(move |(id, _)| (row, *id))
        })
    }

    fn require(
        &self,
        what: &str,
        ranges: &KeyRanges<'_>,
        expected: impl Iterator<Item = (u32, u64)>,
    ) -> Judged {
        let mut matches = SeekMatches::default();
        self.snapshot.seek_ranges(self.id, ranges, &mut matches)?;
        let found: Vec<(u32, u64)> = matches.rows.into_iter().zip(matches.ids).collect();
        let message = format!("{what} of {:?}, by {:?}", self.keys, self.firsts);
        require_same(&message, &found, &expected.collect())
    }
}
