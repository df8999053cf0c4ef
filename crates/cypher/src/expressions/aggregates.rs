//! Aggregates as folds.

use millrace_model::Result;
use millrace_plan::Fold;

use crate::functions;
use crate::translate::Translator;
use crate::tree::{self, ExprKind};

/// The fold of an aggregate, and whether its value of no rows is 0.
pub(crate) fn fold_of(translator: &mut Translator<'_>, expr: &tree::Expr) -> Result<(Fold, bool)> {
    match &expr.kind {
        ExprKind::CountAll => Ok((Fold::Count, false)),
        ExprKind::Call(call) => functions::fold(translator, expr.at, call),
        _ => Err(tree::misplaced_aggregate(expr)),
    }
}
