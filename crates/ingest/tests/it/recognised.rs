//! Files of other formats, and of none: each is refused by the name of its format, with the remedy.

use millrace_ingest::csv::{CsvOptions, TableFiles, TableKind};
use millrace_ingest::load::{Format, Input, LoadOptions, UnknownTypes, load, quiet};
use millrace_ingest::reading::{Reading, input_of_files};
use millrace_ingest::source::Source;
use millrace_store::{Backend, Store, memory::MemoryBackend};
use std::io::Cursor;
use std::sync::Arc;

fn store() -> Arc<dyn Store> {
    MemoryBackend::default().create_graph("g").unwrap()
}

fn stream(name: &str, text: &str) -> Source {
    Source::stream(name, Cursor::new(text.to_string()))
}

#[test]
fn an_unsupported_format_is_recognized_by_the_end_of_its_name_and_refused_with_an_alternative() {
    let message = |name: &str| Reading::default().format_of([name]).unwrap_err().to_string();
    assert!(message("x.xml").contains("--format graphml"));
    assert!(message("x.ttl.gz").contains("convert it to N-Triples"));
    assert!(message("x.GEXF").contains("write GraphML"));
    assert!(message("x.tsv").contains("--format csv --delimiter TAB"));
}

/// The error of a load of one file, with a format or without.
fn refusal(name: &str, text: &[u8], format: Option<Format>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let reading = Reading { format, ..Reading::default() };
    let loaded = input_of_files(&[&path], &reading)
        .and_then(|input| load(&*store(), input, LoadOptions::default(), &mut quiet));
    loaded.map(|summary| summary.vertices).unwrap_err().to_string()
}

#[test]
fn a_file_of_another_format_is_named_by_what_it_holds_with_the_way_round() {
    let graphml = b"<?xml version=\"1.0\"?><graphml><graph/></graphml>";
    let rdf = b"<?xml version=\"1.0\"?>\n<rdf:RDF xmlns:rdf=\"x\"/>";
    let turtle = b"@prefix a: <http://e.org/> .\na:b a:c a:d .\n";
    let typed = b"{\"@class\":\"java.util.HashMap\",\"id\":1,\"label\":\"p\"}\n";
    let blueprints = b"{\"_id\":1,\"name\":\"saturn\",\"_type\":\"vertex\",\"_outE\":[]}\n";
    let pointer = b"version https://git-lfs.github.com/spec/v1\n";
    let schema = b"<name>: string @index(exact) .\n";
    for (name, text, format, words) in [
        ("x.xml", &graphml[..], Some(Format::GraphSon), "looks like GraphML: use --format graphml"),
        ("x.ttl", turtle, None, "Turtle is not read"),
        ("x.txt", turtle, None, "Turtle is not read"),
        ("x.ttl", turtle, Some(Format::NQuads), "Turtle is not read"),
        ("x.rdf", rdf, None, "RDF/XML is not read"),
        ("x.csv", b"PAR1", None, "looks like Parquet: use --format parquet"),
        ("x.tsv", b"a\tb\n1\t2\n", None, "--format csv --delimiter TAB"),
        ("x.tsv", b"id:ID\tb\n1\t2\n", Some(Format::Csv), "--delimiter TAB"),
        ("x.json", typed, None, "GraphSON 1 with types"),
        ("x.json", blueprints, None, "Blueprints"),
        ("x.rdf.gz", pointer, None, "Git LFS pointer"),
        ("x.schema", schema, None, "schema of Dgraph"),
        ("x.rdf", schema, None, "schema of Dgraph"),
        ("x.cypher", b"CREATE (a)\n", None, "Cypher"),
        ("x.csv", b"CREATE (a:P {n: 1})\n", None, "Cypher"),
        ("x.csv", graphml, None, "looks like GraphML"),
        ("x.nq", b"id:ID,name\n1,a\n", None, "looks like CSV: use --format csv"),
        ("x.graphml", b"<a> <p> <b> .\n", None, "looks like N-Quads: use --format nquads"),
        ("x.txt", b"# From To\n1\t2\n", Some(Format::Csv), "--comment '#'"),
        ("x.dump", b"DZV1", None, "dump of Neo4j"),
        ("x.txt", b"what is this", None, "set it by --format"),
    ] {
        let said = refusal(name, text, format);
        assert!(said.contains(words), "{name} {format:?}: {said}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.xml");
    std::fs::write(&path, graphml).unwrap();
    let reading = Reading::default();
    assert_eq!(
        reading.format_of_files(&[&path]).unwrap(),
        Format::GraphMl,
        "it is found by content"
    );
}

#[test]
fn a_header_of_values_is_reported_in_a_note() {
    let table = |text: &str| {
        let kind = Some(TableKind::Nodes(vec!["P".into()]));
        let table = TableFiles { kind, ..TableFiles::of(vec![stream("in.csv", text)]) };
        let input = Input::Csv(vec![table], CsvOptions::default());
        load(&*store(), input, LoadOptions::default(), &mut quiet).unwrap().notes
    };
    let notes = table("1,Ann\n2,Ben\n");
    assert!(notes[0].contains("'1' looks like a value"), "{notes:?}");
    assert!(table("id:ID,name\n1,Ann\n").is_empty());
    let quads = "<a> <p> \"x\"^^<http://e.org/t> .\n";
    let input = Input::NQuads(vec![stream("in.rdf", quads)]);
    let options = LoadOptions { unknown_types: UnknownTypes::Text, ..LoadOptions::default() };
    let notes = load(&*store(), input, options, &mut quiet).unwrap().notes;
    assert!(notes[0].ends_with("were loaded as text: 1 of <http://e.org/t>"), "{notes:?}");
}

#[test]
fn an_edge_list_with_comments_is_loaded_with_a_header_of_its_own() {
    let list = "# Directed graph\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n1\t2\n2\t3\n";
    let header = stream("header.csv", ":START_ID\t:END_ID\n");
    let sources = vec![header, stream("list.txt", list)];
    let kind = Some(TableKind::Relationships(Some("TO".into())));
    let mut options = CsvOptions { create_ends: true, ..CsvOptions::default() };
    (options.dialect.delimiter, options.dialect.comment) = (b'\t', Some(b'#'));
    let input = Input::Csv(vec![TableFiles { kind, ..TableFiles::of(sources) }], options);
    let summary = load(&*store(), input, LoadOptions::default(), &mut quiet).unwrap();
    assert_eq!((summary.vertices, summary.edges, summary.bad_rows), (3, 2, 0));
}
