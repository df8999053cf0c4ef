//! Shared by the steps that make one number of many.

use millrace_model::{Result, Value};
use millrace_plan::functions::Reduction;
use millrace_plan::{Comparison, Expr, Fold, Function, Missing};

use crate::translate::{Call, Kind, Traversal};

/// Folds all objects, or each object's entries; without any there is no result.
pub(in crate::steps) fn fold_of(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    fold: fn(Expr) -> Fold,
) -> Result<()> {
    let at = traversal.at(call)?;
    let local = call.is_local()?;
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

/// The least or greatest entry of each object, of the widest type of all; without any there is no result.
pub(in crate::steps) fn best_entry(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    reduction: Reduction,
) -> Result<()> {
    let at = traversal.at(call)?;
    let entries = Expr::call(Function::Unfold, vec![Expr::Column(at.column)]);
    let some = Expr::call(Function::Size, vec![entries.clone()]);
    traversal.plan.filter(Expr::compare(Comparison::Greater, some, Expr::literal(0_i64)));
    let best = vec![Expr::Literal(Value::Null), entries];
    traversal.moved_to("best", Expr::call(Function::Reduce(reduction), best), Kind::Scalar);
    Ok(())
}
