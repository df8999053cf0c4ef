//! `SET`: properties and labels.

use millrace_model::{Result, Value};
use millrace_plan::op::{self, Properties, WriteRules};
use millrace_plan::{ColumnId, Expr as PlanExpr, Function};

use crate::expressions::value_of;
use crate::patterns::Given;
use crate::primitives::storable;
use crate::scope::type_of;
use crate::translate::Translator;
use crate::tree::{Expr, ExprKind, Name, Set, SetItem};

impl Set {
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        translate(&self.items, None, translator)
    }
}

/// Sets one item after the other, of rows for which a condition holds, if there is one, but properties of one variable in a row at once: their values are those before any
/// of them is set, so `SET n.a = n.b, n.b = n.a` exchanges two.
pub(super) fn translate(
    items: &[SetItem],
    when: Option<&PlanExpr>,
    translator: &mut Translator<'_>,
) -> Result<()> {
    for items in items.chunk_by(are_set_together) {
        match &items[0] {
            SetItem::Property(of, ..) | SetItem::DynamicProperty(of, ..) => {
                let element = element_of(of, translator)?;
                let element = only(element, when, translator);
                let properties = properties_of(items, translator)?;
                // Neo4j counts all properties of an element that are set at once, and a single null only where it removes.
                let counts_nulls = 1 < items.len();
                let rules = WriteRules { passes_deleted: true, counts_nulls };
                translator.plan.push(op::Set { element, properties, replace: false, rules });
            }
            SetItem::Replace(variable, value) | SetItem::Add(variable, value) => {
                let element = translator.column_of(variable)?;
                let element = only(element, when, translator);
                let map = Some(translator.map_value(value, Given::ToElement)?);
                let given = Properties { keyed: Vec::new(), map };
                let replace = matches!(items[0], SetItem::Replace(..));
                let rules = WriteRules { passes_deleted: true, counts_nulls: true };
                translator.plan.push(op::Set { element, properties: given, replace, rules });
            }
            SetItem::Labels(variable, labels) => {
                let vertex = translator.column_of(variable)?;
                let vertex = only(vertex, when, translator);
                let add = translator.created_labels(Some(labels))?;
                translator.plan.push(op::SetLabels {
                    vertex,
                    add,
                    remove: Vec::new(),
                    claims: false,
                });
            }
        }
    }
    Ok(())
}

/// The elements of the rows for which a condition holds; null in the others, of which nothing is set. So rows keep their
/// order.
fn only(element: ColumnId, when: Option<&PlanExpr>, translator: &mut Translator<'_>) -> ColumnId {
    let Some(when) = when else { return element };
    let branches = vec![(when.clone(), PlanExpr::Column(element))];
    translator.plan.project("element", PlanExpr::Case { branches, otherwise: None })
}

/// The properties that items give; of two with one key the later one wins.
fn properties_of(items: &[SetItem], translator: &mut Translator<'_>) -> Result<Properties> {
    let mut keyed: Vec<(Name, PlanExpr)> = Vec::new();
    let mut pairs = Vec::new();
    for item in items {
        match item {
            SetItem::Property(_, key, value) => {
                let value = stored(value, translator)?;
                keyed.retain(|(known, _)| known != key);
                keyed.push((key.clone(), value));
            }
            SetItem::DynamicProperty(_, key, value) => {
                // A key of a row may be one that stands before it in the text.
                let known = keyed.drain(..).map(|(key, value)| pair(key_text(key), value));
                pairs.extend(known);
                let key = value_of(translator, key)?;
                pairs.push(pair(key, value_of(translator, value)?));
            }
            SetItem::Replace(..) | SetItem::Add(..) | SetItem::Labels(..) => {}
        }
    }
    if pairs.is_empty() {
        return Ok(Properties { keyed, map: None });
    }
    pairs.extend(keyed.into_iter().map(|(key, value)| pair(key_text(key), value)));
    let map = PlanExpr::call(Function::MapOfPairs, vec![PlanExpr::List(pairs)]);
    let map = Some(PlanExpr::call(Function::StorableMap, vec![map]));
    Ok(Properties { keyed: Vec::new(), map })
}

fn pair(key: PlanExpr, value: PlanExpr) -> PlanExpr {
    PlanExpr::List(vec![key, value])
}

fn key_text(key: Name) -> PlanExpr {
    PlanExpr::Literal(Value::String(key))
}

/// The value of a property.
fn stored(value: &Expr, translator: &mut Translator<'_>) -> Result<PlanExpr> {
    let kind = type_of(value, translator.symbols);
    Ok(storable(value_of(translator, value)?, &kind))
}

/// Whether two items set properties of one variable.
fn are_set_together(one: &SetItem, other: &SetItem) -> bool {
    match (owner(one), owner(other)) {
        (Some(one), Some(other)) => matches!(one.kind, ExprKind::Variable(_)) && one.is_same(other),
        _ => false,
    }
}

/// The expression of the element that an item sets one property of.
fn owner(item: &SetItem) -> Option<&Expr> {
    match item {
        SetItem::Property(of, ..) | SetItem::DynamicProperty(of, ..) => Some(of),
        SetItem::Replace(..) | SetItem::Add(..) | SetItem::Labels(..) => None,
    }
}

/// The column of the element that is changed.
pub(super) fn element_of(of: &Expr, translator: &mut Translator<'_>) -> Result<ColumnId> {
    let element = value_of(translator, of)?;
    Ok(translator.as_column("element", element))
}
