//! Apply: every kind, scopes, sharing, in turn.

use millrace_model::Direction;
use millrace_plan::{
    ApplyKind, ColumnId, Comparison, Expr, Fold, Loops, Nulls, Plan, PlanBuilder, SetName, SortKey,
    UnionPick, op,
};

use crate::fixture::{
    builder, empty, expand_edges, graph, name_of, numbers, operators, run, run_with, weighted,
    write,
};

fn persons_with(
    kind: impl FnOnce(&mut PlanBuilder) -> ApplyKind,
    sub: impl FnOnce(&mut PlanBuilder, ColumnId),
    output: impl FnOnce(&mut PlanBuilder, ColumnId) -> Vec<ColumnId>,
) -> Plan {
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let kind = kind(&mut plan);
    plan.apply(kind, |plan| sub(plan, v));
    let output = output(&mut plan, v);
    plan.finish(output)
}

#[test]
fn value_is_a_row_for_each_outer_row_whatever_the_sub_has() {
    let graph = graph();
    let plan = |fold: fn() -> Fold| {
        let mut plan = builder();
        let v = plan.scan(None, "v");
        let to = plan.column("value");
        plan.apply(ApplyKind::Value { fold: fold(), to }, |plan| {
            plan.expand(v, Direction::Out, None, "x");
        });
        let name = plan.project("name", name_of(v));
        plan.finish(vec![name, to])
    };
    let counts = run(&graph.store, &plan(|| Fold::Count));
    assert_eq!(counts[..5], ["p0,2", "p1,3", "p2,4", "p3,7", "p4,5"]);
    assert_eq!(counts[5..], ["i0,0", "i1,0", "i2,0", "i3,0", "i4,0"]);
    let exists = run(&graph.store, &plan(|| Fold::Exists));
    assert_eq!((exists[0].as_str(), exists[9].as_str()), ("p0,true", "i4,false"));
}

#[test]
fn each_outer_row_is_a_scope_for_every_barrier() {
    let graph = graph();
    let tops = |barrier: &dyn Fn(&mut PlanBuilder, ColumnId, ColumnId)| {
        let mut plan = builder();
        let v = plan.scan(Some("Person"), "v");
        let to = plan.column("names");
        let name = plan.column("name");
        let sub = plan.pipeline(|plan| {
            let (edge, x) = expand_edges(plan, v, Direction::Out, "LIKES", Loops::Once);
            barrier(plan, edge, x);
            plan.push(op::Project { columns: vec![(name, name_of(x))] });
        });
        let fold = Fold::Collect(Expr::Column(name));
        plan.push(op::Apply { sub, kind: ApplyKind::Value { fold, to } });
        run(&graph.store, &plan.finish(vec![to])).join(" ")
    };
    let by_weight =
        |edge| SortKey { by: Expr::property(edge, "weight"), descending: true, nulls: Nulls::Last };
    let top = tops(&|plan, edge, _| {
        plan.push(op::TopK { count: 2.into(), keys: vec![by_weight(edge)] });
    });
    assert_eq!(top, "[i0] [i1 i0] [i2 i1] [i3 i2] [i4 i3]");
    let sorted = tops(&|plan, edge, _| {
        plan.push(op::Sort { keys: vec![by_weight(edge)] });
    });
    assert_eq!(sorted, "[i0] [i1 i0] [i2 i1 i0] [i3 i2 i1 i0] [i4 i3 i2 i1 i0]");
    let ranged = tops(&|plan, _, _| {
        plan.push(op::Range::of(1, Some(3)));
    });
    assert_eq!(ranged, "[] [i1] [i1 i2] [i1 i2] [i1 i2]");
    let merged = tops(&|plan, _, x| {
        plan.push(op::Barrier { merge: Some(vec![x]) });
    });
    assert_eq!(merged, "[i0] [i0 i1] [i0 i1 i2] [i0 i1 i2 i3] [i0 i1 i2 i3 i4]");
    let deduped = tops(&|plan, _, x| {
        plan.push(op::Dedup { columns: vec![x] });
    });
    assert_eq!(deduped, merged);
}

#[test]
fn a_hop_inside_an_apply_merges_within_its_scope() {
    let graph = graph();
    let plan = persons_with(
        |plan| ApplyKind::Flat.tap(plan),
        |plan, v| {
            let i = plan.expand(v, Direction::Out, Some(&["LIKES"]), "i");
            let o = plan.expand(i, Direction::In, Some(&["LIKES"]), "o");
            plan.aggregate(&[o], "count", Fold::Count);
        },
        |plan, v| {
            let (o, count) = (ColumnId(2), ColumnId(3));
            vec![plan.project("v", name_of(v)), plan.project("o", name_of(o)), count]
        },
    );
    let found = run(&graph.store, &plan);
    assert_eq!(found.len(), 25);
    assert_eq!(found[..5], ["p0,p0,1", "p0,p1,1", "p0,p2,1", "p0,p3,1", "p0,p4,1"]);
    assert_eq!(found[20..], ["p4,p0,1", "p4,p1,2", "p4,p2,3", "p4,p3,4", "p4,p4,5"]);
}

trait Tap: Sized {
    /// This, where a builder is offered and not needed.
    fn tap(self, _plan: &mut PlanBuilder) -> Self {
        self
    }
}

impl Tap for ApplyKind {}

#[test]
fn optional_keeps_a_row_with_nulls_and_flat_drops_it() {
    let graph = graph();
    let plan = |kind: ApplyKind| {
        let mut plan = builder();
        let v = plan.scan(Some("Person"), "v");
        let x = plan.column("x");
        let sub = plan.pipeline(|plan| {
            plan.push(op::Expand {
                from: v,
                types: Some(vec!["KNOWS".into()]),
                direction: Direction::In,
                edge: None,
                to: Some(x),
                loops: Loops::Once,
            });
        });
        plan.push(op::Apply { sub, kind });
        let names = vec![plan.project("v", name_of(v)), plan.project("x", name_of(x))];
        run(&graph.store, &plan.finish(names))
    };
    let flat = plan(ApplyKind::Flat);
    assert_eq!(flat, ["p0,p2", "p0,p3", "p0,p3", "p1,p0", "p2,p1", "p3,p3"]);
    let mut optional = flat;
    optional.push("p4,null".to_owned());
    assert_eq!(plan(ApplyKind::Optional), optional);
}

#[test]
fn exists_and_absent_split_the_rows_without_walking() {
    let graph = graph();
    let plan = |kind: ApplyKind| {
        persons_with(
            |_| kind,
            |plan, v| {
                plan.expand(v, Direction::In, Some(&["KNOWS"]), "x");
            },
            |plan, v| vec![plan.project("v", name_of(v))],
        )
    };
    assert_eq!(run(&graph.store, &plan(ApplyKind::Exists)), ["p0", "p1", "p2", "p3"]);
    assert_eq!(run(&graph.store, &plan(ApplyKind::Absent)), ["p4"]);
    let operators = operators(&plan(ApplyKind::Exists));
    assert!(operators.contains("exists over (v#0) + Expand v#0 -in KNOWS"), "{operators}");
}

#[test]
fn a_bag_holds_rows_and_weights_and_is_shared() {
    let graph = graph();
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [n] = plan.rows(parameter, ["n"]);
    let v = plan.seek("Person", "name", Expr::literal("p1"), "v");
    let (x, bag) = (plan.column("x"), plan.column("bag"));
    let sub = plan.pipeline(|plan| {
        let w = plan.expand(v, Direction::Out, Some(&["LIKES"]), "w");
        let o = plan.expand(w, Direction::In, Some(&["LIKES"]), "o");
        plan.push(op::Barrier { merge: Some(vec![o]) });
        plan.push(op::Project { columns: vec![(x, name_of(o))] });
    });
    plan.push(op::Apply { sub, kind: ApplyKind::Bag { columns: vec![x], to: bag } });
    let plan = plan.finish(vec![n, bag]);
    let found = run_with(&graph.store, &plan, &[weighted(&[(1, 1), (2, 3)])]);
    assert_eq!(found, ["1,[p0 2x p1 2x p2 2x p3 2x p4]", "3x 2,[p0 2x p1 2x p2 2x p3 2x p4]"]);
}

#[test]
fn applies_nest_and_weights_multiply() {
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [n] = plan.rows(parameter, ["n"]);
    let x = plan.column("x");
    let y = plan.column("y");
    let inner = plan.pipeline(|plan| {
        let list = Expr::List(vec![Expr::Column(x), Expr::Column(n), Expr::Column(x)]);
        plan.push(op::Unwind { list, to: y, position: None });
        plan.push(op::Barrier { merge: Some(vec![y]) });
    });
    let outer = plan.pipeline(|plan| {
        let list = Expr::List(vec![Expr::literal(7), Expr::literal(8)]);
        plan.push(op::Unwind { list, to: x, position: None });
        plan.push(op::Apply { sub: inner, kind: ApplyKind::Flat });
    });
    plan.push(op::Apply { sub: outer, kind: ApplyKind::Flat });
    let plan = plan.finish(vec![n, x, y]);
    let found = run_with(&empty(), &plan, &[weighted(&[(1, 5), (8, 1)])]);
    let expected =
        ["10x 1,7,7", "5x 1,7,1", "10x 1,8,8", "5x 1,8,1", "2x 8,7,7", "8,7,8", "3x 8,8,8"];
    assert_eq!(found, expected);
}

#[test]
fn a_union_in_a_scope_counts_only_where_it_was_entered() {
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [1, 2, 3]);
    let count = plan.column("count");
    let branch = |plan: &mut PlanBuilder| {
        plan.pipeline(|plan| {
            plan.push(op::Aggregate { keys: vec![], folds: vec![(count, Fold::Count)] });
        })
    };
    let branches = vec![branch(&mut plan), branch(&mut plan)];
    let small = Expr::compare(Comparison::Less, Expr::Column(n), Expr::literal(3));
    let large = Expr::compare(Comparison::Greater, Expr::Column(n), Expr::literal(1));
    let sub = plan.pipeline(|plan| {
        plan.push(op::Union { branches, pick: UnionPick::First(vec![small, large]) });
    });
    plan.push(op::Apply { sub, kind: ApplyKind::Optional });
    assert_eq!(run(&empty(), &plan.finish(vec![n, count])), ["1,1", "2,1", "3,1"]);
}

#[test]
fn an_error_in_a_sub_belongs_to_its_outer_row() {
    let plan = |limit| {
        let mut plan = builder();
        let n = numbers(&mut plan, "n", [2, 1, 0, 5]);
        let q = plan.column("q");
        let sub = plan.pipeline(|plan| {
            let value = Expr::Arithmetic {
                operation: millrace_plan::Arithmetic::Divide,
                left: Box::new(Expr::literal(4)),
                right: Box::new(Expr::Column(n)),
            };
            plan.push(op::Project { columns: vec![(q, value)] });
        });
        plan.push(op::Apply { sub, kind: ApplyKind::Flat });
        plan.push(op::Range::of(0, Some(limit)));
        plan.finish(vec![q])
    };
    assert_eq!(run(&empty(), &plan(2)), ["2", "4"]);
    crate::fixture::error(&empty(), &plan(3));
}

#[test]
fn a_side_effect_read_in_its_own_sub_goes_in_turn() {
    // Keeps the first of equal values: each row sees the values added before it.
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [4, 4, 5, 4, 5]);
    let seen = || SetName::SideEffect("seen".into());
    plan.apply(ApplyKind::Flat, |plan| {
        plan.filter(Expr::InSet { item: Box::new(Expr::Column(n)), set: seen() }.negate());
        plan.side_effect_set("seen", Expr::Column(n));
    });
    assert_eq!(run(&empty(), &plan.finish(vec![n])), ["4", "5"]);
}

#[test]
fn coalesce_with_a_create_lets_equal_rows_see_each_other() {
    // coalesce(V().has('id', x), addV().property('id', x))
    let store = empty();
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [1, 2, 1, 1]);
    let v = plan.column("v");
    let find = plan.pipeline(|plan| {
        let owner = millrace_plan::OwnerName::Label("N".into());
        let values = vec![Expr::Column(n)];
        plan.push(op::Seek { owner, keys: vec!["id".into()], values, range: None, to: v });
    });
    let found = plan.column("found");
    let count = Fold::Exists;
    let sub = plan.pipeline(|plan| {
        plan.push(op::Apply {
            sub: find.clone(),
            kind: ApplyKind::Value { fold: count, to: found },
        });
        let create = plan.pipeline(|plan| {
            let template = crate::fixture::vertex("N", vec![("id", Expr::Column(n))]);
            plan.push(op::Create { template, id: None, to: v });
        });
        let pick = UnionPick::First(vec![Expr::Column(found), Expr::literal(true)]);
        plan.push(op::Union { branches: vec![find, create], pick });
    });
    plan.push(op::Apply { sub, kind: ApplyKind::Flat });
    let id = plan.project("id", Expr::property(v, "id"));
    let found = write(&store, &plan.finish(vec![id, found]));
    assert_eq!(found, ["1,false", "2,false", "1,true", "1,true"]);
    let mut plan = builder();
    plan.scan(Some("N"), "v");
    let count = plan.aggregate(&[], "count", Fold::Count);
    assert_eq!(run(&store, &plan.finish(vec![count])), ["2"]);
}

#[test]
fn a_pattern_of_the_algebras_page() {
    // MATCH (a:Person)-[r]->(b) OPTIONAL MATCH (b)<-[:LIKES]-(c) WHERE c.name > 'p2'
    // RETURN a, collect(c.name) AS cs
    let graph = graph();
    let mut plan = builder();
    let a = plan.seek("Person", "name", Expr::literal("p1"), "a");
    let b = plan.expand(a, Direction::Out, Some(&["LIKES"]), "b");
    let c = plan.column("c");
    let sub = plan.pipeline(|plan| {
        plan.push(op::Expand {
            from: b,
            types: Some(vec!["LIKES".into()]),
            direction: Direction::In,
            edge: None,
            to: Some(c),
            loops: Loops::Once,
        });
        plan.filter(Expr::compare(Comparison::Greater, name_of(c), Expr::literal("p2")));
    });
    plan.push(op::Apply { sub, kind: ApplyKind::Optional });
    let names = plan.aggregate(&[a], "cs", Fold::Collect(name_of(c)));
    let name = plan.project("a", name_of(a));
    let found = run(&graph.store, &plan.finish(vec![name, names]));
    assert_eq!(found, ["p1,[p3 p4 p3 p4]"]);
}
