//! Rows with two short lists: all lists of a batch are walked at once, and the two of a row are compared entry by
//! entry. Nothing is marked, so the size of the graph does not matter.

use millrace_model::{Result, VertexId};

use super::marks::{FoundRows, Pairs};
use crate::run::{Charge, Run};
use crate::traversal::StoreWalk;

/// Comparisons that cost less than marks.
const COMPARISONS_MAX: u64 = 256;

/// The lists of some vertices, one behind the other.
struct Lists {
    /// Where each begins, and where the last ends.
    bounds: Vec<usize>,
    entries: Vec<VertexId>,
}

impl Lists {
    fn of(vertices: &[VertexId], walk: &StoreWalk<'_>, run: &Run<'_>) -> Result<Lists> {
        let (graph, guard) = (run.context.graph(), run.context.guard());
        let (entries, lengths) = walk.lists(graph, guard, vertices)?;
        let mut bounds = vec![0];
        for length in lengths {
            bounds.push(bounds.last().copied().unwrap_or_default() + length);
        }
        Ok(Lists { bounds, entries })
    }

    fn at(&self, place: usize) -> &[VertexId] {
        &self.entries[self.bounds[place]..self.bounds[place + 1]]
    }
}

/// Takes the rows with short lists out of the pairs; those with an empty one go.
pub(super) fn take(
    pairs: &mut Pairs,
    (by_mark, by_walk): (&StoreWalk<'_>, &StoreWalk<'_>),
    run: &Run<'_>,
) -> Result<Pairs> {
    let graph = run.context.graph();
    let lengths = by_mark.lengths(graph, &pairs.marked)?;
    let others = by_walk.lengths(graph, &pairs.walked)?;
    let comparisons: Vec<u64> =
        lengths.iter().zip(&others).map(|(one, other)| one.saturating_mul(*other)).collect();
    let take = |is_wanted: fn(u64) -> bool| {
        let places = (0..comparisons.len()).filter(|&place| is_wanted(comparisons[place]));
        let places: Vec<usize> = places.collect();
        Pairs {
            rows: places.iter().map(|&place| pairs.rows[place]).collect(),
            marked: places.iter().map(|&place| pairs.marked[place]).collect(),
            walked: places.iter().map(|&place| pairs.walked[place]).collect(),
        }
    };
    let short = take(|count| 0 < count && count <= COMPARISONS_MAX);
    *pairs = take(|count| COMPARISONS_MAX < count);
    Ok(short)
}

/// Adds the common neighbours of pairs.
pub(super) fn compare(
    pairs: &Pairs,
    (by_mark, by_walk): (&StoreWalk<'_>, &StoreWalk<'_>),
    wants_vertex: bool,
    found: &mut FoundRows,
    (charge, run): (&mut Charge, &Run<'_>),
) -> Result<()> {
    if pairs.rows.is_empty() {
        return Ok(());
    }
    let before = found.rows.len();
    let ones = Lists::of(&pairs.marked, by_mark, run)?;
    let others = Lists::of(&pairs.walked, by_walk, run)?;
    for (place, &row) in pairs.rows.iter().enumerate() {
        let (ones, others) = (ones.at(place), others.at(place));
        let times = |vertex: &VertexId| others.iter().filter(|other| *other == vertex).count();
        if wants_vertex {
            for vertex in ones {
                let times = times(vertex) as u64;
                if times != 0 {
                    found.rows.push(row);
                    found.vertices.push(*vertex);
                    found.times.push(times);
                }
            }
        } else {
            let times: usize = ones.iter().map(times).sum();
            if times != 0 {
                found.rows.push(row);
                found.times.push(times as u64);
            }
        }
    }
    charge.grow((found.rows.len() - before) as u64 * super::ROW_BYTES, run)
}
