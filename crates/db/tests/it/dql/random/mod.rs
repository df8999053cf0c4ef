//! Random queries over random graphs, made through DQL's own schema and mutations: the engine gives the answers of the
//! row-at-a-time oracle, with rules and without, in large batches and small ones, with literals in the plan and beside it,
//! and as a request that finds what earlier requests left in the caches.
//!
//! Engine and oracle run one plan, so a difference is an error of a rule, of an operator or of a cache. Whether the plan
//! has the meaning of the text is what the suite and `tests/dql/peer.py` test.
//!
//! A difference is made smaller before it is shown, as quads that make the graph and a query.

mod forms;
mod functions;
mod graph;
mod levels;
mod smaller;
mod texts;
mod ways;

use std::collections::BTreeMap;

use millrace_testkit::{Rng, run_seeds_on_all_jobs};

use crate::random_runs::Outcome;
use graph::Graph;
use smaller::smaller;
use texts::random_query;
use ways::{Way, agree, reference, ways};

const SEEDS: u64 = 30;
const QUERIES_PER_SEED: u64 = 8;

/// So many queries with one of the rules off, each.
const RULES_OFF_ONE_IN: u64 = 8;

#[test]
fn engine_and_oracle_agree_on_random_queries() {
    run_seeds_on_all_jobs(SEEDS, |seed| {
        let rng = &mut Rng::new(seed);
        let graph = Graph::random(rng);
        let database = graph.database();
        for number in 0..QUERIES_PER_SEED {
            let text = random_query(&mut rng.fork(), &graph.uids);
            let expected = reference().run(&database, &text);
            if expected.exceeds_a_limit() {
                continue;
            }
            if expected.is_bug() {
                panic!("{}", difference(graph, text, &reference()));
            }
            for way in ways(number % RULES_OFF_ONE_IN == 0) {
                let outcome = way.run(&database, &text);
                if !agree(&outcome, &expected) {
                    panic!("{}", difference(graph, text, &way));
                }
            }
        }
    });
}

/// The smallest graph and query for which a way still differs. A request alone may find nothing in a cache: then it is
/// shown as it is.
fn difference(mut graph: Graph, mut text: String, way: &Way) -> String {
    let differs = |graph: &Graph, text: &str| {
        let database = graph.database();
        let expected = reference().run(&database, text);
        let outcome = way.run(&database, text);
        expected.is_bug() || !expected.exceeds_a_limit() && !agree(&outcome, &expected)
    };
    loop {
        if let Some(less) = smaller(&text).into_iter().find(|less| differs(&graph, less)) {
            text = less;
        } else if let Some(less) = graph.smaller().into_iter().find(|less| differs(less, &text)) {
            graph = less;
        } else {
            break;
        }
    }
    let database = graph.database();
    let plan = |way: &Way| {
        way.plan(&database, &text).map_or_else(|no| no.to_string(), |plan| plan.to_string())
    };
    format!(
        "{} differs\n{graph}{text}\n{}\nas it ran\n{}\noracle\n{}{}\n{}",
        way.name,
        plan(&reference()),
        plan(way),
        reference().run(&database, &text),
        way.name,
        way.run(&database, &text),
    )
}

#[test]
fn random_queries_are_seldom_refused_and_seldom_empty() {
    let (mut all, mut refused, mut failed, mut empty) = (0, 0, 0, 0);
    let mut reasons: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let graph = Graph::random(&mut rng);
        let database = graph.database();
        for _ in 0..QUERIES_PER_SEED {
            let text = random_query(&mut rng.fork(), &graph.uids);
            all += 1;
            let reason = match reference().run(&database, &text) {
                Outcome::Refused(error) => {
                    refused += 1;
                    format!("refused: {}", error.detail)
                }
                Outcome::Failed(error) => {
                    failed += 1;
                    format!("failed: {}", error.detail)
                }
                Outcome::Rows { rows, .. } => {
                    empty += usize::from(rows.iter().all(|row| !row.contains(":[{")));
                    continue;
                }
            };
            reasons.entry(reason).or_insert((0, text)).0 += 1;
        }
    }
    assert!(refused * 6 < all, "{refused} of {all} were refused: {reasons:#?}");
    assert!(failed * 10 < all, "{failed} of {all} failed: {reasons:#?}");
    assert!(empty * 3 < all, "{empty} of {all} gave nothing: they prove little");
}
