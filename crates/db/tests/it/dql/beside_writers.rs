//! Words, patterns, places and orders while writers go on: what an index finds is what a scan finds, in one request, in a
//! snapshot, and in a transaction with writes of its own.
//!
//! Each mutation writes every value twice: to a predicate with indexes and to a copy without one. A request asks for both, so
//! it asks about one state of the graph, whatever was committed meanwhile, brought into segments, or built anew.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use millrace_db::languages::dql::changes::{Changes, Mutation};
use millrace_db::languages::dql::language::{self, DQL};
use millrace_db::session::{ExplicitTransaction, Request, Source, Statements};
use millrace_db::{Database, Settings};
use millrace_model::{Error, ErrorKind, Result};
use millrace_testkit::Rng;
use serde_json::Value as Json;

use super::{Answer, alter, mutate, query};
use crate::limits;

const SCHEMA: &str = "name: string @lang @index(exact, term, fulltext, trigram, ngram) .\n\
    plain: string @lang .\ntag: [string] @index(exact, term, trigram) .\nbare: [string] .\n\
    age: int @index(int) .\nyears: int .\nhome: geo @index(geo) .\nsite: geo .\n\
    word: string .\nraw: string .\n";

/// The statements, one after the other, of the predicate that gains and loses indexes.
const WORD_SCHEMAS: [&str; 3] = [
    "word: string @index(term, exact) .",
    "word: string .",
    "word: string @index(trigram, fulltext) .",
];

/// Conditions, with the predicate as `P`; its index; its copy.
const CONDITIONS: [(&str, &str, &str); 24] = [
    ("allofterms(P, \"dog far\")", "name", "plain"),
    ("anyofterms(P, \"zebra Ærø\")", "name", "plain"),
    ("anyofterms(P, \"Hund läuft\")", "name@de", "plain@de"),
    ("alloftext(P, \"run dogs\")", "name", "plain"),
    ("anyoftext(P, \"Hunde\")", "name@de", "plain@de"),
    ("ngram(P, \"far away the\")", "name", "plain"),
    ("regexp(P, /d[oi]gs?/)", "name", "plain"),
    ("regexp(P, /ZEBRA|away/i)", "name", "plain"),
    ("regexp(P, /Hund/)", "name@de", "plain@de"),
    ("match(P, \"far dogs\", 5)", "name", "plain"),
    ("eq(P, \"dog far\")", "name", "plain"),
    ("ge(P, \"run\")", "name", "plain"),
    ("between(P, \"dog\", \"the dig\")", "name", "plain"),
    ("anyofterms(P, \"red blue\")", "tag", "bare"),
    ("allofterms(P, \"red 3\")", "tag", "bare"),
    ("eq(P, \"red 3\")", "tag", "bare"),
    ("regexp(P, /blu/)", "tag", "bare"),
    ("ge(P, 12)", "age", "years"),
    ("eq(P, [3, 4, 5])", "age", "years"),
    ("near(P, [10.0, 20.0], 2500000)", "home", "site"),
    ("within(P, [[[0, 0], [30, 0], [30, 30], [0, 30], [0, 0]]])", "home", "site"),
    ("intersects(P, [[[0, 0], [30, 0], [30, 30], [0, 30], [0, 0]]])", "home", "site"),
    ("anyofterms(P, \"far dog\")", "word", "raw"),
    ("regexp(P, /way/)", "word", "raw"),
];

/// Pages in an order, of a predicate and of its copy.
const ORDERS: [(&str, &str, &str); 4] = [
    ("orderasc: P, first: 7", "name", "plain"),
    ("orderdesc: P, first: 9, offset: 3", "name", "plain"),
    ("orderasc: P, first: 10", "age", "years"),
    ("orderdesc: P, first: 4", "age", "years"),
];

const NODES: u64 = 80;
const WRITERS: u64 = 2;
const ROUNDS: usize = 5;

/// N-Quads of each value and of its copy, and of what goes.
struct Written {
    set: String,
    delete: String,
}

fn random_writes(rng: &mut Rng) -> Written {
    const ENGLISH: [&str; 8] = ["dog", "dogs", "far", "away", "running", "the", "zebra", "Ærø"];
    const GERMAN: [&str; 5] = ["Hund", "Hunde", "läuft", "der", "Wald"];
    let text = |rng: &mut Rng, words: &[&str]| {
        let count = 1 + rng.below(3);
        (0..count).map(|_| *rng.pick(words)).collect::<Vec<_>>().join(" ")
    };
    let (mut set, mut delete) = (String::new(), String::new());
    for _ in 0..1 + rng.below(5) {
        let node = 1 + rng.below(NODES);
        let both = |quads: &mut String, names: [&str; 2], value: &str| {
            for name in names {
                quads.push_str(&format!("<{node:#x}> <{name}> {value} .\n"));
            }
        };
        let english = text(rng, &ENGLISH);
        match rng.below(9) {
            0 | 1 => both(&mut set, ["name", "plain"], &format!("\"{english}\"")),
            2 => {
                let german = text(rng, &GERMAN);
                both(&mut set, ["name", "plain"], &format!("\"{german}\"@de"));
            }
            3 => {
                let tag = format!("\"{} {}\"", rng.pick(&["red", "blue"]), rng.below(5));
                both(if rng.chance(0.7) { &mut set } else { &mut delete }, ["tag", "bare"], &tag);
            }
            4 => both(&mut set, ["age", "years"], &format!("\"{}\"", rng.below(20))),
            5 => {
                let (east, north) = (rng.below(60), rng.below(40));
                let point = format!("{{'type':'Point','coordinates':[{east},{north}]}}");
                both(&mut set, ["home", "site"], &format!("\"{point}\"^^<geo:geojson>"));
            }
            6 | 7 => both(&mut set, ["word", "raw"], &format!("\"{english}\"")),
            _ => {
                let pairs = [["name", "plain"], ["tag", "bare"], ["home", "site"], ["word", "raw"]];
                both(&mut delete, *rng.pick(&pairs), "*");
            }
        }
    }
    Written { set, delete }
}

/// Requests of two blocks, which have to be equal.
fn questions() -> Vec<String> {
    let mut all = Vec::new();
    for (condition, indexed, copy) in CONDITIONS {
        let [own, scanned] = [indexed, copy].map(|name| condition.replace('P', name));
        let filtered = |name: &str, condition: &str| {
            format!(
                "{name}(func: has({})) @filter({condition}) {{ uid }}",
                if name == "a" { indexed } else { copy }
            )
        };
        let scan = filtered("b", &scanned);
        all.push(format!("{{ {} {scan} }}", filtered("a", &own)));
        // The indexes of this one come and go.
        if indexed != "word" {
            all.push(format!("{{ a(func: {own}) {{ uid }} {scan} }}"));
        }
    }
    for (order, indexed, copy) in ORDERS {
        let [own, sorted] = [indexed, copy].map(|name| order.replace('P', name));
        all.push(format!(
            "{{ a(func: has({indexed}), {own}) {{ uid }} \
             v as var(func: has({copy})) b(func: uid(v), {sorted}) {{ uid }} }}"
        ));
    }
    all
}

/// Whether an answer has something, with both blocks equal.
fn checked(text: &str, answer: &str) -> bool {
    let blocks: Json = serde_json::from_str(answer).expect("an answer is JSON");
    assert_eq!(blocks["a"], blocks["b"], "{text}");
    blocks["a"].as_array().is_some_and(|nodes| !nodes.is_empty())
}

/// A request of a transaction, without its end.
fn in_transaction(
    database: &Database,
    transaction: &mut ExplicitTransaction,
    statements: Statements,
) -> Result<String> {
    let mut request = Request::text(&DQL, "", "dql", limits());
    request.source = Source { language: &DQL, statements };
    let mut answer = Answer::default();
    transaction.run_whole(database, &request, &mut answer)?;
    Ok(answer.0)
}

/// All questions in one transaction that has written, each twice; how many have an answer. Nothing, if the schema was
/// changed meanwhile.
fn ask_in_transaction(database: &Database, rng: &mut Rng) -> Result<usize> {
    let mut transaction = ExplicitTransaction::begin(false);
    let Written { set, delete } = random_writes(rng);
    let mut mutation = Mutation::default();
    mutation.set.read_nquads(&set, &set, Default::default())?;
    mutation.delete.read_nquads(&delete, &delete, Default::default())?;
    let changes = Changes { query: "".into(), mutations: vec![mutation] };
    let script = Statements::Decoded(language::changing(changes)?);
    in_transaction(database, &mut transaction, script)?;
    let mut found = 0;
    for text in questions() {
        let mut ask =
            || in_transaction(database, &mut transaction, Statements::Text(text.as_str().into()));
        let (first, again) = (ask()?, ask()?);
        assert_eq!(first, again, "{text}: the transaction sees what others commit");
        found += usize::from(checked(&text, &first));
    }
    transaction.roll_back();
    Ok(found)
}

/// Whether a change lost to others for as long as it may take; nothing of it is there then.
fn lost(error: &Error) -> bool {
    matches!(error.kind, ErrorKind::Conflict | ErrorKind::DeadlineExceeded)
}

#[test]
fn what_an_index_finds_is_what_a_scan_finds_while_writers_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut settings = Settings::default();
    settings.data.durability = "async".to_owned();
    let database = Database::open(folder.path(), settings).expect("it opens");
    alter(&database, SCHEMA).expect("it is right");
    let is_done = AtomicBool::new(false);
    let (commits, rebuilt) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (mut found, mut asked) = (0, 0);
    thread::scope(|scope| {
        let (database, is_done, commits, rebuilt) = (&database, &is_done, &commits, &rebuilt);
        for writer in 0..WRITERS {
            scope.spawn(move || {
                let rng = &mut Rng::new(writer);
                while !is_done.load(Ordering::Relaxed) {
                    let Written { set, delete } = random_writes(rng);
                    match mutate(database, &set, &delete) {
                        Ok(_) => commits.fetch_add(1, Ordering::Relaxed),
                        Err(error) if lost(&error) => 0,
                        Err(error) => panic!("{error}: set {set} delete {delete}"),
                    };
                }
            });
        }
        scope.spawn(move || {
            for schema in WORD_SCHEMAS.iter().cycle() {
                if is_done.load(Ordering::Relaxed) {
                    break;
                }
                match alter(database, schema) {
                    Err(error) if lost(&error) => continue,
                    altered => altered.expect("the schema changes beside writers"),
                };
                database.checkpoint().expect("a checkpoint");
                rebuilt.fetch_add(1, Ordering::Relaxed);
            }
        });
        let _end = EndsWriters(is_done);
        let rng = &mut Rng::new(77);
        for _ in 0..ROUNDS {
            for text in questions() {
                let answer = query(database, &text).unwrap_or_else(|no| panic!("{text}: {no}"));
                found += usize::from(checked(&text, &answer));
                asked += 1;
            }
            match ask_in_transaction(database, rng) {
                Ok(own) => found += own,
                Err(error) => assert_eq!(error.kind, ErrorKind::Conflict, "{error}"),
            }
        }
    });
    let (commits, rebuilt) = (commits.into_inner(), rebuilt.into_inner());
    assert!(asked < 2 * found, "{found} of {asked} found something: they prove little");
    // A change of the schema may lose to writers that never rest.
    assert!(20 < commits, "{commits} commits, {rebuilt} changes of the schema");
}

/// Lets the other threads end, also after a panic.
struct EndsWriters<'a>(&'a AtomicBool);

impl Drop for EndsWriters<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
