//! `REMOVE`: properties and labels.

use millrace_model::{Result, TextPosition, Value};
use millrace_plan::op::{self, Properties, WriteRules};
use millrace_plan::{Expr as PlanExpr, Function};

use super::Clause;
use super::set::element_of;
use crate::expressions::value_of;
use crate::text::{Detail, Parser, Read, syntax};
use crate::translate::Translator;
use crate::tree::{Expr, ExprKind, LabelExpr, Name, Variable};

/// What is not there counts as nothing.
const RULES: WriteRules = WriteRules { passes_deleted: true, counts_nulls: false };

/// `REMOVE items`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Remove {
    pub(crate) at: TextPosition,
    pub(crate) items: Vec<RemoveItem>,
}

/// An item of `REMOVE`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RemoveItem {
    /// `element.key`.
    Property(Expr, Name),
    /// `element[key]`.
    DynamicProperty(Expr, Expr),
    /// `variable:A:B`.
    Labels(Variable, LabelExpr),
}

/// `REMOVE …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    let items = parser.list(read_item)?;
    Ok(Clause::Remove(Remove { at, items }))
}

fn read_item(parser: &mut Parser<'_>) -> Read<RemoveItem> {
    let target = parser.operand()?;
    match target.kind {
        ExprKind::Property(of, key) => Ok(RemoveItem::Property(*of, key)),
        ExprKind::Index(of, key) => Ok(RemoveItem::DynamicProperty(*of, *key)),
        ExprKind::Variable(variable) => {
            parser.expect_also(".");
            parser.expect_also(":");
            parser.expect_word("IS")?;
            Ok(RemoveItem::Labels(variable, parser.label_expression()?))
        }
        ExprKind::HasLabels(of, labels) => match of.kind {
            ExprKind::Variable(variable) => Ok(RemoveItem::Labels(variable, labels)),
            _ => {
                Err(syntax(Detail::UnexpectedSyntax, of.at, "labels are removed of variables only")
                    .with_help("write `REMOVE n:Label`"))
            }
        },
        _ => {
            let detail = "only properties and labels can be removed";
            let wrong = syntax(Detail::UnexpectedSyntax, target.at, detail);
            Err(wrong.with_help("write `REMOVE n.key` or `REMOVE n:Label`"))
        }
    }
}

impl Remove {
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        for item in &self.items {
            match item {
                RemoveItem::Property(of, key) => {
                    let element = element_of(of, translator)?;
                    translator.plan.push(op::Remove {
                        element,
                        keys: Some(vec![key.clone()]),
                        rules: RULES,
                    });
                }
                RemoveItem::DynamicProperty(of, key) => {
                    let element = element_of(of, translator)?;
                    let pair = vec![value_of(translator, key)?, PlanExpr::Literal(Value::Null)];
                    let pairs = PlanExpr::List(vec![PlanExpr::List(pair)]);
                    let map = PlanExpr::call(Function::MapOfPairs, vec![pairs]);
                    let map = Some(PlanExpr::call(Function::StorableMap, vec![map]));
                    let properties = Properties { keyed: Vec::new(), map };
                    translator.plan.push(op::Set {
                        element,
                        properties,
                        replace: false,
                        rules: RULES,
                    });
                }
                RemoveItem::Labels(variable, labels) => {
                    let vertex = translator.column_of(variable)?;
                    let remove = translator.created_labels(Some(labels))?;
                    translator.plan.push(op::SetLabels { vertex, add: Vec::new(), remove });
                }
            }
        }
        Ok(())
    }
}
