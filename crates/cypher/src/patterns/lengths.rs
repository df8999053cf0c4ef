//! Relationships of variable length.

use millrace_model::{Direction as Way, Result};
use millrace_plan::op::{self, Loops, PathLeg, PathMode, PathTest};
use millrace_plan::{ColumnId, Comparison, ElementKind, End, Expr, Function, Makes};

use super::Matching;
use super::chain::node_at;
use super::hop::{conditions_of_edge, edge_types, way};
use super::node::conditions_of;
use super::paths::PathObject;
use crate::expressions::path_of;
use crate::functions::last_of;
use crate::translate::{Translator, unsupported};
use crate::tree::{NodePattern, PathPart, PathPattern, RelationshipPattern, needs_operators};

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
        let is_tested = self.bind_far_end(node, &path, matching)?;
        let edges = self.plan.column(own.variable.name.trim_start());
        let whole = self.plan.column("part");
        let bound = self.bound_column(&node.variable);
        let to = bound.is_none().then(|| self.new_column(&node.variable));
        let types = path.steps.first().and_then(|step| step.types.clone());
        self.plan.push(op::PathExpand {
            path: op::PathPattern { into: bound, ..path }.depth_first(),
            edges: Some(edges),
            vertices: None,
            whole: Some(whole),
            to,
            cost: None,
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
        let conditions = conditions_of_edge(own, rest);
        let mut step = PathLeg::along(types, way(own.direction, forward), Loops::Once);
        if !conditions.is_empty() {
            if conditions.iter().any(needs_operators) {
                let help = "test the relationships of the path behind the pattern";
                return Err(unsupported(own.at, "a subquery on each relationship of a path", help));
            }
            let is_later =
                |symbol| Some(symbol) != own.variable.symbol && matching.pending.contains(&symbol);
            if conditions.iter().any(|test| test.reads(&is_later)) {
                let help = "bind that variable in a MATCH before";
                let what = "a condition on each relationship of a path that reads a later variable";
                return Err(unsupported(own.at, what, help));
            }
            let [edge, vertex] = ["edge", "vertex"].map(|name| self.plan.column(name));
            let before = self.columns.clone();
            self.bind(&own.variable, edge);
            self.inside += 1;
            let tests = conditions.iter().map(|test| self.expr(test)).collect::<Result<Vec<_>>>();
            self.inside -= 1;
            self.columns = before;
            step.test = Some(PathTest { edge, vertex, holds: Expr::And(tests?) });
        }
        let mut length = own.length.map_or((1, Some(1)), |length| (length.min, length.max));
        if length.1.is_some_and(|max| max < length.0) {
            // An empty interval has no path.
            self.plan.filter(Expr::literal(false));
            length.1 = Some(length.0);
        }
        Ok(op::PathPattern::repeating(from, step, length, PathMode::Trail))
    }

    /// Along a list of edges that is bound.
    fn along_bound_list(
        &mut self,
        own: &RelationshipPattern,
        (list, from): (ColumnId, ColumnId),
        node: &NodePattern,
        forward: bool,
        matching: &mut Matching,
    ) -> Result<(PathObject, ColumnId)> {
        let [start, end] = ["start", "end"].map(|name| self.plan.column(name));
        let direction = way(own.direction, true);
        let (first, last) = (Some(start), Some(end));
        self.plan.push(op::TrailEndpoints { list, direction, from: first, to: last });
        let path = self.path_along(list, start, direction);
        let (start, end) = if forward { (start, end) } else { (end, start) };
        let same =
            |one, other| Expr::compare(Comparison::Equal, Expr::Column(one), Expr::Column(other));
        self.plan.filter(same(from, start));
        let found = match self.bound_column(&node.variable) {
            Some(bound) => {
                self.plan.filter(same(bound, end));
                bound
            }
            None => {
                self.found(&node.variable, end, matching);
                end
            }
        };
        self.must_differ(list, None, matching);
        self.test(conditions_of(node), matching)?;
        Ok((PathObject::Part { path, reversed: false }, found))
    }

    /// The path from a vertex over a list of edges: from each edge on, its other end.
    fn path_along(&mut self, list: ColumnId, start: ColumnId, direction: Way) -> ColumnId {
        let [edge, path] = ["edge", "path"].map(|name| self.plan.column(name));
        let end = |end| Expr::EdgeEnd { edge: Box::new(Expr::Column(edge)), end };
        let next = match direction {
            Way::Out => end(End::Target),
            Way::In => end(End::Source),
            Way::Both => {
                let vertices = Function::ElementsOf(ElementKind::Vertex);
                let vertices = Expr::call(vertices, vec![Expr::Column(path)]);
                let last = last_of(vertices);
                let is_source = Expr::compare(Comparison::Equal, end(End::Source), last);
                let branches = vec![(is_source, end(End::Target))];
                Expr::Case { branches, otherwise: Some(Box::new(end(End::Source))) }
            }
        };
        let parts = vec![(Expr::Column(path), false), (Expr::Column(edge), false), (next, false)];
        let makes = Makes::Fold {
            accumulator: path,
            start: path_of(vec![(Expr::Column(start), false)]),
            next: path_of(parts),
        };
        self.plan.project("part", Expr::over(Expr::Column(list), edge, makes))
    }

    /// Binds the node before a bound list of edges to where the list starts.
    pub(super) fn ends_of_bound_list(
        &mut self,
        pattern: &PathPattern,
        place: usize,
        matching: &mut Matching,
    ) -> Result<()> {
        let PathPart::Relationship(own) = &pattern.parts[place] else { return Ok(()) };
        let node = node_at(pattern, place - 1)?;
        let list = self.column_of(&own.variable)?;
        let start = self.new_column(&node.variable);
        let direction = way(own.direction, true);
        self.plan.push(op::TrailEndpoints { list, direction, from: Some(start), to: None });
        // Both ways to walk it may begin at one vertex; the hop finds both again.
        self.found(&node.variable, start, matching);
        Ok(())
    }
}
