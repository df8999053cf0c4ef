//! Arguments as expressions, numbers and names; and the words about a source.

use millrace_bytecode::{Argument, Instruction, Symbol, SymbolFamily};
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_plan::functions::Reduction;
use millrace_plan::{Expr, Function};

use super::calls::wrong;
use super::janusgraph;
use super::traversal::Traversal;

impl Traversal<'_> {
    /// An argument that is a value, as an expression. A value with a name is a parameter.
    pub(crate) fn value(&mut self, of: &Instruction, argument: &Argument) -> Result<Expr> {
        match argument {
            Argument::Value(value) => Ok(Expr::Literal(value.clone())),
            Argument::Binding(name, inner) => match &**inner {
                Argument::Value(value) => Ok(self.parameter(name, value)),
                inner => self.value(of, inner),
            },
            Argument::List(entries) | Argument::Set(entries) => {
                let entries = entries.iter().map(|entry| self.value(of, entry));
                Ok(Expr::List(entries.collect::<Result<_>>()?))
            }
            Argument::Map(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| {
                    Ok(Expr::List(vec![self.value(of, key)?, self.value(of, value)?]))
                });
                let pairs = Expr::List(pairs.collect::<Result<_>>()?);
                Ok(Expr::call(Function::MapOfPairs, vec![pairs]))
            }
            Argument::Vertex(id) | Argument::Edge(id) => Ok(Expr::Literal(id.clone())),
            Argument::Geoshape(geoshape) => janusgraph::value(of, geoshape),
            other => Err(wrong(of, format!("takes a value, not {}", described(other)))),
        }
    }

    /// Arguments that are values; one list stands for its entries.
    pub(crate) fn values(&mut self, of: &Instruction, arguments: &[Argument]) -> Result<Vec<Expr>> {
        let mut values = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Value(Value::List(entries) | Value::Set(entries)) => {
                    values.extend(entries.iter().cloned().map(Expr::Literal));
                }
                Argument::List(entries) | Argument::Set(entries) => {
                    for entry in entries {
                        values.push(self.value(of, entry)?);
                    }
                }
                argument => values.push(self.value(of, argument)?),
            }
        }
        Ok(values)
    }
}

/// The constant of a family, if the argument is one.
pub(crate) fn symbol(argument: &Argument, family: SymbolFamily) -> Option<&str> {
    match argument {
        Argument::Symbol(Symbol { family: own, name }) if *own == family => Some(name),
        Argument::Binding(_, inner) => symbol(inner, family),
        _ => None,
    }
}

/// Whether the scope is local, and the other arguments.
pub(crate) fn scope(arguments: &[Argument]) -> (bool, &[Argument]) {
    match arguments {
        [first, rest @ ..] if symbol(first, SymbolFamily::Scope).is_some() => {
            (symbol(first, SymbolFamily::Scope) == Some("local"), rest)
        }
        all => (false, all),
    }
}

/// An argument that is a whole number.
pub(crate) fn integer(of: &Instruction, argument: &Argument) -> Result<i64> {
    match argument {
        Argument::Value(value) => value.as_int().ok_or_else(|| wrong(of, "takes whole numbers")),
        Argument::Binding(_, inner) => integer(of, inner),
        _ => Err(wrong(of, "takes whole numbers")),
    }
}

/// An argument that is a text or null.
pub(crate) fn text_or_null(of: &Instruction, argument: &Argument) -> Result<Value> {
    match argument {
        Argument::Value(value @ (Value::String(_) | Value::Null)) => Ok(value.clone()),
        Argument::Binding(_, inner) => text_or_null(of, inner),
        other => Err(wrong(of, format!("takes a text, not {}", described(other)))),
    }
}

/// An argument in words.
pub(crate) fn described(argument: &Argument) -> String {
    match argument {
        Argument::Value(value) => format!("a {}", value.type_name()),
        Argument::List(_) | Argument::Set(_) | Argument::Map(_) => "a collection".into(),
        Argument::Bytecode(_) => "a traversal".into(),
        Argument::Predicate(predicate) => format!("the predicate {}", predicate.name),
        Argument::Symbol(symbol) => format!("{}.{}", symbol.family.name(), symbol.name),
        Argument::Type(name) => format!("the type {name}"),
        Argument::Geoshape(geoshape) => format!("a {}", geoshape.kind.name()),
        Argument::Strategy(strategy) => format!("the strategy {}", strategy.name),
        Argument::Lambda(_) => "a lambda".into(),
        Argument::Binding(name, _) => format!("the variable {name}"),
        Argument::Vertex(_) => "a vertex".into(),
        Argument::Edge(_) => "an edge".into(),
    }
}

/// The initial value of a side effect or a sack.
#[derive(Clone)]
pub(crate) struct SourceValue {
    /// The argument as it was written.
    pub(crate) said: Argument,
    /// The same as an expression.
    pub(crate) value: Expr,
}

impl SourceValue {
    /// Whether it is a list.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self.said, Argument::Value(Value::List(_)) | Argument::List(_))
    }

    /// Whether it is a set.
    pub(crate) fn is_set(&self) -> bool {
        matches!(self.said, Argument::Value(Value::Set(_)) | Argument::Set(_))
    }
}

/// The reduction by an operator, which combines two values.
pub(crate) fn reduction(of: &Instruction, operator: &Argument) -> Result<Reduction> {
    Ok(match symbol(operator, SymbolFamily::Operator) {
        Some("addAll") => Reduction::Join,
        Some("and") => Reduction::And,
        Some("assign") => Reduction::Last,
        Some("div") => Reduction::Quotient,
        Some("max") => Reduction::Max,
        Some("min") => Reduction::Min,
        Some("minus") => Reduction::Minus,
        Some("mult") => Reduction::Product,
        Some("or") => Reduction::Or,
        Some("sum" | "sumLong") => Reduction::Sum,
        _ => {
            let error = wrong(of, format!("with {} is not supported", described(operator)));
            return Err(Error { kind: ErrorKind::Unsupported, ..error });
        }
    })
}

/// Whether a vertex or an edge is in a value.
pub(crate) fn has_element(value: &Value) -> bool {
    match value {
        Value::Vertex(_)
        | Value::Edge(_)
        | Value::VertexProperty(_)
        | Value::Property(_)
        | Value::Tree(_)
        | Value::Subgraph(_) => true,
        Value::List(values) | Value::Set(values) => values.iter().any(has_element),
        Value::Path(path) => path.objects().iter().any(has_element),
        Value::Map(pairs) => pairs.iter().any(|(key, own)| has_element(key) || has_element(own)),
        Value::MapEntry(entry) => has_element(&entry.0) || has_element(&entry.1),
        _ => false,
    }
}
