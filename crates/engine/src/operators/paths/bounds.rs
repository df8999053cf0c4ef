//! Which ways of a row are emitted, and which of their columns.

use millrace_model::{Batch, Result, VertexId};
use millrace_plan::{PathMode, PathPattern};

use crate::operators::vertices::Vertices;

/// Which ways are emitted.
#[derive(Clone, Copy)]
pub(crate) struct PathBounds {
    pub(crate) ways: PathMode,
    /// Edges of a repetition: a way ends where one does.
    pub(crate) period: u64,
    /// Edges.
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
    pub(crate) least: Option<f64>,
    pub(crate) most: Option<f64>,
    /// Whether the search for the cheapest goes on from a vertex once.
    pub(crate) once: bool,
    /// How many of its ways wait at most.
    pub(crate) frontier: Option<u64>,
}

/// Which columns of a way are read later.
#[derive(Clone, Copy)]
pub(crate) struct PathWanted {
    pub(crate) edges: bool,
    pub(crate) vertices: bool,
    pub(crate) whole: bool,
    pub(crate) alternatives: bool,
    pub(crate) to: bool,
    pub(crate) cost: bool,
}

/// Where each row's ways must end, if that is bound.
pub(super) struct Ends(Option<Vec<Option<VertexId>>>);

impl Ends {
    pub(super) fn of(batch: &Batch, into: Option<usize>) -> Result<Ends> {
        let Some(slot) = into else { return Ok(Ends(None)) };
        let vertices = Vertices::of(batch, slot, "a path's end")?;
        let mut ends = vec![None; batch.len];
        for (place, &vertex) in vertices.ids.iter().enumerate() {
            ends[vertices.row(place) as usize] = Some(vertex);
        }
        Ok(Ends(Some(ends)))
    }

    /// The one vertex where a row's ways must end.
    pub(super) fn bound(&self, row: u32) -> Option<VertexId> {
        self.0.as_ref().and_then(|ends| ends[row as usize])
    }

    /// Whether there is any place where a row's ways may end.
    pub(super) fn may_be(&self, row: u32) -> bool {
        self.0.as_ref().is_none_or(|ends| ends[row as usize].is_some())
    }

    pub(super) fn may_be_at(&self, row: u32, vertex: VertexId) -> bool {
        self.0.as_ref().is_none_or(|ends| ends[row as usize] == Some(vertex))
    }
}

impl PathBounds {
    /// The bounds of a pattern.
    pub(super) fn of(path: &PathPattern) -> PathBounds {
        let period = path.steps.len() as u64;
        let (min, max) =
            (path.min.saturating_mul(period), path.max.map(|max| max.saturating_mul(period)));
        // The k-th edge of a shortest way leaves a vertex k - 1 edges away.
        let shorter = [max, path.radius].into_iter().flatten().min();
        PathBounds {
            ways: path.ways,
            period,
            min,
            max: if path.ways.is_shortest() { shorter } else { max },
            least: path.least,
            most: path.most,
            once: path.goes_on_once(),
            frontier: path.frontier,
        }
    }

    /// Whether a way of so many edges is emitted.
    pub(super) fn may_be_long(&self, length: u64) -> bool {
        self.min <= length && length.is_multiple_of(self.period)
    }

    /// Whether a way of this cost is emitted.
    pub(super) fn may_cost(&self, cost: f64) -> bool {
        self.least.is_none_or(|least| least <= cost) && self.most.is_none_or(|most| cost <= most)
    }
}
