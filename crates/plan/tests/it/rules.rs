//! Goldens of rules: the word of a case names a plan below; its output is the plan, and the plan
//! after each rule that changed it.

use std::path::Path;
use std::sync::Arc;

use millrace_model::Direction;
use millrace_model::compare::CompareMode;
use millrace_plan::rules::{RULES, trace};
use millrace_plan::{
    ApplyKind, Arithmetic, ColumnId, Comparison, Expr, Fold, Function, Hints, IndexHint, Loops,
    Nulls, OwnerName, PathLeg, PathMode, PathPattern, Plan, PlanBuilder, Properties, RowCount,
    ScanSource, SetName, SortKey, Template, op,
};
use millrace_testkit::golden;

use crate::counted;

#[test]
fn rules_change_plans_as_the_goldens_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/rules");
    let mut changed_by = std::collections::BTreeSet::new();
    golden::check_folder(folder, |case| {
        let text = trace(&plan(&case.input));
        let names = text.lines().filter_map(|line| line.strip_prefix("== "));
        changed_by.extend(names.map(str::to_owned));
        text
    });
    for rule in &RULES {
        assert!(changed_by.contains(rule.name), "no golden shows the rule {}", rule.name);
    }
}

fn out(builder: &mut PlanBuilder, from: ColumnId, to: &str) -> ColumnId {
    builder.expand(from, Direction::Out, Some(&["LIKES"]), to)
}

fn by(expr: Expr) -> SortKey {
    SortKey { by: expr, descending: true, nulls: Nulls::Last }
}

/// A hop that asks for its edge, either way.
fn hop(builder: &mut PlanBuilder, from: ColumnId) -> (ColumnId, ColumnId) {
    let [edge, to] = ["r", "to"].map(|name| builder.column(name));
    builder.push(op::Expand {
        from,
        types: None,
        direction: Direction::Both,
        edge: Some(edge),
        to: Some(to),
        loops: Loops::Once,
    });
    (edge, to)
}

fn is_old(vertex: ColumnId) -> Expr {
    Expr::compare(Comparison::Greater, Expr::property(vertex, "age"), Expr::literal(60))
}

/// Fails for an age of 0.
fn has_no_share(vertex: ColumnId) -> Expr {
    let (one, age) = (Box::new(Expr::literal(1)), Box::new(Expr::property(vertex, "age")));
    let share = Expr::Arithmetic { operation: Arithmetic::Divide, left: one, right: age };
    Expr::compare(Comparison::Equal, share, Expr::literal(0))
}

fn exists(builder: &mut PlanBuilder, from: ColumnId, name: &str) -> ColumnId {
    let to = builder.column(name);
    builder.apply(ApplyKind::Value { fold: Fold::Exists, to }, |sub| {
        out(sub, from, "w");
    });
    to
}

fn plan(name: &str) -> Plan {
    let mut builder = PlanBuilder::new(CompareMode::NullIsUnknown);
    let plan = &mut builder;
    let output = match name {
        "recommendation" => recommendation(plan),
        "a Let that keeps too much" => {
            let counts = plan.bind_columns("counts", |plan| {
                let v = plan.scan(Some("Person"), "v");
                let name = plan.project("name", Expr::property(v, "name"));
                let age = plan.project("age", Expr::property(v, "age"));
                vec![v, name, age]
            });
            let sets = plan.bind_columns("set", |plan| {
                let v = plan.scan(Some("Person"), "v");
                vec![v, plan.project("name", Expr::property(v, "name"))]
            });
            let [v, name, age] = ["w", "n", "a"].map(|name| plan.column(name));
            plan.let_ref(counts, &[v, name, age]);
            let set = SetName::Let(sets);
            plan.filter(Expr::InSet { item: Box::new(Expr::Column(name)), set });
            plan.let_ref(counts, &[plan.next_column()]);
            plan.column("dead");
            vec![name]
        }
        "ordered hops" | "hops" | "hops without merging" => {
            let v = plan.scan(Some("Person"), "v");
            let i = out(plan, v, "i");
            let o = out(plan, i, "o");
            vec![out(plan, o, "j")]
        }
        "the first of a sort" => {
            let v = plan.scan(None, "v");
            plan.push(op::Sort { keys: vec![by(Expr::property(v, "age"))] });
            plan.push(op::Range::of(0, Some(3)));
            vec![v]
        }
        "as many of a sort as the run says" => {
            let v = plan.scan(None, "v");
            plan.push(op::Sort { keys: vec![by(Expr::property(v, "age"))] });
            let limit = RowCount::of(Expr::Parameter(plan.parameter("limit")));
            plan.push(op::Range { from: 0.into(), to: Some(limit) });
            vec![v]
        }
        "a later page of a sort" => {
            let v = plan.scan(None, "v");
            plan.push(op::Sort { keys: vec![by(Expr::property(v, "age"))] });
            plan.push(op::Range::of(3, Some(6)));
            vec![v]
        }
        "tests under an and" => {
            let v = plan.scan(None, "v");
            let (likes, friends) = (exists(plan, v, "likes"), exists(plan, v, "friends"));
            let parts = vec![is_old(v), Expr::Column(likes), Expr::Column(friends).negate()];
            plan.filter(Expr::And(parts));
            vec![v]
        }
        "a test under an or" => {
            let v = plan.scan(None, "v");
            let likes = exists(plan, v, "likes");
            plan.filter(Expr::Or(vec![is_old(v), Expr::Column(likes)]));
            vec![v]
        }
        "a filter far behind" => {
            let v = plan.scan(None, "v");
            let x = out(plan, v, "x");
            plan.push(op::Sort { keys: vec![by(Expr::property(x, "name"))] });
            plan.filter(Expr::And(vec![is_old(v), is_old(x)]));
            vec![v, x]
        }
        "a filter that can fail" => {
            let v = plan.scan(None, "v");
            let x = out(plan, v, "x");
            plan.filter(has_no_share(v));
            vec![x]
        }
        "a filter that can fail behind one that may not know" => {
            let v = plan.scan(None, "v");
            plan.filter(is_old(v));
            plan.push(op::Sort { keys: vec![by(Expr::property(v, "name"))] });
            plan.filter(has_no_share(v));
            vec![v]
        }
        "a range by two filters, a filter of another key and one that can fail" => {
            let v = plan.scan(None, "v");
            plan.filter(is_old(v));
            let age = Expr::property(v, "age");
            plan.filter(Expr::compare(Comparison::Less, age, Expr::literal(90)));
            let name = Expr::property(v, "name");
            plan.filter(Expr::compare(Comparison::Less, name, Expr::literal("n")));
            plan.filter(has_no_share(v));
            vec![v]
        }
        "a filter behind a range, a group and a write" => {
            let v = plan.scan(None, "v");
            plan.push(op::Range::of(0, Some(10)));
            plan.filter(is_old(v));
            let n = plan.aggregate(&[v], "n", Fold::Count);
            let many = Expr::compare(Comparison::Less, Expr::literal(1), Expr::Column(n));
            plan.filter(Expr::And(vec![many, Expr::property(v, "name")]));
            plan.side_effect_set("seen", Expr::Column(v));
            plan.filter(is_old(v));
            vec![v, n]
        }
        "columns nobody reads" => {
            let v = plan.scan(None, "v");
            plan.project("unread", Expr::property(v, "name"));
            exists(plan, v, "likes");
            let total = plan.column("total");
            let count = plan.column("count");
            let folds = vec![(total, Fold::Sum(Expr::property(v, "age"))), (count, Fold::Count)];
            plan.push(op::Aggregate { keys: Vec::new(), folds });
            vec![count]
        }
        "a look-up that no outer row decides" => {
            let v = plan.scan(None, "v");
            plan.apply(ApplyKind::Exists, |sub| {
                let p = sub.scan(Some("Person"), "p");
                sub.filter(is_old(p));
                let same = Expr::compare(
                    Comparison::Equal,
                    Expr::property(p, "name"),
                    Expr::property(v, "name"),
                );
                sub.filter(same);
            });
            vec![v]
        }
        "edges of two types" | "edges either way" => {
            let direction = match name {
                "edges either way" => Direction::Both,
                _ => Direction::In,
            };
            let v = plan.scan(None, "v");
            plan.expand(v, direction, Some(&["LIKES", "KNOWS"]), "w");
            vec![plan.aggregate(&[], "count", Fold::Count)]
        }
        "one of two names" => {
            let v = plan.scan(Some("Person"), "v");
            let is = |name: &str| {
                let own = Expr::property(v, "name");
                Expr::compare(Comparison::Equal, own, Expr::literal(name))
            };
            plan.filter(Expr::And(vec![is_old(v), Expr::Or(vec![is("ann"), is("bob")])]));
            plan.filter(Expr::Or(vec![is("ann"), is_old(v)]));
            vec![v]
        }
        "people of an age" | "likes of an age" => of_an_age(plan, name == "people of an age"),
        "items by ids"
        | "an id behind others"
        | "edges by ids in any order"
        | "edges by ids in order"
        | "ids that can fail"
        | "ids behind what can fail" => asked_by_ids(plan, name),
        "there and back by another edge" | "there and back without merging" => {
            let v = plan.scan(Some("Person"), "v");
            let (r, w) = hop(plan, v);
            let (s, x) = hop(plan, w);
            plan.differs(s, &[r]);
            vec![x, plan.aggregate(&[x], "count", Fold::Count)]
        }
        "the most frequent there and back" | "the most frequent, ordered by sorts only" => {
            let v = plan.scan(Some("Person"), "v");
            let (r, w) = hop(plan, v);
            let (s, x) = hop(plan, w);
            plan.differs(s, &[r]);
            let count = plan.aggregate(&[x], "count", Fold::Count);
            let keys = vec![by(Expr::Column(count))];
            plan.push(op::Sort { keys }).push(op::Range::of(0, Some(25)));
            vec![x, count]
        }
        "back to where it began" => {
            let v = plan.scan(Some("Person"), "v");
            let x = out(plan, v, "x");
            let y = out(plan, x, "y");
            let is_v = Expr::compare(Comparison::Equal, Expr::Column(v), Expr::Column(y));
            plan.filter(Expr::And(vec![is_old(y), is_v]));
            vec![plan.aggregate(&[], "n", Fold::Count)]
        }
        "labels asked twice" => {
            let is = |vertex, label: &str| Expr::HasLabel {
                vertex: Box::new(Expr::Column(vertex)),
                label: label.into(),
            };
            let v = plan.scan(Some("Person"), "v");
            let x = out(plan, v, "x");
            plan.filter(Expr::And(vec![is(v, "Person"), is(x, "Item"), is_old(x)]));
            let y = plan.project("y", Expr::Column(x));
            plan.filter(is(y, "Item")).filter(Expr::And(vec![is(y, "Rare"), is(v, "Person")]));
            vec![v, y]
        }
        "names of what others reach, ordered by sorts only" => {
            let v = plan.scan(Some("Person"), "v");
            let x = out(plan, v, "x");
            let y = out(plan, x, "y");
            let name = plan.project("name", Expr::property(y, "name"));
            let n = plan.aggregate(&[v, name], "n", Fold::Count);
            plan.push(op::Sort { keys: vec![by(Expr::Column(v)), by(Expr::Column(n))] });
            vec![v, name, n]
        }
        "ages there and back by another edge" => {
            let v = plan.scan(Some("Person"), "v");
            let (r, w) = hop(plan, v);
            let (s, x) = hop(plan, w);
            plan.differs(s, &[r]);
            vec![v, plan.aggregate(&[v], "ages", Fold::Sum(Expr::property(x, "age")))]
        }
        "a pattern from its smaller end" | "a pattern in order" | "a pattern by an index" => {
            pattern(plan, name == "a pattern by an index")
        }
        "whom everybody reaches" | "whom everybody has near" | "whom alternatives reach" => {
            let v = plan.scan(Some("Person"), "v");
            let to = plan.column("to");
            let mut step = PathLeg::along(None, Direction::Both, Loops::Once);
            if name == "whom alternatives reach" {
                step.alternatives.push(step.alternatives[0].clone());
            }
            let radius = (name == "whom everybody has near").then_some(3);
            let ways = PathMode::Trail;
            let path = PathPattern { radius, ..PathPattern::repeating(v, step, (0, None), ways) };
            plan.push(op::PathExpand { to: Some(to), ..op::PathExpand::unread(path) });
            plan.push(op::Dedup { columns: vec![to] });
            vec![plan.aggregate(&[], "count", Fold::Count)]
        }
        "how long the ways are" | "how long the ways are, and which" => {
            let v = plan.scan(Some("Person"), "v");
            let [edges, whole] = ["edges", "whole"].map(|name| plan.column(name));
            let step = PathLeg::along(None, Direction::Out, Loops::Once);
            let path = PathPattern::repeating(v, step, (1, None), PathMode::Trail);
            let (edges_column, whole_column) = (Some(edges), Some(whole));
            plan.push(op::PathExpand {
                edges: edges_column,
                whole: whole_column,
                ..op::PathExpand::unread(path)
            });
            let reversed = Expr::call(Function::Reverse, vec![Expr::Column(edges)]);
            let list = plan.project("list", reversed);
            let size = || Expr::call(Function::Size, vec![Expr::Column(list)]);
            plan.filter(Expr::compare(Comparison::Greater, size(), Expr::literal(2)));
            match name {
                "how long the ways are" => vec![plan.aggregate(&[], "most", Fold::Max(size()))],
                _ => vec![plan.project("size", size()), list],
            }
        }
        "vertices of one kind" => {
            let name = plan.parameter("name");
            let create = |plan: &mut PlanBuilder, label: &str, name: Expr| {
                let to = plan.column("v");
                let keyed = vec![("name".into(), name)];
                let properties = Properties { keyed, map: None };
                let template = Template::Vertex { labels: vec![label.into()], properties };
                plan.push(op::Create { template, id: None, to });
                to
            };
            create(plan, "Person", Expr::Parameter(name));
            create(plan, "Person", Expr::literal("ann"));
            let last = create(plan, "Person", Expr::literal("bob"));
            create(plan, "Item", Expr::literal("lamp"));
            vec![last]
        }
        "a simple path" => {
            let v = plan.scan(Some("Person"), "v");
            let start = plan.path(None, Some(v), &[], "start");
            let w = out(plan, v, "w");
            let path = plan.path(Some(start), Some(w), &["w"], "path");
            let objects = Expr::call(Function::Objects, vec![Expr::Column(path)]);
            plan.filter(Expr::call(Function::AreDistinct, vec![objects]));
            vec![path]
        }
        other => counted::pattern(plan, other),
    };
    let mut plan = builder.finish(output);
    let in_any_order = [
        "hops",
        "recommendation",
        "there and back by another edge",
        "ages there and back by another edge",
        "edges by ids in any order",
        "a pattern from its smaller end",
        "a pattern by an index",
    ];
    plan.ordered = !in_any_order.contains(&name) && !name.ends_with("without merging");
    plan.sorted_only = name.ends_with("ordered by sorts only");
    if name.starts_with("a pattern ") {
        plan.hints = Arc::new(hints());
    }
    if name.starts_with("counted: ") {
        plan.hints = Arc::new(counted::hints());
    }
    plan.merging = !name.ends_with("without merging");
    plan
}

fn of_an_age(plan: &mut PlanBuilder, people: bool) -> Vec<ColumnId> {
    if people {
        let x = plan.scan(None, "x");
        let label = "Person".into();
        plan.filter(is_old(x)).filter(Expr::HasLabel { vertex: Box::new(Expr::Column(x)), label });
        return vec![x];
    }
    let x = plan.column("x");
    plan.push(op::Scan { source: ScanSource::Edges(None), to: x });
    let kind = Expr::EdgeType(Box::new(Expr::Column(x)));
    let likes = Expr::compare(Comparison::Equal, kind, Expr::literal("LIKES"));
    plan.filter(Expr::And(vec![is_old(x), likes]));
    vec![x]
}

fn asked_by_ids(plan: &mut PlanBuilder, name: &str) -> Vec<ColumnId> {
    let id = |element| Expr::Id(Box::new(Expr::Column(element)));
    let in_list =
        |element, list| Expr::InList { item: Box::new(id(element)), list: Box::new(list) };
    let one = plan.parameter("one");
    match name {
        "items by ids" => {
            let v = plan.scan(Some("Item"), "v");
            let list = Expr::List(vec![Expr::Parameter(one), Expr::literal(2.0)]);
            plan.filter(is_old(v)).filter(Expr::And(vec![is_old(v), in_list(v, list)]));
            vec![v]
        }
        "an id behind others" => {
            let v = plan.scan(Some("Person"), "v");
            let i = out(plan, v, "i");
            let w = plan.scan(None, "w");
            plan.filter(Expr::compare(Comparison::Equal, Expr::property(i, "of"), id(w)));
            vec![i, w]
        }
        "ids behind what can fail" => {
            let (v, w) = (plan.scan(None, "v"), plan.scan(None, "w"));
            let share = |of: ColumnId| {
                let (left, right) = (Box::new(Expr::literal(1)), Box::new(Expr::property(of, "n")));
                let share = Expr::Arithmetic { operation: Arithmetic::Divide, left, right };
                Expr::compare(Comparison::Equal, share, Expr::literal(1))
            };
            let person =
                Expr::HasLabel { vertex: Box::new(Expr::Column(w)), label: "Person".into() };
            plan.filter(Expr::And(vec![share(w), person]));
            plan.filter(in_list(w, Expr::Parameter(one)));
            let x = plan.scan(None, "x");
            plan.filter(share(x));
            plan.filter(Expr::compare(Comparison::Equal, id(x), Expr::Parameter(one)));
            vec![v, w, x]
        }
        "ids that can fail" => {
            let v = plan.scan(None, "v");
            let (left, right) = (Box::new(Expr::literal(1)), Box::new(Expr::Parameter(one)));
            let share = Expr::Arithmetic { operation: Arithmetic::Divide, left, right };
            plan.filter(Expr::compare(Comparison::Equal, id(v), share));
            let w = plan.scan(None, "w");
            plan.filter(in_list(w, Expr::Parameter(one)));
            let x = plan.scan(None, "x");
            plan.filter(Expr::compare(Comparison::Equal, id(x), Expr::property(x, "twin")));
            vec![v, w, x]
        }
        _ => {
            let e = plan.column("e");
            let source = ScanSource::Edges(Some(vec!["LIKES".into(), "KNOWS".into()]));
            plan.push(op::Scan { source, to: e });
            plan.filter(in_list(e, Expr::List(vec![Expr::Parameter(one)])));
            vec![e]
        }
    }
}

fn recommendation(plan: &mut PlanBuilder) -> Vec<ColumnId> {
    let p = plan.seek("Person", "username", Expr::literal("u"), "p");
    let i = out(plan, p, "i");
    plan.side_effect_set("mine", Expr::Column(i));
    let o = plan.expand(i, Direction::In, Some(&["LIKES"]), "o");
    let j = out(plan, o, "j");
    let mine = SetName::SideEffect("mine".into());
    plan.filter(Expr::InSet { item: Box::new(Expr::Column(j)), set: mine }.negate());
    let n = plan.aggregate(&[j], "n", Fold::Count);
    let keys = vec![by(Expr::Column(n)), by(Expr::Column(j))];
    plan.push(op::Sort { keys });
    plan.push(op::Range::of(0, Some(25)));
    vec![j, n]
}

/// A thousand persons, eight cities, and an index of persons by name.
fn hints() -> Hints {
    let labels = [("Person", 1_024), ("City", 8)].map(|(label, count)| (label.into(), count));
    let index = IndexHint {
        owner: OwnerName::Label("Person".into()),
        keys: vec!["name".into()],
        entries: Some(1_024),
        distinct: Some(1_024),
    };
    Hints {
        vertices: Some(1_024),
        labels: labels.into_iter().collect(),
        indexes: vec![index],
        ..Hints::default()
    }
}

/// `MATCH (a:Person)-[e:KNOWS]-(b)-[:LIVES_IN]->(c:City) WHERE a <> b AND c.size > 5`, at times with `a.name = 'ann'`.
fn pattern(plan: &mut PlanBuilder, named: bool) -> Vec<ColumnId> {
    let a = plan.scan(Some("Person"), "a");
    if named {
        let name = Expr::property(a, "name");
        plan.filter(Expr::compare(Comparison::Equal, name, Expr::literal("ann")));
    }
    let [e, b] = ["e", "b"].map(|name| plan.column(name));
    plan.push(op::Expand {
        from: a,
        types: Some(vec!["KNOWS".into()]),
        direction: Direction::Both,
        edge: Some(e),
        to: Some(b),
        loops: Loops::Once,
    });
    let same = Expr::compare(Comparison::Equal, Expr::Column(a), Expr::Column(b));
    plan.filter(same.negate());
    let c = plan.expand(b, Direction::Out, Some(&["LIVES_IN"]), "c");
    let label = Expr::HasLabel { vertex: Box::new(Expr::Column(c)), label: "City".into() };
    let populous = Expr::compare(Comparison::Greater, Expr::property(c, "size"), Expr::literal(5));
    plan.filter(Expr::And(vec![label, populous]));
    vec![a, e, c]
}
