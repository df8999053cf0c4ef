//! Values that have to be unique, and that the graph or the load has already: bad rows, with their lines.

use crate::dump::dump;
use millrace_ingest::csv::{CsvOptions, TableFiles};
use millrace_ingest::error::LoadError;
use millrace_ingest::load::{Input, LoadOptions, load, quiet};
use millrace_ingest::source::Source;
use millrace_model::schema::{CatalogChange, IndexDefinition, IndexKind};
use millrace_model::{EdgeTypeId, KeyId, LabelId, Owner};
use millrace_store::{Backend, Changes, NameKind, Store, WriteBatch, memory::MemoryBackend};
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

/// Makes properties of an owner unique together.
fn make_unique(store: &dyn Store, owner: Owner, names: &[&str]) {
    let keys = names.iter().map(|name| KeyId(store.intern(&[(NameKind::Key, name)]).unwrap()[0]));
    let index = IndexDefinition::new(owner, keys.collect(), IndexKind::Unique);
    let declare = CatalogChange::CreateIndex(index);
    let snapshot = store.snapshot().unwrap();
    let batch = WriteBatch {
        snapshot: snapshot.position(),
        catalog_version: snapshot.catalog().version,
        changes: Changes { catalog: vec![declare], ..Changes::default() },
        ..WriteBatch::default()
    };
    store.commit(batch).unwrap().wait().unwrap();
}

#[test]
fn several_properties_that_are_unique_together_refuse_a_row_with_its_line() {
    let store = graph();
    let label = LabelId(store.intern(&[(NameKind::Label, "P")]).unwrap()[0]);
    make_unique(&*store, Owner::Label(label), &["first", "last"]);
    make_unique(&*store, Owner::Label(label), &["id", "last"]);
    let header = "id:ID(P),first,last,:LABEL\n";
    load_csv(&*store, "a.csv", &format!("{header}1,Ann,Lee,P\n2,Ann,,P\n3,Ann,,P\n"), 0).unwrap();
    let rows = format!("{header}4,Ann,Day,P\n5,Ann,Lee,P\n6,Ann,Day,P\n7,Ben,Lee,P\n8,Ann,Lee,Q\n");
    let refused = load_csv(&*store, "b.csv", &rows, 0).unwrap_err().to_string();
    let in_graph = "b.csv:3:2: the graph has a node with the values 'Ann', 'Lee' already, and they are unique together";
    assert_eq!(refused, in_graph);
    let bad = load_csv(&*store, "b.csv", &rows, 10).unwrap();
    let in_load =
        "b.csv:4:2: the values 'Ann', 'Day' occur twice in this load, and they are unique together";
    assert_eq!(bad, [in_graph, in_load]);
    assert_eq!(dump(&*store).lines().count(), 6);
}

#[test]
fn unique_properties_of_relationships_refuse_a_row_with_its_line() {
    let store = graph();
    let edge_type = EdgeTypeId(store.intern(&[(NameKind::EdgeType, "T")]).unwrap()[0]);
    make_unique(&*store, Owner::EdgeType(edge_type), &["key"]);
    make_unique(&*store, Owner::EdgeType(edge_type), &["a", "b"]);
    load_csv(&*store, "n.csv", "id:ID(P),:LABEL\n1,P\n2,P\n", 0).unwrap();
    let header = ":START_ID(P),:END_ID(P),:TYPE,key:int,a,b\n";
    load_csv(&*store, "e.csv", &format!("{header}1,2,T,1,x,y\n1,2,U,1,x,y\n"), 0).unwrap();
    // The row with an end that is nowhere is bad for this, and its key is free for the next one.
    let rows = format!(
        "{header}2,1,T,1,,\n2,9,T,2,,\n2,1,T,2,,\n2,1,T,2,,\n1,1,T,3,x,y\n1,1,T,4,x,z\n2,2,U,1,x,y\n"
    );
    let refused = load_csv(&*store, "f.csv", &rows, 0).unwrap_err().to_string();
    let first =
        "f.csv:2:4: the graph has a relationship with the value '1' already, and it is unique";
    assert_eq!(refused, first);
    let bad = load_csv(&*store, "f.csv", &rows, 10).unwrap();
    assert_eq!(
        bad,
        [
            first,
            "f.csv:3:2: :END_ID(P): no node of this load or of the graph has the id '9'",
            "f.csv:5:4: the value '2' occurs twice in this load, and it is unique",
            "f.csv:6:5: the graph has a relationship with the values 'x', 'y' already, and they are unique together",
        ]
    );
    assert_eq!(dump(&*store).lines().count(), 2 + 2 + 3);
    // Ends that are made for rows that stay, and for no others.
    let made = format!("{header}7,8,T,1,,\n9,7,T,7,,\n");
    let source = Source::stream("g.csv", Cursor::new(made));
    let csv_options = CsvOptions { create_ends: true, ..CsvOptions::default() };
    let input = Input::Csv(vec![TableFiles::of(vec![source])], csv_options);
    let options = LoadOptions { bad_rows_max: 1, ..LoadOptions::default() };
    let summary = load(&*store, input, options, &mut quiet).unwrap();
    assert_eq!((summary.vertices, summary.edges, summary.bad_rows), (2, 1, 1));
}
