//! Two arms where no order is demanded: the neighbours of one vertex are marked in an array, and each neighbour of the
//! other vertex looks its mark up. Nothing is sorted. Rows that follow one another with the same vertex share its marks,
//! so the arm that changes more seldom is the marked one. Rows with short lists need no marks (`short`).

use std::ops::ControlFlow;

use millrace_model::{Batch, Result, VertexId};

use super::short;
use crate::limits;
use crate::operators::vertices::Vertices;
use crate::run::{Charge, Run};
use crate::traversal::{StoreWalk, Walk};

/// How many edges lead from the marked vertex to each.
#[derive(Default)]
pub(super) struct Marks {
    counts: Vec<u32>,
    marked: Vec<VertexId>,
}

/// Rows, with a neighbour each where it is read, and how often each is there.
#[derive(Default)]
pub(super) struct FoundRows {
    pub(super) rows: Vec<u32>,
    pub(super) vertices: Vec<VertexId>,
    pub(super) times: Vec<u64>,
}

impl Marks {
    /// Whether ids are dense enough for an array.
    pub(super) fn fit(run: &Run<'_>) -> bool {
        run.context.graph().id_space().dense
    }

    fn clear(&mut self) {
        self.marked.drain(..).for_each(|vertex| self.counts[vertex.0 as usize] = 0);
    }

    fn mark(&mut self, vertex: VertexId) {
        let at = vertex.0 as usize;
        // An id that is newer than the array.
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        self.marked.extend((self.counts[at] == 0).then_some(vertex));
        self.counts[at] += 1;
    }

    #[inline]
    fn count(&self, vertex: VertexId) -> u64 {
        self.counts.get(vertex.0 as usize).map_or(0, |&count| u64::from(count))
    }
}

/// Rows and their two vertices.
pub(super) struct Pairs {
    pub(super) rows: Vec<u32>,
    pub(super) marked: Vec<VertexId>,
    pub(super) walked: Vec<VertexId>,
}

impl Pairs {
    /// The pairs of a batch, and whether the first arm is the marked one.
    fn of(batch: &Batch, [first, second]: [usize; 2]) -> Result<(Pairs, bool)> {
        let mut ends = [first, second].map(|_| vec![None; batch.len]);
        for (slot, ends) in [first, second].into_iter().zip(&mut ends) {
            let vertices = Vertices::of(batch, slot, "an intersection")?;
            for (place, &vertex) in vertices.ids.iter().enumerate() {
                ends[vertices.row(place) as usize] = Some(vertex);
            }
        }
        let mut pairs = Pairs { rows: Vec::new(), marked: Vec::new(), walked: Vec::new() };
        let [ones, others] = &ends;
        for (row, both) in (0u32..).zip(ones.iter().zip(others)) {
            if let (Some(one), Some(other)) = both {
                let (one, other) = (*one, *other);
                pairs.rows.push(row);
                pairs.marked.push(one);
                pairs.walked.push(other);
            }
        }
        let changes =
            |vertices: &[VertexId]| vertices.windows(2).filter(|two| two[0] != two[1]).count();
        let first_is_marked = changes(&pairs.marked) <= changes(&pairs.walked);
        if !first_is_marked {
            std::mem::swap(&mut pairs.marked, &mut pairs.walked);
        }
        Ok((pairs, first_is_marked))
    }
}

/// The common neighbours of the rows of a batch.
pub(super) fn found(
    arms: &mut [(usize, Walk)],
    marks: &mut Marks,
    batch: &Batch,
    wants_vertex: bool,
    charge: &mut Charge,
    run: &Run<'_>,
) -> Result<FoundRows> {
    let mut found = FoundRows::default();
    let [(first, walk_first), (second, walk_second)] = arms else { return Ok(found) };
    let (mut pairs, first_is_marked) = Pairs::of(batch, [*first, *second])?;
    let walks = (walk_first.resolve(run.context), walk_second.resolve(run.context));
    let (Some(one), Some(other)) = walks else { return Ok(found) };
    let (by_mark, by_walk) = if first_is_marked { (one, other) } else { (other, one) };
    let short = short::take(&mut pairs, (&by_mark, &by_walk), run)?;
    short::compare(&short, (&by_mark, &by_walk), wants_vertex, &mut found, (charge, run))?;
    if pairs.rows.is_empty() {
        return Ok(found);
    }
    let bound = run.context.graph().id_space().bound as usize;
    if marks.counts.len() < bound {
        marks.counts.resize(bound, 0);
    }
    charge.grow(marks.counts.len() as u64 * 4, run)?;
    let mut start = 0;
    for same in pairs.marked.chunk_by(|left, right| left == right) {
        let range = start..start + same.len();
        start = range.end;
        fill(marks, same[0], &by_mark, run)?;
        let (rows, walked) = (&pairs.rows[range.clone()], &pairs.walked[range]);
        let before = found.rows.len();
        look_up((rows, walked), marks, &by_walk, wants_vertex, &mut found, run)?;
        charge.grow((found.rows.len() - before) as u64 * super::ROW_BYTES, run)?;
        if limits::BATCH_ROWS_MAX < found.rows.len() - before {
            run.context.guard().check()?;
        }
    }
    marks.clear();
    Ok(found)
}

fn fill(marks: &mut Marks, vertex: VertexId, walk: &StoreWalk<'_>, run: &Run<'_>) -> Result<()> {
    marks.clear();
    walk.expand(run.context.graph(), run.context.guard(), &[vertex], |_, edges| {
        walk.pieces(&edges, vertex, |piece| {
            (0..piece.len()).for_each(|at| marks.mark(piece.get(at)));
            Ok(())
        })?;
        Ok(ControlFlow::Continue(()))
    })
}

fn look_up(
    (rows, vertices): (&[u32], &[VertexId]),
    marks: &Marks,
    walk: &StoreWalk<'_>,
    wants_vertex: bool,
    found: &mut FoundRows,
    run: &Run<'_>,
) -> Result<()> {
    if marks.marked.is_empty() {
        return Ok(());
    }
    walk.expand(run.context.graph(), run.context.guard(), vertices, |place, edges| {
        let row = rows[place];
        walk.pieces(&edges, vertices[place], |piece| {
            if wants_vertex {
                for at in 0..piece.len() {
                    let vertex = piece.get(at);
                    let times = marks.count(vertex);
                    if times != 0 {
                        found.rows.push(row);
                        found.vertices.push(vertex);
                        found.times.push(times);
                    }
                }
                return Ok(());
            }
            let times = (0..piece.len()).map(|at| marks.count(piece.get(at))).sum();
            if times != 0 {
                found.rows.push(row);
                found.times.push(times);
            }
            Ok(())
        })?;
        Ok(ControlFlow::Continue(()))
    })
}
