//! Calls of functions: those of a row as expressions of a plan, aggregates as folds.

use millrace_model::{Error, ErrorKind, Phase, Result, TextPosition};
use millrace_plan::{Expr, Fold};

use super::value_of;
use crate::functions::{Make, named};
use crate::scope::type_of;
use crate::translate::{Translator, unsupported};
use crate::tree::{self, ExprKind, FunctionCall};

/// The fold of an aggregate, and whether its value of no rows is 0.
pub(crate) fn fold_of(translator: &mut Translator<'_>, expr: &tree::Expr) -> Result<(Fold, bool)> {
    match &expr.kind {
        ExprKind::CountAll => Ok((Fold::Count, false)),
        ExprKind::Call(call) => fold(translator, expr.at, call),
        _ => Err(misplaced_aggregate(expr)),
    }
}

/// Functions that read an element, and so not one that was deleted; whether they read nothing of a node that is gone.
const READING: [(&str, bool); 4] =
    [("keys", true), ("labels", false), ("properties", true), ("type", false)];

/// A call of a scalar function.
pub(super) fn translate(
    translator: &mut Translator<'_>,
    at: TextPosition,
    call: &FunctionCall,
) -> Result<Expr> {
    let arguments = call.arguments.iter().map(|argument| value_of(translator, argument));
    let mut arguments = arguments.collect::<Result<Vec<_>>>()?;
    if let ([of], [argument]) = (call.arguments.as_slice(), arguments.as_mut_slice())
        && let Some((_, only_edges)) = READING.iter().find(|(name, _)| *name == &*call.name)
    {
        let kind = type_of(of, translator.symbols);
        *argument = translator.living(argument.clone(), &kind, *only_edges);
    }
    match make_of(at, call)? {
        Make::Plan(function) => Ok(Expr::call(function, arguments)),
        Make::Of(make) => Ok(make(arguments)),
        Make::With(build) => build(translator, arguments),
        Make::Fold(_) | Make::FoldOrZero(_) => Err(misplaced(at, call)),
        Make::Missing => Err(missing(at, call)),
    }
}

/// A call of an aggregate; and whether its value of no rows is 0.
fn fold(
    translator: &mut Translator<'_>,
    at: TextPosition,
    call: &FunctionCall,
) -> Result<(Fold, bool)> {
    let arguments = call.arguments.iter().map(|argument| value_of(translator, argument));
    let arguments = arguments.collect::<Result<Vec<_>>>()?;
    if let ([of], [argument]) = (call.arguments.as_slice(), arguments.as_slice())
        && call.name.eq_ignore_ascii_case("count")
        && translator.is_certain(of)
    {
        // Nothing is null, so nothing has to be looked at.
        let is_element = type_of(of, translator.symbols).is_element();
        match call.distinct {
            false => return Ok((Fold::Count, false)),
            true if is_element => return Ok((Fold::CountDistinct(argument.clone()), false)),
            true => {}
        }
    }
    let (fold, or_zero) = match make_of(at, call)? {
        Make::Fold(fold) => (fold(arguments), false),
        Make::FoldOrZero(fold) => (fold(arguments), true),
        Make::Missing => return Err(missing(at, call)),
        Make::Plan(_) | Make::Of(_) | Make::With(_) => return Err(misplaced(at, call)),
    };
    Ok((if call.distinct { Fold::Distinct(Box::new(fold)) } else { fold }, or_zero))
}

fn make_of(at: TextPosition, call: &FunctionCall) -> Result<Make> {
    named(&call.name).map(|row| row.make).ok_or_else(|| missing(at, call))
}

fn missing(at: TextPosition, call: &FunctionCall) -> Error {
    let help = "SHOW FUNCTIONS lists all functions";
    unsupported(at, &format!("the function {}", call.name), help)
}

fn misplaced(at: TextPosition, call: &FunctionCall) -> Error {
    let detail = format!("{} stands where it cannot be", call.name);
    Error::new(ErrorKind::Bug, detail).in_phase(Phase::Compile).at(at)
}

/// An aggregate where `scope` lets none through.
pub(super) fn misplaced_aggregate(expr: &tree::Expr) -> Error {
    let detail = "an aggregate stands where no group is";
    Error::new(ErrorKind::Bug, detail).in_phase(Phase::Compile).at(expr.at)
}
