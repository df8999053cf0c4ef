//! Shared by the steps that look at the entries of a list.

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr, Fold};

use crate::translate::{Call, Traversal, elements};

/// Keeps lists. The column holds whether a list has an entry for which `asked` is true. Its argument is whether the
/// entry passes the predicate, false where they cannot be compared.
pub(in crate::steps) fn passing(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    asked: impl FnOnce(Expr) -> Expr,
) -> Result<ColumnId> {
    let at = traversal.at(call)?;
    let own = Expr::Column(at.column);
    let words = ["list", "set"].map(|word| elements::is_of_type(&own, word));
    traversal.plan.filter(Expr::Or(words.to_vec()));
    traversal.for_entries(at, |inner, entry| {
        let value = Expr::Column(entry.column);
        let passes = inner.passes(call.instruction, value, &call.arguments()[0])?;
        let passes = Expr::Case {
            branches: vec![(passes, Expr::literal(true))],
            otherwise: Some(Box::new(Expr::literal(false))),
        };
        inner.plan.filter(asked(passes));
        Ok(Fold::Exists)
    })
}
