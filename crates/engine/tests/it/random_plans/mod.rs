//! Random plans over random graphs, run in every way there is: all must agree with the oracle.
//!
//! A difference is made smaller before it is shown, with its graph, its plan, the plan as the way
//! ran it, and both outcomes. `MILLRACE_SEEDS` and `MILLRACE_SEED_FROM` choose the seeds.

mod any_order;
mod counted;
mod expressions;
mod further;
mod generate;
mod graph;
mod ids;
mod loops;
mod merging;
pub(crate) mod outcome;
mod paths;
mod scopes;
mod settle;
mod shrink;
mod ways;
mod writes;

use millrace_model::ErrorKind;
use millrace_plan::rules::{RULES, Rule, optimize, trace};
use millrace_plan::{Op, Plan, op};
use millrace_testkit::named::has_external_id;
use millrace_testkit::{Rng, run_seeds};

use any_order::gives_the_same_in_any_order;
use generate::{counted_plan, random_plan};
use graph::Graph;
use shrink::{Case, is_valid, shrink};
use ways::{Way, reference, ways};

const SEEDS: u64 = 1_000;
const PLANS_PER_SEED: u64 = 10;
/// One in so many plans also runs with each rule off.
const RULES_OFF_EVERY: u64 = 10;

#[test]
fn every_way_to_run_a_random_plan_agrees_with_the_oracle() {
    run_seeds(SEEDS, |_, rng| {
        let graph = Graph::random(rng);
        for _ in 0..PLANS_PER_SEED {
            let each_rule_off = rng.below(RULES_OFF_EVERY) == 0;
            let (plan, parameters) = random_plan(&mut rng.fork());

            assert!(
                is_valid(&plan),
                "the generator made a plan that reads what is not there\n{plan}"
            );
            check(&Case { graph: graph.clone(), plan, parameters }, each_rule_off);
        }
    });
}

fn check(case: &Case, each_rule_off: bool) {
    let expected = reference().run(&case.graph, &case.plan, &case.parameters);
    if expected.is_too_large() {
        return;
    }
    for way in ways(each_rule_off).into_iter().filter(|way| way.says_much_of(&case.plan)) {
        let outcome = way.run(&case.graph, &case.plan, &case.parameters);
        if !way.agrees(&case.plan, &outcome, &expected) {
            panic!("{}", difference(case, &way));
        }
    }
}

fn differs(case: &Case, way: &Way) -> bool {
    let Case { graph, plan, parameters } = case;
    let expected = reference().run(graph, plan, parameters);
    !way.agrees(plan, &way.run(graph, plan, parameters), &expected)
}

fn difference(case: &Case, way: &Way) -> String {
    let case = shrink(case.clone(), |case| differs(case, way));
    let Case { graph, plan, parameters } = &case;
    format!(
        "{} differs from the oracle\n{}{:?} ordered: {}\n{plan}parameters {parameters:?}\n\
         as it ran\n{}oracle\n{}{}\n{}",
        way.name,
        graph.describe(),
        plan.compare,
        plan.ordered,
        way.plan(plan),
        reference().run(graph, plan, parameters),
        way.name,
        way.run(graph, plan, parameters),
    )
}

#[test]
fn counted_patterns_agree_with_the_oracle() {
    run_seeds(SEEDS / 5, |_, rng| {
        let graph = Graph::random(rng);
        for _ in 0..PLANS_PER_SEED / 2 {
            let (plan, parameters) = counted_plan(&mut rng.fork());
            check(&Case { graph: graph.clone(), plan, parameters }, false);
        }
    });
}

#[test]
fn random_plans_reach_every_operator_and_seldom_fail() {
    let mut words = std::collections::BTreeSet::new();
    let mut parts_found = std::collections::BTreeSet::new();
    let mut fired: Vec<&Rule> = Vec::new();
    let (mut failed, mut empty, mut all, mut ranged) = (0, 0, 0, 0);
    let (mut chosen, mut collided, mut in_any_order) = (0, 0, 0);
    for seed in 0..3_000 {
        let mut rng = Rng::new(seed);
        let graph = Graph::random(&mut rng);
        let (plan, parameters) = random_plan(&mut rng);
        let text = plan.to_string();
        words.extend(text.lines().filter_map(first_word));
        parts_found.extend(PARTS.into_iter().filter(|word| text.contains(word)));
        let traced = trace(&plan);
        fired.extend(RULES.iter().filter(|rule| traced.contains(&format!("== {}\n", rule.name))));
        in_any_order += usize::from(gives_the_same_in_any_order(&plan));
        if !plan.merging {
            let mut optimized = plan.clone();
            optimize(&mut optimized);
            assert!(merges(&optimized) <= merges(&plan), "a rule merges\n{plan}");
        }
        let mut chooses = false;
        plan.root.visit_ops(&mut |op| {
            ranged += usize::from(matches!(op, Op::Seek(op::Seek { range: Some(_), .. })));
            chooses |= matches!(op, Op::Create(op::Create { id: Some(_), .. }));
        });
        match reference().run(&graph, &plan, &parameters) {
            outcome::Outcome::Error { kind, .. } => {
                failed += 1;
                collided += usize::from(chooses && kind == ErrorKind::AlreadyExists);
            }
            outcome::Outcome::Rows { rows, graph } => {
                empty += usize::from(rows.is_empty());
                chosen += usize::from(graph.iter().any(|line| has_external_id(line)));
            }
        }
        all += 1;
    }
    for rule in &RULES {
        let count = fired.iter().filter(|fired| fired.name == rule.name).count();
        assert!(0 < count, "no random plan of {all} is changed by {}", rule.name);
    }
    assert_eq!(parts_found.len(), PARTS.len(), "random plans have only {parts_found:?}");
    assert!(0 < ranged, "no random plan seeks a range");
    assert!(0 < chosen, "no random plan makes vertices of chosen ids");
    assert!(0 < collided, "no random plan chooses an id that is in use");
    for word in [
        "Scan",
        "Seek",
        "LookupById",
        "Rows",
        "LetRef",
        "Expand",
        "ExpandInto",
        "Neighbours",
        "PathExpand",
        "TrailEndpoints",
        "PathStep",
        "Endpoints",
        "Fields",
        "Filter",
        "Project",
        "Unwind",
        "UnwindValues",
        "Aggregate",
        "Fold",
        "Lookup",
        "RecursiveExpand",
        "Call",
        "Sample",
        "Coin",
        "Random",
        "Intersect",
        "Dedup",
        "Sort",
        "TopK",
        "Range",
        "Tail",
        "Join",
        "Group",
        "Repeat",
        "Fail",
        "Barrier",
        "Union",
        "Apply",
        "SideEffect",
        "Create",
        "Merge",
        "Set",
        "Remove",
        "Claim",
        "SetLabels",
        "Delete",
        "Let",
        "Merging",
    ] {
        assert!(words.contains(word), "no random plan has {word}");
    }
    assert!(all < in_any_order * 5, "{in_any_order} of {all} plans need no order");
    assert!(failed * 8 < all, "{failed} of {all} plans failed: they prove little");
    assert!(empty * 2 < all, "{empty} of {all} plans gave nothing: they prove little");
}

/// Alternatives and bounds of paths, expressions over the entries of lists, functions, folds and numbers of rows, as they print.
const PARTS: [&str; 24] = [
    " | in ",
    "(first of ",
    " frontier ",
    " alternatives ",
    " by e#",
    "[?#",
    "all(?#",
    "any(?#",
    "none(?#",
    "single(?#",
    "reduce(?#",
    "equivalence_key(",
    "or_null(",
    "sort_list[nullisunknown]",
    "= count(",
    "stdev(",
    "stdevp(",
    "percentile cont(",
    "percentile disc(",
    "collect values(",
    "distinct ",
    "TopK $count",
    "Range $count",
    "Tail $count",
];

/// How many of its operators merge rows.
fn merges(plan: &Plan) -> usize {
    let mut count = 0;
    let pipelines = plan.lets.iter().map(|binding| &binding.pipeline).chain([&plan.root]);
    pipelines.for_each(|pipeline| {
        pipeline.visit_ops(&mut |op| {
            count += usize::from(matches!(op, Op::Barrier(op::Barrier { merge: Some(_) })));
        });
    });
    count
}

fn first_word(line: &str) -> Option<String> {
    line.split_whitespace().next().map(str::to_owned)
}
