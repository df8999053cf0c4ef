//! `valueMap(keys)`: properties as a map of lists.

use millrace_model::bytecode::Argument;
use millrace_model::{Result, Token, Value};
use millrace_plan::{Expr, Function};

use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal, elements, name};

pub(super) const STEP: Step = Step { name: "valueMap", modulators: &["with", "by"], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let mut keys = call.arguments();
    let mut tokens = false;
    if let [Argument::Value(Value::Bool(wanted)), rest @ ..] = keys {
        (tokens, keys) = (*wanted, rest);
    }
    let keys = keys.iter().filter(|key| !matches!(key, Argument::Value(Value::Null)));
    let keys = keys.map(|key| name(call.instruction, key)).collect::<Result<Vec<_>>>()?;
    let keys = Some(keys).filter(|keys| !keys.is_empty());
    tokens |= with_tokens(call)?;
    let mut value = elements::properties(at, keys);
    let single = matches!(at.kind, Kind::Edge) || by_unfold(call);
    if !single {
        value = Expr::call(Function::ValuesAsLists, vec![value]);
    }
    if tokens {
        let pairs = [Token::Id, Token::Label].map(|token| {
            Expr::List(vec![Expr::Literal(Value::Token(token)), elements::token(at, token)])
        });
        let own = Expr::call(Function::MapOfPairs, vec![Expr::List(pairs.to_vec())]);
        value = Expr::call(Function::MergeMaps, vec![own, value]);
    }
    traversal.moved_to("values", value, Kind::Map);
    Ok(())
}

/// `with(WithOptions.tokens)`: the id and label too.
fn with_tokens(call: &Call<'_>) -> Result<bool> {
    let mut all = false;
    for with in call.modulated("with") {
        match with.arguments.first() {
            Some(Argument::Value(Value::String(key))) if &**key == "~tinkerpop.valueMap.tokens" => {
                all = true;
            }
            _ => return Err(call.refused("has an option that is not supported")),
        }
    }
    Ok(all)
}

/// `by(unfold())`: the values themselves, not lists of them.
fn by_unfold(call: &Call<'_>) -> bool {
    call.modulated("by").any(|by| match by.arguments.first() {
        Some(Argument::Bytecode(inner)) => {
            matches!(inner.steps.as_slice(), [step] if &*step.name == "unfold")
        }
        _ => false,
    })
}
