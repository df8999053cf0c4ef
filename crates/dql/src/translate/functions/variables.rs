//! Comparisons with values of variables: `ge(val(x), 5)`, `eq(name, val(x))`, `eq(len(x), 0)`.
//!
//! A predicate is compared with all values of a variable, from whichever nodes they are: `eq` with each, the others with
//! the only one.

use millrace_model::{Result, Value};
use millrace_plan::functions::Function as PlanFunction;
use millrace_plan::{ColumnId, Comparison, Expr, LetId, LetRead, op};

use super::{only_value, subject};
use crate::schema::Kind;
use crate::translate::levels::Comes;
use crate::translate::predicates::Named;
use crate::translate::problems::refused_where;
use crate::translate::translator::Translator;
use crate::translate::variables::Values;
use crate::tree::{Argument, Function, Name, Subject};

/// The comparison of a function's name.
fn comparison(function: &Function) -> Option<Comparison> {
    Some(match function.name.as_str() {
        "eq" => Comparison::Equal,
        "le" => Comparison::LessEqual,
        "lt" => Comparison::Less,
        "ge" => Comparison::GreaterEqual,
        "gt" => Comparison::Greater,
        _ => return None,
    })
}

/// The variable whose values a function compares, if that is what it does.
fn variable(function: &Function) -> Option<&Name> {
    match (&function.subject, function.arguments.as_slice()) {
        (Subject::Variable(name), _) => Some(name),
        (Subject::Predicate(_), [Argument::ValueOf(name)]) => Some(name),
        _ => None,
    }
}

/// Whether a comparison holds of a node; none: it is not one with a variable.
pub(super) fn test(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Option<Result<Expr>> {
    let compared = comparison(function)?;
    if let Subject::Length(_) = &function.subject {
        return Some(translator.compared_length(function));
    }
    let name = variable(function)?;
    Some(holds(translator, node, (function, compared), name))
}

fn holds(
    translator: &mut Translator<'_>,
    node: ColumnId,
    (function, compared): (&Function, Comparison),
    name: &Name,
) -> Result<Expr> {
    if let Subject::Variable(_) = &function.subject {
        let (value, _) = translator.value_at(None, Some(node), &name.text, name.offset)?;
        let operand = operand(translator, function)?;
        return Ok(Expr::compare(compared, value, operand));
    }
    let predicate = subject(translator, function)?;
    let Some(named) = translator.named(predicate) else { return Ok(Expr::literal(false)) };
    if compared != Comparison::Equal {
        let value = only_value_of(translator, (&function.name, name), &named)?;
        return Ok(
            translator.some_value(node, &named, |own| Expr::compare(compared, own, value.clone()))
        );
    }
    let wanted = values_of(translator, name, &named)?;
    let list = Expr::Let { name: wanted, read: LetRead::All };
    Ok(translator.some_value(node, &named, |own| Expr::InList {
        item: Box::new(own),
        list: Box::new(list.clone()),
    }))
}

/// The values of a variable as those of a predicate, each once, in a `Let`.
fn values_of(translator: &mut Translator<'_>, name: &Name, named: &Named<'_>) -> Result<LetId> {
    let own = translator.values_of(&name.text, name.offset)?;
    translator.builder.begin_pipeline();
    let mut value = translator.builder.column(&name.text);
    let (from, columns) = match own {
        Values::Nodes(own) => (own.name, vec![(own.value, value)]),
        Values::Scalar(scalar) => (scalar, Vec::new()),
    };
    translator.builder.push(op::LetRef { name: from, columns });
    if let Values::Scalar(scalar) = own {
        let one = Expr::Let { name: scalar, read: LetRead::First };
        value = translator.builder.project(&name.text, one);
    }
    translator.builder.push(op::Dedup { columns: vec![value] });
    let kind = named.known.kind;
    // Numbers are compared as such, whatever their types; other values as ones of the predicate's.
    let is_number = |kind: Kind| matches!(kind, Kind::Int | Kind::Float | Kind::BigFloat);
    let is_comparable = match translator.kind_of(&name.text) {
        Some(own) => {
            own == kind || is_number(own) && is_number(kind) || own.is_text() && kind.is_text()
        }
        None => is_number(kind),
    };
    if !is_comparable {
        value = translator.typed(value, kind.word(), &named.tree.name);
    }
    let pipeline = translator.builder.end_pipeline();
    Ok(translator.builder.bind_pipeline(&name.text, pipeline, vec![value]))
}

/// The only value of a variable, as one of a predicate; that it has several fails the run.
pub(super) fn only_value_of(
    translator: &mut Translator<'_>,
    (function, name): (&str, &Name),
    named: &Named<'_>,
) -> Result<Expr> {
    let values = values_of(translator, name, named)?;
    translator.builder.begin_pipeline();
    let list = Expr::Let { name: values, read: LetRead::All };
    let count = Expr::call(PlanFunction::Size, vec![list]);
    let is_several = Expr::compare(Comparison::Greater, count, Expr::literal(1_i64));
    let message = format!("{function} expects only 1 argument: {} has several values", name.text);
    translator.builder.filter(refused_where(is_several, &message));
    let only = Expr::Let { name: values, read: LetRead::First };
    let only = translator.builder.project(&name.text, only);
    let pipeline = translator.builder.end_pipeline();
    let bound = translator.builder.bind_pipeline(&name.text, pipeline, vec![only]);
    Ok(Expr::Let { name: bound, read: LetRead::First })
}

/// What the values of a variable are compared with: a number, or a text.
fn operand(translator: &mut Translator<'_>, function: &Function) -> Result<Expr> {
    let value = only_value(translator, function)?;
    let kind = match &function.subject {
        Subject::Variable(name) => translator.kind_of(&name.text),
        Subject::Absent | Subject::Predicate(_) | Subject::Count(_) | Subject::Length(_) => None,
    };
    if let Some(kind) = kind {
        let text = translator.operands.literal(value)?;
        return translator.operands.operand(value, kind).map_err(|error| {
            let detail =
                format!("Invalid argument {text}. Comparing with different type: {}", error.detail);
            millrace_model::Error { detail, ..error }
        });
    }
    let text = translator.operands.literal(value)?;
    let number =
        [Kind::Int, Kind::Float].into_iter().find_map(|kind| crate::values::read(&text, kind).ok());
    let other = || {
        crate::values::read(&text, Kind::DateTime)
            .or_else(|_| crate::values::read(&text, Kind::Bool))
    };
    let found = number.or_else(|| other().ok()).unwrap_or_else(|| Value::from(text.as_str()));
    Ok(Expr::Literal(found))
}

/// The nodes of a variable for which a comparison holds; none: it is not one with a variable.
pub(super) fn source(
    translator: &mut Translator<'_>,
    function: &Function,
) -> Option<Result<(ColumnId, Comes)>> {
    let compared = comparison(function)?;
    let name = variable(function)?;
    Some(nodes(translator, (function, compared), name))
}

fn nodes(
    translator: &mut Translator<'_>,
    (function, compared): (&Function, Comparison),
    name: &Name,
) -> Result<(ColumnId, Comes)> {
    if let Subject::Predicate(_) = &function.subject {
        let node = translator.builder.scan(None, "node");
        let holds = holds(translator, node, (function, compared), name)?;
        translator.builder.filter(holds);
        return Ok((node, Comes::InOrder));
    }
    let node = translator.builder.column("node");
    match translator.values_of(&name.text, name.offset)? {
        Values::Scalar(_) => {
            let detail = format!("the variable {} has one value, and no nodes", name.text);
            return Err(translator.wrong(name.offset, detail));
        }
        Values::Nodes(own) => {
            let value = translator.builder.column(&name.text);
            let columns = vec![(own.node, node), (own.value, value)];
            translator.builder.push(op::LetRef { name: own.name, columns });
            let operand = operand(translator, function)?;
            translator.builder.filter(Expr::compare(compared, Expr::Column(value), operand));
        }
    }
    Ok((node, Comes::InAnyOrder))
}
