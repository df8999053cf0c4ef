//! A subplan for each group of rows.

use millrace_model::Result;

use crate::base::{ColumnId, ColumnSet, PlanNames};
use crate::op::facts::{DependsOn, Distinct, Facts};
use crate::op::plan_errors::has_effect;
use crate::op::{Demand, KnownKinds, MadeKinds, Pipeline};
use crate::printer::Printer;

/// Runs a subplan once, with each group of a scope's rows as a scope: it starts from the group's
/// rows. A group, in order of first appearance, gives its keys × the subplan's rows; of their columns
/// those that the subplan made.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The keys.
    pub keys: Vec<ColumnId>,
    /// The subplan.
    pub sub: Pipeline,
}

impl Facts for Group {
    fn print(&self, printer: &Printer<'_>) -> String {
        format!("Group [{}]", printer.columns(&self.keys))
    }

    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        if !self.sub.only_random() {
            return Err(has_effect("a Group with a subplan", "behind the Group"));
        }
        Ok(())
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        self.keys.clone()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        let made = self.sub.made_columns().into_iter();
        let made = made.filter(|column| !self.keys.contains(column));
        self.keys.iter().copied().chain(made).collect()
    }

    fn new_columns(&self) -> Vec<ColumnId> {
        self.sub.new_columns()
    }

    fn drops_other_columns(&self) -> bool {
        true
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        MadeKinds::new()
    }

    fn subplans(&self) -> &[Pipeline] {
        std::slice::from_ref(&self.sub)
    }

    fn subplans_mut(&mut self) -> &mut [Pipeline] {
        std::slice::from_mut(&mut self.sub)
    }

    fn live_at_end_of_subplan(&self, _number: usize, after: &ColumnSet) -> ColumnSet {
        after.iter().copied().filter(|column| !self.keys.contains(column)).collect()
    }

    /// Groups come in order of first appearance, effects in the order of the rows.
    /// Groups come by first appearance, which is no order that was asked for.
    fn keeps_order(&self) -> bool {
        false
    }

    fn order_needed(&self, after: Demand, _live: &ColumnSet, subplans: &[Demand]) -> Demand {
        if self.sub.has_effect() {
            return Demand::Full;
        }
        let first = after.min(Demand::FirstAppearance);
        subplans.iter().copied().fold(first, Demand::max)
    }

    /// The rows of a group may repeat.
    fn distinct_after(&self, _before: Distinct) -> Distinct {
        None
    }

    /// Without keys there is a group even of nothing; a group without rows in its subplan gives none.
    fn depends_on(&self) -> DependsOn<'_> {
        match self.keys.as_slice() {
            [] => DependsOn::Scope,
            keys => DependsOn::Group { keys, drops: true },
        }
    }
}
