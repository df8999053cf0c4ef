//! Steps of several alternatives, as a search for the cheapest paths along several predicates asks for them.
//!
//! The graph and the expected paths are those of Dgraph's own tests of `shortest`; where paths cost the same, shorter ones
//! come first here.

use std::sync::Arc;

use millrace_model::{Column, Direction, ErrorKind, KeyId, LabelId, Value};
use millrace_plan::{
    ColumnId, Comparison, Expr, Fold, Loops, ParallelEdges, PathAlternative, PathLeg, PathMode,
    PathPattern, PathTest, PlanBuilder, op,
};
use millrace_store::{Labels, NameKind, Store};

use crate::fixture::{begin, builder, commit, empty, error, numbers, run};

const NAMES: [(i64, &str); 17] = [
    (1, "michonne"),
    (24, "glenn"),
    (31, "andrea"),
    (1000, "alice"),
    (1001, "bob"),
    (1002, "matt"),
    (1003, "john"),
    (51, "A"),
    (52, "B"),
    (53, "C"),
    (54, "D"),
    (55, "E"),
    (56, "F"),
    (57, "G"),
    (58, "H"),
    (59, "I"),
    (60, "J"),
];

/// Source, target, weight.
type Edges<'e> = &'e [(i64, i64, Option<f64>)];

const PATH: Edges<'_> = &[
    (1, 24, Some(0.2)),
    (1, 31, Some(0.1)),
    (31, 1000, Some(0.1)),
    (1000, 1001, Some(0.1)),
    (1000, 1002, Some(0.7)),
    (1001, 1002, Some(0.1)),
    (1001, 1003, Some(1.5)),
    (1002, 1003, Some(0.6)),
    (1003, 1001, None),
];

const FOLLOW: Edges<'_> = &[
    (1, 24, None),
    (1, 31, None),
    (31, 1001, None),
    (1001, 1000, None),
    (1001, 1003, None),
    (1002, 1000, None),
    (1003, 1002, None),
];

const CONNECTS: Edges<'_> = &[
    (51, 52, Some(11.0)),
    (51, 53, Some(1.0)),
    (51, 54, Some(10.0)),
    (52, 51, Some(10.0)),
    (52, 53, Some(10.0)),
    (52, 54, Some(10.0)),
    (53, 51, Some(10.0)),
    (53, 52, Some(10.0)),
    (53, 54, Some(1.0)),
    (54, 51, Some(10.0)),
    (54, 52, Some(2.0)),
    (54, 53, Some(10.0)),
    (54, 55, Some(1.0)),
    (56, 57, Some(1.0)),
    (56, 58, Some(1.0)),
    (58, 59, Some(1.0)),
    (59, 60, Some(1.0)),
];

fn store() -> Arc<dyn Store> {
    let store = empty();
    let transaction = begin(&store);
    let names = [
        (NameKind::Label, "Node"),
        (NameKind::Key, "uid"),
        (NameKind::Key, "name"),
        (NameKind::Key, "weight"),
        (NameKind::EdgeType, "path"),
        (NameKind::EdgeType, "follow"),
        (NameKind::EdgeType, "connects"),
    ];
    transaction.intern(&names).expect("names");
    let uids = Column::from_values(NAMES.map(|(uid, _)| Value::I64(uid)));
    let names = Column::from_values(NAMES.map(|(_, name)| Value::from(name)));
    let keys = [(KeyId(0), &uids), (KeyId(1), &names)];
    let nodes = transaction.create_vertices(&Labels::from([LabelId(0)]), NAMES.len(), &keys);
    let nodes = nodes.expect("nodes");
    let node = |uid: &i64| nodes[NAMES.iter().position(|(own, _)| own == uid).expect("a node")];
    for (number, edges) in (0..).zip([PATH, FOLLOW, CONNECTS]) {
        let sources: Vec<_> = edges.iter().map(|(source, _, _)| node(source)).collect();
        let targets: Vec<_> = edges.iter().map(|(_, target, _)| node(target)).collect();
        let mut weights = Column::default();
        edges.iter().for_each(|(_, _, weight)| weights.push_entry(weight.map(Value::F64)));
        let own = [(KeyId(2), &weights)];
        let edge_type = millrace_model::EdgeTypeId(number);
        transaction.create_edges(edge_type, &sources, &targets, &own).expect("edges");
    }
    commit(transaction);
    store
}

fn along(predicate: &str) -> PathAlternative {
    PathAlternative::along(Some(vec![predicate.into()]), Direction::Out, Loops::Once)
}

fn by_weight(predicate: &str) -> PathAlternative {
    PathAlternative { weight: Some("weight".into()), ..along(predicate) }
}

/// Only to vertices of other names.
fn but_to(plan: &mut PlanBuilder, name: &str, own: PathAlternative) -> PathAlternative {
    let [edge, vertex] = ["e", "x"].map(|name| plan.column(name));
    let holds =
        Expr::compare(Comparison::NotEqual, Expr::property(vertex, "name"), Expr::literal(name));
    PathAlternative { test: Some(PathTest { edge, vertex, holds }), ..own }
}

fn node(plan: &mut PlanBuilder, uid: i64) -> ColumnId {
    let node = plan.scan(Some("Node"), "node");
    plan.filter(Expr::compare(Comparison::Equal, Expr::property(node, "uid"), Expr::literal(uid)));
    node
}

/// The cheapest paths between two vertices, along the first edge to each of the next.
fn cheapest(
    plan: &mut PlanBuilder,
    (from, into): (i64, i64),
    alternatives: Vec<PathAlternative>,
    count: u64,
) -> PathPattern {
    let (from, into) = (node(plan, from), node(plan, into));
    let step = PathLeg { alternatives, parallel: ParallelEdges::First };
    let ways = PathMode::CheapestAcyclic(count);
    PathPattern { into: Some(into), ..PathPattern::repeating(from, step, (1, None), ways) }
}

/// Each path as its cost, its vertices by their uids, and the alternatives of its edges.
fn found(mut plan: PlanBuilder, path: PathPattern) -> Vec<String> {
    let [cost, vertices, taken] = ["cost", "vertices", "taken"].map(|name| plan.column(name));
    plan.push(op::PathExpand {
        cost: Some(cost),
        vertices: Some(vertices),
        alternatives: Some(taken),
        ..op::PathExpand::unread(path)
    });
    let rows = run(&store(), &plan.finish(vec![cost, vertices, taken]));
    rows.iter().map(|row| readable(row)).collect()
}

/// The row with uids in place of internal ids, and a rounded cost.
fn readable(row: &str) -> String {
    let parts: Vec<&str> = row.split(',').collect();
    let [cost, vertices, taken] = parts.as_slice() else { panic!("{row}") };
    let cost: f64 = cost.parse().expect("a cost");
    let uids = vertices.trim_matches(['[', ']']).split(' ').map(|vertex| {
        let number: usize = vertex[1..].parse().expect("a vertex");
        NAMES[number - 1].0.to_string()
    });
    format!("{}: {} by {taken}", (cost * 1e6).round() / 1e6, uids.collect::<Vec<_>>().join(" "))
}

/// Paths along one predicate by its weight.
fn weighted(
    ends: (i64, i64),
    predicate: &str,
    count: u64,
    change: impl FnOnce(&mut PathPattern),
) -> Vec<String> {
    let mut plan = builder();
    let mut path = cheapest(&mut plan, ends, vec![by_weight(predicate)], count);
    change(&mut path);
    found(plan, path)
}

#[test]
fn the_cheapest_paths_have_no_vertex_twice() {
    let found = weighted((1, 1003), "path", 3, |_| ());
    let expected = [
        "1: 1 31 1000 1001 1002 1003 by [0 0 0 0 0]",
        "1.5: 1 31 1000 1002 1003 by [0 0 0 0]",
        "1.8: 1 31 1000 1001 1003 by [0 0 0 0]",
    ];
    assert_eq!(found, expected);
    let between = weighted((1, 1003), "path", 3, |path| {
        (path.least, path.most) = (Some(1.3), Some(1.5));
    });
    assert_eq!(between, expected[1..2]);
    let all = weighted((51, 55), "connects", 10, |_| ());
    let expected = [
        "3: 51 53 54 55 by [0 0 0]",
        "11: 51 54 55 by [0 0]",
        "22: 51 52 54 55 by [0 0 0]",
        "22: 51 53 52 54 55 by [0 0 0 0]",
        "23: 51 52 53 54 55 by [0 0 0 0]",
    ];
    assert_eq!(all, expected);
}

/// A depth: edges are walked from vertices that lie nearer than that, so paths may be longer.
#[test]
fn a_radius_bounds_what_is_searched_not_the_length_of_paths() {
    let to_e = |radius| weighted((51, 55), "connects", 1, |path| path.radius = Some(radius));
    assert_eq!(to_e(2), ["3: 51 53 54 55 by [0 0 0]"]);
    assert_eq!(to_e(1), Vec::<String>::new());
    let to_b =
        |radius, count| weighted((51, 52), "connects", count, |path| path.radius = Some(radius));
    assert_eq!(to_b(1, 1), ["11: 51 52 by [0]"]);
    assert_eq!(to_b(1, 10), ["11: 51 52 by [0]"]);
    let expected = [
        "4: 51 53 54 52 by [0 0 0]",
        "11: 51 52 by [0]",
        "11: 51 53 52 by [0 0]",
        "12: 51 54 52 by [0 0]",
        "30: 51 54 53 52 by [0 0 0]",
    ];
    assert_eq!(to_b(2, 10), expected);
    assert_eq!(to_b(10, 1), expected[..1]);
    let to_j = weighted((56, 60), "connects", 1, |path| path.radius = Some(3));
    assert_eq!(to_j, ["3: 56 58 59 60 by [0 0 0]"]);
    let mut plan = builder();
    let path = cheapest(&mut plan, (1, 1000), vec![along("follow")], 4);
    let follow = found(plan, PathPattern { radius: Some(4), ..path });
    assert_eq!(follow, ["3: 1 31 1001 1000 by [0 0 0]"]);
}

/// The last predicate is the first alternative: it is walked where both lead to a vertex.
#[test]
fn several_predicates_are_alternatives() {
    let mut plan = builder();
    let path = cheapest(&mut plan, (1, 1003), vec![along("follow"), along("path")], 1);
    assert_eq!(found(plan, path), ["3: 1 31 1001 1003 by [0 0 0]"]);
    let mut plan = builder();
    let path = cheapest(&mut plan, (1, 1003), vec![along("path"), along("follow")], 1);
    assert_eq!(found(plan, path), ["3: 1 31 1001 1003 by [0 1 0]"]);
    let mut plan = builder();
    let path = cheapest(&mut plan, (1, 31), vec![along("follow"), along("password")], 1);
    assert_eq!(found(plan, path), ["1: 1 31 by [0]"]);
}

/// Each predicate has a filter of its own.
#[test]
fn an_alternative_has_a_test_of_its_own() {
    let filtered = |names: [&str; 2]| {
        let mut plan = builder();
        let follow = but_to(&mut plan, names[0], along("follow"));
        let path = but_to(&mut plan, names[1], along("path"));
        let path = cheapest(&mut plan, (1, 1002), vec![follow, path], 1);
        found(plan, path)
    };
    assert_eq!(filtered(["bob", "alice"]), Vec::<String>::new());
    assert_eq!(filtered(["bob", "nobody"]), ["3: 1 31 1000 1002 by [0 1 1]"]);
    assert_eq!(filtered(["nobody", "alice"]), ["3: 1 31 1001 1002 by [0 0 1]"]);
}

/// A radius counts edges that pass their tests: over the edge from A to D, which does not, D would be nearer.
#[test]
fn a_radius_asks_the_tests() {
    let light = |radius| {
        let mut plan = builder();
        let [edge, vertex] = ["e", "x"].map(|name| plan.column(name));
        let weight = Expr::property(edge, "weight");
        let holds = Expr::compare(Comparison::Less, weight, Expr::literal(10));
        let test = Some(PathTest { edge, vertex, holds });
        let own = PathAlternative { test, ..by_weight("connects") };
        let path = cheapest(&mut plan, (51, 55), vec![own], 3);
        found(plan, PathPattern { radius: Some(radius), ..path })
    };
    assert_eq!(light(2), Vec::<String>::new());
    assert_eq!(light(3), ["3: 51 53 54 55 by [0 0 0]"]);
}

/// A test may read the row, so that a vertex is near in one row and not in another one from the same start.
#[test]
fn rows_have_a_radius_each_where_tests_read_them() {
    let mut plan = builder();
    let most = numbers(&mut plan, "most", [5, 50]);
    let [edge, vertex] = ["e", "x"].map(|name| plan.column(name));
    let weight = Expr::property(edge, "weight");
    let holds = Expr::compare(Comparison::Less, weight, Expr::Column(most));
    let test = Some(PathTest { edge, vertex, holds });
    let own = PathAlternative { test, ..by_weight("connects") };
    let path = cheapest(&mut plan, (51, 55), vec![own], 1);
    let cost = plan.column("cost");
    let path = PathPattern { radius: Some(2), ..path };
    plan.push(op::PathExpand { cost: Some(cost), ..op::PathExpand::unread(path) });
    assert_eq!(run(&store(), &plan.finish(vec![most, cost])), ["50,3.0"]);
}

/// Without a choice of one, each alternative that walks an edge makes a path.
#[test]
fn an_edge_that_two_alternatives_walk_is_walked_once_for_each() {
    for ways in [
        PathMode::Walk,
        PathMode::Trail,
        PathMode::Acyclic,
        PathMode::AllShortest,
        PathMode::CheapestAcyclic(9),
        PathMode::CheapestTrails(9),
        PathMode::CheapestGroups(9),
    ] {
        let search = |parallel| {
            let mut plan = builder();
            let (from, into) = (node(&mut plan, 56), node(&mut plan, 59));
            let any = PathAlternative::along(None, Direction::Both, Loops::Once);
            let alternatives = vec![along("connects"), any];
            let step = PathLeg { alternatives, parallel };
            let all = PathPattern::repeating(from, step, (1, Some(2)), ways);
            found(plan, PathPattern { into: Some(into), ..all })
        };
        let expected = [[0, 0], [0, 1], [1, 0], [1, 1]]
            .map(|[first, second]| format!("2: 56 58 59 by [{first} {second}]"));
        assert_eq!(search(ParallelEdges::All), expected, "{ways:?}");
        assert_eq!(search(ParallelEdges::First), expected[..1], "{ways:?}");
    }
}

/// The cost is that of the alternative that was taken.
#[test]
fn alternatives_have_costs_of_their_own() {
    let mut plan = builder();
    let alternatives = vec![along("connects"), by_weight("connects")];
    let mut path = cheapest(&mut plan, (54, 55), alternatives, 9);
    path.steps[0].parallel = ParallelEdges::All;
    path.max = Some(1);
    assert_eq!(found(plan, path), ["1: 54 55 by [0]", "1: 54 55 by [1]"]);
    let mut plan = builder();
    let alternatives = vec![along("connects"), by_weight("connects")];
    let mut path = cheapest(&mut plan, (54, 52), alternatives, 9);
    path.steps[0].parallel = ParallelEdges::All;
    (path.max, path.most) = (Some(2), Some(11.0));
    let expected =
        ["1: 54 52 by [0]", "2: 54 52 by [1]", "2: 54 51 52 by [0 0]", "2: 54 53 52 by [0 0]"];
    assert_eq!(found(plan, path)[..4], expected);
}

/// A bound on the ways that wait forgets the dearest ones, and what lies behind them.
#[test]
fn a_frontier_forgets_the_last_of_the_ways_that_wait() {
    let within = |most| weighted((51, 55), "connects", 9, |path| path.frontier = most);
    let all = within(None);
    assert_eq!(all.len(), 5);
    assert_eq!(within(Some(1)), all[..1]);
    assert_eq!(within(Some(2)), all[..1]);
    assert_eq!(within(Some(3)), all[..2]);
    assert_eq!(within(Some(1_000)), all);
    // Of three edges of one cost the first is kept.
    let one = |most| weighted((52, 55), "connects", 1, |path| path.frontier = Some(most));
    assert_eq!(one(1), ["13: 52 51 53 54 55 by [0 0 0 0]"]);
    assert_eq!(one(3), ["11: 52 54 55 by [0 0]"]);
}

#[test]
fn a_search_that_makes_no_sense_is_refused() {
    let refused = |change: fn(&mut PathPattern)| {
        let mut plan = builder();
        let mut path = cheapest(&mut plan, (51, 55), vec![by_weight("connects")], 1);
        change(&mut path);
        let to = plan.column("to");
        plan.push(op::PathExpand { to: Some(to), ..op::PathExpand::unread(path) });
        let count = plan.aggregate(&[], "count", Fold::Count);
        error(&store(), &plan.finish(vec![count]))
    };
    let found = refused(|path| path.steps[0].alternatives.clear());
    assert!(found.detail.contains("one alternative at least"), "{found}");
    let found = refused(|path| path.frontier = Some(0));
    assert!(found.detail.contains("frontier of 0"), "{found}");
    let found = refused(|path| (path.frontier, path.ways) = (Some(3), PathMode::Trail));
    assert!(found.detail.contains("the cheapest paths only"), "{found}");
    let found = refused(|path| path.ways = PathMode::AnyShortest);
    assert_eq!(found.kind, ErrorKind::Unsupported);
    let found = refused(|path| {
        path.steps.push(along("follow").into());
        path.radius = Some(2);
    });
    assert_eq!(found.kind, ErrorKind::Unsupported);
}
