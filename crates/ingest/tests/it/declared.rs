//! Loads under a schema: goldens, the ids that uids become, and loads after loads.

use crate::dump::dump;
use crate::goldens::sources;
use millrace_ingest::declared::{DeclaredKind, DeclaredPredicate, DeclaredSchema};
use millrace_ingest::load::{BatchOptions, Format, Input, LoadOptions, LoadPath, Summary};
use millrace_ingest::load::{UnknownTypes, load, load_in_batches, quiet};
use millrace_store::{Backend, Elements, ScanCursor, Store, memory::MemoryBackend};
use millrace_testkit::golden::{Case, check_folder};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// A line for each predicate: `name: [string] lang`.
fn schema(text: &str) -> Arc<DeclaredSchema> {
    let predicate = |line: &str| {
        let (name, rest) = line.split_once(": ").unwrap();
        let mut words = rest.split(' ');
        let kind = words.next().unwrap();
        let (is_list, kind) = (kind.starts_with('['), kind.trim_matches(['[', ']']));
        let kind = DeclaredKind::of_name(kind).unwrap();
        let has_languages = words.next() == Some("lang");
        DeclaredPredicate { name: name.into(), kind, is_list, has_languages }
    };
    Arc::new(DeclaredSchema::new(text.lines().map(predicate), 0))
}

fn input(format: Format, text: &str, schema: &Arc<DeclaredSchema>) -> Input {
    Input::Declared(format, sources(text, "in"), Arc::clone(schema))
}

/// The uid of each vertex, or 0 where it has none of its own: by place, as a dump has them.
fn ids(store: &dyn Store) -> Vec<u64> {
    let (snapshot, mut vertices) = (store.snapshot().unwrap(), Vec::new());
    let mut cursor = ScanCursor::default();
    while !cursor.finished {
        snapshot.scan_vertices(None, &mut cursor, 1000, &mut vertices).unwrap();
    }
    let external = snapshot.external_ids(&vertices).unwrap();
    external.unwrap_or_else(|| vertices.iter().map(|vertex| vertex.0).collect())
}

#[test]
fn files_under_a_schema_become_the_graphs_that_the_goldens_show() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/declared");
    check_folder(folder, |case: &Case| {
        let is_json = case.file.ends_with("json.md");
        let format = if is_json { Format::DgraphJson } else { Format::NQuads };
        let store = MemoryBackend::default().create_graph("g").unwrap();
        let schema = schema(case.part("schema").unwrap_or_default());
        let options = LoadOptions { bad_rows_max: u64::MAX, ..LoadOptions::default() };
        let mut text = String::new();
        // Each part `later` is a load of its own into the same graph.
        let parts = [Some(&*case.input), case.part("later")];
        for part in parts.into_iter().flatten() {
            match load(&*store, input(format, part, &schema), options, &mut quiet) {
                Err(error) => writeln!(text, "error: {error}").unwrap(),
                Ok(summary) => show(&summary, &mut text),
            }
        }
        format!("{}ids {:?}\n{text}", dump(&*store), ids(&*store))
    });
}

fn show(summary: &Summary, text: &mut String) {
    summary.rejects.iter().for_each(|row| writeln!(text, "bad {row}").unwrap());
    summary.notes.iter().for_each(|note| writeln!(text, "note {note}").unwrap());
    for own in &summary.undeclared {
        let kind = own.kind.name();
        let (list, lang) = (own.is_list, own.has_languages);
        writeln!(text, "undeclared {}: {kind}, list {list}, lang {lang}", own.name).unwrap();
    }
    let Summary { rows, bad_rows, vertices, edges, .. } = summary;
    writeln!(text, "rows {rows}, bad {bad_rows}, vertices {vertices}, edges {edges}").unwrap();
}

const MIXED: &str = "<0x5> <name> \"five\" .\n<7> <name> \"seven\" .\n_:a <name> \"a\" .\n\
                     <0x4000000000> <name> \"far\" .\n<0x5> <friend> <0x9> .\n<m.1> <name> \"m\" .\n";

/// After a load, no id that the store gives is one that a file named, nor below the highest.
#[test]
fn automatic_ids_are_behind_the_highest_uid_of_the_store() {
    let store = MemoryBackend::default().create_graph("g").unwrap();
    let schema = schema("name: string\nfriend: [uid]");
    let options = LoadOptions::default();
    load(&*store, input(Format::NQuads, MIXED, &schema), options, &mut quiet).unwrap();
    let mut found = ids(&*store);
    found.sort_unstable();
    let (own, far) = (found[..found.len() - 1].to_vec(), found[found.len() - 1]);
    assert_eq!((own.len(), far), (5, 0x40_0000_0000));
    assert_eq!(own[..3], [5, 7, 9]);
    assert!(own[3..].iter().all(|id| 9 < *id), "a blank node and a name are behind: {own:?}");
    let next = store.lease_vertices(3).unwrap().remove(0).start;
    assert!(own.iter().all(|id| *id < next), "{next} and {own:?}");
    // The same files again change nothing.
    let before = dump(&*store);
    let named = MIXED.replace("_:a <name> \"a\" .\n", "");
    let again = input(Format::NQuads, &named, &schema);
    let summary = load(&*store, again, options, &mut quiet).unwrap();
    assert_eq!((summary.vertices, summary.edges), (0, 0));
    assert_eq!(dump(&*store), before);
}

/// Both ways into a store make the same graph, and batches are refused: a node could get a uid of a later line.
#[test]
fn each_way_makes_the_same_graph_and_batches_are_refused() {
    let schema = schema("name: string lang\nfriend: [uid]\nalias: [string]\nboss: uid\nage: int");
    let text = "<0x1> <name> \"one\" (k=1) .\n_:b <alias> \"x\" (k=2) .\n_:b <alias> \"y\" .\n\
                <0x1> <boss> <0x2> .\n<0x2> <age> \"3\" .\n<0x1> <friend> _:b .\n_:b <alias> \"x\" .\n\
                <0x1> <boss> <0x3> .\n<0x1> <name> \"uno\" .\n<n> <name> \"n\"@en .\n<0x3> <friend> <n> .\n";
    let shown = |store: &dyn Store| {
        let mut lines: Vec<String> =
            crate::dump::by_name(store).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let whole = MemoryBackend::default().create_graph("g").unwrap();
    for path in [LoadPath::Bulk, LoadPath::Transaction] {
        let store = MemoryBackend::default().create_graph("g").unwrap();
        let options = LoadOptions { path, ..LoadOptions::default() };
        load(&*store, input(Format::NQuads, text, &schema), options, &mut quiet).unwrap();
        if path == LoadPath::Bulk {
            load(&*whole, input(Format::NQuads, text, &schema), options, &mut quiet).unwrap();
        }
        assert_eq!(shown(&*store), shown(&*whole));
    }
    assert!(shown(&*whole).iter().any(|line| line.contains("alias: values(\"x\", \"y\")")));
    let lines = input(Format::NQuads, text, &schema);
    let options = BatchOptions {
        rows: 1,
        bad_rows_max: 0,
        journal: "j".into(),
        resume: false,
        unknown_types: UnknownTypes::Refuse,
    };
    let refused = load_in_batches(&*whole, lines, &options, &mut quiet).unwrap_err().to_string();
    assert!(refused.contains("under a schema can't be in batches"), "{refused}");
}

/// Objects without a uid are nodes of their own, also in two blocks that begin on one line.
#[test]
fn objects_without_uid_are_nodes_of_their_own_in_every_block() {
    let schema = schema("name: string");
    let count = 100_000;
    let objects: Vec<String> =
        (0..count).map(|number| format!("{{\"name\":\"number {number}\"}}")).collect();
    let text = format!("[{}]", objects.join(","));
    let store = MemoryBackend::default().create_graph("g").unwrap();
    let input = input(Format::DgraphJson, &text, &schema);
    let summary = load(&*store, input, LoadOptions::default(), &mut quiet).unwrap();
    assert_eq!((summary.rows, summary.vertices), (count, count));
    let snapshot = store.snapshot().unwrap();
    let (mut vertices, mut cursor) = (Vec::new(), ScanCursor::default());
    while !cursor.finished {
        snapshot.scan_vertices(None, &mut cursor, 1000, &mut vertices).unwrap();
    }
    let key = snapshot.catalog().key("name").unwrap();
    let names = snapshot.gather(Elements::Vertices(&vertices), &[key]).unwrap().remove(0);
    let names: std::collections::HashSet<_> = (0..names.len()).map(|row| names.get(row)).collect();
    assert_eq!(names.len(), vertices.len());
}
