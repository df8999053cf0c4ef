//! Labels that vertices gain and lose.

use crate::base::{ColumnId, PlanNames};
use crate::expr::Expr;
use crate::op::facts::{Effect, Facts, Reads, Writes};
use crate::op::plan_errors::bad_plan;
use crate::op::writes::Label;
use crate::printer::Printer;

/// Adds labels to vertices and removes others; idempotent.
#[derive(Clone, Debug, PartialEq)]
pub struct SetLabels {
    /// The vertex; null is passed over.
    pub vertex: ColumnId,
    /// Labels that it has afterwards; one that is new in the graph is made with the first vertex.
    pub add: Vec<Label>,
    /// Labels that it does not have afterwards.
    pub remove: Vec<Label>,
    /// Whether those of both that it has before are claimed, so that one that stays is a write, too: of two
    /// transactions that add or remove the same label of a vertex and did not see each other, one conflicts.
    pub claims: bool,
}

impl SetLabels {
    fn labels(&self) -> impl Iterator<Item = &Label> {
        self.add.iter().chain(&self.remove)
    }
}

impl Facts for SetLabels {
    fn print(&self, printer: &Printer<'_>) -> String {
        let signed = |sign: &str, labels: &[Label]| {
            let label = |label: &Label| format!(" {sign}{}", label.print(printer));
            labels.iter().map(label).collect::<String>()
        };
        let (added, removed) = (signed("+", &self.add), signed("-", &self.remove));
        let claims = if self.claims { " claimed" } else { "" };
        format!("SetLabels {}{added}{removed}{claims}", printer.column(self.vertex))
    }

    fn check(&self, _plan: &dyn PlanNames) -> millrace_model::Result<()> {
        let both = self.add.iter().find(|label| self.remove.contains(label));
        if let Some(name) = both.and_then(Label::known) {
            return Err(bad_plan(format!("a SetLabels adds and removes the same label {name}")));
        }
        let is_mixed = !self.add.is_empty() && !self.remove.is_empty();
        if is_mixed && self.labels().any(|label| label.known().is_none()) {
            return Err(bad_plan("a SetLabels with labels that rows know adds and removes some"));
        }
        Ok(())
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.labels().filter_map(Label::expr).collect()
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
        writes.labels.all |= self.labels().any(|label| label.known().is_none());
        writes.labels.names.extend(self.labels().filter_map(|label| label.known().cloned()));
    }
}
