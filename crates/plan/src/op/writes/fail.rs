//! The end of a query by an error.

use millrace_model::ErrorKind;

use crate::expr::Expr;
use crate::op::ElementColumns;
use crate::op::facts::{Effect, Facts};
use crate::printer::Printer;

/// Ends the query with an error as soon as there is a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Fail {
    /// The message of the error.
    pub message: Expr,
    /// The kind of the error: [`ErrorKind::Failed`] where the query itself says that it fails.
    pub kind: ErrorKind,
}

impl Facts for Fail {
    fn print(&self, printer: &Printer<'_>) -> String {
        let message = printer.expr(&self.message);
        match self.kind {
            ErrorKind::Failed => format!("Fail {message}"),
            kind => format!("Fail as {kind:?} {message}"),
        }
    }

    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.message]
    }

    fn effect(&self) -> Option<Effect> {
        Some(Effect::Writes)
    }

    fn may_rename_vertices(&self, _elements: &ElementColumns) -> bool {
        false
    }
}
