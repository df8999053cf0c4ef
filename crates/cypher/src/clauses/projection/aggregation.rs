//! Projections with aggregates: rows in groups of their other items.

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr, Fold, op};

use crate::expressions::{fold_of, value_of};
use crate::functions::{contains_aggregate, each_aggregate, implicit_keys};
use crate::primitives::{is_its_own_key, key_of};
use crate::scope::type_of;
use crate::translate::{Columns, Translator};
use crate::tree::{self, ExprKind, Name, Projection};

impl Translator<'_> {
    /// Groups rows by the items without an aggregate; the columns of all items, in order.
    pub(super) fn aggregated(&mut self, projection: &Projection) -> Result<Vec<ColumnId>> {
        let (mut keys, mut folds) = (Vec::new(), Vec::new());
        let mut known: Vec<(tree::Expr, ColumnId)> = Vec::new();
        let mut after = Columns::new();
        for (name, key) in self.grouping_keys(projection) {
            let expr = value_of(self, &key)?;
            let column = self.as_column(&name, expr);
            let kept = match is_its_own_key(&type_of(&key, self.symbols)) {
                true => {
                    keys.push(column);
                    column
                }
                false => {
                    keys.push(self.plan.project("key", key_of(Expr::Column(column))));
                    let kept = self.plan.column(&name);
                    folds.push((kept, Fold::First(Expr::Column(column))));
                    kept
                }
            };
            if let ExprKind::Variable(variable) = &key.kind
                && let Some(symbol) = variable.symbol
            {
                after.insert(symbol, kept);
            }
            known.push((key, kept));
        }
        let (mut aggregates, mut zeros): (Vec<tree::Expr>, Vec<usize>) = Default::default();
        let exprs = projection.items.iter().map(|item| &item.expr);
        for expr in exprs.chain(projection.order.iter().map(|item| &item.expr)) {
            each_aggregate(expr, &mut |call| {
                if !aggregates.iter().any(|own| own.is_same(call)) {
                    aggregates.push(call.clone());
                }
            });
        }
        for call in aggregates {
            let (fold, or_zero) = fold_of(self, &call)?;
            let column = self.plan.column("aggregate");
            folds.push((column, fold));
            if or_zero {
                zeros.push(known.len());
            }
            known.push((call, column));
        }
        // What an outer row has is the same in all rows of its scope.
        let mut outer = Columns::new();
        for (&symbol, &column) in &self.outer_columns().clone() {
            let kept = self.plan.column("outer");
            folds.push((kept, Fold::First(Expr::Column(column))));
            outer.insert(symbol, kept);
        }
        self.plan.push(op::Aggregate { keys, folds });
        for place in zeros {
            let sum = Expr::coalesce(vec![Expr::Column(known[place].1), Expr::literal(0_i64)]);
            known[place].1 = self.plan.project("aggregate", sum);
        }
        outer.extend(after);
        self.keep_only(outer);
        self.known = known;
        let mut columns = Vec::new();
        for item in &projection.items {
            let expr = value_of(self, &item.expr)?;
            columns.push(self.as_column(&item.text, expr));
        }
        Ok(columns)
    }

    /// The items without an aggregate, and the variables of map projections around one.
    fn grouping_keys(&self, projection: &Projection) -> Vec<(Name, tree::Expr)> {
        let items = projection.items.iter();
        let (aggregates, keys): (Vec<_>, Vec<_>) =
            items.partition(|item| contains_aggregate(&item.expr));
        let mut keys: Vec<(Name, tree::Expr)> =
            keys.into_iter().map(|item| (item.text.clone(), item.expr.clone())).collect();
        let implicit = aggregates.into_iter().flat_map(|item| implicit_keys(&item.expr));
        for variable in implicit.filter(|variable| self.bound_column(variable).is_some()) {
            let key = tree::Expr::new(variable.at, ExprKind::Variable(variable.clone()));
            if !keys.iter().any(|(_, known)| known.is_same(&key)) {
                keys.push((variable.name.clone(), key));
            }
        }
        keys
    }
}
