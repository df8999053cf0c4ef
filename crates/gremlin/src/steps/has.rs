//! `has(key)`, `has(key, value)`, `has(label, key, value)`: keeps elements by a property.

use millrace_model::bytecode::Argument;
use millrace_model::{Result, Token, Value};
use millrace_plan::{Expr, Function};

use crate::steps::Step;
use crate::translate::{At, By, Call, Traversal, elements, name};

pub(super) const STEP: Step = Step { name: "has", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(1, 3)?;
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
    if let Some(Argument::Bytecode(inner)) = test {
        let (value, kind) = traversal.by(&by, at)?;
        let found = At::new(traversal.project("value", value), kind);
        traversal.keep_present(found.column);
        return super::filter::keep_where(traversal, found, inner);
    }
    let (value, _) = traversal.by(&by, at)?;
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
            let passes = traversal.passes(call.instruction, value.clone(), test)?;
            Expr::And(vec![Expr::IsAbsent(Box::new(value)).negate(), passes])
        }
    };
    traversal.plan.filter(holds);
    Ok(())
}
