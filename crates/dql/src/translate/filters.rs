//! Conditions: functions joined by `AND`, `OR` and `NOT`, as one expression of a row.

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr};

use super::functions;
use super::translator::Translator;
use crate::tree::Filter;

impl Translator<'_> {
    /// Keeps the nodes for which a filter holds.
    pub(super) fn filter(&mut self, node: ColumnId, filter: Option<&Filter>) -> Result<()> {
        if let Some(filter) = filter {
            let holds = self.condition(node, filter)?;
            self.builder.filter(holds);
        }
        Ok(())
    }

    /// Whether a filter holds of a node.
    pub(super) fn condition(&mut self, node: ColumnId, filter: &Filter) -> Result<Expr> {
        Ok(match filter {
            Filter::Function(function) => functions::test(self, node, function)?,
            Filter::Not { of, .. } => {
                // What is unknown of a value that is not there does not hold, and its opposite does.
                let inner = self.condition(node, of)?;
                let unknown = Expr::IsNull(Box::new(inner.clone()));
                Expr::Or(vec![unknown, inner.negate()])
            }
            Filter::And(all) => Expr::And(self.conditions(node, all)?),
            Filter::Or(all) => Expr::Or(self.conditions(node, all)?),
        })
    }

    fn conditions(&mut self, node: ColumnId, all: &[Filter]) -> Result<Vec<Expr>> {
        all.iter().map(|own| self.condition(node, own)).collect()
    }
}
