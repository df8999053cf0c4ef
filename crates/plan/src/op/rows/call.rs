//! A call of a procedure.

use crate::base::{ColumnId, Name};
use crate::expr::Expr;
use crate::op::facts::{Distinct, Effect, Facts, Reads};
use crate::printer::{Printer, join};

/// Each row, once for every row that the procedure yields for its arguments; one that yields
/// nothing by its nature keeps the row. The call of a procedure that writes is an effect: it happens even if its
/// result is not read.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its name, as the engine's registry has it.
    pub procedure: Name,
    /// Its arguments.
    pub arguments: Vec<Expr>,
    /// Names that it yields, each with its new column.
    pub yields: Vec<(Name, ColumnId)>,
    /// Whether the procedure writes, as its signature says.
    pub writes: bool,
}

impl Facts for Call {
    fn print(&self, printer: &Printer<'_>) -> String {
        let arguments = join(self.arguments.iter().map(|argument| printer.expr(argument)));
        let yields = self.yields.iter();
        let yields = join(yields.map(|(name, to)| format!("{} = {name}", printer.column(*to))));
        let yields = if yields.is_empty() { yields } else { format!(" yields {yields}") };
        let writes = if self.writes { " writes" } else { "" };
        format!("Call {}({arguments}){yields}{writes}", self.procedure)
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.arguments.iter().collect()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.yields.iter().map(|(_, column)| *column).collect()
    }

    fn distinct_after(&self, _before: Distinct) -> Distinct {
        None
    }

    fn effect(&self) -> Option<Effect> {
        self.writes.then_some(Effect::Writes)
    }

    /// A plan does not know the data that a procedure reads, so it counts as all.
    fn reads(&self, reads: &mut Reads) {
        (reads.vertices, reads.edges, reads.records) = (true, true, true);
        (reads.keys.all, reads.labels.all) = (true, true);
    }
}
