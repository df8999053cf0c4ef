//! Whether a subplan reads its own writes, so that its rows must go in turn
//! (docs/design/algebra.md, section 2).
//!
//! Decided by pairs of operators: the reads of one against the writes of another. An operator that
//! reads its own writes does not count where it handles all rows itself: `Merge` groups equal keys.
//! A `Set` goes in rounds, which are not the turns of outer rows, so in a subplan it does count.

use std::collections::BTreeSet;

use millrace_plan::op::access::{Keys, Reads};
use millrace_plan::{ColumnId, Expr, Op, Pipeline, Properties, SideFold, Template, op};

use super::dependencies::{Dependencies, dependencies, is_looked_at};

/// How outer rows go through a subplan that writes.
#[derive(Debug, PartialEq)]
pub(crate) enum Turns {
    /// All at once.
    AtOnce,
    /// In conflict-free batches: rows without a dependency run together.
    Batches(Dependencies),
    /// One by one.
    Single,
}

/// How the rows of a merge go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MergeTurns {
    /// All at once.
    AtOnce,
    /// Matched and made at once; of each element the k-th row sets its options in round k.
    Rounds,
    /// One single row after the other.
    SingleRows,
}

/// Whether some operator reads or overwrites the writes of another one, subplans included, and which
/// rows see that.
pub(crate) fn turns(sub: &Pipeline) -> Turns {
    if !reads_what_it_writes(sub, |_, _| false) {
        return Turns::AtOnce;
    }
    match reads_what_it_writes(sub, is_looked_at) {
        true => Turns::Single,
        false => dependencies(sub).map_or(Turns::Single, Turns::Batches),
    }
}

/// Whether some operator reads or overwrites the writes of another one. A read that `is_excused`
/// accepts does not count.
fn reads_what_it_writes(sub: &Pipeline, is_excused: impl Fn(&Op, &Op) -> bool) -> bool {
    if !sub.has_effect() {
        return false;
    }
    let mut accesses = Vec::new();
    sub.visit_ops(&mut |op| accesses.push((op.clone(), op.all_reads(), op.all_writes())));
    // A list shows in which order its rows came.
    let mut lists = BTreeSet::new();
    let mut twice = false;
    sub.visit_ops(&mut |op| {
        if let Op::SideEffect(op::SideEffect {
            name, fold: SideFold::List | SideFold::Bag, ..
        }) = op
        {
            twice |= !lists.insert(name.clone());
        }
    });
    if twice {
        return true;
    }
    // The rounds of one outer row would lie between those of the others.
    let mut in_rounds = false;
    sub.visit_ops(&mut |op| in_rounds |= op.repeat().is_some() && op.has_effect());
    if in_rounds {
        return true;
    }
    let depends = |one: usize, other: usize| {
        let ((reader, reads, own), (writer, _, writes)) = (&accesses[one], &accesses[other]);
        let sees = !is_excused(reader, writer) && reads.sees(writes);
        one != other && (sees || reads.conflicts(writes) || own.overlap(writes))
    };
    let all = 0..accesses.len();
    all.clone().any(|one| all.clone().any(|other| depends(one, other))) || reads_own_writes(sub)
}

/// Whether a `Set`'s values read a key it writes; one that replaces writes them all.
pub(crate) fn set_reads_what_it_writes(properties: &Properties, replace: bool) -> bool {
    let mut read = Reads::default();
    properties.exprs().for_each(|expr| read.add_expr(expr));
    let mut written = Keys { all: replace, ..Keys::default() };
    written.add(properties);
    read.keys.overlap(&written)
}

/// How a `Merge` goes. Its options may write a key that it matches on, or that one of its values
/// reads: a row may then find an earlier one's writes, and all go in turn. If only options read the
/// keys they write, and of no element but the merged one, that element's rows go in rounds.
pub(crate) fn merge_turns(
    template: &Template,
    options: [&Properties; 2],
    element: ColumnId,
) -> MergeTurns {
    let (mut matched, mut written) = (Reads::default(), Keys::default());
    let (mut elsewhere, mut own) = (Reads::default(), Reads::default());
    matched.keys.add(template.properties());
    template.exprs().for_each(|expr| matched.add_expr(expr));
    for expr in options.into_iter().flat_map(Properties::exprs) {
        own.add_expr(expr);
        read_of_others(expr, element, &mut elsewhere);
    }
    options.into_iter().for_each(|properties| written.add(properties));
    if matched.keys.overlap(&written) || elsewhere.keys.overlap(&written) {
        MergeTurns::SingleRows
    } else if own.keys.overlap(&written) {
        MergeTurns::Rounds
    } else {
        MergeTurns::AtOnce
    }
}

/// The keys read of anything but the column's element.
fn read_of_others(expr: &Expr, element: ColumnId, reads: &mut Reads) {
    expr.walk(&mut |expr| {
        if let Expr::Property { element: of, key } = expr
            && **of != Expr::Column(element)
        {
            reads.keys.names.insert(key.clone());
        }
    });
}

fn reads_own_writes(sub: &Pipeline) -> bool {
    let mut own = false;
    sub.visit_ops(&mut |op| {
        own |= !op.all_reads().side_effects.is_disjoint(&op.all_writes().side_effects);
        if let Op::Set(op::Set { properties, replace, .. }) = op {
            own |= set_reads_what_it_writes(properties, *replace);
        }
    });
    own
}

#[cfg(test)]
mod tests {
    use millrace_model::Direction;
    use millrace_model::compare::CompareMode;
    use millrace_plan::{Loops, Name, OwnerName, PlanBuilder};

    use super::super::dependencies::Point;
    use super::*;

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
