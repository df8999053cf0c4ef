//! `math(formula)`: a double by a formula of the current object (`_`) and of named values.
//!
//! Each variable, in order of its first appearance, is looked at by the next `by` in turn.

mod formula;

use millrace_model::{Result, Value};
use millrace_plan::functions::{Division, Elementary, Overflow, Wanted};
use millrace_plan::{Arithmetic, Expr, Function, Name};

use super::texts::require;
use crate::steps::{Fact, Step};
use crate::translate::{By, Call, Kind, Traversal, text_or_null};
use formula::{Formula, Known, Operator, read};

pub(super) const STEP: Step =
    Step::new("math", translate).arguments(1, 1).modulators(&["by"]).facts(&[Fact::AsksTraverser]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let Value::String(text) = text_or_null(call.instruction, &call.arguments()[0])? else {
        return Err(call.wrong("takes a formula that is not null"));
    };
    let (formula, variables) = read(&text).map_err(|detail| call.wrong(detail))?;
    let bys = By::all(&call.modulators)?;
    let mut turns = bys.iter().cycle();
    let mut values = Vec::with_capacity(variables.len());
    for name in variables {
        let object = match name {
            "_" => at,
            name => super::select::tag(traversal, call, &Name::from(name))?,
        };
        let found = traversal.by_column(turns.next().unwrap_or(&By::Identity), object)?;
        traversal.keep_present(found.column);
        let number =
            require(Wanted::Number, Expr::Column(found.column), None, "math() takes numbers");
        let double = Function::AsNumber(millrace_plan::functions::NumberType::Double);
        values.push(traversal.project(name, Expr::call(double, vec![number])));
    }
    let values: Vec<Expr> = values.into_iter().map(Expr::Column).collect();
    traversal.moved_to("math", expression(&formula, &values), Kind::Scalar);
    Ok(())
}

fn expression(formula: &Formula, variables: &[Expr]) -> Expr {
    match formula {
        Formula::Number(number) => Expr::literal(*number),
        Formula::Variable(place) => variables[*place].clone(),
        Formula::Negated(inner) => {
            let arguments = vec![Expr::literal(-1.0), expression(inner, variables)];
            Expr::call(Function::Multiply(Overflow::Double), arguments)
        }
        Formula::Applied(known, inner) => applied(*known, expression(inner, variables)),
        Formula::Combined(operator, sides) => {
            let [left, right] = &**sides;
            let sides = [left, right].map(|side| expression(side, variables));
            combined(*operator, sides)
        }
    }
}

fn combined(operator: Operator, [left, right]: [Expr; 2]) -> Expr {
    let function = match operator {
        Operator::Add => Function::Add(Overflow::Double),
        Operator::Subtract => Function::Subtract(Overflow::Double),
        Operator::Multiply => Function::Multiply(Overflow::Double),
        Operator::Divide => Function::Divide(Division::Checked),
        Operator::Power => Function::Power,
        Operator::Remainder => {
            let (left, right) = (Box::new(left), Box::new(right));
            return Expr::Arithmetic { operation: Arithmetic::Remainder, left, right };
        }
    };
    Expr::call(function, vec![left, right])
}

fn applied(known: Known, inner: Expr) -> Expr {
    let function = match known {
        Known::Abs => Function::Abs(Overflow::Double),
        Known::Acos => Function::Elementary(Elementary::Acos),
        Known::Asin => Function::Elementary(Elementary::Asin),
        Known::Atan => Function::Elementary(Elementary::Atan),
        Known::Cbrt => Function::Elementary(Elementary::CubeRoot),
        Known::Ceil => Function::Ceil,
        Known::Cos => Function::Elementary(Elementary::Cos),
        Known::Cosh => Function::Elementary(Elementary::Cosh),
        Known::Exp => Function::Exp,
        Known::Floor => Function::Floor,
        Known::Log => Function::Ln,
        Known::Log10 => Function::Elementary(Elementary::Log10),
        Known::Log2 => Function::Elementary(Elementary::Log2),
        Known::Signum => {
            let sign = Expr::call(Function::Sign, vec![inner]);
            let arguments = vec![sign, Expr::literal(1.0)];
            return Expr::call(Function::Multiply(Overflow::Double), arguments);
        }
        Known::Sin => Function::Elementary(Elementary::Sin),
        Known::Sinh => Function::Elementary(Elementary::Sinh),
        Known::Sqrt => Function::Sqrt,
        Known::Tan => Function::Elementary(Elementary::Tan),
        Known::Tanh => Function::Elementary(Elementary::Tanh),
    };
    Expr::call(function, vec![inner])
}
