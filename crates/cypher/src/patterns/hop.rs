//! One relationship of a chain.

use millrace_model::{Direction as Way, Result};
use millrace_plan::op::{self, Loops, UnionPick};
use millrace_plan::{ColumnId, Comparison, End, Expr, Name};

use super::Matching;
use super::conditions::{conditions_of, conditions_of_edge, of_labels};
use super::parts::{edge_types, node_at, way};
use crate::translate::Translator;
use crate::tree::{Direction, LabelExpr, NodePattern, PathPart, PathPattern, RelationshipPattern};

impl Translator<'_> {
    /// Along one edge: its column, and that of the node.
    pub(super) fn single_hop(
        &mut self,
        own: &RelationshipPattern,
        (from, node): (ColumnId, &NodePattern),
        forward: bool,
        matching: &mut Matching,
    ) -> Result<(ColumnId, ColumnId)> {
        if let Some(edge) = self.bound_column(&own.variable) {
            let end = self.along_bound(own, (edge, from), node, forward, matching)?;
            return Ok((edge, end));
        }
        let (types, rest) = edge_types(own.types.as_ref());
        let direction = way(own.direction, forward);
        let is_tested = self.bind_other_end(node, from, matching)?;
        let edge = self.new_column(&own.variable);
        let bound = self.bound_column(&node.variable);
        let end = match bound {
            Some(into) => {
                let (types, edge) = (types.clone(), Some(edge));
                let loops = Loops::Once;
                self.plan.push(op::ExpandInto { from, into, types, direction, edge, loops });
                into
            }
            None => {
                let to = self.new_column(&node.variable);
                let (types, edge) = (types.clone(), Some(edge));
                let (to_column, loops) = (Some(to), Loops::Once);
                self.plan.push(op::Expand { from, types, direction, edge, to: to_column, loops });
                to
            }
        };
        self.found(&own.variable, edge, matching);
        self.found(&node.variable, end, matching);
        self.must_differ(edge, types, matching);
        self.test(conditions_of_edge(own, rest), matching)?;
        if !is_tested {
            self.test(conditions_of(node), matching)?;
        }
        Ok((edge, end))
    }

    /// An edge, or a list of edges, is none of those before it.
    pub(super) fn must_differ(
        &mut self,
        edge: ColumnId,
        types: Option<Vec<Name>>,
        matching: &mut Matching,
    ) {
        let may_meet = |others: &Option<Vec<Name>>| match (&types, others) {
            (Some(own), Some(others)) => own.iter().any(|name| others.contains(name)),
            (None, _) | (_, None) => true,
        };
        let before = matching.edges.iter().filter(|(_, others)| may_meet(others));
        let before: Vec<ColumnId> = before.map(|(column, _)| *column).collect();
        if !before.is_empty() && !matching.repeatable {
            self.plan.differs(edge, &before);
        }
        matching.edges.push((edge, types));
    }

    /// Along an edge that is bound: the end that it leads to.
    fn along_bound(
        &mut self,
        own: &RelationshipPattern,
        (edge, from): (ColumnId, ColumnId),
        node: &NodePattern,
        forward: bool,
        matching: &mut Matching,
    ) -> Result<ColumnId> {
        let (types, rest) = edge_types(own.types.as_ref());
        let ends = |translator: &mut Self, end| {
            let to = translator.plan.column("end");
            translator.plan.push(op::Endpoints { edge, end, to });
            to
        };
        let (source, target) = (ends(self, End::Source), ends(self, End::Target));
        let column = |column| Expr::Column(column);
        let same = |one, other| Expr::compare(Comparison::Equal, column(one), column(other));
        let end = self.new_column(&node.variable);
        let expr = match way(own.direction, forward) {
            Way::Out => {
                self.plan.filter(same(from, source));
                column(target)
            }
            Way::In => {
                self.plan.filter(same(from, target));
                column(source)
            }
            Way::Both => {
                self.plan.filter(Expr::Or(vec![same(from, source), same(from, target)]));
                let branches = vec![(same(from, source), column(target))];
                Expr::Case { branches, otherwise: Some(Box::new(column(source))) }
            }
        };
        self.plan.push(op::Project { columns: vec![(end, expr)] });
        if let Some(bound) = self.bound_column(&node.variable) {
            self.plan.filter(same(bound, end));
        } else {
            self.found(&node.variable, end, matching);
        }
        if let Some(types) = &types {
            let names = types.iter().map(|name| LabelExpr::Name(own.at, name.clone())).collect();
            let any = LabelExpr::Or(names);
            self.test(vec![of_labels(own.at, &own.variable, &any)], matching)?;
        }
        self.must_differ(edge, types, matching);
        self.test(conditions_of_edge(own, rest), matching)?;
        self.test(conditions_of(node), matching)?;
        Ok(self.bound_column(&node.variable).unwrap_or(end))
    }

    /// Binds the node before a bound relationship to the end of it that it must be: of one without a direction to
    /// either.
    pub(super) fn ends_of_bound(
        &mut self,
        pattern: &PathPattern,
        place: usize,
        matching: &mut Matching,
    ) -> Result<()> {
        let PathPart::Relationship(own) = &pattern.parts[place] else { return Ok(()) };
        if own.length.is_some() {
            return self.ends_of_bound_list(pattern, place, matching);
        }
        let node = node_at(pattern, place - 1)?;
        let edge = self.column_of(&own.variable)?;
        let to = self.new_column(&node.variable);
        match own.direction {
            Direction::Right => {
                self.plan.push(op::Endpoints { edge, end: End::Source, to });
            }
            Direction::Left => {
                self.plan.push(op::Endpoints { edge, end: End::Target, to });
            }
            Direction::Both => {
                let [source, target] = ["source", "target"].map(|name| self.plan.column(name));
                self.plan.push(op::Endpoints { edge, end: End::Source, to: source });
                self.plan.push(op::Endpoints { edge, end: End::Target, to: target });
                let column = |column| Expr::Column(column);
                let branch = |from| {
                    let columns = vec![(to, column(from))];
                    millrace_plan::Pipeline { ops: vec![op::Project { columns }.into()] }
                };
                let mut second = branch(target);
                // A loop has one end.
                let differs = Expr::compare(Comparison::NotEqual, column(source), column(target));
                second.ops.insert(0, op::Filter { predicate: differs }.into());
                let branches = vec![branch(source), second];
                self.plan.push(op::Union { branches, pick: UnionPick::All });
            }
        }
        // A null edge has no ends, and an end that is null is none.
        let is_there = Expr::IsNull(Box::new(Expr::Column(to))).negate();
        self.plan.filter(is_there);
        self.found(&node.variable, to, matching);
        Ok(())
    }
}
