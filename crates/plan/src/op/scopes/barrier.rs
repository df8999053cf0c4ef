//! A scope's rows at once, equal ones merged if wanted.

use crate::base::{ColumnId, ColumnSet};
use crate::op::Demand;
use crate::op::facts::{DependsOn, Facts};
use crate::printer::Printer;

/// Collects its scope before one row goes on; with `merge`, rows equal on the live columns
/// become one, weights added.
#[derive(Clone, Debug, PartialEq)]
pub struct Barrier {
    /// Columns to merge on; `None` is a plain barrier. Other columns are dropped.
    pub merge: Option<Vec<ColumnId>>,
}

impl Facts for Barrier {
    fn print(&self, printer: &Printer<'_>) -> String {
        match &self.merge {
            Some(columns) => format!("Barrier merge({})", printer.columns(columns)),
            None => "Barrier".to_owned(),
        }
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        self.merge.clone().unwrap_or_default()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.merge.clone().unwrap_or_default()
    }

    fn new_columns(&self) -> Vec<ColumnId> {
        Vec::new()
    }

    fn drops_other_columns(&self) -> bool {
        self.merge.is_some()
    }

    fn order_needed(&self, after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        if self.merge.is_some() { after.min(Demand::FirstAppearance) } else { after }
    }

    fn distinct_columns(&self) -> Option<&[ColumnId]> {
        self.merge.as_deref()
    }

    fn depends_on(&self) -> DependsOn<'_> {
        match &self.merge {
            Some(keys) => DependsOn::Group { keys, drops: false },
            None => DependsOn::Order,
        }
    }
}
