//! The merging of sacks: equal traversers become one, whose sack is the reduction of theirs.

use millrace_model::Value;
use millrace_plan::functions::Reduction;
use millrace_plan::{Comparison, Expr, Fold, Function, op};

use super::calls::Call;
use super::kind::{At, Kind};
use super::step::Fact;
use super::traversal::Traversal;

/// Decides after which steps sacks are merged: outside rounds, and only without paths and tags.
#[derive(Default)]
pub(crate) struct SackMerges {
    has_spread: bool,
    is_tagged: bool,
}

impl SackMerges {
    /// Behind a step, before its tags are set.
    pub(crate) fn behind(
        &mut self,
        traversal: &mut Traversal<'_>,
        call: &Call<'_>,
        next: Option<&Call<'_>>,
    ) {
        let Some(reduction) = traversal.shared.merged_sacks else { return };
        let all = call.instruction.arguments.is_empty();
        let spreads = match call.step.is(Fact::LooksUpIds) && !self.has_spread {
            true => all && next.is_none_or(|next| !next.step.is(Fact::TestsElement)),
            false => call.step.is(Fact::Spreads),
        };
        let is_merged = spreads
            && std::mem::replace(&mut self.has_spread, true)
            && !self.is_tagged
            && !traversal.shared.paths
            && traversal.state.loops.is_empty()
            && next.is_some_and(|next| !next.step.is(Fact::Waits));
        self.is_tagged |= !call.tags.is_empty();
        if is_merged && let Some(sack) = traversal.sack() {
            merge_sacks(traversal, sack, reduction);
        }
    }
}

/// Merges traversers that differ only in their sacks into one; its sack is the reduction of theirs.
pub(crate) fn merge_sacks(traversal: &mut Traversal<'_>, sack: At, reduction: Reduction) {
    // Where traversers are at their sacks, their objects stay as they are.
    let own = traversal.plan.project("sack", Expr::Column(sack.column));
    let sack = At::new(own, sack.kind);
    traversal.state.sack = Some(sack);
    let mut keys = traversal.carried();
    keys.retain(|column| *column != sack.column && Some(*column) != traversal.state.bulk_ordinal);
    let [sacks, count] = ["sacks", "count"].map(|name| traversal.plan.column(name));
    let folds = vec![(sacks, Fold::Collect(once(traversal, sack))), (count, Fold::Count)];
    traversal.plan.push(op::Aggregate { keys, folds });
    let all = vec![Expr::Literal(Value::Null), Expr::Column(sacks)];
    let merged = traversal.project("sack", Expr::call(Function::Reduce(reduction), all));
    traversal.state.sack = Some(At::new(merged, Kind::Any));
    traversal.state.other = None;
    traversal.state.property = None;
    if traversal.shared.bulk {
        let to = traversal.plan.column("bulk_ordinal");
        let list = Expr::call(Function::Range, vec![Expr::literal(1_i64), Expr::Column(count)]);
        traversal.plan.push(op::Unwind { list, to, position: None });
        traversal.state.bulk_ordinal = Some(to);
    }
}

/// The sack of a traverser that was merged before counts once, whatever its bulk: of the
/// others null, which is no part of a sum.
fn once(traversal: &Traversal<'_>, sack: At) -> Expr {
    let Some(ordinal) = traversal.state.bulk_ordinal else { return Expr::Column(sack.column) };
    let first = Expr::compare(Comparison::Equal, Expr::Column(ordinal), Expr::literal(1_i64));
    let counts = Expr::Or(vec![Expr::IsNull(Box::new(Expr::Column(ordinal))), first]);
    let branches = vec![(counts, Expr::Column(sack.column))];
    Expr::Case { branches, otherwise: Some(Box::new(Expr::Literal(Value::Null))) }
}
