//! Operators with pipelines inside: for each row, for all, for groups of rows, in rounds.

pub(super) mod apply;
pub(super) mod group;
pub(super) mod in_transactions;
pub(super) mod join;
pub(super) mod repeat;
pub(super) mod union;

pub use apply::ApplyKind;
pub use in_transactions::OnBatchError;
pub use join::JoinKind;
pub use repeat::{Carried, RoundPlace, RoundTest};
pub use union::UnionPick;

use crate::op::Pipeline;
use crate::op::facts::Distinct;

impl Pipeline {
    /// The columns on which its rows are distinct at its end, where those that it starts from are on
    /// `distinct`.
    pub(crate) fn distinct_at_end(&self, distinct: Distinct) -> Distinct {
        self.ops.iter().fold(distinct, |distinct, op| op.distinct_after(distinct))
    }
}
