//! `SET`: properties and labels.

use millrace_model::{Result, TextPosition};
use millrace_plan::op::{self, Properties};
use millrace_plan::{ColumnId, Expr as PlanExpr, Function};

use super::Clause;
use crate::expressions::{properties, storable, value_of};
use crate::scope::type_of;
use crate::text::{Detail, Parser, Read, syntax};
use crate::translate::Translator;
use crate::tree::{Expr, ExprKind, LabelExpr, Name, Variable};

/// `SET items`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Set {
    pub(crate) at: TextPosition,
    pub(crate) items: Vec<SetItem>,
}

/// An item of `SET`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SetItem {
    /// `element.key = value`.
    Property(Expr, Name, Expr),
    /// `element[key] = value`.
    DynamicProperty(Expr, Expr, Expr),
    /// `variable = map`: all properties are replaced.
    Replace(Variable, Expr),
    /// `variable += map`: those of the map are set.
    Add(Variable, Expr),
    /// `variable:A:B`, `variable IS A`.
    Labels(Variable, LabelExpr),
}

/// `SET …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    let items = parser.list(read_item)?;
    Ok(Clause::Set(Set { at, items }))
}

/// An item of `SET`.
pub(super) fn read_item(parser: &mut Parser<'_>) -> Read<SetItem> {
    let target = parser.operand()?;
    match target.kind {
        ExprKind::Property(of, key) => {
            parser.expect("=")?;
            Ok(SetItem::Property(*of, key, parser.expression()?))
        }
        ExprKind::Index(of, key) => {
            parser.expect("=")?;
            Ok(SetItem::DynamicProperty(*of, *key, parser.expression()?))
        }
        ExprKind::Variable(variable) => of_variable(parser, variable),
        ExprKind::HasLabels(of, labels) => match of.kind {
            ExprKind::Variable(variable) => Ok(SetItem::Labels(variable, labels)),
            _ => Err(syntax(Detail::UnexpectedSyntax, of.at, "labels are set of variables only")
                .with_help("write `SET n:Label`")),
        },
        _ => {
            let detail = "only properties and labels can be set";
            let wrong = syntax(Detail::UnexpectedSyntax, target.at, detail);
            Err(wrong.with_help("write `SET n.key = value`, `SET n += map` or `SET n:Label`"))
        }
    }
}

fn of_variable(parser: &mut Parser<'_>, variable: Variable) -> Read<SetItem> {
    if parser.take("=") {
        return Ok(SetItem::Replace(variable, parser.expression()?));
    }
    if parser.take("+=") {
        return Ok(SetItem::Add(variable, parser.expression()?));
    }
    parser.expect_also(".");
    parser.expect_also(":");
    parser.expect_word("IS")?;
    Ok(SetItem::Labels(variable, parser.label_expression()?))
}

impl Set {
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        translate(&self.items, translator)
    }
}

/// Sets one item after the other: a later one sees the earlier. Constants of one variable in a row are set
/// together.
pub(super) fn translate(items: &[SetItem], translator: &mut Translator<'_>) -> Result<()> {
    let mut items = items.iter().peekable();
    while let Some(item) = items.next() {
        match item {
            SetItem::Property(of, key, value) => {
                let element = element_of(of, translator)?;
                let mut keyed = vec![(key.clone(), stored(value, translator)?)];
                let goes_on =
                    |keyed: &[_], next: &SetItem| is_constant(value) && goes_on(of, keyed, next);
                while let Some(SetItem::Property(_, key, value)) =
                    items.next_if(|next| goes_on(&keyed, next))
                {
                    keyed.push((key.clone(), stored(value, translator)?));
                }
                let properties = Properties { keyed, map: None };
                translator.plan.push(op::Set { element, properties, replace: false });
            }
            SetItem::DynamicProperty(of, key, value) => {
                let element = element_of(of, translator)?;
                let pair = vec![value_of(translator, key)?, value_of(translator, value)?];
                let pairs = PlanExpr::List(vec![PlanExpr::List(pair)]);
                let map = Some(PlanExpr::call(Function::MapOfPairs, vec![pairs]));
                let properties = Properties { keyed: Vec::new(), map };
                translator.plan.push(op::Set { element, properties, replace: false });
            }
            SetItem::Replace(variable, value) | SetItem::Add(variable, value) => {
                let element = translator.column_of(variable)?;
                let map = properties(value_of(translator, value)?);
                let map = Some(PlanExpr::call(Function::StorableMap, vec![map]));
                let given = Properties { keyed: Vec::new(), map };
                let replace = matches!(item, SetItem::Replace(..));
                translator.plan.push(op::Set { element, properties: given, replace });
            }
            SetItem::Labels(variable, labels) => {
                let vertex = translator.column_of(variable)?;
                let add = translator.created_labels(Some(labels))?;
                translator.plan.push(op::SetLabels { vertex, add, remove: Vec::new() });
            }
        }
    }
    Ok(())
}

/// The value of a property.
fn stored(value: &Expr, translator: &mut Translator<'_>) -> Result<PlanExpr> {
    let kind = type_of(value, translator.symbols);
    Ok(storable(value_of(translator, value)?, &kind))
}

/// Whether an item sets one more property of a variable, of another key and to a constant: it may be set together with
/// those before it.
fn goes_on(of: &Expr, before: &[(Name, PlanExpr)], item: &SetItem) -> bool {
    match item {
        SetItem::Property(other, key, value) => {
            matches!(of.kind, ExprKind::Variable(_))
                && other.is_same(of)
                && before.iter().all(|(known, _)| known != key)
                && is_constant(value)
        }
        SetItem::DynamicProperty(..)
        | SetItem::Replace(..)
        | SetItem::Add(..)
        | SetItem::Labels(..) => false,
    }
}

/// Whether a value is the same whatever was written before.
fn is_constant(value: &Expr) -> bool {
    let mut is_constant = true;
    value.each(&mut |part| {
        is_constant &= matches!(
            part.kind,
            ExprKind::Literal(_) | ExprKind::Parameter(_) | ExprKind::List(_) | ExprKind::Map(_)
        );
    });
    is_constant
}

/// The column of the element that is changed.
pub(super) fn element_of(of: &Expr, translator: &mut Translator<'_>) -> Result<ColumnId> {
    let element = value_of(translator, of)?;
    Ok(translator.as_column("element", element))
}
