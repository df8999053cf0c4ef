//! `path()`: where the traverser has been.

use millrace_model::Result;
use millrace_plan::functions::{IndexMode, Outside};
use millrace_plan::{Arithmetic, ColumnId, Comparison, Expr, Fold, Function, Nulls, SortKey, op};

use super::branches::unite;
use crate::steps::{Fact, Step};
use crate::translate::{At, By, Call, Kind, State, Traversal, name};

pub(super) const STEP: Step = Step::new("path", translate)
    .arguments(0, 0)
    .modulators(&["by", "from", "to"])
    .facts(&[Fact::NeedsPath]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let path = part(traversal, call)?;
    let bys = By::all(&call.modulators)?;
    let path = match bys.as_slice() {
        [] => path,
        bys => shown(traversal, path, bys)?,
    };
    let column = traversal.project("path", path);
    traversal.moved(column, Kind::Path);
    Ok(())
}

/// The path from a tag on, up to another.
pub(super) fn part(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<Expr> {
    let path = traversal.state.path.ok_or_else(|| call.wrong("cannot be the first step"))?;
    let mut path = Expr::Column(path);
    for (modulator, function) in [("to", Function::PathTo), ("from", Function::PathFrom)] {
        for instruction in call.modulated(modulator) {
            super::one_argument(instruction)?;
            let tag = name(instruction, &instruction.arguments[0])?;
            path = Expr::call(function, vec![path, Expr::literal(&*tag)]);
        }
    }
    Ok(path)
}

/// Whether the objects of a path, or their `by` values, are distinct; rows are dropped where a `by` finds nothing.
pub(super) fn is_simple(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<Expr> {
    let path = part(traversal, call)?;
    let bys = By::all(&call.modulators)?;
    if bys.is_empty() {
        return Ok(Expr::call(Function::IsSimple, vec![path]));
    }
    let path = traversal.project("path", path);
    let objects = all_objects_by(traversal, path, &bys)?;
    Ok(Expr::call(Function::AreDistinct, vec![Expr::Column(objects)]))
}

/// The path with the `by` values of its objects; rows are dropped where a `by` finds nothing.
fn shown(traversal: &mut Traversal<'_>, path: Expr, bys: &[By<'_>]) -> Result<Expr> {
    let path = traversal.project("path", path);
    let objects = all_objects_by(traversal, path, bys)?;
    Ok(Expr::call(Function::WithObjects, vec![Expr::Column(path), Expr::Column(objects)]))
}

/// The `by` values of a path's objects; rows are dropped where a `by` finds nothing.
fn all_objects_by(
    traversal: &mut Traversal<'_>,
    path: ColumnId,
    bys: &[By<'_>],
) -> Result<ColumnId> {
    let objects = objects_by(traversal, path, bys)?;
    let whole = Expr::call(Function::Objects, vec![Expr::Column(path)]);
    let sizes = [whole, Expr::Column(objects)].map(|list| Expr::call(Function::Size, vec![list]));
    let [whole, found] = sizes;
    traversal.plan.filter(Expr::compare(Comparison::Equal, whole, found));
    Ok(objects)
}

/// The `by` values of a path's objects as a list, each `by` in turn; objects without a value are left out.
pub(super) fn objects_by(
    traversal: &mut Traversal<'_>,
    path: ColumnId,
    bys: &[By<'_>],
) -> Result<ColumnId> {
    let [object, position] = ["object", "position"].map(|name| traversal.plan.column(name));
    let list = Expr::call(Function::Objects, vec![Expr::Column(path)]);
    let outer = traversal.state.clone();
    let mut found = None;
    let sub = traversal.sub_from(outer, |inner| {
        inner.plan.push(op::Unwind { list, to: object, position: Some(position) });
        let own = At::new(object, Kind::Any);
        let mut branches = Vec::new();
        let mut picks = Vec::new();
        for (place, by) in bys.iter().enumerate() {
            let state = State { at: Some(own), ..inner.state.clone() };
            branches.push(inner.sub_from(state, |branch| {
                let found = branch.by_column(by, own)?;
                branch.state.at = Some(found);
                Ok(())
            })?);
            picks.push(is_turn(position, place, bys.len()));
        }
        unite(inner, branches, millrace_plan::UnionPick::First(picks));
        // Branches come one after the other; objects must not.
        let by = Expr::Column(position);
        inner
            .plan
            .push(op::Sort { keys: vec![SortKey { by, descending: false, nulls: Nulls::First }] });
        found = inner.state.at;
        Ok(())
    })?;
    let objects = traversal.plan.column("objects");
    let fold = Fold::Collect(Expr::Column(found.map_or(object, |at| at.column)));
    let kind = millrace_plan::ApplyKind::Value { fold, to: objects };
    traversal.plan.push(op::Apply { sub: sub.pipeline, kind });
    Ok(objects)
}

fn is_turn(position: ColumnId, place: usize, turns: usize) -> Expr {
    let number = |number: usize| Expr::literal(i64::try_from(number).unwrap_or(i64::MAX));
    let turn = Expr::Arithmetic {
        operation: Arithmetic::Remainder,
        left: Box::new(Expr::Column(position)),
        right: Box::new(number(turns)),
    };
    Expr::compare(Comparison::Equal, turn, number(place))
}

/// The entry of a list at a place; null where there is none.
pub(super) fn entry_at(list: Expr, place: i64) -> Expr {
    let mode = IndexMode { first: 0, from_end: true, outside: Outside::Missing };
    Expr::call(Function::ElementAt(mode), vec![list, Expr::literal(place)])
}
