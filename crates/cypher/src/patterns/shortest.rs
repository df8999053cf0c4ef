//! Shortest paths.

use millrace_model::Result;
use millrace_plan::op::{self, PathMode};
use millrace_plan::{ColumnId, Expr};

use super::Matching;
use super::chain::node_at;
use super::node::conditions_of;
use super::paths::PathObject;
use crate::translate::{Translator, unsupported};
use crate::tree::{PathPart, PathPattern, Selector};

impl Translator<'_> {
    /// Finds those paths of a pattern that its selector wants.
    pub(super) fn selected_paths(
        &mut self,
        pattern: &PathPattern,
        matching: &mut Matching,
    ) -> Result<()> {
        let mode = match pattern.selector {
            Selector::ShortestPath | Selector::Shortest(1) | Selector::Any(1) => {
                PathMode::AnyShortest
            }
            Selector::AllShortestPaths | Selector::AllShortest => PathMode::AllShortest,
            Selector::Shortest(count) | Selector::Any(count) => PathMode::CheapestTrails(count),
            Selector::ShortestGroups(_) => {
                let help = "use ALL SHORTEST, or SHORTEST k";
                return Err(unsupported(pattern.at, "SHORTEST k GROUPS", help));
            }
            Selector::All => return self.chain(pattern, matching),
        };
        let [PathPart::Node(first), PathPart::Relationship(own), PathPart::Node(last)] =
            pattern.parts.as_slice()
        else {
            let help = "write one relationship of variable length between two nodes";
            return Err(unsupported(pattern.at, "a shortest path of several parts", help));
        };
        let from = self.first_node(first, matching)?;
        // With few candidates for the end, one search to each of them is the least work.
        let into = self.first_node(last, matching)?;
        let path = self.ways(own, (from, node_at(pattern, 2)?), true, mode)?;
        let edges = self.plan.column(own.variable.name.trim_start());
        let whole = self.plan.column("path");
        let types = path.steps.first().and_then(|step| step.types.clone());
        self.plan.push(op::PathExpand {
            path: op::PathPattern { into: Some(into), ..path },
            edges: Some(edges),
            vertices: None,
            whole: Some(whole),
            to: None,
            cost: None,
        });
        self.found(&own.variable, edges, matching);
        self.must_differ(edges, types, matching);
        self.test(conditions_of(last), matching)?;
        if let Some(variable) = &pattern.variable {
            let part = PathObject::Part { path: whole, reversed: false };
            let path = self.path_of(variable, vec![part])?;
            self.found(variable, path, matching);
        }
        Ok(())
    }

    /// The value of a shortest path between nodes that are bound.
    pub(crate) fn path_value(&mut self, pattern: &PathPattern) -> Result<Expr> {
        let mut matching = Matching::default();
        self.selected_paths(pattern, &mut matching)?;
        let path = self.last_path(pattern)?;
        Ok(Expr::Column(path))
    }

    fn last_path(&self, pattern: &PathPattern) -> Result<ColumnId> {
        match &pattern.variable {
            Some(variable) => self.column_of(variable),
            None => {
                let help = "give the path a variable";
                Err(unsupported(pattern.at, "a shortest path without a variable", help))
            }
        }
    }
}
