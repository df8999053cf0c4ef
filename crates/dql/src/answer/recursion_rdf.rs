//! `@recurse` as N-Quads: round by round, each node once for each way of predicates that leads to it.

use std::collections::HashSet;

use millrace_model::{Batch, Result, VertexId};

use super::json::Text;
use super::layout::RecursionLayout;
use super::rdf::Uids;
use super::recursion::{Reached, Recursion, reached, read, steps_of};

/// The quads of nodes and of what is reached from them.
pub(super) fn write_recursion_quads(
    rows: &Batch,
    layout: &RecursionLayout,
    text: &mut Text<'_>,
) -> Result<()> {
    read(rows, layout, |own, roots| {
        let uids = own.values.uids(&layout.node)?;
        let mut open = vec![roots];
        while let Some(nodes) = open.pop() {
            open.extend(own.write_round(nodes, &uids, text)?);
        }
        Ok(())
    })
}

impl Recursion<'_> {
    /// The quads of the nodes that one way leads to; the nodes that each step leads to from there.
    fn write_round(
        &self,
        nodes: Vec<Reached>,
        uids: &Uids,
        text: &mut Text<'_>,
    ) -> Result<Vec<Vec<Reached>>> {
        let mut next: Vec<Vec<Reached>> = self.layout.steps.iter().map(|_| Vec::new()).collect();
        let mut seen: HashSet<VertexId> = HashSet::new();
        for (node, below) in nodes {
            // Reached from several, it has the same below it each time.
            let Some(uid) = uids.get(&node).filter(|_| seen.insert(node)) else { continue };
            if let Some(row) = self.row_of.get(&node) {
                for field in &self.layout.node.fields {
                    self.values.write_values_of(uid, field, *row, text)?;
                }
            }
            for (step, range) in steps_of(&below) {
                let (Some((rows, _)), Some(own)) = (&below, self.layout.steps.get(step)) else {
                    continue;
                };
                for (to, below) in range.filter_map(|row| reached(rows, row)) {
                    let Some(other) = uids.get(&to) else { continue };
                    text.json.push_str(&format!("{uid} <{}> {other} .\n", own.name));
                    next[step].push((to, below));
                }
            }
            text.check()?;
        }
        next.retain(|nodes| !nodes.is_empty());
        Ok(next)
    }
}
