//! `group()`: objects by key, as a map; with a name, beside the traversal.

use millrace_model::bytecode::{Argument, Instruction};
use millrace_model::{Result, Value};
use millrace_plan::{ColumnId, Expr, Fold, Op, SideFold};

use crate::steps::Step;
use crate::translate::{At, By, Call, Kind, SideEffectKind, State, Traversal};

pub(super) const STEP: Step = Step { name: "group", modulators: &["by"], translate };

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
            if values.is_some_and(|by| reads_tags(traversal, &by.arguments)) {
                let detail = "with a name and a by() that reads tags is not supported";
                return Err(call.refused(detail));
            }
            let value = Expr::List(vec![Expr::Column(key.column), Expr::Column(at.column)]);
            let fold = SideFold::List;
            traversal.plan.push(Op::SideEffect { name: name.clone(), value, fold });
            let kind = SideEffectKind::Group { kind: at.kind, values: values.cloned() };
            traversal.shared.side_effects.insert(name.clone(), kind);
        }
        _ => return Err(call.wrong("takes one name")),
    }
    Ok(())
}

/// Whether a traversal among the arguments selects what a tag names.
fn reads_tags(traversal: &Traversal<'_>, arguments: &[Argument]) -> bool {
    arguments.iter().any(|argument| match argument {
        Argument::Bytecode(inner) => {
            inner.steps.iter().any(|step| reads_tags(traversal, &step.arguments))
        }
        Argument::Value(Value::String(name)) => traversal.state.tags.contains_key(name),
        _ => false,
    })
}

/// A map of what each key's objects fold to.
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
            if !matches!(sub.pipeline.ops.last(), Some(Op::Aggregate { .. })) {
                sub.push(Op::Range { from: 0, to: Some(1) });
            }
            let keys = vec![key.column];
            traversal.plan.push(Op::Group { keys, sub: sub.pipeline });
            end.column
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
