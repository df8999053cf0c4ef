//! Random texts over random graphs, run by the engine with rules and without, by the row-at-a-time oracle, and, as
//! far as it goes, by a search over lists that shares nothing with them.
//!
//! Engine and oracle run one plan: a difference between them is an error of a rule or of an operator. `naive`
//! searches for what a text says, so it finds errors of the translation too.
//!
//! A difference is made smaller before it is shown, as Cypher that makes the graph and the text.

mod counting;
mod expressions;
mod graph;
mod naive;
mod parts;
mod patterns;
mod projections;
mod smaller;
mod subqueries;
mod texts;
mod ways;
mod writes;
mod written;

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::Value;
use millrace_store::Store;
use millrace_testkit::{Rng, run_seeds, run_seeds_on_all_jobs};

use counting::{Case, random_case};
use graph::Graph;
use naive::Cell;
use texts::{Script, random_script};
use ways::{Fixed, Way, agree, as_served, reference, ways};
use written::random_writer;

use crate::random_runs::Outcome;

const SEEDS: u64 = 60;
const TEXTS_PER_SEED: u64 = 8;

/// So many texts with one of the rules off, each.
const RULES_OFF_ONE_IN: u64 = 5;

#[test]
fn counts_over_random_patterns_are_those_of_a_search_over_lists() {
    run_seeds_on_all_jobs(SEEDS, |seed| {
        let rng = &mut Rng::new(seed);
        let graph = Graph::random(rng);
        let store = graph.store();
        for number in 0..TEXTS_PER_SEED {
            let case = random_case(&mut rng.fork());
            let Some(expected) = listed(&graph, &case) else { continue };
            let each_rule_off = number % RULES_OFF_ONE_IN == 0;
            let text = case.query.to_string();
            for way in [reference()].into_iter().chain(ways(seed, each_rule_off)) {
                if way.run(&store, &text, &case.fixed) != expected {
                    panic!("{}", difference(graph, case, &way));
                }
            }
        }
    });
}

#[test]
fn engine_and_oracle_agree_on_random_texts() {
    engine_and_oracle_agree_on(random_script);
}

/// Rows in order through clauses that write; null and wrong types in each place that is written.
#[test]
fn engine_and_oracle_agree_on_random_writers() {
    engine_and_oracle_agree_on(random_writer);
}

fn engine_and_oracle_agree_on(random: fn(&mut Rng) -> Script) {
    run_seeds_on_all_jobs(SEEDS, |seed| {
        let rng = &mut Rng::new(seed);
        let graph = Graph::random(rng);
        let store = graph.store();
        for number in 0..TEXTS_PER_SEED {
            let script = random(&mut rng.fork());
            let text = script.text.to_string();
            let expected = reference().run(&store, &text, &script.fixed);
            if expected.exceeds_a_limit() {
                continue;
            }
            if expected.is_bug() {
                panic!("{}", difference_of_texts(graph, script, &reference()));
            }
            let each_rule_off = number % RULES_OFF_ONE_IN == 0;
            for way in ways(seed, each_rule_off) {
                let outcome = way.run(&store, &text, &script.fixed);
                if !agree(&outcome, &expected) {
                    panic!("{}", difference_of_texts(graph, script, &way));
                }
            }
        }
    });
}

fn difference_of_texts(mut graph: Graph, mut script: Script, way: &Way) -> String {
    let differs = |graph: &Graph, script: &Script| {
        let (store, text) = (graph.store(), script.text.to_string());
        let expected = reference().run(&store, &text, &script.fixed);
        let outcome = way.run(&store, &text, &script.fixed);
        expected.is_bug() || !expected.exceeds_a_limit() && !agree(&outcome, &expected)
    };
    loop {
        let texts = script.text.smaller().into_iter();
        let mut scripts = texts.map(|text| Script { text, fixed: script.fixed.clone() });
        if let Some(smaller) = scripts.find(|smaller| differs(&graph, smaller)) {
            script = smaller;
        } else if let Some(smaller) =
            graph.smaller().into_iter().find(|smaller| differs(smaller, &script))
        {
            graph = smaller;
        } else {
            break;
        }
    }
    let text = script.text.to_string();
    let expected = reference().run(&graph.store(), &text, &script.fixed);
    described(&graph, &text, &script.fixed, way, &expected)
}

/// The rows of the search over lists, as the database shows them; `None`: too many are tried.
fn listed(graph: &Graph, case: &Case) -> Option<Outcome> {
    let Case { query, variables, fixed } = case;
    let mut found = naive::run(graph, query, *variables)?;
    let result = &query.result;
    found.drain(..found.len().min(result.skip.unwrap_or(0) as usize));
    found.truncate(result.limit.map_or(usize::MAX, |limit| limit as usize));
    let all: Vec<usize> = (0..result.items.len()).collect();
    let columns = match fixed {
        Fixed::Columns(columns) => columns,
        Fixed::Rows | Fixed::Order => &all,
    };
    let line = |row: &Vec<Cell>| {
        columns.iter().map(|&column| shown(&row[column])).collect::<Vec<_>>().join(", ")
    };
    let mut rows: Vec<String> = found.iter().map(line).collect();
    if *fixed == Fixed::Rows {
        rows.sort();
    }
    Some(Outcome::Rows { rows, graph: Vec::new() })
}

fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Number(number) => format!("{:?}", Value::I64(*number)),
        Cell::Text(text) => format!("{:?}", Value::from(*text)),
        Cell::Bool(truth) => format!("{:?}", Value::Bool(*truth)),
        Cell::Null => "null".to_owned(),
        Cell::Vertex(_) | Cell::Edge(_) | Cell::Unbound => format!("{cell:?}"),
    }
}

/// Whether a way still differs. A text that has lost its meaning is refused, and proves nothing.
fn differs(graph: &Graph, case: &Case, way: &Way) -> bool {
    let store = graph.store();
    let outcome = way.run(&store, &case.query.to_string(), &case.fixed);
    if matches!(outcome, Outcome::Refused(_)) && !outcome.is_bug() {
        return false;
    }
    listed(graph, case).is_some_and(|expected| outcome != expected)
}

fn difference(mut graph: Graph, mut case: Case, way: &Way) -> String {
    loop {
        let query = smaller::smaller(&case.query).into_iter();
        let query = query.map(|query| Case { query, ..case.clone() });
        if let Some(smaller) = query.into_iter().find(|smaller| differs(&graph, smaller, way)) {
            case = smaller;
        } else if let Some(smaller) =
            graph.smaller().into_iter().find(|smaller| differs(smaller, &case, way))
        {
            graph = smaller;
        } else {
            break;
        }
    }
    let expected = listed(&graph, &case).expect("it was searched before");
    described(&graph, &case.query.to_string(), &case.fixed, way, &expected)
}

/// A difference, with the plans.
fn described(graph: &Graph, text: &str, fixed: &Fixed, way: &Way, expected: &Outcome) -> String {
    let store = graph.store();
    let plan = |way: &Way| {
        way.plan(&store, text).map_or_else(|no| format!("{no}\n"), |(plan, _)| plan.to_string())
    };
    let reference = reference();
    format!(
        "{} differs, {fixed:?} fixed\n{graph}{text}\n{}as it ran\n{}oracle\n{}{}\n{}expected\n{expected}",
        way.name,
        plan(&reference),
        plan(way),
        reference.run(&store, text, fixed),
        way.name,
        way.run(&store, text, fixed),
    )
}

#[test]
fn random_counts_are_accepted_and_most_give_something() {
    let (mut all, mut refused, mut empty) = (0, 0, 0);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let graph = Graph::random(&mut rng);
        let store: Arc<dyn Store> = graph.store();
        for _ in 0..TEXTS_PER_SEED {
            let case = random_case(&mut rng.fork());
            all += 1;
            match as_served().run(&store, &case.query.to_string(), &case.fixed) {
                Outcome::Refused(error) => {
                    refused += 1;
                    *reasons.entry(format!("{} in {}", error.detail, case.query)).or_default() += 1;
                }
                Outcome::Failed(error) => panic!("{}: {error}", case.query),
                Outcome::Rows { rows, .. } => {
                    let is_nothing = |row: &String| row == "I64(0)" || row == "null";
                    empty += usize::from(rows.iter().all(is_nothing));
                }
            }
        }
    }
    assert_eq!(refused, 0, "of {all}: {reasons:#?}");
    assert!(empty * 2 < all, "{empty} of {all} gave nothing: they prove little");
}

/// Writes graphs and texts to a file, for `tests/cypher/peer.py`, which asks two servers.
#[test]
fn texts_are_written_for_a_peer() {
    let Some(file) = std::env::var_os("MILLRACE_TEXTS_FILE") else { return };
    let mut lines = String::new();
    let quoted = |text: &str| format!("{text:?}");
    run_seeds(SEEDS, |seed, rng| {
        let graph = Graph::random(rng);
        let mut texts = Vec::new();
        for number in 0..TEXTS_PER_SEED {
            let mut own = rng.fork();
            let (text, fixed) = match number % 3 {
                2 => {
                    let Script { text, fixed } = random_writer(&mut own);
                    (text.to_string(), fixed)
                }
                0 => {
                    let Script { text, fixed } = random_script(&mut own);
                    (text.to_string(), fixed)
                }
                _ => {
                    let Case { query, fixed, .. } = random_case(&mut own);
                    (query.to_string(), fixed)
                }
            };
            let fixed = match fixed {
                Fixed::Order => "true".to_owned(),
                Fixed::Rows => "false".to_owned(),
                Fixed::Columns(columns) => format!("{columns:?}"),
            };
            texts.push(format!("[{}, {fixed}]", quoted(&text)));
        }
        let graph = graph.to_string();
        let graph = graph.lines().next().unwrap_or_default();
        lines += &format!("[{seed}, {}, [{}]]\n", quoted(graph), texts.join(", "));
    });
    std::fs::write(file, lines).expect("the file is writable");
}

#[test]
fn random_texts_are_seldom_refused_and_seldom_fail() {
    let (mut all, mut refused, mut failed, mut empty) = (0, 0, 0, 0);
    let mut reasons: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let graph = Graph::random(&mut rng);
        let store = graph.store();
        for _ in 0..TEXTS_PER_SEED {
            let Script { text, fixed } = random_script(&mut rng.fork());
            let text = text.to_string();
            all += 1;
            let reason = match as_served().run(&store, &text, &fixed) {
                Outcome::Refused(error) => {
                    refused += 1;
                    format!("refused: {}", error.detail)
                }
                Outcome::Failed(error) => {
                    failed += 1;
                    format!("failed: {}", error.detail)
                }
                Outcome::Rows { rows, graph } => {
                    empty += usize::from(rows.is_empty() && graph.is_empty());
                    continue;
                }
            };
            reasons.entry(reason).or_insert((0, text)).0 += 1;
        }
    }
    assert!(refused * 30 < all, "{refused} of {all} were refused: {reasons:#?}");
    assert!(failed * 20 < all, "{failed} of {all} failed: {reasons:#?}");
    assert!(empty * 2 < all, "{empty} of {all} gave nothing: they prove little");
}
