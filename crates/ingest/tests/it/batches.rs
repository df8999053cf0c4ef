//! Loads in batches: the same graph as in one commit, whatever the size of a batch and wherever
//! the load was cut off; and rejects that load again.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use millrace_ingest::csv::{CsvOptions, TableFiles};
use millrace_ingest::error::LoadError;
use millrace_ingest::load::{
    BatchOptions, Format, Input, LoadOptions, Progress, Summary, UnknownTypes, load,
    load_in_batches, quiet,
};
use millrace_ingest::reading::{Reading, input_of_files};
use millrace_ingest::rejects::{self, LoadedFile};
use millrace_ingest::source::Source;
use millrace_store::{Backend, Store, memory::MemoryBackend};

use crate::dump::by_name;

const PEOPLE: &str = "id:ID(P),age:int,:LABEL\n\
    ann,1,Person\nben,2,Person;Author\ncat,x,Person\ndan,4,Person\nann,5,Person\neve,6,Author\n";
const KNOWS: &str = ":START_ID(P),:END_ID(P),:TYPE,since:int\n\
    ann,ben,KNOWS,1\nben,dan,KNOWS,2\nben,nobody,KNOWS,3\ncat,ann,LIKES,4\neve,eve,KNOWS,5\n\
    dan,ann,KNOWS,old\nann,ben,KNOWS,7\n";
const FILMS: &str = "<f1> <name> \"One\" .\n_:p1 <acts> <f1> .\n<f1> <director> _:d (year=1999) .\n\
    _:d <name> \"Dee\" .\nnonsense\n<f1> <dgraph.type> \"Film\" .\n_:p1 <name> \"Pat\" .\n\
    <f2> <name> \"Two\" .\n_:d <dgraph.type> \"Person\" .\n<f1> <name> \"Uno\" .\n<f2> <next> <f1> .\n\
    <f2> <next> <f1> (why=\"again\") .\n_:p1 <acts> <f2> .\n<f3> <bad\n_:q <name> \"Q\" .";

fn store() -> Arc<dyn Store> {
    MemoryBackend::default().create_graph("g").unwrap()
}

fn stream(name: &str, text: &str) -> Source {
    Source::stream(name, Cursor::new(text.to_owned()))
}

fn tables() -> Input {
    let table = |name, text| TableFiles::of(vec![stream(name, text)]);
    // Relationships come first: nodes are read before them all the same.
    Input::Csv(vec![table("knows.csv", KNOWS), table("people.csv", PEOPLE)], CsvOptions::default())
}

fn quads() -> Input {
    Input::NQuads(vec![stream("a.nq", FILMS), stream("b.nq", "<f3> <name> \"Three\" .\n")])
}

fn options(rows: u64) -> BatchOptions {
    BatchOptions {
        rows,
        bad_rows_max: 100,
        journal: "films-1".into(),
        resume: true,
        unknown_types: UnknownTypes::Refuse,
    }
}

fn whole(input: Input) -> (String, Summary) {
    let store = store();
    let options = LoadOptions { bad_rows_max: 100, ..LoadOptions::default() };
    let summary = load(&*store, input, options, &mut quiet).unwrap();
    (by_name(&*store), summary)
}

fn assert_same(found: &Summary, wanted: &Summary, why: &str) {
    let counts =
        |summary: &Summary| (summary.rows, summary.bad_rows, summary.vertices, summary.edges);
    assert_eq!(counts(found), counts(wanted), "{why}");
    let lines = |summary: &Summary| -> Vec<(Arc<str>, u64)> {
        let mut lines: Vec<_> =
            summary.rejects.iter().map(|row| (row.file.clone(), row.line)).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(found), lines(wanted), "{why}");
}

#[test]
fn batches_of_any_size_give_what_one_commit_gives_and_are_not_loaded_again() {
    for input in [tables as fn() -> Input, quads] {
        let (wanted, summary) = whole(input());
        for rows in [1, 2, 3, 5, 100] {
            let store = store();
            let found = load_in_batches(&*store, input(), &options(rows), &mut quiet).unwrap();
            assert_eq!(by_name(&*store), wanted, "{rows} rows");
            assert_same(&found, &summary, &format!("{rows} rows"));
            // A client that was killed before its answer asks again, and gets the answer.
            let again = load_in_batches(&*store, input(), &options(rows), &mut quiet).unwrap();
            assert_same(&again, &summary, &format!("{rows} rows, asked again"));
            assert_eq!(by_name(&*store), wanted, "{rows} rows, asked again");
            assert_eq!(journals(&*store), ["load.journal.films-1"]);
        }
    }
}

/// The names of the journals, and of lists of bad rows, in a graph.
fn journals(store: &dyn Store) -> Vec<String> {
    let notes = store.snapshot().unwrap().catalog().notes.clone();
    let names = notes.keys().filter(|name| !name.starts_with("load.ids."));
    names
        .filter(|name| !name.starts_with("load.rejects.films-1."))
        .map(ToString::to_string)
        .collect()
}

#[test]
fn the_record_of_a_finished_load_goes_when_the_next_one_begins() {
    let store = store();
    load_in_batches(&*store, tables(), &options(2), &mut quiet).unwrap();
    let next = BatchOptions { journal: "next".into(), ..options(2) };
    let more = || Input::NQuads(vec![stream("c.nq", "<f3> <name> \"Three\" .\n")]);
    load_in_batches(&*store, more(), &next, &mut quiet).unwrap();
    assert_eq!(journals(&*store), ["load.journal.next"]);
    let anew = BatchOptions { resume: false, ..next };
    load_in_batches(&*store, more(), &anew, &mut quiet).unwrap();
    assert_eq!(journals(&*store), ["load.journal.next"]);
    let names = |store: &dyn Store| store.snapshot().unwrap().catalog().notes.len();
    let before = names(&*store);
    assert!(store.snapshot().unwrap().catalog().notes.keys().all(|name| !name.contains("rejects")));
    load_in_batches(&*store, tables(), &BatchOptions { resume: false, ..options(2) }, &mut quiet)
        .unwrap_or_else(|error| panic!("loaded anew, all rows of people are there: {error}"));
    assert!(before < names(&*store), "bad rows are kept until the next load begins");
}

#[test]
fn a_load_cut_off_after_any_batch_goes_on_and_ends_as_if_it_had_not_been() {
    for input in [tables as fn() -> Input, quads] {
        let (wanted, summary) = whole(input());
        for stop in 1..12 {
            let store = store();
            let mut left = stop;
            let mut watch = |_: &Progress| {
                left -= 1;
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let mut done = load_in_batches(&*store, input(), &options(2), &mut watch);
            let mut resumed = 0;
            while matches!(done, Err(LoadError::Cancelled)) {
                resumed += 1;
                let again = load_in_batches(&*store, input(), &options(2), &mut quiet);
                done = again;
            }
            assert_same(&done.unwrap(), &summary, &format!("stopped at {stop}, {resumed} resumed"));
            assert_eq!(by_name(&*store), wanted, "stopped at {stop}");
        }
    }
}

/// Ends with an error after some bytes, as a connection does.
struct Broken(Cursor<Vec<u8>>);

impl Read for Broken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("cut off")),
            bytes => Ok(bytes),
        }
    }
}

#[test]
fn an_interrupted_load_keeps_its_committed_batches_and_another_input_is_refused() {
    let text: String = (0..100_000).map(|at| format!("<v{at}> <next> <v{}> .\n", at / 2)).collect();
    let input = |bytes: usize| {
        let part = text.as_bytes()[..bytes].to_vec();
        match bytes == text.len() {
            true => Input::NQuads(vec![stream("v.nq", &text)]),
            false => Input::NQuads(vec![Source::stream("v.nq", Broken(Cursor::new(part)))]),
        }
    };
    let store = store();
    let error = load_in_batches(&*store, input(1_900_000), &options(20_000), &mut quiet);
    assert!(matches!(error, Err(LoadError::File { .. })));
    let there = store.snapshot().unwrap().count_edges(None).unwrap();
    assert!(there != 0 && there % 20_000 == 0, "{there}");
    let fresh = BatchOptions { resume: false, ..options(20_000) };
    let refused = load_in_batches(&*store, input(text.len()), &fresh, &mut quiet).unwrap_err();
    assert!(refused.to_string().contains("--resume"), "{refused}");
    let other = Input::NQuads(vec![stream("w.nq", "")]);
    let refused = load_in_batches(&*store, other, &options(20_000), &mut quiet).unwrap_err();
    assert!(refused.to_string().contains("was of v.nq"), "{refused}");
    let done = load_in_batches(&*store, input(text.len()), &options(20_000), &mut quiet).unwrap();
    assert_eq!((done.rows, done.edges), (100_000, 100_000));
    assert_eq!(store.snapshot().unwrap().count_vertices(None).unwrap(), 100_000);
}

#[test]
fn too_many_bad_rows_stop_at_their_batch_and_more_may_be_allowed_then() {
    let store = store();
    let few = BatchOptions { bad_rows_max: 1, ..options(2) };
    let refused = load_in_batches(&*store, tables(), &few, &mut quiet).unwrap_err();
    assert!(matches!(refused, LoadError::BadRow(_)), "{refused}");
    load_in_batches(&*store, tables(), &options(2), &mut quiet).unwrap();
    assert_eq!(by_name(&*store), whole(tables()).0);
}

#[test]
fn a_load_in_batches_refuses_unsupported_input_by_name() {
    let refuse = |text: &str, options: &BatchOptions| {
        let table = TableFiles::of(vec![stream("n.csv", text)]);
        let input = Input::Csv(vec![table], CsvOptions::default());
        load_in_batches(&*store(), input, options, &mut quiet).unwrap_err().to_string()
    };
    assert!(refuse(":ID,:LABEL\na,P\n", &options(1)).contains("must be kept"));
    assert!(refuse("id:ID\na\n", &options(1)).contains("must have a label"));
    assert!(refuse("id:ID,:LABEL\n", &options(0)).contains("rows, not 0"));
    let many = BatchOptions { bad_rows_max: 1 << 20, ..options(1) };
    assert!(refuse("id:ID,:LABEL\n", &many).contains("may be bad"));
}

/// Files in a folder, loaded with bad rows, the rejects mended by `mend` and loaded again: the graph
/// of the mended whole.
fn mend_and_load(files: &[(&str, &str)], mend: impl Fn(&str) -> String, in_batches: bool) {
    let folder = tempfile::tempdir().unwrap();
    let load_files = |store: &dyn Store, names: &[String], in_batches: bool| {
        let paths: Vec<_> = names.iter().map(|name| folder.path().join(name)).collect();
        let paths: Vec<&Path> = paths.iter().map(|path| path.as_path()).collect();
        let input = input_of_files(&paths, &Reading::default()).unwrap();
        let whole = LoadOptions { bad_rows_max: 100, ..LoadOptions::default() };
        match in_batches {
            true => load_in_batches(store, input, &options(2), &mut quiet).unwrap(),
            false => load(store, input, whole, &mut quiet).unwrap(),
        }
    };
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    files.iter().for_each(|(name, text)| write(name, text));
    let names: Vec<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
    let broken = store();
    let summary = load_files(&*broken, &names, in_batches);
    assert!(summary.bad_rows != 0);
    let mut again = Vec::new();
    for (input, bad) in rejects::by_file(&summary.rejects, &summary.more_rejects) {
        let input = Path::new(&*input);
        let format = Format::of_path(input).unwrap();
        let out = rejects::usual_name(input, format);
        let file = LoadedFile::new(input, format);
        rejects::write(&file, &bad, &out).unwrap();
        let rows = std::fs::read_to_string(&out).unwrap();
        std::fs::write(&out, mend(&rows)).unwrap();
        again.push(out.file_name().unwrap().to_string_lossy().into_owned());
        assert!(rejects::write(&file, &bad, &out).is_err(), "what is there is not replaced");
    }
    let loaded = load_files(&*broken, &again, false);
    assert_eq!(loaded.bad_rows, 0, "{:?}", loaded.rejects);
    let mended = store();
    files.iter().for_each(|(name, text)| write(name, &mend(text)));
    load_files(&*mended, &names, false);
    assert_eq!(by_name(&*broken), by_name(&*mended));
}

#[test]
fn rejects_of_tables_load_again_once_they_are_mended() {
    let mend = |text: &str| {
        let text = text.replace("cat,x,", "cat,3,").replace("ann,5,", "fay,5,");
        text.replace("nobody", "fay").replace(",old", ",6")
    };
    for in_batches in [false, true] {
        mend_and_load(&[("people.csv", PEOPLE), ("knows.csv", KNOWS)], mend, in_batches);
    }
}

#[test]
fn rejects_of_quads_load_again_once_they_are_mended() {
    let quads = "<a> <name> \"A\" .\n<a> <knows>\n<b> <age> \"x\"^^<xs:int> .\n<b> <knows> <a> .\n";
    let mend =
        |text: &str| text.replace("<knows>\n", "<knows> <c> .\n").replace("\"x\"^^", "\"7\"^^");
    for in_batches in [false, true] {
        mend_and_load(&[("people.nq", quads)], mend, in_batches);
    }
}

#[test]
fn names_of_rejects_files_are_beside_the_input() {
    let names = [
        ("x/people.csv", "x/people.rejects.csv"),
        ("films.rdf.gz", "films.rejects.rdf"),
        ("data.txt", "data.txt.rejects.nq"),
    ];
    let names: BTreeMap<_, _> = names.into_iter().collect();
    for (input, out) in names {
        assert_eq!(rejects::usual_name(Path::new(input), Format::NQuads), Path::new(out));
    }
}
