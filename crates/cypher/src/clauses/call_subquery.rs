//! `CALL { … }` and `CALL (x) { … }`.

use std::collections::BTreeSet;

use millrace_model::Result;
use millrace_plan::op::{self, ApplyKind, OnBatchError, RowCount};
use millrace_plan::{ColumnId, Expr as PlanExpr, Pipeline};

use crate::limits::TRANSACTION_ROWS_DEFAULT;
use crate::translate::Translator;
use crate::tree::{CallSubquery, Clause, InTransactions, OnError, Projection, Query};

impl CallSubquery {
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        let columns = match &self.in_transactions {
            None => self.called(translator)?,
            Some(own) => {
                let (sub, columns) = translator.sub(|sub| self.called(sub))?;
                own.translate(sub, translator)?;
                columns
            }
        };
        let aliases = result_of(&self.query).map_or([].as_slice(), |result| &result.items);
        for (item, &column) in aliases.iter().zip(&columns) {
            if let Some(alias) = &item.alias {
                translator.bind(alias, column);
            }
        }
        Ok(())
    }

    /// Runs its query for each row; the columns of its result.
    fn called(&self, translator: &mut Translator<'_>) -> Result<Vec<ColumnId>> {
        let outer: BTreeSet<ColumnId> = translator.columns.values().copied().collect();
        let (sub, columns) = translator.sub(|sub| {
            let mut columns = sub.inner_query(&self.query)?;
            // Where the query has no row, or failed, its results are null, and what it read is not.
            if self.optional || self.in_transactions.is_some() {
                for column in columns.iter_mut().filter(|column| outer.contains(column)) {
                    *column = sub.plan.project("result", PlanExpr::Column(*column));
                }
            }
            Ok(columns)
        })?;
        let kind = match (columns.is_empty(), self.optional) {
            (true, _) => ApplyKind::Effect,
            (false, true) => ApplyKind::Optional,
            (false, false) => ApplyKind::Flat,
        };
        translator.apply(sub, kind);
        Ok(columns)
    }
}

impl InTransactions {
    /// Batches run one after the other, `CONCURRENT` or not: their commits share syncs with those of other clients.
    fn translate(&self, sub: Pipeline, translator: &mut Translator<'_>) -> Result<()> {
        let rows = match &self.rows {
            Some(rows) => translator.row_count(rows)?,
            None => RowCount::Number(TRANSACTION_ROWS_DEFAULT),
        };
        let on_error = match self.on_error {
            OnError::Fail => OnBatchError::Fail,
            OnError::Break => OnBatchError::Break,
            OnError::Continue => OnBatchError::Continue,
        };
        let status = self.status.as_ref().map(|status| translator.new_column(status));
        translator.plan.push(op::InTransactions { sub, rows, on_error, status });
        if let (Some(variable), Some(column)) = (&self.status, status) {
            translator.bind(variable, column);
        }
        Ok(())
    }
}

/// The projection that gives the columns of a query: that of its first part.
fn result_of(query: &Query) -> Option<&Projection> {
    match query.parts.first()?.clauses.last()? {
        Clause::Return(projection) => Some(projection),
        _ => None,
    }
}
