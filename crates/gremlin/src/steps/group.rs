//! `group()`: objects by key, as a map; with a name, beside the traversal.

use millrace_bytecode::{Argument, Bytecode, Instruction};
use millrace_model::Result;
use millrace_plan::{ApplyKind, ColumnId, Expr, Fold, Missing, Op, op};

use crate::steps::{self, Fact, Step};
use crate::translate::{At, By, Call, Kind, SideEffectKind, State, Traversal, scope};

pub(super) const STEP: Step =
    Step::new("group", translate).modulators(&["by"]).facts(&[Fact::Waits, Fact::SeesAll]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let bys: Vec<_> = call.modulated("by").collect();
    if 2 < bys.len() {
        return Err(
            call.wrong("The key and value traversals for group()-step have already been set")
        );
    }
    let key_by = By::of(call.instruction, bys.first().and_then(|by| by.arguments.first()))?;
    let key = traversal.by_column(&key_by, at)?;
    traversal.keep_present(key.column);
    let values = bys.get(1).copied();
    match call.names()?.as_slice() {
        [] => {
            let map = groups(traversal, key, at, values)?;
            traversal.reduced(map, Kind::Map);
        }
        [name] => {
            let reads = values.is_some_and(|by| asks_traverser(&by.arguments));
            let (object, values, lists) = match values {
                Some(by) if reads => before_barrier(traversal, at, by)?,
                values => (at, values.cloned(), false),
            };
            let value = Expr::List(vec![Expr::Column(key.column), Expr::Column(object.column)]);
            let fold = traversal.state.side_fold();
            traversal.plan.push(op::SideEffect { name: name.clone(), value, fold });
            let kind = SideEffectKind::Group { kind: object.kind, values, lists };
            traversal.shared.side_effects.insert(name.clone(), kind);
        }
        _ => return Err(call.wrong("takes one name")),
    }
    Ok(())
}

/// The results, as a list for each object, of the steps of a `by` before its first barrier: these may read the
/// state of the traverser. The other steps are left for all objects of a key.
fn before_barrier(
    traversal: &mut Traversal<'_>,
    at: At,
    by: &Instruction,
) -> Result<(At, Option<Instruction>, bool)> {
    let [Argument::Bytecode(inner)] = by.arguments.as_slice() else {
        return Ok((at, Some(by.clone()), false));
    };
    let is_barrier =
        |step: &Instruction| steps::is(step, Fact::SeesAll) && !scope(&step.arguments).0;
    let place = inner.steps.iter().position(is_barrier).unwrap_or(inner.steps.len());
    let (before, behind) = inner.steps.split_at(place);
    let part = |steps: &[Instruction]| Bytecode { sources: Vec::new(), steps: steps.to_vec() };
    let state = State { at: Some(at), ..traversal.state.clone() };
    let sub = traversal.sub_from(state, |sub| sub.run(&part(before)))?;
    let end = sub.state.at.unwrap_or(at);
    let to = traversal.plan.column("objects");
    let kind = ApplyKind::Value { fold: Fold::Collect(Expr::Column(end.column)), to };
    traversal.plan.push(op::Apply { sub: sub.pipeline, kind });
    let mut behind = part(behind);
    if behind.steps.is_empty() {
        // The first object, as with any by().
        let identity = Instruction { name: "identity".into(), arguments: Vec::new(), ..by.clone() };
        behind.steps.push(identity);
    }
    let by = Instruction { arguments: vec![Argument::Bytecode(behind)], ..by.clone() };
    Ok((At::new(to, end.kind), Some(by), true))
}

/// Whether a traversal among the arguments reads the state of the traverser, which collected objects have lost.
fn asks_traverser(arguments: &[Argument]) -> bool {
    let asks = [Fact::AsksTraverser, Fact::NeedsPath, Fact::NeedsOrigin];
    let inside = |step: &Instruction| {
        asks.iter().any(|fact| steps::is(step, *fact)) || asks_traverser(&step.arguments)
    };
    arguments.iter().any(|argument| match argument {
        Argument::Bytecode(inner) => inner.steps.iter().any(inside),
        _ => false,
    })
}

/// A map from each key to the fold of its objects.
pub(super) fn groups(
    traversal: &mut Traversal<'_>,
    key: At,
    object: At,
    values: Option<&Instruction>,
) -> Result<ColumnId> {
    let folded = match values.map(|by| (by, by.arguments.first())) {
        Some((_, Some(Argument::Bytecode(inner)))) if !inner.steps.is_empty() => {
            let state = State { at: Some(object), ..traversal.state.clone() };
            let mut sub = traversal.sub_from(state, |sub| sub.run(inner))?;
            let end = sub.state.at.unwrap_or(object);
            if sub.pipeline.has_effect() && !sub.pipeline.only_random() {
                let folded = one_by_one(traversal, key, object, inner)?;
                return Ok(traversal.collect_map(key.column, Expr::Column(folded)));
            }
            let mut folded = end.column;
            if !matches!(sub.pipeline.ops.last(), Some(Op::Aggregate(_))) {
                // A group emits only columns that are made in it, so the object's column is copied.
                folded = traversal.plan.column("value");
                let columns = vec![(folded, Expr::Column(end.column))];
                sub.push(op::Range::of(0, Some(1)));
                sub.push(op::Project { columns });
            }
            let keys = vec![key.column];
            traversal.plan.push(op::Group { keys, sub: sub.pipeline });
            folded
        }
        values => {
            let by = match values {
                None => By::Identity,
                Some((by, argument)) => By::of(by, argument)?,
            };
            let value = traversal.by_column(&by, object)?;
            let fold = Fold::Collect(Expr::Column(value.column));
            traversal.plan.aggregate(&[key.column], "values", fold)
        }
    };
    Ok(traversal.collect_map(key.column, Expr::Column(folded)))
}

/// The result of a traversal that collects or writes, run on each key's objects: key by key, in their order.
fn one_by_one(
    traversal: &mut Traversal<'_>,
    key: At,
    object: At,
    inner: &Bytecode,
) -> Result<ColumnId> {
    let fold = Fold::Collect(Expr::Column(object.column));
    let objects = traversal.plan.aggregate(&[key.column], "objects", fold);
    let state = State { at: Some(At::new(objects, Kind::List)), ..State::default() };
    let sub = traversal.sub_from(state, |sub| {
        let to = sub.plan.column("object");
        sub.plan.push(op::Unwind { list: Expr::Column(objects), to, position: None });
        sub.state.at = Some(At::new(to, object.kind));
        sub.run(inner)
    })?;
    let end = sub.state.at.map_or(objects, |at| at.column);
    let first = Box::new(Fold::First(Expr::Column(end)));
    let to = traversal.plan.column("folded");
    let fold = Fold::IfSeen { fold: first, missing: Missing::NoRow };
    traversal.plan.push(op::Apply { sub: sub.pipeline, kind: ApplyKind::Value { fold, to } });
    Ok(to)
}
