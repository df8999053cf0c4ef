//! Relationships of variable length.

use millrace_model::Result;
use millrace_plan::op::{self, Loops, PathAlternative, PathMode, PathTest};
use millrace_plan::{ColumnId, Expr, Function};

use super::Matching;
use super::conditions::{conditions_of, conditions_of_edge};
use super::parts::{edge_types, way};
use super::paths::PathObject;
use super::repeated::types_of;
use crate::functions::needs_operators;
use crate::translate::{Translator, unsupported};
use crate::tree::{LabelExpr, NodePattern, PathPattern, RelationshipPattern};
use crate::types::Type;

impl Translator<'_> {
    /// Along a relationship of variable length: the part of the path, and the node.
    pub(super) fn long_hop(
        &mut self,
        (pattern, own): (&PathPattern, &RelationshipPattern),
        (from, node): (ColumnId, &NodePattern),
        forward: bool,
        matching: &mut Matching,
    ) -> Result<(PathObject, ColumnId)> {
        if let Some(list) = self.bound_column(&own.variable) {
            return self.along_bound_list(own, (list, from), node, forward, matching);
        }
        let mut path = self.ways(own, from, forward, matching)?;
        self.search_where(pattern, Some(&own.variable), &mut path, matching)?;
        matching.let_repeat(own.at, &mut path)?;
        let is_tested = self.bind_far_end(node, &path, matching)?;
        let edges = self.plan.column(own.variable.name.trim_start());
        let whole = self.plan.column("part");
        let bound = self.bound_column(&node.variable);
        let to = bound.is_none().then(|| self.new_column(&node.variable));
        let types = types_of(&path.steps);
        let path = op::PathPattern { into: bound, ..path }.depth_first();
        self.plan.push(op::PathExpand {
            edges: Some(edges),
            whole: Some(whole),
            to,
            ..op::PathExpand::unread(path)
        });
        let list = match forward {
            true => edges,
            // The list is in the order of the text.
            false => {
                let reversed = Expr::call(Function::Reverse, vec![Expr::Column(edges)]);
                self.plan.project(own.variable.name.trim_start(), reversed)
            }
        };
        let end = bound.or(to).unwrap_or(from);
        self.found(&own.variable, list, matching);
        self.found(&node.variable, end, matching);
        self.must_differ(list, types, matching);
        if !is_tested {
            self.test(conditions_of(node), matching)?;
        }
        Ok((PathObject::Part { path: whole, reversed: !forward }, end))
    }

    /// The search for the trails of a relationship of variable length from a vertex.
    pub(super) fn ways(
        &mut self,
        own: &RelationshipPattern,
        from: ColumnId,
        forward: bool,
        matching: &Matching,
    ) -> Result<op::PathPattern> {
        let (types, rest) = edge_types(own.types.as_ref());
        let mut step = PathAlternative::along(types, way(own.direction, forward), Loops::Once);
        if !conditions_of_edge(own, rest).is_empty() {
            let [edge, vertex] = ["edge", "vertex"].map(|name| self.plan.column(name));
            let holds = self.test_of_each(own, rest, edge, matching)?;
            step.test = Some(PathTest { edge, vertex, holds });
        }
        let mut length = own.length.map_or((1, Some(1)), |length| (length.min, length.max));
        if length.1.is_some_and(|max| max < length.0) {
            // An empty interval has no path.
            self.plan.filter(Expr::literal(false));
            length.1 = Some(length.0);
        }
        Ok(op::PathPattern::repeating(from, step.into(), length, PathMode::Trail))
    }

    /// What is asked of each relationship of a path, in a column: these types, and the pattern's other conditions.
    pub(super) fn test_of_each(
        &mut self,
        own: &RelationshipPattern,
        types: Option<&LabelExpr>,
        edge: ColumnId,
        matching: &Matching,
    ) -> Result<Expr> {
        let conditions = conditions_of_edge(own, types);
        if conditions.iter().any(needs_operators) {
            let help = "test the relationships of the path after the pattern";
            return Err(unsupported(own.at, "a subquery on each relationship of a path", help));
        }
        let is_later =
            |symbol| Some(symbol) != own.variable.symbol && matching.pending.contains(&symbol);
        if conditions.iter().any(|test| test.reads(&is_later)) {
            let help = "bind that variable in an earlier MATCH";
            let what = "a condition on each relationship of a path that reads a later variable";
            return Err(unsupported(own.at, what, help));
        }
        let before = self.columns.clone();
        self.bind(&own.variable, edge);
        self.inside += 1;
        // The variable is one of a list, and here it stands for an entry.
        let types = types.map(|types| self.labels(Expr::Column(edge), &Type::Relationship, types));
        let others = conditions_of_edge(own, None);
        let others = others.iter().map(|test| self.expr(test));
        let tests = types.into_iter().chain(others.collect::<Vec<_>>()).collect::<Result<Vec<_>>>();
        self.inside -= 1;
        self.columns = before;
        Ok(Expr::And(tests?))
    }
}
