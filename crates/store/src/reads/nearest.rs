//! Searches for the vectors of an index that are nearest to others: what is asked, what is found, and the few best of many.
//!
//! An entry finds, and the record decides, as with every index: of the best entries those are kept whose record has that
//! vector. So a search may take more entries than it was asked for, and asks again for twice as many where too many drop
//! out.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use millrace_model::schema::IndexDefinition;
use millrace_model::{Column, Error, ErrorKind, Result, query_limits};
use millrace_terms::KeyExtractor;
use millrace_terms::vectors::{VectorQuery, VectorSpace};
use rustc_hash::FxHashSet;

use super::ordered_keys::{KeyMaker, extractor};

/// A search for many vectors together.
#[derive(Clone, Copy)]
pub struct NearestQuery<'a> {
    /// The vector of each row.
    pub vectors: &'a [VectorQuery],
    /// How many are wanted for each row.
    pub limit: usize,
    /// The only elements that count; `None`: all.
    pub within: Option<&'a FxHashSet<u64>>,
    /// Elements that do not count.
    pub without: Option<&'a FxHashSet<u64>>,
    /// How many near ones a graph of neighbours weighs at least before it ends: of more it misses fewer.
    pub breadth: usize,
    /// Whether each vector of the index is compared. Else a graph of neighbours may be asked, which misses few.
    pub is_exact: bool,
}

/// The elements that were found: rows ascending, the nearest first within a row, and of equally near ones the one of the
/// lesser id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NearestMatches {
    /// The row of each.
    pub rows: Vec<u32>,
    /// Its id.
    pub ids: Vec<u64>,
    /// How near its vector is, as [`VectorQuery::nearness`] says.
    pub nearness: Vec<f32>,
}

impl NearestMatches {
    /// Appends an element of a row.
    pub fn push(&mut self, row: u32, near: Near) {
        self.rows.push(row);
        self.ids.push(near.id);
        self.nearness.push(near.nearness);
    }
}

/// An element and how near its vector is; less is nearer.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    /// Greater is nearer.
    pub nearness: f32,
    /// The element.
    pub id: u64,
}

impl Ord for Near {
    fn cmp(&self, other: &Near) -> Ordering {
        other.nearness.total_cmp(&self.nearness).then(self.id.cmp(&other.id))
    }
}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Near) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Near {
    fn eq(&self, other: &Near) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Near {}

/// The nearest so many of those that come.
#[derive(Clone, Debug)]
pub struct Best {
    limit: usize,
    /// The farthest of them on top.
    found: BinaryHeap<Near>,
}

impl Best {
    /// The nearest `limit`.
    pub fn new(limit: usize) -> Best {
        Best { limit, found: BinaryHeap::new() }
    }

    /// Takes one, if it is among the nearest so far.
    #[inline]
    pub fn push(&mut self, near: Near) {
        if self.found.len() < self.limit {
            self.found.push(near);
        } else if let Some(mut farthest) = self.found.peek_mut()
            && near < *farthest
        {
            *farthest = near;
        }
    }

    /// Takes those of another.
    pub fn append(&mut self, other: Best) {
        other.found.into_iter().for_each(|near| self.push(near));
    }

    /// Bytes of those found.
    pub fn byte_size(&self) -> usize {
        self.found.len() * size_of::<Near>()
    }

    /// Whether others would have to be nearer than one of them.
    pub fn is_full(&self) -> bool {
        self.limit <= self.found.len()
    }

    /// The one that others have to be nearer than, if there are as many as wanted.
    #[inline]
    pub fn farthest(&self) -> Option<Near> {
        if self.is_full() { self.found.peek().copied() } else { None }
    }

    /// The nearest first.
    pub fn into_sorted(self) -> Vec<Near> {
        self.found.into_sorted_vec()
    }
}

impl<'a> NearestQuery<'a> {
    /// Whether an element counts.
    #[inline]
    pub fn counts(&self, id: u64) -> bool {
        self.within.is_none_or(|within| within.contains(&id))
            && self.without.is_none_or(|without| !without.contains(&id))
    }

    /// Heaps for all rows, of so many each.
    pub fn heaps(&self, limit: usize) -> Vec<Best> {
        vec![Best::new(limit); self.vectors.len()]
    }

    /// Compares a key of an element with the vector of each row.
    #[inline]
    pub fn compare(&self, key: &[u8], id: u64, best: &mut [Best]) {
        for (vector, best) in self.vectors.iter().zip(best) {
            if let Some(nearness) = vector.nearness(key) {
                best.push(Near { nearness, id });
            }
        }
    }

    /// Finds by what an index gives, and keeps what the records confirm. `best_of` gives the best of so many entries
    /// for some of the rows; `columns_of` the columns of the index for some ids, and a mark for each that the index
    /// is of.
    pub fn search(
        &self,
        index: &IndexDefinition,
        mut best_of: impl FnMut(&NearestQuery<'_>, usize) -> Result<Vec<Best>>,
        mut columns_of: impl FnMut(&[u64]) -> Result<(Vec<Column>, Vec<bool>)>,
        matches: &mut NearestMatches,
    ) -> Result<()> {
        if self.limit == 0 || self.within.is_some_and(FxHashSet::is_empty) {
            return Ok(());
        }
        let mut limit = self.limit;
        let mut open: Vec<usize> = (0..self.vectors.len()).collect();
        let mut found: Vec<Vec<Near>> = vec![Vec::new(); self.vectors.len()];
        while !open.is_empty() {
            let vectors: Vec<VectorQuery> =
                open.iter().map(|row| self.vectors[*row].clone()).collect();
            let asked = NearestQuery { vectors: &vectors, ..*self };
            let mut short = Vec::new();
            for (row, best) in open.iter().zip(best_of(&asked, limit)?) {
                let was_full = best.is_full();
                let entries = best.into_sorted();
                let mut kept =
                    confirmed((index, &self.vectors[*row]), &entries, self.limit, &mut columns_of)?;
                if kept.len() < self.limit && was_full {
                    short.push(*row);
                }
                kept.truncate(self.limit);
                found[*row] = kept;
            }
            (open, limit) = (short, limit.saturating_mul(2));
        }
        for (row, found) in (0..).zip(found) {
            found.into_iter().for_each(|near| matches.push(row, near));
        }
        Ok(())
    }
}

/// Entries whose records are read together.
const CONFIRMED_TOGETHER: usize = 256;

/// The first so many entries whose record has a vector so near, and none nearer; of each element one.
fn confirmed(
    (index, vector): (&IndexDefinition, &VectorQuery),
    entries: &[Near],
    wanted: usize,
    columns_of: &mut impl FnMut(&[u64]) -> Result<(Vec<Column>, Vec<bool>)>,
) -> Result<Vec<Near>> {
    let mut seen = FxHashSet::default();
    let mut kept = Vec::new();
    let maker = KeyMaker::of(index)?;
    for some in entries.chunks(CONFIRMED_TOGETHER) {
        let ids: Vec<u64> = some.iter().map(|near| near.id).collect();
        let (columns, covered) = columns_of(&ids)?;
        let columns: Vec<&Column> = columns.iter().collect();
        for (row, near) in some.iter().enumerate() {
            query_limits::step(1)?;
            if !covered[row] || seen.contains(&near.id) {
                continue;
            }
            let mut nearest: Option<f32> = None;
            maker.each_of_row(&columns, row, |key| {
                if let Some(own) = vector.nearness(key) {
                    nearest = Some(nearest.map_or(own, |other| other.max(own)));
                }
            })?;
            if nearest.is_some_and(|nearest| nearest.total_cmp(&near.nearness).is_eq()) {
                seen.insert(near.id);
                kept.push(*near);
            }
        }
        if wanted <= kept.len() {
            break;
        }
    }
    Ok(kept)
}

/// The vectors that an index holds; refused of an index of other keys.
pub fn vector_space(index: &IndexDefinition) -> Result<VectorSpace> {
    match extractor(index)? {
        Some(KeyExtractor::Vectors(space)) => Ok(space),
        _ => {
            let error =
                Error::new(ErrorKind::Unsupported, "an index of other values holds no vectors");
            Err(error.with_help("create an index by the method `vector(DIMENSIONS, SIMILARITY)`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_the_nearest_and_of_equal_ones_those_of_the_lesser_ids() {
        let mut best = Best::new(3);
        for (id, nearness) in [(5, 0.5), (9, 0.9), (1, 0.1), (4, 0.5), (7, 0.9)] {
            best.push(Near { nearness, id });
        }
        assert!(best.is_full());
        let ids: Vec<u64> = best.into_sorted().iter().map(|near| near.id).collect();
        assert_eq!(ids, [7, 9, 4]);
        let mut none = Best::new(0);
        none.push(Near { nearness: 1.0, id: 1 });
        assert!(none.into_sorted().is_empty());
    }
}
