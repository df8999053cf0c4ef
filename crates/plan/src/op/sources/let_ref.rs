//! The rows of a `Let`.

use millrace_model::Result;

use crate::base::{ColumnId, ColumnSet, LetId, PlanNames};
use crate::op::facts::{DependsOn, Distinct, Facts, and_made};
use crate::op::plan_errors::bad_plan;
use crate::op::{KnownKinds, MadeKinds};
use crate::printer::{Printer, join};

/// Each row, once for every row of a `Let`.
#[derive(Clone, Debug, PartialEq)]
pub struct LetRef {
    /// The `Let`.
    pub name: LetId,
    /// Columns of the `Let`, each with the new column that it becomes.
    pub columns: Vec<(ColumnId, ColumnId)>,
}

impl Facts for LetRef {
    fn print(&self, printer: &Printer<'_>) -> String {
        let name = printer.let_name(self.name);
        let columns =
            match self.columns.as_slice() {
                [] => "()".to_owned(),
                [(_, to)] if printer.let_width(self.name) == 1 => printer.column(*to),
                columns => join(columns.iter().map(|(kept, to)| {
                    format!("{} = {}", printer.column(*to), printer.column(*kept))
                })),
            };
        format!("LetRef {columns} of {name}")
    }

    fn check(&self, plan: &dyn PlanNames) -> Result<()> {
        let Some((name, columns)) = plan.binding(self.name) else {
            return Err(bad_plan(format!("the plan has no Let {}", self.name.0)));
        };
        let other = self.columns.iter().find(|(kept, _)| !columns.contains(kept));
        other.map_or(Ok(()), |(kept, _)| {
            Err(bad_plan(format!("Let {} keeps no column {}", name, kept.0)))
        })
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.columns.iter().map(|(_, to)| *to).collect()
    }

    fn narrow(&mut self, live: &ColumnSet) -> bool {
        let before = self.columns.len();
        self.columns.retain(|(_, to)| live.contains(to));
        self.columns.len() != before
    }

    fn made_kinds(&self, known: &KnownKinds<'_>) -> MadeKinds {
        self.columns.iter().map(|(kept, to)| (*to, known.of(*kept))).collect()
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        and_made(before, &self.made_columns())
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }
}
