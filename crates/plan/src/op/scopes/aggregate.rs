//! Folds of groups of rows.

use crate::base::{ColumnId, ColumnSet};
use crate::expr::{Expr, Fold};
use crate::op::Demand;
use crate::op::facts::{DependsOn, Facts};
use crate::printer::{Printer, join};

/// One row for each distinct key of a scope, in order of first appearance; without keys one
/// row for each scope. Keeps only the keys and folds.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate {
    /// The keys.
    pub keys: Vec<ColumnId>,
    /// New column and its fold.
    pub folds: Vec<(ColumnId, Fold)>,
}

impl Facts for Aggregate {
    fn print(&self, printer: &Printer<'_>) -> String {
        let fold = |(to, fold): &(ColumnId, Fold)| {
            format!("{} = {}", printer.column(*to), printer.fold(fold))
        };
        let folds = join(self.folds.iter().map(fold));
        format!("Aggregate [{}] {folds}", printer.columns(&self.keys))
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.folds.iter().filter_map(|(_, fold)| fold.expr()).collect()
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        self.keys.clone()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.keys.iter().copied().chain(self.new_columns()).collect()
    }

    fn new_columns(&self) -> Vec<ColumnId> {
        self.folds.iter().map(|(column, _)| *column).collect()
    }

    fn drops_other_columns(&self) -> bool {
        true
    }

    /// Drops dead folds, but for those that drop rows, and keeps one at least.
    fn narrow(&mut self, live: &ColumnSet) -> bool {
        let (before, first) = (self.folds.len(), self.folds.first().cloned());
        self.folds.retain(|(column, fold)| live.contains(column) || fold.drops_rows());
        if self.folds.is_empty() {
            self.folds.extend(first);
        }
        self.folds.len() != before
    }

    /// Groups come by first appearance, which is no order that was asked for.
    fn keeps_order(&self) -> bool {
        false
    }

    fn order_needed(&self, after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        if self.folds.iter().any(|(_, fold)| !fold.is_commutative()) {
            return Demand::Full;
        }
        if self.keys.is_empty() { Demand::Free } else { after.min(Demand::FirstAppearance) }
    }

    fn distinct_columns(&self) -> Option<&[ColumnId]> {
        Some(&self.keys)
    }

    /// Without keys there is a row even of nothing.
    fn depends_on(&self) -> DependsOn<'_> {
        if self.keys.is_empty() {
            return DependsOn::Scope;
        }
        let drops = self.folds.iter().any(|(_, fold)| fold.drops_rows());
        DependsOn::Group { keys: &self.keys, drops }
    }
}
