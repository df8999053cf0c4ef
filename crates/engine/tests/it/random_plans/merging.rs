//! Random merges of whole paths: rows that depend on each other and rows that do not, by vertices,
//! keys and types.

use millrace_model::Direction;
use millrace_plan::{
    ApplyKind, ColumnId, Expr, Fold, Label, Loops, Name, Op, OwnerName, Pipeline, Properties,
    Template, UnionPick, op,
};

use super::expressions::{Kind, Sight};
use super::generate::{Generator, ROWS_MAX};
use super::graph::{LABELS, TYPES};
use super::loops::DIRECTIONS;

/// The operators that look for a path, and those that make its elements where there is none.
#[derive(Default)]
struct Path {
    found: Vec<Op>,
    vertices: Vec<Op>,
    edges: Vec<Op>,
}

impl Generator<'_> {
    /// One that finds the path of every row, or makes it, so that a later row finds it.
    pub(super) fn merge_path(&mut self, sight: &mut Sight) -> Option<Op> {
        if ROWS_MAX < sight.rows * 4 {
            return None;
        }
        let mut path = Path::default();
        let bound = sight.column(self.rng, &[Kind::Vertex]);
        let mut last = match bound {
            Some(bound) if self.rng.chance(0.7) => bound,
            _ => self.keyed(&mut path, sight),
        };
        let hops = self.rng.range(1..3);
        for hop in 0..hops {
            let into = bound.filter(|_| hop + 1 == hops && self.rng.chance(0.3));
            last = self.hop(&mut path, (last, into));
        }
        let Path { found, vertices, edges } = path;
        self.scattered |= 1 < vertices.len().max(edges.len());
        self.makes_inside = true;
        let (mut matched, made) = (found, vertices.iter().chain(&edges).cloned());
        if self.rng.chance(0.3) {
            matched.push(Op::Filter(op::Filter { predicate: sight.truth(self.rng, 0) }));
        }
        let mut branch = matched.clone();
        if self.rng.chance(0.5) {
            let value = if self.rng.chance(0.5) { sight.int(self.rng) } else { Expr::literal(1) };
            let key = if self.rng.chance(0.8) { "met" } else { "n" };
            let properties = Properties { keyed: vec![(Name::from(key), value)], map: None };
            branch.push(Op::Set(op::Set {
                element: last,
                properties,
                replace: false,
                rules: Default::default(),
            }));
        }
        let (is_there, created) = (self.column("found"), self.column("created"));
        let says = |truth: bool| {
            Op::Project(op::Project { columns: vec![(created, Expr::literal(truth))] })
        };
        branch.push(says(false));
        let made = Pipeline { ops: made.chain([says(true)]).collect() };
        sight.columns.push((last, Kind::Vertex));
        sight.columns.push((created, Kind::Any));
        sight.rows *= 3;
        let kind = ApplyKind::Value { fold: Fold::Exists, to: is_there };
        let pick = UnionPick::First(vec![Expr::Column(is_there), Expr::literal(true)]);
        let ops = vec![
            Op::Apply(op::Apply { sub: Pipeline { ops: matched }, kind }),
            Op::Union(op::Union { branches: vec![Pipeline { ops: branch }, made], pick }),
        ];
        Some(Op::Apply(op::Apply { sub: Pipeline { ops }, kind: ApplyKind::Flat }))
    }

    /// A path that begins at a vertex of a key.
    fn keyed(&mut self, path: &mut Path, sight: &Sight) -> ColumnId {
        let to = self.column("start");
        let value = match sight.column(self.rng, &[Kind::Int, Kind::Number]) {
            Some(column) if self.rng.chance(0.8) => Expr::Column(column),
            _ => sight.int(self.rng),
        };
        let label = *self.rng.pick(&LABELS);
        let owner = match self.rng.chance(0.7) {
            true => OwnerName::Label(Name::from(label)),
            false => OwnerName::AllVertices,
        };
        let keys = vec![Name::from("n")];
        path.found.push(Op::Seek(op::Seek {
            owner,
            keys,
            values: vec![value.clone()],
            range: None,
            to,
        }));
        // The path made is not always the path looked for.
        let label = if self.rng.chance(0.9) { label } else { *self.rng.pick(&LABELS) };
        let value = if self.rng.chance(0.9) { value } else { sight.int(self.rng) };
        path.vertices.push(vertex(label, vec![(Name::from("n"), value)], to));
        to
    }

    /// An edge further, to a vertex that is bound or not.
    fn hop(&mut self, path: &mut Path, (from, into): (ColumnId, Option<ColumnId>)) -> ColumnId {
        let edge_type = *self.rng.pick(&TYPES);
        let types = self.rng.chance(0.9).then(|| vec![Name::from(edge_type)]);
        let direction = *self.rng.pick(&DIRECTIONS);
        let loops = Loops::Once;
        let to = into.unwrap_or_else(|| self.column("next"));
        path.found.push(match into {
            Some(into) => {
                Op::ExpandInto(op::ExpandInto { from, into, types, direction, edge: None, loops })
            }
            None => {
                Op::Expand(op::Expand { from, types, direction, edge: None, to: Some(to), loops })
            }
        });
        if into.is_none() {
            let label = *self.rng.pick(&LABELS);
            path.vertices.push(vertex(label, Vec::new(), to));
        }
        let ends = if direction == Direction::In { [to, from] } else { [from, to] };
        let (edge_type, properties) = (Label::from(edge_type), Properties::default());
        let [source, target] = ends;
        let template =
            Template::Edge { edge_type, source, target, properties, must_have_ends: None };
        path.edges.push(Op::Create(op::Create { template, id: None, to: self.column("edge") }));
        to
    }
}

fn vertex(label: &str, keyed: Vec<(Name, Expr)>, to: ColumnId) -> Op {
    let properties = Properties { keyed, map: None };
    Op::Create(op::Create {
        template: Template::Vertex { labels: vec![label.into()], properties },
        id: None,
        to,
    })
}
