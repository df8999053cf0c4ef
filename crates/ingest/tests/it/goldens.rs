//! Text files in, graph and rejects out. A case's input is one or more files; `=== name` begins one.
//! The block `options` lists the options that are not default.

use crate::dump::dump;
use millrace_ingest::csv::{
    ColumnType, CsvOptions, Dialect, NullWord, PlainColumns, PlainRows, TableFiles,
};
use millrace_ingest::load::{Format, Input, LoadOptions, LoadPath, UnknownTypes, load, quiet};
use millrace_ingest::source::Source;
use millrace_store::{Backend, memory::MemoryBackend};
use millrace_testkit::golden::{Case, check_folder};
use std::fmt::Write;
use std::io::Cursor;
use std::path::Path;

#[test]
fn files_become_the_graphs_that_the_goldens_show() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens");
    check_folder(folder, run);
}

fn run(case: &Case) -> String {
    let options: Vec<_> = case.part("options").unwrap_or_default().split_whitespace().collect();
    let folder = case.file.parent().and_then(Path::file_name).unwrap_or_default();
    let format = Format::from_word(&folder.to_string_lossy()).unwrap();
    let default_name = match format {
        Format::Csv => "in.csv",
        Format::NQuads => "in.rdf",
        Format::GraphSon => "in.json",
        Format::GraphMl => "in.graphml",
        Format::EdgeList => "in.el",
        Format::MatrixMarket => "in.mtx",
        Format::Parquet => unreachable!("Parquet is no text"),
        Format::DgraphJson => unreachable!("it has a schema, and goldens of its own"),
    };
    let sources = sources(&case.input, default_name);
    let input = match format {
        Format::Csv => {
            let tables = sources.into_iter().map(|source| TableFiles::of(vec![source])).collect();
            Input::Csv(tables, csv_options(&options))
        }
        Format::NQuads => Input::NQuads(sources),
        Format::GraphSon => Input::GraphSon(sources),
        Format::GraphMl => Input::GraphMl(sources),
        Format::EdgeList | Format::MatrixMarket => {
            Input::Lists(format, sources, list_columns(&options))
        }
        Format::Parquet => unreachable!("Parquet is no text"),
        Format::DgraphJson => unreachable!("it has a schema, and goldens of its own"),
    };
    let backend = MemoryBackend::default();
    let store = backend.create_graph("g").unwrap();
    let bad_rows_max = if options.contains(&"strict") { 0 } else { u64::MAX };
    let path = match options.contains(&"transaction") {
        true => LoadPath::Transaction,
        false => LoadPath::Bulk,
    };
    let unknown_types =
        match options.iter().find_map(|option| option.strip_prefix("unknown-types=")) {
            Some(word) => UnknownTypes::parse(word).unwrap(),
            None => UnknownTypes::Refuse,
        };
    let load_options = LoadOptions { bad_rows_max, path, unknown_types };
    match load(&*store, input, load_options, &mut quiet) {
        Err(error) => format!("error: {error}\n{}", dump(&*store)),
        Ok(summary) => {
            let mut text = dump(&*store);
            summary.rejects.iter().for_each(|row| writeln!(text, "bad {row}").unwrap());
            summary.notes.iter().for_each(|note| writeln!(text, "note {note}").unwrap());
            let (rows, bad) = (summary.rows, summary.bad_rows);
            let (vertices, edges) = (summary.vertices, summary.edges);
            writeln!(text, "rows {rows}, bad {bad}, vertices {vertices}, edges {edges}").unwrap();
            text
        }
    }
}

pub(crate) fn sources(input: &str, default_name: &str) -> Vec<Source> {
    let mut files: Vec<(&str, String)> = Vec::new();
    for line in input.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix("=== ") {
            files.push((name.trim(), String::new()));
            continue;
        }
        if files.is_empty() {
            files.push((default_name, String::new()));
        }
        if let Some((_, text)) = files.last_mut() {
            text.push_str(line);
        }
    }
    files.into_iter().map(|(name, text)| Source::stream(name, Cursor::new(text))).collect()
}

/// Of lists: `label=N`, `type=E`, `types=…`.
fn list_columns(words: &[&str]) -> PlainColumns {
    let said = |name: &str| words.iter().find_map(|word| word.strip_prefix(name));
    let rows = PlainRows::said(said("label="), said("id="), said("type="), None, None).unwrap();
    let types = said("types=").map_or_else(Vec::new, |list| ColumnType::parse_list(list).unwrap());
    PlainColumns { rows, types }
}

fn csv_options(words: &[&str]) -> CsvOptions {
    let mut options = CsvOptions::default();
    for word in words {
        match *word {
            "create-ends" => options.create_ends = true,
            "multiline" => options.dialect.multiline = true,
            "pipes" => options.dialect = Dialect { delimiter: b'|', ..options.dialect },
            "strict" | "lenient" | "transaction" => {}
            "comments" => options.dialect.comment = Some(b'#'),
            "single-quotes" => options.dialect.quote = b'\'',
            "null" => options.dialect.null = Some(NullWord::parse("\\N").unwrap()),
            "ignore-empty" => options.dialect.ignore_empty_strings = true,
            other => panic!("unknown option {other}"),
        }
    }
    options
}
