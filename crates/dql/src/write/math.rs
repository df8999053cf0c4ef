//! Expressions, with parentheses where an operator inside does not bind closer.

use std::fmt::{self, Display, Formatter};

use super::Joined;
use crate::tree::{Math, MathKind};

impl Display for Math {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            MathKind::Number(text) | MathKind::Variable(text) => f.write_str(text),
            MathKind::Parameter(name) => write!(f, "${name}"),
            MathKind::Negative(of) => write!(f, "-{}", Operand(of, usize::MAX)),
            MathKind::Binary(operator, left, right) => {
                let precedence = operator.precedence();
                let (left, right) = (Operand(left, precedence), Operand(right, precedence + 1));
                write!(f, "{left} {} {right}", operator.sign())
            }
            MathKind::Call(name, arguments) => write!(f, "{name}({})", Joined(arguments, ", ")),
        }
    }
}

/// An operand, and the precedence that an operator in it needs.
struct Operand<'a>(&'a Math, usize);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0.kind {
            MathKind::Binary(operator, ..) if operator.precedence() < self.1 => {
                write!(f, "({})", self.0)
            }
            MathKind::Binary(..)
            | MathKind::Number(_)
            | MathKind::Variable(_)
            | MathKind::Parameter(_)
            | MathKind::Negative(_)
            | MathKind::Call(..) => write!(f, "{}", self.0),
        }
    }
}
