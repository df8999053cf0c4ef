//! Aggregate, Dedup, Sort, TopK, Range, Barrier, Union, SideEffect; hops that are fused.

use millrace_model::{Direction, Value};
use millrace_plan::{
    Comparison, Expr, Fold, Nulls, Op, Pipeline, PlanBuilder, SetName, SortKey, UnionPick, op,
};

use crate::fixture::{
    builder, empty, error, graph, name_of, numbers, operators, run, run_with, weighted,
};

fn by(column: millrace_plan::ColumnId, descending: bool) -> SortKey {
    SortKey { by: Expr::Column(column), descending, nulls: Nulls::Last }
}

/// Rows 1 (twice), 2, 1 (three times), null.
fn some(plan: &mut PlanBuilder) -> millrace_plan::ColumnId {
    let parameter = plan.parameter("rows");
    plan.rows(parameter, ["n"])[0]
}

const SOME: [(i64, u64); 3] = [(1, 2), (2, 1), (1, 3)];

#[test]
fn every_fold_honours_weights() {
    let fold_all = |pairs: &[(i64, u64)], keyed: bool| {
        let mut plan = builder();
        let n = some(&mut plan);
        let value = || Expr::Column(n);
        let folds = [
            Fold::Count,
            Fold::CountDistinct(value()),
            Fold::Sum(value()),
            Fold::Min(value()),
            Fold::Max(value()),
            Fold::Mean(value()),
            Fold::Collect(value()),
            Fold::First(value()),
            Fold::Exists,
        ];
        let folds: Vec<_> = folds.into_iter().map(|fold| (plan.column("f"), fold)).collect();
        let output = folds.iter().map(|(column, _)| *column).collect();
        plan.push(op::Aggregate { keys: if keyed { vec![n] } else { vec![] }, folds });
        run_with(&empty(), &plan.finish(output), &[weighted(pairs)])
    };
    assert_eq!(fold_all(&SOME, false), ["6,2,7,1,2,1.1666666666666667,[1 1 2 1 1 1],1,true"]);
    assert_eq!(
        fold_all(&SOME, true),
        ["5,1,5,1,1,1.0,[1 1 1 1 1],1,true", "1,1,2,2,2,2.0,[2],2,true"]
    );
    assert_eq!(fold_all(&[], false), ["0,0,null,null,null,null,[],null,false"]);
    assert!(fold_all(&[], true).is_empty());
}

#[test]
fn dedup_resets_weights_and_ranges_split_them() {
    let run = |build: &dyn Fn(&mut PlanBuilder, millrace_plan::ColumnId)| {
        let mut plan = builder();
        let n = some(&mut plan);
        build(&mut plan, n);
        run_with(&empty(), &plan.finish(vec![n]), &[weighted(&SOME)])
    };
    let range = |from, to| {
        run(&move |plan, _| {
            plan.push(op::Range::of(from, to));
        })
    };
    assert_eq!(range(1, Some(4)), ["1", "2", "1"]);
    assert_eq!(range(4, None), ["2x 1"]);
    assert!(range(0, Some(0)).is_empty());
    assert!(range(6, None).is_empty());
    let dedup = run(&|plan, n| {
        plan.push(op::Dedup { columns: vec![n] });
    });
    assert_eq!(dedup, ["1", "2"]);
    let merge = run(&|plan, n| {
        plan.push(op::Barrier { merge: Some(vec![n]) });
    });
    assert_eq!(merge, ["5x 1", "2"]);
    let plain = run(&|plan, _| {
        plan.push(op::Barrier { merge: None });
    });
    assert_eq!(plain, ["2x 1", "2", "3x 1"]);
    let top = run(&|plan, n| {
        plan.push(op::TopK { count: 3.into(), keys: vec![by(n, true)] });
    });
    assert_eq!(top, ["2", "2x 1"]);
    let sorted = run(&|plan, n| {
        plan.push(op::Sort { keys: vec![by(n, false)] });
    });
    assert_eq!(sorted, ["2x 1", "3x 1", "2"]);
}

#[test]
fn a_sort_is_stable_and_its_key_says_where_null_goes() {
    let graph = graph();
    let sorted = |descending, nulls| {
        let mut plan = builder();
        let v = plan.scan(Some("Person"), "v");
        let by = Expr::property(v, "age");
        plan.push(op::Sort { keys: vec![SortKey { by, descending, nulls }] });
        let name = plan.project("name", name_of(v));
        run(&graph.store, &plan.finish(vec![name])).join(" ")
    };
    assert_eq!(sorted(false, Nulls::Last), "p1 p3 p0 p2 p4");
    assert_eq!(sorted(true, Nulls::Last), "p0 p3 p1 p2 p4");
    assert_eq!(sorted(true, Nulls::First), "p2 p4 p0 p3 p1");
}

#[test]
fn top_k_is_sort_and_range_however_many_rows() {
    for count in [0, 1, 5_000, 20_000] {
        let build = |top: bool| {
            let mut plan = builder();
            let n = numbers(&mut plan, "n", (0..count).map(|n| n * 7_919 % 1_000));
            let keys = vec![by(n, true)];
            if top {
                plan.push(op::TopK { count: 37.into(), keys });
            } else {
                plan.push(op::Sort { keys }).push(Op::Range(op::Range::of(0, Some(37))));
            }
            plan.finish(vec![n])
        };
        assert_eq!(run(&empty(), &build(true)), run(&empty(), &build(false)), "{count}");
    }
}

#[test]
fn a_branch_that_no_row_entered_yields_not_even_a_count() {
    let count = |plan: &mut PlanBuilder, to| -> Pipeline {
        plan.pipeline(|plan| {
            plan.push(op::Aggregate { keys: vec![], folds: vec![(to, Fold::Count)] });
        })
    };
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [1, 2, 3]);
    let to = plan.column("count");
    let branches = vec![count(&mut plan, to), count(&mut plan, to), count(&mut plan, to)];
    let small = Expr::compare(Comparison::Less, Expr::Column(n), Expr::literal(3));
    let none = Expr::compare(Comparison::Less, Expr::Column(n), Expr::literal(0));
    let pick = UnionPick::First(vec![small, none, Expr::literal(true)]);
    plan.push(op::Union { branches, pick });
    assert_eq!(run(&empty(), &plan.finish(vec![to])), ["2", "1"]);
}

#[test]
fn union_opens_no_scope() {
    // V(0,1).union(out().count(), in().count()): two rows, not four.
    let graph = graph();
    let mut plan = builder();
    let ids = Value::list(graph.persons[..2].iter().map(|&id| Value::Vertex(id)).collect());
    let v = plan.ids(millrace_plan::ElementKind::Vertex, Expr::Literal(ids), "v");
    let to = plan.column("count");
    let branch = |plan: &mut PlanBuilder, direction| {
        plan.pipeline(|plan| {
            plan.expand(v, direction, None, "x");
            plan.push(op::Aggregate { keys: vec![], folds: vec![(to, Fold::Count)] });
        })
    };
    let branches = vec![branch(&mut plan, Direction::Out), branch(&mut plan, Direction::In)];
    plan.push(op::Union { branches, pick: UnionPick::All });
    assert_eq!(run(&graph.store, &plan.finish(vec![to])), ["5", "4"]);
}

#[test]
fn a_side_effect_has_all_rows_before_one_goes_on() {
    let mut plan = builder();
    let n = numbers(&mut plan, "n", 0..3_000);
    let next = Expr::Arithmetic {
        operation: millrace_plan::Arithmetic::Add,
        left: Box::new(Expr::Column(n)),
        right: Box::new(Expr::literal(2_999)),
    };
    plan.side_effect_set("all", Expr::Column(n));
    let set = SetName::SideEffect("all".into());
    plan.filter(Expr::InSet { item: Box::new(next), set });
    assert_eq!(run(&empty(), &plan.finish(vec![n])), ["0"]);
}

/// The recommendation of the algebra's page, on the small graph.
fn recommend(ordered: bool) -> millrace_plan::Plan {
    let mut plan = builder();
    let p = plan.seek("Person", "name", Expr::literal("p1"), "p");
    let i = plan.expand(p, Direction::Out, Some(&["LIKES"]), "i");
    plan.side_effect_set("mine", Expr::Column(i));
    plan.push(op::Barrier { merge: Some(vec![i]) });
    let o = plan.expand(i, Direction::In, Some(&["LIKES"]), "o");
    plan.push(op::Barrier { merge: Some(vec![o]) });
    let j = plan.expand(o, Direction::Out, Some(&["LIKES"]), "j");
    let mine = SetName::SideEffect("mine".into());
    plan.filter(Expr::InSet { item: Box::new(Expr::Column(j)), set: mine }.negate());
    let count = plan.aggregate(&[j], "count", Fold::Count);
    plan.push(op::TopK { count: 25.into(), keys: vec![by(count, true)] });
    let name = plan.project("name", name_of(j));
    let mut plan = plan.finish(vec![name, count]);
    plan.ordered = ordered;
    plan
}

#[test]
fn a_recommendation_is_two_hops_and_a_scatter_add() {
    let graph = graph();
    for ordered in [true, false] {
        let plan = recommend(ordered);
        // Items 0, 1 are liked by p0 (item 0 only), p1..p4 (both): 2 paths to each of p2..p4.
        assert_eq!(run(&graph.store, &plan), ["i2,6", "i3,4", "i4,2"]);
        let operators = operators(&plan);
        assert_eq!(operators.matches(" + ").count(), 2, "{operators}");
    }
}

#[test]
fn fused_hops_agree_with_their_parts() {
    let graph = graph();
    let plans = |fused: bool, direction, types: Option<&[&str]>, loops| {
        let after = |build: &dyn Fn(&mut PlanBuilder, millrace_plan::ColumnId)| {
            let mut plan = builder();
            let v = plan.scan(None, "v");
            plan.expand(v, Direction::Out, None, "w");
            let w = millrace_plan::ColumnId(1);
            let types = types.map(|types| types.iter().map(|&name| name.into()).collect());
            let x = plan.column("x");
            plan.push(op::Expand { from: w, types, direction, edge: None, to: Some(x), loops });
            if !fused {
                plan.push(op::Range::of(0, None));
            }
            build(&mut plan, x);
            let count = plan.column("count");
            plan.push(op::Aggregate { keys: vec![x], folds: vec![(count, Fold::Count)] });
            run(&graph.store, &plan.finish(vec![x, count]))
        };
        [
            after(&|_, _| {}),
            after(&|plan, x| {
                plan.push(op::Barrier { merge: Some(vec![x]) });
            }),
            after(&|plan, x| {
                plan.push(op::Dedup { columns: vec![x] });
            }),
            after(&|plan, x| {
                let label =
                    Expr::HasLabel { vertex: Box::new(Expr::Column(x)), label: "Item".into() };
                plan.filter(label).push(Op::Barrier(op::Barrier { merge: Some(vec![x]) }));
            }),
        ]
    };
    use millrace_plan::Loops;
    for direction in [Direction::Out, Direction::In, Direction::Both] {
        for types in [None, Some(&["KNOWS"] as &[&str]), Some(&["LIKES", "KNOWS"])] {
            for loops in [Loops::Once, Loops::Twice] {
                let fused = plans(true, direction, types, loops);
                let parts = plans(false, direction, types, loops);
                assert_eq!(fused, parts, "{direction} {types:?} {loops:?}");
            }
        }
    }
}

#[test]
fn a_frontier_shared_among_threads_gives_the_same_rows_in_the_same_order() {
    let store = empty();
    let count = 20_000;
    let transaction = crate::fixture::begin(&store);
    let kind =
        transaction.intern(&[(millrace_store::NameKind::EdgeType, "TO")]).expect("a name")[0];
    let labels = millrace_store::Labels::from([]);
    let ids = transaction.create_vertices(&labels, count, &[]).expect("vertices");
    // Three edges each, far apart, so that stretches of the frontier touch the same vertices.
    let ends = |at: usize| [at * 7_919 % 5_000, at / 2, 19_999 - at].map(|to| (ids[at], ids[to]));
    let (sources, targets): (Vec<_>, Vec<_>) = (0..count).flat_map(ends).unzip();
    let kind = millrace_model::EdgeTypeId(kind);
    transaction.create_edges(kind, &sources, &targets, &[]).expect("edges");
    crate::fixture::commit(transaction);
    let reached = |fused: bool, op: &dyn Fn(millrace_plan::ColumnId) -> Op| {
        let mut plan = builder();
        let v = plan.scan(None, "v");
        let x = plan.expand(v, Direction::Out, None, "x");
        if !fused {
            plan.push(op::Range::of(0, None));
        }
        plan.push(op(x));
        run(&store, &plan.finish(vec![x]))
    };
    let merge = |x| Op::Barrier(op::Barrier { merge: Some(vec![x]) });
    let dedup = |x| Op::Dedup(op::Dedup { columns: vec![x] });
    assert!(reached(true, &merge) == reached(false, &merge), "weights");
    assert!(reached(true, &dedup) == reached(false, &dedup), "distinct");
}

#[test]
fn counts_list_nothing_and_agree() {
    let graph = graph();
    let count = |direction, loops, fused: bool| {
        let mut plan = builder();
        let v = plan.scan(Some("Person"), "v");
        let x = plan.column("x");
        plan.push(op::Expand { from: v, types: None, direction, edge: None, to: Some(x), loops });
        if !fused {
            plan.push(op::Range::of(0, None));
        }
        let count = plan.aggregate(&[], "count", Fold::Count);
        run(&graph.store, &plan.finish(vec![count]))
    };
    use millrace_plan::Loops;
    for direction in [Direction::Out, Direction::In, Direction::Both] {
        for loops in [Loops::Once, Loops::Twice] {
            assert_eq!(count(direction, loops, true), count(direction, loops, false));
        }
    }
    let mut plan = builder();
    plan.scan(Some("Person"), "v");
    let all = plan.aggregate(&[], "count", Fold::Count);
    let plan = plan.finish(vec![all]);
    assert_eq!(run(&graph.store, &plan), ["5"]);
    assert_eq!(operators(&plan).lines().count(), 1);
}

#[test]
fn a_column_that_is_not_there_is_refused_by_name() {
    let mut plan = builder();
    let n = numbers(&mut plan, "n", [1]);
    plan.aggregate(&[], "count", Fold::Count);
    let found = error(&empty(), &plan.finish(vec![n]));
    assert_eq!(found.detail, "column n#0 is read where it does not exist");
}
