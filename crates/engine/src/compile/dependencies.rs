//! Which outer rows of a subplan depend on each other, so that the others may run together: rows
//! that cannot see the elements that the others make (docs/design/algebra.md, sections 2 and 7).
//! Merges of whole paths are such subplans.
//!
//! Rows run in *conflict-free batches*, in their order, one batch after the other. So a row sees
//! whatever earlier batches made, as it would in turn. It remains to show that the rows of one
//! batch run together as they would alone.
//!
//! Proof. Let all that a subplan writes and reads again be vertices and edges that `Create` makes,
//! read by `Seek` on keys, `Expand` and `ExpandInto`; about any other operator that reads another's
//! writes nothing is proved here, and its rows run in turn. Rows r and s are of one batch. Suppose a
//! run of r comes upon something that s made, and look at the first such thing.
//!
//! - It is a vertex: `Seek` found it, since every other way to a vertex is an edge, which came
//!   first. Then s made it with all the keys, and with values that are equal to those that r seeks.
//!   Both are expressions over outer rows, so they are compared beforehand.
//! - It is an edge: a hop of r listed it from a vertex x, and s made it with x as the end that the
//!   hop lists, with a type that the hop wants. x is not one that s made, as it came before. If s joins an
//!   outer vertex there and r hops from an outer vertex, both are known beforehand and equal. If s joins
//!   a vertex that it found by itself, or r hops from such a one, nothing is known: in turn, unless types or
//!   directions exclude it.
//!
//! So rows of which no two have such equal values see nothing of each other. Nor does it show afterwards
//! that they ran together: an operator makes its elements in the order of rows, and rows are kept
//! apart where two operators would put edges of one type into one list of one vertex.

use millrace_model::{Direction, Result};
use millrace_plan::columns::ColumnSet;
use millrace_plan::{ColumnId, Expr, Name, Op, OwnerName, Pipeline, Properties, Template, op};

use super::compiler::Compiler;
use crate::operators::{ConflictFreeBatches, DependencyPoint};

/// The part of a row that is compared with another row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Point {
    /// A vertex at which it lists edges, or adds some.
    Vertex(ColumnId),
    /// Values that it seeks, or makes a vertex with.
    Values(Vec<Expr>),
}

/// Pairs of points: a row depends on another one if their values there are equal.
pub(crate) type Dependencies = Vec<(Point, Point)>;

/// Where a row lists edges, or adds one.
struct ListAccess<'p> {
    at: At,
    /// `None`: of any type.
    types: Option<&'p [Name]>,
    direction: Direction,
    /// Which operator adds it.
    adds: Option<usize>,
}

/// The known origin of a vertex.
#[derive(Clone, Copy, PartialEq)]
enum At {
    Outer(ColumnId),
    /// The row made it itself.
    Fresh,
    /// It found it.
    Unknown,
}

type Sought<'p> = (&'p OwnerName, &'p [Name], Option<&'p [Expr]>);

#[derive(Default)]
struct Found<'p> {
    accesses: Vec<ListAccess<'p>>,
    /// Values are `None` of a range.
    sought: Vec<Sought<'p>>,
    made: Vec<&'p Template>,
}

/// Whether this module checks if the reader finds elements that the writer makes.
pub(crate) fn is_looked_at(reader: &Op, writer: &Op) -> bool {
    let reads = matches!(reader, Op::Expand(_) | Op::ExpandInto(_) | Op::Seek(_));
    reads && matches!(writer, Op::Create(_))
}

/// The dependencies between rows of a subplan; `None`: unknown before they run.
pub(crate) fn dependencies(sub: &Pipeline) -> Option<Dependencies> {
    let mut outer = sub.outer_columns();
    // One that is made on one way and read on another is none.
    sub.visit_ops(&mut |op| {
        op.made_columns().iter().for_each(|made| {
            outer.remove(made);
        });
    });
    let mut found = Found::default();
    gather(sub, &mut ColumnSet::new(), &outer, &mut found);
    let mut dependencies = Dependencies::new();
    for (at, one) in found.accesses.iter().enumerate() {
        for other in &found.accesses[at + 1..] {
            match (one.at, other.at) {
                _ if !one.conflicts(other) => {}
                (At::Fresh, _) | (_, At::Fresh) => {}
                (At::Outer(one), At::Outer(other)) => {
                    note((Point::Vertex(one), Point::Vertex(other)), &mut dependencies);
                }
                _ => return None,
            }
        }
    }
    for sought in &found.sought {
        for template in &found.made {
            if let Some(pair) = found_by(sought, template, &outer)? {
                note(pair, &mut dependencies);
            }
        }
    }
    Some(dependencies)
}

/// A match is looked for twice: by the operator that tests for it, and by the one that goes on with it.
fn note(pair: (Point, Point), dependencies: &mut Dependencies) {
    if !dependencies.contains(&pair) {
        dependencies.push(pair);
    }
}

/// The accesses to lists, operators in order; `fresh` are the vertices that the row made so far.
fn gather<'p>(
    pipeline: &'p Pipeline,
    fresh: &mut ColumnSet,
    outer: &ColumnSet,
    found: &mut Found<'p>,
) {
    let at = |column: ColumnId, fresh: &ColumnSet| match column {
        column if fresh.contains(&column) => At::Fresh,
        column if outer.contains(&column) => At::Outer(column),
        _ => At::Unknown,
    };
    for op in &pipeline.ops {
        op.subplans().iter().for_each(|sub| gather(sub, &mut fresh.clone(), outer, found));
        if let Some((at, types, direction)) = lists(op, |column| at(column, fresh)) {
            found.accesses.push(ListAccess { at, types, direction, adds: None });
        }
        if let Op::Seek(op::Seek { owner, keys, values, range, .. }) = op {
            let values = range.is_none().then_some(values.as_slice());
            found.sought.push((owner, keys, values));
        }
        if let Op::Create(op::Create { template, .. }) = op {
            if let Template::Edge { edge_type, source, target, .. } = template {
                let types = edge_type.known().map(std::slice::from_ref);
                let adds = Some(found.made.len());
                for (end, direction) in [(source, Direction::Out), (target, Direction::In)] {
                    found.accesses.push(ListAccess { at: at(*end, fresh), types, direction, adds });
                }
            }
            found.made.push(template);
        }
        op.new_columns().iter().for_each(|made| {
            fresh.remove(made);
        });
        if let Op::Create(op::Create { template: Template::Vertex { .. }, to, .. }) = op {
            fresh.insert(*to);
        }
    }
}

/// Where a hop lists edges, and which.
fn lists(op: &Op, at: impl Fn(ColumnId) -> At) -> Option<(At, Option<&[Name]>, Direction)> {
    if let Op::Expand(op::Expand { from, types, direction, .. }) = op {
        return Some((at(*from), types.as_deref(), *direction));
    }
    let Op::ExpandInto(op::ExpandInto { from, into, types, direction, .. }) = op else {
        return None;
    };
    // Its edges are in the lists of both ends: the end that is known beforehand will do.
    Some(match (at(*from), at(*into)) {
        (At::Unknown, known @ At::Outer(_)) => (known, types.as_deref(), direction.reverse()),
        (from, _) => (from, types.as_deref(), *direction),
    })
}

impl ListAccess<'_> {
    /// Whether one may list edges that the other adds, or both add to one list.
    fn conflicts(&self, other: &ListAccess<'_>) -> bool {
        let adds = self.adds != other.adds;
        let types = match (self.types, other.types) {
            (Some(one), Some(other)) => one.iter().any(|name| other.contains(name)),
            _ => true,
        };
        let both = [self.direction, other.direction].contains(&Direction::Both);
        adds && types && (both || self.direction == other.direction)
    }
}

/// How a seek finds the elements that a template makes, if it ever does; `None`: unknown.
fn found_by(
    (owner, keys, values): &Sought<'_>,
    template: &Template,
    outer: &ColumnSet,
) -> Option<Option<(Point, Point)>> {
    let never = Some(None);
    let Template::Vertex { labels, properties } = template else {
        // An edge is not found by a seek of vertices.
        return if let OwnerName::EdgeType(_) = owner { None } else { never };
    };
    match owner {
        OwnerName::EdgeType(_) => return never,
        OwnerName::Label(wanted) => {
            let may_be = |label: Option<&Name>| label.is_none_or(|label| label == wanted);
            if !labels.iter().any(|label| may_be(label.known())) {
                return never;
            }
        }
        OwnerName::AllVertices => {}
    }
    let Properties { keyed, map } = properties;
    let made = |key| keyed.iter().rev().find(|(own, _)| own == key).map(|(_, value)| value.clone());
    let made: Option<Vec<Expr>> = keys.iter().map(made).collect();
    let Some(made) = made else { return if map.is_none() { never } else { None } };
    let sought = values.filter(|_| map.is_none())?.to_vec();
    let mut read = ColumnSet::new();
    made.iter().chain(&sought).for_each(|expr| expr.read_columns(&mut read));
    read.is_subset(outer).then_some(Some((Point::Values(sought), Point::Values(made))))
}

impl Compiler<'_> {
    /// The conflict-free batches of a subplan that would otherwise run row by row.
    pub(crate) fn conflict_free_batches(
        &self,
        layout: &[ColumnId],
        dependencies: &Dependencies,
    ) -> Result<ConflictFreeBatches> {
        let mut points: Vec<&Point> = Vec::new();
        let mut number = |point| {
            points.iter().position(|known| *known == point).unwrap_or_else(|| {
                points.push(point);
                points.len() - 1
            })
        };
        let pairs = dependencies.iter().map(|(one, other)| (number(one), number(other))).collect();
        let compiled = points.into_iter().map(|point| {
            Ok(match point {
                Point::Vertex(column) => DependencyPoint::Vertex(self.slot(layout, *column)?),
                Point::Values(values) => DependencyPoint::Values(self.exprs(layout, values)?),
            })
        });
        Ok(ConflictFreeBatches { points: compiled.collect::<Result<_>>()?, pairs })
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::compare::CompareMode;
    use millrace_plan::{Loops, PlanBuilder};

    use super::*;
    use crate::prepare::access::{Turns, turns};

    struct Builder {
        plan: PlanBuilder,
        matched: Vec<Op>,
        made: Vec<Op>,
    }

    impl Builder {
        fn new() -> Builder {
            let (matched, made) = (Vec::new(), Vec::new());
            Builder { plan: PlanBuilder::new(CompareMode::Plain), matched, made }
        }

        fn column(&mut self) -> ColumnId {
            self.plan.column("x")
        }

        fn vertex(&mut self, keyed: Vec<(Name, Expr)>, to: ColumnId) {
            let properties = Properties { keyed, map: None };
            let template = Template::Vertex { labels: vec!["Box".into()], properties };
            self.made.push(Op::Create(op::Create { template, id: None, to }));
        }

        fn edge(&mut self, edge_type: &str, source: ColumnId, target: ColumnId) {
            let (edge_type, properties) = (edge_type.into(), Properties::default());
            let template =
                Template::Edge { edge_type, source, target, properties, must_have_ends: None };
            let to = self.column();
            self.made.push(Op::Create(op::Create { template, id: None, to }));
        }

        fn hop(&mut self, from: ColumnId, edge_type: &str, direction: Direction) -> ColumnId {
            let (to, types) = (self.column(), Some(vec![Name::from(edge_type)]));
            let (edge, loops) = (None, Loops::Once);
            self.matched.push(Op::Expand(op::Expand {
                from,
                types,
                direction,
                edge,
                to: Some(to),
                loops,
            }));
            to
        }

        fn turns(mut self) -> Turns {
            let ops = self.made;
            let (matched, made) = (Pipeline { ops: self.matched }, Pipeline { ops });
            self.plan.merge_pattern(matched, Pipeline::default(), made, "created");
            let plan = self.plan.finish(Vec::new());
            let Some(Op::Apply(op::Apply { sub, .. })) = plan.root.ops.last() else {
                panic!("an Apply")
            };
            turns(sub)
        }
    }

    /// `(a)-[:OWNS]->(b)-[second]->(c)`, where `c` may be bound.
    fn chain(second: &str, direction: Direction, bound: bool) -> (Turns, ColumnId) {
        let mut path = Builder::new();
        let [a, c] = [path.column(), path.column()];
        let b = path.hop(a, "OWNS", Direction::Out);
        path.vertex(Vec::new(), b);
        path.edge("OWNS", a, b);
        if bound {
            let (types, edge, loops) = (Some(vec![Name::from(second)]), None, Loops::Once);
            let (from, into) = (b, c);
            path.matched.push(Op::ExpandInto(op::ExpandInto {
                from,
                into,
                types,
                direction,
                edge,
                loops,
            }));
            path.edge(second, b, c);
        } else {
            let end = path.hop(b, second, direction);
            path.vertex(Vec::new(), end);
            path.edge(second, b, end);
        }
        (path.turns(), a)
    }

    fn at(one: ColumnId, other: ColumnId) -> (Point, Point) {
        (Point::Vertex(one), Point::Vertex(other))
    }

    #[test]
    fn rows_of_a_path_depend_on_each_other_at_its_bound_vertex() {
        let (turns, a) = chain("HOLDS", Direction::Out, false);
        assert_eq!(turns, Turns::Batches(vec![at(a, a)]));
    }

    /// Out of a box that another row found, the first edge of a third row may lead.
    #[test]
    fn a_hop_from_a_found_vertex_that_lists_edges_added_to_bound_ones_goes_in_turn() {
        assert_eq!(chain("OWNS", Direction::Out, false).0, Turns::Single);
        assert_eq!(chain("HOLDS", Direction::Both, true).0, chain_between_bound_ends());
        // The edges that come to a found box were added to a vertex that was made.
        let (turns, a) = chain("OWNS", Direction::In, false);
        assert_eq!(turns, Turns::Batches(vec![at(a, a)]));
    }

    /// A hop is known by its other end: edges that are added there are listed there.
    fn chain_between_bound_ends() -> Turns {
        let a = ColumnId(0);
        Turns::Batches(vec![at(a, a), at(ColumnId(1), ColumnId(1))])
    }

    #[test]
    fn rows_that_seek_made_vertices_depend_by_values() {
        for (made_as, key) in [("k", "k"), ("other", "k")] {
            let mut path = Builder::new();
            let [value, b] = [path.column(), path.column()];
            let values = vec![Expr::Column(value)];
            let (owner, keys) = (OwnerName::Label("Box".into()), vec![Name::from(key)]);
            let seek =
                Op::Seek(op::Seek { owner, keys, values: values.clone(), range: None, to: b });
            path.matched.push(seek);
            let end = path.hop(b, "HOLDS", Direction::Out);
            path.vertex(vec![(Name::from(made_as), Expr::Column(value))], b);
            path.vertex(Vec::new(), end);
            path.edge("HOLDS", b, end);
            let point = Point::Values(values);
            let dependencies =
                if made_as == key { vec![(point.clone(), point)] } else { Vec::new() };
            assert_eq!(path.turns(), Turns::Batches(dependencies), "{made_as}");
        }
    }

    #[test]
    fn other_ways_to_find_vertices_go_in_turn() {
        let mut path = Builder::new();
        let b = path.column();
        let source = millrace_plan::ScanSource::Vertices(Some("Box".into()));
        path.matched.push(Op::Scan(op::Scan { source, to: b }));
        path.vertex(Vec::new(), b);
        assert_eq!(path.turns(), Turns::Single);
    }
}
