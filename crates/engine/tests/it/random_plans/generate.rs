//! Random plans: every operator, nested subplans of every kind, valid by construction.
//!
//! A generator knows the columns in sight and their kinds, so plans are never refused; and about how
//! many rows there may be, so that the oracle stays fast.

use std::sync::Arc;

use millrace_model::compare::CompareMode;
use millrace_model::{Batch, Column, Direction, Value, VertexId};
use millrace_plan::op::RowsSource;
use millrace_plan::{
    ApplyKind, ColumnId, DegreeHint, End, Expr, Fold, Hints, LetBinding, LetId, Loops, Name, Op,
    OwnerName, Parameter, ParameterId, Pipeline, Plan, ScanSource, SeekBound, SeekRange, op,
};
use millrace_testkit::Rng;

use super::expressions::{Kind, Sight};
use super::graph::{LABELS, TYPES, number};
use super::ids::asked_of_its_kind;
use super::settle::settle;

/// How deep subplans nest.
pub(super) const DEPTH_MAX: u32 = 3;
/// How many rows an operator may be given, roughly.
pub(super) const ROWS_MAX: u64 = 120;

pub(super) struct Generator<'a> {
    pub(super) rng: &'a mut Rng,
    pub(super) plan: Plan,
    pub(super) parameters: Vec<Parameter>,
    pub(super) writes: bool,
    /// The columns that each `Let` keeps.
    pub(super) let_columns: Vec<Vec<(ColumnId, Kind)>>,
    /// Whether elements were made in an unspecified order; the order of scans is then unspecified too.
    pub(super) scattered: bool,
    /// Whether a subplan writes: the order in which its operators number new elements is unspecified.
    pub(super) makes_inside: bool,
}

/// A random plan with its parameters.
pub(super) fn random_plan(rng: &mut Rng) -> (Plan, Vec<Parameter>) {
    let modes = [CompareMode::Plain, CompareMode::NullIsValue, CompareMode::NullIsUnknown];
    let (compare, ordered, merging) = (*rng.pick(&modes), rng.chance(0.5), rng.chance(0.8));
    let hints = if rng.chance(0.5) { Arc::new(random_hints(rng)) } else { Arc::default() };
    let plan = Plan { compare, ordered, merging, hints, ..Plan::default() };
    let writes = rng.chance(0.2);
    let parameters = Vec::new();
    let (scattered, makes_inside) = (false, false);
    let let_columns = Vec::new();
    let mut generator =
        Generator { rng, plan, parameters, writes: false, let_columns, scattered, makes_inside };
    let mut sight = Sight { rows: 1, ..Sight::default() };
    for _ in 0..generator.rng.below(5) / 3 {
        generator.add_let(&mut sight);
    }
    if generator.rng.chance(0.05) {
        let (ops, count) = generator.counted_pattern();
        (generator.plan.root, generator.plan.output) = (Pipeline { ops }, vec![count]);
        let Generator { plan, parameters, .. } = generator;
        return (plan, parameters);
    }
    (generator.writes, sight.writes) = (writes, writes);
    generator.plan.root = generator.pipeline(&mut sight, 0, 8);
    let output = sight.columns.iter().map(|(column, _)| *column);
    let output: Vec<_> = output.filter(|_| generator.rng.chance(0.7)).collect();
    generator.plan.output = output;
    let Generator { mut plan, mut parameters, .. } = generator;
    settle(&mut plan, &mut parameters);
    (plan, parameters)
}

/// A pattern that is counted.
pub(super) fn counted_plan(rng: &mut Rng) -> (Plan, Vec<Parameter>) {
    let compare = CompareMode::NullIsUnknown;
    let hints = Arc::new(random_hints(rng));
    let plan = Plan { compare, hints, ordered: false, merging: true, ..Plan::default() };
    let (parameters, let_columns) = (Vec::new(), Vec::new());
    let (writes, scattered, makes_inside) = (false, false, false);
    let mut generator =
        Generator { rng, plan, parameters, writes, let_columns, scattered, makes_inside };
    let (ops, count) = generator.counted_pattern();
    let Generator { mut plan, parameters, .. } = generator;
    (plan.root, plan.output) = (Pipeline { ops }, vec![count]);
    (plan, parameters)
}

/// Counts of no graph: a plan is right whatever they are.
fn random_hints(rng: &mut Rng) -> Hints {
    let labels = LABELS.into_iter().map(|label| (Name::from(label), rng.below(8))).collect();
    let known = |name| rng.chance(0.8).then(|| (Name::from(name), rng.below(64)));
    let edge_types = TYPES.into_iter().filter_map(known).collect();
    let mut degrees = std::collections::BTreeMap::new();
    for label in LABELS {
        if rng.chance(0.5) {
            continue;
        }
        let mut hint = |name| {
            let (out, into) = (rng.below(64), rng.below(64));
            let (one_out, one_into) = (rng.chance(0.5), rng.chance(0.5));
            (Name::from(name), DegreeHint { out, into, one_out, one_into })
        };
        degrees.insert(Name::from(label), TYPES.into_iter().map(&mut hint).collect());
    }
    Hints { vertices: Some(8), labels, edge_types, degrees, ..Hints::default() }
}

impl Generator<'_> {
    pub(super) fn column(&mut self, name: &str) -> ColumnId {
        self.plan.columns.push(Name::from(name));
        ColumnId(self.plan.columns.len() as u32 - 1)
    }

    fn add_let(&mut self, sight: &mut Sight) {
        let mut own = sight.clone();
        let pipeline = self.pipeline(&mut own, 1, 4);
        let Some(column) = own.column(self.rng, &[Kind::Vertex]) else { return };
        let others = own
            .columns
            .iter()
            .filter(|(other, kind)| *other != column && !matches!(kind, Kind::Opaque | Kind::Path));
        let others = others.filter(|_| self.rng.chance(0.3)).copied();
        let kept: Vec<_> = [(column, Kind::Vertex)].into_iter().chain(others).collect();
        let columns = kept.iter().map(|(column, _)| *column).collect();
        self.plan.lets.push(LetBinding { name: Name::from("set"), pipeline, columns });
        self.let_columns.push(kept);
        sight.lets.push(LetId(self.plan.lets.len() as u32 - 1));
    }

    pub(super) fn pipeline(&mut self, sight: &mut Sight, depth: u32, ops_max: u64) -> Pipeline {
        let mut ops = Vec::new();
        if depth == 0 && self.writes && self.rng.chance(0.1) {
            ops = self.creates_alike(sight);
        }
        while depth == 0 && ops.is_empty() {
            ops.extend(self.source(sight));
        }
        for _ in 0..self.rng.below(ops_max) + u64::from(depth == 0) {
            ops.extend(self.op(sight, depth));
        }
        Pipeline { ops }
    }

    /// One operator, or two that belong together; none if nothing fits.
    fn op(&mut self, sight: &mut Sight, depth: u32) -> Vec<Op> {
        let op = match self.rng.below(if self.writes { 48 } else { 44 }) {
            0 if self.rng.chance(0.5) => return self.labelled_chain(sight),
            0 => return self.scan_where(sight),
            1..=5 => self.source(sight),
            6..=11 => self.expand(sight),
            12..=14 => Some(self.filter(sight)),
            15 | 16 => Some(self.project(sight)),
            17 if self.rng.chance(0.4) => Some(self.unwind_values(sight)),
            17 => Some(self.unwind(sight)),
            18 | 19 => Some(self.aggregate(sight)),
            20 => self.dedup(sight),
            21 | 22 => return self.order(sight),
            23 => Some(self.barrier(sight)),
            24 if depth < DEPTH_MAX => Some(self.union(sight, depth)),
            25..=29 if depth < DEPTH_MAX => {
                let apply = self.apply(sight, depth);
                return self.tested(apply, sight);
            }
            30 => self.side_effect(sight),
            31 => self.look_at_element(sight),
            32 | 33 if depth < DEPTH_MAX => self.repeat(sight, depth),
            34 if self.rng.chance(0.5) => return self.ways(sight),
            34 => return self.path_step(sight),
            35 if self.rng.chance(0.5) => return self.pattern(sight),
            35 => self.expand_into(sight),
            36 if depth < DEPTH_MAX => self.join(sight, depth),
            37 if depth < DEPTH_MAX => self.group(sight, depth),
            38 => Some(self.tail()),
            39 => self.fail(sight),
            40..=43 => self.further(sight, depth),
            // Matches that each outer row multiplies, and the next one finds, would double with each row.
            44 if depth == 0 => self.merge_path(sight),
            44.. if depth == 0 || sight.rows < 3 => {
                self.makes_inside |= 0 < depth;
                self.write(sight)
            }
            _ => None,
        };
        op.into_iter().collect()
    }

    fn source(&mut self, sight: &mut Sight) -> Option<Op> {
        if ROWS_MAX < sight.rows * 8 {
            return None;
        }
        let name = *self.rng.pick(&["a", "b", "c"]);
        let to = self.column(name);
        let label = Name::from(*self.rng.pick(&LABELS));
        let (op, kind, factor) = match self.rng.below(9) {
            0..=5 | 8 if self.scattered => return Some(self.rows(sight)),
            0..=3 => {
                let label = self.rng.chance(0.4).then_some(label);
                (Op::Scan(op::Scan { source: ScanSource::Vertices(label), to }), Kind::Vertex, 5)
            }
            4 => {
                let types = self.rng.chance(0.3).then(|| self.types());
                (Op::Scan(op::Scan { source: ScanSource::Edges(types), to }), Kind::Edge, 8)
            }
            5 => {
                let owner = match self.rng.below(3) {
                    0 => OwnerName::AllVertices,
                    1 => OwnerName::EdgeType(Name::from(*self.rng.pick(&TYPES))),
                    _ => OwnerName::Label(label),
                };
                let edges = matches!(owner, OwnerName::EdgeType(_));
                let kind = if edges { Kind::Edge } else { Kind::Vertex };
                let range = self.rng.chance(0.5).then(|| self.seek_range(sight));
                let keys = match range {
                    Some(_) if self.rng.chance(0.6) => Vec::new(),
                    Some(_) | None => vec![Name::from("n")],
                };
                let often = Expr::literal(1);
                let value = if self.rng.chance(0.5) { often } else { sight.numeric(self.rng) };
                let values = keys.iter().map(|_| value.clone()).collect();
                (Op::Seek(op::Seek { owner, keys, values, range, to }), kind, 3)
            }
            6 => self.ids(sight, to),
            7 => return Some(self.rows(sight)),
            _ => match sight.lets.is_empty() {
                true => return None,
                false => {
                    let name = *self.rng.pick(&sight.lets);
                    return Some(self.let_ref(name, to, sight));
                }
            },
        };
        sight.columns.push((to, kind));
        sight.rows *= factor;
        Some(op)
    }

    /// A source, and a filter behind it that an index or a look-up might answer.
    fn scan_where(&mut self, sight: &mut Sight) -> Vec<Op> {
        let outer = sight.clone();
        let Some(source) = self.source(sight) else { return Vec::new() };
        let Some((element, kind @ (Kind::Vertex | Kind::Edge))) = sight.columns.last().copied()
        else {
            return vec![source];
        };
        let parts = 0..self.rng.range(1..3);
        let mut parts: Vec<Expr> = parts
            .map(|_| match self.rng.below(10) {
                0..=2 => outer.asked_of_an_id(self.rng, element),
                3 => asked_of_its_kind(self.rng, element, kind),
                _ => outer.asked_of_an_index(self.rng, element),
            })
            .collect();
        if self.rng.chance(0.2) {
            parts.push(sight.truth(self.rng, 1));
        }
        let predicate = if parts.len() == 1 { parts.remove(0) } else { Expr::And(parts) };
        let mut ops = vec![source, Op::Filter(op::Filter { predicate })];
        if self.rng.chance(0.3) {
            ops.extend(self.first_by_key(element));
        }
        ops
    }

    fn seek_range(&mut self, sight: &Sight) -> SeekRange {
        let key = Name::from(*self.rng.pick(&["i", "i", "n", "s"]));
        let mut bound = |below: i64| {
            let value = match self.rng.below(4) {
                0 => return None,
                1 if *key == *"s" => Expr::literal(*self.rng.pick(&["", "a", "b"])),
                1 => sight.numeric(self.rng),
                2 => sight.any(self.rng),
                _ => Expr::literal(below),
            };
            Some(SeekBound { value, inclusive: self.rng.chance(0.5) })
        };
        let (lower, upper) = (bound(0), bound(2));
        SeekRange { key, lower, upper }
    }

    pub(super) fn types(&mut self) -> Vec<Name> {
        (0..=self.rng.below(2)).map(|_| Name::from(*self.rng.pick(&TYPES))).collect()
    }

    fn rows(&mut self, sight: &mut Sight) -> Op {
        let (v, n) = (self.column("v"), self.column("n"));
        sight.columns.extend([(v, Kind::Vertex), (n, Kind::Number)]);
        sight.rows *= 6;
        let count = self.rng.below(8).min(3) as usize;
        // Vertex 1 is always there; null has no edges.
        let vertex = |rng: &mut Rng| match rng.below(4) {
            0 => Value::Null,
            _ => Value::Vertex(VertexId(1)),
        };
        let rows: Vec<[Value; 2]> =
            (0..count).map(|_| [vertex(self.rng), number(self.rng)]).collect();
        let to = vec![v, n];
        if self.rng.chance(0.3) {
            let rows = rows.into_iter().map(|row| row.to_vec()).collect();
            return Op::Rows(op::Rows { source: RowsSource::Literal(rows), to });
        }
        let column = |index: usize| Column::from_values(rows.iter().map(|row| row[index].clone()));
        let mut batch = Batch::of(vec![column(0), column(1)]);
        batch.weights = Some((0..count).map(|_| self.rng.range(1..4)).collect::<Vec<_>>().into());
        self.plan.parameters.push(Name::from("rows"));
        self.parameters.push(Parameter::Rows(batch));
        let id = ParameterId(self.parameters.len() as u32 - 1);
        Op::Rows(op::Rows { source: RowsSource::Parameter(id), to })
    }

    pub(super) fn expand(&mut self, sight: &mut Sight) -> Option<Op> {
        let from = sight.column(self.rng, &[Kind::Vertex])?;
        if ROWS_MAX < sight.rows * 3 {
            return None;
        }
        let types = self.rng.chance(0.25).then(|| self.types());
        let direction = *self.rng.pick(&[Direction::Out, Direction::In, Direction::Both]);
        if self.rng.chance(0.2) {
            let to = self.column("x");
            sight.columns.push((to, Kind::Vertex));
            sight.rows *= 3;
            return Some(Op::Neighbours(op::Neighbours { from, types, direction, to }));
        }
        let loops = *self.rng.pick(&[Loops::Once, Loops::Twice]);
        let edge = self.rng.chance(0.3).then(|| self.column("e"));
        let to = self.rng.chance(0.9).then(|| self.column("x"));
        sight.columns.extend(edge.map(|edge| (edge, Kind::Edge)));
        sight.columns.extend(to.map(|to| (to, Kind::Vertex)));
        sight.rows *= 3;
        Some(Op::Expand(op::Expand { from, types, direction, edge, to, loops }))
    }

    fn filter(&mut self, sight: &Sight) -> Op {
        let mut predicate = sight.truth(self.rng, 2);
        // Rows that are all gone test nothing further on.
        if self.rng.chance(0.8) {
            predicate = Expr::Or(vec![predicate, sight.truth(self.rng, 1).negate()]);
        }
        Op::Filter(op::Filter { predicate })
    }

    fn project(&mut self, sight: &mut Sight) -> Op {
        let mut columns = Vec::new();
        for _ in 0..=self.rng.below(2) {
            let to = self.column("p");
            let (expr, kind) = match self.rng.below(6) {
                0 => (sight.int(self.rng), Kind::Int),
                1 => (sight.numeric(self.rng), Kind::Number),
                2 => (sight.list(self.rng), Kind::List),
                3 => (sight.truth(self.rng, 1), Kind::Any),
                4 => match sight.column(self.rng, &[Kind::Vertex]) {
                    Some(vertex) => (Expr::Column(vertex), Kind::Vertex),
                    None => (Expr::Literal(Value::Null), Kind::Vertex),
                },
                _ => (sight.any(self.rng), Kind::Any),
            };
            columns.push((to, expr, kind));
        }
        sight.columns.extend(columns.iter().map(|(to, _, kind)| (*to, *kind)));
        Op::Project(op::Project {
            columns: columns.into_iter().map(|(to, expr, _)| (to, expr)).collect(),
        })
    }

    fn unwind(&mut self, sight: &mut Sight) -> Op {
        let list = match self.rng.below(2) {
            0 => sight.list(self.rng),
            _ => Expr::Literal(Value::list(vec![number(self.rng), Value::Null, number(self.rng)])),
        };
        let to = self.column("u");
        let position = self.rng.chance(0.5).then(|| self.column("at"));
        sight.columns.push((to, Kind::Any));
        sight.columns.extend(position.map(|at| (at, Kind::Int)));
        sight.rows *= 2;
        Op::Unwind(op::Unwind { list, to, position })
    }

    pub(super) fn some_columns(&mut self, sight: &Sight, chance: f64) -> Vec<(ColumnId, Kind)> {
        let comparable = sight.columns.iter().filter(|(_, kind)| *kind != Kind::Opaque);
        comparable.filter(|_| self.rng.chance(chance)).copied().collect()
    }

    fn aggregate(&mut self, sight: &mut Sight) -> Op {
        let keys = self.some_columns(sight, 0.3);
        let mut folds = Vec::new();
        let mut kinds = keys.clone();
        for _ in 0..=self.rng.below(2) {
            let (fold, kind) = self.fold(sight);
            let to = self.column("f");
            kinds.push((to, kind));
            folds.push((to, fold));
        }
        if keys.is_empty() {
            sight.rows = 1;
        }
        sight.columns = kinds;
        Op::Aggregate(op::Aggregate {
            keys: keys.into_iter().map(|(column, _)| column).collect(),
            folds,
        })
    }

    fn dedup(&mut self, sight: &mut Sight) -> Option<Op> {
        let columns = self.some_columns(sight, 0.5);
        let columns: Vec<_> = columns.into_iter().map(|(column, _)| column).collect();
        (!columns.is_empty()).then_some(Op::Dedup(op::Dedup { columns }))
    }

    fn barrier(&mut self, sight: &mut Sight) -> Op {
        let kept = self.some_columns(sight, 0.7);
        if kept.is_empty() || self.rng.chance(0.3) {
            return Op::Barrier(op::Barrier { merge: None });
        }
        sight.columns = kept.clone();
        Op::Barrier(op::Barrier {
            merge: Some(kept.into_iter().map(|(column, _)| column).collect()),
        })
    }

    fn apply(&mut self, sight: &mut Sight, depth: u32) -> Op {
        let rows = if depth == 0 { 1 } else { sight.rows };
        let mut own = Sight { rows, ..sight.clone() };
        let sub = self.pipeline(&mut own, depth + 1, 5);
        let before = sight.columns.clone();
        let made: Vec<_> =
            own.columns.iter().filter(|column| !before.contains(column)).copied().collect();
        let to = self.column("v");
        let kind = match self.rng.below(9) {
            0 | 1 => ApplyKind::Flat,
            2 => ApplyKind::Optional,
            3 => ApplyKind::Value { fold: Fold::Exists, to },
            4 => {
                let (fold, kind) = self.fold(&own);
                sight.columns.push((to, kind));
                return Op::Apply(op::Apply { sub, kind: ApplyKind::Value { fold, to } });
            }
            5 if self.rng.chance(0.7) => ApplyKind::Exists,
            6 if self.rng.chance(0.5) => ApplyKind::Absent,
            5..=7 => {
                let columns = own.columns.iter().filter(|_| self.rng.chance(0.5));
                ApplyKind::Bag { columns: columns.map(|(column, _)| *column).collect(), to }
            }
            _ => ApplyKind::Effect,
        };
        match kind {
            ApplyKind::Flat | ApplyKind::Optional => {
                sight.columns.extend(made);
                sight.rows = if depth == 0 { sight.rows * own.rows } else { own.rows };
            }
            ApplyKind::Value { .. } => sight.columns.push((to, Kind::Any)),
            ApplyKind::Bag { .. } => sight.columns.push((to, Kind::Opaque)),
            ApplyKind::Exists | ApplyKind::Absent | ApplyKind::Effect => {}
        }
        Op::Apply(op::Apply { sub, kind })
    }

    /// The result of an `Apply`, often tested at once where it is a truth.
    fn tested(&mut self, apply: Op, sight: &Sight) -> Vec<Op> {
        let kind = if let Op::Apply(op::Apply { kind, .. }) = &apply { Some(kind) } else { None };
        let Some(&ApplyKind::Value { fold: Fold::Exists, to }) = kind else { return vec![apply] };
        let truth = Expr::Column(to);
        let truth = if self.rng.chance(0.5) { truth.negate() } else { truth };
        let predicate = match self.rng.below(4) {
            0 => return vec![apply],
            1 => Expr::And(vec![sight.truth(self.rng, 0), truth]),
            _ => truth,
        };
        vec![apply, Op::Filter(op::Filter { predicate })]
    }

    fn look_at_element(&mut self, sight: &mut Sight) -> Option<Op> {
        let to = self.column("end");
        if let Some(edge) = sight.column(self.rng, &[Kind::Edge])
            && self.rng.chance(0.8)
        {
            sight.columns.push((to, Kind::Vertex));
            let end = *self.rng.pick(&[End::Source, End::Target]);
            return Some(Op::Endpoints(op::Endpoints { edge, end, to }));
        }
        let element = sight.element(self.rng)?;
        sight.columns.push((to, Kind::Opaque));
        Some(self.fields(element, to))
    }
}
