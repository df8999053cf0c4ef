//! `WITH` and `RETURN`: items, DISTINCT, ORDER BY, SKIP, LIMIT, WHERE, in this order.

mod aggregation;
mod take;

use millrace_model::Result;
use millrace_plan::op::{self, Nulls, SortKey};
use millrace_plan::{ColumnId, Expr};

use crate::expressions::value_of;
use crate::functions::contains_aggregate;
use crate::primitives::{is_its_own_key, key_of};
use crate::scope::type_of;
use crate::translate::{Columns, Translator};
use crate::tree::{Projection, ProjectionItem};

impl Translator<'_> {
    /// Projects rows; the columns of the items, in order.
    pub(crate) fn projection(&mut self, projection: &Projection) -> Result<Vec<ColumnId>> {
        let before = self.columns.clone();
        let aggregates = projection.items.iter().any(|item| contains_aggregate(&item.expr));
        let columns = match aggregates {
            true => self.aggregated(projection)?,
            false => {
                let items = projection.items.iter();
                items.map(|item| self.item(item)).collect::<Result<Vec<_>>>()?
            }
        };
        let mut after = Columns::new();
        for (item, &column) in projection.items.iter().zip(&columns) {
            if let Some(symbol) = item.alias.as_ref().and_then(|alias| alias.symbol) {
                after.insert(symbol, column);
            }
        }
        if projection.distinct {
            self.distinct(&projection.items, &columns)?;
        }
        // An order may read the rows before the projection too, unless they are gone.
        let mut seen = match aggregates || projection.distinct {
            true => Columns::new(),
            false => before,
        };
        if aggregates || projection.distinct {
            self.record = None;
        }
        seen.extend(after.iter().map(|(symbol, column)| (*symbol, *column)));
        self.columns = seen;
        self.order(projection)?;
        if let Some(test) = &projection.test {
            self.filter(test)?;
        }
        self.keep_only(after);
        Ok(columns)
    }

    /// The column of an item.
    fn item(&mut self, item: &ProjectionItem) -> Result<ColumnId> {
        let expr = value_of(self, &item.expr)?;
        let name = item.alias.as_ref().map_or(&item.text, |alias| &alias.name).clone();
        Ok(self.as_column(&name, expr))
    }

    /// Keeps the first of rows that are equivalent in their items.
    fn distinct(&mut self, items: &[ProjectionItem], columns: &[ColumnId]) -> Result<()> {
        let mut keys = Vec::new();
        for (item, &column) in items.iter().zip(columns) {
            keys.push(match is_its_own_key(&type_of(&item.expr, self.symbols)) {
                true => column,
                false => self.plan.project("key", key_of(Expr::Column(column))),
            });
        }
        self.plan.push(op::Dedup { columns: keys });
        Ok(())
    }

    /// ORDER BY, SKIP and LIMIT.
    fn order(&mut self, projection: &Projection) -> Result<()> {
        let mut keys = Vec::new();
        for item in &projection.order {
            let by = value_of(self, &item.expr)?;
            let nulls = if item.descending { Nulls::First } else { Nulls::Last };
            keys.push(SortKey { by, descending: item.descending, nulls });
        }
        self.take(keys, projection.skip.as_ref(), projection.limit.as_ref())
    }
}
