//! How a value joins those that a key has: `property(list, …)`, `Cardinality.list(x)`.

use millrace_bytecode::{Argument, Bytecode, Instruction, SymbolFamily};
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_plan::functions::Cardinality;
use millrace_plan::{Expr, Function};

use crate::text::VALUE_WITH_CARDINALITY;
use crate::translate::{Kind, symbol, wrong};

/// The cardinality that an argument names.
pub(in crate::steps) fn named(argument: &Argument) -> Option<Cardinality> {
    match symbol(argument, SymbolFamily::Cardinality)? {
        "list" => Some(Cardinality::List),
        "set" => Some(Cardinality::Set),
        _ => Some(Cardinality::Single),
    }
}

/// A value, and its own cardinality if it has one.
pub(in crate::steps) fn of_value(value: &Argument) -> (Option<Cardinality>, &Argument) {
    match value {
        Argument::Bytecode(Bytecode { sources, steps }) if steps.is_empty() => {
            match sources.as_slice() {
                [Instruction { name, arguments, .. }] if &**name == VALUE_WITH_CARDINALITY => {
                    match arguments.as_slice() {
                        [cardinality, own] => (named(cardinality), own),
                        _ => (None, value),
                    }
                }
                _ => (None, value),
            }
        }
        Argument::Binding(_, inner) if matches!(**inner, Argument::Bytecode(_)) => of_value(inner),
        _ => (None, value),
    }
}

/// The stored value of a key once a value has joined the stored ones.
pub(in crate::steps) fn joined(
    cardinality: Cardinality,
    before: impl FnOnce() -> Expr,
    value: Expr,
    meta: Option<Expr>,
) -> Expr {
    let before = match cardinality {
        Cardinality::Single => Expr::Literal(Value::Null),
        Cardinality::List | Cardinality::Set => before(),
    };
    if meta.is_none() && before == Expr::Literal(Value::Null) {
        return value;
    }
    let meta = meta.unwrap_or(Expr::Literal(Value::Null));
    Expr::call(Function::AddValue(cardinality), vec![before, value, meta])
}

/// Refuses a cardinality or meta-properties on an edge: only vertices have them.
pub(in crate::steps) fn check_owner(
    of: &Instruction,
    owner: Kind,
    cardinality: Cardinality,
    has_meta: bool,
) -> Result<()> {
    if owner == Kind::Edge && (has_meta || cardinality != Cardinality::Single) {
        let detail = "gives several values or properties of properties, which only vertices have";
        return Err(Error { kind: ErrorKind::BadQuery, ..wrong(of, detail) });
    }
    Ok(())
}
