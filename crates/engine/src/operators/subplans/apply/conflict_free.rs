//! Outer rows in conflict-free batches: no row depends on another of its batch
//! (`compile::dependencies` has the proof that this is enough).
//!
//! A row that depends on an earlier one begins the next batch. The rows behind it join that batch
//! even if they depend on none, so elements are made in the order of rows.

use std::ops::Range;
use std::sync::Arc;

use millrace_model::{Batch, Column, Result, Value};
use millrace_plan::ColumnId;
use millrace_store::key_hash::hash_row;
use rustc_hash::FxHashSet;

use crate::compile::{Compiler, Dependencies, Point};
use crate::expressions::Exprs;
use crate::run::Run;

/// The part of a row that is compared for dependencies.
pub(crate) enum DependencyPoint {
    /// The vertex of a column.
    Vertex(usize),
    /// Values, by their hash: on a collision, rows with different values run one after the other.
    Values(Exprs),
}

/// Divides outer rows into conflict-free batches.
pub(crate) struct ConflictFreeBatches {
    pub(crate) points: Vec<DependencyPoint>,
    /// Points at which a row depends on another one if they are equal, either way round.
    pub(crate) pairs: Vec<(usize, usize)>,
}

impl Compiler<'_> {
    /// The conflict-free batches of a subplan that would otherwise run row by row.
    pub(crate) fn conflict_free_batches(
        &self,
        layout: &[ColumnId],
        dependencies: &Dependencies,
    ) -> Result<ConflictFreeBatches> {
        let mut points: Vec<&Point> = Vec::new();
        let mut number = |point| {
            points.iter().position(|known| *known == point).unwrap_or_else(|| {
                points.push(point);
                points.len() - 1
            })
        };
        let pairs = dependencies.iter().map(|(one, other)| (number(one), number(other))).collect();
        let compiled = points.into_iter().map(|point| {
            Ok(match point {
                Point::Vertex(column) => DependencyPoint::Vertex(self.slot(layout, *column)?),
                Point::Values(values) => DependencyPoint::Values(self.exprs(layout, values)?),
            })
        });
        Ok(ConflictFreeBatches { points: compiled.collect::<Result<_>>()?, pairs })
    }
}

impl ConflictFreeBatches {
    /// The batches, first to last.
    pub(super) fn of(&self, outer: &Batch, run: &Run<'_>) -> Vec<Range<u32>> {
        let points = self.points.iter().map(|point| point.of_rows(outer, run));
        match points.collect::<Result<Vec<_>>>() {
            Ok(points) => self.split(outer.len, &points),
            // Row by row shows which row fails, and whether the run reaches it.
            Err(_) => (0..outer.len as u32).map(|row| row..row + 1).collect(),
        }
    }

    fn split(&self, len: usize, points: &[Vec<Option<u64>>]) -> Vec<Range<u32>> {
        let mut batches = Vec::new();
        let mut start = 0;
        let mut seen: Vec<FxHashSet<u64>> = vec![FxHashSet::default(); points.len()];
        for row in 0..len {
            let saw = |own: usize, other: usize| {
                points[own][row].is_some_and(|value| seen[other].contains(&value))
            };
            if self.pairs.iter().any(|&(one, other)| saw(one, other) || saw(other, one)) {
                batches.push(start..row as u32);
                start = row as u32;
                seen.iter_mut().for_each(FxHashSet::clear);
            }
            for (seen, values) in seen.iter_mut().zip(points) {
                seen.extend(values[row]);
            }
        }
        batches.push(start..len as u32);
        batches
    }
}

impl DependencyPoint {
    /// The number to compare for each row; `None` for null, which depends on nothing.
    fn of_rows(&self, outer: &Batch, run: &Run<'_>) -> Result<Vec<Option<u64>>> {
        let values = match self {
            DependencyPoint::Vertex(slot) => {
                let vertex = |row| match outer.columns[*slot].get(row) {
                    Some(Value::Vertex(vertex)) => Some(vertex.0),
                    _ => None,
                };
                return Ok((0..outer.len).map(vertex).collect());
            }
            DependencyPoint::Values(exprs) => exprs.evaluate(outer, run)?,
        };
        let columns = values.into_iter().map(|value| value.into_column(outer.len));
        let columns: Vec<Arc<Column>> = columns.collect();
        let columns: Vec<&Column> = columns.iter().map(|column| &**column).collect();
        Ok((0..outer.len).map(|row| hash_row(&columns, row)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::ConflictFreeBatches;

    #[test]
    fn a_row_that_depends_on_one_of_its_batch_begins_the_next() {
        let batches = |pairs: &[(usize, usize)], points: &[&[i64]]| {
            let value = |&value: &i64| u64::try_from(value).ok();
            let points: Vec<Vec<Option<u64>>> =
                points.iter().map(|values| values.iter().map(value).collect()).collect();
            let divided = ConflictFreeBatches { points: Vec::new(), pairs: pairs.to_vec() };
            let divided = divided.split(points[0].len(), &points);
            divided.iter().map(|batch| (batch.start, batch.end)).collect::<Vec<_>>()
        };
        assert_eq!(batches(&[(0, 0)], &[&[1, 2, 1, 2, 3, 3]]), [(0, 2), (2, 5), (5, 6)]);
        assert_eq!(batches(&[(0, 0)], &[&[-1, 1, -1]]), [(0, 3)], "null depends on nothing");
        // Either way round, but not with itself.
        assert_eq!(batches(&[(0, 1)], &[&[1, 2, 3], &[1, 4, 2]]), [(0, 2), (2, 3)]);
        assert_eq!(batches(&[(0, 1)], &[&[1, 4, 2], &[1, 2, 3]]), [(0, 2), (2, 3)]);
        assert_eq!(batches(&[], &[&[1, 1]]), [(0, 2)]);
    }
}
