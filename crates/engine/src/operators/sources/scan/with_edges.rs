//! A scan of all vertices of which only those with some edges count: the operator behind it walks these edges, or asks
//! whether there are some.
//!
//! Here and not a rule of plans, as only a run knows how many edges there are. The operator behind stays, and filters
//! between them cannot fail with an error, so the proof is short: a vertex that is left out has no row behind it.

use millrace_model::{Direction, EdgeTypeId, Result};
use millrace_plan::analysis::can_fail;
use millrace_plan::op::ElementColumns;
use millrace_plan::{ApplyKind, Op, ScanSource, op};

use crate::context::EdgeTypes;
use crate::run::Run;

/// A list of all vertices is read in pages, and costs less where more than this share of them have an edge.
const SPARSE_SHARE: u64 = 4;

/// The edges of which the vertices must have one.
pub(super) struct WithEdges {
    types: EdgeTypes,
    direction: Direction,
    /// Whether these edges are few; not known before it is asked.
    are_few: Option<bool>,
}

impl WithEdges {
    /// What the operators behind a scan want of its vertices.
    pub(super) fn of(
        scan: &op::Scan,
        behind: &[Op],
        elements: &ElementColumns,
    ) -> Option<WithEdges> {
        let may_be_spared = |op: &&Op| {
            let filters = if let Op::Filter(filter) = op { Some(&filter.predicate) } else { None };
            filters.is_some_and(|predicate| !can_fail(predicate, elements, false))
        };
        let filters = behind.iter().take_while(may_be_spared).count();
        let walked = match &behind[filters..] {
            [Op::Apply(op::Apply { sub, kind: ApplyKind::Exists, .. }), ..] => &sub.ops[..],
            [first, ..] => std::slice::from_ref(first),
            [] => return None,
        };
        let ([Op::Expand(op::Expand { from, types: Some(types), direction, .. })]
        | [Op::Neighbours(op::Neighbours { from, types: Some(types), direction, .. })]) = walked
        else {
            return None;
        };
        let is_own = scan.source == ScanSource::Vertices(None) && *from == scan.to;
        is_own.then(|| WithEdges {
            types: EdgeTypes::new(Some(types)),
            direction: *direction,
            are_few: None,
        })
    }

    /// Forgets what it knows of the graph, which may have changed since.
    pub(super) fn begin(&mut self) {
        self.are_few = None;
    }

    /// The lists that the vertices are to be taken from, if that is worth it.
    pub(super) fn lists(&mut self, run: &Run<'_>) -> Result<Option<(&[EdgeTypeId], Direction)>> {
        let graph = run.context.graph();
        let Some(types) = self.types.resolve(run.context) else { return Ok(None) };
        let are_few = match self.are_few {
            Some(are_few) => are_few,
            None => {
                let counts = types.iter().map(|own| graph.count_edges(Some(*own)));
                counts.sum::<Result<u64>>()? < graph.count_vertices(None)? / SPARSE_SHARE
            }
        };
        self.are_few = Some(are_few);
        Ok(are_few.then_some((types, self.direction)))
    }
}
