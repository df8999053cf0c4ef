//! Elements by an index over some of the keys that are sought: candidates, whose other keys are compared.
//!
//! Rows with the same values of the index's own keys have the same candidates, so the index is asked
//! for these once, and their other keys are read once. Where rows have many candidates together, these
//! are hashed by their other keys: then a row costs what it finds, however little the index tells apart.
//!
//! ```text
//!   rows (grp, name) ──groups by grp──> index on grp ──> candidates ──gather name──> (group, name) → candidate
//!        └───────────────────────────── each row looks up (group, name) ────────────────────┘
//! ```

use std::ops::Range;

use millrace_model::{Batch, Column, KeyId, Result, query_limits};
use millrace_store::index_keys::{each_key, entry_holds};
use millrace_store::key_hash::hash_row;

use super::finder::{Question, gather};
use super::usable::{Bounds, Found, Usable};
use crate::limits;
use crate::rows::{Groups, row};
use crate::run::{Charge, Run};

/// What an index gave for each group of rows.
struct Candidates {
    /// The group of each row.
    groups: Vec<u32>,
    /// Where the candidates of each group begin, and where the last ones end.
    starts: Vec<usize>,
    ids: Vec<u64>,
}

/// The keys that the index does not have: those of candidates, and the values that rows seek.
struct Rest<'a> {
    columns_of_candidates: &'a [&'a Column],
    sought: Vec<&'a Column>,
    /// The ranged key's values, where the index does not have its range.
    range: Option<(&'a Column, Bounds<'a>)>,
}

impl Question<'_> {
    /// The elements by an index, and how many candidates it gave that were compared.
    pub(super) fn seek(
        &self,
        usable: &Usable,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<(Found, usize)> {
        let others = (0..self.keys.len()).filter(|place| !usable.equal.contains(place));
        let others: Vec<usize> = others.collect();
        let range = self.range.filter(|_| usable.ranged.is_none());
        if others.is_empty() && range.is_none() {
            let rows: Vec<u32> = (0..self.rows as u32).collect();
            return Ok((self.ask(usable, &rows, charge, run)?, 0));
        }
        let candidates = self.candidates(usable, charge, run)?;
        if candidates.ids.is_empty() {
            return Ok(Default::default());
        }
        let keys = others.iter().map(|&place| self.keys[place]);
        let keys: Vec<KeyId> = keys.chain(range.map(|(key, _)| key)).collect();
        let columns_of_candidates = self.gather_in_pieces(&candidates.ids, &keys, charge, run)?;
        let columns_of_candidates: Vec<&Column> = columns_of_candidates.iter().collect();
        let (equal, ranged) = columns_of_candidates.split_at(others.len());
        let rest = Rest {
            columns_of_candidates: equal,
            sought: others.iter().map(|&place| self.values[place]).collect(),
            range: range.map(|(_, bounds)| (ranged[0], bounds)),
        };
        Ok((candidates.compare(&rest, charge, run)?, candidates.ids.len()))
    }

    /// How many candidates an index gives for some rows.
    pub(super) fn count(&self, usable: &Usable, rows: &[u32], run: &Run<'_>) -> Result<usize> {
        Ok(self.ask_all(usable, rows, run)?.1.len())
    }

    /// What the index gives for some rows, numbered by their places among these; in pieces, so that the
    /// budget is asked before it is far exceeded.
    fn ask(
        &self,
        usable: &Usable,
        rows: &[u32],
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Found> {
        let mut found = Found::default();
        let (mut next, mut size) = (0, limits::SEEK_ROWS_AT_ONCE_MIN);
        while next < rows.len() {
            let end = rows.len().min(next + size);
            let mut piece = self.ask_all(usable, &rows[next..end], run)?;
            let count = piece.1.len();
            query_limits::step(count as u64)?;
            charge.grow(found_bytes(count), run)?;
            if next == 0 {
                found = piece;
            } else {
                found.0.extend(piece.0.iter().map(|&place| place + row(next)));
                found.1.append(&mut piece.1);
            }
            size = if count < limits::SEEK_IDS_AT_ONCE { size * 2 } else { (size / 2).max(1) };
            next = end;
        }
        Ok(found)
    }

    fn ask_all(&self, usable: &Usable, rows: &[u32], run: &Run<'_>) -> Result<Found> {
        let bounds = self.range.map_or_else(Bounds::default, |(_, bounds)| bounds);
        let len = rows.len();
        // Rows are ascending and none is there twice.
        let mut found = if len == self.rows {
            usable.ask(self.values, bounds, (len, usize::MAX), run)?
        } else {
            let take = |column: &Column| column.take(rows);
            let values: Vec<Column> = self.values.iter().map(|column| take(column)).collect();
            let values: Vec<&Column> = values.iter().collect();
            let ends = bounds.ends().map(take).collect::<Vec<_>>();
            usable.ask(&values, bounds.over(&ends), (len, usize::MAX), run)?
        };
        usable.keep_label(self.owner, &mut found, run)?;
        Ok(found)
    }

    fn candidates(
        &self,
        usable: &Usable,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Candidates> {
        let own = usable.equal.iter().map(|&place| self.values[place]);
        let bounds = self.range.filter(|_| usable.ranged.is_some());
        let ends = bounds.iter().flat_map(|(_, bounds)| bounds.ends());
        let own: Vec<&Column> = own.chain(ends).collect();
        let (groups, firsts) = first_of_each(&own, self.rows);
        let (rows, ids) = self.ask(usable, &firsts, charge, run)?;
        let mut starts = vec![0; firsts.len() + 1];
        rows.iter().for_each(|&group| starts[group as usize + 1] += 1);
        for group in 0..firsts.len() {
            starts[group + 1] += starts[group];
        }
        Ok(Candidates { groups, starts, ids })
    }

    fn gather_in_pieces(
        &self,
        ids: &[u64],
        keys: &[KeyId],
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Vec<Column>> {
        let mut all: Vec<Column> = Vec::new();
        for piece in ids.chunks(limits::SEEK_IDS_AT_ONCE) {
            query_limits::step(piece.len() as u64)?;
            let columns = gather(self.owner, piece, keys, run)?;
            let batch = Batch::of(columns);
            charge.grow(crate::rows::batch_bytes(&batch), run)?;
            let columns = batch.columns.into_iter().map(std::sync::Arc::unwrap_or_clone);
            if all.is_empty() {
                all = columns.collect();
            } else {
                let pairs = all.iter_mut().zip(columns);
                pairs.for_each(|(all, column)| crate::rows::append(all, &column));
            }
        }
        Ok(all)
    }
}

impl Candidates {
    fn of(&self, group: u32) -> Range<usize> {
        self.starts[group as usize]..self.starts[group as usize + 1]
    }

    fn compare(&self, rest: &Rest<'_>, charge: &mut Charge, run: &Run<'_>) -> Result<Found> {
        let pairs = self.groups.iter().map(|&group| self.of(group).len() as u64).sum::<u64>();
        let hashed = (self.groups.len() + self.ids.len()) as u64;
        match rest.sought.is_empty() || pairs <= hashed.saturating_mul(2) {
            true => self.compare_each(rest, charge, run),
            false => self.compare_hashed(rest, charge, run),
        }
    }

    fn compare_each(&self, rest: &Rest<'_>, charge: &mut Charge, run: &Run<'_>) -> Result<Found> {
        let mut found = Found::default();
        let mut charged = 0;
        for (row, &group) in (0..).zip(&self.groups) {
            if hash_row(&rest.sought, row as usize).is_none() {
                continue;
            }
            for place in self.of(group) {
                query_limits::step(1)?;
                if rest.holds(place, row) {
                    found.0.push(row);
                    found.1.push(self.ids[place]);
                }
            }
            charge_found(&found, &mut charged, charge, run)?;
        }
        Ok(found)
    }

    fn compare_hashed(&self, rest: &Rest<'_>, charge: &mut Charge, run: &Run<'_>) -> Result<Found> {
        let mut places: Vec<(u64, u32)> = Vec::with_capacity(self.ids.len());
        charge.grow((self.ids.len() * size_of::<(u64, u32)>()) as u64, run)?;
        for group in 0..self.starts.len() as u32 - 1 {
            for place in self.of(group) {
                query_limits::step(1)?;
                each_key(rest.columns_of_candidates, place, |keys, at| {
                    places
                        .extend(hash_row(keys, at).map(|hash| (of_group(group, hash), row(place))));
                });
            }
        }
        places.sort_unstable();
        let mut found = Found::default();
        let mut charged = 0;
        for (row, &group) in (0..).zip(&self.groups) {
            let Some(hash) = hash_row(&rest.sought, row as usize) else { continue };
            let hash = of_group(group, hash);
            let first = places.partition_point(|(other, _)| *other < hash);
            // A candidate with several values of a key may be there twice.
            let mut before = None;
            for &(_, place) in places[first..].iter().take_while(|(other, _)| *other == hash) {
                query_limits::step(1)?;
                let is_of_group = self.of(group).contains(&(place as usize));
                if is_of_group && before != Some(place) && rest.holds(place as usize, row) {
                    found.0.push(row);
                    found.1.push(self.ids[place as usize]);
                    before = Some(place);
                }
            }
            charge_found(&found, &mut charged, charge, run)?;
        }
        Ok(found)
    }
}

impl Rest<'_> {
    /// Whether a candidate has what a row seeks.
    fn holds(&self, place: usize, row: u32) -> bool {
        let mut pairs = self.columns_of_candidates.iter().zip(&self.sought);
        hash_row(self.columns_of_candidates, place).is_some()
            && pairs.all(|(columns_of_candidates, sought)| {
                entry_holds(columns_of_candidates, place, sought, row as usize)
            })
            && self.range.as_ref().is_none_or(|(own, bounds)| bounds.contain(row, own.get(place)))
    }
}

/// The hash of the other keys, distinguished by group.
fn of_group(group: u32, hash: u64) -> u64 {
    hash ^ u64::from(group).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Counts what was found since the last time, in steps.
pub(super) fn charge_found(
    found: &Found,
    charged: &mut usize,
    charge: &mut Charge,
    run: &Run<'_>,
) -> Result<()> {
    if found.1.len() - *charged < limits::SEEK_IDS_AT_ONCE {
        return Ok(());
    }
    charge.grow(found_bytes(found.1.len() - *charged), run)?;
    *charged = found.1.len();
    Ok(())
}

fn found_bytes(count: usize) -> u64 {
    (count * (size_of::<u32>() + size_of::<u64>())) as u64
}

/// The combination of values of each row, and the first row of each distinct combination.
pub(super) fn first_of_each(columns: &[&Column], len: usize) -> (Vec<u32>, Vec<u32>) {
    let unscoped = Batch { len, ..Batch::default() };
    let mut groups = Vec::new();
    Groups::new(columns.len()).assign_columns(&unscoped, columns, &mut groups);
    let mut firsts = Vec::new();
    for (place, &group) in groups.iter().enumerate() {
        if group as usize == firsts.len() {
            firsts.push(row(place));
        }
    }
    (groups, firsts)
}
