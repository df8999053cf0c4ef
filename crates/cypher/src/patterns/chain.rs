//! A path as a chain of hops from its start, and its value.

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr};

use super::Matching;
use super::alternating::alternating;
use super::parts::{may_be_empty, node_at};
use super::paths::PathObject;
use crate::translate::{Translator, unsupported};
use crate::tree::{PathPart, PathPattern};

impl Translator<'_> {
    /// Finds all paths of a pattern.
    pub(super) fn chain(&mut self, pattern: &PathPattern, matching: &mut Matching) -> Result<()> {
        let parts = &pattern.parts;
        if let [PathPart::Quantified(only)] = parts.as_slice()
            && only.length.is_none()
        {
            // Parentheses that only group.
            self.chain(&only.pattern, matching)?;
            return match &only.test {
                Some(test) => self.test(vec![test.clone()], matching),
                None => Ok(()),
            };
        }
        let pattern = &*alternating(pattern)?;
        let parts = &pattern.parts;
        self.find_by_ids(pattern, matching)?;
        let bound = parts.iter().position(|part| match part {
            PathPart::Relationship(own) => {
                self.bound_column(&own.variable).is_some() && !may_be_empty(own)
            }
            PathPart::Node(_) | PathPart::Quantified(_) => false,
        });
        let mut objects: Vec<Option<PathObject>> = parts.iter().map(|_| None).collect();
        let start = self.start_of(pattern, matching);
        let first = match (bound, &parts[start]) {
            // The ends of a relationship that is bound need no search.
            (Some(place), PathPart::Node(node)) if self.bound_column(&node.variable).is_none() => {
                self.ends_of_bound(pattern, place, matching)?;
                place - 1
            }
            _ => start,
        };
        let node = node_at(pattern, first)?;
        let was_bound = self.bound_column(&node.variable).is_some();
        let column = self.first_node(node, matching)?;
        if was_bound && parts.len() == 1 {
            // Null is no node. A hop from it finds nothing by itself.
            self.plan.filter(Expr::IsNull(Box::new(Expr::Column(column))).negate());
        }
        objects[first] = Some(PathObject::Element(column));
        matching.start = Some(column);
        let mut at = column;
        for place in (first + 1..parts.len()).step_by(2) {
            let (object, next) = self.hop(pattern, (place, place + 1), at, matching)?;
            objects[place] = Some(object);
            objects[place + 1] = Some(PathObject::Element(next));
            at = next;
        }
        at = column;
        for place in (0..first).rev().step_by(2) {
            let (object, next) = self.hop(pattern, (place, place - 1), at, matching)?;
            objects[place] = Some(object);
            objects[place - 1] = Some(PathObject::Element(next));
            at = next;
        }
        if let Some(variable) = &pattern.variable {
            let path = self.path_of(variable, objects.into_iter().flatten().collect());
            self.found(variable, path, matching);
        }
        Ok(())
    }

    /// Along the part at one place to the node at the other.
    fn hop(
        &mut self,
        pattern: &PathPattern,
        (place, to): (usize, usize),
        from: ColumnId,
        matching: &mut Matching,
    ) -> Result<(PathObject, ColumnId)> {
        let node = node_at(pattern, to)?;
        let forward = place < to;
        match &pattern.parts[place] {
            PathPart::Relationship(own) if own.length.is_none() => {
                let (edge, end) = self.single_hop(own, (from, node), forward, matching)?;
                Ok((PathObject::Element(edge), end))
            }
            PathPart::Relationship(own) => {
                self.long_hop((pattern, own), (from, node), forward, matching)
            }
            PathPart::Quantified(own) => {
                self.quantified_hop((pattern, own), (from, node), forward, matching)
            }
            PathPart::Node(own) => {
                let help = "write a relationship between two nodes";
                Err(unsupported(own.at, "a node directly after another", help))
            }
        }
    }
}
