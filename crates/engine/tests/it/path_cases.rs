//! Paths, tags, ways and edges that must differ, as goldens: the hard cases of sections 4 to 6.

use millrace_model::Direction;
use millrace_plan::{
    ApplyKind, Carried, ColumnId, Expr, Fold, Function, Loops, ParallelEdges, PathAlternative,
    PathLeg, PathMode, PathPattern, PathTest, Plan, PlanBuilder, Pop, Repeat, op,
};

use crate::fixture::{builder, expand_edges, name_of};

/// The plan of a golden.
pub(crate) fn plan(name: &str) -> Plan {
    let mut plan = builder();
    let mut ordered = true;
    let output = match name {
        "three different edges" => {
            ordered = false;
            different_edges(&mut plan, None)
        }
        "different edges by end" => {
            ordered = false;
            different_edges(&mut plan, Some("p4"))
        }
        "who can be reached" => {
            ordered = false;
            reached(&mut plan)
        }
        "simple paths" => simple_paths(&mut plan),
        "paths nobody reads" => unread_paths(&mut plan),
        "simple by a property" => simple_by_property(&mut plan),
        "inner steps stay or hide" => inner_steps(&mut plan),
        "a tag set again" => tags(&mut plan),
        "cheapest ways" => cheapest(&mut plan, None),
        "cheapest ways within a radius" => cheapest(&mut plan, Some(3)),
        "a bound list of edges" => chain(&mut plan),
        "two steps repeated" => two_steps(&mut plan, PathMode::Trail),
        "the shortest of two steps repeated" => two_steps(&mut plan, PathMode::AnyShortest),
        "steps with conditions" => conditions(&mut plan),
        "alternatives of a step" => alternatives(&mut plan),
        "the first edge to each vertex" => first_edges(&mut plan),
        "a bounded frontier" => bounded(&mut plan),
        "shortest ways along alternatives" => shortest_alternatives(&mut plan),
        other => panic!("no plan is named {other}"),
    };
    let mut plan = plan.finish(output);
    plan.ordered = ordered;
    plan
}

/// `MATCH (a:Person)-[r1]-(b)-[r2]-(c)-[r3]-(d) RETURN count(*)`; with a name, `d, count(*)` from
/// the person of that name over two edges: groups of one edge there and back cancel to zero.
fn different_edges(plan: &mut PlanBuilder, from: Option<&str>) -> Vec<ColumnId> {
    let mut at = match from {
        Some(name) => plan.seek("Person", "name", Expr::literal(name), "a"),
        None => plan.scan(Some("Person"), "a"),
    };
    let mut edges: Vec<ColumnId> = Vec::new();
    let kinds: &[&str] = if from.is_some() { &["LIKES"; 2] } else { &["KNOWS"; 3] };
    for kind in kinds {
        let (edge, to) = expand_edges(plan, at, Direction::Both, kind, Loops::Once);
        if !edges.is_empty() {
            plan.differs(edge, &edges);
        }
        edges.push(edge);
        at = to;
    }
    match from {
        Some(_) => vec![at, plan.aggregate(&[at], "count", Fold::Count)],
        None => vec![plan.aggregate(&[], "count", Fold::Count)],
    }
}

/// Edges of a type at the price of their weight.
fn weighted(edge_type: &str, direction: Direction) -> PathAlternative {
    let any = PathAlternative::along(Some(vec![edge_type.into()]), direction, Loops::Once);
    PathAlternative { weight: Some("weight".into()), ..any }
}

fn leg(edge_type: &str, direction: Direction) -> PathLeg {
    PathLeg::along(Some(vec![edge_type.into()]), direction, Loops::Once)
}

fn pattern(from: ColumnId, ways: PathMode, (min, max): (u64, Option<u64>)) -> PathPattern {
    PathPattern::repeating(from, leg("KNOWS", Direction::Out), (min, max), ways)
}

/// `MATCH (a {name: 'p3'})-[:KNOWS*1..4]->(b) RETURN DISTINCT b`
fn reached(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let a = plan.seek("Person", "name", Expr::literal("p3"), "a");
    let b = plan.column("b");
    let path = pattern(a, PathMode::Trail, (1, Some(4)));
    plan.push(op::PathExpand { to: Some(b), ..op::PathExpand::unread(path) });
    plan.push(op::Dedup { columns: vec![b] });
    vec![b]
}

/// `V().has('name','p3').repeat(out('KNOWS').simplePath()).emit().path()`
fn simple_paths(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let v = plan.seek("Person", "name", Expr::literal("p3"), "v");
    let start = plan.path(None, Some(v), &["a"], "start");
    let [at, path] = ["at", "path"].map(|name| plan.column(name));
    let (mut next, mut longer) = (at, path);
    let body = plan.pipeline(|body| {
        next = body.expand(at, Direction::Out, Some(&["KNOWS"]), "next");
        longer = body.path(Some(path), Some(next), &[], "longer");
        let objects = Expr::call(Function::Objects, vec![Expr::Column(longer)]);
        body.filter(Expr::call(Function::AreDistinct, vec![objects]));
    });
    let columns =
        vec![Carried { from: v, to: at, next }, Carried { from: start, to: path, next: longer }];
    let place = millrace_plan::RoundPlace::After;
    let emit = Some(millrace_plan::RoundTest { holds: Expr::literal(true), place });
    let (until, times, rounds) = (None, None, None);
    plan.push(Repeat { columns, body, until, emit, times, rounds });
    vec![path]
}

/// The same steps without a reader of the path: there is none, and rows merge.
fn unread_paths(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let v = plan.scan(Some("Person"), "v");
    let start = plan.path(None, Some(v), &[], "start");
    let w = plan.expand(v, Direction::Out, Some(&["LIKES"]), "w");
    let longer = plan.path(Some(start), Some(w), &[], "longer");
    let x = plan.expand(w, Direction::In, Some(&["LIKES"]), "x");
    plan.path(Some(longer), Some(x), &[], "longest");
    vec![plan.aggregate(&[], "count", Fold::Count)]
}

/// `V().has('name','p3').as('a').out('KNOWS').as('b').out('KNOWS').simplePath().by('name').from('b')`
fn simple_by_property(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let v = plan.seek("Person", "name", Expr::literal("p3"), "v");
    let start = plan.path(None, Some(v), &["a"], "start");
    let w = plan.expand(v, Direction::Out, Some(&["KNOWS"]), "w");
    let longer = plan.path(Some(start), Some(w), &["b"], "longer");
    let x = plan.expand(w, Direction::Out, Some(&["KNOWS"]), "x");
    let path = plan.path(Some(longer), Some(x), &[], "path");
    let (names, object) = (plan.column("names"), plan.column("object"));
    let kind = ApplyKind::Value { fold: Fold::Collect(name_of(object)), to: names };
    plan.apply(kind, |sub| {
        let tag = Expr::literal("b");
        let part = Expr::call(Function::PathFrom, vec![Expr::Column(path), tag]);
        let list = Expr::call(Function::Objects, vec![part]);
        sub.push(op::Unwind { list, to: object, position: None });
    });
    plan.filter(Expr::call(Function::AreDistinct, vec![Expr::Column(names)]));
    vec![path, names]
}

/// `V().has('name','p0').local(out('LIKES').in('LIKES')).path()` beside `flatMap` in its place: the
/// path of the sub's end goes on, or the outer row's.
fn inner_steps(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let v = plan.seek("Person", "name", Expr::literal("p1"), "v");
    let start = plan.path(None, Some(v), &[], "start");
    let (mut end, mut stay) = (v, start);
    plan.apply(ApplyKind::Flat, |sub| {
        let w = sub.expand(v, Direction::Out, Some(&["LIKES"]), "w");
        let inner = sub.path(Some(start), Some(w), &[], "inner");
        end = sub.expand(w, Direction::In, Some(&["LIKES"]), "end");
        stay = sub.path(Some(inner), Some(end), &[], "stay");
    });
    let hide = plan.path(Some(start), Some(end), &[], "hide");
    plan.push(op::Range::of(0, Some(3)));
    vec![stay, hide]
}

/// `V().has('name','p3').as('a').out('KNOWS').as('a').select(first|last|all|mixed, 'a')`
fn tags(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let v = plan.seek("Person", "name", Expr::literal("p3"), "v");
    let once = plan.tag("a", None, Expr::Column(v));
    let w = plan.expand(v, Direction::Out, Some(&["KNOWS"]), "w");
    let twice = plan.tag("a", Some(once), Expr::Column(w));
    let pops = [(Pop::First, twice), (Pop::Last, twice), (Pop::All, twice), (Pop::Mixed, once)];
    pops.map(|(pop, tag)| plan.project("selected", Expr::select(pop, tag))).to_vec()
}

/// The cheapest ways to each item by the weight of its likes, none of more than 34, or of any
/// cost within a radius.
fn cheapest(plan: &mut PlanBuilder, radius: Option<u64>) -> Vec<ColumnId> {
    let a = plan.seek("Person", "name", Expr::literal("p1"), "a");
    let [edges, to, cost] = ["edges", "to", "cost"].map(|name| plan.column(name));
    let most = radius.is_none().then_some(34.0);
    let step = weighted("LIKES", Direction::Both);
    let path = PathPattern {
        steps: vec![step.into()],
        most,
        radius,
        ..pattern(a, PathMode::CheapestAcyclic(radius.unwrap_or(2)), (1, None))
    };
    plan.push(op::PathExpand {
        edges: Some(edges),
        to: Some(to),
        cost: Some(cost),
        ..op::PathExpand::unread(path)
    });
    vec![to, cost, edges]
}

/// `MATCH (a {name: 'p3'})-[rs:KNOWS*2..2]->() MATCH (x)-[rs*]-(y) RETURN x, y`
fn chain(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let a = plan.seek("Person", "name", Expr::literal("p3"), "a");
    let [list, x, y] = ["rs", "x", "y"].map(|name| plan.column(name));
    let path = pattern(a, PathMode::Trail, (2, Some(2)));
    plan.push(op::PathExpand { edges: Some(list), ..op::PathExpand::unread(path) });
    let (from, to, direction) = (Some(x), Some(y), Direction::Both);
    plan.push(op::TrailEndpoints { list, direction, from, to });
    vec![list, x, y]
}

/// `MATCH (a {name: 'p2'}) ((x)-[:LIKES]->(i)<-[:LIKES]-(y)){1,2} (b)`: the vertices, the end, the path.
fn two_steps(plan: &mut PlanBuilder, ways: PathMode) -> Vec<ColumnId> {
    let a = plan.seek("Person", "name", Expr::literal("p1"), "a");
    let [edges, vertices, whole, to] = ["edges", "vertices", "path", "to"].map(|n| plan.column(n));
    let steps = vec![leg("LIKES", Direction::Out), leg("LIKES", Direction::In)];
    let path = PathPattern { steps, ..pattern(a, ways, (1, Some(1))) };
    plan.push(op::PathExpand {
        edges: Some(edges),
        vertices: Some(vertices),
        whole: Some(whole),
        to: Some(to),
        ..op::PathExpand::unread(path)
    });
    vec![to, edges, vertices, whole]
}

/// The cheapest trails over likes that weigh at least the start's age, to items but the first, and back along
/// any like; what they cost.
fn conditions(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let a = plan.seek("Person", "name", Expr::literal("p3"), "a");
    let age = plan.project("age", Expr::property(a, "age"));
    let [e, x, to, cost] = ["e", "x", "to", "cost"].map(|name| plan.column(name));
    let heavy = Expr::compare(
        millrace_plan::Comparison::GreaterEqual,
        Expr::property(e, "weight"),
        Expr::Column(age),
    );
    let other = Expr::compare(millrace_plan::Comparison::Equal, name_of(x), Expr::literal("i0"));
    let holds = Expr::And(vec![heavy, other.negate()]);
    let test = Some(PathTest { edge: e, vertex: x, holds });
    let out = PathAlternative { test, ..weighted("LIKES", Direction::Out) };
    let steps = vec![out.into(), leg("LIKES", Direction::In)];
    let path = PathPattern { steps, ..pattern(a, PathMode::CheapestTrails(1), (0, Some(2))) };
    plan.push(op::PathExpand { to: Some(to), cost: Some(cost), ..op::PathExpand::unread(path) });
    vec![plan.project("name", name_of(to)), cost]
}

/// The ways from the person of a name along these alternatives: end, edges, by which alternatives, cost.
fn along(
    plan: &mut PlanBuilder,
    name: &str,
    step: impl FnOnce(&mut PlanBuilder) -> PathLeg,
    change: impl FnOnce(&mut PathPattern),
) -> Vec<ColumnId> {
    let a = plan.seek("Person", "name", Expr::literal(name), "a");
    let step = step(plan);
    let mut path = PathPattern::repeating(a, step, (1, Some(2)), PathMode::Trail);
    change(&mut path);
    let [edges, taken, to, cost] =
        ["edges", "taken", "to", "cost"].map(|column| plan.column(column));
    plan.push(op::PathExpand {
        edges: Some(edges),
        alternatives: Some(taken),
        to: Some(to),
        cost: Some(cost),
        ..op::PathExpand::unread(path)
    });
    vec![to, edges, taken, cost]
}

/// `shortest { KNOWS  LIKES @facets(weight) @filter(not eq(name, "i0")) }`, all trails of two edges at most.
fn alternatives(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let step = |plan: &mut PlanBuilder| {
        let [edge, vertex] = ["e", "x"].map(|name| plan.column(name));
        let first = Expr::literal("i0");
        let holds = Expr::compare(millrace_plan::Comparison::NotEqual, name_of(vertex), first);
        let test = Some(PathTest { edge, vertex, holds });
        let likes = PathAlternative { test, ..weighted("LIKES", Direction::Out) };
        let knows = leg("KNOWS", Direction::Out).alternatives;
        let alternatives = knows.into_iter().chain([likes]).collect();
        PathLeg { alternatives, parallel: ParallelEdges::All }
    };
    along(plan, "p0", step, |_| ())
}

/// Of parallel edges the first, of two types one.
fn first_edges(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let step = |_: &mut PlanBuilder| {
        let alternatives = ["KNOWS", "KNOWS", "LIKES"];
        let alternatives =
            alternatives.into_iter().flat_map(|name| leg(name, Direction::Both).alternatives);
        PathLeg { alternatives: alternatives.collect(), parallel: ParallelEdges::First }
    };
    along(plan, "p3", step, |path| path.max = Some(1))
}

/// The four cheapest trails to each end, of which three wait at most.
fn bounded(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let step = |_: &mut PlanBuilder| {
        let likes = [Direction::Out, Direction::In].map(|way| weighted("LIKES", way));
        PathLeg { alternatives: likes.to_vec(), parallel: ParallelEdges::All }
    };
    along(plan, "p2", step, |path| {
        (path.ways, path.max) = (PathMode::CheapestTrails(4), None);
        (path.frontier, path.radius, path.most) = (Some(3), Some(4), Some(90.0));
    })
}

/// All shortest ways between two persons, along whom they know and whom likes lead to.
fn shortest_alternatives(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let end = plan.seek("Person", "name", Expr::literal("p2"), "end");
    let step = |_: &mut PlanBuilder| {
        let likes = [Direction::Out, Direction::In].map(|way| leg("LIKES", way).alternatives);
        let knows = leg("KNOWS", Direction::In).alternatives;
        let alternatives = likes.into_iter().flatten().chain(knows).collect();
        PathLeg { alternatives, parallel: ParallelEdges::All }
    };
    along(plan, "p1", step, |path| {
        (path.into, path.ways, path.max) = (Some(end), PathMode::AllShortest, None);
    })
}
