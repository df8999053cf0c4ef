//! A relationship of variable length with a bound list: it matches that list, and nothing else.
//!
//! As many relationships as the pattern says, of its types and with its properties, lead one behind the other from one
//! node to the next. The empty list, where the pattern allows it, is at every node.

use millrace_model::{Direction as Way, Result};
use millrace_plan::op::{self, UnionPick};
use millrace_plan::{
    ColumnId, Comparison, ElementKind, End, Expr, Function, Makes, Quantifier, Unknown,
};

use super::Matching;
use super::conditions::{conditions_of, conditions_of_edge};
use super::parts::{may_be_empty, node_at, way};
use super::paths::PathObject;
use crate::functions::last_of;
use crate::primitives::path_of;
use crate::translate::Translator;
use crate::tree::{NodePattern, PathPart, PathPattern, RelationshipPattern};

/// The columns of a walk along a list.
#[derive(Clone, Copy)]
struct Walk {
    list: ColumnId,
    start: ColumnId,
    end: ColumnId,
    path: ColumnId,
}

impl Translator<'_> {
    /// Along a list of edges that is bound.
    pub(super) fn along_bound_list(
        &mut self,
        own: &RelationshipPattern,
        (list, from): (ColumnId, ColumnId),
        node: &NodePattern,
        forward: bool,
        matching: &mut Matching,
    ) -> Result<(PathObject, ColumnId)> {
        self.test_list(own, list, matching)?;
        let [start, end, path] = ["start", "end", "part"].map(|name| self.plan.column(name));
        let walk = Walk { list, start, end, path };
        let (near, far) = if forward { (start, end) } else { (end, start) };
        match may_be_empty(own) {
            true => {
                let (edges, ()) = self.sub(|sub| {
                    sub.walk(own, walk);
                    sub.plan.filter(same(from, near));
                    Ok(())
                })?;
                let (none, ()) = self.sub(|sub| {
                    sub.plan.filter(sizes(list, Comparison::Equal, 0));
                    let single = path_of(vec![(Expr::Column(from), false)]);
                    let [start, end] = [start, end].map(|column| (column, Expr::Column(from)));
                    sub.plan.push(op::Project { columns: vec![start, end, (path, single)] });
                    Ok(())
                })?;
                self.plan.push(op::Union { branches: vec![edges, none], pick: UnionPick::All });
            }
            false => {
                self.walk(own, walk);
                self.plan.filter(same(from, near));
            }
        }
        let found = match self.bound_column(&node.variable) {
            Some(bound) => {
                self.plan.filter(same(bound, far));
                bound
            }
            None => {
                self.found(&node.variable, far, matching);
                far
            }
        };
        self.must_differ(list, None, matching);
        self.test(conditions_of(node), matching)?;
        Ok((PathObject::Part { path, reversed: false }, found))
    }

    /// A list has as many edges as the pattern says, each of its types and with its properties.
    fn test_list(
        &mut self,
        own: &RelationshipPattern,
        list: ColumnId,
        matching: &Matching,
    ) -> Result<()> {
        let (least, most) = own.length.map_or((1, Some(1)), |length| (length.min, length.max));
        if 1 < least {
            self.plan.filter(sizes(list, Comparison::GreaterEqual, least));
        }
        if let Some(most) = most {
            self.plan.filter(sizes(list, Comparison::LessEqual, most));
        }
        if !conditions_of_edge(own, own.types.as_ref()).is_empty() {
            let edge = self.plan.column("edge");
            let holds = self.test_of_each(own, own.types.as_ref(), edge, matching)?;
            let (quantifier, unknown) = (Quantifier::All, Unknown::Stays);
            let makes = Makes::Truth { quantifier, unknown, holds };
            self.plan.filter(Expr::over(Expr::Column(list), edge, makes));
        }
        Ok(())
    }

    /// Where the edges of a list lead from and to, and the path that they are.
    fn walk(&mut self, own: &RelationshipPattern, walk: Walk) {
        let Walk { list, start, end, path } = walk;
        let direction = way(own.direction, true);
        let (from, to) = (Some(start), Some(end));
        self.plan.push(op::TrailEndpoints { list, direction, from, to });
        let along = self.path_along(list, start, direction);
        self.plan.push(op::Project { columns: vec![(path, along)] });
    }

    /// The path from a vertex over a list of edges: from each edge on, its other end.
    fn path_along(&mut self, list: ColumnId, start: ColumnId, direction: Way) -> Expr {
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
        Expr::over(Expr::Column(list), edge, makes)
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

fn same(one: ColumnId, other: ColumnId) -> Expr {
    Expr::compare(Comparison::Equal, Expr::Column(one), Expr::Column(other))
}

fn sizes(list: ColumnId, comparison: Comparison, count: u64) -> Expr {
    let size = Expr::call(Function::Size, vec![Expr::Column(list)]);
    Expr::compare(comparison, size, Expr::literal(i64::try_from(count).unwrap_or(i64::MAX)))
}
