//! Shortest paths, and others of which some are selected for each pair of ends.

use millrace_model::{Direction as Way, Result};
use millrace_plan::op::{self, PathLeg, PathMode, UnionPick};
use millrace_plan::{ColumnId, Comparison, Expr, Function, Pipeline};

use super::Matching;
use super::alternating::alternating;
use super::conditions::{conditions_of, conjuncts};
use super::paths::PathObject;
use super::repeated::types_of;
use crate::translate::{Translator, unsupported};
use crate::tree::{PathPart, PathPattern, QuantifiedPath, RelationshipPattern, Selector};

impl Translator<'_> {
    /// Finds those paths of a pattern that its selector wants.
    pub(super) fn selected_paths(
        &mut self,
        pattern: &PathPattern,
        matching: &mut Matching,
    ) -> Result<ColumnId> {
        if let [PathPart::Quantified(group)] = pattern.parts.as_slice()
            && group.length.is_none()
        {
            return self.selected_group(pattern, group, matching);
        }
        let own = &*alternating(pattern)?;
        let [PathPart::Node(first), part, PathPart::Node(last)] = own.parts.as_slice() else {
            let help = "write one repeated part, or one relationship, between two nodes";
            return Err(unsupported(pattern.at, "a selector over several parts", help));
        };
        let from = self.first_node(first, matching)?;
        // With few candidates for the end, one search to each of them is the least work.
        let into = self.first_node(last, matching)?;
        if is_function(&pattern.selector) {
            self.refuse_equal_ends(part, (from, into), matching)?;
        }
        let whole = match part {
            PathPart::Relationship(own) => {
                self.selected_hop(own, (from, into), pattern, matching)?
            }
            PathPart::Quantified(own) => {
                let mut found = self.repeated(own, from, true, matching)?;
                if !found.left.is_empty() {
                    let what = "a condition on several relationships of a part, with a selector,";
                    let help = "test one relationship and the nodes at its ends";
                    return Err(unsupported(own.at, what, help));
                }
                found.path.ways = mode_of(&pattern.selector, &found.path);
                found.path.into = Some(into);
                self.found_paths(own, found, None, matching)?
            }
            PathPart::Node(own) => {
                let help = "write a relationship between two nodes";
                return Err(unsupported(own.at, "a node directly after another", help));
            }
        };
        self.test(conditions_of(last), matching)?;
        if let Some(variable) = &pattern.variable {
            let part = PathObject::Part { path: whole, reversed: false };
            let path = self.path_of(variable, vec![part]);
            self.found(variable, path, matching);
        }
        Ok(whole)
    }

    /// The same in parentheses that only group; what they test decides before paths are selected.
    fn selected_group(
        &mut self,
        pattern: &PathPattern,
        group: &QuantifiedPath,
        matching: &mut Matching,
    ) -> Result<ColumnId> {
        let inner = PathPattern { selector: pattern.selector.clone(), ..group.pattern.clone() };
        let mut tests = Vec::new();
        group.test.iter().for_each(|test| conjuncts(test, &mut tests));
        let ends = [inner.parts.first(), inner.parts.last()].map(|part| match part {
            Some(PathPart::Node(node)) => node.variable.symbol,
            Some(PathPart::Relationship(_) | PathPart::Quantified(_)) | None => None,
        });
        let is_inside = |symbol| matching.own.contains(&symbol) && !ends.contains(&Some(symbol));
        if let Some(test) = tests.iter().find(|test| test.reads(&is_inside)) {
            let help = "test relationships in a repeated part, such as ((a)-[r WHERE …]->(b))+";
            let what = "a condition on whole paths before some of them are selected";
            return Err(unsupported(test.at, what, help));
        }
        let whole = self.selected_paths(&inner, matching)?;
        if let Some(variable) = &pattern.variable {
            self.found(variable, whole, matching);
        }
        self.test(tests, matching)?;
        Ok(whole)
    }

    /// The selected paths of a relationship of variable length.
    fn selected_hop(
        &mut self,
        own: &RelationshipPattern,
        (from, into): (ColumnId, ColumnId),
        pattern: &PathPattern,
        matching: &mut Matching,
    ) -> Result<ColumnId> {
        let mut path = self.ways(own, from, true, matching)?;
        if is_function(&pattern.selector) {
            self.search_where(pattern, Some(&own.variable), &mut path, matching)?;
            path.accept = self.accept_where(pattern, own, matching)?;
        }
        path.ways = mode_of(&pattern.selector, &path);
        path.into = Some(into);
        let edges = self.plan.column(own.variable.name.trim_start());
        let whole = self.plan.column("path");
        let types = types_of(&path.steps);
        let (edges_column, whole_column) = (Some(edges), Some(whole));
        self.push_paths(op::PathExpand {
            edges: edges_column,
            whole: whole_column,
            ..op::PathExpand::unread(path)
        });
        let list = match own.length {
            Some(_) => edges,
            // The variable of a single relationship is no list.
            None => {
                let single = Expr::call(Function::OneOrAll, vec![Expr::Column(edges)]);
                self.plan.project(own.variable.name.trim_start(), single)
            }
        };
        self.found(&own.variable, list, matching);
        // `shortestPath` may use what another pattern of its MATCH does.
        if !is_function(&pattern.selector) {
            self.must_differ(edges, types, matching);
        }
        Ok(whole)
    }

    /// The value of a shortest path between nodes that are bound.
    pub(crate) fn path_value(&mut self, pattern: &PathPattern) -> Result<Expr> {
        let mut matching = Matching::default();
        let whole = self.selected_paths(pattern, &mut matching)?;
        self.test_rest(&mut matching)?;
        Ok(Expr::Column(whole))
    }

    /// Searches for paths. The shortest walk of an undirected relationship back to its start uses one edge twice, which
    /// a path may not.
    pub(super) fn push_paths(&mut self, found: op::PathExpand) {
        let (from, ways) = (found.path.from, found.path.ways);
        let into = found.path.into.filter(|_| may_go_back(&found.path) && ways.is_shortest());
        let Some(into) = into else {
            self.plan.push(found);
            return;
        };
        let branch = |comparison, ways| {
            let predicate = Expr::compare(comparison, Expr::Column(from), Expr::Column(into));
            let path = op::PathPattern { ways, ..found.path.clone() };
            let paths = op::PathExpand { path, ..found.clone() };
            Pipeline { ops: vec![op::Filter { predicate }.into(), paths.into()] }
        };
        let apart = branch(Comparison::NotEqual, ways);
        let circles = match ways == PathMode::AllShortest {
            true => PathMode::CheapestGroups(1),
            false => PathMode::CheapestTrails(1),
        };
        let together = branch(Comparison::Equal, circles);
        self.plan.push(op::Union { branches: vec![apart, together], pick: UnionPick::All });
    }
}

/// Which paths a selector wants.
fn mode_of(selector: &Selector, path: &op::PathPattern) -> PathMode {
    let is_search = path.min <= 1 && shortest_are_trails(&path.steps);
    match selector {
        // All trails are gone through, shortest first, until some are accepted.
        Selector::ShortestPath if path.accept.is_some() => PathMode::CheapestTrails(1),
        Selector::AllShortestPaths if path.accept.is_some() => PathMode::CheapestGroups(1),
        Selector::All => PathMode::Trail,
        Selector::ShortestPath => PathMode::AnyShortest,
        Selector::AllShortestPaths => PathMode::AllShortest,
        Selector::Shortest(1) | Selector::Any(1) if is_search => PathMode::AnyShortest,
        Selector::Shortest(count) | Selector::Any(count) => PathMode::CheapestTrails(*count),
        Selector::AllShortest if is_search => PathMode::AllShortest,
        Selector::AllShortest => PathMode::CheapestGroups(1),
        Selector::ShortestGroups(count) => PathMode::CheapestGroups(*count),
    }
}

/// Whether no shortest walk between two vertices uses an edge twice. It is at no vertex twice at the same step, so
/// that of one step does not; of several steps, an edge that one of them walks must be none of another.
fn shortest_are_trails(steps: &[PathLeg]) -> bool {
    let types = |step: &PathLeg| types_of(std::slice::from_ref(step));
    let have_own_types = steps.iter().enumerate().all(|(place, step)| {
        let Some(own) = types(step) else { return false };
        let is_another = |other: &PathLeg| {
            types(other).is_some_and(|all| all.iter().all(|name| !own.contains(name)))
        };
        step.direction() != Way::Both && steps[place + 1..].iter().all(is_another)
    });
    steps.len() == 1 || have_own_types
}

fn may_go_back(path: &op::PathPattern) -> bool {
    path.min > 0 && path.steps.iter().any(|step| step.direction() == Way::Both)
}

fn is_function(selector: &Selector) -> bool {
    match selector {
        Selector::ShortestPath | Selector::AllShortestPaths => true,
        Selector::All
        | Selector::Any(_)
        | Selector::Shortest(_)
        | Selector::AllShortest
        | Selector::ShortestGroups(_) => false,
    }
}
