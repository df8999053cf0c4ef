//! `uid` and `uid_in`: nodes by their uids.

use millrace_model::Result;
use millrace_plan::{
    ApplyKind, ColumnId, ElementKind, Expr, Fold, LetId, LookupMode, SetName, UnionPick, op,
};

use super::subject;
use crate::schema::Kind;
use crate::translate::levels::Comes;
use crate::translate::translator::Translator;
use crate::tree::{Argument, Function, ValueKind};

pub(super) fn test(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    is_one_of(translator, node, &function.arguments)
}

/// Whether a node is one of some uids or in one of some variables.
fn is_one_of(
    translator: &mut Translator<'_>,
    node: ColumnId,
    arguments: &[Argument],
) -> Result<Expr> {
    let Uids { list, variables } = uids(translator, arguments)?;
    let mut tests = Vec::new();
    if let Some(list) = list {
        let item = Box::new(Expr::Id(Box::new(Expr::Column(node))));
        tests.push(Expr::InList { item, list: Box::new(list) });
    }
    for (name, _) in variables {
        let (item, set) = (Box::new(Expr::Column(node)), SetName::Let(name));
        tests.push(Expr::InSet { item, set });
    }
    Ok(match tests.len() {
        1 => tests.remove(0),
        _ => Expr::Or(tests),
    })
}

pub(super) fn source(
    translator: &mut Translator<'_>,
    function: &Function,
) -> Result<(ColumnId, Comes)> {
    let Uids { list, variables } = uids(translator, &function.arguments)?;
    if variables.is_empty() {
        let list = list.unwrap_or_else(|| Expr::List(Vec::new()));
        return Ok((translator.nodes_of(list), Comes::InAnyOrder));
    }
    let node = translator.builder.column("node");
    let count = variables.len() + usize::from(list.is_some());
    let mut branches = Vec::new();
    if let Some(ids) = list {
        translator.builder.begin_pipeline();
        let (element, mode) = (ElementKind::Vertex, LookupMode::Unchecked);
        translator.builder.push(op::LookupById { element, ids, mode, to: node });
        branches.push(translator.builder.end_pipeline());
    }
    for (name, kept) in variables {
        translator.builder.begin_pipeline();
        translator.builder.push(op::LetRef { name, columns: vec![(kept, node)] });
        branches.push(translator.builder.end_pipeline());
    }
    match count {
        1 => {
            for op in branches.into_iter().flat_map(|branch| branch.ops) {
                translator.builder.push(op);
            }
            // The nodes of a path stay in its order; others come by uid, however their block is ordered.
            let is_path = matches!(
                &function.arguments[..],
                [Argument::Variable(name)] if translator.is_path(&name.text)
            );
            Ok((node, if is_path { Comes::InOrder } else { Comes::InAnyOrder }))
        }
        _ => {
            translator.builder.push(op::Union { branches, pick: UnionPick::All });
            translator.builder.push(op::Dedup { columns: vec![node] });
            Ok((node, Comes::InAnyOrder))
        }
    }
}

/// `uid_in(friend, 0x1)`: whether an edge leads to one of some nodes.
pub(super) fn reaches(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    let predicate = subject(translator, function)?;
    if function.arguments.is_empty() {
        let detail = "uid_in function expects an argument, got none";
        return Err(translator.wrong(function.offset, detail));
    }
    if translator.named(predicate).is_none() {
        return Ok(Expr::literal(false));
    }
    let to = translator.builder.column("reaches");
    translator.builder.begin_pipeline();
    let reached = translator.expand(node, predicate);
    let is_wanted = is_one_of(translator, reached, &function.arguments);
    if let Ok(is_wanted) = &is_wanted {
        translator.builder.filter(is_wanted.clone());
    }
    let sub = translator.builder.end_pipeline();
    is_wanted?;
    translator.builder.push(op::Apply { sub, kind: ApplyKind::Value { fold: Fold::Exists, to } });
    Ok(Expr::Column(to))
}

pub(super) fn refuse_root(
    translator: &mut Translator<'_>,
    function: &Function,
) -> Result<(ColumnId, Comes)> {
    Err(translator.wrong(function.offset, "uid_in function not allowed at root"))
}

/// Uids as a list, and variables with nodes.
struct Uids {
    list: Option<Expr>,
    variables: Vec<(LetId, ColumnId)>,
}

/// The uids and variables of a function's arguments.
fn uids(translator: &mut Translator<'_>, arguments: &[Argument]) -> Result<Uids> {
    // A variable of the request may stand for a list.
    if let [Argument::Value(value)] = arguments
        && let ValueKind::Parameter(_) = value.kind
    {
        let list = Some(translator.operands.uids(value)?);
        return Ok(Uids { list, variables: Vec::new() });
    }
    let (mut list, mut variables) = (Vec::new(), Vec::new());
    collect(translator, arguments, (&mut list, &mut variables))?;
    let list = (!list.is_empty() || variables.is_empty()).then_some(Expr::List(list));
    Ok(Uids { list, variables })
}

fn collect(
    translator: &mut Translator<'_>,
    arguments: &[Argument],
    (list, variables): (&mut Vec<Expr>, &mut Vec<(LetId, ColumnId)>),
) -> Result<()> {
    for argument in arguments {
        match argument {
            Argument::Value(value) => match &value.kind {
                ValueKind::List(values) => {
                    for value in values {
                        list.push(translator.operands.argument(value, Kind::Uid)?);
                    }
                }
                _ => list.push(translator.operands.argument(value, Kind::Uid)?),
            },
            Argument::Uids { arguments, .. } => {
                collect(translator, arguments, (&mut *list, &mut *variables))?;
            }
            Argument::Variable(name) => variables.push(translator.uid_variable(&name.text)?),
            Argument::ValueOf(name) => return Err(super::unsupported(translator, name.offset)),
            Argument::Named(named) => {
                return Err(super::unsupported(translator, named.name.offset));
            }
        }
    }
    Ok(())
}
