//! `has(key)`, `has(key, value)`, `has(label, key, value)`: keeps elements by a property.

use millrace_bytecode::{Argument, Bytecode};
use millrace_model::{Result, Token, Value};
use millrace_plan::{ApplyKind, Expr, Function, op};

use crate::steps::{Fact, Parameters, Step};
use crate::translate::{At, By, Call, Kind, State, Traversal, elements, name};

pub(super) const STEP: Step = Step::new("has", translate)
    .arguments(1, 3)
    .parameters(Parameters::Compared)
    .facts(&[Fact::NamesLabels, Fact::NamesKeys, Fact::KeepsPlace, Fact::TestsElement]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let arguments = call.arguments();
    let (label, key, test) = match arguments {
        [key] => (None, key, None),
        [key, test] => (None, key, Some(test)),
        [label, key, test] => (Some(label), key, Some(test)),
        _ => (None, &arguments[0], None),
    };
    if let Some(label) = label {
        let label = name(call.instruction, label)?;
        traversal.plan.filter(elements::has_label(at, &label));
    }
    if let Argument::Value(Value::Null) = key {
        traversal.plan.filter(Expr::literal(false));
        return Ok(());
    }
    let by = By::of(call.instruction, Some(key))?;
    let (at, value) = looked_at(traversal, &by, at)?;
    if let Some(Argument::Bytecode(inner)) = test {
        return keep_where_value(traversal, value, inner);
    }
    let holds = match test {
        Some(test)
            if matches!(by, By::Token(Token::Id)) && !matches!(test, Argument::Predicate(_)) =>
        {
            let ids = Expr::List(traversal.values(call.instruction, std::slice::from_ref(test))?);
            let list = Box::new(Expr::call(Function::Ids, vec![ids]));
            Expr::InList { item: Box::new(value), list }
        }
        None => Expr::IsAbsent(Box::new(value)).negate(),
        Some(test) => {
            let passes = elements::some_value(at, value.clone(), |value| {
                traversal.passes(call.instruction, value, test)
            })?;
            Expr::And(vec![Expr::IsAbsent(Box::new(value)).negate(), passes])
        }
    };
    traversal.plan.filter(holds);
    if let By::Token(Token::Id) = by {
        traversal.plan.look_up();
    }
    Ok(())
}

/// The element, and the stored value of the key, so that one of several values may pass.
pub(super) fn looked_at(traversal: &mut Traversal<'_>, by: &By<'_>, at: At) -> Result<(At, Expr)> {
    let By::Key(key) = by else {
        let (value, _) = traversal.by(by, at)?;
        return Ok((At::new(at.column, Kind::Scalar), value));
    };
    let at = if at.kind == Kind::Property { traversal.own_properties(at) } else { at };
    Ok((at, elements::stored(at, key)))
}

/// Keeps rows with a value that the traversal has a result for; of several values, one is enough.
fn keep_where_value(traversal: &mut Traversal<'_>, value: Expr, inner: &Bytecode) -> Result<()> {
    let value = traversal.project("value", value);
    traversal.keep_present(value);
    let state = State { at: Some(At::new(value, Kind::Any)), ..traversal.state.clone() };
    let sub = traversal.sub_from(state, |sub| {
        let (value, _) = sub.unwind_values(Expr::Column(value));
        sub.state.at = Some(At::new(value, Kind::Any));
        sub.run(inner)
    })?;
    traversal.plan.push(op::Apply { sub: sub.pipeline, kind: ApplyKind::Exists });
    Ok(())
}
