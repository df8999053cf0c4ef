//! `where` in its forms: a traversal that may begin or end at a tag, and predicates between tags.

use millrace_model::bytecode::{Argument, Bytecode, Predicate};
use millrace_model::{Result, Value};
use millrace_plan::{ApplyKind, Comparison, Expr, Name, Op};

use crate::translate::{At, By, Call, SideEffectKind, Tag, Traversal, name};

/// Keeps objects by one of its forms.
pub(super) fn keep(traversal: &mut Traversal<'_>, call: &Call<'_>, at: At) -> Result<()> {
    match call.arguments() {
        [Argument::Bytecode(inner)] => tagged(traversal, call, at, inner),
        [Argument::Predicate(predicate)] => between(traversal, call, at, predicate),
        [start, Argument::Predicate(predicate)] => {
            let start = name(call.instruction, start)?;
            let from = super::select::tag(traversal, call, &start)?;
            between(traversal, call, from, predicate)
        }
        _ => Err(call.wrong("takes a traversal, or a tag and a predicate")),
    }
}

/// A traversal that may begin at a tag (its first `as`) and end at one (its last).
fn tagged(traversal: &mut Traversal<'_>, call: &Call<'_>, at: At, inner: &Bytecode) -> Result<()> {
    let Some((from, steps, to)) = ends(traversal, call, at, inner)? else {
        return super::filter::keep_where(traversal, at, inner);
    };
    let state = crate::translate::State { at: Some(from), ..traversal.state.clone() };
    let sub = traversal.sub_from(state, |sub| {
        sub.run(&steps)?;
        if let (Some(to), Some(end)) = (to, sub.state.at) {
            let [end, to] = [end, to].map(|at| Expr::Column(at.column));
            sub.plan.filter(Expr::compare(Comparison::Equal, end, to));
        }
        Ok(())
    })?;
    traversal.plan.push(Op::Apply { sub: sub.pipeline, kind: ApplyKind::Exists });
    Ok(())
}

type Ends = (At, Bytecode, Option<At>);

fn ends(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    at: At,
    inner: &Bytecode,
) -> Result<Option<Ends>> {
    let is_as = |name: &str| name == "as";
    let begins = inner.steps.first().filter(|step| is_as(&step.name));
    let ends = inner.steps.last().filter(|step| is_as(&step.name) && 1 < inner.steps.len());
    if begins.is_none() && ends.is_none() {
        return Ok(None);
    }
    let mut find = |instruction: Option<&millrace_model::bytecode::Instruction>| match instruction {
        None => Ok(None),
        Some(instruction) => {
            let [name] = crate::translate::names(instruction)?
                .try_into()
                .map_err(|_| call.wrong("begins or ends at one tag"))?;
            super::select::tag(traversal, call, &name).map(Some)
        }
    };
    let (from, to) = (find(begins)?, find(ends)?);
    let first = usize::from(begins.is_some());
    let last = inner.steps.len() - usize::from(ends.is_some());
    let steps = inner.steps.get(first..last).unwrap_or_default().to_vec();
    let steps = Bytecode { sources: Vec::new(), steps };
    Ok(Some((from.unwrap_or(at), steps, to)))
}

/// A predicate between where traversers are and what its names name.
fn between(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    from: At,
    predicate: &Predicate,
) -> Result<()> {
    let bys = By::all(&call.modulators)?;
    let by = |place: usize| bys.get(place % bys.len().max(1)).unwrap_or(&By::Identity);
    let left = traversal.by_column(by(0), from)?.column;
    traversal.keep_present(left);
    let mut place = 0;
    if let Some(holds) = in_collected(traversal, left, predicate) {
        traversal.plan.filter(holds);
        return Ok(());
    }
    let holds = traversal.passes_named(
        call.instruction,
        Expr::Column(left),
        predicate,
        &mut |traversal, tag| {
            place += 1;
            let Some(Tag { .. }) = traversal.state.tag_named(tag) else {
                return collected(traversal, tag);
            };
            let at = super::select::tag(traversal, call, &Name::from(tag))?;
            let column = traversal.by_column(by(place), at)?.column;
            Ok(Some(Expr::Column(column)))
        },
    )?;
    traversal.plan.filter(holds);
    Ok(())
}

/// `within` and `without` of what was collected under one name.
fn in_collected(
    traversal: &mut Traversal<'_>,
    left: millrace_plan::ColumnId,
    predicate: &Predicate,
) -> Option<Expr> {
    let [Argument::Value(Value::String(name))] = predicate.arguments.as_slice() else {
        return None;
    };
    let inside = match &*predicate.name {
        "within" => true,
        "without" => false,
        _ => return None,
    };
    let list = matches!(traversal.shared.side_effects.get(name), Some(SideEffectKind::List));
    if !list || traversal.state.tags.contains_key(name) || traversal.shared.given.contains_key(name)
    {
        return None;
    }
    let holds = traversal.in_side_effect(Expr::Column(left), name);
    Some(if inside { holds } else { holds.negate() })
}

fn collected(traversal: &mut Traversal<'_>, name: &str) -> Result<Option<Expr>> {
    let name = Name::from(name);
    let Some(kind) = traversal.shared.side_effects.get(&name).cloned() else { return Ok(None) };
    let found = super::cap::read(traversal, &name, &kind)?;
    let list = Expr::call(millrace_plan::Function::Unfold, vec![Expr::Column(found.column)]);
    Ok(Some(list))
}
