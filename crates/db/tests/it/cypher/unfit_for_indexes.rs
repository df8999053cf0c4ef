//! What is wrong with an index, or unfit for one, is refused by name: vectors that are loaded, texts without end, names
//! that are taken, methods that are unknown, questions to an index that is not ready.

use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use millrace_db::ingest::load::{LoadOptions, LoadPath};
use millrace_db::ingest::reading::{Reading, input_of};
use millrace_db::ingest::source::Source;
use millrace_db::languages::Entry;
use millrace_db::plan::{Definition, OwnerName};
use millrace_db::session::Started;
use millrace_db::{Database, Query, Settings};
use millrace_model::{ErrorKind, Result, TextPosition, Value};

use super::{Graph, Rows};
use crate::limits;

const NEAR: &str = "CREATE VECTOR INDEX near FOR (n:P) ON (n.e) OPTIONS {indexConfig: \
                    {`vector.dimensions`: 2, `vector.similarity_function`: 'euclidean'}}";

#[test]
fn a_load_with_a_vector_of_another_length_names_the_index_and_both_lengths() {
    for path in [LoadPath::Bulk, LoadPath::Transaction] {
        let folder = tempfile::tempdir().expect("a folder");
        let stored = Graph(Database::open(folder.path(), Settings::default()).expect("it opens"));
        stored.0.create_graph("g1").expect("is made");
        stored.run(NEAR).expect("it is sound");
        stored.run("CREATE (:P {e: [1, 2]})").expect("it is sound");
        let load = |text: &'static str| {
            let source = Source::stream("nodes.csv", text.as_bytes());
            let input = input_of(vec![source], &Reading::default()).expect("it is read");
            let options = LoadOptions { path, ..LoadOptions::default() };
            let graph = stored.0.graph("g1").expect("it is there");
            stored.0.loads().run(&graph, input, options, &mut |_| ControlFlow::Continue(()))
        };
        let error = load(":ID,:LABEL,e:double[]\na,P,1.5;2.5\nb,P,1.5;2.5;3.5\n");
        let error = error.map(|_| ()).expect_err("a vector of three").to_string();
        for part in ["the index of P over e", "2 dimensions", "has 3"] {
            assert!(error.contains(part), "{path:?}: {part}: {error}");
        }
        assert_eq!(stored.ask("MATCH (n:P) RETURN count(n)"), ["1"], "{path:?}");
        load(":ID,:LABEL,e:double[]\na,P,1.5;2.5\nb,Q,1.5;2.5;3.5\n").expect("they fit");
        let nearest = "CALL db.index.vector.queryNodes('near', 3, [1.5, 2.5]) YIELD score \
                       RETURN collect(score)";
        assert_eq!(stored.ask(nearest), ["[1.0, 0.6666666865348816]"], "{path:?}");
    }
}

#[test]
fn a_build_over_a_vector_that_does_not_fit_names_the_element_and_a_query_that_finds_it() {
    // Few elements are looked at by the transaction, and many by the store.
    for others in [3, 70_000] {
        let folder = tempfile::tempdir().expect("a folder");
        let graph = match others {
            3 => Graph::new(),
            _ => Graph(Database::open(folder.path(), Settings::default()).expect("it opens")),
        };
        drop(graph.0.create_graph("g1"));
        let more = format!("UNWIND range(1, {others}) AS i CREATE (:P {{id: i, e: [i, 1.0]}})");
        graph.run(&more).expect("it is sound");
        graph.ask("CREATE (:P {id: 0, e: 'no vector'}), (:P {id: 0, e: ['a']}), (:P {id: 0})");
        for (vector, said) in [
            ("[1.0, 2.0, 3.0]", "vectors of 2 dimensions are wanted, and this one has 3"),
            ("[]", "vectors of 2 dimensions are wanted, and this one has 0"),
            ("[1.0, 0.0 / 0.0]", "dimension 1 of a vector is NaN"),
            ("[1e300, 1.0]", "dimension 0 of a vector is inf"),
            ("[0, 0.0]", "a vector of zeros has no direction"),
        ] {
            graph.run(&format!("CREATE (:P {{id: -7, e: {vector}}})")).expect("no index yet");
            let id = graph.ask("MATCH (n:P {id: -7}) RETURN id(n)").concat();
            let made = "CREATE VECTOR INDEX near FOR (n:P) ON (n.e) \
                        OPTIONS {indexConfig: {`vector.dimensions`: 2}}";
            let error = graph.run(made).map(drop).expect_err(vector).to_string();
            let wanted =
                format!("the index 'near' cannot be built: the index of P over e: vertex {id}");
            assert!(error.contains(&wanted) && error.contains(said), "{others}, {vector}: {error}");
            let query = error[error.find("MATCH").expect("a query")..].to_owned();
            let query = query[..query.find("` finds them").expect("its end")].to_owned();
            let ids = query.replace("RETURN e", "RETURN e.id");
            assert_eq!(graph.ask(&ids), ["-7"], "{ids}");
            assert_eq!(graph.ask("SHOW VECTOR INDEXES YIELD name"), [""; 0]);
            graph.ask("MATCH (n:P {id: -7}) DELETE n");
        }
    }
}

fn run_with(graph: &Graph, text: &str, value: Value) -> Result<()> {
    let query = Query {
        language: Entry::of_name("cypher")?,
        graph: "g1".to_owned(),
        text: text.into(),
        parameters: vec![("text".into(), value)],
        is_read_only: false,
        is_profiled: false,
        limits: limits(),
    };
    match graph.0.query(&query, &mut Rows::default())? {
        Started::Done(ticket) => ticket.map_or(Ok(()), |own| own.wait().map(drop)),
        Started::Streaming(_) => panic!("it writes"),
    }
}

#[test]
fn a_text_of_a_hundred_megabytes_has_no_more_words_than_an_index_takes() {
    const BYTES: usize = 100 << 20;
    let graph = Graph::new();
    graph.run("CREATE FULLTEXT INDEX words FOR (n:P) ON EACH [n.t]").expect("it is sound");
    let words = Value::from("word and ".repeat(BYTES / 9).as_str());
    let error = run_with(&graph, "CREATE (:P {t: $text})", words.clone()).expect_err("too many");
    assert_eq!(error.kind, ErrorKind::LimitReached);
    assert!(error.to_string().contains("1000000 words"), "{error}");
    assert_eq!(graph.ask("MATCH (n:P) RETURN count(n)"), ["0"]);
    // Where no index asks for its words it is a text as others, and an index over it is refused.
    run_with(&graph, "CREATE (:Q {t: $text})", words).expect("it is a text");
    assert_eq!(graph.ask("MATCH (n:Q) RETURN size(n.t)"), [(BYTES / 9 * 9).to_string()]);
    let index = graph.run("CREATE FULLTEXT INDEX more FOR (n:Q) ON EACH [n.t]").map(drop);
    let error = index.expect_err("too many");
    assert!(error.to_string().contains("1000000 words"), "{error}");
    assert_eq!(graph.ask("SHOW FULLTEXT INDEXES YIELD name"), ["words"]);
}

#[test]
fn methods_of_administration_that_are_unknown_are_refused_with_the_list() {
    let graph = Graph::new();
    for (method, parts) in [
        ("worms(standard)", vec!["cannot make its keys by `worms(standard)`", "trigrams"]),
        ("words(klingon)", vec!["no analyzer `klingon`", "standard-no-stop-words"]),
        ("words(lithuanian)", vec!["`lithuanian`", "needs a stemmer", "standard-folding"]),
        ("vector(0, cosine)", vec!["1 to 4096 dimensions, not 0"]),
        ("vector(4097, cosine)", vec!["1 to 4096 dimensions, not 4097"]),
        ("vector(3, manhattan)", vec!["`manhattan` is no similarity", "cosine, euclidean"]),
        ("cells(4d, geographic)", vec!["cannot make its keys by"]),
        ("cells(2d, cartesian, 5.0, 5.0)", vec!["5"]),
        ("", vec!["cannot make its keys by ``"]),
    ] {
        let definition = Definition::CreateMadeIndex {
            owner: OwnerName::Label("P".into()),
            keys: vec!["k".into()],
            method: method.into(),
        };
        let one = graph.0.graph("g1").expect("it is there");
        let error = one.change_schema(&[definition], &limits()).expect_err(method).to_string();
        for part in parts {
            assert!(error.contains(part), "{method}: {part}: {error}");
        }
    }
    let shown = "SHOW INDEXES YIELD type WHERE type <> 'LOOKUP' RETURN count(*)";
    assert_eq!(graph.ask(shown), ["0"]);
}

#[test]
fn a_name_is_taken_by_an_index_of_any_kind() {
    let graph = Graph::new();
    let indexes = [
        "RANGE INDEX taken FOR (n:P) ON (n.a)",
        "TEXT INDEX taken FOR (n:P) ON (n.b)",
        "POINT INDEX taken FOR (n:P) ON (n.c)",
        "FULLTEXT INDEX taken FOR (n:P) ON EACH [n.d]",
        "VECTOR INDEX taken FOR (n:P) ON (n.e)",
        "CONSTRAINT taken FOR (n:P) REQUIRE n.f IS UNIQUE",
    ];
    for index in indexes {
        graph.run(&format!("CREATE {index}")).expect("it is sound");
        for other in indexes.iter().filter(|other| **other != index) {
            let given = graph.ask(&format!("CREATE {other}")).concat();
            assert!(given.contains("'taken'"), "{other} beside {index}: {given}");
        }
        let what = if index.starts_with("CONSTRAINT") { "CONSTRAINT" } else { "INDEX" };
        graph.run(&format!("DROP {what} taken")).expect("it is there");
    }
}

#[test]
fn a_query_that_does_not_parse_names_its_line_and_column() {
    let graph = Graph::new();
    graph.run("CREATE FULLTEXT INDEX words FOR (n:P) ON EACH [n.t]").expect("it is sound");
    for (query, line, column) in [("fox AND (", 1, 9), ("\\n  fox^x", 2, 6), ("a [b c]", 1, 3)] {
        let text =
            format!("CALL db.index.fulltext.queryNodes('words', \"{query}\") YIELD node RETURN 1");
        let error = graph.run(&text).map(drop).expect_err(query);
        assert_eq!(error.position, Some(TextPosition { line, column }), "{query}: {error}");
    }
}

#[test]
fn an_index_that_is_being_built_says_how_far_it_is() {
    const NODES: usize = 60_000;
    let folder = tempfile::tempdir().expect("a folder");
    let graph = Graph(Database::open(folder.path(), Settings::default()).expect("it opens"));
    graph.0.create_graph("g1").expect("is made");
    let text = "one two three four five six seven eight nine ten eleven twelve";
    let create =
        format!("UNWIND range(1, {NODES}) AS i CREATE (:P {{t: '{text} ' + i, e: [i, 1.0]}})");
    graph.run(&create).expect("it is sound");
    let vector = "CREATE VECTOR INDEX built FOR (n:P) ON (n.e)";
    for (create, ask) in [
        (
            "CREATE FULLTEXT INDEX built FOR (n:P) ON EACH [n.t]",
            "CALL db.index.fulltext.queryNodes('built', '17') YIELD node RETURN count(*)",
        ),
        (vector, "CALL db.index.vector.queryNodes('built', 1, [17, 1]) YIELD node RETURN count(*)"),
    ] {
        let mut said = Vec::new();
        thread::scope(|scope| {
            let building = scope.spawn(|| graph.run(create).map(drop));
            while !building.is_finished() {
                said.extend(graph.ask(ask));
            }
            building.join().expect("it ends").expect("it is sound");
        });
        let is_building = |text: &&String| text.contains(" index 'built' is being built: ");
        let found: Vec<&String> = said.iter().filter(is_building).collect();
        assert!(!found.is_empty(), "{create}: {said:?}");
        assert!(found.iter().all(|text| text.contains(" % (")), "{found:?}");
        assert_eq!(graph.ask(ask), ["1"], "{create}");
        graph.run("DROP INDEX built").expect("it is there");
    }
}

/// More nodes than a transaction looks at itself.
const MANY: usize = 70_000;

fn many() -> (tempfile::TempDir, Graph) {
    let folder = tempfile::tempdir().expect("a folder");
    let graph = Graph(Database::open(folder.path(), Settings::default()).expect("it opens"));
    graph.0.create_graph("g1").expect("is made");
    let text = "one two three four five six seven eight nine ten eleven twelve";
    let create =
        format!("UNWIND range(1, {MANY}) AS i CREATE (:P {{t: '{text} ' + i, e: [i, 1.0]}})");
    graph.run(&create).expect("it is sound");
    (folder, graph)
}

fn state_of(graph: &Graph, name: &str) -> String {
    let shown = format!("SHOW INDEXES YIELD name, state WHERE name = '{name}' RETURN state");
    graph.ask(&shown).concat()
}

/// Builds an index on another thread, and works meanwhile.
fn while_building(graph: &Graph, create: &str, name: &str, work: impl FnOnce()) -> Result<()> {
    thread::scope(|scope| {
        let building = scope.spawn(|| graph.run(create).map(drop));
        while state_of(graph, name) != "POPULATING" {
            assert!(!building.is_finished(), "it was built too quickly to be seen");
            thread::yield_now();
        }
        work();
        building.join().expect("it ends")
    })
}

#[test]
fn a_client_waits_for_the_build_of_another() {
    let (_folder, graph) = many();
    let create = "CREATE FULLTEXT INDEX built FOR (n:P) ON EACH [n.t]";
    let built = while_building(&graph, create, "built", || {
        let late = graph.ask("CALL db.awaitIndex('built', 0)").concat();
        let said = "error ProcedureTimedOut: Index 'built' did not come online within 0 seconds";
        assert!(late.starts_with(said), "{late}");
        let own = graph.run_within("CALL db.awaitIndexes(60)", Duration::from_millis(40));
        assert_eq!(own.map(drop).expect_err("its own").kind, ErrorKind::DeadlineExceeded);
        assert_eq!(graph.ask("CALL db.awaitIndexes(60)"), [""; 0]);
        assert_eq!(state_of(&graph, "built"), "ONLINE");
    });
    built.expect("it is sound");
    graph.run("CREATE (:P {e: [1.0, 2.0, 3.0]})").expect("no index yet");
    let create = "CREATE VECTOR INDEX bad FOR (n:P) ON (n.e) OPTIONS {indexConfig: {`vector.dimensions`: 2}}";
    let failed = while_building(&graph, create, "bad", || {
        let said = graph.ask("CALL db.awaitIndex('bad', 60)").concat();
        assert!(
            said.starts_with("error IndexCreationFailed: Index 'bad' is in failed state"),
            "{said}"
        );
    });
    let error = failed.expect_err("a vector of three").to_string();
    assert!(error.contains("the index 'bad' cannot be built"), "{error}");
    for text in ["CALL db.awaitIndex('bad', 60)", "CALL db.awaitIndex('nope')"] {
        assert!(
            graph.ask(text).concat().starts_with("error IndexNotFound: No such index"),
            "{text}"
        );
    }
    assert_eq!(graph.ask("CALL db.awaitIndex('built', -1)"), [""; 0], "it is there");
}

#[test]
fn a_statement_that_builds_an_index_ends_at_its_deadline_and_the_build_goes_on() {
    const DEADLINE: Duration = Duration::from_millis(150);
    let (_folder, graph) = many();
    let begin = Instant::now();
    let create = "CREATE FULLTEXT INDEX built FOR (n:P) ON EACH [n.t]";
    let error = graph.run_within(create, DEADLINE).map(drop).expect_err("it takes longer");
    assert_eq!(error.kind, ErrorKind::DeadlineExceeded, "{error}");
    assert!(error.to_string().contains("its build goes on"), "{error}");
    assert!(begin.elapsed() < DEADLINE + Duration::from_secs(1), "{:?}", begin.elapsed());
    assert_eq!(state_of(&graph, "built"), "POPULATING");
    assert_eq!(graph.ask("CALL db.awaitIndex('built')"), [""; 0]);
    let asked = "CALL db.index.fulltext.queryNodes('built', '17') YIELD node RETURN count(*)";
    assert_eq!(graph.ask(asked), ["1"]);
}
