//! Paths through the graph of any number of edges.

use millrace_model::{Direction, Result};

use super::Loops;
use crate::analysis::{KnownKinds, MadeKinds};
use crate::op::ElementKind;
use crate::op::access::Reads;
use crate::op::facts::{DependsOn, Distinct, Facts, and_made, kinds_of};
use crate::op::plan_errors::{bad_plan, unsupported};
use crate::plan::{ColumnId, Name, Plan};
use crate::printer::{Printer, edge_types};

/// Each row, once for every way.
#[derive(Clone, Debug, PartialEq)]
pub struct PathExpand {
    /// Which ways.
    pub path: PathPattern,
    /// A new column for their edges, as a list.
    pub edges: Option<ColumnId>,
    /// A new column for where they end.
    pub to: Option<ColumnId>,
    /// A new column for their cost, a double: without a weight, how many edges they have.
    pub cost: Option<ColumnId>,
}

/// Paths from a vertex: shorter ones first, then in list order, edge by edge.
#[derive(Clone, Debug, PartialEq)]
pub struct PathPattern {
    /// Where they start. Null: there are none.
    pub from: ColumnId,
    /// Where they end; `None`: anywhere.
    pub into: Option<ColumnId>,
    /// Edge types; `None`: all.
    pub types: Option<Vec<Name>>,
    /// Which way each edge is walked.
    pub direction: Direction,
    /// How `both` sees loops.
    pub loops: Loops,
    /// How many edges at least; with 0 the start itself is a way.
    pub min: u64,
    /// How many at most; a walk must have one.
    pub max: Option<u64>,
    /// Which ways there are.
    pub ways: PathMode,
    /// An edge is walked only from vertices that lie fewer edges than this from the start, counted
    /// over all edges that may be walked, whatever ways there are; `None`: from anywhere. A way
    /// may be longer.
    pub radius: Option<u64>,
    /// What an edge costs; `None`: one.
    pub weight: Option<PathWeight>,
}

/// What ways cost: the sum of a property of their edges, added up edge by edge in doubles.
#[derive(Clone, Debug, PartialEq)]
pub struct PathWeight {
    /// The property. An edge is walked only where it is a number, and not below 0.
    pub key: Name,
    /// What a way costs at least.
    pub least: Option<f64>,
    /// What it costs at most.
    pub most: Option<f64>,
}

impl PathWeight {
    fn print(&self) -> String {
        let bound = |bound: Option<f64>| bound.map_or(String::new(), |bound| bound.to_string());
        let range = match (self.least, self.most) {
            (None, None) => String::new(),
            (least, most) => format!(" {}..{}", bound(least), bound(most)),
        };
        format!(" weight {}{range}", self.key)
    }
}

/// Which ways there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathMode {
    /// All.
    Walk,
    /// Those that walk no edge twice.
    Trail,
    /// Those that visit no vertex twice.
    Acyclic,
    /// For each end the first of the shortest.
    AnyShortest,
    /// For each end all of the shortest.
    AllShortest,
    /// For each end the first so many of those that walk no edge twice, in order of cost, then
    /// shorter ones first, then in list order. They are emitted in that order.
    CheapestTrails(u64),
    /// The same of those that visit no vertex twice.
    CheapestAcyclic(u64),
}

impl PathMode {
    /// How many of the cheapest ways to an end are taken, if that is said.
    pub fn cheapest(self) -> Option<u64> {
        match self {
            PathMode::CheapestTrails(count) | PathMode::CheapestAcyclic(count) => Some(count),
            PathMode::Walk | PathMode::Trail | PathMode::Acyclic => None,
            PathMode::AnyShortest | PathMode::AllShortest => None,
        }
    }

    /// Whether only the shortest ways to an end are taken.
    pub fn is_shortest(self) -> bool {
        matches!(self, PathMode::AnyShortest | PathMode::AllShortest)
    }

    fn print(self) -> String {
        match self {
            PathMode::Walk => "walk".to_owned(),
            PathMode::Trail => "trail".to_owned(),
            PathMode::Acyclic => "acyclic".to_owned(),
            PathMode::AnyShortest => "any shortest".to_owned(),
            PathMode::AllShortest => "all shortest".to_owned(),
            PathMode::CheapestTrails(count) => format!("cheapest {count} trails"),
            PathMode::CheapestAcyclic(count) => format!("cheapest {count} acyclic"),
        }
    }
}

impl Facts for PathExpand {
    fn print(&self, printer: &Printer<'_>) -> String {
        let path = &self.path;
        let (from, to) = (printer.column(path.from), printer.wanted(self.to));
        let edges = printer.edge(self.edges);
        let (direction, types) = (path.direction, edge_types(&path.types));
        let (min, ways) = (path.min, path.ways.print());
        let max = path.max.map_or(String::new(), |max| max.to_string());
        let into = printer.optional(" into ", path.into);
        let loops = path.loops.print();
        let weight = path.weight.as_ref().map_or(String::new(), PathWeight::print);
        let radius = path.radius.map_or(String::new(), |radius| format!(" radius {radius}"));
        let cost = printer.optional(" cost ", self.cost);
        format!(
            "PathExpand {from} -{edges}{direction} {types} {min}..{max} {ways}{radius}-> {to}{into}{loops}{weight}{cost}"
        )
    }

    /// There are endless walks; and the shortest way of more than one edge at least is no way that a
    /// search for the shortest finds.
    fn check(&self, _plan: &Plan) -> Result<()> {
        match &self.path {
            PathPattern { ways: PathMode::Walk, max: None, .. } => {
                Err(bad_plan("a walk needs a greatest length, or it never ends"))
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
            PathPattern { ways, weight: Some(_), .. } if ways.is_shortest() => Err(unsupported(
                "a shortest path by a weight",
                "ask for the cheapest trail or acyclic path",
            )),
            PathPattern { .. } => Ok(()),
        }
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        std::iter::once(self.path.from).chain(self.path.into).collect()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.edges.iter().chain(&self.to).chain(&self.cost).copied().collect()
    }

    fn optional_columns_mut(&mut self) -> Vec<&mut Option<ColumnId>> {
        vec![&mut self.edges, &mut self.to, &mut self.cost]
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        let others = self.edges.iter().chain(&self.cost).map(|column| (*column, None));
        others.chain(kinds_of(ElementKind::Vertex, &self.to)).collect()
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        self.edges.and_then(|made| and_made(before, &[made]))
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }

    fn gains_by_weights(&self) -> bool {
        true
    }

    fn reads(&self, reads: &mut Reads) {
        reads.edges = true;
        reads.keys.names.extend(self.path.weight.iter().map(|weight| weight.key.clone()));
    }
}
