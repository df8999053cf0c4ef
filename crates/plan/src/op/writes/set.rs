//! New values of properties.

use super::WriteRules;
use crate::base::{ColumnId, ColumnSet, ElementKind};
use crate::expr::Expr;
use crate::op::facts::{Effect, Facts, Reads, Writes};
use crate::op::{Demand, ElementColumns, Properties};
use crate::printer::Printer;

/// Sets properties; the last row of an element wins. A null value removes.
#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    /// The element; null is passed over.
    pub element: ColumnId,
    /// The properties to set.
    pub properties: Properties,
    /// Whether all other properties are removed.
    pub replace: bool,
    /// The rules of the language.
    pub rules: WriteRules,
}

impl Facts for Set {
    fn print(&self, printer: &Printer<'_>) -> String {
        let verb = if self.replace { "=" } else { "+=" };
        format!("Set {} {verb} {}", printer.column(self.element), self.properties.print(printer))
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.properties.exprs().collect()
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        vec![self.element]
    }

    fn order_needed(&self, _after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        Demand::Full
    }

    fn effect(&self) -> Option<Effect> {
        Some(Effect::Writes)
    }

    fn may_rename_vertices(&self, elements: &ElementColumns) -> bool {
        elements.get(&self.element) != Some(&ElementKind::Edge)
    }

    /// The element must still exist.
    fn reads(&self, reads: &mut Reads) {
        reads.records = true;
    }

    fn writes(&self, writes: &mut Writes) {
        writes.keys.add(&self.properties);
        writes.keys.all |= self.replace;
    }
}
