//! Random traversals over random graphs: the engine returns the results of the row-at-a-time oracle, with
//! rules and without, in large batches and small ones, with literals in the plan and beside it.
//!
//! A difference is made smaller before it is shown, as Gremlin that makes the graph and the traversal.
//! The oracle runs the same *plan*, so this finds errors between plan and rows; TinkerPop's scenarios
//! test whether the plan has Gremlin's meaning.

mod branches;
mod collecting;
mod filters;
mod generate;
mod graph;
mod maps;
mod shrink;
mod sight;
mod text;
mod values;
mod ways;
mod writes;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use millrace_testkit::{Rng, run_seeds};

use generate::random_script;
use graph::Graph;
use shrink::{Case, shrink};
use ways::{Outcome, REFERENCE, WAYS, Way};

const SEEDS: u64 = 300;
const TRAVERSALS_PER_SEED: u64 = 10;

#[test]
fn engine_and_oracle_agree_on_random_traversals() {
    run_seeds(SEEDS, |_, rng| {
        let graph = Graph::random(rng);
        let store = graph.store();
        for _ in 0..TRAVERSALS_PER_SEED {
            let script = random_script(&mut rng.fork(), graph.vertices.len() as u64);
            let expected = REFERENCE.run(&store, &script);
            if expected.is_too_large() {
                continue;
            }
            for way in WAYS {
                let outcome = way.run(&store, &script);
                if !way.agrees(&script, &outcome, &expected) {
                    panic!("{}", difference(Case { graph, script }, &way));
                }
            }
        }
    });
}

/// Steps that are not generated: their results depend on the time they take.
const NOT_GENERATED: [&str; 1] = ["profile"];

#[test]
fn random_traversals_have_every_step_and_seldom_fail() {
    let page = include_str!("../../../../../../docs/reference/gremlin.md");
    let rows = page.split("## Not there").next().unwrap_or_default().lines();
    let names = rows.filter_map(|row| row.strip_prefix("| `")?.split('`').next());
    let mut unseen: BTreeSet<&str> = names.collect();
    assert!(100 < unseen.len(), "the page has the steps in another form");
    let (mut all, mut refused, mut failed, mut empty) = (0, 0, 0, 0);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let graph = Graph::random(&mut rng);
        let store = graph.store();
        for _ in 0..TRAVERSALS_PER_SEED {
            let script = random_script(&mut rng, graph.vertices.len() as u64);
            let text = script.to_string();
            unseen.retain(|name| !text.contains(&format!(".{name}(")));
            all += 1;
            match WAYS[1].run(&store, &script) {
                Outcome::Refused(error) => {
                    refused += 1;
                    *reasons.entry(format!("refused: {}", error.detail)).or_default() += 1;
                }
                Outcome::Failed(error) => {
                    failed += 1;
                    *reasons.entry(format!("failed: {}", error.detail)).or_default() += 1;
                }
                Outcome::Rows { rows, .. } => empty += usize::from(rows.is_empty()),
            }
        }
    }
    unseen.retain(|name| !NOT_GENERATED.contains(name));
    assert!(unseen.is_empty(), "no random traversal has {unseen:?}");
    let reasons: Vec<_> = reasons.iter().filter(|(_, count)| 5 < **count).collect();
    assert!(refused * 8 < all, "{refused} of {all} were refused: {reasons:#?}");
    assert!(failed * 5 < all, "{failed} of {all} failed: {reasons:#?}");
    assert!(empty * 2 < all, "{empty} of {all} gave nothing: they prove little");
}

fn differs(case: &Case, way: &Way) -> bool {
    let Case { graph, script } = case;
    let store = catch_unwind(AssertUnwindSafe(|| graph.store()));
    let Ok(store) = store else { return false };
    let expected = REFERENCE.run(&store, script);
    !expected.is_too_large() && !way.agrees(script, &way.run(&store, script), &expected)
}

fn difference(case: Case, way: &Way) -> String {
    let case = shrink(case, |case| differs(case, way));
    let Case { graph, script } = &case;
    let store = graph.store();
    let plan =
        |way: &Way| way.plan(script).map_or_else(|no| no.to_string(), |(plan, _)| plan.to_string());
    format!(
        "{} differs from the oracle, ordered: {}\n{graph}{script}\n{}as it ran\n{}oracle\n{}{}\n{}",
        way.name,
        script.ordered,
        plan(&REFERENCE),
        plan(way),
        REFERENCE.run(&store, script),
        way.name,
        way.run(&store, script),
    )
}
