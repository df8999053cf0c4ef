//! `barrier()`: all rows of the scope before one goes on; equal ones become one where sacks say how, or
//! where bulk is off. `barrier(normSack)` divides sacks by the sum of all.

use millrace_bytecode::{Argument, SymbolFamily};
use millrace_model::Result;
use millrace_plan::functions::{Division, Overflow};
use millrace_plan::{Expr, Fold, Function, op};

use crate::steps::{Fact, Step};
use crate::translate::{At, Call, Kind, Traversal, merge_sacks, symbol};

pub(super) const STEP: Step = Step::new("barrier", translate).arguments(0, 1).facts(&[
    Fact::KeepsPlace,
    Fact::Waits,
    Fact::SeesAll,
]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    let first = call.arguments().first();
    if first.and_then(|first| symbol(first, SymbolFamily::Barrier)) == Some("normSack") {
        return normalize(traversal, call);
    }
    if let Some(Argument::Symbol(_)) = first {
        return Err(call.wrong("takes a number of objects, or normSack"));
    }
    match (traversal.shared.merged_sacks, traversal.sack()) {
        (Some(reduction), Some(sack)) => merge_sacks(traversal, sack, reduction),
        _ if !traversal.shared.bulk => {
            let columns = traversal.carried();
            traversal.plan.push(op::Dedup { columns });
        }
        _ => {
            traversal.plan.push(op::Barrier { merge: None });
        }
    }
    Ok(())
}

/// Divides the sacks of the scope by their sum.
fn normalize(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let sack = traversal.sack().ok_or_else(|| call.wrong("has no sack: use withSack()"))?;
    let [rows, total] = ["rows", "total"].map(|name| traversal.plan.column(name));
    let all = Fold::Collect(traversal.carried_list());
    let folds = vec![(rows, all), (total, Fold::Sum(Expr::Column(sack.column)))];
    traversal.plan.push(op::Aggregate { keys: Vec::new(), folds });
    traversal.carry_again(Expr::Column(rows));
    if let Some(own) = traversal.state.sack {
        let share = vec![Expr::literal(1.0), Expr::Column(total)];
        let share = Expr::call(Function::Divide(Division::Widen), share);
        let parts = vec![Expr::Column(own.column), share];
        let share = Expr::call(Function::Multiply(Overflow::Widen), parts);
        let column = traversal.plan.project("sack", share);
        traversal.state.sack = Some(At::new(column, Kind::Any));
    }
    Ok(())
}
