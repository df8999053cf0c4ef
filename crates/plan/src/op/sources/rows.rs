//! Rows from outside the graph.

use millrace_model::{Result, Value};

use crate::base::{ColumnId, ParameterId, PlanNames};
use crate::op::facts::{DependsOn, Distinct, Facts, and_made};
use crate::op::plan_errors::bad_plan;
use crate::printer::Printer;

/// Each row, once for every row of literal values or of a parameter's batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// The batch.
    pub source: RowsSource,
    /// A new column for each column of the batch.
    pub to: Vec<ColumnId>,
}

/// Where `Rows` come from.
#[derive(Clone, Debug, PartialEq)]
pub enum RowsSource {
    /// Literal rows, each with a value for every column.
    Literal(Vec<Vec<Value>>),
    /// A parameter's batch.
    Parameter(ParameterId),
}

impl Facts for Rows {
    fn print(&self, printer: &Printer<'_>) -> String {
        let source = match &self.source {
            RowsSource::Literal(rows) => format!("{} literal rows", rows.len()),
            RowsSource::Parameter(parameter) => printer.parameter(parameter.0),
        };
        format!("Rows {} of {source}", printer.columns(&self.to))
    }

    fn check(&self, plan: &dyn PlanNames) -> Result<()> {
        let wanted = self.to.len();
        match &self.source {
            RowsSource::Literal(rows) => match rows.iter().find(|row| row.len() != wanted) {
                Some(row) => {
                    let found = row.len();
                    Err(bad_plan(format!("a literal row has {found} of {wanted} values")))
                }
                None => Ok(()),
            },
            RowsSource::Parameter(parameter) => {
                if plan.parameter(*parameter).is_none() {
                    return Err(bad_plan(format!("the plan has no parameter {}", parameter.0)));
                }
                Ok(())
            }
        }
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.to.clone()
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        and_made(before, &self.to)
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }
}
