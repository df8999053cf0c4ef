//! The rows of a `Let`.

use millrace_model::Result;

use crate::analysis::{KnownKinds, MadeKinds};
use crate::op::facts::{DependsOn, Distinct, Facts, and_made};
use crate::op::plan_errors::bad_plan;
use crate::plan::{ColumnId, LetId, Plan};
use crate::printer::Printer;

/// Each row, once for every row of a `Let`.
#[derive(Clone, Debug, PartialEq)]
pub struct LetRef {
    /// The `Let`.
    pub name: LetId,
    /// The new column.
    pub to: ColumnId,
}

impl Facts for LetRef {
    fn print(&self, printer: &Printer<'_>) -> String {
        format!("LetRef {} of {}", printer.column(self.to), printer.let_name(self.name))
    }

    fn check(&self, plan: &Plan) -> Result<()> {
        if plan.lets.len() <= self.name.0 as usize {
            return Err(bad_plan(format!("the plan has no Let {}", self.name.0)));
        }
        Ok(())
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        vec![self.to]
    }

    fn made_kinds(&self, known: &KnownKinds<'_>) -> MadeKinds {
        vec![(self.to, known.of_let(self.name))]
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        and_made(before, &[self.to])
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }
}
