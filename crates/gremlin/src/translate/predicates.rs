//! Predicates as expressions.
//!
//! A comparison of incomparable values is false, and stays false behind a `not` only where Gremlin says so: the
//! three values are those of the plan.

use millrace_bytecode::{Argument, Instruction, Predicate, Symbol, SymbolFamily, is_of_janusgraph};
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_plan::{Comparison, Expr, Function, SetName};

use super::calls::wrong;
use super::janusgraph;
use super::traversal::Traversal;
use super::types;
use super::values::described;

impl Traversal<'_> {
    /// Whether a value passes an argument: a predicate, or a value it must equal.
    pub(crate) fn passes(
        &mut self,
        of: &Instruction,
        value: Expr,
        test: &Argument,
    ) -> Result<Expr> {
        match test {
            Argument::Predicate(predicate) => {
                self.test(of, value, predicate, &mut Traversal::plain)
            }
            Argument::Binding(_, inner) if matches!(**inner, Argument::Predicate(_)) => {
                self.passes(of, value, inner)
            }
            other => {
                let other = self.value(of, other)?;
                Ok(Expr::compare(Comparison::Equal, value, other))
            }
        }
    }

    /// Whether a value passes a predicate with tags and side effects as arguments.
    pub(crate) fn passes_named(
        &mut self,
        of: &Instruction,
        value: Expr,
        predicate: &Predicate,
        tagged: &mut dyn FnMut(&mut Traversal<'_>, &str) -> Result<Option<Expr>>,
    ) -> Result<Expr> {
        let mut read = |traversal: &mut Traversal<'_>, of: &Instruction, argument: &Argument| {
            let Argument::Value(Value::String(name)) = argument else {
                return Err(wrong(of, "compares with tags, by their names"));
            };
            match tagged(traversal, name)? {
                Some(expr) => Ok(expr),
                None => Err(wrong(of, format!("knows no tag or side effect '{name}'"))),
            }
        };
        self.test(of, value, predicate, &mut read)
    }

    fn plain(&mut self, of: &Instruction, argument: &Argument) -> Result<Expr> {
        match argument {
            Argument::Symbol(Symbol { family: SymbolFamily::Type, name }) => types::words(of, name),
            Argument::Type(name) => types::words(of, name),
            Argument::Bytecode(_) => Err(Error {
                kind: ErrorKind::Unsupported,
                ..wrong(of, "has a predicate with a traversal inside, which is not supported")
            }),
            other => self.value(of, other),
        }
    }

    fn test(
        &mut self,
        of: &Instruction,
        value: Expr,
        predicate: &Predicate,
        read: &mut dyn FnMut(&mut Self, &Instruction, &Argument) -> Result<Expr>,
    ) -> Result<Expr> {
        let name = &*predicate.name;
        let arguments = &predicate.arguments;
        match name {
            "and" | "or" | "not" => {
                let inner = arguments.iter().map(|argument| match argument {
                    Argument::Predicate(inner) => self.test(of, value.clone(), inner, read),
                    other => Err(wrong(of, format!("joins predicates, not {}", described(other)))),
                });
                let mut inner: Vec<Expr> = inner.collect::<Result<_>>()?;
                return Ok(match (name, inner.len()) {
                    ("and", _) => Expr::And(inner),
                    ("or", _) => Expr::Or(inner),
                    (_, 1) => inner.remove(0).negate(),
                    _ => return Err(wrong(of, "has a not() of other than one predicate")),
                });
            }
            _ => {}
        }
        let mut operands = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match argument {
                Argument::Geoshape(geoshape) if is_of_janusgraph(name) => {
                    operands.extend(janusgraph::operands(of, geoshape)?);
                }
                _ => operands.push(read(self, of, argument)?),
            }
        }
        if is_of_janusgraph(name) {
            return janusgraph::test(of, name, value, arguments, operands);
        }
        if name == "typeOf" {
            return types::is_of(of, value, &operands);
        }
        if let "within" | "without" = name {
            let inside = within(value, operands);
            return Ok(if name == "within" { inside } else { inside.negate() });
        }
        plain_test(of, name, &value, &operands)
    }

    /// Whether a value is among the objects of a side effect.
    pub(crate) fn in_side_effect(&self, value: Expr, name: &str) -> Expr {
        Expr::InSet { item: Box::new(value), set: SetName::SideEffect(name.into()) }
    }
}

/// A side effect as an operand stands for its entries, anything else for itself.
fn within(value: Expr, operands: Vec<Expr>) -> Expr {
    if operands.is_empty() {
        // Not a constant: an absent value passes neither this nor its opposite.
        let other = Expr::compare(Comparison::NotEqual, value.clone(), value.clone());
        return Expr::And(vec![other, Expr::compare(Comparison::Equal, value.clone(), value)]);
    }
    let list = match operands.as_slice() {
        [Expr::List(_) | Expr::Call { .. }] => operands.into_iter().next(),
        _ => Some(Expr::List(operands)),
    };
    let list = list.unwrap_or_else(|| Expr::List(Vec::new()));
    Expr::InList { item: Box::new(value), list: Box::new(list) }
}

fn plain_test(of: &Instruction, name: &str, value: &Expr, operands: &[Expr]) -> Result<Expr> {
    use Comparison as C;
    let compare =
        |comparison, operand: &Expr| Expr::compare(comparison, value.clone(), operand.clone());
    let one = match name {
        "eq" => Some(C::Equal),
        "neq" => Some(C::NotEqual),
        "lt" => Some(C::Less),
        "lte" => Some(C::LessEqual),
        "gt" => Some(C::Greater),
        "gte" => Some(C::GreaterEqual),
        _ => None,
    };
    match (one, name, operands) {
        (Some(comparison), _, [operand]) => Ok(compare(comparison, operand)),
        (_, "inside", [low, high]) => {
            Ok(Expr::And(vec![compare(C::Greater, low), compare(C::Less, high)]))
        }
        (_, "outside", [low, high]) => {
            Ok(Expr::Or(vec![compare(C::Less, low), compare(C::Greater, high)]))
        }
        (_, "between", [low, high]) => {
            Ok(Expr::And(vec![compare(C::GreaterEqual, low), compare(C::Less, high)]))
        }
        (_, _, [text]) => match text_test(name) {
            Some((function, holds)) => {
                let test = Expr::call(function, vec![value.clone(), text.clone()]);
                Ok(if holds { test } else { test.negate() })
            }
            None => Err(refused(of, name)),
        },
        _ => Err(refused(of, name)),
    }
}

fn text_test(name: &str) -> Option<(Function, bool)> {
    Some(match name {
        "startingWith" => (Function::StartsWith, true),
        "notStartingWith" => (Function::StartsWith, false),
        "endingWith" => (Function::EndsWith, true),
        "notEndingWith" => (Function::EndsWith, false),
        "containing" => (Function::Contains, true),
        "notContaining" => (Function::Contains, false),
        "regex" => (Function::Matches, true),
        "notRegex" => (Function::Matches, false),
        _ => return None,
    })
}

fn refused(of: &Instruction, name: &str) -> Error {
    let detail = format!("has the predicate {name}, which is not supported in this form");
    Error { kind: ErrorKind::Unsupported, ..wrong(of, detail) }
}
