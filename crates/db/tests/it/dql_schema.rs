//! A load under a schema of DQL: what the graph keeps of it, and its indexes.

use std::io::Cursor;
use std::ops::ControlFlow;

use millrace_db::dql::DqlSchema;
use millrace_db::ingest::load::{Format, LoadOptions};
use millrace_db::ingest::reading::{Reading, input_of};
use millrace_db::ingest::source::Source;
use millrace_db::{Database, Graph, Settings};
use millrace_model::Value;

use crate::limits;

const SCHEMA: &str = "name: string @index(exact, hash, term, trigram) @lang .\n\
                      age: int @index(int) .\nfriend: [uid] @reverse @count .\n\
                      where: geo @index(geo) .\n\
                      e: float32vector @index(hnsw(metric: \"cosine\", exponent: \"4\")) .\ntype Person {\n\tname\n\tfriend\n}\n";

const QUADS: &str = "<0x7> <name> \"Ann\" .\n<0x7> <name> \"Anna\"@de .\n<0x7> <age> \"33\" .\n\
                     <0x9> <age> \"34\" .\n<0x7> <e> \"[1, 0.5]\"^^<xs:[]float32> .\n<0x7> <friend> <0x9> .\n<0x9> <nick> \"Bo\" .\n\
                     <0x9> <dgraph.type> \"Person\" .\n";

/// Loads as the program does.
fn load(graph: &Graph) -> Vec<String> {
    let schema = DqlSchema::parse(SCHEMA).expect("it works");
    let reading = Reading { declared: Some(schema.declared()), ..Reading::of(Format::NQuads) };
    let source = Source::stream("x.rdf", Cursor::new(QUADS));
    let input = input_of(vec![source], &reading).expect("it works");
    let mut go_on = |_: &_| ControlFlow::Continue(());
    let summary = graph.load(input, LoadOptions::default(), &mut go_on).expect("it works");
    assert_eq!((summary.rows, summary.vertices, summary.edges), (8, 2, 1));
    graph.define_dql(&schema, &summary.undeclared, &limits()).expect("it works")
}

#[test]
fn a_schema_of_dql_stays_with_its_graph_and_makes_indexes() {
    let folder = tempfile::tempdir().expect("it works");
    let expected = [
        ("definition.dql.own", ""),
        ("definition.dql.predicate.age", "int @index(int)"),
        (
            "definition.dql.predicate.e",
            "float32vector @index(hnsw(metric: \"cosine\", exponent: \"4\"))",
        ),
        ("definition.dql.predicate.friend", "[uid] @reverse @count"),
        ("definition.dql.predicate.name", "string @index(exact, hash, term, trigram) @lang"),
        ("definition.dql.predicate.nick", "default"),
        ("definition.dql.predicate.where", "geo @index(geo)"),
        ("definition.dql.type.Person", "name\nfriend"),
    ];
    let notes_of = |graph: &Graph| -> Vec<(String, String)> {
        let notes = graph.notes("definition.dql.").expect("it works");
        notes.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
    };
    let expected: Vec<_> =
        expected.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let database = Database::open(folder.path(), Settings::default()).expect("it works");
    let graph = database.create_graph("one").expect("it works");
    let left_out = load(&graph);
    assert!(left_out.is_empty(), "{left_out:?}");
    assert_eq!(notes_of(&graph), expected);
    assert_eq!(
        indexes(&graph),
        [
            "age range",
            "e made vector(any, cosine, 16, 200)",
            "name made words(dgraph-term)",
            "name range",
            "name made trigrams",
            "name@de made trigrams",
            "name@de made words(dgraph-term, de)",
            "name@de range",
            "where made geo"
        ]
        .map(str::to_owned)
        .into_iter()
        .collect()
    );
    // A schema that comes again finds its indexes, and replaces its notes.
    let schema = DqlSchema::parse("age: int .\n").expect("it works");
    assert!(graph.define_dql(&schema, &[], &limits()).expect("it works").is_empty());
    database.close();
    drop((graph, database));
    let database = Database::open(folder.path(), Settings::default()).expect("it works");
    let graph = database.graph("one").expect("it works");
    assert_eq!(notes_of(&graph)[1].1, "int");
    assert_eq!(notes_of(&graph)[2..], expected[2..]);
}

/// All indexes over all vertices, as key, kind and method.
fn indexes(graph: &Graph) -> std::collections::BTreeSet<String> {
    let Value::Map(schema) = graph.schema().expect("it works") else { panic!("a schema is a map") };
    let member = |map: &Value, name: &str| match map {
        Value::Map(pairs) => {
            pairs.iter().find(|(key, _)| *key == Value::from(name)).map(|(_, value)| value.clone())
        }
        other => panic!("{other:?} is no map"),
    };
    let Some(Value::List(indexes)) = member(&Value::Map(schema), "indexes") else {
        panic!("no indexes")
    };
    let shown = |index: &Value| {
        let word = |name: &str| match member(index, name) {
            Some(Value::String(text)) => format!(" {text}"),
            _ => String::new(),
        };
        let keys = match member(index, "keys") {
            Some(Value::List(keys)) => keys[0].as_str().unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        format!("{keys}{}{}", word("kind"), word("method"))
    };
    indexes.iter().map(shown).collect()
}
