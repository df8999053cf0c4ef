//! Named collections of values.

use crate::base::{ColumnSet, Name};
use crate::expr::{Expr, SideFold};
use crate::op::Demand;
use crate::op::facts::{Effect, Facts, Writes};
use crate::printer::Printer;

/// Adds a value of every row, w times, to a named collection; all rows of the scope are added
/// before one goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct SideEffect {
    /// The collection.
    pub name: Name,
    /// The value to add.
    pub value: Expr,
    /// The kind of the collection.
    pub fold: SideFold,
}

impl Facts for SideEffect {
    fn print(&self, printer: &Printer<'_>) -> String {
        let fold = match self.fold {
            SideFold::Set => "set",
            SideFold::List => "list",
            SideFold::Bag => "bag",
        };
        format!("SideEffect {} += {} ({fold})", self.name, printer.expr(&self.value))
    }

    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.value]
    }

    fn order_needed(&self, after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        match self.fold {
            SideFold::List => Demand::Full,
            SideFold::Set | SideFold::Bag => after,
        }
    }

    fn effect(&self) -> Option<Effect> {
        Some(Effect::Collects)
    }

    fn writes(&self, writes: &mut Writes) {
        writes.side_effects.insert(self.name.clone());
    }
}
