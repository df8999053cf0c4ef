//! Expressions of `math(…)`, by the precedence of their operators.

use super::lists::in_parentheses;
use crate::text::{Cursor, Described, Read, described, has_word, number, parameter};
use crate::tree::{Math, MathKind, MathOperator, Offset};

/// The functions, by name.
#[rustfmt::skip]
pub(crate) const MATH_FUNCTIONS: [Described; 12] = [
    described("ceil", "ceil(a)", "The least whole number that is not less."),
    described("cond", "cond(a > 5, b, 0)", "The second where the first holds, else the third."),
    described("dot", "dot(v, w)", "The dot product of two vectors; also written `v dot w`."),
    described("exp", "exp(a)", "The exponential function."),
    described("floor", "floor(a)", "The greatest whole number that is not greater."),
    described("ln", "ln(a)", "The natural logarithm."),
    described("logbase", "logbase(a, 2)", "The logarithm to a base."),
    described("max", "max(a, b)", "The greater of two."),
    described("min", "min(a, b)", "The lesser of two."),
    described("pow", "pow(a, 2)", "A power."),
    described("since", "since(born)", "Seconds from a date to now."),
    described("sqrt", "sqrt(a)", "The square root."),
];

/// The expression in the parentheses behind `math`.
pub(super) fn math(cursor: &mut Cursor<'_>) -> Read<Math> {
    cursor.begin_math();
    cursor.must_take('(', "behind math")?;
    if cursor.is(')') {
        let at = cursor.here();
        return Err(cursor.error(at, "math() is empty"));
    }
    let found = expression(cursor)?;
    cursor.must_take(')', "or an operator in math")?;
    Ok(found)
}

fn expression(cursor: &mut Cursor<'_>) -> Read<Math> {
    cursor.deeper(|cursor| operands(cursor, 0))
}

/// Operands with operators that bind closer than some precedence.
fn operands(cursor: &mut Cursor<'_>, above: usize) -> Read<Math> {
    let mut left = operand(cursor)?;
    while let Some((offset, operator)) =
        next_operator(cursor).filter(|next| next.1.precedence() > above)
    {
        cursor.count_operator()?;
        cursor.advance(operator.sign().len());
        let right = cursor.deeper(|cursor| operands(cursor, operator.precedence()))?;
        let kind = MathKind::Binary(operator, Box::new(left), Box::new(right));
        left = Math { offset, kind };
    }
    Ok(left)
}

/// The operator that comes next; of two that begin alike the longer one.
fn next_operator(cursor: &mut Cursor<'_>) -> Option<(Offset, MathOperator)> {
    let offset = cursor.here();
    let rest = cursor.rest();
    let is_word = cursor.is_word(MathOperator::Dot.sign());
    let is_next = |operator: &MathOperator| {
        if *operator == MathOperator::Dot { is_word } else { rest.starts_with(operator.sign()) }
    };
    let found = MathOperator::ALL.into_iter().filter(is_next);
    found.max_by_key(|operator| operator.sign().len()).map(|operator| (offset, operator))
}

fn operand(cursor: &mut Cursor<'_>) -> Read<Math> {
    cursor.count_node()?;
    let offset = cursor.here();
    let kind = match cursor.next_character() {
        Some('-') => {
            cursor.count_operator()?;
            cursor.take('-');
            MathKind::Negative(Box::new(cursor.deeper(operand)?))
        }
        Some('(') => {
            cursor.take('(');
            let found = expression(cursor)?;
            cursor.must_take(')', "or an operator in parentheses of math")?;
            return Ok(found);
        }
        Some('$') => MathKind::Parameter(parameter(cursor)?.text),
        Some(first) if first.is_ascii_digit() || first == '.' => MathKind::Number(number(cursor)?),
        Some(first) if first.is_alphabetic() || first == '_' => named(cursor, offset)?,
        _ => return Err(cursor.unexpected("a number, a variable or a function of math")),
    };
    Ok(Math { offset, kind })
}

/// A variable or a function. A hyphen is no part of its name here.
fn named(cursor: &mut Cursor<'_>, offset: Offset) -> Read<MathKind> {
    let word =
        cursor.take_while(|letter| letter.is_alphanumeric() || letter == '_' || letter == '.');
    if !cursor.is('(') {
        return Ok(MathKind::Variable(word.to_owned()));
    }
    let function = word.to_lowercase();
    if !has_word(&MATH_FUNCTIONS, &function) {
        return Err(cursor.error(offset, format!("math has no function `{word}`")));
    }
    let arguments = in_parentheses(cursor, &format!("of {function}"), expression)?;
    Ok(MathKind::Call(function, arguments))
}
