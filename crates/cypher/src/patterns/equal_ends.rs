//! `shortestPath` and `allShortestPaths` between a node and itself: an error, as in Neo4j.

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr, Function};

use super::Matching;
use crate::translate::Translator;
use crate::tree::PathPart;

impl Translator<'_> {
    /// Refuses rows whose ends are one node, once the conditions on these ends were asked. A path of no relationship may
    /// begin and end at one node if its ends have two names.
    pub(super) fn refuse_equal_ends(
        &mut self,
        part: &PathPart,
        (from, into): (ColumnId, ColumnId),
        matching: &mut Matching,
    ) -> Result<()> {
        let PathPart::Relationship(own) = part else { return Ok(()) };
        if from != into && own.length.is_some_and(|length| length.min == 0) {
            return Ok(());
        }
        for test in 0..matching.conjuncts.len() {
            let is_later = |symbol| matching.pending.contains(&symbol);
            if !matching.tested.contains(&test) && !matching.conjuncts[test].reads(&is_later) {
                self.test_now(test, matching)?;
            }
        }
        let ends = vec![Expr::Column(from), Expr::Column(into)];
        self.plan.filter(Expr::call(Function::EndsDiffer, ends));
        Ok(())
    }
}
