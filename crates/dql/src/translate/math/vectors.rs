//! `math(…)` over vectors: which expressions give one, and what operators do with it.
//!
//! Types are known before a query runs: a variable of a predicate of type `float32vector`, and a variable of the query of
//! that type, has vectors, and so has what is computed of them. What an operator cannot do leaves the value out, as in
//! Dgraph.

use millrace_model::{Result, Value};
use millrace_plan::Expr;
use millrace_plan::functions::{Function, VectorOperation};

use crate::schema::Kind;
use crate::translate::translator::Translator;
use crate::tree::{Math, MathKind, MathOperator};

impl Translator<'_> {
    /// Whether an expression gives vectors.
    pub(in crate::translate) fn is_vector(&self, math: &Math) -> bool {
        match &math.kind {
            MathKind::Number(_) => false,
            MathKind::Variable(name) => self.kind_of(name) == Some(Kind::Vector),
            MathKind::Parameter(name) => self.operands.declared_kind(name) == Some(Kind::Vector),
            MathKind::Negative(inner) => self.is_vector(inner),
            MathKind::Binary(operator, left, right) => {
                operation(*operator).is_some_and(|own| own != VectorOperation::Dot)
                    && (self.is_vector(left) || self.is_vector(right))
            }
            MathKind::Call(name, arguments) => match (name.as_str(), arguments.as_slice()) {
                ("cond", [_, then, otherwise]) => self.is_vector(then) || self.is_vector(otherwise),
                _ => false,
            },
        }
    }

    /// The result of an operator of which one operand is a vector, and of `dot`; none: it is one of numbers.
    pub(in crate::translate) fn vector_result(
        &self,
        math: &Math,
        operator: MathOperator,
        (left, right): (&Math, &Math),
        operands: [Expr; 2],
    ) -> Result<Option<Expr>> {
        let is_of_vectors = self.is_vector(left) || self.is_vector(right);
        if !is_of_vectors && operator != MathOperator::Dot {
            return Ok(None);
        }
        let Some(operation) = operation(operator) else {
            return Ok(Some(Expr::Literal(Value::Null)));
        };
        if operation == VectorOperation::Divide && is_zero(&operands[1]) {
            return Err(self.wrong(math.offset, "Division by zero"));
        }
        Ok(Some(Expr::call(Function::OfVectors(operation), operands.into())))
    }

    /// The opposite of a vector; none: it is none.
    pub(in crate::translate) fn opposite(&self, of: &Math, expr: &Expr) -> Option<Expr> {
        let by = Expr::literal(-1_i64);
        let multiply = Function::OfVectors(VectorOperation::Multiply);
        self.is_vector(of).then(|| Expr::call(multiply, vec![expr.clone(), by]))
    }

    /// Whether a function has no result, as an argument of it is a vector.
    pub(in crate::translate) fn is_without_result(&self, name: &str, arguments: &[Math]) -> bool {
        let of_numbers = if name == "cond" { arguments.get(..1) } else { Some(arguments) };
        name != "dot" && of_numbers.unwrap_or_default().iter().any(|own| self.is_vector(own))
    }
}

/// The operation of an operator; none: there is none of vectors.
fn operation(operator: MathOperator) -> Option<VectorOperation> {
    Some(match operator {
        MathOperator::Add => VectorOperation::Add,
        MathOperator::Subtract => VectorOperation::Subtract,
        MathOperator::Multiply => VectorOperation::Multiply,
        MathOperator::Divide => VectorOperation::Divide,
        MathOperator::Dot => VectorOperation::Dot,
        MathOperator::Modulo
        | MathOperator::Less
        | MathOperator::Greater
        | MathOperator::LessOrEqual
        | MathOperator::GreaterOrEqual
        | MathOperator::Equal
        | MathOperator::NotEqual => return None,
    })
}

fn is_zero(expr: &Expr) -> bool {
    let Expr::Literal(value) = expr else { return false };
    matches!(value, Value::I64(0)) || matches!(value, Value::F64(number) if *number == 0.0)
}
