//! `REMOVE`: properties and labels.

use millrace_model::{Result, Value};
use millrace_plan::op::{self, Properties, WriteRules};
use millrace_plan::{Expr as PlanExpr, Function};

use super::set::element_of;
use crate::expressions::value_of;
use crate::translate::Translator;
use crate::tree::{Remove, RemoveItem};

/// What is not there counts as nothing.
const RULES: WriteRules = WriteRules { passes_deleted: true, counts_nulls: false };

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
                    translator.plan.push(op::SetLabels {
                        vertex,
                        add: Vec::new(),
                        remove,
                        claims: false,
                    });
                }
            }
        }
        Ok(())
    }
}
