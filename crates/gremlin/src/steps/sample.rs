//! `sample(n)`: objects chosen at random, by weights that `by` has; with local scope entries of each.

use millrace_model::Result;
use millrace_plan::functions::Division;
use millrace_plan::{Comparison, Expr, Fold, Function, Nulls, RandomKind, SortKey, op};

use crate::steps::{Fact, Step};
use crate::translate::{At, By, Call, Traversal, integer, scope};

pub(super) const STEP: Step =
    Step::new("sample", translate).modulators(&["by"]).facts(&[Fact::Waits, Fact::SeesAll]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let (local, arguments) = scope(call.arguments());
    let [count] = arguments else { return Err(call.wrong("takes one number")) };
    let at = traversal.at(call)?;
    let count = integer(call.instruction, count)?;
    let count = u64::try_from(count).map_err(|_| call.wrong("takes a count"))?;
    call.check_single_by("Sample")?;
    let bys = By::all(&call.modulators)?;
    match (local, bys.first()) {
        (false, None | Some(By::Identity)) => {
            traversal.plan.sample(count);
        }
        (false, Some(by)) => by_weight(traversal, at, by, count)?,
        (true, None) => {
            let list = traversal.for_entries(at, |inner, entry| {
                inner.plan.sample(count);
                Ok(Fold::Collect(Expr::Column(entry.column)))
            })?;
            let arguments = vec![Expr::Column(at.column), Expr::Column(list)];
            let sampled = Expr::call(Function::RebuildCollection, arguments);
            traversal.moved_to("sampled", sampled, at.kind);
        }
        (true, Some(_)) => return Err(call.wrong("with local scope takes no by()")),
    }
    Ok(())
}

/// A sample without replacement: each next object is chosen in proportion to its weight. Those with the greatest
/// logarithm of a random number by their weight are taken (Efraimidis and Spirakis, 2006). An object without a
/// weight never comes.
fn by_weight(traversal: &mut Traversal<'_>, at: At, by: &By<'_>, count: u64) -> Result<()> {
    let weight = Expr::Column(traversal.by_column(by, at)?.column);
    let some = Expr::compare(Comparison::Greater, weight.clone(), Expr::literal(0_i64));
    traversal.plan.filter(some);
    let random = traversal.plan.column("random");
    traversal.plan.random(RandomKind::Number { to: random });
    let logarithm = Expr::call(Function::Ln, vec![Expr::Column(random)]);
    let by = Expr::call(Function::Divide(Division::Exact), vec![logarithm, weight]);
    let keys = vec![SortKey { by, descending: true, nulls: Nulls::Last }];
    traversal.plan.push(op::TopK { count: count.into(), keys });
    Ok(())
}
