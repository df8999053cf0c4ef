//! Rows that agree with those of a subplan.

use millrace_model::Result;

use crate::base::{ColumnId, ColumnSet, PlanNames};
use crate::op::facts::{DependsOn, Distinct, Facts};
use crate::op::plan_errors::has_effect;
use crate::op::{Demand, KnownKinds, MadeKinds, Pipeline};
use crate::printer::{Printer, join};

/// Rows joined with those of a subplan that starts from one row without columns and has no
/// effect: it runs once for all. Compared by identity; a null or absent key agrees with nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Join {
    /// The subplan.
    pub right: Pipeline,
    /// The result of rows that agree.
    pub kind: JoinKind,
    /// A column of the rows, and one of the subplan's.
    pub on: Vec<(ColumnId, ColumnId)>,
}

/// The result of a `Join` for rows that agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JoinKind {
    /// Row × the rows that agree with it.
    Inner,
    /// As inner; a row without any stays, the others' columns null.
    Left,
    /// Rows that agree with one.
    Semi,
    /// Rows that agree with none.
    Anti,
}

impl JoinKind {
    /// Whether it gives the columns of its subplan's rows.
    fn gives_rows(self) -> bool {
        matches!(self, JoinKind::Inner | JoinKind::Left)
    }
}

impl Facts for Join {
    fn print(&self, printer: &Printer<'_>) -> String {
        let kind = match self.kind {
            JoinKind::Inner => "inner",
            JoinKind::Left => "left",
            JoinKind::Semi => "semi",
            JoinKind::Anti => "anti",
        };
        let pair = |(left, right): &(ColumnId, ColumnId)| {
            format!("{} = {}", printer.column(*left), printer.column(*right))
        };
        format!("Join {kind} on {}", join(self.on.iter().map(pair)))
    }

    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        if self.right.has_effect() {
            return Err(has_effect("a Join with a subplan", "before the Join"));
        }
        Ok(())
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        self.on.iter().map(|(left, _)| *left).collect()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        if self.kind.gives_rows() { self.right.made_columns() } else { Vec::new() }
    }

    fn new_columns(&self) -> Vec<ColumnId> {
        if self.kind.gives_rows() { self.right.new_columns() } else { Vec::new() }
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        MadeKinds::new()
    }

    fn subplans(&self) -> &[Pipeline] {
        std::slice::from_ref(&self.right)
    }

    fn subplans_mut(&mut self) -> &mut [Pipeline] {
        std::slice::from_mut(&mut self.right)
    }

    fn live_at_end_of_subplan(&self, _number: usize, after: &ColumnSet) -> ColumnSet {
        let keys = self.on.iter().map(|(_, right)| *right);
        let given = self.made_columns().into_iter().filter(|column| after.contains(column));
        keys.chain(given).collect()
    }

    fn order_of_subplans(&self, after: Demand) -> Demand {
        if self.kind.gives_rows() { after } else { Demand::Free }
    }

    /// Joined rows may repeat.
    fn distinct_after(&self, before: Distinct) -> Distinct {
        if self.kind.gives_rows() { None } else { before }
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: self.kind != JoinKind::Left }
    }

    /// Its subplan runs again for each piece.
    fn goes_in_pieces(&self) -> bool {
        false
    }
}
