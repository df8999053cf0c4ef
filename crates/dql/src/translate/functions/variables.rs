//! Comparisons with values of variables: `ge(val(x), 5)`, `eq(name, val(x))`, `eq(len(x), 0)`.

use millrace_model::{Result, Value};
use millrace_plan::{ColumnId, Comparison, Expr, JoinKind, op};

use super::{only_value, subject};
use crate::schema::Kind;
use crate::translate::pages::Comes;
use crate::translate::translator::Translator;
use crate::translate::variables::Values;
use crate::tree::{Argument, Function, Name, Predicate, Subject};

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
    let (value, _) = translator.value_at(None, Some(node), &name.text, name.offset)?;
    if let Subject::Variable(_) = &function.subject {
        let operand = operand(translator, function)?;
        return Ok(Expr::compare(compared, value, operand));
    }
    let predicate = subject(translator, function)?;
    let Some(named) = translator.named(predicate) else { return Ok(Expr::literal(false)) };
    Ok(translator.some_value(node, &named, |own| Expr::compare(compared, own, value.clone())))
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
    if let Subject::Predicate(predicate) = &function.subject {
        return equal_nodes(translator, (compared, predicate), name);
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

/// The nodes with a value that the variable has for some node.
fn equal_nodes(
    translator: &mut Translator<'_>,
    (compared, predicate): (Comparison, &Predicate),
    name: &Name,
) -> Result<(ColumnId, Comes)> {
    let node = translator.builder.scan(None, "node");
    let Values::Nodes(own) = translator.values_of(&name.text, name.offset)? else {
        translator.builder.filter(Expr::literal(false));
        return Ok((node, Comes::InOrder));
    };
    let Some(named) = translator.named(predicate) else {
        translator.builder.filter(Expr::literal(false));
        return Ok((node, Comes::InOrder));
    };
    if compared != Comparison::Equal {
        // As in Dgraph, which compares with the value of a node and has none at a root.
        translator.builder.filter(Expr::literal(false));
        return Ok((node, Comes::InOrder));
    }
    let value = translator.value(node, &named);
    let own_value = translator.builder.project(&predicate.name, value);
    let wanted = translator.builder.column(&name.text);
    translator.builder.begin_pipeline();
    translator.builder.push(op::LetRef { name: own.name, columns: vec![(own.value, wanted)] });
    let right = translator.builder.end_pipeline();
    translator.builder.push(op::Join {
        right,
        kind: JoinKind::Semi,
        on: vec![(own_value, wanted)],
    });
    Ok((node, Comes::InOrder))
}
