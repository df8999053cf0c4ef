//! `ExpandInto`: each row, once for every edge between two of its vertices, in the order of a list.
//!
//! An `Apply` of nothing but this that asks whether there is such an edge is `EdgeBetween`.

use millrace_model::{Batch, Column, Result};
use millrace_plan::{ApplyKind, Op, op};

use super::between::Between;
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::context::EdgeTypes;
use crate::operators::vertices::both_ends;
use crate::pipeline::{Keep, Operator, Upstream, add};
use crate::run::Run;
use crate::traversal::Walk;

pub(crate) struct ExpandInto {
    from: usize,
    into: usize,
    walk: Walk,
    /// Whether the edge is read later.
    edge: bool,
    keep: Keep,
}

impl ExpandInto {
    fn join(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Option<Batch>> {
        let (bound, sources, targets) = both_ends(batch, self.from, self.into)?;
        let Some(walk) = self.walk.resolve(run.context) else { return Ok(None) };
        let found = Between::find(walk, run.context, (&sources, &targets), self.edge)?;
        let rows: Vec<u32> = found.pairs.iter().map(|&place| bound[place as usize]).collect();
        if rows.is_empty() {
            return Ok(None);
        }
        let mut result = self.keep.take(batch, &rows);
        if self.edge {
            add(&mut result, Column::edges(found.edges));
        }
        Ok(Some(result))
    }
}

impl Operator for ExpandInto {
    fn begin(&mut self, _run: &Run<'_>) {}

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        while let Some(batch) = input.next(run)? {
            if let Some(result) = self.join(&batch, run)? {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }
}

impl Compile for op::ExpandInto {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [edge]) = place.keep_and([self.edge]);
        let walk = Walk::new(EdgeTypes::new(self.types.as_deref()), self.direction, self.loops);
        let from = compiler.slot(place.layout, self.from)?;
        let into = compiler.slot(place.layout, self.into)?;
        Ok((Box::new(ExpandInto { from, into, walk, edge, keep }), after))
    }
}

/// Rows with an edge between two of their vertices, or those without one.
struct EdgeBetween {
    from: usize,
    into: usize,
    walk: Walk,
    wanted: bool,
    keep: Keep,
}

impl EdgeBetween {
    fn has_edge(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Vec<bool>> {
        let (bound, sources, targets) = both_ends(batch, self.from, self.into)?;
        let mut has = vec![false; batch.len];
        let Some(walk) = self.walk.resolve(run.context) else { return Ok(has) };
        let found = Between::find(walk, run.context, (&sources, &targets), false)?;
        found.pairs.iter().for_each(|&place| has[bound[place as usize] as usize] = true);
        Ok(has)
    }
}

impl Operator for EdgeBetween {
    fn begin(&mut self, _run: &Run<'_>) {}

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        while let Some(batch) = input.next(run)? {
            let has = self.has_edge(&batch, run)?;
            let rows = (0..batch.len as u32).filter(|&row| has[row as usize] == self.wanted);
            let rows: Vec<u32> = rows.collect();
            if !rows.is_empty() {
                return Ok(Some(self.keep.take(&batch, &rows)));
            }
        }
        Ok(None)
    }
}

/// An `Apply` that asks for an edge between two vertices of its outer rows, as one operator.
pub(crate) fn edge_between(
    apply: &op::Apply,
    compiler: &Compiler<'_>,
    place: &Place<'_>,
) -> Result<Option<Placed>> {
    let wanted = apply.kind == ApplyKind::Exists;
    let [Op::ExpandInto(op::ExpandInto { from, into, types, direction, loops, .. })] =
        apply.sub.ops.as_slice()
    else {
        return Ok(None);
    };
    if !wanted && apply.kind != ApplyKind::Absent {
        return Ok(None);
    }
    let (keep, after) = place.keep();
    let walk = Walk::new(EdgeTypes::new(types.as_deref()), *direction, *loops);
    let [from, into] = [from, into].map(|column| compiler.slot(place.layout, *column));
    let (from, into) = (from?, into?);
    Ok(Some((Box::new(EdgeBetween { from, into, walk, wanted, keep }), after)))
}
