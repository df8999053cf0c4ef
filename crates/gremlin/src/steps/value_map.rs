//! `valueMap(keys)`: properties as a map of lists.

use millrace_bytecode::Argument;
use millrace_model::{Result, Token, Value};
use millrace_plan::functions::Which;
use millrace_plan::{Expr, Function, Name};

use super::{is_call_of, unfold};
use crate::steps::{Fact, Step};
use crate::translate::{At, Call, Kind, Traversal, elements, integer, name};

pub(super) const STEP: Step = Step::new("valueMap", translate)
    .modulators(&["with", "by"])
    .facts(&[Fact::NamesKeys, Fact::MapsProperties]);

/// The sum of all tokens that `WithOptions` has.
const TOKENS_ALL: i64 = 15;

/// The tokens of vertices and edges, each with its bit in a sum.
const OF_ELEMENTS: [(i64, Token); 2] = [(1, Token::Id), (2, Token::Label)];

/// The tokens of properties, each with its bit in a sum.
const OF_PROPERTIES: [(i64, Token); 3] = [(1, Token::Id), (4, Token::Key), (8, Token::Value)];

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
    let shown = if tokens { TOKENS_ALL } else { with_tokens(call)? };
    call.check_single_by("ValueMap")?;
    let value = values(traversal, at, keys, by_unfold(call)?);
    let value = with_shown(traversal, at, shown, &value);
    traversal.moved_to("values", value, Kind::Map);
    Ok(())
}

/// The properties of an element as a map: of a vertex lists of values, or with `first` one value each.
fn values(traversal: &mut Traversal<'_>, at: At, keys: Option<Vec<Name>>, first: bool) -> Expr {
    let all = match at.kind {
        Kind::Property => return own_properties(traversal, at, keys),
        _ => elements::properties(at, keys),
    };
    if at.kind == Kind::Edge {
        return all;
    }
    let shape = if first { Function::SingleValues(Which::First) } else { Function::ValuesAsLists };
    let listed = Expr::call(shape, vec![all.clone()]);
    if at.kind == Kind::Vertex {
        return listed;
    }
    let is_vertex = elements::is_of_type(&Expr::Column(at.column), "vertex");
    elements::either(is_vertex, listed, all)
}

/// A map with the tokens that are shown before it.
fn with_shown(traversal: &Traversal<'_>, at: At, shown: i64, value: &Expr) -> Expr {
    let before = |tokens: &[(i64, Token)]| {
        let shown = tokens.iter().filter(|(bit, _)| shown & bit != 0);
        let pairs = shown.map(|(_, token)| {
            Expr::List(vec![Expr::Literal(Value::Token(*token)), traversal.token(at, *token)])
        });
        let pairs = Expr::List(pairs.collect());
        let own = Expr::call(Function::MapOfPairs, vec![pairs]);
        Expr::call(Function::MergeMaps, vec![own, value.clone()])
    };
    match at.kind {
        _ if shown & TOKENS_ALL == 0 => value.clone(),
        Kind::Property => before(&OF_PROPERTIES),
        Kind::Vertex | Kind::Edge => before(&OF_ELEMENTS),
        _ => {
            let is_property = elements::is_property(&Expr::Column(at.column));
            elements::either(is_property, before(&OF_PROPERTIES), before(&OF_ELEMENTS))
        }
    }
}

/// The properties of a property, or those of some keys.
pub(super) fn own_properties(
    traversal: &mut Traversal<'_>,
    of: At,
    keys: Option<Vec<Name>>,
) -> Expr {
    let own = traversal.own_properties(of);
    let of_key = |key: Name| {
        let value = elements::stored(own, &key);
        (key, value)
    };
    match keys {
        None => Expr::Column(own.column),
        Some(keys) => Expr::Map(keys.into_iter().map(of_key).collect()),
    }
}

/// `with(WithOptions.tokens)`: all tokens, or those of a sum.
fn with_tokens(call: &Call<'_>) -> Result<i64> {
    let mut shown = 0;
    for with in call.modulated("with") {
        let (key, wanted) = match with.arguments.as_slice() {
            [Argument::Value(Value::String(key))] => (key, TOKENS_ALL),
            [Argument::Value(Value::String(key)), wanted] => (key, integer(with, wanted)?),
            _ => return Err(call.refused("has an option that is not supported")),
        };
        if &**key != "~tinkerpop.valueMap.tokens" {
            return Err(call.refused(format!("has the option {key}, which is not supported")));
        }
        shown = wanted;
    }
    Ok(shown)
}

/// `by(unfold())`: the values themselves, not lists of them.
fn by_unfold(call: &Call<'_>) -> Result<bool> {
    let Some(by) = call.modulated("by").next() else { return Ok(false) };
    match by.arguments.as_slice() {
        [] => Ok(false),
        [Argument::Bytecode(inner)] if matches!(inner.steps.as_slice(), [step] if is_call_of(step, &unfold::STEP)) => {
            Ok(true)
        }
        _ => Err(call.refused("with a by() other than by(unfold()) is not supported")),
    }
}
