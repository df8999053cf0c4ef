//! Expressions of `math(…)` over value variables.

use super::Offset;

/// An expression and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Math {
    /// Where it begins; for an operator, where its sign stands.
    pub offset: Offset,
    /// The expression itself.
    pub kind: MathKind,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MathKind {
    /// `60`, `1.5`, `2e-3`, as it is written, without a sign.
    Number(String),
    /// `x`, a value variable.
    Variable(String),
    /// `$x`, a variable of the query, without the dollar.
    Parameter(String),
    /// `-x`.
    Negative(Box<Math>),
    /// `x + y`.
    Binary(MathOperator, Box<Math>, Box<Math>),
    /// `cond(x > 5, y, 0)`: the name in lower case, and the arguments.
    Call(String, Vec<Math>),
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MathOperator {
    /// `/`
    Divide,
    /// `*`
    Multiply,
    /// `dot`, of two vectors: `v dot w`.
    Dot,
    /// `%`
    Modulo,
    /// `-`
    Subtract,
    /// `+`
    Add,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessOrEqual,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl MathOperator {
    /// All of them, the one that binds closest first.
    pub const ALL: [MathOperator; 12] = [
        MathOperator::Divide,
        MathOperator::Multiply,
        MathOperator::Dot,
        MathOperator::Modulo,
        MathOperator::Subtract,
        MathOperator::Add,
        MathOperator::Less,
        MathOperator::Greater,
        MathOperator::LessOrEqual,
        MathOperator::GreaterOrEqual,
        MathOperator::Equal,
        MathOperator::NotEqual,
    ];

    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            MathOperator::Divide => "/",
            MathOperator::Multiply => "*",
            MathOperator::Dot => "dot",
            MathOperator::Modulo => "%",
            MathOperator::Subtract => "-",
            MathOperator::Add => "+",
            MathOperator::Less => "<",
            MathOperator::Greater => ">",
            MathOperator::LessOrEqual => "<=",
            MathOperator::GreaterOrEqual => ">=",
            MathOperator::Equal => "==",
            MathOperator::NotEqual => "!=",
        }
    }

    /// How close it binds: the higher, the closer. In Dgraph only `*` and `/` bind alike, and are read from the left:
    /// `a + b - c` is `a + (b - c)`.
    pub fn precedence(self) -> usize {
        match self {
            MathOperator::Divide | MathOperator::Multiply => 11,
            MathOperator::Dot => 10,
            MathOperator::Modulo => 9,
            MathOperator::Subtract => 8,
            MathOperator::Add => 7,
            MathOperator::Less => 6,
            MathOperator::Greater => 5,
            MathOperator::LessOrEqual => 4,
            MathOperator::GreaterOrEqual => 3,
            MathOperator::Equal => 2,
            MathOperator::NotEqual => 1,
        }
    }
}
