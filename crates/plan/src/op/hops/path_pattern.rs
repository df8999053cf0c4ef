//! Which paths a search finds: their steps, each of one or several alternatives, their length, order, mode and cost.
//!
//! The operator that searches is in `path_expand`.

use millrace_model::Direction;

use super::Loops;
use crate::base::{ColumnId, Name};
use crate::expr::Expr;
use crate::printer::{Printer, edge_types};

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
    /// may be longer. Only of one step.
    pub radius: Option<u64>,
    /// How many ways wait at most; only of the cheapest ones. In each round those that are first by cost and length
    /// go on, each by every edge; then the first so many of all that wait are kept, by cost, then length, then
    /// in the order in which they were made, and the others are forgotten with all that lies behind them. A search that
    /// goes on from each vertex once ([`PathPattern::goes_on_once`]) makes no ways to those it went on from. A number
    /// that is never reached changes nothing.
    pub frontier: Option<u64>,
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

/// One step of what a path repeats: an edge that one of its alternatives walks.
///
/// An edge that several of them walk is walked once for each, in ways of their own. List order is
/// that of the edges of a vertex: those of the first alternative, then those of the next.
#[derive(Clone, Debug, PartialEq)]
pub struct PathLeg {
    /// What may be walked; one alternative at least.
    pub alternatives: Vec<PathAlternative>,
    /// Which of the edges from a vertex to another one are walked.
    pub parallel: ParallelEdges,
}

/// Which of several edges from one vertex to another one a step walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParallelEdges {
    /// All.
    All,
    /// The first in list order of those that may be walked, before the path mode is asked. So ways differ in their vertices.
    First,
}

/// The edges that a step may walk, and at which cost.
#[derive(Clone, Debug, PartialEq)]
pub struct PathAlternative {
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

/// A condition of an alternative. It is asked of every edge that a way could go on by, before the path mode.
#[derive(Clone, Debug, PartialEq)]
pub struct PathTest {
    /// The edge, for `holds` alone.
    pub edge: ColumnId,
    /// The vertex that it leads to, for `holds` alone.
    pub vertex: ColumnId,
    /// What must be true of them; it may read columns of the row.
    pub holds: Expr,
}

impl PathAlternative {
    /// Edges of types, without a weight and a test.
    pub fn along(types: Option<Vec<Name>>, direction: Direction, loops: Loops) -> PathAlternative {
        PathAlternative { types, direction, loops, weight: None, test: None }
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

impl From<PathAlternative> for PathLeg {
    fn from(only: PathAlternative) -> PathLeg {
        PathLeg { alternatives: vec![only], parallel: ParallelEdges::All }
    }
}

impl PathLeg {
    /// A step along edges of types, without a weight and a test.
    pub fn along(types: Option<Vec<Name>>, direction: Direction, loops: Loops) -> PathLeg {
        PathAlternative::along(types, direction, loops).into()
    }

    /// The direction of all its alternatives; `both` if they differ, as an edge may then be walked either way.
    pub fn direction(&self) -> Direction {
        let mut directions = self.alternatives.iter().map(|own| own.direction);
        let first = directions.next().unwrap_or(Direction::Both);
        if directions.all(|other| other == first) { first } else { Direction::Both }
    }

    fn print(&self, printer: &Printer<'_>) -> String {
        let alternatives: Vec<String> =
            self.alternatives.iter().map(|own| own.print(printer)).collect();
        let parallel = match self.parallel {
            ParallelEdges::All => "",
            ParallelEdges::First => "first of ",
        };
        format!("{parallel}{}", alternatives.join(" | "))
    }
}

impl PathPattern {
    /// Ways of one repeated step, of any cost, to anywhere.
    pub fn repeating(
        from: ColumnId,
        step: PathLeg,
        length: (u64, Option<u64>),
        ways: PathMode,
    ) -> PathPattern {
        PathPattern::of_steps(from, vec![step], length, ways)
    }

    /// The same of several steps, one after the other.
    pub fn of_steps(
        from: ColumnId,
        steps: Vec<PathLeg>,
        (min, max): (u64, Option<u64>),
        ways: PathMode,
    ) -> PathPattern {
        PathPattern {
            from,
            into: None,
            steps,
            min,
            max,
            ways,
            order: PathOrder::ShorterFirst,
            radius: None,
            frontier: None,
            least: None,
            most: None,
            accept: None,
        }
    }

    /// Its only step, where that is one alternative without a test.
    pub fn plain_step(&self) -> Option<&PathAlternative> {
        let PathLeg { alternatives, parallel: ParallelEdges::All } = self.untested_step()? else {
            return None;
        };
        if let [only] = alternatives.as_slice() { Some(only) } else { None }
    }

    /// Its only step, where that has no tests.
    pub fn untested_step(&self) -> Option<&PathLeg> {
        let [step] = self.steps.as_slice() else { return None };
        step.alternatives.iter().all(|own| own.test.is_none()).then_some(step)
    }

    /// The alternatives of all its steps.
    pub fn alternatives(&self) -> impl Iterator<Item = &PathAlternative> {
        self.steps.iter().flat_map(|step| &step.alternatives)
    }

    /// Whether the search for the cheapest ways goes on from each vertex once, as one way to an end is enough (Dijkstra).
    ///
    /// The first way to a vertex is the beginning of the first way to whatever lies behind, as prices are not below 0
    /// and ways are compared by (cost, length, list order), which a common end does not change. That fails, so all
    /// ways are walked, with a greatest length, a least cost or a condition (the first way may be ruled out, a later one
    /// not), with several steps (without its circle a way may end in the midst of a repetition), and for trails back to
    /// the start that may use an edge either way (the first way to a vertex may have used the edge by which another
    /// goes home).
    pub fn goes_on_once(&self) -> bool {
        let [step] = self.steps.as_slice() else { return false };
        let (is_one, is_acyclic) = match self.ways {
            PathMode::CheapestAcyclic(count) => (count == 1, true),
            PathMode::CheapestTrails(count) => (count == 1, false),
            PathMode::CheapestGroups(_) => (false, false),
            PathMode::Walk | PathMode::Trail | PathMode::Acyclic => (false, false),
            PathMode::AnyShortest | PathMode::AllShortest => (false, false),
        };
        is_one
            && (is_acyclic || step.direction() != Direction::Both || self.min == 0)
            && self.accept.is_none()
            && self.min <= 1
            && self.max.is_none()
            && self.least.is_none_or(|least| least <= 0.0)
    }

    /// The same, a way before the ways that go on from it.
    pub fn depth_first(self) -> PathPattern {
        PathPattern { order: PathOrder::DepthFirst, ..self }
    }

    /// The conditions, and the columns that they read of a way.
    pub(super) fn conditions(&self) -> impl Iterator<Item = (&Expr, [ColumnId; 2])> {
        let steps = self.tests().map(|test| (&test.holds, [test.edge, test.vertex]));
        let whole = self.accept.iter().map(|test| (&test.holds, [test.whole, test.edges]));
        steps.chain(whole)
    }

    pub(super) fn tests(&self) -> impl Iterator<Item = &PathTest> {
        self.alternatives().filter_map(|own| own.test.as_ref())
    }

    fn print_range(&self) -> String {
        let bound = |bound: Option<f64>| bound.map_or(String::new(), |bound| bound.to_string());
        match (self.least, self.most) {
            (None, None) => String::new(),
            (least, most) => format!(" {}..{}", bound(least), bound(most)),
        }
    }

    /// What its edges are: one plain step without parentheses.
    pub(super) fn print_steps(&self, printer: &Printer<'_>) -> String {
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
    pub(super) fn print_costs(&self) -> String {
        let range = self.print_range();
        match self.plain_step() {
            Some(PathAlternative { loops, weight: Some(key), .. }) => {
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

    pub(super) fn print(self) -> String {
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
    pub(super) fn print(self) -> &'static str {
        match self {
            PathOrder::ShorterFirst => "",
            PathOrder::DepthFirst => " depth first",
        }
    }
}
