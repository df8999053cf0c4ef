//! `valueMap(keys)`: properties as a map of lists.

use millrace_model::bytecode::Argument;
use millrace_model::{Result, Token, Value};
use millrace_plan::functions::Which;
use millrace_plan::{Expr, Function, Name};

use crate::steps::Step;
use crate::translate::{At, Call, Kind, Traversal, elements, integer, name};

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
    let with = with_tokens(call)?;
    let shown = if tokens { vec![Token::Id, Token::Label] } else { with };
    call.check_single_by("ValueMap")?;
    let mut value = match at.kind {
        Kind::Property => own_properties(traversal, at, keys),
        _ => elements::properties(at, keys),
    };
    let first = by_unfold(call)?;
    if !matches!(at.kind, Kind::Edge | Kind::Property) {
        let shape = if first { Function::OneOfEach(Which::First) } else { Function::ValuesAsLists };
        value = Expr::call(shape, vec![value]);
    }
    if !shown.is_empty() {
        let pairs = shown.into_iter().map(|token| {
            Expr::List(vec![Expr::Literal(Value::Token(token)), elements::token(at, token)])
        });
        let own = Expr::call(Function::MapOfPairs, vec![Expr::List(pairs.collect())]);
        value = Expr::call(Function::MergeMaps, vec![own, value]);
    }
    traversal.moved_to("values", value, Kind::Map);
    Ok(())
}

/// The properties of a property, or those of some keys.
pub(super) fn own_properties(
    traversal: &mut Traversal<'_>,
    of: At,
    keys: Option<Vec<Name>>,
) -> Expr {
    let own = traversal.own_properties(of);
    let of_key = |key: Name| {
        let value = elements::kept(own, &key);
        (key, value)
    };
    match keys {
        None => Expr::Column(own.column),
        Some(keys) => Expr::Map(keys.into_iter().map(of_key).collect()),
    }
}

/// `with(WithOptions.tokens)`: the id and label too, or what a sum of 1 (id) and 2 (label) says.
fn with_tokens(call: &Call<'_>) -> Result<Vec<Token>> {
    let mut shown = Vec::new();
    for with in call.modulated("with") {
        let (key, wanted) = match with.arguments.as_slice() {
            [Argument::Value(Value::String(key))] => (key, 3),
            [Argument::Value(Value::String(key)), wanted] => (key, integer(with, wanted)?),
            _ => return Err(call.refused("has an option that is not supported")),
        };
        if &**key != "~tinkerpop.valueMap.tokens" {
            return Err(call.refused(format!("has the option {key}, which is not supported")));
        }
        let tokens = [(1, Token::Id), (2, Token::Label)];
        let tokens = tokens.into_iter().filter(|(bit, _)| wanted & bit != 0);
        shown = tokens.map(|(_, token)| token).collect();
    }
    Ok(shown)
}

/// `by(unfold())`: the values themselves, not lists of them.
fn by_unfold(call: &Call<'_>) -> Result<bool> {
    let Some(by) = call.modulated("by").next() else { return Ok(false) };
    match by.arguments.as_slice() {
        [] => Ok(false),
        [Argument::Bytecode(inner)] if matches!(inner.steps.as_slice(), [step] if &*step.name == "unfold") => {
            Ok(true)
        }
        _ => Err(call.refused("with a by() other than by(unfold()) is not supported")),
    }
}
