//! Random ways and paths.

use millrace_plan::{
    ApplyKind, ColumnId, Comparison, Expr, Fold, Function, Loops, Name, Op, ParallelEdges,
    PathAccept, PathAlternative, PathLeg, PathMode, PathOrder, PathPattern, PathTest, Pipeline,
    ScanSource, op,
};
use millrace_testkit::Rng;

use super::expressions::{Kind, Sight};
use super::generate::{Generator, ROWS_MAX};
use super::graph::LABELS;
use super::loops::DIRECTIONS;

/// Tags of a path's objects.
pub(super) const TAGS: [&str; 2] = ["a", "b"];

impl Generator<'_> {
    /// Paths, and at times an operator over all of them: their edges walked again, how many ends.
    pub(super) fn ways(&mut self, sight: &mut Sight) -> Vec<Op> {
        let mut ops: Vec<Op> = self.path(sight).into_iter().collect();
        if self.rng.chance(0.2) {
            let length = self.length_of(&mut ops.last_mut(), sight);
            ops.extend(length);
            return ops;
        }
        let Some(Op::PathExpand(op::PathExpand { to: Some(to), .. })) = ops.first().cloned() else {
            return ops;
        };
        if self.rng.chance(0.4) {
            ops.extend(self.chain(sight));
        } else if self.rng.chance(0.3) {
            let label = Name::from(*self.rng.pick(&LABELS));
            let vertex = Box::new(Expr::Column(to));
            let predicate = Expr::HasLabel { vertex, label }.negate();
            ops.extend(self.rng.chance(0.3).then_some(Op::Filter(op::Filter { predicate })));
            ops.push(Op::Dedup(op::Dedup { columns: vec![to] }));
            let count = self.column("ends");
            let fold = *self.rng.pick(&[0, 1]);
            let property = Expr::property(to, "i");
            let fold = if fold == 0 { Fold::Count } else { Fold::Sum(property) };
            ops.push(Op::Aggregate(op::Aggregate { keys: Vec::new(), folds: vec![(count, fold)] }));
            sight.columns = vec![(count, Kind::Int)];
            sight.rows = 1;
        }
        ops
    }

    /// Hops from vertices with a label, or any, to some with another.
    pub(super) fn labelled_chain(&mut self, sight: &mut Sight) -> Vec<Op> {
        if self.scattered || ROWS_MAX < sight.rows * 18 {
            return Vec::new();
        }
        let mut at = self.column("start");
        let mut label = || Name::from(*self.rng.pick(&LABELS));
        let (first, last) = (label(), label());
        let source = ScanSource::Vertices(self.rng.chance(0.6).then_some(first));
        let mut ops = vec![Op::Scan(op::Scan { source, to: at })];
        sight.columns.push((at, Kind::Vertex));
        for _ in 0..self.rng.range(1..3) {
            let (edge, to) = (self.rng.chance(0.5).then(|| self.column("e")), self.column("x"));
            let types = self.rng.chance(0.3).then(|| self.types());
            let direction = *self.rng.pick(&DIRECTIONS);
            let loops = *self.rng.pick(&[Loops::Once, Loops::Twice]);
            let to_column = Some(to);
            ops.push(Op::Expand(op::Expand {
                from: at,
                types,
                direction,
                edge,
                to: to_column,
                loops,
            }));
            sight.columns.extend(edge.map(|edge| (edge, Kind::Edge)));
            sight.columns.push((to, Kind::Vertex));
            if self.rng.chance(0.4) {
                let known = Expr::IsAbsent(Box::new(Expr::property(at, "i")));
                ops.push(Op::Filter(op::Filter { predicate: known.negate() }));
            }
            at = to;
        }
        let vertex = Box::new(Expr::Column(at));
        ops.push(Op::Filter(op::Filter { predicate: Expr::HasLabel { vertex, label: last } }));
        sight.rows *= 18;
        ops
    }

    /// Hops over different edges, counted most often.
    pub(super) fn pattern(&mut self, sight: &mut Sight) -> Vec<Op> {
        let mut ops = Vec::new();
        let mut edges: Vec<ColumnId> = Vec::new();
        let mut met: Vec<ColumnId> = sight.column(self.rng, &[Kind::Vertex]).into_iter().collect();
        let hops = if met.is_empty() || ROWS_MAX < sight.rows * 9 { 0 } else { 2 };
        for _ in 0..hops + self.rng.below(hops + 1) {
            let last = met[met.len() - 1];
            let from = if self.rng.chance(0.8) { last } else { *self.rng.pick(&met) };
            let types = self.rng.chance(0.3).then(|| self.types());
            let direction = *self.rng.pick(&DIRECTIONS);
            let loops = if self.rng.chance(0.9) { Loops::Once } else { Loops::Twice };
            let edge = self.column("e");
            if self.rng.chance(0.2) {
                let (into, edge) = (*self.rng.pick(&met), Some(edge));
                ops.push(Op::ExpandInto(op::ExpandInto {
                    from,
                    into,
                    types,
                    direction,
                    edge,
                    loops,
                }));
            } else {
                let to = self.column("x");
                met.push(to);
                let (edge, to) = (Some(edge), Some(to));
                ops.push(Op::Expand(op::Expand { from, types, direction, edge, to, loops }));
            }
            ops.extend(self.differs(edge, &edges));
            if self.rng.chance(0.2) {
                let vertex = Box::new(Expr::Column(met[met.len() - 1]));
                let label = Name::from(*self.rng.pick(&LABELS));
                ops.push(Op::Filter(op::Filter { predicate: Expr::HasLabel { vertex, label } }));
            }
            edges.push(edge);
        }
        if !edges.is_empty() && self.rng.chance(0.2) {
            let count = self.column("count");
            sight.columns.push((count, Kind::Int));
            let last = met[met.len() - 1];
            let sums = self.rng.chance(0.4);
            let fold = if sums { Fold::Sum(self.summed(last)) } else { Fold::Count };
            let kind = ApplyKind::Value { fold, to: count };
            return vec![Op::Apply(op::Apply { sub: Pipeline { ops }, kind })];
        }
        sight.columns.extend(edges.iter().map(|edge| (*edge, Kind::Edge)));
        sight.columns.extend(met.iter().skip(1).map(|vertex| (*vertex, Kind::Vertex)));
        sight.rows *= 3 * hops.max(1);
        if !edges.is_empty() && self.rng.chance(0.8) {
            let count = self.column("count");
            let fold = match met.last() {
                Some(last) if self.rng.chance(0.4) => Fold::Sum(self.summed(*last)),
                _ => Fold::Count,
            };
            let keys: Vec<ColumnId> = met.into_iter().filter(|_| self.rng.chance(0.3)).collect();
            sight.columns = keys.iter().map(|key| (*key, Kind::Vertex)).collect();
            sight.columns.push((count, Kind::Int));
            ops.push(Op::Aggregate(op::Aggregate { keys, folds: vec![(count, fold)] }));
        }
        ops
    }

    /// The summand of a vertex; at times it is none of its own.
    fn summed(&mut self, vertex: ColumnId) -> Expr {
        let key = *self.rng.pick(&["i", "i", "n", "l"]);
        if self.rng.chance(0.1) { Expr::literal(2) } else { Expr::property(vertex, key) }
    }

    /// The test that an edge differs from those before, of which one is left out at times.
    fn differs(&mut self, edge: ColumnId, before: &[ColumnId]) -> Option<Op> {
        let others = before.iter().filter(|_| self.rng.chance(0.97));
        let all: Vec<Expr> = [&edge].into_iter().chain(others).copied().map(Expr::Column).collect();
        let predicate = Expr::call(Function::DiffersFrom, all);
        (!before.is_empty()).then_some(Op::Filter(op::Filter { predicate }))
    }

    fn path(&mut self, sight: &mut Sight) -> Option<Op> {
        let from = sight.column(self.rng, &[Kind::Vertex])?;
        if ROWS_MAX < sight.rows * 6 {
            return None;
        }
        let into = sight.column(self.rng, &[Kind::Vertex]).filter(|_| self.rng.chance(0.3));
        let ways = random_ways(self.rng);
        let min = self.rng.below(if ways.is_shortest() { 2 } else { 3 });
        let may_be_endless = ways.is_shortest() || ways.cheapest() == Some(1);
        let endless = may_be_endless && self.rng.chance(0.5);
        let max = (!endless).then(|| min + self.rng.below(3));
        let weighted = !ways.is_shortest() && self.rng.chance(0.4);
        // Several steps make many ways.
        let count = if max.is_none_or(|max| 2 < max) || self.rng.chance(0.7) { 1 } else { 2 };
        let is_long = max.is_none_or(|max| 2 < max) || count == 2;
        let steps = (0..count).map(|_| self.leg(sight, ways, (weighted, is_long)));
        let steps: Vec<PathLeg> = steps.collect();
        let mut bound =
            |below: u64| (weighted && self.rng.chance(0.3)).then(|| self.rng.below(below) as f64);
        let (least, most) = (bound(3), bound(6));
        let may_be_deep = matches!(ways, PathMode::Walk | PathMode::Trail | PathMode::Acyclic);
        let order = match may_be_deep && self.rng.chance(0.5) {
            true => PathOrder::DepthFirst,
            false => PathOrder::ShorterFirst,
        };
        let may_accept = ways.cheapest().is_some() && self.rng.chance(0.4);
        let accept = may_accept.then(|| self.accept(sight));
        let has_radius = steps.len() == 1 && self.rng.chance(0.4);
        let radius = has_radius.then(|| 1 + self.rng.below(3));
        let has_frontier = ways.cheapest().is_some() && self.rng.chance(0.3);
        let frontier = has_frontier.then(|| 1 + self.rng.below(8));
        let all = PathPattern::of_steps(from, steps, (min, max), ways);
        let path = PathPattern { into, order, radius, frontier, least, most, accept, ..all };
        let edges = self.rng.chance(0.4).then(|| self.column("edges"));
        let vertices = self.rng.chance(0.2).then(|| self.column("vertices"));
        let whole = self.rng.chance(0.2).then(|| self.column("whole"));
        let alternatives = self.rng.chance(0.2).then(|| self.column("alternatives"));
        let to = self.rng.chance(0.9).then(|| self.column("end"));
        let cost = self.rng.chance(0.2).then(|| self.column("cost"));
        sight.columns.extend(edges.map(|edges| (edges, Kind::Edges)));
        sight.columns.extend(whole.map(|whole| (whole, Kind::Path)));
        sight.columns.extend(vertices.map(|vertices| (vertices, Kind::Any)));
        sight.columns.extend(alternatives.map(|list| (list, Kind::Any)));
        sight.columns.extend(to.map(|to| (to, Kind::Vertex)));
        sight.columns.extend(cost.map(|cost| (cost, Kind::Number)));
        sight.rows *= 6;
        Some(Op::PathExpand(op::PathExpand {
            path,
            edges,
            vertices,
            whole,
            alternatives,
            to,
            cost,
        }))
    }

    /// How long the list of edges of paths is, which nothing else may read.
    fn length_of(&mut self, path: &mut Option<&mut Op>, sight: &mut Sight) -> Option<Op> {
        let Some(Op::PathExpand(path)) = path else { return None };
        let edges = *path.edges.get_or_insert_with(|| self.column("edges"));
        path.whole.get_or_insert_with(|| self.column("whole"));
        sight.columns.retain(|(column, _)| *column != edges);
        let (length, mut list) = (self.column("length"), Expr::Column(edges));
        if self.rng.chance(0.5) {
            list = Expr::call(Function::Reverse, vec![list]);
        }
        sight.columns.push((length, Kind::Int));
        let expr = Expr::call(Function::Size, vec![list]);
        Some(Op::Project(op::Project { columns: vec![(length, expr)] }))
    }

    /// A condition of whole ways: of their length, of their edges, or of a row's column.
    fn accept(&mut self, sight: &Sight) -> PathAccept {
        let (whole, edges) = (self.column("way"), self.column("walked"));
        let length = match self.rng.chance(0.5) {
            true => Expr::call(Function::EdgeCount, vec![Expr::Column(whole)]),
            false => Expr::call(Function::Size, vec![Expr::Column(edges)]),
        };
        let bound = match sight.column(self.rng, &[Kind::Int]) {
            Some(column) if self.rng.chance(0.3) => Expr::Column(column),
            _ => Expr::literal(self.rng.below(3) as i64),
        };
        let comparison =
            *self.rng.pick(&[Comparison::LessEqual, Comparison::NotEqual, Comparison::Greater]);
        PathAccept { whole, edges, holds: Expr::compare(comparison, bound, length) }
    }

    /// A step; one of several alternatives makes many ways.
    fn leg(&mut self, sight: &Sight, ways: PathMode, (weighted, is_long): (bool, bool)) -> PathLeg {
        let several = if self.rng.chance(if is_long { 0.2 } else { 0.5 }) { 2 } else { 1 };
        let count = several + u64::from(!is_long && several == 2 && self.rng.chance(0.3));
        let alternatives = (0..count).map(|_| {
            let weighted = weighted && (count == 1 || self.rng.chance(0.7));
            self.alternative(sight, ways, weighted)
        });
        let alternatives = alternatives.collect();
        let is_first = self.rng.chance(0.2);
        let parallel = if is_first { ParallelEdges::First } else { ParallelEdges::All };
        PathLeg { alternatives, parallel }
    }

    fn alternative(&mut self, sight: &Sight, ways: PathMode, weighted: bool) -> PathAlternative {
        let types = self.rng.chance(0.5).then(|| self.types());
        let direction = *self.rng.pick(&DIRECTIONS);
        let loops = *self.rng.pick(&[Loops::Once, Loops::Twice]);
        // Where one way to an end is enough the sums must be exact: rounding is unspecified.
        let exact = ways.cheapest() == Some(1) || self.rng.chance(0.5);
        let weight = weighted.then(|| Name::from(if exact { "i" } else { "n" }));
        let test = self.rng.chance(0.3).then(|| self.path_test(sight));
        PathAlternative { weight, test, ..PathAlternative::along(types, direction, loops) }
    }

    /// A condition that cannot fail: a search that knows better asks it of fewer edges than the oracle.
    fn path_test(&mut self, sight: &Sight) -> PathTest {
        let [edge, vertex] = ["e", "x"].map(|name| self.column(name));
        let label = Name::from(*self.rng.pick(&LABELS));
        let labelled = Expr::HasLabel { vertex: Box::new(Expr::Column(vertex)), label };
        let of = *self.rng.pick(&[edge, vertex]);
        let key = *self.rng.pick(&["i", "s"]);
        let known = Expr::IsAbsent(Box::new(Expr::property(of, key)));
        let outer =
            sight.columns.first().map(|(column, _)| Expr::IsNull(Box::new(Expr::Column(*column))));
        let mut parts = vec![labelled, known.negate()];
        parts.extend(outer.map(Expr::negate).filter(|_| self.rng.chance(0.3)));
        let holds = *self.rng.pick(&[0, 1]);
        let holds = if holds == 0 { Expr::Or(parts) } else { parts.swap_remove(1) };
        PathTest { edge, vertex, holds }
    }

    fn chain(&mut self, sight: &mut Sight) -> Option<Op> {
        let list = sight.column(self.rng, &[Kind::Edges])?;
        let direction = *self.rng.pick(&DIRECTIONS);
        let [from, to] = ["from", "to"].map(|name| self.rng.chance(0.8).then(|| self.column(name)));
        sight.columns.extend(from.iter().chain(&to).map(|column| (*column, Kind::Vertex)));
        sight.rows *= 2;
        Some(Op::TrailEndpoints(op::TrailEndpoints { list, direction, from, to }))
    }

    /// Paths of anything (elements, values, other paths), at times only those that are simple.
    pub(super) fn path_step(&mut self, sight: &mut Sight) -> Vec<Op> {
        let before = sight.column(self.rng, &[Kind::Path]).filter(|_| self.rng.chance(0.8));
        let objects: Vec<ColumnId> = sight.columns.iter().map(|(column, _)| *column).collect();
        let tagged = self.rng.chance(0.15) || objects.is_empty();
        let object = (!tagged).then(|| *self.rng.pick(&objects));
        let tags = TAGS.into_iter().filter(|_| self.rng.chance(0.3)).map(Name::from).collect();
        let to = self.column("path");
        sight.columns.push((to, Kind::Path));
        let step = Op::PathStep(op::PathStep { before, object, tags, to });
        let objects = Expr::call(Function::Objects, vec![Expr::Column(to)]);
        let simple = Expr::call(Function::AreDistinct, vec![objects]);
        let filter = self.rng.chance(0.3).then_some(Op::Filter(op::Filter { predicate: simple }));
        [step].into_iter().chain(filter).collect()
    }
}

fn random_ways(rng: &mut Rng) -> PathMode {
    let count = rng.range(1..4);
    let one = *rng.pick(&[1, count]);
    *rng.pick(&[
        PathMode::Walk,
        PathMode::Trail,
        PathMode::Acyclic,
        PathMode::AnyShortest,
        PathMode::AllShortest,
        PathMode::CheapestTrails(one),
        PathMode::CheapestAcyclic(one),
        PathMode::CheapestGroups(one),
    ])
}
