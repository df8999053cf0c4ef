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

use millrace_model::Direction;
use millrace_plan::columns::ColumnSet;
use millrace_plan::{ColumnId, Expr, Name, Op, OwnerName, Pipeline, Properties, Template, op};

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
