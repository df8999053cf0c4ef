//! Guarantees of a load beyond its rows: all or nothing, progress, loading again.

use crate::dump::dump;
use millrace_ingest::csv::{CsvOptions, Dialect, NamedTable, TableFiles, TableKind};
use millrace_ingest::error::LoadError;
use millrace_ingest::load::{Format, Input, LoadOptions, LoadPath, Phase, load, quiet};
use millrace_ingest::nquads::{Object, escape_into, parse_line};
use millrace_ingest::reading::{Reading, input_of, input_of_files};
use millrace_ingest::rejects::{self, LoadedFile};
use millrace_ingest::source::Source;
use millrace_model::ErrorKind;
use millrace_store::{Backend, Store, memory::MemoryBackend};
use millrace_testkit::run_seeds;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn graph() -> Arc<dyn Store> {
    MemoryBackend::default().create_graph("g").unwrap()
}

fn stream(name: &str, text: &str) -> Source {
    Source::stream(name, Cursor::new(text.to_string()))
}

fn load_quads(store: &dyn Store, text: &str) -> Result<(u64, u64), LoadError> {
    let input = Input::NQuads(vec![stream("in.rdf", text)]);
    let summary = load(store, input, LoadOptions::default(), &mut quiet)?;
    Ok((summary.vertices, summary.edges))
}

#[test]
fn any_text_goes_through_an_escape_and_back() {
    run_seeds(200, |_, rng| {
        let pool = ['"', '\\', '\n', '\r', '\t', '\u{8}', '\u{1f}', '\u{7f}', 'é', '語', '😀', '.'];
        let text: String = (0..rng.index(40))
            .map(|_| match rng.chance(0.5) {
                true => pool[rng.index(pool.len())],
                false => char::from_u32(rng.below(0x11_0000) as u32).unwrap_or('x'),
            })
            .collect();
        let mut line = String::from("<s> <p> \"");
        escape_into(&text, &mut line);
        line.push_str("\"@en (k=1) .");
        let quad = parse_line(&line).unwrap().unwrap();
        let Object::Literal(literal) = quad.object else { panic!("a literal, from {line}") };
        assert_eq!((literal.text.as_ref(), literal.language), (text.as_str(), Some("en")));
        assert!(!line.contains(['\n', '\r']));
    });
}

#[test]
fn a_line_cut_anywhere_is_an_error_and_never_a_panic() {
    let whole = "<a\\u0041> <p> \"q\\\"\\u00E9é\"^^<xs:string> (k=1.5, s=\"x\") <g> .";
    assert!(parse_line(whole).unwrap().is_some());
    for end in (1..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        let fault = parse_line(&whole[..end]).unwrap_err();
        assert!(fault.at <= end && whole.is_char_boundary(fault.at), "{end}: {fault:?}");
    }
}

#[test]
fn any_bytes_are_loaded_or_refused_row_by_row() {
    let pieces: [&[u8]; 24] = [
        b"<a>",
        b"<b>",
        b"_:x",
        b"\"t\"",
        b"@en",
        b"^^<xs:int>",
        b"^^<xs:date>",
        b"(k=1)",
        b" ",
        b".",
        b" .\n",
        b"\n",
        b"\r\n",
        b"\"",
        b"\\",
        b"\\u00",
        b"<",
        b">",
        b"*",
        b",",
        b";",
        b"7",
        b"\xff",
        "é".as_bytes(),
    ];
    run_seeds(300, |_, rng| {
        let count = rng.index(60);
        let bytes: Vec<u8> = (0..count).flat_map(|_| pieces[rng.index(24)]).copied().collect();
        let source =
            |head: &str| Source::stream("in", Cursor::new([head.as_bytes(), &bytes].concat()));
        let options = LoadOptions { bad_rows_max: u64::MAX, ..LoadOptions::default() };
        let check = |input| {
            let summary = load(&*graph(), input, options, &mut quiet).unwrap();
            assert_eq!(summary.bad_rows, summary.rejects.len() as u64);
            assert!(summary.rejects.iter().all(|row| 1 <= row.line && 1 <= row.column));
        };
        check(Input::NQuads(vec![source("")]));
        for create_ends in [false, true] {
            let nodes = TableFiles::of(vec![source("id:ID,n:int[],:LABEL\n")]);
            let edges = TableFiles::of(vec![source(":START_ID,:END_ID,:TYPE\n")]);
            let csv_options = CsvOptions { create_ends, ..CsvOptions::default() };
            check(Input::Csv(vec![edges, nodes], csv_options));
        }
    });
}

#[test]
fn a_name_that_the_graph_has_is_the_same_vertex() {
    let store = graph();
    let first = "<a> <name> \"A\" .\n<a> <knows> <b> (w=1) .\n<a> <dgraph.type> \"P\" .\n";
    assert_eq!(load_quads(&*store, first).unwrap(), (2, 1));
    let second = "<a> <age> \"7\"^^<xs:int> .\n<a> <name> \"B\" .\n<a> <dgraph.type> \"Q\" .\n\
                  <a> <knows> <b> (w=2) .\n<b> <knows> <c> .\n<c> <knows> <a> (w=3) .\n";
    assert_eq!(load_quads(&*store, second).unwrap(), (1, 2));
    assert_eq!(
        dump(&*store),
        "(1:Resource {xid: \"b\"})\n(2:P:Q {age: 7, name: \"B\", xid: \"a\"})\n\
         (3:Resource {xid: \"c\"})\n(1)-[knows]->(3)\n(2)-[knows {w: 2}]->(1)\n\
         (3)-[knows {w: 3}]->(2)\n"
    );
    let again = || {
        let input =
            Input::NQuads(vec![stream("in.rdf", "<a> <name> \"C\" .\n<b> <age> \"1\" .\n")]);
        load(&*store, input, LoadOptions::default(), &mut quiet).unwrap().notes
    };
    let before = dump(&*store);
    assert_eq!(load_quads(&*store, second).unwrap(), (0, 0));
    assert_eq!(dump(&*store), before, "a load run again changes nothing");
    assert_eq!(again(), ["1 values of nodes replaced others that the graph had"]);
    assert!(again().is_empty());
}

#[test]
fn bytes_that_are_not_text_are_a_bad_row_and_not_the_end() {
    let bytes = b"<a> <p> <b> .\n<a> <p> \"\xff\" .\n<a> <n> \"\xef\xbf\xbd\" .\n".to_vec();
    let input = Input::NQuads(vec![Source::stream("in.rdf", Cursor::new(bytes))]);
    let options = LoadOptions { bad_rows_max: 1, ..LoadOptions::default() };
    let summary = load(&*graph(), input, options, &mut quiet).unwrap();
    assert_eq!((summary.rows, summary.bad_rows), (2, 1));
    let expected = "in.rdf:2:10: expected UTF-8 text, found other bytes: convert the file";
    assert_eq!(summary.rejects[0].to_string(), expected);
}

#[test]
fn one_bad_row_more_than_allowed_is_named() {
    let text = "bad\n<a> <p> <b> .\nworse\n";
    let store = graph();
    let run = |bad_rows_max| {
        let input = Input::NQuads(vec![stream("in.rdf", text)]);
        load(&*store, input, LoadOptions { bad_rows_max, ..LoadOptions::default() }, &mut quiet)
    };
    let error = run(1).unwrap_err();
    assert!(error.to_string().starts_with("in.rdf:3:1: expected a subject"), "{error}");
    assert_eq!(millrace_model::Error::from(error).kind, ErrorKind::BadInput);
    assert_eq!(dump(&*store), "");
    assert_eq!(run(2).unwrap().bad_rows, 2);
}

#[test]
fn a_bad_row_far_into_a_file_is_named_by_its_line() {
    let options = LoadOptions { bad_rows_max: 1, ..LoadOptions::default() };
    let (before, after) = (90_000, 60_000);
    let quads = ["<a> <p> <b> . # padding\n".repeat(before), "<a> <p> <c> .\n".repeat(after)];
    let input = Input::NQuads(vec![stream("in.rdf", &quads.join("<a> <p> ? .\n"))]);
    let summary = load(&*graph(), input, options, &mut quiet).unwrap();
    assert_eq!((summary.rejects[0].line, summary.rejects[0].column), (90_001, 9));

    let nodes = |first: usize, count: usize| -> String {
        (first..first + count).map(|id| format!("{id},\"a\nname\"\n")).collect()
    };
    let rows = [nodes(0, before), nodes(before, after)].join("\"x\",1,2\n");
    let table = TableFiles::of(vec![stream("n.csv", &format!(":ID,name\n{rows}"))]);
    let dialect = Dialect { multiline: true, ..Dialect::default() };
    let input = Input::Csv(vec![table], CsvOptions { dialect, ..CsvOptions::default() });
    let summary = load(&*graph(), input, options, &mut quiet).unwrap();
    assert_eq!((summary.rejects[0].line, summary.rejects[0].column), (180_002, 3));
    assert_eq!(summary.vertices, 150_000);
}

#[test]
fn a_caller_that_stops_a_load_leaves_the_graph_as_it_was() {
    for stop_in in [Phase::Reading, Phase::Storing] {
        let store = graph();
        let input = Input::NQuads(vec![stream("in.rdf", "<a> <p> <b> .\n")]);
        let mut stop = |progress: &millrace_ingest::load::Progress| match progress.phase == stop_in
        {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let stopped = load(&*store, input, LoadOptions::default(), &mut stop);
        assert!(matches!(stopped, Err(LoadError::Cancelled)));
        assert_eq!(dump(&*store), "");
    }
}

#[test]
fn progress_counts_bytes_rows_and_stored_elements() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.rdf");
    let text = "<a> <p> <b> .\n".repeat(200_000);
    std::fs::write(&path, &text).unwrap();
    let input = input_of_files(&[&path], &Reading::default()).unwrap();
    let mut seen = Vec::new();
    let mut note = |progress: &millrace_ingest::load::Progress| {
        seen.push(progress.clone());
        ControlFlow::Continue(())
    };
    load(&*graph(), input, LoadOptions::default(), &mut note).unwrap();
    let total = text.len() as u64;
    assert!(seen.is_sorted_by_key(|progress| (progress.rows, progress.bytes)));
    assert!(seen.iter().all(|progress| progress.bytes_total == Some(total)));
    let last = seen.last().unwrap();
    assert_eq!((last.bytes, last.rows, last.vertices, last.edges), (total, 200_000, 2, 1));
}

#[test]
fn a_header_may_have_its_own_file_and_an_option_states_the_kind() {
    let store = graph();
    let nodes = TableFiles {
        kind: Some(TableKind::Nodes(vec!["P".into()])),
        ..TableFiles::of(vec![
            stream("h.csv", "id:ID"),
            stream("1.csv", "a\n"),
            stream("2.csv", "b\r\n"),
        ])
    };
    let edges = TableFiles {
        kind: Some(TableKind::Relationships(Some("R".into()))),
        ..TableFiles::of(vec![stream("r.csv", ":START_ID,:END_ID\na,b\nb,x\n")])
    };
    let input = Input::Csv(vec![edges, nodes], CsvOptions::default());
    let options = LoadOptions { bad_rows_max: 9, ..LoadOptions::default() };
    let summary = load(&*store, input, options, &mut quiet).unwrap();
    let dumped = "(1:P {id: \"a\"})\n(2:P {id: \"b\"})\n(1)-[R]->(2)\n";
    assert_eq!(dump(&*store), dumped);
    let reject = "r.csv:3:2: :END_ID: no node of this load has the id 'x'";
    assert_eq!(summary.rejects[0].to_string(), reject);
}

#[test]
fn tables_are_named_on_the_command_line_as_neo4j_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (header, rows) = (file("h.csv", "id:ID\n"), file("n=1.csv", "a\nb\n"));
    let ends = file("r.csv", ":START_ID,:END_ID\na,b\n");
    let store = graph();
    let tables = vec![
        NamedTable::relationships(&format!("R={ends}")).unwrap(),
        NamedTable::nodes(&format!("P:Q={header},{rows}")).unwrap(),
    ];
    let reading = Reading { tables, ..Reading::default() };
    let paths = [ends, header, rows].map(PathBuf::from);
    let input = input_of_files(&paths.each_ref().map(PathBuf::as_path), &reading).unwrap();
    load(&*store, input, LoadOptions::default(), &mut quiet).unwrap();
    let dumped = "(1:P:Q {id: \"a\"})\n(2:P:Q {id: \"b\"})\n(1)-[R]->(2)\n";
    assert_eq!(dump(&*store), dumped);
    let missing = input_of_files(&[], &reading).err().unwrap().to_string();
    assert!(missing.contains("a table names this file"), "{missing}");
}

#[test]
fn rejects_of_a_table_in_parts_have_its_header_and_all_lines_of_their_rows() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let header = file("h.csv", "id:ID|n:int\n");
    let part = file("1.csv", "a|1\r\n\n\"b\nB\"|x\n\"c|\nC\"|3\n\"d\n\nD\"|y");
    let dialect = Dialect { delimiter: b'|', multiline: true, ..Dialect::default() };
    let reading = |files: &[&PathBuf]| Reading {
        csv: CsvOptions { dialect, ..CsvOptions::default() },
        tables: vec![NamedTable {
            kind: TableKind::Nodes(vec!["P".into()]),
            files: files.iter().map(|file| file.display().to_string()).collect(),
        }],
        ..Reading::default()
    };
    let store = graph();
    let load_parts = |files: &[&PathBuf]| {
        let paths: Vec<&Path> = files.iter().map(|file| file.as_path()).collect();
        let input = input_of_files(&paths, &reading(files)).unwrap();
        let options = LoadOptions { bad_rows_max: 9, ..LoadOptions::default() };
        load(&*store, input, options, &mut quiet).unwrap()
    };
    let summary = load_parts(&[&header, &part]);
    assert_eq!((summary.vertices, summary.bad_rows), (2, 2), "{:?}", summary.rejects);
    let loaded = LoadedFile { path: part, format: Format::Csv, dialect, header: Some(header) };
    let bad = rejects::by_file(&summary.rejects, &summary.more_rejects);
    let out = folder.path().join("out.csv");
    rejects::write(&loaded, bad.values().next().unwrap(), &out).unwrap();
    let rows = std::fs::read_to_string(&out).unwrap();
    assert_eq!(rows, "id:ID|n:int\n\"b\nB\"|x\n\"d\n\nD\"|y\n");
    let reasons = std::fs::read_to_string(rejects::reasons_path(&out)).unwrap();
    let lines: Vec<_> = reasons.lines().map(|line| line.split_once(':').unwrap().0).collect();
    assert_eq!(lines, ["2", "4"]);
    std::fs::write(&out, rows.replace("|x", "|7").replace("|y", "|8")).unwrap();
    assert_eq!(load_parts(&[&out]).vertices, 2);
    assert_eq!(dump(&*store).matches(":P {").count(), 4);
}

#[test]
fn csv_options_are_refused_for_other_formats_and_when_they_contradict_each_other() {
    let refuse = |names: &[&str], reading: &Reading| {
        let sources = names.iter().map(|name| stream(name, "")).collect();
        input_of(sources, reading).err().unwrap().to_string()
    };
    let csv = CsvOptions { create_ends: true, ..CsvOptions::default() };
    let ends = Reading { csv, ..Reading::default() };
    assert!(refuse(&["x.nq"], &ends).contains("created ends"));
    let tables = vec![NamedTable::nodes("a.csv,a.csv").unwrap()];
    let table = Reading { tables, ..Reading::default() };
    assert!(refuse(&["a.csv", "x.nq"], &table).contains("cannot mix formats"));
    assert!(refuse(&["a.csv"], &table).contains("a.csv: a table names this file"));
    let of_quads = Reading { format: Some(Format::NQuads), ..table };
    assert!(refuse(&["a.csv"], &of_quads).contains("are options of CSV"));
    let dialect = Dialect { delimiter: b';', ..Dialect::default() };
    let csv = CsvOptions { dialect, ..CsvOptions::default() };
    assert!(refuse(&["a.csv"], &Reading { csv, ..Reading::default() }).contains("choose another"));
    assert!(
        Format::parse("xml")
            .unwrap_err()
            .to_string()
            .contains("nquads, dgraph (JSON, with --schema), csv, graphson")
    );
}

#[test]
fn both_ways_into_the_store_make_the_same_graph() {
    let text = "<a> <name> \"A\" .\n<a> <knows> <b> (w=1) .\n<b> <knows> <a> .\n";
    let csv = [":ID,:LABEL\na,P\nb,Q\n", ":START_ID,:END_ID,:TYPE\na,b,R\nb,a,S\n"];
    let run = |path, is_csv: bool| {
        let tables = csv.map(|text| TableFiles::of(vec![stream("t.csv", text)]));
        let input = match is_csv {
            true => Input::Csv(tables.into(), CsvOptions::default()),
            false => Input::NQuads(vec![stream("in.rdf", text)]),
        };
        let store = graph();
        let options = LoadOptions { path, ..LoadOptions::default() };
        load(&*store, input, options, &mut quiet).unwrap();
        dump(&*store)
    };
    for is_csv in [true, false] {
        let bulk = run(LoadPath::Bulk, is_csv);
        assert_eq!(bulk.lines().count(), 4);
        assert_eq!(run(LoadPath::Transaction, is_csv), bulk);
    }
}

#[test]
fn ids_of_csv_nodes_are_unique_in_the_graph_under_each_label() {
    let store = graph();
    let run = |text: &str| {
        let input =
            Input::Csv(vec![TableFiles::of(vec![stream("n.csv", text)])], CsvOptions::default());
        load(&*store, input, LoadOptions::default(), &mut quiet)
    };
    run("id:ID,:LABEL\na,P\n").unwrap();
    let refused = millrace_model::Error::from(run("id:ID,:LABEL\nb,P\na,P\n").unwrap_err());
    assert_eq!(refused.kind, ErrorKind::BadInput, "{refused}");
    assert_eq!(dump(&*store), "(1:P {id: \"a\"})\n");
    assert_eq!(run("id:ID,:LABEL\na,Q\n").unwrap().vertices, 1);
}

#[test]
fn formats_are_known_by_name_and_never_guessed() {
    let format = |name: &str| Format::of_path(Path::new(name));
    assert_eq!(format("x/films.rdf.gz"), Some(Format::NQuads));
    assert_eq!(format("a.b.csv"), Some(Format::Csv));
    assert_eq!(format("films.gz"), None);
    let refuse = |names: &[&str]| {
        let paths: Vec<_> = names.iter().map(Path::new).collect();
        input_of_files(&paths, &Reading::default()).err().unwrap().to_string()
    };
    assert!(Reading::default().format_of(["x.txt"]).unwrap_err().to_string().contains("--format"));
    assert!(refuse(&["x.txt"]).starts_with("x.txt: "), "it is asked what it holds");
    assert!(refuse(&["x.nq", "y.csv"]).contains("cannot mix formats"));
    assert!(refuse(&["missing-file.nq"]).starts_with("missing-file.nq: "));
    assert!(refuse(&[]).contains("no file"));
}

/// Loads one table of nodes labelled P; gives the graph and the bad rows.
fn load_people(text: &str) -> (String, Vec<String>) {
    load_table(TableKind::Nodes(vec!["P".into()]), text, CsvOptions::default()).unwrap()
}

fn load_table(
    kind: TableKind,
    text: &str,
    options: CsvOptions,
) -> Result<(String, Vec<String>), LoadError> {
    let store = graph();
    let table = TableFiles { kind: Some(kind), ..TableFiles::of(vec![stream("in.csv", text)]) };
    let bad_rows_max = LoadOptions { bad_rows_max: 9, ..LoadOptions::default() };
    let summary = load(&*store, Input::Csv(vec![table], options), bad_rows_max, &mut quiet)?;
    let bad = summary.rejects.iter().map(|row| format!("{}:{}", row.line, row.column)).collect();
    Ok((dump(&*store), bad))
}

#[test]
fn a_lone_carriage_return_costs_its_row_and_no_other_silently() {
    let (dumped, bad) = load_people(":ID,s\n1,a\r2,b\r3,c\n4,d\n");
    assert_eq!((dumped.as_str(), bad), ("(1:P {s: \"d\"})\n", vec!["2:2".to_string()]));
    let error = load_table(TableKind::Nodes(vec![]), ":ID,s\r1,a\r", CsvOptions::default());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("a carriage return stands alone"), "{error}");
}

#[test]
fn an_empty_text_in_quotes_is_a_value_and_an_empty_field_is_none() {
    let (dumped, bad) = load_people("k:ID,t,n:int,c:string[]\n1,\"\",\"\",\"\"\n2,,,\n");
    assert_eq!(dumped, "(1:P {k: \"1\", t: \"\"})\n(2:P {k: \"2\"})\n");
    assert!(bad.is_empty(), "{bad:?}");
}

#[test]
fn headers_are_read_in_any_case_and_their_faults_named() {
    let (dumped, _) = load_people(":id,S:STRING,n:Int,b:Boolean,:label\n1,a,5,true,Q\n");
    assert_eq!(dumped, "(1:P:Q {S: \"a\", b: true, n: 5})\n");
    let (dumped, bad) = load_people(":ID,s,\n1,x,\n2,y,z\n");
    assert_eq!((dumped.as_str(), bad), ("(1:P {s: \"x\"})\n", vec!["3:3".to_string()]));
    let (dumped, _) = load_people(":ID,i:byte,h:short,n:int\n1,300,70000,99999999999\n");
    assert_eq!(dumped, "(1:P {h: 70000, i: 300, n: 99999999999})\n");
    let refuse = |header: &str| {
        let rows = format!("{header}\n1,a,b\n");
        let refused = load_table(TableKind::Nodes(vec![]), &rows, CsvOptions::default());
        refused.unwrap_err().to_string()
    };
    assert!(refuse("id:ID:int,s,t").contains("'id:ID:int' has two types"));
    assert!(refuse("a:ID(A),b:ID(B),s").contains("an id of several fields is not read"));
}

#[test]
fn quads_of_older_exports_and_of_every_w3c_datatype_are_read() {
    let quads = "<a> <v> \"a\\vb\" .\n<a> <x> \"\\x02b\" .\n<a> <n> \"-5\"^^<xs:negativeInteger> .\n\
                 <a> <h> \"0F\"^^<xs:hexBinary> .\n<a> <d> \"---05\"^^<xs:gDay> .\n\
                 <a> <e> <b> (note=, m=0x0D) .\n";
    let store = graph();
    load_quads(&*store, quads).unwrap();
    let dumped = dump(&*store);
    for part in [r#"v: "a\u{b}b""#, r#"x: "\u{2}b""#, "n: -5", r#"h: "0F""#, r#"d: "---05""#] {
        assert!(dumped.contains(part), "{part}: {dumped}");
    }
    assert!(dumped.contains("m: 13") && dumped.contains(r#"note: """#), "{dumped}");
    let refused = load_quads(&*graph(), "uid  ( v ) <p> \"v\" .\n").unwrap_err().to_string();
    assert!(refused.contains("belongs to an upsert"), "{refused}");
}

#[test]
fn rejects_of_graphml_are_their_reasons_since_an_element_is_no_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.graphml");
    let text =
        "<graphml><graph>\n<node/>\n<node id=\"1\"/><edge source=\"1\"/></graph></graphml>\n";
    std::fs::write(&path, text).unwrap();
    let input = input_of_files(&[&path], &Reading::default()).unwrap();
    let options = LoadOptions { bad_rows_max: 9, ..LoadOptions::default() };
    let summary = load(&*graph(), input, options, &mut quiet).unwrap();
    assert_eq!((summary.vertices, summary.bad_rows), (1, 2));
    let out = rejects::usual_name(&path, Format::GraphMl);
    assert!(out.ends_with("g.rejects.txt"));
    let file = LoadedFile::new(&path, Format::GraphMl);
    for (_, bad) in rejects::by_file(&summary.rejects, &summary.more_rejects) {
        rejects::write(&file, &bad, &out).unwrap();
    }
    let written = std::fs::read_to_string(&out).unwrap();
    assert!(written.contains(":2:1: a <node> without an id\n"), "{written}");
    assert!(written.contains(":3:1: an <edge> without a target\n"), "{written}");
}
