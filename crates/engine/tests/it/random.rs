//! Samples, throws and random numbers: the same with the same seed, row by row, scope by scope.

use millrace_engine::{Context, execute};
use millrace_model::Direction;
use millrace_plan::{ApplyKind, Comparison, Expr, Fold, Parameter, Plan, RandomKind, op};

use crate::fixture::{builder, empty, graph, name_of, numbers, rows, run, run_with, weighted};

fn sample_of(count: i64, kept: u64) -> Plan {
    let mut plan = builder();
    let n = numbers(&mut plan, "n", 0..count);
    plan.sample(kept);
    plan.finish(vec![n])
}

fn rows_with(seed: Option<u64>, plan: &Plan, parameters: &[Parameter]) -> Vec<String> {
    let context = Context::reading(empty().snapshot().expect("a snapshot"));
    let context = match seed {
        Some(seed) => context.with_seed(seed),
        None => context,
    };
    rows(&execute(plan, &context, parameters).expect("runs"))
}

#[test]
fn a_seed_decides_the_sample_and_without_one_it_differs() {
    let plan = sample_of(1_000, 5);
    let first = rows_with(Some(1), &plan, &[]);
    assert_eq!(first.len(), 5);
    assert_eq!(first, rows_with(Some(1), &plan, &[]));
    assert_ne!(first, rows_with(Some(2), &plan, &[]));
    assert_ne!(rows_with(None, &plan, &[]), rows_with(None, &plan, &[]));
    let numbers: Vec<i64> = first.iter().map(|row| row.parse().expect("a number")).collect();
    assert!(numbers.is_sorted(), "a sample keeps its order");
}

#[test]
fn runs_of_one_context_have_different_random_numbers() {
    let plan = sample_of(1_000, 5);
    let context = Context::reading(empty().snapshot().expect("a snapshot")).with_seed(3);
    let run = || rows(&execute(&plan, &context, &[]).expect("runs"));
    assert_ne!(run(), run());
}

#[test]
fn every_row_is_as_likely_as_any_other_and_has_its_own_number() {
    let mut plan = builder();
    let parameter = plan.parameter("rows");
    let [n] = plan.rows(parameter, ["n"]);
    plan.sample(1_000);
    let total = plan.aggregate(&[n], "weight", Fold::Count);
    let plan = plan.finish(vec![n, total]);
    let found = run_with(&empty(), &plan, &[weighted(&[(1, 3_000), (2, 1_000)])]);
    let weight = |row: &str| -> i64 {
        let weight = found.iter().find_map(|found| found.strip_prefix(row));
        weight.expect("some of each").parse().expect("a number")
    };
    assert_eq!(weight("1,") + weight("2,"), 1_000);
    // Five standard deviations of the hypergeometric distribution are below 60.
    assert!((690..=810).contains(&weight("1,")), "{found:?}");
}

#[test]
fn a_coin_keeps_none_all_or_about_as_many_as_it_says() {
    let thrown = |share: f64| -> i64 {
        let mut plan = builder();
        let parameter = plan.parameter("rows");
        plan.rows(parameter, ["n"]);
        plan.random(RandomKind::Coin { probability: Expr::literal(share) });
        let count = plan.aggregate(&[], "count", Fold::Count);
        let plan = plan.finish(vec![count]);
        run_with(&empty(), &plan, &[weighted(&[(1, 10_000)])])[0].parse().expect("a number")
    };
    assert_eq!((thrown(0.0), thrown(1.0)), (0, 10_000));
    // Five standard deviations are 229.
    assert!((2_771..=3_229).contains(&thrown(0.3)));
}

#[test]
fn each_row_has_a_number_from_0_to_below_1() {
    let mut plan = builder();
    let n = numbers(&mut plan, "n", 0..1_000);
    let x = plan.column("x");
    plan.random(RandomKind::Number { to: x });
    let below = |limit| Expr::compare(Comparison::Less, Expr::Column(x), Expr::literal(limit));
    plan.filter(Expr::And(vec![below(1.0), below(0.0).negate()]));
    let distinct = plan.aggregate(&[], "n", Fold::CountDistinct(Expr::Column(x)));
    assert_ne!(n, x);
    assert_eq!(run(&empty(), &plan.finish(vec![distinct])), ["1000"]);
}

/// `V().group().by(label).by(sample(2))` and `local(out().sample(1))`: a scope has its own sample.
#[test]
fn a_sample_is_of_its_scope() {
    let graph = graph();
    let mut plan = builder();
    let v = plan.scan(None, "v");
    let label = plan.project("label", Expr::Labels(Box::new(Expr::Column(v))));
    let sub = plan.pipeline(|sub| {
        sub.sample(2);
        sub.aggregate(&[], "weight", Fold::Count);
    });
    let weight = sub.made_columns()[0];
    plan.push(op::Group { keys: vec![label], sub });
    let plan = plan.finish(vec![label, weight]);
    assert_eq!(run(&graph.store, &plan), ["[Person],2", "[Item],2"]);
    let mut plan = builder();
    let v = plan.scan(Some("Person"), "v");
    let x = plan.column("x");
    plan.apply(ApplyKind::Flat, |sub| {
        let liked = sub.expand(v, Direction::Out, Some(&["LIKES"]), "liked");
        sub.sample(1);
        sub.push(op::Project { columns: vec![(x, name_of(liked))] });
    });
    let count = plan.aggregate(&[v], "count", Fold::Count);
    assert_eq!(run(&graph.store, &plan.finish(vec![count])), ["1"; 5]);
}
