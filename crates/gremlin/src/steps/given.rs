//! What the steps that write properties share.

use millrace_model::bytecode::{Argument, Instruction, SymbolFamily};
use millrace_model::{Error, ErrorKind, Result, Token, Value};
use millrace_plan::{Expr, Name, Properties};

use crate::translate::{Call, Traversal, name, symbol, wrong};

/// What a new element is given.
#[derive(Default)]
pub(super) struct Given {
    /// Its id.
    pub(super) id: Option<Expr>,
    /// Its label, where that is said as a property.
    pub(super) label: Option<Name>,
    /// Its properties.
    pub(super) properties: Properties,
}

/// What a new element is given by the `property` steps behind the one that makes it.
pub(super) fn given(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<Given> {
    let Given { mut id, mut label, mut properties } = Given::default();
    for modulator in call.modulated("property") {
        match modulator.arguments.as_slice() {
            [Argument::Value(Value::Token(Token::Id)), value] => {
                id = Some(value_of(traversal, modulator, value)?);
            }
            [Argument::Value(Value::Token(Token::Label)), own] => {
                label = Some(name(modulator, own)?);
            }
            [Argument::Value(Value::Null)] => {}
            _ => {
                let one = one(traversal, modulator)?;
                for (key, value) in one.keyed {
                    properties.keyed.retain(|(known, _)| *known != key);
                    properties.keyed.push((key, value));
                }
                properties.map = one.map.or(properties.map);
            }
        }
    }
    Ok(Given { id, label, properties })
}

/// The properties that one `property` sets.
pub(super) fn one(traversal: &mut Traversal<'_>, of: &Instruction) -> Result<Properties> {
    let mut arguments = of.arguments.as_slice();
    if let [first, rest @ ..] = arguments
        && let Some(cardinality) = symbol(first, SymbolFamily::Cardinality)
    {
        if cardinality != "single" {
            let detail = format!("with cardinality {cardinality} is not supported");
            return Err(Error { kind: ErrorKind::Unsupported, ..wrong(of, detail) });
        }
        arguments = rest;
    }
    match arguments {
        [Argument::Value(map @ Value::Map(_))] => {
            Ok(Properties { keyed: Vec::new(), map: Some(Expr::Literal(map.clone())) })
        }
        [key, value] => {
            let key = key_of(of, key)?;
            let value = value_of(traversal, of, value)?;
            Ok(Properties { keyed: vec![(key, value)], map: None })
        }
        [_, _, ..] => {
            let error = wrong(of, "with properties of a property is not supported");
            Err(Error { kind: ErrorKind::Unsupported, ..error })
        }
        _ => Err(wrong(of, "takes a key and a value, or a map")),
    }
}

fn key_of(of: &Instruction, key: &Argument) -> Result<Name> {
    match key {
        Argument::Value(Value::String(key)) => Ok(key.clone()),
        Argument::Binding(_, inner) => key_of(of, inner),
        _ => Err(wrong(of, "takes a key as text")),
    }
}

fn value_of(traversal: &mut Traversal<'_>, of: &Instruction, value: &Argument) -> Result<Expr> {
    match (value, traversal.state.at) {
        (Argument::Bytecode(inner), Some(at)) => {
            let found = traversal.first_of(at, inner)?;
            Ok(Expr::Column(found.column))
        }
        (Argument::Bytecode(inner), None) => {
            let found = traversal.first_from_nowhere(inner)?;
            Ok(Expr::Column(found.column))
        }
        (value, _) => traversal.value(of, value),
    }
}
