//! Operators.

use millrace_model::Result;
use millrace_plan::{Arithmetic, Comparison, Expr, Function};

use super::{list_of, value_of};
use crate::primitives;
use crate::scope::type_of;
use crate::translate::Translator;
use crate::tree::{self, Binary, ExprKind, Literal, Unary};
use crate::types::Type;

impl Translator<'_> {
    pub(super) fn unary(&mut self, operator: Unary, operand: &tree::Expr) -> Result<Expr> {
        match operator {
            Unary::Not => Ok(self.expr(operand)?.negate()),
            Unary::Minus => {
                if let ExprKind::Literal(Literal::Float(number)) = operand.kind {
                    return Ok(Expr::literal(-number));
                }
                Ok(primitives::negative(value_of(self, operand)?))
            }
            Unary::Plus => value_of(self, operand),
        }
    }

    pub(super) fn binary(
        &mut self,
        operator: Binary,
        left: &tree::Expr,
        right: &tree::Expr,
    ) -> Result<Expr> {
        // AND and OR of several operands are one node, however deep the tree is.
        if let Binary::And | Binary::Or = operator {
            let mut operands = Vec::new();
            self.operands(operator, left, &mut operands)?;
            self.operands(operator, right, &mut operands)?;
            return Ok(if operator == Binary::And {
                Expr::And(operands)
            } else {
                Expr::Or(operands)
            });
        }
        if operator == Binary::In {
            let item = self.expr(left)?;
            return Ok(primitives::in_list(item, list_of(self, right)?));
        }
        if operator == Binary::Xor {
            let truths = [left, right].map(|own| type_of(own, self.symbols) == Type::Boolean);
            let (left, right) = (self.expr(left)?, self.expr(right)?);
            return Ok(primitives::xor(left, right, truths == [true, true]));
        }
        // An operator takes an absent property for null, and an index finds a bare one.
        let (left, right) = (self.expr(left)?, self.expr(right)?);
        Ok(self.combine(operator, left, right))
    }

    fn operands(&mut self, operator: Binary, expr: &tree::Expr, to: &mut Vec<Expr>) -> Result<()> {
        match &expr.kind {
            ExprKind::Binary(own, left, right) if *own == operator => {
                self.operands(operator, left, to)?;
                self.operands(operator, right, to)
            }
            _ => {
                to.push(self.expr(expr)?);
                Ok(())
            }
        }
    }

    /// `a < b <= c`: each with the next.
    pub(super) fn comparisons(
        &mut self,
        first: &tree::Expr,
        rest: &[(Binary, tree::Expr)],
    ) -> Result<Expr> {
        let mut left = self.expr(first)?;
        let mut tests = Vec::new();
        for (operator, right) in rest {
            let right = self.expr(right)?;
            tests.push(self.combine(*operator, left, right.clone()));
            left = right;
        }
        Ok(Expr::And(tests))
    }

    fn combine(&self, operator: Binary, left: Expr, right: Expr) -> Expr {
        let compare = |comparison, left, right| Expr::compare(comparison, left, right);
        let call = |function, left, right| Expr::call(function, vec![left, right]);
        match operator {
            Binary::Or => Expr::Or(vec![left, right]),
            Binary::And => Expr::And(vec![left, right]),
            Binary::Xor => primitives::xor(left, right, false),
            Binary::Equal => compare(Comparison::Equal, left, right),
            Binary::NotEqual => compare(Comparison::NotEqual, left, right),
            Binary::Less => compare(Comparison::Less, left, right),
            Binary::LessOrEqual => compare(Comparison::LessEqual, left, right),
            Binary::Greater => compare(Comparison::Greater, left, right),
            Binary::GreaterOrEqual => compare(Comparison::GreaterEqual, left, right),
            Binary::Matches => primitives::matches(left, right),
            Binary::StartsWith => call(Function::StartsWith, left, right),
            Binary::EndsWith => call(Function::EndsWith, left, right),
            Binary::Contains => call(Function::Contains, left, right),
            Binary::In => primitives::in_list(left, right),
            Binary::Plus => primitives::operate(Arithmetic::Add, left, right),
            Binary::Minus => primitives::operate(Arithmetic::Subtract, left, right),
            Binary::Times => primitives::operate(Arithmetic::Multiply, left, right),
            Binary::Divide => primitives::operate(Arithmetic::Divide, left, right),
            Binary::Modulo => primitives::operate(Arithmetic::Remainder, left, right),
            Binary::Power => primitives::power(left, right),
            Binary::Concatenate => primitives::operate(Arithmetic::Add, left, right),
        }
    }
}
