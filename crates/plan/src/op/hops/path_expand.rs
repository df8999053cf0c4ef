//! `PathExpand`: paths through the graph of any number of edges. Which paths is said in `path_pattern`.

use millrace_model::Result;

use super::path_pattern::{PathMode, PathOrder, PathPattern};
use crate::base::{ColumnId, ColumnSet, ElementKind, PlanNames};
use crate::expr::Expr;
use crate::op::facts::{DependsOn, Distinct, Facts, Reads, and_made, kinds_of};
use crate::op::plan_errors::{bad_plan, unsupported};
use crate::op::{KnownKinds, MadeKinds};
use crate::printer::Printer;

/// Each row, once for every way.
#[derive(Clone, Debug, PartialEq)]
pub struct PathExpand {
    /// Which ways.
    pub path: PathPattern,
    /// A new column for their edges, as a list.
    pub edges: Option<ColumnId>,
    /// A new column for their vertices, the start and the end included, as a list.
    pub vertices: Option<ColumnId>,
    /// A new column for the ways as paths: vertices and edges in turn, without tags.
    pub whole: Option<ColumnId>,
    /// A new column for the alternatives that their edges were walked by, as a list of numbers from 0, each within its step.
    pub alternatives: Option<ColumnId>,
    /// A new column for where they end.
    pub to: Option<ColumnId>,
    /// A new column for their cost, a double: without a weight, how many edges they have.
    pub cost: Option<ColumnId>,
}

impl PathExpand {
    /// Ways of which nothing is read, until columns are named.
    pub fn unread(path: PathPattern) -> PathExpand {
        let (edges, vertices, whole, alternatives) = (None, None, None, None);
        PathExpand { path, edges, vertices, whole, alternatives, to: None, cost: None }
    }
}

impl Facts for PathExpand {
    fn print(&self, printer: &Printer<'_>) -> String {
        let path = &self.path;
        let (from, to) = (printer.column(path.from), printer.wanted(self.to));
        let edges = printer.edge(self.edges);
        let steps = path.print_steps(printer);
        let (min, ways, order) = (path.min, path.ways.print(), path.order.print());
        let max = path.max.map_or(String::new(), |max| max.to_string());
        let into = printer.optional(" into ", path.into);
        let costs = path.print_costs();
        let radius = path.radius.map_or(String::new(), |radius| format!(" radius {radius}"));
        let frontier = path.frontier.map_or(String::new(), |most| format!(" frontier {most}"));
        let cost = printer.optional(" cost ", self.cost);
        let vertices = printer.optional(" vertices ", self.vertices);
        let whole = printer.optional(" path ", self.whole);
        let taken = printer.optional(" alternatives ", self.alternatives);
        let accept = path.accept.as_ref().map_or(String::new(), |own| {
            let (way, edges) = (printer.column(own.whole), printer.column(own.edges));
            format!(" accept {way}, {edges}: {}", printer.expr(&own.holds))
        });
        format!(
            "PathExpand {from} -{edges}{steps} {min}..{max} {ways}{order}{radius}{frontier}-> {to}{into}{costs}{cost}{vertices}{whole}{taken}{accept}"
        )
    }

    /// There are endless walks; and the shortest way of more than one edge at least is no way that a
    /// search for the shortest finds.
    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        match &self.path {
            PathPattern { steps, .. } if steps.is_empty() => {
                Err(bad_plan("a path repeats one step at least"))
            }
            PathPattern { steps, .. } if steps.iter().any(|step| step.alternatives.is_empty()) => {
                Err(bad_plan("a step of a path has one alternative at least"))
            }
            PathPattern { ways: PathMode::Walk, max: None, .. } => {
                Err(bad_plan("a walk needs a greatest length, or it never ends"))
            }
            PathPattern { order: PathOrder::DepthFirst, ways, .. }
                if ways.is_shortest() || ways.cheapest().is_some() =>
            {
                Err(bad_plan(
                    "the shortest and the cheapest paths come shorter or cheaper ones first",
                ))
            }
            PathPattern { accept: Some(_), ways, .. } if ways.cheapest().is_none() => {
                Err(bad_plan("a condition of whole paths is asked of the cheapest ones only"))
            }
            PathPattern { frontier: Some(_), ways, .. } if ways.cheapest().is_none() => {
                Err(bad_plan("a frontier is a bound of the search for the cheapest paths only"))
            }
            PathPattern { frontier: Some(0), .. } => {
                Err(bad_plan("a search with a frontier of 0 could walk no edge: it is at least 1"))
            }
            PathPattern { radius: Some(0), .. } => {
                Err(bad_plan("a path of radius 0 could walk no edge: the radius is at least 1"))
            }
            PathPattern { min, max: Some(max), .. } if max < min => {
                Err(bad_plan(format!("a path has at least {min} edges and at most {max}")))
            }
            PathPattern { ways, min: 2.., .. } if ways.is_shortest() => Err(unsupported(
                "a shortest path of two edges or more at least",
                "ask for the cheapest trail without a weight",
            )),
            path if path.ways.is_shortest()
                && path.alternatives().any(|own| own.weight.is_some()) =>
            {
                Err(unsupported(
                    "a shortest path by a weight",
                    "ask for the cheapest trail or acyclic path",
                ))
            }
            PathPattern { radius: Some(_), steps, .. } if 1 < steps.len() => Err(unsupported(
                "a radius around a path of several steps",
                "bound the number of repetitions instead",
            )),
            PathPattern { .. } => Ok(()),
        }
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.path.conditions().map(|(holds, _)| holds).collect()
    }

    /// Its conditions also read what they are asked of, which is nothing of its input.
    fn read_by_itself(&self) -> ColumnSet {
        let mut columns = ColumnSet::new();
        for (holds, _) in self.path.conditions() {
            holds.read_columns(&mut columns);
        }
        for own in self.path.conditions().flat_map(|(_, own)| own) {
            columns.remove(&own);
        }
        columns.extend(self.columns_by_name());
        columns
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        std::iter::once(self.path.from).chain(self.path.into).collect()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        let lists = [self.edges, self.vertices, self.whole, self.alternatives];
        lists.into_iter().chain([self.to, self.cost]).flatten().collect()
    }

    fn optional_columns_mut(&mut self) -> Vec<&mut Option<ColumnId>> {
        let lists = [&mut self.edges, &mut self.vertices, &mut self.whole, &mut self.alternatives];
        lists.into_iter().chain([&mut self.to, &mut self.cost]).collect()
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        let lists = [self.edges, self.vertices, self.whole, self.alternatives, self.cost];
        let of_whole = self.path.accept.iter().flat_map(|test| [test.whole, test.edges]);
        let others = lists.into_iter().flatten().chain(of_whole).map(|column| (column, None));
        let (edges, vertices): (Vec<_>, Vec<_>) =
            self.path.tests().map(|test| (test.edge, test.vertex)).unzip();
        others
            .chain(kinds_of(ElementKind::Vertex, self.to.iter().chain(&vertices)))
            .chain(kinds_of(ElementKind::Edge, &edges))
            .collect()
    }

    fn path_column(&self) -> Option<ColumnId> {
        self.whole
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        // Ways by the same edges may differ in their alternatives.
        let is_by_edges = self.path.steps.iter().all(|step| step.alternatives.len() == 1);
        self.edges.filter(|_| is_by_edges).and_then(|made| and_made(before, &[made]))
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }

    fn gains_by_weights(&self) -> bool {
        true
    }

    fn reads(&self, reads: &mut Reads) {
        reads.edges = true;
        reads.keys.names.extend(self.path.alternatives().filter_map(|own| own.weight.clone()));
    }
}
