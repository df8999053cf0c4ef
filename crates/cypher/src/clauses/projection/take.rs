//! ORDER BY, SKIP and LIMIT as operators.

use millrace_model::Result;
use millrace_plan::LetRead;
use millrace_plan::op::{self, RowCount, SortKey};

use crate::expressions::value_of;
use crate::functions::needs_operators;
use crate::translate::Translator;
use crate::tree::{Expr, ExprKind, Literal};

impl Translator<'_> {
    /// Sorts rows, if there are keys, and takes some of them.
    pub(super) fn take(
        &mut self,
        keys: Vec<SortKey>,
        skip: Option<&Expr>,
        limit: Option<&Expr>,
    ) -> Result<()> {
        let skip = skip.map(|skip| self.row_count(skip)).transpose()?;
        let limit = limit.map(|limit| self.row_count(limit)).transpose()?;
        let from = skip.unwrap_or(RowCount::Number(0));
        let to = limit.map(|limit| sum(&from, limit));
        match (keys.is_empty(), &to) {
            (true, _) => {}
            (false, Some(to)) => {
                self.plan.push(op::TopK { count: to.clone(), keys });
            }
            (false, None) => {
                self.plan.push(op::Sort { keys });
            }
        }
        if to.is_some() || from != RowCount::Number(0) {
            self.plan.push(op::Range { from, to });
        }
        Ok(())
    }

    /// A number of rows.
    pub(crate) fn row_count(&mut self, count: &Expr) -> Result<RowCount> {
        if let ExprKind::Literal(Literal::Integer(number)) = &count.kind
            && let Ok(number) = u64::try_from(*number)
        {
            return Ok(RowCount::Number(number));
        }
        if !needs_operators(count) {
            return Ok(RowCount::of(value_of(self, count)?));
        }
        // What needs operators is a row of its own, which is there before the first row that is counted.
        let (pipeline, column) = self.sub(|sub| {
            let count = value_of(sub, count)?;
            Ok(sub.as_column("count", count))
        })?;
        let name = self.plan.bind_pipeline("count", pipeline, vec![column]);
        Ok(RowCount::of(millrace_plan::Expr::Let { name, read: LetRead::First }))
    }
}

fn sum(one: &RowCount, other: RowCount) -> RowCount {
    match (one, other) {
        (RowCount::Number(one), RowCount::Number(other)) => {
            RowCount::Number(one.saturating_add(other))
        }
        (RowCount::Number(0), other) => other,
        (one, other) => {
            let parts = |count: &RowCount| match count {
                RowCount::Number(number) => {
                    vec![millrace_plan::Expr::literal(i64::try_from(*number).unwrap_or(i64::MAX))]
                }
                RowCount::Sum(parts) => parts.clone(),
            };
            let mut all = parts(one);
            all.extend(parts(&other));
            RowCount::Sum(all)
        }
    }
}
