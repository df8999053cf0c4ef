//! `merge(other)`: two lists as one set, or two maps as one map.

use millrace_bytecode::Argument;
use millrace_model::{Result, Value};
use millrace_plan::functions::{SetOperation, Wanted};
use millrace_plan::{Expr, Function};

use super::operands::{Operand, operand, other_entries, own_entries};
use super::texts::require;
use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal, elements::is_of_type};

pub(super) const STEP: Step = Step::new("merge", translate).arguments(1, 1);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let operand = operand(traversal, call)?;
    let own = Expr::Column(at.column);
    let maps = vec![own.clone(), other_map(&operand)];
    let other = match &call.arguments()[0] {
        Argument::Value(Value::Map(_)) => {
            let (Operand::Value(map) | Operand::Traversal(map)) = operand;
            let message = "merge step type mismatch: expected argument to be Iterable but got Map";
            require(Wanted::Entries, map, None, message)
        }
        _ => other_entries(call, operand),
    };
    let lists = vec![own_entries(call, own.clone()), other];
    let merged = Expr::Case {
        branches: vec![(is_of_type(&own, "map"), Expr::call(Function::MergeMaps, maps))],
        otherwise: Some(Box::new(Expr::call(Function::SetOf(SetOperation::Union), lists))),
    };
    let kind = if at.kind == Kind::Map { Kind::Map } else { Kind::Any };
    traversal.moved_to("merged", merged, kind);
    Ok(())
}

fn other_map(operand: &Operand) -> Expr {
    let (Operand::Value(value) | Operand::Traversal(value)) = operand;
    let message = "merge step expected provided argument to evaluate to a Map";
    let of_null = format!("{message}, not null");
    require(Wanted::Map, value.clone(), Some(&of_null), message)
}
