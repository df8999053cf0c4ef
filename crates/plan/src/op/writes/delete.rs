//! Elements that are gone.

use crate::base::ElementKind;
use crate::expr::Expr;
use crate::op::ElementColumns;
use crate::op::facts::{Effect, Facts, Writes};
use crate::printer::Printer;

/// Deletes elements; idempotent.
#[derive(Clone, Debug, PartialEq)]
pub struct Delete {
    /// The elements.
    pub element: Expr,
    /// Whether a vertex's edges go with it; else they must be gone when the statement ends.
    pub detach: bool,
}

impl Facts for Delete {
    fn print(&self, printer: &Printer<'_>) -> String {
        let detach = if self.detach { " detach" } else { "" };
        format!("Delete {}{detach}", printer.expr(&self.element))
    }

    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.element]
    }

    fn effect(&self) -> Option<Effect> {
        Some(Effect::Writes)
    }

    fn may_rename_vertices(&self, elements: &ElementColumns) -> bool {
        let Expr::Column(element) = &self.element else { return true };
        elements.get(element) != Some(&ElementKind::Edge)
    }

    fn writes(&self, writes: &mut Writes) {
        writes.deletes = true;
    }
}
