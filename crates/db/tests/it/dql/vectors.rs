//! `similar_to`: what an index finds is what a comparison with every node finds, whatever happened to the nodes.

use std::collections::BTreeMap;

use millrace_db::Database;
use millrace_db::languages::dql::changes::{Changes, Mutation};
use millrace_db::languages::dql::language;
use millrace_db::languages::dql::quads::{Action, BlankNames};
use millrace_model::random::SplitMix64;

use super::{alter, change, mutate, query};

const DIMENSIONS: usize = 6;

/// Its vectors by their nodes.
type Vectors = BTreeMap<u64, Vec<f32>>;

fn vector(random: &mut SplitMix64) -> Vec<f32> {
    (0..DIMENSIONS).map(|_| (random.index(20_001) as f32 - 10_000.0) / 1_000.0).collect()
}

fn written(vector: &[f32]) -> String {
    format!("\"{vector:?}\"")
}

fn uids(answer: &str) -> Vec<u64> {
    let parts = answer.split("\"0x").skip(1);
    let digits = parts.filter_map(|part| part.split('"').next());
    digits.map(|digits| u64::from_str_radix(digits, 16).expect("it is a uid")).collect()
}

/// How far a vector is by a metric: less is nearer.
fn distance(metric: &str, one: &[f32], other: &[f32]) -> f64 {
    let pairs = || one.iter().zip(other).map(|(a, b)| (f64::from(*a), f64::from(*b)));
    let product: f64 = pairs().map(|(a, b)| a * b).sum();
    let squares = |of: &[f32]| of.iter().map(|a| f64::from(*a) * f64::from(*a)).sum::<f64>();
    match metric {
        "euclidean" => pairs().map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt(),
        "cosine" => 1.0 - product / (squares(one) * squares(other)).sqrt(),
        _ => -product,
    }
}

/// The nearest so many nodes, by their uids.
fn nearest(metric: &str, vectors: &Vectors, to: &[f32], count: usize, farthest: f64) -> Vec<u64> {
    let far = |(uid, own): (&u64, &Vec<f32>)| (distance(metric, to, own), *uid);
    let mut all: Vec<(f64, u64)> = vectors.iter().map(far).collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let near = all.into_iter().take(count).filter(|(far, _)| *far <= farthest);
    let mut found: Vec<u64> = near.map(|(_, uid)| uid).collect();
    found.sort_unstable();
    found
}

fn compare(database: &Database, metric: &str, vectors: &Vectors, random: &mut SplitMix64) {
    for count in [1, 10, 40] {
        let to = vector(random);
        let ask = |more: &str| {
            let text =
                format!("{{ q(func: similar_to(e, {count}, {}{more})) {{ uid }} }}", written(&to));
            uids(&query(database, &text).expect("it works"))
        };
        assert_eq!(ask(""), nearest(metric, vectors, &to, count, f64::INFINITY), "{metric}");
        assert_eq!(ask(", ef: 500"), nearest(metric, vectors, &to, count, f64::INFINITY));
        if metric != "dotproduct" {
            let farthest = if metric == "cosine" { 0.4 } else { 12.0 };
            let found = ask(&format!(", distance_threshold: {farthest}"));
            assert_eq!(found, nearest(metric, vectors, &to, count, farthest), "{metric}");
        }
    }
    let (uid, own) = vectors.iter().nth(random.index(vectors.len())).expect("there are some");
    let text = format!(
        "{{ q(func: has(e)) @filter(similar_to(e, 5, {uid:#x}) AND NOT uid({uid:#x})) {{ uid }} }}"
    );
    let found = uids(&query(database, &text).expect("it works"));
    let mut expected = nearest(metric, vectors, own, 5, f64::INFINITY);
    expected.retain(|other| other != uid);
    assert_eq!(found, expected, "{metric}, as {uid:#x}");
}

#[test]
fn the_nearest_are_those_of_a_comparison_with_every_node_whatever_happened_to_them() {
    for (seed, metric) in (0..).zip(["euclidean", "cosine", "dotproduct"]) {
        let database = Database::in_memory(Default::default()).unwrap();
        let mut random = SplitMix64::new(seed);
        let mut vectors = Vectors::new();
        let schema = format!("e: float32vector @index(hnsw(metric: \"{metric}\")) .");
        for round in 0..5_u64 {
            // The index is made over the first vectors, and follows the others.
            if round == 1 {
                alter(&database, &schema).unwrap();
            }
            let (mut set, mut delete) = (String::new(), String::new());
            for uid in 1 + 60 * round..61 + 60 * round {
                let own = vector(&mut random);
                set.push_str(&format!("<{uid:#x}> <e> {} .\n", written(&own)));
                vectors.insert(uid, own);
            }
            for uid in (1..60 * round).step_by(7) {
                let own = vector(&mut random);
                set.push_str(&format!("<{uid:#x}> <e> {} .\n", written(&own)));
                vectors.insert(uid, own);
            }
            for uid in (4..60 * round).step_by(11).filter(|uid| (uid - 1) % 7 != 0) {
                delete.push_str(&format!("<{uid:#x}> <e> * .\n"));
                vectors.remove(&uid);
            }
            if round == 0 {
                alter(&database, "e: float32vector .").unwrap();
            }
            mutate(&database, &set, &delete).unwrap();
            if 0 < round {
                compare(&database, metric, &vectors, &mut random);
            }
        }
        alter(&database, "e: float32vector .").unwrap();
        let text = "{ q(func: similar_to(e, 1, \"[1]\")) { uid } }";
        let error = query(&database, text).expect_err("the index is gone").to_string();
        assert!(error.contains("Predicate e is not indexed"), "{error}");
        alter(&database, &schema.replace(metric, "euclidean")).unwrap();
        compare(&database, "euclidean", &vectors, &mut random);
    }
}

#[test]
fn vectors_of_other_lengths_and_without_a_direction() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, "e: float32vector @index(hnsw(metric: \"cosine\")) .").unwrap();
    let error = mutate(&database, "<1> <e> \"[0, 0]\" .", "").expect_err("no direction");
    assert!(error.to_string().contains("zeros"), "{error}");
    mutate(&database, "<1> <e> \"[1, 0]\" .\n<2> <e> \"[1, 0, 0]\" .", "").unwrap();
    let ask = |vector: &str| {
        query(&database, &format!("{{ q(func: similar_to(e, 9, \"{vector}\")) {{ uid }} }}"))
    };
    assert_eq!(ask("[0, 1]").unwrap(), r#"{"q":[{"uid":"0x1"}]}"#, "those of its length");
    assert_eq!(ask("[0, 1, 1]").unwrap(), r#"{"q":[{"uid":"0x2"}]}"#);
    let error = ask("[1]").expect_err("no vector has one number").to_string();
    assert!(error.contains("vectors of different lengths"), "{error}");
    mutate(&database, "", "<1> <e> * .\n<2> <e> * .").unwrap();
    assert_eq!(ask("[1]").unwrap(), r#"{"q":[]}"#, "there are none of any length");
}

/// Sets what a JSON says.
fn set(database: &Database, text: &str) -> millrace_model::Result<String> {
    let mut mutation = Mutation::default();
    mutation.set.read_json(text, Action::Set, &mut BlankNames::new(1))?;
    let changes = Changes { query: "".into(), mutations: vec![mutation] };
    change(database, language::changing(changes))
}

#[test]
fn a_text_of_numbers_in_json_is_a_vector_unless_its_predicate_has_texts() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, "e: float32vector @index(hnsw) .\nname: string .").unwrap();
    let object = r#"{"uid": "0x1", "e": "[1, 0.5]", "name": "[1, 2.50]", "new": "[0.1 2]"}"#;
    set(&database, object).unwrap();
    let found = query(&database, "{ q(func: similar_to(e, 1, 0x1)) { e name new } }").unwrap();
    let expected = r#"{"q":[{"e":[1E+00,5E-01],"name":"[1, 2.50]","new":[1E-01,2E+00]}]}"#;
    assert_eq!(found, expected);
    let kind = query(&database, "schema(pred: [new]) { type }").unwrap();
    assert_eq!(kind, r#"{"schema":[{"predicate":"new","type":"float32vector"}]}"#);
    for wrong in ["[1, 2]", "5", "true"] {
        let error = set(&database, &format!("{{\"uid\": \"0x1\", \"e\": {wrong}}}"));
        let error = error.expect_err("it is no text").to_string();
        assert!(error.contains("Did you forget to add quotes before []?"), "{error}");
    }
}
