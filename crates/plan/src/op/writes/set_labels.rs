//! Labels that vertices gain and lose.

use crate::op::access::{Reads, Writes};
use crate::op::facts::{Effect, Facts};
use crate::op::plan_errors::bad_plan;
use crate::plan::{ColumnId, Name, Plan};
use crate::printer::Printer;

/// Adds labels to vertices and removes others; idempotent.
#[derive(Clone, Debug, PartialEq)]
pub struct SetLabels {
    /// The vertex; null is passed over.
    pub vertex: ColumnId,
    /// Labels that it has afterwards; one that is new in the graph is made with the first vertex.
    pub add: Vec<Name>,
    /// Labels that it does not have afterwards.
    pub remove: Vec<Name>,
}

impl Facts for SetLabels {
    fn print(&self, printer: &Printer<'_>) -> String {
        let signed = |sign: &str, names: &[Name]| {
            names.iter().map(|name| format!(" {sign}{name}")).collect::<String>()
        };
        let (added, removed) = (signed("+", &self.add), signed("-", &self.remove));
        format!("SetLabels {}{added}{removed}", printer.column(self.vertex))
    }

    fn check(&self, _plan: &Plan) -> millrace_model::Result<()> {
        match self.add.iter().find(|name| self.remove.contains(name)) {
            Some(name) => {
                Err(bad_plan(format!("a SetLabels adds and removes the same label {name}")))
            }
            None => Ok(()),
        }
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        vec![self.vertex]
    }

    fn effect(&self) -> Option<Effect> {
        Some(Effect::Writes)
    }

    /// What is written to must still be there.
    fn reads(&self, reads: &mut Reads) {
        reads.records = true;
    }

    fn writes(&self, writes: &mut Writes) {
        writes.labels.names.extend(self.add.iter().chain(&self.remove).cloned());
    }
}
