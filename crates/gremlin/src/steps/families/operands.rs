//! Operands of the steps that combine a list with another one.

use millrace_bytecode::{Argument, Bytecode};
use millrace_model::Result;
use millrace_plan::functions::{SetOperation, Wanted};
use millrace_plan::{Expr, Function};

use super::texts::require;
use crate::translate::{Call, Kind, Traversal};

/// The value of an argument for each object.
pub(in crate::steps) enum Operand {
    /// The first value of a traversal.
    Traversal(Expr),
    /// A value.
    Value(Expr),
}

/// The only argument.
pub(in crate::steps) fn operand(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<Operand> {
    let at = traversal.at(call)?;
    Ok(match &call.arguments()[0] {
        Argument::Bytecode(Bytecode { steps, .. }) if steps.is_empty() => {
            Operand::Traversal(Expr::Column(at.column))
        }
        Argument::Bytecode(inner) => {
            Operand::Traversal(Expr::Column(traversal.first_of(at, inner)?.column))
        }
        value => Operand::Value(traversal.value(call.instruction, value)?),
    })
}

/// The entries of the traverser's object.
pub(in crate::steps) fn own_entries(call: &Call<'_>, value: Expr) -> Expr {
    let name = call.step.name;
    let of_null = format!("Incoming traverser for {name} step can't be null");
    let of_type =
        format!("{name} step can only take an array or an Iterable type for incoming traversers");
    require(Wanted::Entries, value, Some(&of_null), &of_type)
}

/// The entries of the argument.
pub(in crate::steps) fn other_entries(call: &Call<'_>, operand: Operand) -> Expr {
    let name = call.step.name;
    let (value, of_null, of_type) = match operand {
        Operand::Traversal(value) => {
            let must = format!("traversal argument for {name} step must yield an iterable type");
            (value, format!("{must}, not null"), must)
        }
        Operand::Value(value) => (
            value,
            format!("Argument provided for {name} step can't be null"),
            format!("{name} step can only take an array or an Iterable as an argument"),
        ),
    };
    require(Wanted::Entries, value, Some(&of_null), &of_type)
}

/// Moves to the result of a function of both lists.
pub(in crate::steps) fn of_both(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    function: Function,
) -> Result<()> {
    let at = traversal.at(call)?;
    let operand = operand(traversal, call)?;
    let lists = vec![own_entries(call, Expr::Column(at.column)), other_entries(call, operand)];
    let kind = if let Function::SetOf(_) = function { Kind::Any } else { Kind::List };
    traversal.moved_to(call.step.name, Expr::call(function, lists), kind);
    Ok(())
}

/// Moves to the result of a set operation on both lists.
pub(in crate::steps) fn set_of(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    operation: SetOperation,
) -> Result<()> {
    of_both(traversal, call, Function::SetOf(operation))
}
