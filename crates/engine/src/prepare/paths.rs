//! Path modes and paths, to stages.

use millrace_model::Result;
use millrace_plan::{Op, PathPattern, op};

use super::compiler::{Compiler, Place, Placed, bug};
use crate::names::{EdgeTypes, Resolved};
use crate::operators::{
    PathBounds, PathEdges, PathExpand, PathStep, PathWanted, Radius, TrailEndpoints, Walk,
};

impl Compiler<'_> {
    /// A `PathExpand`, `TrailEndpoints` or `PathStep`.
    pub(super) fn path(&self, op: &Op, place: &Place<'_>) -> Result<Placed> {
        let layout = place.layout;
        if let Op::PathExpand(op::PathExpand { path, edges, to, cost }) = op {
            let (keep, after, [edges, to, cost]) = place.keep_and([*edges, *to, *cost]);
            let from = self.slot(layout, path.from)?;
            let into = path.into.map(|into| self.slot(layout, into)).transpose()?;
            let wanted = PathWanted { edges, to, cost };
            let (walked, bounds) = (walked(path), bounds(path));
            let path = PathExpand::new((from, into), walked, bounds, wanted, keep);
            return Ok((Box::new(path), after));
        }
        if let Op::TrailEndpoints(op::TrailEndpoints { list, direction, from, to }) = op {
            let (keep, after, ends) = place.keep_and([*from, *to]);
            let list = self.slot(layout, *list)?;
            return Ok((Box::new(TrailEndpoints::new(list, *direction, ends, keep)), after));
        }
        let Op::PathStep(op::PathStep { before, object, tags, to }) = op else {
            return Err(bug("an operator was compiled as one that makes paths"));
        };
        let (keep, after, [to]) = place.keep_and([Some(*to)]);
        let before = before.map(|before| self.slot(layout, before)).transpose()?;
        let object = object.map(|object| self.slot(layout, object)).transpose()?;
        Ok((Box::new(PathStep::new((before, object), tags, keep, to)), after))
    }
}

fn walked(path: &PathPattern) -> PathEdges {
    let types = EdgeTypes::new(path.types.as_deref());
    let walk = Walk::new(types, path.direction, path.loops);
    let weight = path.weight.as_ref().map(|weight| [Resolved::new(&weight.key)]);
    let may_go_further = path.max.is_none_or(|max| path.radius.is_some_and(|radius| radius < max));
    let radius = path.radius.filter(|_| may_go_further && !path.ways.is_shortest());
    PathEdges { walk, weight, radius: radius.map(Radius::new) }
}

fn bounds(path: &PathPattern) -> PathBounds {
    let weight = path.weight.as_ref();
    // The k-th edge of a shortest way leaves a vertex k - 1 edges away.
    let shorter = [path.max, path.radius].into_iter().flatten().min();
    PathBounds {
        ways: path.ways,
        min: path.min,
        max: if path.ways.is_shortest() { shorter } else { path.max },
        least: weight.and_then(|weight| weight.least),
        most: weight.and_then(|weight| weight.most),
    }
}
