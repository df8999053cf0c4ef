//! `math(…)`: an expression over the values of variables.
//!
//! A node that some operand has a value for has a result, and the operands it lacks are 0. Between whole numbers the result
//! is one, also of a division. Of a text, a truth or a point in time no number is made: such a node has no result, as a node
//! with a result beyond 64 bits. Of vectors, see `vectors`.

use millrace_model::{Result, Value};
use millrace_plan::functions::{Division, Function, Overflow, VectorOperation, Wanted};
use millrace_plan::{ColumnId, Comparison, Expr};

use crate::schema::Kind;
use crate::translate::translator::Translator;
use crate::tree::{self, Math, MathKind, MathOperator, ValueKind};

/// The functions of numbers.
const FUNCTIONS_OF_NUMBERS: [&str; 7] = ["ceil", "floor", "sqrt", "ln", "exp", "pow", "logbase"];

/// An expression, and the operands that decide whether a node has a result.
struct Operand {
    expr: Expr,
    /// Columns of values of nodes; none: the same for all nodes.
    columns: Vec<ColumnId>,
    /// Whether it is 0 where all its variables lack a value.
    is_zero: bool,
}

impl Operand {
    /// The same as a part of another expression: 0 for a node for which no part of it has a value.
    fn into_part(self) -> Expr {
        if self.is_zero || self.columns.is_empty() {
            return self.expr;
        }
        let branches = vec![(some_is_there(&self.columns), self.expr)];
        Expr::Case { branches, otherwise: Some(Box::new(Expr::literal(0_i64))) }
    }
}

/// Whether one of some columns has a value.
fn some_is_there(columns: &[ColumnId]) -> Expr {
    let is_there = |column: &ColumnId| Expr::IsNull(Box::new(Expr::Column(*column))).negate();
    Expr::Or(columns.iter().map(is_there).collect())
}

/// Whether an operator makes a number of numbers.
fn makes_number(operator: MathOperator) -> bool {
    match operator {
        MathOperator::Add
        | MathOperator::Subtract
        | MathOperator::Multiply
        | MathOperator::Divide
        | MathOperator::Modulo => true,
        MathOperator::Less
        | MathOperator::Greater
        | MathOperator::LessOrEqual
        | MathOperator::GreaterOrEqual
        | MathOperator::Equal
        | MathOperator::NotEqual
        | MathOperator::Dot => false,
    }
}

/// Whether it is the number 0.
fn is_zero(math: &Math) -> bool {
    matches!(&math.kind, MathKind::Number(text) if text.parse::<f64>().is_ok_and(|own| own == 0.0))
}

impl Translator<'_> {
    /// The result for a node of a level, in its open pipeline; null where the node has none.
    pub(in crate::translate) fn math(
        &mut self,
        level: Option<usize>,
        node: Option<ColumnId>,
        math: &Math,
    ) -> Result<Expr> {
        let Operand { expr, columns, .. } = self.math_operand((level, node), math, false)?;
        if columns.is_empty() {
            return Ok(expr);
        }
        Ok(Expr::Case { branches: vec![(some_is_there(&columns), expr)], otherwise: None })
    }

    fn math_operand(
        &mut self,
        (level, node): (Option<usize>, Option<ColumnId>),
        math: &Math,
        wants_number: bool,
    ) -> Result<Operand> {
        let constant = |expr: Expr| Operand { expr, columns: Vec::new(), is_zero: false };
        match &math.kind {
            MathKind::Number(text) => {
                let number = match text.parse::<i64>() {
                    Ok(number) => Value::I64(number),
                    Err(_) => crate::values::read(text, Kind::Float)
                        .map_err(|error| self.wrong(math.offset, error.detail))?,
                };
                Ok(constant(Expr::Literal(number)))
            }
            MathKind::Parameter(name) => {
                let value =
                    tree::Value { offset: math.offset, kind: ValueKind::Parameter(name.clone()) };
                let kind = self.operands.declared_kind(name).unwrap_or(Kind::Float);
                Ok(constant(self.operands.operand(&value, kind)?))
            }
            MathKind::Variable(name) => {
                let (expr, column) = self.value_at(level, node, name, math.offset)?;
                let number = |expr: Expr| match self.kind_of(name) {
                    Some(Kind::Int | Kind::Float | Kind::BigFloat | Kind::Vector) => expr,
                    _ if !wants_number => expr,
                    _ => {
                        let is_number =
                            Expr::call(Function::IsA(Wanted::Number), vec![expr.clone()]);
                        Expr::Case { branches: vec![(is_number, expr)], otherwise: None }
                    }
                };
                let Some(column) = column else { return Ok(constant(number(expr))) };
                let is_missing = Expr::IsNull(Box::new(Expr::Column(column)));
                let branches = vec![(is_missing, Expr::literal(0_i64))];
                let otherwise = Some(Box::new(number(expr)));
                let (expr, columns) = (Expr::Case { branches, otherwise }, vec![column]);
                Ok(Operand { expr, columns, is_zero: true })
            }
            MathKind::Negative(inner) => {
                let of = inner;
                let inner = self.math_operand((level, node), of, true)?;
                if let Some(expr) = self.opposite(of, &inner.expr) {
                    return Ok(Operand { expr, ..inner });
                }
                let zero = Expr::literal(0_i64);
                let expr =
                    Expr::call(Function::Subtract(Overflow::Missing), vec![zero, inner.expr]);
                Ok(Operand { expr, ..inner })
            }
            MathKind::Binary(operator, left, right) => {
                let divides = matches!(operator, MathOperator::Divide | MathOperator::Modulo);
                if divides && is_zero(right) {
                    return Err(self.wrong(math.offset, "Division by zero."));
                }
                let (wants, of) = (makes_number(*operator), (&**left, &**right));
                let left = self.math_operand((level, node), left, wants)?;
                let right = self.math_operand((level, node), right, wants)?;
                let operands = [left.expr.clone(), right.expr.clone()];
                if let Some(expr) = self.vector_result(math, *operator, of, operands)? {
                    let columns = [left.columns, right.columns].concat();
                    return Ok(Operand { expr, columns, is_zero: true });
                }
                let by = (divides && !right.columns.is_empty()).then(|| right.expr.clone());
                let is_zero = match operator {
                    MathOperator::Add | MathOperator::Subtract => left.is_zero && right.is_zero,
                    MathOperator::Multiply => left.is_zero || right.is_zero,
                    MathOperator::Divide
                    | MathOperator::Modulo
                    | MathOperator::Less
                    | MathOperator::Greater
                    | MathOperator::LessOrEqual
                    | MathOperator::GreaterOrEqual
                    | MathOperator::Equal
                    | MathOperator::NotEqual
                    | MathOperator::Dot => false,
                };
                let columns = [left.columns.clone(), right.columns.clone()].concat();
                let operands = [left.into_part(), right.into_part()];
                let mut expr = binary(*operator, &operands);
                if let Some(by) = by {
                    let is_zero = Expr::compare(Comparison::Equal, by, Expr::literal(0_i64));
                    let none = Expr::Literal(Value::Null);
                    expr = Expr::Case {
                        branches: vec![(is_zero, none)],
                        otherwise: Some(Box::new(expr)),
                    };
                }
                Ok(Operand { expr, columns, is_zero })
            }
            MathKind::Call(name, arguments) => {
                let mut columns = Vec::new();
                let mut exprs = Vec::new();
                for argument in arguments {
                    let wants = FUNCTIONS_OF_NUMBERS.contains(&name.as_str());
                    let own = self.math_operand((level, node), argument, wants)?;
                    columns.extend(own.columns.iter().copied());
                    exprs.push(own.into_part());
                }
                let expr = match self.is_without_result(name, arguments) {
                    true => Expr::Literal(Value::Null),
                    false => self.math_call(math, name, exprs)?,
                };
                Ok(Operand { expr, columns, is_zero: false })
            }
        }
    }

    fn math_call(&mut self, math: &Math, name: &str, mut arguments: Vec<Expr>) -> Result<Expr> {
        let count = arguments.len();
        let wrong = |own: &Self, expected: usize| {
            own.wrong(math.offset, format!("{name} takes {expected} arguments and has {count}"))
        };
        let unary = match name {
            "ceil" => Some(Function::Ceil),
            "floor" => Some(Function::Floor),
            "sqrt" => Some(Function::Sqrt),
            "ln" => Some(Function::Ln),
            "exp" => Some(Function::Exp),
            _ => None,
        };
        if let Some(function) = unary {
            if count != 1 {
                return Err(wrong(self, 1));
            }
            let result = Expr::call(function, arguments);
            if name != "ln" {
                return Ok(result);
            }
            // The logarithm of 0 is the least number that JSON can say.
            let least = Expr::literal(f64::MIN);
            let zero = Expr::literal(f64::NEG_INFINITY);
            let is_least = Expr::compare(Comparison::Equal, result.clone(), zero);
            return Ok(Expr::Case {
                branches: vec![(is_least, least)],
                otherwise: Some(Box::new(result)),
            });
        }
        match (name, count) {
            ("since", 1) => {
                let own = arguments.remove(0);
                let now = self.operands.now();
                let millis = Expr::call(Function::MillisecondsSince, vec![now, own]);
                Ok(Expr::call(
                    Function::Divide(Division::Exact),
                    vec![millis, Expr::literal(1_000.0)],
                ))
            }
            ("dot", 2) => Ok(Expr::call(Function::OfVectors(VectorOperation::Dot), arguments)),
            ("pow", 2) => Ok(Expr::call(Function::Power, arguments)),
            ("logbase", 2) => {
                let base = arguments.remove(1);
                let of = arguments.remove(0);
                let [of, base] = [of, base].map(|own| Expr::call(Function::Ln, vec![own]));
                Ok(Expr::call(Function::Divide(Division::Exact), vec![of, base]))
            }
            ("cond", 3) => {
                let otherwise = arguments.remove(2);
                let then = arguments.remove(1);
                let condition = arguments.remove(0);
                Ok(Expr::Case {
                    branches: vec![(condition, then)],
                    otherwise: Some(Box::new(otherwise)),
                })
            }
            ("min" | "max", _) if 1 < count => {
                let comparison =
                    if name == "min" { Comparison::LessEqual } else { Comparison::GreaterEqual };
                let mut rest = arguments.into_iter();
                let first = rest.next().unwrap_or_else(|| Expr::Literal(Value::Null));
                Ok(rest.fold(first, |best, own| {
                    let holds = Expr::compare(comparison, best.clone(), own.clone());
                    Expr::Case { branches: vec![(holds, best)], otherwise: Some(Box::new(own)) }
                }))
            }
            _ => {
                let detail = format!("Unknown math function: {name} of {count} arguments");
                let error = self.wrong(math.offset, detail);
                Err(error.with_help(
                    "functions: min, max, exp, ln, sqrt, pow, logbase, floor, ceil, cond, since, dot",
                ))
            }
        }
    }
}

/// The result of an operator over numbers. A product of vectors is none of numbers.
fn binary(operator: MathOperator, operands: &[Expr; 2]) -> Expr {
    let call = |function| Expr::call(function, operands.to_vec());
    let compare = |comparison| Expr::compare(comparison, operands[0].clone(), operands[1].clone());
    match operator {
        MathOperator::Add => call(Function::Add(Overflow::Missing)),
        MathOperator::Subtract => call(Function::Subtract(Overflow::Missing)),
        MathOperator::Multiply => call(Function::Multiply(Overflow::Missing)),
        MathOperator::Divide => call(Function::Divide(Division::Whole)),
        MathOperator::Modulo => call(Function::Modulo),
        MathOperator::Dot => call(Function::OfVectors(VectorOperation::Dot)),
        MathOperator::Less => compare(Comparison::Less),
        MathOperator::Greater => compare(Comparison::Greater),
        MathOperator::LessOrEqual => compare(Comparison::LessEqual),
        MathOperator::GreaterOrEqual => compare(Comparison::GreaterEqual),
        MathOperator::Equal => compare(Comparison::Equal),
        MathOperator::NotEqual => compare(Comparison::NotEqual),
    }
}
