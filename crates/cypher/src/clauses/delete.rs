//! `DELETE` and `DETACH DELETE`.

use millrace_model::{Result, Value};
use millrace_plan::functions::Wanted;
use millrace_plan::op::{self, ApplyKind};
use millrace_plan::{Expr as PlanExpr, Function};

use crate::expressions::value_of;
use crate::scope::type_of;
use crate::translate::Translator;
use crate::tree::Delete;
use crate::types::Type;

impl Delete {
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        if self.detach {
            // A relationship goes with its node.
            for (relationship, column) in translator.relationships() {
                translator.keep_ends(&relationship, &PlanExpr::Column(column));
            }
        }
        translator.deletes_before();
        for expr in &self.exprs {
            let kind = type_of(expr, translator.symbols);
            let value = value_of(translator, expr)?;
            let value = PlanExpr::Column(translator.as_column("deleted", value));
            if kind.is_element() {
                if kind == Type::Relationship {
                    translator.keep_record(expr, &value);
                }
                translator.plan.push(op::Delete { element: value, detach: self.detach });
                continue;
            }
            let (sub, ()) = translator.sub(|sub| {
                let to = sub.plan.column("element");
                sub.plan.push(op::Unwind { list: elements(value), to, position: None });
                let element = PlanExpr::Column(to);
                sub.plan.push(op::Delete { element, detach: self.detach });
                Ok(())
            })?;
            translator.apply(sub, ApplyKind::Effect);
        }
        Ok(())
    }
}

/// The elements of a path or a list, or an element itself, as a list; of null none.
fn elements(value: PlanExpr) -> PlanExpr {
    let has_entries = PlanExpr::call(Function::IsA(Wanted::Entries), vec![value.clone()]);
    let null = || PlanExpr::Literal(Value::Null);
    let entries =
        PlanExpr::call(Function::Require(Wanted::Entries), vec![value.clone(), null(), null()]);
    let is_null = PlanExpr::IsNull(Box::new(value.clone()));
    let single = PlanExpr::List(vec![value]);
    PlanExpr::Case {
        branches: vec![(is_null, null()), (has_entries, entries)],
        otherwise: Some(Box::new(single)),
    }
}
