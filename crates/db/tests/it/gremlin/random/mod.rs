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

use millrace_gremlin::STEPS;
use millrace_testkit::{Rng, run_seeds};

use super::steps::traversals;
use generate::random_script;
use graph::Graph;
use shrink::{Case, shrink};
use text::Script;
pub(super) use ways::read;
use ways::{REFERENCE, WAYS, Way};

use crate::random_runs::Outcome;

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
            if expected.exceeds_a_limit() {
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

/// So each step is compared in some traversal, whether it is generated or not.
#[test]
fn engine_and_oracle_agree_on_the_goldens_of_every_step() {
    let graph = Graph::default();
    let store = graph.store_of(MODERN.into_iter().map(str::to_owned));
    let (mut all, mut with_rows) = (0, 0);
    for (_, text) in traversals() {
        let calls = text.strip_prefix("g.").expect("it begins with its source").to_owned();
        let script = Script { sources: vec![calls], steps: Vec::new(), ordered: false };
        let expected = REFERENCE.run(&store, &script);
        all += 1;
        with_rows +=
            usize::from(matches!(&expected, Outcome::Rows { rows, .. } if !rows.is_empty()));
        for way in WAYS {
            let outcome = way.run(&store, &script);
            assert!(
                way.agrees(&script, &outcome, &expected),
                "{} differs from the oracle: {text}\noracle\n{expected}\n{}\n{outcome}",
                way.name,
                way.name,
            );
        }
    }
    assert!(all * 3 < with_rows * 4, "{with_rows} of {all} give something");
}

/// TinkerPop's graph `modern`; ids are given by the store, edges in the order in which they are created.
const MODERN: [&str; 12] = [
    "g.addV('person').property('name', 'marko').property('age', 29)",
    "g.addV('person').property('name', 'vadas').property('age', 27)",
    "g.addV('software').property('name', 'lop').property('lang', 'java')",
    "g.addV('person').property('name', 'josh').property('age', 32)",
    "g.addV('software').property('name', 'ripple').property('lang', 'java')",
    "g.addV('person').property('name', 'peter').property('age', 35)",
    "g.V(1).addE('knows').to(__.V(2)).property('weight', 0.5d)",
    "g.V(1).addE('knows').to(__.V(4)).property('weight', 1.0d)",
    "g.V(1).addE('created').to(__.V(3)).property('weight', 0.4d)",
    "g.V(4).addE('created').to(__.V(5)).property('weight', 1.0d)",
    "g.V(4).addE('created').to(__.V(3)).property('weight', 0.4d)",
    "g.V(6).addE('created').to(__.V(3)).property('weight', 0.2d)",
];

/// Steps that are not generated: few, since the others are compared in a few traversals only.
const NOT_GENERATED_MAX: usize = 6;

#[test]
fn random_traversals_have_most_steps_and_seldom_fail() {
    let mut unseen: BTreeSet<&str> = STEPS.iter().map(|step| step.name).collect();
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
    assert!(unseen.len() <= NOT_GENERATED_MAX, "no random traversal has {unseen:?}");
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
    !expected.exceeds_a_limit() && !way.agrees(script, &way.run(&store, script), &expected)
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
