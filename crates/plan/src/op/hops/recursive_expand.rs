//! Rounds over a graph's edges in which each edge is gone once: DQL's `@recurse`.

use millrace_model::Result;

use crate::base::{ColumnId, ColumnSet, PlanNames};
use crate::op::facts::Facts;
use crate::op::plan_errors::{bad_plan, has_effect};
use crate::op::{Demand, Op, Pipeline};
use crate::printer::Printer;

/// Adds the vertices reached from a vertex, as nested bags.
///
/// The rows of a scope are one block. It begins with a list of their vertices; in each round every
/// step goes from every list to a new list of its own, of the vertices reached from the list's vertices,
/// each once, by their ids. An edge (step, from, to) that the block went before is not gone again.
/// A vertex's bag holds a row (number of the step, vertex, edge, bag of that vertex in its list) for each
/// edge gone from it, by steps; the last round's bags are empty. Of parallel edges, which are one, the row holds the
/// first that the step reached the vertex by. The edge is null where the step names none.
#[derive(Clone, Debug, PartialEq)]
pub struct RecursiveExpand {
    /// Where it begins. From null nothing is reached.
    pub from: ColumnId,
    /// The vertex that all steps go from: all they see.
    pub at: ColumnId,
    /// The steps; each vertex is a scope of theirs.
    pub steps: Vec<Pipeline>,
    /// The column at the end of each step that holds the vertex it reached.
    pub next: Vec<ColumnId>,
    /// The column at the end of each step that holds the edge it went by; `None`: that is not read.
    pub edges: Vec<Option<ColumnId>>,
    /// How many rounds at most.
    pub depth: Option<u64>,
    /// Whether an edge is gone each time it is met; then there must be a depth.
    pub loops: bool,
    /// The new column.
    pub to: ColumnId,
}

impl Op {
    /// The recursion, if it is one.
    pub fn recurse(&self) -> Option<&RecursiveExpand> {
        if let Op::RecursiveExpand(recurse) = self { Some(recurse) } else { None }
    }
}

impl Facts for RecursiveExpand {
    fn print(&self, printer: &Printer<'_>) -> String {
        let [to, at, from] = [self.to, self.at, self.from].map(|column| printer.column(column));
        let depth = self.depth.map_or(String::new(), |depth| format!(" depth {depth}"));
        let loops = if self.loops { " again and again" } else { "" };
        let end = |(next, edge): (&ColumnId, &Option<ColumnId>)| {
            let by = printer.optional(" by ", *edge);
            format!("{}{by}", printer.column(*next))
        };
        let ends: Vec<String> = self.next.iter().zip(&self.edges).map(end).collect();
        let ends = ends.join(", ");
        format!("RecursiveExpand {to} of {from} as {at} then {ends}{depth}{loops}")
    }

    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        let (steps, next, edges) = (self.steps.len(), self.next.len(), self.edges.len());
        if steps != next || steps != edges {
            return Err(bad_plan(format!(
                "a RecursiveExpand has {steps} steps, {next} ends of steps and {edges} edges of steps"
            )));
        }
        if self.loops && self.depth.is_none() {
            return Err(bad_plan(
                "a RecursiveExpand that goes edges again needs a depth, or it never ends",
            ));
        }
        if self.steps.iter().any(Pipeline::has_effect) {
            return Err(has_effect("a RecursiveExpand with a step", "behind the RecursiveExpand"));
        }
        Ok(())
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        vec![self.from]
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        vec![self.to]
    }

    fn is_needed(&self, live: &ColumnSet) -> bool {
        live.contains(&self.to)
    }

    fn subplans(&self) -> &[Pipeline] {
        &self.steps
    }

    fn subplans_mut(&mut self) -> &mut [Pipeline] {
        &mut self.steps
    }

    /// Steps read only the vertex they go from, which no operator outside reads.
    fn subplans_see_rows(&self) -> bool {
        false
    }

    fn live_at_end_of_subplan(&self, number: usize, _after: &ColumnSet) -> ColumnSet {
        let edge = self.edges.get(number).copied().flatten();
        self.next.get(number).copied().into_iter().chain(edge).collect()
    }

    fn order_needed(&self, _after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        Demand::Full
    }

    fn order_of_subplans(&self, _after: Demand) -> Demand {
        Demand::Full
    }
}
