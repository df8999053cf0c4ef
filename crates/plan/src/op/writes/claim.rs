//! Keys that no other transaction may make meanwhile.

use millrace_model::Result;

use crate::base::{Name, PlanNames};
use crate::expr::Expr;
use crate::op::ElementColumns;
use crate::op::facts::{DependsOn, Effect, Facts};
use crate::op::plan_errors::bad_plan;
use crate::printer::{Printer, join};

/// Claims, for each row, that there is no vertex with these labels and values: of two transactions that claim the
/// same and did not see each other, one conflicts when it commits. No index and no constraint is needed. A
/// `Merge` of vertices that makes one claims the same for its labels and keys, in their order; a plan that finds
/// and creates by itself needs this in front of its `Create`. A row with a null claims nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The labels; none: any vertex.
    pub labels: Vec<Name>,
    /// The keys.
    pub keys: Vec<Name>,
    /// A value for each key.
    pub values: Vec<Expr>,
}

impl Facts for Claim {
    fn print(&self, printer: &Printer<'_>) -> String {
        let labels = match self.labels.as_slice() {
            [] => "*".to_owned(),
            labels => labels.join(":"),
        };
        let pairs = self.keys.iter().zip(&self.values);
        let pairs = pairs.map(|(key, value)| format!("{key} = {}", printer.expr(value)));
        format!("Claim {labels}({})", join(pairs))
    }

    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        let (keys, values) = (self.keys.len(), self.values.len());
        if keys != values || keys == 0 {
            return Err(bad_plan(format!("a Claim has {keys} keys and {values} values")));
        }
        Ok(())
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.values.iter().collect()
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: false }
    }

    fn goes_in_pieces(&self) -> bool {
        false
    }

    fn effect(&self) -> Option<Effect> {
        Some(Effect::Writes)
    }

    fn may_rename_vertices(&self, _elements: &ElementColumns) -> bool {
        false
    }
}
