//! Random statements over a graph without indexes, one with indexes in memory, and one with indexes in a folder: the same
//! rows and errors, between writes, in open transactions, around checkpoints, and while indexes come and go.
//!
//! A difference is made smaller before it is shown: steps are taken out while it stays.

mod gremlin;
mod questions;
mod values;
mod world;
mod writes;

use std::panic::{AssertUnwindSafe, catch_unwind};

use millrace_testkit::{Rng, run_seeds_on_all_jobs};

use questions::Questions;
use values::Regime;
use world::{Step, World};
use writes::Numbers;

const SEEDS: u64 = 12;
const NODES: u64 = 30;
const STEPS: u64 = 110;

/// So often is a failing list of steps run again at most, to make it smaller.
const TRIES_MAX: usize = 400;

/// Statements that make an index; each graph has some.
const INDEXES: [&str; 16] = [
    "CREATE RANGE INDEX pv FOR (n:P) ON (n.v)",
    "CREATE RANGE INDEX pav FOR (n:P) ON (n.a, n.v)",
    "CREATE RANGE INDEX qv FOR (n:Q) ON (n.v)",
    "CREATE RANGE INDEX rv FOR ()-[n:R]-() ON (n.v)",
    "CREATE TEXT INDEX pt FOR (n:P) ON (n.v)",
    "CREATE TEXT INDEX qt FOR (n:Q) ON (n.v)",
    "CREATE TEXT INDEX rt FOR ()-[n:R]-() ON (n.v)",
    "CREATE TEXT INDEX pw FOR (n:P) ON (n.w)",
    "CREATE POINT INDEX pp FOR (n:P) ON (n.v)",
    "CREATE POINT INDEX qp FOR (n:Q) ON (n.v)",
    "CREATE POINT INDEX rp FOR ()-[n:R]-() ON (n.v)",
    "CREATE FULLTEXT INDEX pf FOR (n:P|Q) ON EACH [n.v, n.w]",
    "CREATE FULLTEXT INDEX rf FOR ()-[n:R|S]-() ON EACH [n.v, n.w]",
    "CREATE CONSTRAINT pi FOR (n:P) REQUIRE n.i IS UNIQUE",
    "CREATE RANGE INDEX pi2 FOR (n:P) ON (n.i)",
    "CREATE RANGE INDEX wr FOR (n:P) ON (n.w)",
];

/// Indexes that searches name.
const SEARCHED: [&str; 2] = [
    "CREATE FULLTEXT INDEX words FOR (n:P|Q) ON EACH [n.w]",
    "CREATE VECTOR INDEX near FOR (n:P) ON (n.e) OPTIONS {indexConfig: \
     {`vector.dimensions`: 3, `vector.similarity_function`: 'cosine'}}",
];

/// Methods that only a schema request names.
const METHODS: [&str; 5] =
    ["words(janusgraph)", "trigrams(case-insensitive)", "words(standard)", "points", "trigrams"];

fn random_steps(rng: &mut Rng) -> Vec<Step> {
    let regime = Regime::random(rng);
    let mut numbers = Numbers::default();
    let mut steps: Vec<Step> = Vec::new();
    let schema = |text: &&str| Step::Schema((*text).to_owned());
    let indexes: Vec<&str> = INDEXES.into_iter().filter(|_| rng.chance(0.6)).collect();
    let are_first = rng.chance(0.5);
    if are_first {
        steps.extend(indexes.iter().map(schema));
    }
    if rng.chance(0.6) {
        steps.push(Numbers::many(regime));
    }
    for _ in 0..NODES {
        steps.push(numbers.create(rng, regime));
    }
    if !are_first {
        steps.extend(indexes.iter().map(schema));
    }
    steps.extend(SEARCHED.iter().map(schema));
    if rng.chance(0.5) {
        let method = *rng.pick(&METHODS);
        steps.push(Step::Made { label: "P", key: "v", method });
    }
    let mut is_open = false;
    for _ in 0..STEPS {
        let step = match rng.below(40) {
            0..=15 => Questions { rng, regime, has_rows: false }.question(),
            16..=18 => Questions { rng, regime, has_rows: false }.search(),
            19..=22 => gremlin::question(rng, regime),
            23 | 24 => numbers.create(rng, regime),
            25..=31 => numbers.change(rng, regime),
            32 => numbers.merge(rng, regime),
            33 => Questions::everything(),
            34 if is_open => Step::Commit,
            35 if is_open => Step::RollBack,
            34 | 35 => Step::Begin,
            36 => Step::Checkpoint,
            37 if is_open => Step::Checkpoint,
            37 => Step::Reopen,
            _ if is_open => Step::Commit,
            38 => Step::Schema((*rng.pick(&INDEXES)).to_owned()),
            _ => {
                let text = rng.pick(&INDEXES);
                let name = text.split(' ').skip_while(|word| !word.ends_with("INDEX")).nth(1);
                Step::Schema(format!("DROP INDEX {} IF EXISTS", name.unwrap_or("pv")))
            }
        };
        is_open = match step {
            Step::Begin => true,
            Step::Commit | Step::RollBack => false,
            _ => is_open,
        };
        steps.push(step);
    }
    steps.extend([Step::Commit, Questions::everything()]);
    steps
}

/// What differs, and at which step.
fn difference(steps: &[Step]) -> Option<(usize, String)> {
    let mut world = World::new();
    for (number, step) in steps.iter().enumerate() {
        let taken = catch_unwind(AssertUnwindSafe(|| world.take(step)));
        let taken = taken.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            Err(format!("panicked: {step:?}: {}", text.unwrap_or_default()))
        });
        if let Err(difference) = taken {
            return Some((number, difference));
        }
    }
    None
}

/// Fewer steps that still differ at the last.
fn smaller(mut steps: Vec<Step>) -> Vec<Step> {
    let mut tries = 0;
    let mut piece = steps.len() / 2;
    while 0 < piece {
        let mut end = steps.len() - 1;
        while 0 < end && tries < TRIES_MAX {
            let start = end.saturating_sub(piece);
            let mut fewer = steps.clone();
            fewer.drain(start..end);
            tries += 1;
            if let Some((last, _)) = difference(&fewer) {
                fewer.truncate(last + 1);
                steps = fewer;
                end = start.min(steps.len() - 1);
            } else {
                end = start;
            }
        }
        piece /= 2;
    }
    steps
}

#[test]
fn random_statements_give_the_same_with_indexes_as_without() {
    run_seeds_on_all_jobs(SEEDS, |seed| {
        let mut steps = random_steps(&mut Rng::new(seed));
        if let Some((last, _)) = difference(&steps) {
            steps.truncate(last + 1);
            let steps = smaller(steps);
            let (_, text) = difference(&steps).expect("it differed before");
            let mut world = World::new();
            for step in &steps[..steps.len() - 1] {
                let _ = world.take(step);
            }
            let plans = world.explained(&steps[steps.len() - 1]);
            panic!("{steps:#?}\n{text}\n{plans}");
        }
    });
}

#[test]
fn random_questions_are_answered_by_indexes_too() {
    let (mut all, mut by_index) = (0, 0);
    for seed in 1..9 {
        let mut world = World::new();
        for step in random_steps(&mut Rng::new(seed)) {
            if let Step::Same { language: "cypher", text, .. } = &step
                && text.contains(" WHERE ")
                && text.contains("RETURN")
            {
                all += 1;
                by_index += usize::from(world.is_by_index(text));
            }
            world.take(&step).expect("no difference");
        }
    }
    assert!(all < by_index * 8, "{by_index} of {all} were answered by an index: they prove little");
}
