//! What no other transaction may make, set or delete meanwhile.

use millrace_model::Result;

use crate::base::{Name, PlanNames};
use crate::expr::Expr;
use crate::op::ElementColumns;
use crate::op::facts::{DependsOn, Effect, Facts};
use crate::op::plan_errors::bad_plan;
use crate::printer::{Printer, join};

/// Claims something for each row: of two transactions that claim the same and did not see each other, one conflicts
/// when it commits. A row with a null claims nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What is claimed.
    pub of: Claimed,
}

/// What a row claims.
#[derive(Clone, Debug, PartialEq)]
pub enum Claimed {
    /// A vertex with these labels and values. No index and no constraint is needed. A `Merge` of vertices that makes
    /// one claims the same for its labels and keys, in their order; a plan that finds and creates by itself needs this
    /// in front of its `Create`.
    Vertex {
        /// The labels; none: any vertex.
        labels: Vec<Name>,
        /// The keys.
        keys: Vec<Name>,
        /// A value for each key.
        values: Vec<Expr>,
    },
    /// An edge of a type between two vertices, whether it is there or not. A `Merge` of edges without keys that makes
    /// one claims the same; a plan that finds the edge, or deletes it, needs this where the edge is a fact to its
    /// language, and not an element.
    Edge {
        /// The type's name.
        edge_type: Expr,
        /// The vertex that it leaves.
        source: Expr,
        /// The vertex that it enters.
        target: Expr,
    },
}

impl Claim {
    /// A claim of a vertex.
    pub fn vertex(labels: Vec<Name>, keys: Vec<Name>, values: Vec<Expr>) -> Claim {
        Claim { of: Claimed::Vertex { labels, keys, values } }
    }
}

impl Facts for Claim {
    fn print(&self, printer: &Printer<'_>) -> String {
        match &self.of {
            Claimed::Vertex { labels, keys, values } => {
                let labels = match labels.as_slice() {
                    [] => "*".to_owned(),
                    labels => labels.join(":"),
                };
                let pairs = keys.iter().zip(values);
                let pairs = pairs.map(|(key, value)| format!("{key} = {}", printer.expr(value)));
                format!("Claim {labels}({})", join(pairs))
            }
            Claimed::Edge { edge_type, source, target } => {
                let [edge_type, source, target] =
                    [edge_type, source, target].map(|own| printer.expr(own));
                format!("Claim {source} -[{edge_type}]-> {target}")
            }
        }
    }

    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        let Claimed::Vertex { keys, values, .. } = &self.of else { return Ok(()) };
        let (keys, values) = (keys.len(), values.len());
        if keys != values || keys == 0 {
            return Err(bad_plan(format!("a Claim has {keys} keys and {values} values")));
        }
        Ok(())
    }

    fn exprs(&self) -> Vec<&Expr> {
        match &self.of {
            Claimed::Vertex { values, .. } => values.iter().collect(),
            Claimed::Edge { edge_type, source, target } => vec![edge_type, source, target],
        }
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
