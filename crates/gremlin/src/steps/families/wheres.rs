//! `where` in its forms: a traversal that may begin or end at a tag, and predicates between tags.

use millrace_bytecode::{Argument, Bytecode, Instruction, Predicate};
use millrace_model::{Result, Value};
use millrace_plan::{ColumnId, Expr, Name};

use crate::steps::{self, Fact};
use crate::translate::{At, By, Call, Kind, SideEffectKind, Traversal, connect, name};

/// Keeps objects by one of its forms.
pub(in crate::steps) fn keep(traversal: &mut Traversal<'_>, call: &Call<'_>, at: At) -> Result<()> {
    match call.arguments() {
        [Argument::Bytecode(inner)] => {
            let inner = connect(&steps::LIST, inner).unwrap_or_else(|| inner.clone());
            steps::filter::keep_where(traversal, at, &at_tags(&inner))
        }
        [Argument::Predicate(predicate)] => between(traversal, call, at, predicate),
        [start, Argument::Predicate(predicate)] => {
            let start = name(call.instruction, start)?;
            let from = steps::select::tag(traversal, call, &start)?;
            between(traversal, call, from, predicate)
        }
        _ => Err(call.wrong("takes a traversal, or a tag and a predicate")),
    }
}

/// A traversal that may begin at a tag (its first `as`) and end at one (its last): it begins by selecting
/// the one, and ends by comparing with the other. So do those that it joins.
pub(in crate::steps) fn at_tags(inner: &Bytecode) -> Bytecode {
    let mut steps: Vec<Instruction> = inner.steps.iter().map(joined_at_tags).collect();
    let is_as =
        |step: Option<&Instruction>| step.is_some_and(|step| steps::is(step, Fact::SetsTags));
    if 1 < steps.len()
        && is_as(steps.last())
        && let Some(last) = steps.last_mut()
    {
        let equal = Predicate::new("eq", std::mem::take(&mut last.arguments));
        last.name = "where".into();
        last.arguments = vec![Argument::Predicate(equal)];
        if is_as(steps.first())
            && let Some(first) = steps.first_mut()
        {
            first.name = "select".into();
        }
        return Bytecode { sources: Vec::new(), steps: keeping_tags(steps) };
    }
    if is_as(steps.first())
        && let Some(first) = steps.first_mut()
    {
        first.name = "select".into();
    }
    Bytecode { sources: Vec::new(), steps }
}

/// The steps before the last one, which compares with a tag, as one step: a barrier among them would forget the tag.
fn keeping_tags(mut steps: Vec<Instruction>) -> Vec<Instruction> {
    let Some(last) = steps.pop() else { return steps };
    let compare = last.clone();
    let inner = Argument::Bytecode(Bytecode { sources: Vec::new(), steps });
    let (name, arguments) = ("flatMap".into(), vec![inner]);
    let way = Instruction { name, arguments, ..last };
    vec![way, compare]
}

fn joined_at_tags(step: &Instruction) -> Instruction {
    if !steps::is(step, Fact::ComparesTags) {
        return step.clone();
    }
    let arguments = step.arguments.iter().map(|argument| match argument {
        Argument::Bytecode(inner) => {
            let inner = connect(&steps::LIST, inner).unwrap_or_else(|| inner.clone());
            Argument::Bytecode(at_tags(&inner))
        }
        other => other.clone(),
    });
    Instruction { arguments: arguments.collect(), ..step.clone() }
}

/// A predicate between the objects of traversers and the values of its names.
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
    let spreads = looks_through(predicate);
    if bys.is_empty()
        && let Some(holds) = in_collected(traversal, left, predicate)
    {
        traversal.plan.filter(holds);
        return Ok(());
    }
    let holds = traversal.passes_named(
        call.instruction,
        Expr::Column(left),
        predicate,
        &mut |traversal, tag| {
            place += 1;
            let known = traversal.shared.side_effects.contains_key(tag);
            let in_map =
                traversal.state.at.is_some_and(|at| matches!(at.kind, Kind::Map | Kind::Any));
            let is_tag = traversal.state.tag_named(tag).is_some();
            if !is_tag && (known || !in_map) {
                return collected(traversal, tag, by(place), spreads);
            }
            let at = steps::select::tag(traversal, call, &Name::from(tag))?;
            let column = traversal.by_column(by(place), at)?.column;
            Ok(Some(Expr::Column(column)))
        },
    )?;
    traversal.plan.filter(holds);
    Ok(())
}

/// `within` and `without` of one side effect each, and predicates that join nothing but these: a set look-up, where
/// a list would be scanned for each object.
fn in_collected(traversal: &Traversal<'_>, left: ColumnId, predicate: &Predicate) -> Option<Expr> {
    let arguments = predicate.arguments.as_slice();
    let joined = || -> Option<Vec<Expr>> {
        let inner = arguments.iter().map(|argument| match argument {
            Argument::Predicate(inner) => in_collected(traversal, left, inner),
            _ => None,
        });
        inner.collect()
    };
    match (&*predicate.name, arguments) {
        ("within", [Argument::Value(Value::String(name))]) => is_plainly_collected(traversal, name)
            .then(|| traversal.in_side_effect(Expr::Column(left), name)),
        ("without", [Argument::Value(Value::String(name))]) => {
            is_plainly_collected(traversal, name)
                .then(|| traversal.in_side_effect(Expr::Column(left), name).negate())
        }
        ("not", [_]) => joined()?.pop().map(Expr::negate),
        ("and", [_, ..]) => joined().map(Expr::And),
        ("or", [_, ..]) => joined().map(Expr::Or),
        _ => None,
    }
}

/// Whether a name is that of a list to which objects are added, and of nothing else.
fn is_plainly_collected(traversal: &Traversal<'_>, name: &Name) -> bool {
    matches!(traversal.shared.side_effects.get(name), Some(SideEffectKind::List))
        && !traversal.state.tags.contains_key(name)
        && !traversal.shared.seeds.contains_key(name)
}

/// Whether a predicate, or one that it joins, looks through collections.
fn looks_through(predicate: &Predicate) -> bool {
    let joined = predicate.arguments.iter().any(|argument| match argument {
        Argument::Predicate(inner) => looks_through(inner),
        _ => false,
    });
    joined || matches!(&*predicate.name, "within" | "without")
}

/// The `by` value of a side effect: its entries where they are looked through. `None` if there is no side effect
/// of that name.
fn collected(
    traversal: &mut Traversal<'_>,
    name: &str,
    by: &By<'_>,
    spreads: bool,
) -> Result<Option<Expr>> {
    let name = Name::from(name);
    let Some(kind) = traversal.shared.side_effects.get(&name).cloned() else { return Ok(None) };
    let all = steps::cap::read(traversal, &name, &kind)?;
    let found = traversal.by_column(by, all)?;
    traversal.keep_present(found.column);
    if !spreads {
        return Ok(Some(Expr::Column(found.column)));
    }
    let list = Expr::call(millrace_plan::Function::Unfold, vec![Expr::Column(found.column)]);
    Ok(Some(list))
}
