//! New elements.

use super::Template;
use crate::base::{ColumnId, ColumnSet, ElementKind};
use crate::expr::Expr;
use crate::op::facts::{Distinct, Effect, Facts, Reads, Writes, and_made, kinds_of};
use crate::op::{Demand, ElementColumns, KnownKinds, MadeKinds};
use crate::printer::Printer;

/// Makes an element for each single row.
#[derive(Clone, Debug, PartialEq)]
pub struct Create {
    /// The elements to make.
    pub template: Template,
    /// The id of each element, chosen by the client: an integer from 1 or a text, which no other
    /// vertex, or no other edge, has. Null: the store gives a number.
    pub id: Option<Expr>,
    /// The new column.
    pub to: ColumnId,
}

impl Facts for Create {
    fn print(&self, printer: &Printer<'_>) -> String {
        let id = self.id.as_ref();
        let id = id.map_or(String::new(), |id| format!(" id {}", printer.expr(id)));
        format!("Create {} {}{id}", printer.column(self.to), self.template.print(printer))
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.template.exprs().chain(&self.id).collect()
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        self.template.ends()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        vec![self.to]
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        kinds_of(self.template.kind(), &[self.to])
    }

    fn order_needed(&self, _after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        Demand::Full
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        and_made(before, &[self.to])
    }

    fn effect(&self) -> Option<Effect> {
        Some(Effect::Writes)
    }

    fn may_rename_vertices(&self, _elements: &ElementColumns) -> bool {
        false
    }

    /// The ends of an edge must still exist.
    fn reads(&self, reads: &mut Reads) {
        reads.records = self.template.kind() == ElementKind::Edge;
    }

    fn writes(&self, writes: &mut Writes) {
        writes.add_elements(self.template.kind());
    }
}
