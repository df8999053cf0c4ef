//! Projections with aggregates: rows in groups of their other items.

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr, Fold, op};

use super::{Columns, Translator};
use crate::expressions::{fold_of, is_its_own_key, key_of, value_of};
use crate::scope::type_of;
use crate::tree::{self, ExprKind, Projection, contains_aggregate, each_aggregate};

impl Translator<'_> {
    /// Groups rows by the items without an aggregate; the columns of all items, in order.
    pub(super) fn aggregated(&mut self, projection: &Projection) -> Result<Vec<ColumnId>> {
        let (mut keys, mut folds) = (Vec::new(), Vec::new());
        let mut known: Vec<(tree::Expr, ColumnId)> = Vec::new();
        let mut after = Columns::new();
        for item in projection.items.iter().filter(|item| !contains_aggregate(&item.expr)) {
            let expr = value_of(self, &item.expr)?;
            let column = self.as_column(&item.text, expr);
            let kept = match is_its_own_key(type_of(&item.expr, self.symbols)) {
                true => {
                    keys.push(column);
                    column
                }
                false => {
                    keys.push(self.plan.project("key", key_of(Expr::Column(column))));
                    let kept = self.plan.column(&item.text);
                    folds.push((kept, Fold::First(Expr::Column(column))));
                    kept
                }
            };
            if let ExprKind::Variable(variable) = &item.expr.kind
                && let Some(symbol) = variable.symbol
            {
                after.insert(symbol, kept);
            }
            known.push((item.expr.clone(), kept));
        }
        let mut aggregates = Vec::new();
        let exprs = projection.items.iter().map(|item| &item.expr);
        for expr in exprs.chain(projection.order.iter().map(|item| &item.expr)) {
            each_aggregate(expr, &mut |call| {
                if !aggregates.iter().any(|own| own.is_same(call)) {
                    aggregates.push(call.clone());
                }
            });
        }
        for call in aggregates {
            let fold = fold_of(self, &call)?;
            let column = self.plan.column("aggregate");
            folds.push((column, fold));
            known.push((call, column));
        }
        self.plan.push(op::Aggregate { keys, folds });
        self.keep_only(after);
        self.known = known;
        let mut columns = Vec::new();
        for item in &projection.items {
            let expr = value_of(self, &item.expr)?;
            columns.push(self.as_column(&item.text, expr));
        }
        Ok(columns)
    }
}
