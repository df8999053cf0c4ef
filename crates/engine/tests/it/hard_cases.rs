//! The hard cases of the algebra that need no parser: each plan before the rules, after each of
//! them, as operators, and its result, which the oracle gives too.

use std::path::Path;

use millrace_model::{Direction, Value};
use millrace_plan::rules::{optimize, trace};
use millrace_plan::{
    ApplyKind, Carried, ColumnId, Expr, Fold, Function, JoinKind, Loops, Nulls, Op, Pipeline, Plan,
    PlanBuilder, Properties, Repeat, SetName, SortKey, UnionPick, op,
};
use millrace_testkit::golden;

use crate::fixture::{
    builder, edge, expand_edges, graph, name_of, numbers, operators, run, vertex, write,
};

#[test]
fn hard_cases_agree_with_the_goldens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/hard_cases");
    golden::check_folder(folder, |case| {
        // A graph of its own, as some write.
        let graph = graph();
        let plan = plan(&case.input);
        let mut optimized = plan.clone();
        optimize(&mut optimized);
        let rows = match plan.root.has_effect() {
            true => write(&graph.store, &optimized),
            false => {
                let rows = run(&graph.store, &plan);
                assert_eq!(expanded(&rows), expanded(&run(&graph.store, &optimized)));
                rows
            }
        };
        format!("{}\noperators\n{}\nrows\n{}", trace(&plan), operators(&optimized), rows.join("\n"))
    });
}

/// Rows with weights expanded, in some order.
fn expanded(rows: &[String]) -> Vec<&str> {
    let mut all = Vec::new();
    for row in rows {
        let weighted = row
            .split_once("x ")
            .and_then(|(times, rest)| times.parse::<usize>().ok().map(|times| (times, rest)));
        let (times, rest) = weighted.unwrap_or((1, row));
        all.extend(std::iter::repeat_n(rest, times));
    }
    all.sort_unstable();
    all
}

fn by(expr: Expr, descending: bool) -> SortKey {
    SortKey { by: expr, descending, nulls: Nulls::Last }
}

fn plan(name: &str) -> Plan {
    let mut plan = builder();
    let output = match name {
        "recommendation" => recommendation(&mut plan),
        "ten rounds of both" => rounds_of_both(&mut plan),
        "project with three modulators" => modulators(&mut plan),
        "union of two counts" => union_of_counts(&mut plan),
        "match with a negative pattern" => pattern(&mut plan),
        "optional match with its where" => optional_match(&mut plan),
        "merge from rows" => merge_from_rows(&mut plan),
        "cascade" => cascade(&mut plan),
        "order by a value variable" => value_variable(&mut plan),
        "breadth first" => breadth_first(&mut plan),
        "group by a property" => group(&mut plan),
        "make what is not found" => make_what_is_not_found(&mut plan),
        "what two like" => what_two_like(&mut plan),
        "recurse" => recurse(&mut plan),
        other => return crate::path_cases::plan(other),
    };
    let mut plan = plan.finish(output);
    // The count at the end of the rounds demands no order of its input.
    plan.ordered = name != "ten rounds of both";
    plan
}

/// `V().has('Person','name','p1').out('LIKES').aggregate('mine').in('LIKES').out('LIKES')
/// .where(without('mine')).groupCount().order(local).by(values,desc).limit(local,25)`
fn recommendation(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let p = plan.seek("Person", "name", Expr::literal("p1"), "p");
    let i = plan.expand(p, Direction::Out, Some(&["LIKES"]), "i");
    plan.side_effect_set("mine", Expr::Column(i));
    let o = plan.expand(i, Direction::In, Some(&["LIKES"]), "o");
    let j = plan.expand(o, Direction::Out, Some(&["LIKES"]), "j");
    let mine = SetName::SideEffect("mine".into());
    plan.filter(Expr::InSet { item: Box::new(Expr::Column(j)), set: mine }.negate());
    let count = plan.aggregate(&[j], "count", Fold::Count);
    let keys = vec![by(Expr::Column(count), true), by(Expr::Column(j), false)];
    plan.push(op::TopK { count: 25.into(), keys });
    vec![j, count]
}

/// `V().repeat(both()).times(10).count()`
fn rounds_of_both(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let v = plan.scan(None, "v");
    let at = plan.column("at");
    let mut next = at;
    let body = plan.pipeline(|body| next = body.expand(at, Direction::Both, None, "next"));
    let columns = vec![Carried { from: v, to: at, next }];
    plan.push(Repeat { columns, body, until: None, emit: None, times: Some(10), rounds: None });
    vec![plan.aggregate(&[], "count", Fold::Count)]
}

/// `V().hasLabel('Person').project('n','deg','top').by('name').by(out().count())
/// .by(out().order().by('name',desc).limit(2).values('name').fold())`
fn modulators(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let v = plan.scan(Some("Person"), "v");
    let n = plan.project("n", name_of(v));
    let degree = plan.column("deg");
    plan.apply(ApplyKind::Value { fold: Fold::Count, to: degree }, |sub| {
        sub.expand(v, Direction::Out, None, "w");
    });
    let (top, x) = (plan.column("top"), plan.column("x"));
    let sub = plan.pipeline(|sub| {
        let (from, types, edge) = (v, None, None);
        let (direction, loops) = (Direction::Out, Loops::Twice);
        sub.push(op::Expand { from, types, direction, edge, to: Some(x), loops });
        sub.push(op::Sort { keys: vec![by(name_of(x), true)] });
        sub.push(op::Range::of(0, Some(2)));
    });
    let kind = ApplyKind::Value { fold: Fold::Collect(name_of(x)), to: top };
    plan.push(op::Apply { sub, kind });
    vec![n, degree, top]
}

/// `V(…).union(outE().count(), out().count())`: two rows, not four.
fn union_of_counts(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let v = plan.seek("Person", "name", Expr::literal("p1"), "v");
    let unknown = plan.column("count");
    let branch = |plan: &mut PlanBuilder, direction| {
        plan.pipeline(|branch| {
            branch.expand(v, direction, None, "x");
            branch.push(Op::Aggregate(op::Aggregate {
                keys: Vec::new(),
                folds: vec![(unknown, Fold::Count)],
            }));
        })
    };
    let branches = vec![branch(plan, Direction::Out), branch(plan, Direction::In)];
    plan.push(op::Union { branches, pick: UnionPick::All });
    vec![unknown]
}

/// `match(as('a').out('KNOWS').as('b'), as('b').out('LIKES').as('c'), not(as('a').out('LIKES')
/// .as('c')))`
fn pattern(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let a = plan.scan(Some("Person"), "a");
    let b = plan.expand(a, Direction::Out, Some(&["KNOWS"]), "b");
    let c = plan.expand(b, Direction::Out, Some(&["LIKES"]), "c");
    let liked = plan.column("liked");
    plan.apply(ApplyKind::Value { fold: Fold::Exists, to: liked }, |sub| {
        let types = Some(vec!["LIKES".into()]);
        let (direction, edge, loops) = (Direction::Out, None, Loops::Twice);
        sub.push(op::ExpandInto { from: a, into: c, types, direction, edge, loops });
    });
    plan.filter(Expr::Column(liked).negate());
    let [a, b, c] = [a, b, c].map(name_of);
    vec![plan.project("a.name", a), plan.project("b.name", b), plan.project("c.name", c)]
}

/// `MATCH (a:Person)-[:KNOWS]->(b) OPTIONAL MATCH (b)-[:LIKES]->(c) WHERE c.name > a.name …
/// RETURN a, collect(c.name) AS cs ORDER BY size(cs)`
fn optional_match(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let a = plan.scan(Some("Person"), "a");
    let (_, b) = expand_edges(plan, a, Direction::Out, "KNOWS", Loops::Once);
    let c = plan.column("c");
    let sub = plan.pipeline(|sub| {
        let (from, types, edge) = (b, Some(vec!["KNOWS".into()]), None);
        let (direction, loops) = (Direction::Out, Loops::Once);
        sub.push(op::Expand { from, types, direction, edge, to: Some(c), loops });
        let later = millrace_plan::Comparison::Greater;
        sub.filter(Expr::compare(later, name_of(c), name_of(a)));
    });
    plan.push(op::Apply { sub, kind: ApplyKind::Optional });
    let names = plan.aggregate(&[a], "cs", Fold::Collect(name_of(c)));
    let size = Expr::Call { function: Function::Size, arguments: vec![Expr::Column(names)] };
    plan.push(op::Sort { keys: vec![by(size, false)] });
    let name = plan.project("a.name", name_of(a));
    vec![name, names]
}

/// `UNWIND $rows AS r MERGE (p:P {k: r}) MERGE (p)-[:R]->(p)`
fn merge_from_rows(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let k = numbers(plan, "k", [1, 2, 1]);
    let (p, made, e) = (plan.column("p"), plan.column("made"), plan.column("e"));
    let none = Properties::default;
    plan.push(op::Merge {
        template: vertex("P", vec![("k", Expr::Column(k))]),
        on_create: none(),
        on_match: none(),
        to: p,
        created: Some(made),
    });
    let made_edge = plan.column("made edge");
    plan.push(op::Merge {
        template: edge("R", p, p),
        on_create: none(),
        on_match: none(),
        to: e,
        created: Some(made_edge),
    });
    vec![k, made, made_edge]
}

/// `me(func: type(Person), first: 2) @cascade { name likes: LIKES (orderdesc: name, first: 2)
/// @filter(has a lover called p3) { name } }`: the cascade comes before each page.
fn cascade(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let v = plan.scan(Some("Person"), "v");
    let (liked, name) = (plan.column("liked"), plan.column("name"));
    let mut level = Pipeline::default();
    plan.apply(ApplyKind::Exists, |block| {
        level = block.pipeline(|level| {
            let f = level.expand(v, Direction::Out, Some(&["LIKES"]), "f");
            level.apply(ApplyKind::Exists, |lovers| {
                let g = lovers.expand(f, Direction::In, Some(&["LIKES"]), "g");
                let third = millrace_plan::Comparison::Equal;
                lovers.filter(Expr::compare(third, name_of(g), Expr::literal("p1")));
            });
            level.push(Op::Sort(op::Sort { keys: vec![by(name_of(f), true)] }));
            level.push(Op::Project(op::Project { columns: vec![(name, name_of(f))] }));
            level.push(Op::Range(op::Range::of(0, Some(2))));
        });
        let first = level.ops[..2].to_vec();
        for op in first {
            block.push(op);
        }
    });
    plan.push(op::Range::of(1, Some(3)));
    plan.push(op::Apply { sub: level, kind: ApplyKind::Bag { columns: vec![name], to: liked } });
    let own = plan.project("v.name", name_of(v));
    vec![own, liked]
}

/// `x as … { y as count(LIKES) }  q(func: uid(x), orderdesc: val(y))`
fn value_variable(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let x = plan.bind("x", |block| block.scan(Some("Person"), "x"));
    let v = plan.column("v");
    plan.let_ref(x, &[v]);
    let (key, y) = (plan.column("key"), plan.column("y"));
    let right = plan.pipeline(|right| {
        right.let_ref(x, &[key]);
        right.apply(ApplyKind::Value { fold: Fold::Count, to: y }, |count| {
            count.expand(key, Direction::Out, Some(&["LIKES"]), "friend");
        });
    });
    plan.push(op::Join { right, kind: JoinKind::Left, on: vec![(v, key)] });
    plan.push(op::Sort { keys: vec![by(Expr::Column(y), true)] });
    let name = plan.project("name", name_of(v));
    vec![name, y]
}

/// A fixpoint on a deduplicated frontier: every person that p3 reaches, with the distance.
fn breadth_first(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let v = plan.seek("Person", "name", Expr::literal("p3"), "v");
    let zero = plan.project("zero", Expr::literal(0));
    let [at, far, further, rounds] = ["at", "far", "further", "n"].map(|name| plan.column(name));
    let mut next = at;
    let body = plan.pipeline(|body| {
        next = body.expand(at, Direction::Out, Some(&["KNOWS"]), "next");
        body.push(op::Dedup { columns: vec![next] });
        let operation = millrace_plan::Arithmetic::Add;
        let one = Box::new(Expr::literal(1));
        let more = Expr::Arithmetic { operation, left: Box::new(Expr::Column(rounds)), right: one };
        body.push(op::Project { columns: vec![(further, more)] });
    });
    let columns =
        vec![Carried { from: v, to: at, next }, Carried { from: zero, to: far, next: further }];
    let place = millrace_plan::RoundPlace::After;
    let emit = Some(millrace_plan::RoundTest { holds: Expr::literal(Value::Bool(true)), place });
    let rounds = Some(rounds);
    plan.push(Repeat { columns, body, until: None, emit, times: None, rounds });
    let name = plan.project("name", name_of(at));
    vec![name, far]
}

/// `group().by(label).by(order().by('name', desc).limit(1).values('name'))`: a group is a scope.
fn group(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let v = plan.scan(None, "v");
    let label = plan.project("label", Expr::Labels(Box::new(Expr::Column(v))));
    let mut name = v;
    let sub = plan.pipeline(|sub| {
        sub.push(op::Sort { keys: vec![by(name_of(v), true)] });
        sub.push(op::Range::of(0, Some(1)));
        name = sub.project("name", name_of(v));
    });
    plan.push(op::Group { keys: vec![label], sub });
    vec![label, name]
}

/// `inject(7, 7).coalesce(V().has('k', x), addV().property('k', x))`: equal x see each other.
fn make_what_is_not_found(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let x = numbers(plan, "x", [7, 7]);
    let v = plan.column("v");
    let matched = plan.pipeline(|plan| {
        plan.push(op::Scan { source: millrace_plan::ScanSource::Vertices(None), to: v });
        let equal = millrace_plan::Comparison::Equal;
        plan.filter(Expr::compare(equal, Expr::property(v, "k"), Expr::Column(x)));
    });
    let template = vertex("N", vec![("k", Expr::Column(x))]);
    let create = Pipeline { ops: vec![Op::Create(op::Create { template, id: None, to: v })] };
    let created = plan.merge_pattern(matched, Pipeline::default(), create, "created");
    vec![x, created]
}

/// `MATCH (a {name: 'p1'})-[:LIKES]->(x)<-[:LIKES]-(b {name: 'p3'})`, both ends bound.
fn what_two_like(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let a = plan.seek("Person", "name", Expr::literal("p1"), "a");
    let b = plan.seek("Person", "name", Expr::literal("p3"), "b");
    let types = Some(vec!["LIKES".into()]);
    let arm = |from| millrace_plan::IntersectArm {
        from,
        types: types.clone(),
        direction: Direction::Out,
        loops: Loops::Once,
    };
    let x = plan.intersect(vec![arm(a), arm(b)], "x");
    vec![plan.project("name", name_of(x))]
}

/// `me(func: eq(name, "p1")) @recurse(depth: 2) { KNOWS @facets LIKES }`.
fn recurse(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let from = plan.seek("Person", "name", Expr::literal("p1"), "v");
    let [at, to] = ["at", "tree"].map(|name| plan.column(name));
    let (mut end, mut x) = ((at, at), at);
    let knows =
        plan.pipeline(|step| end = expand_edges(step, at, Direction::Out, "KNOWS", Loops::Once));
    let likes = plan.pipeline(|step| x = step.expand(at, Direction::Out, Some(&["LIKES"]), "x"));
    let (steps, next, edges) = (vec![knows, likes], vec![end.1, x], vec![Some(end.0), None]);
    let (depth, loops) = (Some(2), false);
    let recurse = millrace_plan::RecursiveExpand { from, at, steps, next, edges, depth, loops, to };
    plan.push(recurse);
    vec![to]
}
