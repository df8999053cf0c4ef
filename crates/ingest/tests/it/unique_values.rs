//! Values that have to be unique, and that the graph or the load has already: bad rows, with their lines.

use crate::dump::dump;
use millrace_ingest::csv::{CsvOptions, TableFiles};
use millrace_ingest::error::LoadError;
use millrace_ingest::load::{Input, LoadOptions, load, quiet};
use millrace_ingest::source::Source;
use millrace_store::{Backend, Store, memory::MemoryBackend};
use std::io::Cursor;
use std::sync::Arc;

fn graph() -> Arc<dyn Store> {
    MemoryBackend::default().create_graph("g").unwrap()
}

fn load_csv(
    store: &dyn Store,
    name: &str,
    text: &str,
    bad_rows_max: u64,
) -> Result<Vec<String>, LoadError> {
    let input = Input::Csv(
        vec![TableFiles::of(vec![Source::stream(name, Cursor::new(text.to_owned()))])],
        CsvOptions::default(),
    );
    let options = LoadOptions { bad_rows_max, ..LoadOptions::default() };
    let summary = load(store, input, options, &mut quiet)?;
    Ok(summary.rejects.iter().map(ToString::to_string).collect())
}

#[test]
fn ids_that_the_graph_has_are_bad_rows_with_file_and_line() {
    let store = graph();
    load_csv(&*store, "d1.csv", "id:ID(P),:LABEL\n1,P\n2,P\n", 0).unwrap();
    let again = "id:ID(P),:LABEL\n3,P\n1,P\n4,P\n";
    let refused = load_csv(&*store, "d2.csv", again, 0).unwrap_err().to_string();
    assert_eq!(refused, "d2.csv:3:1: the id '1' is in the graph already");
    assert_eq!(dump(&*store).lines().count(), 2, "nothing of it was loaded");
    let bad = load_csv(&*store, "d2.csv", again, 10).unwrap();
    assert_eq!(bad, ["d2.csv:3:1: the id '1' is in the graph already"]);
    // In another space, and with another label.
    let other = "id:ID(Q),:LABEL\n4,P\n5,P\n";
    let bad = load_csv(&*store, "d3.csv", other, 10).unwrap();
    assert_eq!(bad, ["d3.csv:2:1: the id '4' is in the graph already"]);
    assert_eq!(load_csv(&*store, "d4.csv", "id:ID(Q),:LABEL\n4,R\n", 0).unwrap(), [""; 0]);
    assert_eq!(dump(&*store).lines().count(), 6);
}

#[test]
fn numbers_and_other_unique_values_that_the_graph_or_the_load_has_are_bad_rows() {
    let store = graph();
    // Unique by an id here, and a property below.
    load_csv(&*store, "m.csv", "mail:ID(M),:LABEL\na@x,P\n", 0).unwrap();
    let header = "id:ID(P){id-type: long},mail,:LABEL\n";
    let rows = format!("{header}1,b@x,P\n2,a@x,P\n3,b@x,P\n3,c@x,P\n04,c@x,P\n5,,P\n6,,P\n");
    let bad = load_csv(&*store, "p.csv", &rows, 10).unwrap();
    assert_eq!(
        bad,
        [
            "p.csv:3:2: the graph has a node with the value 'a@x' already, and it is unique",
            "p.csv:4:2: the value 'b@x' occurs twice in this load, and it is unique",
            "p.csv:6:2: the value 'c@x' occurs twice in this load, and it is unique",
        ]
    );
    let bad = load_csv(&*store, "q.csv", &format!("{header}7,,P\n003,,P\n"), 10).unwrap();
    assert_eq!(bad, ["q.csv:3:1: the id '3' is in the graph already"]);
}
