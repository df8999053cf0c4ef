//! What the steps that make one number of many share.

use millrace_model::Result;
use millrace_plan::{Expr, Fold, Missing};

use crate::translate::{Call, Kind, Traversal, scope};

/// Folds all objects, or each object's entries; without any there is no result.
pub(super) fn fold_of(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    fold: fn(Expr) -> Fold,
) -> Result<()> {
    let at = traversal.at(call)?;
    let (local, _) = scope(call.arguments());
    let seen =
        |column, missing| Fold::IfSeen { fold: Box::new(fold(Expr::Column(column))), missing };
    if local {
        let column =
            traversal.for_entries(at, |_, entry| Ok(seen(entry.column, Missing::NoRow)))?;
        traversal.moved(column, Kind::Scalar);
        return Ok(());
    }
    let column = traversal.plan.aggregate(&[], "folded", seen(at.column, Missing::NoRow));
    traversal.reduced(column, Kind::Scalar);
    Ok(())
}
