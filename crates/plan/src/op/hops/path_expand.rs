//! Paths through the graph of any number of edges.

use millrace_model::{Direction, Result};

use super::Loops;
use crate::base::{ColumnId, ColumnSet, ElementKind, Name, PlanNames};
use crate::expr::Expr;
use crate::op::facts::{DependsOn, Distinct, Facts, Reads, and_made, kinds_of};
use crate::op::plan_errors::{bad_plan, unsupported};
use crate::op::{KnownKinds, MadeKinds};
use crate::printer::{Printer, edge_types};

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
    /// A new column for where they end.
    pub to: Option<ColumnId>,
    /// A new column for their cost, a double: without a weight, how many edges they have.
    pub cost: Option<ColumnId>,
}

/// Paths from a vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct PathPattern {
    /// Where they start. Null: there are none.
    pub from: ColumnId,
    /// Where they end; `None`: anywhere.
    pub into: Option<ColumnId>,
    /// The steps that are repeated, one edge for each, in order.
    pub steps: Vec<PathLeg>,
    /// How many repetitions at least, of one step how many edges; with 0 the start itself is a way.
    pub min: u64,
    /// How many at most; a walk must have one.
    pub max: Option<u64>,
    /// Which ways there are, over the whole path.
    pub ways: PathMode,
    /// Which of two ways comes first.
    pub order: PathOrder,
    /// An edge is walked only from vertices that lie fewer edges than this from the start, counted
    /// over all edges that may be walked, whatever ways there are; `None`: from anywhere. A way
    /// may be longer. Only of one step without a test.
    pub radius: Option<u64>,
    /// What a way costs at least.
    pub least: Option<f64>,
    /// What it costs at most.
    pub most: Option<f64>,
    /// What must hold of a way; only of the cheapest ways, which are then the cheapest of those for which it holds.
    pub accept: Option<PathAccept>,
}

/// A condition of whole ways.
#[derive(Clone, Debug, PartialEq)]
pub struct PathAccept {
    /// The way as a path, for `holds` alone.
    pub whole: ColumnId,
    /// Its edges as a list, for `holds` alone.
    pub edges: ColumnId,
    /// What must be true of them; it may read columns of the row.
    pub holds: Expr,
}

/// The order of ways from one vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathOrder {
    /// Shorter ones first, then in list order, edge by edge.
    ShorterFirst,
    /// A way before the ways that go on from it, in list order, edge by edge. They are found one after the other, in
    /// memory for one of them. The shortest and the cheapest ways have no such order.
    DepthFirst,
}

/// One step of what a path repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct PathLeg {
    /// Edge types; `None`: all.
    pub types: Option<Vec<Name>>,
    /// Which way its edge is walked.
    pub direction: Direction,
    /// How `both` sees loops.
    pub loops: Loops,
    /// What an edge costs: a property, and an edge is walked only where it is a number and not below 0. What
    /// ways cost is added up edge by edge in doubles. `None`: one.
    pub weight: Option<Name>,
    /// What must hold of the edge and of the vertex that it leads to.
    pub test: Option<PathTest>,
}

/// A condition of a step. It is asked of every edge that a way could go on by, before the path mode.
#[derive(Clone, Debug, PartialEq)]
pub struct PathTest {
    /// The edge, for `holds` alone.
    pub edge: ColumnId,
    /// The vertex that it leads to, for `holds` alone.
    pub vertex: ColumnId,
    /// What must be true of them; it may read columns of the row.
    pub holds: Expr,
}

impl PathLeg {
    /// A step along edges of types, without a weight and a test.
    pub fn along(types: Option<Vec<Name>>, direction: Direction, loops: Loops) -> PathLeg {
        PathLeg { types, direction, loops, weight: None, test: None }
    }

    fn print(&self, printer: &Printer<'_>) -> String {
        let (types, loops) = (edge_types(&self.types), self.loops.print());
        let weight = self.weight.as_ref().map_or(String::new(), |key| format!(" weight {key}"));
        let test = self.test.as_ref().map_or(String::new(), |test| {
            let (edge, vertex) = (printer.column(test.edge), printer.column(test.vertex));
            format!(" where {edge}, {vertex}: {}", printer.expr(&test.holds))
        });
        format!("{} {types}{loops}{weight}{test}", self.direction)
    }
}

impl PathPattern {
    /// Ways of one repeated step, of any cost, to anywhere.
    pub fn repeating(
        from: ColumnId,
        step: PathLeg,
        (min, max): (u64, Option<u64>),
        ways: PathMode,
    ) -> PathPattern {
        let (into, radius, least, most) = (None, None, None, None);
        let (steps, order, accept) = (vec![step], PathOrder::ShorterFirst, None);
        PathPattern { from, into, steps, min, max, ways, order, radius, least, most, accept }
    }

    /// Its only step, where that has no test.
    pub fn plain_step(&self) -> Option<&PathLeg> {
        match self.steps.as_slice() {
            [step] if step.test.is_none() => Some(step),
            _ => None,
        }
    }

    /// The same, a way before the ways that go on from it.
    pub fn depth_first(self) -> PathPattern {
        PathPattern { order: PathOrder::DepthFirst, ..self }
    }

    /// The conditions, and the columns that they read of a way.
    fn conditions(&self) -> impl Iterator<Item = (&Expr, [ColumnId; 2])> {
        let steps = self.tests().map(|test| (&test.holds, [test.edge, test.vertex]));
        let whole = self.accept.iter().map(|test| (&test.holds, [test.whole, test.edges]));
        steps.chain(whole)
    }

    fn tests(&self) -> impl Iterator<Item = &PathTest> {
        self.steps.iter().filter_map(|step| step.test.as_ref())
    }

    fn print_range(&self) -> String {
        let bound = |bound: Option<f64>| bound.map_or(String::new(), |bound| bound.to_string());
        match (self.least, self.most) {
            (None, None) => String::new(),
            (least, most) => format!(" {}..{}", bound(least), bound(most)),
        }
    }

    /// What its edges are: one step without parentheses.
    fn print_steps(&self, printer: &Printer<'_>) -> String {
        match self.plain_step() {
            Some(step) => format!("{} {}", step.direction, edge_types(&step.types)),
            None => {
                let steps: Vec<String> =
                    self.steps.iter().map(|step| step.print(printer)).collect();
                format!("({})", steps.join("; "))
            }
        }
    }

    /// What stands behind the end of a plain step, or the range of costs.
    fn print_costs(&self) -> String {
        let range = self.print_range();
        match self.plain_step() {
            Some(PathLeg { loops, weight: Some(key), .. }) => {
                format!("{} weight {key}{range}", loops.print())
            }
            Some(step) if range.is_empty() => step.loops.print().to_owned(),
            Some(step) => format!("{} costs{range}", step.loops.print()),
            None if range.is_empty() => range,
            None => format!(" costs{range}"),
        }
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
    /// For each end those that walk no edge twice of the first so many groups in that order: the ways of a group have
    /// one cost and length.
    CheapestGroups(u64),
}

impl PathMode {
    /// How many of the cheapest ways to an end are taken, or how many groups of them, if that is said.
    pub fn cheapest(self) -> Option<u64> {
        match self {
            PathMode::CheapestTrails(count)
            | PathMode::CheapestAcyclic(count)
            | PathMode::CheapestGroups(count) => Some(count),
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
            PathMode::CheapestGroups(count) => format!("cheapest {count} groups of trails"),
        }
    }
}

impl PathOrder {
    fn print(self) -> &'static str {
        match self {
            PathOrder::ShorterFirst => "",
            PathOrder::DepthFirst => " depth first",
        }
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
        let cost = printer.optional(" cost ", self.cost);
        let vertices = printer.optional(" vertices ", self.vertices);
        let whole = printer.optional(" path ", self.whole);
        let accept = path.accept.as_ref().map_or(String::new(), |own| {
            let (way, edges) = (printer.column(own.whole), printer.column(own.edges));
            format!(" accept {way}, {edges}: {}", printer.expr(&own.holds))
        });
        format!(
            "PathExpand {from} -{edges}{steps} {min}..{max} {ways}{order}{radius}-> {to}{into}{costs}{cost}{vertices}{whole}{accept}"
        )
    }

    /// There are endless walks; and the shortest way of more than one edge at least is no way that a
    /// search for the shortest finds.
    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        match &self.path {
            PathPattern { steps, .. } if steps.is_empty() => {
                Err(bad_plan("a path repeats one step at least"))
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
                && path.steps.iter().any(|step| step.weight.is_some()) =>
            {
                Err(unsupported(
                    "a shortest path by a weight",
                    "ask for the cheapest trail or acyclic path",
                ))
            }
            path if path.radius.is_some() && path.plain_step().is_none() => Err(unsupported(
                "a radius around a path of several steps, or of steps with conditions",
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
        let lists = [self.edges, self.vertices, self.whole];
        lists.into_iter().chain([self.to, self.cost]).flatten().collect()
    }

    fn optional_columns_mut(&mut self) -> Vec<&mut Option<ColumnId>> {
        let (lists, ends) = ([&mut self.edges, &mut self.vertices, &mut self.whole], &mut self.to);
        lists.into_iter().chain([ends, &mut self.cost]).collect()
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        let lists = [self.edges, self.vertices, self.whole, self.cost];
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
        reads.keys.names.extend(self.path.steps.iter().filter_map(|step| step.weight.clone()));
    }
}
