//! Subqueries and patterns inside of expressions: each is one subplan for all rows.

use millrace_model::Result;
use millrace_plan::op::ApplyKind;
use millrace_plan::{Expr, Fold};

use super::value_of;
use crate::primitives;
use crate::translate::Translator;
use crate::tree::{self, ExprKind, PathPattern, PatternComprehension, Query, SubqueryKind, Unary};

impl Translator<'_> {
    pub(super) fn subquery(&mut self, kind: SubqueryKind, query: &Query) -> Result<Expr> {
        let (sub, columns) = self.sub(|sub| sub.inner_query(query))?;
        let fold = match (kind, columns.first()) {
            (SubqueryKind::Exists, _) => Fold::Exists,
            (SubqueryKind::Count, _) | (SubqueryKind::Collect, None) => Fold::Count,
            (SubqueryKind::Collect, Some(&column)) => {
                Fold::Collect(primitives::or_null(Expr::Column(column)))
            }
        };
        let to = self.plan.column("subquery");
        self.apply(sub, ApplyKind::Value { fold, to });
        Ok(Expr::Column(to))
    }

    /// Whether a pattern is found.
    pub(super) fn pattern_exists(&mut self, pattern: &PathPattern) -> Result<Expr> {
        let (sub, ()) = self.sub(|sub| sub.nested.patterns(sub, std::slice::from_ref(pattern)))?;
        let to = self.plan.column("exists");
        self.apply(sub, ApplyKind::Value { fold: Fold::Exists, to });
        Ok(Expr::Column(to))
    }

    pub(super) fn pattern_comprehension(&mut self, own: &PatternComprehension) -> Result<Expr> {
        let (sub, value) = self.sub(|sub| {
            sub.nested.patterns(sub, std::slice::from_ref(&own.pattern))?;
            if let Some(test) = &own.test {
                sub.filter(test)?;
            }
            value_of(sub, &own.value)
        })?;
        let to = self.plan.column("found");
        self.apply(sub, ApplyKind::Value { fold: Fold::Collect(value), to });
        Ok(Expr::Column(to))
    }

    /// `shortestPath(…)` as a value: the path or null; `allShortestPaths(…)`: a list of paths.
    pub(super) fn shortest_path_value(&mut self, pattern: &PathPattern) -> Result<Expr> {
        let (sub, path) = self.sub(|sub| sub.nested.path(sub, pattern))?;
        let fold = match pattern.selector {
            tree::Selector::AllShortestPaths => Fold::Collect(path),
            _ => Fold::First(path),
        };
        let to = self.plan.column("path");
        self.apply(sub, ApplyKind::Value { fold, to });
        Ok(Expr::Column(to))
    }

    /// Keeps rows for which a test holds. What it asks of patterns alone needs no column.
    pub(crate) fn filter(&mut self, test: &tree::Expr) -> Result<()> {
        match &test.kind {
            ExprKind::Binary(tree::Binary::And, left, right) => {
                self.filter(left)?;
                self.filter(right)
            }
            ExprKind::Pattern(_) | ExprKind::Subquery(SubqueryKind::Exists, _) => {
                self.keep_where(test, ApplyKind::Exists)
            }
            ExprKind::Unary(Unary::Not, inner)
                if matches!(
                    inner.kind,
                    ExprKind::Pattern(_) | ExprKind::Subquery(SubqueryKind::Exists, _)
                ) =>
            {
                self.keep_where(inner, ApplyKind::Absent)
            }
            _ => {
                let predicate = self.expr(test)?;
                self.plan.filter(predicate);
                Ok(())
            }
        }
    }

    fn keep_where(&mut self, test: &tree::Expr, kind: ApplyKind) -> Result<()> {
        let (sub, ()) = self.sub(|sub| match &test.kind {
            ExprKind::Pattern(pattern) => sub.nested.patterns(sub, std::slice::from_ref(pattern)),
            ExprKind::Subquery(_, query) => sub.inner_query(query).map(drop),
            _ => Ok(()),
        })?;
        self.apply(sub, kind);
        Ok(())
    }
}
