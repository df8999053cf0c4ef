//! Small random graphs, made and shown as a schema and N-Quads of DQL: loops, values in languages and lists, facets of
//! edges and of values, a single edge that was another before, deleted values, uids far behind the others.

use std::fmt::{self, Display};

use millrace_db::Database;
use millrace_testkit::Rng;

use crate::dql::{alter, mutate};

/// Texts with words, stems and letters in common.
pub(super) const TEXTS: [&str; 8] = [
    "Ann Lee",
    "ann of the dogs",
    "Bo",
    "a dog runs",
    "Running dogs",
    "Zoë",
    "x",
    "the long road home",
];
pub(super) const GERMAN: [&str; 4] = ["Anna", "Der Hund", "die Hunde laufen", "Straße"];
pub(super) const TIMES: [&str; 5] =
    ["1995-02-03", "1995", "2001-12-31T23:59:59Z", "2001-12-31T23:59:59.5Z", "1986-06"];
pub(super) const DECIMALS: [&str; 5] =
    ["0", "5.5", "-0.000000001", "12345678901234567890.5", "5.50"];
/// Floats with sums that no order rounds.
pub(super) const FLOATS: [&str; 6] = ["0", "-1", "1.75", "2", "0.25", "-0.5"];
pub(super) const TYPES: [&str; 3] = ["A", "B", "C"];

/// Predicates of values with their types and indexes; a graph lacks some of the indexes.
const PREDICATES: [(&str, &str, &[&str]); 11] = [
    ("name", "string", &["exact", "term", "fulltext", "trigram", "ngram"]),
    ("title", "string", &["hash", "trigram"]),
    ("plain", "string", &[]),
    ("age", "int", &["int"]),
    ("height", "float", &["float"]),
    ("worth", "bigfloat", &["bigfloat"]),
    ("born", "datetime", &["day"]),
    ("alive", "bool", &["bool"]),
    ("nick", "[string]", &["exact", "term"]),
    ("score", "[int]", &["int"]),
    ("home", "geo", &["geo"]),
];

const EDGES: &str = "friend: [uid] @reverse @count .\nboss: uid @reverse .\nlikes: [uid] @count .\n\
     road: [uid] @reverse .\n\
     type A {\n  name\n  age\n  nick\n  friend\n  boss\n  <~friend>\n}\n\
     type B {\n  name\n  home\n  likes\n  score\n}\n";

/// A uid that no lease has come to, so that the node has another number in the store.
const FAR: &str = "0x7000000001";

/// A graph before it is stored, so that it can be made smaller.
#[derive(Clone)]
pub(super) struct Graph {
    schema: String,
    /// The uids of nodes.
    pub(super) uids: Vec<String>,
    set: Vec<String>,
    deleted: Vec<String>,
    set_again: Vec<String>,
}

impl Graph {
    pub(super) fn random(rng: &mut Rng) -> Graph {
        let count = 2 + rng.below(6);
        let mut uids: Vec<String> = (1..=count).map(|number| format!("{number:#x}")).collect();
        if rng.chance(0.2) {
            uids[rng.index(count as usize)] = FAR.to_owned();
        }
        let mut set = Vec::new();
        for uid in &uids {
            values(rng, uid, &mut set);
            edges(rng, uid, &uids, &mut set);
        }
        let some = |rng: &mut Rng, set: &[String]| -> Vec<String> {
            let chosen = (0..rng.below(4)).filter(|_| !set.is_empty());
            chosen.map(|_| set[rng.index(set.len())].clone()).collect()
        };
        // What is deleted has no facets.
        let deleted = some(rng, &set).iter().map(|quad| without_facets(quad)).collect();
        let mut set_again = some(rng, &set);
        if rng.chance(0.3) {
            let uid = rng.pick(&uids).clone();
            edges(rng, &uid, &uids, &mut set_again);
        }
        Graph { schema: schema(rng), uids, set, deleted, set_again }
    }

    /// The graph `dql` of a database in memory.
    pub(super) fn database(&self) -> Database {
        let database = Database::in_memory(Default::default()).expect("no file is needed");
        alter(&database, &self.schema).unwrap_or_else(|error| panic!("{}: {error}", self.schema));
        for (set, deleted) in [(&self.set, &[][..]), (&self.set_again, &self.deleted)] {
            let (set, deleted) = (set.concat(), deleted.concat());
            if !set.is_empty() || !deleted.is_empty() {
                mutate(&database, &set, &deleted).unwrap_or_else(|no| panic!("{self}: {no}"));
            }
        }
        database
    }

    /// Graphs of fewer quads.
    pub(super) fn smaller(&self) -> Vec<Graph> {
        let mut all = Vec::new();
        for part in 0..3 {
            let own = |graph: &Graph| match part {
                0 => graph.set.len(),
                1 => graph.deleted.len(),
                _ => graph.set_again.len(),
            };
            for place in 0..own(self) {
                let mut graph = self.clone();
                let quads = match part {
                    0 => &mut graph.set,
                    1 => &mut graph.deleted,
                    _ => &mut graph.set_again,
                };
                quads.remove(place);
                all.push(graph);
            }
        }
        all
    }
}

impl Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (set, deleted, again) =
            (self.set.concat(), self.deleted.concat(), self.set_again.concat());
        writeln!(f, "{}set\n{set}delete\n{deleted}set\n{again}", self.schema)
    }
}

fn schema(rng: &mut Rng) -> String {
    let mut text = String::new();
    for (name, kind, indexes) in PREDICATES {
        let own: Vec<&str> = indexes.iter().copied().filter(|_| rng.chance(0.9)).collect();
        let index = match own.is_empty() {
            true => String::new(),
            false => format!(" @index({})", own.join(", ")),
        };
        let languages = if matches!(name, "name" | "title") { " @lang" } else { "" };
        text.push_str(&format!("{name}: {kind}{index}{languages} .\n"));
    }
    text + EDGES
}

fn without_facets(quad: &str) -> String {
    match quad.split_once(" (") {
        Some((quad, _)) => format!("{quad} .\n"),
        None => quad.to_owned(),
    }
}

fn values(rng: &mut Rng, uid: &str, quads: &mut Vec<String>) {
    let mut own = |predicate: &str, value: String| {
        quads.push(format!("<{uid}> <{predicate}> {value} .\n"));
    };
    let text = |rng: &mut Rng, texts: &[&str]| format!("\"{}\"", rng.pick(texts));
    for _ in 0..rng.below(3) {
        own("dgraph.type", text(rng, &TYPES));
    }
    if rng.chance(0.8) {
        let facet = if rng.chance(0.2) { " (origin=\"x\", rank=2)" } else { "" };
        own("name", text(rng, &TEXTS) + facet);
    }
    if rng.chance(0.4) {
        own("name@de", text(rng, &GERMAN));
    }
    if rng.chance(0.2) {
        own("name@en", text(rng, &TEXTS));
    }
    if rng.chance(0.3) {
        own("title", text(rng, &TEXTS));
    }
    if rng.chance(0.4) {
        own("plain", text(rng, &["red", "green", ""]));
    }
    if rng.chance(0.7) {
        own("age", format!("\"{}\"", rng.below(6) as i64 - 1));
    }
    if rng.chance(0.5) {
        own("height", text(rng, &FLOATS));
    }
    if rng.chance(0.3) {
        own("worth", text(rng, &DECIMALS));
    }
    if rng.chance(0.5) {
        own("born", text(rng, &TIMES));
    }
    if rng.chance(0.4) {
        own("alive", text(rng, &["true", "false"]));
    }
    for _ in 0..if rng.chance(0.5) { rng.below(4) } else { 0 } {
        let facet =
            if rng.chance(0.4) { format!(" (since={})", rng.below(3)) } else { String::new() };
        own("nick", text(rng, &["an", "dee an", "x", "Zoë"]) + &facet);
    }
    for _ in 0..if rng.chance(0.4) { rng.below(4) } else { 0 } {
        own("score", format!("\"{}\"", rng.below(5) as i64 - 1));
    }
    if rng.chance(0.4) {
        own("home", geometry(rng));
    }
}

fn geometry(rng: &mut Rng) -> String {
    let (east, north) = (rng.below(4) as f64, rng.below(3) as f64);
    let shape = match rng.chance(0.6) {
        true => format!("'type':'Point','coordinates':[{east},{north}]"),
        false => format!(
            "'type':'Polygon','coordinates':[[[{east},{north}],[{0},{north}],[{0},{1}],[{east},{1}],[{east},{north}]]]",
            east + 1.5,
            north + 1.5,
        ),
    };
    format!("\"{{{shape}}}\"^^<geo:geojson>")
}

fn edges(rng: &mut Rng, uid: &str, uids: &[String], quads: &mut Vec<String>) {
    let mut own = |rng: &mut Rng, predicate: &str, facets: String| {
        let to = rng.pick(uids);
        quads.push(format!("<{uid}> <{predicate}> <{to}>{facets} .\n"));
    };
    for _ in 0..rng.below(4) {
        let facets = facets(rng);
        own(rng, "friend", facets);
    }
    if rng.chance(0.5) {
        own(rng, "boss", String::new());
    }
    for _ in 0..rng.below(3) {
        let facet =
            if rng.chance(0.5) { format!(" (stars={})", rng.below(4)) } else { String::new() };
        own(rng, "likes", facet);
    }
    for _ in 0..rng.below(3) {
        let km = [0.25, 0.5, 1.0, 1.5, 4.0][rng.index(5)];
        own(rng, "road", format!(" (weight={km:?})"));
    }
}

fn facets(rng: &mut Rng) -> String {
    let mut all = Vec::new();
    if rng.chance(0.6) {
        all.push(format!("weight={}", ["0.25", "0.5", "1", "2", "1.5"][rng.index(5)]));
    }
    if rng.chance(0.4) {
        all.push(format!("close={}", rng.chance(0.5)));
    }
    if rng.chance(0.3) {
        all.push(format!(
            "since={}",
            ["2010", "2015-01-01T00:00:00Z", "\"long ago\""][rng.index(3)]
        ));
    }
    if all.is_empty() { String::new() } else { format!(" ({})", all.join(", ")) }
}
