//! Lists of edges beyond the goldens: nodes of earlier loads, both ways into the store, many blocks, memory,
//! and files without a label.

use crate::dump::dump;
use millrace_ingest::csv::{ColumnType, PlainColumns, PlainRows};
use millrace_ingest::load::{
    BatchOptions, Format, Input, LoadOptions, LoadPath, Summary, UnknownTypes, load,
    load_in_batches, quiet,
};
use millrace_ingest::reading::{Reading, input_of, input_of_files};
use millrace_ingest::rejects::{self, LoadedFile, usual_name};
use millrace_ingest::source::Source;
use millrace_store::{Backend, Store, memory::MemoryBackend};
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

fn graph() -> Arc<dyn Store> {
    MemoryBackend::default().create_graph("g").unwrap()
}

fn said(label: &str, types: &str) -> PlainColumns {
    let rows = PlainRows::said(Some(label), None, Some("E"), None, None).unwrap();
    let types = if types.is_empty() { Vec::new() } else { ColumnType::parse_list(types).unwrap() };
    PlainColumns { rows, types }
}

fn load_text(
    store: &dyn Store,
    (name, text): (&str, &str),
    plain: PlainColumns,
    path: LoadPath,
) -> Result<Summary, String> {
    let source = Source::stream(name, Cursor::new(text.to_owned()));
    let reading = Reading { plain, ..Reading::default() };
    let input = input_of(vec![source], &reading).map_err(|error| error.to_string())?;
    let options = LoadOptions { path, bad_rows_max: 1, ..LoadOptions::default() };
    load(store, input, options, &mut quiet).map_err(|error| error.to_string())
}

#[test]
fn nodes_that_the_graph_has_by_their_ids_are_not_made_again() {
    for path in [LoadPath::Bulk, LoadPath::Transaction] {
        let store = graph();
        load_text(&*store, ("a.el", "1 2\n"), said("N", ""), path).unwrap();
        let second = load_text(&*store, ("b.el", "2 3\n3 1\n"), said("N", ""), path).unwrap();
        assert_eq!((second.vertices, second.edges), (1, 2), "{path:?}");
        let matrix = "%%MatrixMarket matrix coordinate pattern general\n4 4 1\n4 2\n";
        let third = load_text(&*store, ("c.mtx", matrix), said("N", ""), path).unwrap();
        assert_eq!((third.vertices, third.edges), (1, 1), "{path:?}");
        assert_eq!(
            dump(&*store),
            "(1:N {id: 1})\n(2:N {id: 2})\n(3:N {id: 3})\n(4:N {id: 4})\n(1)-[E]->(2)\n(2)-[E]->(3)\n\
             (3)-[E]->(1)\n(4)-[E]->(2)\n",
            "{path:?}"
        );
    }
}

#[test]
fn ids_have_the_key_and_the_type_of_the_nodes_that_are_there() {
    let store = graph();
    let rows = PlainRows::said(Some("P"), Some("name"), None, None, None).unwrap();
    let people = PlainColumns { rows, types: Vec::new() };
    load_text(&*store, ("people.csv", "name,age\n1,20\n2,30\n"), people, LoadPath::Bulk).unwrap();
    let summary =
        load_text(&*store, ("a.el", "1 2\n2 7\n"), said("P", ""), LoadPath::Bulk).unwrap();
    assert_eq!(summary.notes, ["a.el: read as two ids (name:string)"]);
    assert_eq!(
        dump(&*store),
        "(1:P {age: 20, name: \"1\"})\n(2:P {age: 30, name: \"2\"})\n(3:P {name: \"7\"})\n\
         (1)-[E]->(2)\n(2)-[E]->(3)\n"
    );
}

#[test]
fn relationships_of_a_table_find_nodes_of_a_list() {
    let store = graph();
    load_text(&*store, ("a.el", "1 2\n"), said("N", ""), LoadPath::Bulk).unwrap();
    let rows = PlainRows::said(None, None, Some("R"), Some("x"), Some("y(N)")).unwrap();
    let table = PlainColumns { rows, types: Vec::new() };
    let summary = load_text(&*store, ("r.csv", "x,y\n2,1\n"), table, LoadPath::Bulk).unwrap();
    assert_eq!((summary.vertices, summary.edges), (0, 1));
}

/// A list of several blocks, in which nodes come back in other blocks.
fn long_list(edges: u64) -> String {
    let mut text = String::from("# Nodes: 50000\n");
    for edge in 0..edges {
        let (source, target) = (edge * 7919 % 50_000, edge * edge % 49_999);
        text.push_str(&format!("{source}\t{target}\t{}\n", edge % 10));
    }
    text
}

#[test]
fn blocks_that_are_parsed_in_parallel_name_the_same_nodes() {
    let text = long_list(250_000);
    assert!(3 << 20 < text.len(), "several blocks");
    let mut expected = std::collections::BTreeSet::new();
    (0..250_000_u64).for_each(|edge| {
        expected.extend([edge * 7919 % 50_000, edge * edge % 49_999]);
    });
    for path in [LoadPath::Bulk, LoadPath::Transaction] {
        let store = graph();
        let summary = load_text(&*store, ("a.el", &text), said("N", ""), path).unwrap();
        assert_eq!((summary.rows, summary.edges), (250_000, 250_000), "{path:?}");
        assert_eq!(summary.vertices, expected.len() as u64, "{path:?}");
        if path == LoadPath::Transaction {
            continue;
        }
        let text = dump(&*store);
        // The last edge, by the ids of its nodes.
        let node = |id: u64| {
            let line = text.lines().find(|line| line.ends_with(&format!(" {{id: {id}}})")));
            line.unwrap().split(':').next().unwrap().to_owned()
        };
        let edge = 249_999_u64;
        let (source, target) = (edge * 7919 % 50_000, edge * edge % 49_999);
        let line = format!("{})-[E {{weight: 9}}]->{})", node(source), node(target));
        assert!(text.lines().any(|found| found == line), "{path:?}: {line}");
    }
}

#[test]
fn a_column_that_does_not_fit_the_first_rows_is_a_bad_row_with_the_remedy() {
    let text = "1 2 3\n".repeat(10_000) + "1 2 0.5\nx 2 1\n";
    let store = graph();
    let error = load_text(&*store, ("a.el", &text), said("N", ""), LoadPath::Bulk).unwrap_err();
    assert_eq!(
        error,
        "a.el:10002:1: expected a whole number of 64 bits, found 'x'; for ids that are texts say --types \
         'id:string', or --max-bad N to leave such rows out"
    );
    assert_eq!(dump(&*store), "");
    let text = text.replace("x 2 1\n", "");
    let summary = load_text(&*store, ("a.el", &text), said("N", ""), LoadPath::Bulk).unwrap();
    assert_eq!(
        summary.rejects[0].to_string(),
        "a.el:10001:3: weight: expected a whole number of 64 bits, found '0.5'; the first rows made it a long: \
         say --types 'weight:double', or --max-bad N to leave such rows out"
    );
    let typed = said("M", "weight:double");
    let summary = load_text(&*store, ("a.el", &text), typed, LoadPath::Bulk).unwrap();
    assert_eq!((summary.edges, summary.bad_rows), (10_001, 0));
}

#[test]
fn lists_are_recognized_by_their_content_and_named_with_the_words_that_load_them() {
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let input = input_of_files(&[&path], &Reading::default());
        let loaded =
            input.and_then(|input| load(&*graph(), input, LoadOptions::default(), &mut quiet));
        loaded.map(|summary| summary.rows).unwrap_err().to_string()
    };
    let snap = "# Undirected graph\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n";
    let konect = "% bip weighted\n% 2 2 1\n1 1 5\n2 1 3\n";
    let matrix = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n";
    let list = "this is an edge list with 3 nodes and 2 edges: say the label of its nodes and the type of its edges: \
                millrace load … --label LABEL --type TYPE ";
    for (name, text, words) in [
        ("com-x.ungraph.txt", snap, list),
        ("x.tsv", snap, list),
        ("x.edges", "1,2\n", "this is an edge list: say the label"),
        (
            "out.movie",
            konect,
            "this is an edge list of KONECT with 3 nodes and 2 edges, of nodes of two kinds: say the label of its \
             nodes and the type of its edges: millrace load … --label SOURCE,TARGET --type TYPE ",
        ),
        (
            "x.mtx",
            matrix,
            "this is a matrix of Matrix Market with 3 nodes and 2 edges: say the label",
        ),
        (
            "x.txt",
            matrix,
            "this is a matrix of Matrix Market with 3 nodes and 2 edges: say the label",
        ),
        ("x.csv", matrix, "this looks like Matrix Market: use --format mtx"),
        ("x.tgf", "1 a\n2 b\n#\n1 2\n", "TGF is not read: open it in yEd"),
        ("x.adjlist", "a b c\n", "adjacency lists are not read"),
        ("x.graph", "3 2\n2 3\n1\n1\n", "METIS is not read"),
        ("x.gr", "p sp 2 1\na 1 2 5\n", "DIMACS is not read"),
        ("x.txt", "some words\n", "set it by --format"),
    ] {
        let said = message(name, text);
        assert!(said.contains(words), "{name}: {said}");
    }
}

#[test]
fn lists_are_loaded_as_one_commit_and_other_options_are_refused() {
    let source = Source::stream("a.el", Cursor::new("1 2\n"));
    let input = Input::Lists(Format::EdgeList, vec![source], said("N", ""));
    let options = BatchOptions {
        rows: 1,
        bad_rows_max: 0,
        journal: "j".to_owned(),
        resume: false,
        unknown_types: UnknownTypes::Refuse,
    };
    let error = load_in_batches(&*graph(), input, &options, &mut quiet).unwrap_err().to_string();
    assert!(error.contains("load the files as one commit"), "{error}");
    let both = || PlainRows::said(Some("N"), None, Some("E"), Some("a"), Some("b"));
    assert!(both().unwrap_err().to_string().contains("one kind after the other"));
    let error = load_text(&*graph(), ("a.csv", "a,b\n1,2\n"), said("N", ""), LoadPath::Bulk);
    assert!(error.as_ref().unwrap_err().contains("one kind after the other"), "{error:?}");
}

#[test]
fn rejects_of_a_list_are_its_rows_and_those_of_a_matrix_their_reasons() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str, format| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let input = Input::Lists(format, vec![Source::file(&path).unwrap()], said("N", ""));
        let options = LoadOptions { bad_rows_max: 9, ..LoadOptions::default() };
        let summary = load(&*graph(), input, options, &mut quiet).unwrap();
        let out = usual_name(&path, format);
        let bad = rejects::by_file(&summary.rejects, &summary.more_rejects);
        let bad = bad.into_values().next().unwrap();
        rejects::write(&LoadedFile::new(&path, format), &bad, &out).unwrap();
        let name = Path::new(&out).file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(out).unwrap())
    };
    let list = write("a.el", "# x\n1 2\n3\n", Format::EdgeList);
    assert_eq!(list, ("a.rejects.el".to_owned(), "3\n".to_owned()));
    let matrix = "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n3 1\n";
    let (name, text) = write("a.mtx", matrix, Format::MatrixMarket);
    assert_eq!(name, "a.rejects.txt");
    assert!(text.contains("a.mtx:4:1: expected a number from 1 to 2, found 3"), "{text}");
}
