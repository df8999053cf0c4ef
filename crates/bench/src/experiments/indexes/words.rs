//! Titles by their words and by parts of them, over Bolt: how fast an index of words is made; the best titles for two
//! words; a part of a title with an index and by a scan.
//!
//! Words are as frequent as in a language: the number of a word is the power of all words that is drawn, so each octave
//! of them is drawn alike.

use std::time::Instant;

use millrace_model::random::SplitMix64;
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::bolt::packstream::Datum;

use crate::experiments::asked::{AskedGraph, milliseconds, request};
use crate::experiments::measurement::Conditions;
use crate::limit::WordLists;
use crate::measure;
use crate::report::{Row, Unit};

/// Titles at full size, as many as the films that Freebase names.
const TITLES: f64 = 390_000.0;

/// Different words.
const WORDS: f64 = 60_000.0;

/// Titles created by a request.
const CREATED: usize = 20_000;

/// Titles of a request that is measured, and their words.
const WRITTEN: usize = 1_000;
const WRITTEN_WORDS: usize = 5;

/// Requests of one run, one behind the other.
const REQUESTS: usize = 16;

/// Titles that are asked for.
const BEST: usize = 10;

const SEED: u64 = 7;

const CREATE: &str = "UNWIND $titles AS t CREATE (:Film {title: t, kept: t})";
const BY_WORDS: &str = "CREATE FULLTEXT INDEX words FOR (f:Film) ON EACH [f.title]";
const BY_PARTS: &str = "CREATE TEXT INDEX parts FOR (f:Film) ON (f.title)";
const SEARCH: &str = "CALL db.index.fulltext.queryNodes('words', $query, {limit: 10}) \
                      YIELD node, score RETURN node.title, score";

fn titles(conditions: &Conditions) -> Vec<String> {
    let mut random = SplitMix64::new(SEED);
    let count = ((TITLES * conditions.scale) as usize).max(1_000);
    let title = |_| {
        let count = 2 + random.index(6);
        words(&mut random, count)
    };
    (0..count).map(title).collect()
}

fn words(random: &mut SplitMix64, count: usize) -> String {
    let words = (0..count).map(|_| word(WORDS.powf(random.unit()) as u64));
    words.collect::<Vec<_>>().join(" ")
}

/// A word of syllables.
fn word(mut number: u64) -> String {
    const SYLLABLES: [&str; 16] = [
        "ba", "re", "ti", "lo", "mun", "sa", "ker", "vi", "dor", "na", "pel", "gu", "hi", "fos",
        "zen", "ya",
    ];
    let mut word = String::new();
    while word.is_empty() || 0 < number {
        word.push_str(SYLLABLES[(number % 16) as usize]);
        number /= 16;
    }
    word
}

fn graph(conditions: &Conditions, row: &str, titles: &[String]) -> Result<AskedGraph> {
    let graph = AskedGraph::new(conditions, row)?;
    for titles in titles.chunks(CREATED) {
        let titles = titles.iter().map(|title| Value::from(title.as_str())).collect();
        graph.records(CREATE, &[("titles".into(), Value::list(titles))])?;
    }
    Ok(graph)
}

/// Words a second that an index is made of.
pub(super) fn build(conditions: &Conditions) -> Result<Row> {
    let titles = titles(conditions);
    let words: usize = titles.iter().map(|title| title.split(' ').count()).sum();
    let graph = graph(conditions, "index.words.build", &titles)?;
    let mut seconds: Vec<f64> = Vec::new();
    for _ in 0..5 {
        let began = Instant::now();
        graph.records(BY_WORDS, &[])?;
        seconds.push(began.elapsed().as_secs_f64());
        graph.records("DROP INDEX words", &[])?;
    }
    seconds.sort_by(f64::total_cmp);
    Ok(Row::new(words as f64 / seconds[seconds.len() / 2], Unit::PerSecond))
}

/// Titles created beside an index of their words; the reference has none.
pub(super) fn write(conditions: &Conditions) -> Result<Row> {
    let titles = titles(conditions);
    let mut indexed = graph(conditions, "index.words.write", &titles)?;
    indexed.records(BY_WORDS, &[])?;
    let mut plain = graph(conditions, "index.words.plain", &titles)?;
    let requests = || {
        let mut random = SplitMix64::new(SEED + 1);
        move || {
            let title = |_| Value::from(words(&mut random, WRITTEN_WORDS).as_str());
            let titles = Value::list((0..WRITTEN).map(title).collect());
            request(CREATE, vec![("titles".into(), titles)])
        }
    };
    let (mut of_indexed, mut of_plain) = (requests(), requests());
    let medians = measure::side_by_side(
        conditions.seconds,
        || indexed.ask(&[of_indexed()?], 0),
        || plain.ask(&[of_plain()?], 0),
    )?;
    Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3))
}

/// The best titles for two words; the reference is plain array code.
pub(super) fn query(conditions: &Conditions) -> Result<Row> {
    let titles = titles(conditions);
    let lists = WordLists::new(titles.iter().map(String::as_str));
    let mut graph = graph(conditions, "index.words.query", &titles)?;
    graph.records(BY_WORDS, &[])?;
    let mut random = SplitMix64::new(SEED);
    // A frequent word beside one that is not.
    let queries: Vec<[String; 2]> = (0..REQUESTS as u64)
        .map(|number| [word(20 + number), word(500 + random.below(1_000))])
        .collect();
    for [one, other] in &queries {
        let query = Value::from(format!("{one} {other}").as_str());
        let found = graph.records(SEARCH, &[("query".into(), query)])?;
        let expected = lists.best_scores(&[one, other], BEST);
        let score = |record: &Vec<Datum>| match &record[1] {
            Datum::Value(score) => score.as_double(),
            _ => None,
        };
        let scores: Vec<f64> = found.iter().filter_map(score).collect();
        let is_close = |(own, other): (&f64, &f32)| (own - f64::from(*other)).abs() < 1e-2 * own;
        if scores.len() != expected.len() || !scores.iter().zip(&expected).all(is_close) {
            let detail = format!("`{one} {other}` scores {scores:?} and not {expected:?}");
            return Err(Error::new(ErrorKind::Bug, detail));
        }
    }
    let requests = queries.iter().map(|words| {
        request(SEARCH, vec![("query".into(), Value::from(words.join(" ").as_str()))])
    });
    let requests: Vec<Vec<u8>> = requests.collect::<Result<_>>()?;
    let mut sum = 0.0;
    let medians = measure::side_by_side(
        conditions.seconds,
        || graph.ask(&requests, BEST as u64),
        || {
            for [one, other] in &queries {
                sum += lists.best_scores(&[one, other], BEST).iter().sum::<f32>();
            }
            Ok(())
        },
    )?;
    std::hint::black_box(sum);
    Ok(Row::new(milliseconds(medians.value, REQUESTS), Unit::Milliseconds)
        .beside(milliseconds(medians.reference, REQUESTS)))
}

/// Titles with a part of five letters; the reference is the scan of the same titles.
pub(super) fn parts(conditions: &Conditions) -> Result<Row> {
    let titles = titles(conditions);
    let mut graph = graph(conditions, "index.trigrams", &titles)?;
    graph.records(BY_PARTS, &[])?;
    let asking = |key: &str| {
        format!(
            "MATCH (f:Film) WHERE f.{key} CONTAINS $part RETURN f.title AS t ORDER BY t LIMIT 1"
        )
    };
    let mut random = SplitMix64::new(SEED);
    let (mut by_index, mut by_scan) = (Vec::new(), Vec::new());
    while by_index.len() < REQUESTS {
        let text = word(5_000 + random.below(20_000));
        let Some(part) = text.get(1..6) else { continue };
        let part = Value::from(part);
        let found = |key: &str| graph.records(&asking(key), &[("part".into(), part.clone())]);
        let (one, other) = (found("title")?, found("kept")?);
        if one != other {
            let detail = format!("{part:?} is in {one:?}, and in {other:?}");
            return Err(Error::new(ErrorKind::Bug, detail));
        }
        if one.len() == 1 {
            by_index.push(request(&asking("title"), vec![("part".into(), part.clone())])?);
            by_scan.push(request(&asking("kept"), vec![("part".into(), part)])?);
        }
    }
    beside_scan(conditions, &mut graph, &by_index, &by_scan)
}

/// Requests that an index answers beside those that a scan does; each gives a record.
pub(super) fn beside_scan(
    conditions: &Conditions,
    graph: &mut AskedGraph,
    by_index: &[Vec<u8>],
    by_scan: &[Vec<u8>],
) -> Result<Row> {
    let graph = std::cell::RefCell::new(graph);
    let medians = measure::side_by_side(
        conditions.seconds,
        || graph.borrow_mut().ask(by_index, 1),
        || graph.borrow_mut().ask(by_scan, 1),
    )?;
    Ok(Row::new(milliseconds(medians.value, by_index.len()), Unit::Milliseconds)
        .beside(milliseconds(medians.reference, by_scan.len())))
}
