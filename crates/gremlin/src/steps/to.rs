//! `to(direction, labels)`: to neighbours, in a direction that is an argument.

use millrace_bytecode::Argument;
use millrace_model::{Direction, Result, Token, Value};

use super::hops::{Reached, hop_along};
use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal, name};

pub(super) const STEP: Step = Step::new("to", translate).facts(&[Fact::NamesTypes]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    along(traversal, call, Reached::Vertex)
}

/// A hop in the direction of the first argument.
pub(super) fn along(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    reached: Reached,
) -> Result<()> {
    let [first, labels @ ..] = call.arguments() else {
        return Err(call.wrong("takes a direction and labels"));
    };
    let direction = direction(call, first)?;
    let types = labels.iter().map(|label| name(call.instruction, label)).collect::<Result<_>>()?;
    hop_along(traversal, call, types, direction, reached)
}

/// A direction.
pub(super) fn direction(call: &Call<'_>, argument: &Argument) -> Result<Direction> {
    match argument {
        Argument::Value(Value::Token(Token::End(direction))) => Ok(*direction),
        Argument::Binding(_, inner) => direction(call, inner),
        _ => Err(call.wrong("takes a direction, such as Direction.OUT")),
    }
}
