//! CSV whose headers are names only: ids and ends said beside them, types guessed or said.

use crate::dump::dump;
use millrace_ingest::csv::{ColumnType, PlainColumns, PlainRows};
use millrace_ingest::load::{
    BatchOptions, LoadOptions, Summary, UnknownTypes, load, load_in_batches, quiet,
};
use millrace_ingest::reading::{Reading, input_of};
use millrace_ingest::source::Source;
use millrace_store::{Backend, Store, memory::MemoryBackend};
use std::io::Cursor;
use std::sync::Arc;

fn graph() -> Arc<dyn Store> {
    MemoryBackend::default().create_graph("g").unwrap()
}

fn nodes(label: &str, id: Option<&str>) -> PlainRows {
    PlainRows::said(Some(label), id, None, None, None).unwrap().unwrap()
}

fn edges(edge_type: &str, source: &str, target: &str) -> PlainRows {
    PlainRows::said(None, None, Some(edge_type), Some(source), Some(target)).unwrap().unwrap()
}

fn reading(rows: PlainRows, types: &str) -> Reading {
    let types = if types.is_empty() { Vec::new() } else { ColumnType::parse_list(types).unwrap() };
    Reading { plain: PlainColumns { rows: Some(rows), types }, ..Reading::default() }
}

fn load_text(
    store: &dyn Store,
    text: &str,
    reading: &Reading,
    bad_rows_max: u64,
) -> Result<Summary, String> {
    let source = Source::stream("in.csv", Cursor::new(text.to_owned()));
    let options = LoadOptions { bad_rows_max, ..LoadOptions::default() };
    let input = input_of(vec![source], reading).map_err(|error| error.to_string())?;
    load(store, input, options, &mut quiet).map_err(|error| error.to_string())
}

#[test]
fn types_are_guessed_noted_and_may_be_said() {
    let text = "id,name,age,born,zip,score,ok\n1,Ann,29,1990-02-28,01234,1.5,true\n2,,,,,2,\n";
    let store = graph();
    let summary = load_text(&*store, text, &reading(nodes("P:Q", Some("id")), ""), 0).unwrap();
    let note = "in.csv: read as id:ID(P),name:string,age:long,born:date,zip:string,score:double,ok:boolean";
    assert_eq!(summary.notes, [note]);
    assert_eq!(
        dump(&*store),
        "(1:P:Q {age: 29, born: 1990-02-28, id: \"1\", name: \"Ann\", ok: true, score: 1.5, zip: \"01234\"})\n\
         (2:P:Q {id: \"2\", score: 2.0})\n"
    );
    let store = graph();
    let said =
        reading(nodes("P", Some("id")), "id:long,age:string,born:IGNORE,zip:int,name:string");
    let summary = load_text(&*store, text, &said, 0).unwrap();
    let note = "in.csv: read as id:ID(P){id-type:long},name:string,age:string,born:IGNORE,zip:long,score:double,\
                ok:boolean";
    assert_eq!(summary.notes, [note]);
    assert!(
        dump(&*store).starts_with(
            "(1:P {age: \"29\", id: 1, name: \"Ann\", ok: true, score: 1.5, zip: 1234})"
        )
    );
}

#[test]
fn a_row_that_does_not_fit_the_guess_is_a_bad_row_with_the_remedy() {
    let mut text = String::from("id,age\n");
    (1..=10_000).for_each(|id| text.push_str(&format!("{id},{}\n", id % 90)));
    text.push_str("10001,unknown\n10002,30\n");
    let reading = reading(nodes("P", Some("id")), "");
    let bad = "in.csv:10002:2: age: expected a whole number of 64 bits, found 'unknown'; the first rows made it \
               a long: say --types 'age:string', or --max-bad N to leave such rows out";
    assert_eq!(load_text(&*graph(), &text, &reading, 0).unwrap_err(), bad);
    let store = graph();
    let summary = load_text(&*store, &text, &reading, 1).unwrap();
    assert_eq!((summary.vertices, summary.rejects[0].to_string().as_str()), (10_001, bad));
    // One row less, and it is seen.
    let text = text.replacen("9,9\n", "", 1);
    let summary = load_text(&*graph(), &text, &reading, 0).unwrap();
    assert_eq!(summary.notes, ["in.csv: read as id:ID(P),age:string"]);
}

#[test]
fn relationships_find_nodes_of_earlier_loads_by_the_only_space_or_the_one_that_is_said() {
    let store = graph();
    let people = reading(nodes("Person", Some("id")), "");
    let knows = reading(edges("KNOWS", "a", "b"), "");
    let likes = "a,b,since\n1,2,2019\n";
    let nothing = load_text(&*store, likes, &knows, 0).unwrap_err();
    assert!(nothing.starts_with("no nodes with ids that are kept"), "{nothing}");
    load_text(&*store, "id,name\n1,Ann\n2,Ben\n", &people, 0).unwrap();
    let summary = load_text(&*store, likes, &knows, 0).unwrap();
    assert_eq!(summary.notes, ["in.csv: read as :START_ID(Person),:END_ID(Person),since:long"]);
    let missing = load_text(&*store, "a,b\n1,2\n1,7\n", &knows, 0).unwrap_err();
    assert!(
        missing.starts_with("in.csv:3:2: b: no node of this load or of the graph has the id '7'")
    );
    let cities = reading(nodes("City", Some("id")), "id:int");
    load_text(&*store, "id,name\n1,Rome\n2,Oslo\n", &cities, 0).unwrap();
    let several = load_text(&*store, likes, &knows, 0).unwrap_err();
    assert_eq!(
        several,
        "nodes have ids in several spaces here, 'City', 'Person': say which, as --from 'COLUMN(SPACE)'"
    );
    let lives = reading(edges("LIVES_IN", "a(Person)", "b(City)"), "");
    load_text(&*store, "a,b\n1,02\n", &lives, 0).unwrap();
    assert_eq!(
        dump(&*store),
        "(1:Person {id: \"1\", name: \"Ann\"})\n(2:Person {id: \"2\", name: \"Ben\"})\n\
         (3:City {id: 1, name: \"Rome\"})\n(4:City {id: 2, name: \"Oslo\"})\n\
         (1)-[KNOWS {since: 2019}]->(2)\n(1)-[LIVES_IN]->(4)\n"
    );
}

#[test]
fn relationships_find_nodes_by_a_unique_property_of_the_label_that_is_said() {
    let store = graph();
    // The space has another name, so only the label's index has them.
    let text = "name:ID(X),:LABEL\nAnn,Person\nBen,Person\n";
    load_text(&*store, text, &Reading::default(), 0).unwrap();
    let text = "number:ID(Y){id-type:long},:LABEL\n7,Item\n";
    load_text(&*store, text, &Reading::default(), 0).unwrap();
    let likes = reading(edges("LIKES", "who(Person)", "what(Item)"), "");
    load_text(&*store, "who,what\nBen,7\nAnn,007\n", &likes, 0).unwrap();
    assert!(dump(&*store).ends_with("(1)-[LIKES]->(3)\n(2)-[LIKES]->(3)\n"), "{}", dump(&*store));
    let typed = ":START_ID(Person),:END_ID(Person),:TYPE\nAnn,Ben,KNOWS\nAnn,Cat,KNOWS\n";
    let missing = load_text(&*store, typed, &Reading::default(), 0).unwrap_err();
    assert!(
        missing.ends_with("no node of this load or of the graph has the id 'Cat'"),
        "{missing}"
    );
    let unknown = reading(edges("LIKES", "who(Human)", "what(Item)"), "");
    let unknown = load_text(&*store, "who,what\nBen,7\n", &unknown, 0).unwrap_err();
    assert!(unknown.contains("has the id space 'Human'"), "{unknown}");
}

#[test]
fn batches_guess_as_one_commit_does() {
    let (store, whole) = (graph(), graph());
    let people = reading(nodes("P", Some("id")), "id:long");
    let knows = reading(edges("KNOWS", "a", "b"), "");
    let mut rows = String::from("id,age\n");
    (1..50).for_each(|id| rows.push_str(&format!("{id},{}\n", id * 2)));
    let ends = "a,b,w\n1,2,0.5\n01,49,1\n";
    for (text, reading) in [(rows.as_str(), &people), (ends, &knows)] {
        load_text(&*whole, text, reading, 0).unwrap();
        let source = Source::stream("in.csv", Cursor::new(text.to_owned()));
        let options = BatchOptions {
            rows: 7,
            bad_rows_max: 0,
            journal: "j".into(),
            resume: false,
            unknown_types: UnknownTypes::Refuse,
        };
        let input = input_of(vec![source], reading).unwrap();
        let summary = load_in_batches(&*store, input, &options, &mut quiet).unwrap();
        assert_eq!(summary.notes.len(), 1);
    }
    assert_eq!(dump(&*store), dump(&*whole));
    assert!(dump(&*store).contains("(1)-[KNOWS {w: 1.0}]->(49)"), "{}", dump(&*store));
}

#[test]
fn columns_that_are_not_there_and_roles_in_the_header_are_refused_by_name() {
    let refuse =
        |text: &str, rows, types| load_text(&*graph(), text, &reading(rows, types), 0).unwrap_err();
    let people = || nodes("P", Some("id"));
    for (text, rows, types, words) in [
        ("key,name\n", people(), "", "there is no column 'id': this header has key, name"),
        ("id,name\n", people(), "age:int", "there is no column 'age'"),
        ("id:ID,name\n", people(), "", "this header has roles of its own ('id:ID')"),
        ("id,name\n", people(), "id:date", "'id' is an id: a string or a long, not a date"),
        ("a,b\n", edges("T", "a", "a"), "", "'a' cannot name both ends"),
        ("id;name\n", people(), "", "use --delimiter ';'"),
        ("id,name,name\n", people(), "", "the property 'name' occurs twice"),
    ] {
        let said = refuse(text, rows, types);
        assert!(said.starts_with("in.csv:1:") && said.contains(words), "{text}: {said}");
    }
    let types = PlainColumns { rows: None, types: ColumnType::parse_list("name:string").unwrap() };
    let typed = Reading { plain: types, ..Reading::default() };
    let said = load_text(&*graph(), "id:ID,name,:LABEL\n1,a,P\n", &typed, 0).unwrap_err();
    assert!(said.contains("'name:string' is said of a table whose header has no types"), "{said}");
}

#[test]
fn a_guess_is_one_for_all_files_of_a_load() {
    let files = ["id,zip,w,note\n1,01234,1,\n", "id,w,note,zip\n2,2.5,7,10001\n"];
    let load_files = |files: [&str; 2]| {
        let named = ["a.csv", "b.csv"].into_iter().zip(files);
        let sources = named.map(|(name, text)| Source::stream(name, Cursor::new(text.to_owned())));
        let reading = reading(nodes("P", Some("id")), "");
        let (store, input) = (graph(), input_of(sources.collect(), &reading).unwrap());
        let summary = load(&*store, input, LoadOptions::default(), &mut quiet).unwrap();
        (summary.notes, dump(&*store))
    };
    let (notes, both) = load_files(files);
    assert_eq!(
        notes,
        [
            "a.csv: read as id:ID(P),zip:string,w:double,note:long",
            "b.csv: read as id:ID(P),w:double,note:long,zip:string"
        ]
    );
    assert_eq!(
        both,
        "(1:P {id: \"1\", w: 1.0, zip: \"01234\"})\n(2:P {id: \"2\", note: 7, w: 2.5, zip: \"10001\"})\n"
    );
    assert!(load_files([files[1], files[0]]).1.contains("zip: \"10001\""));
}

#[test]
fn a_line_in_quotes_as_a_whole_is_no_header() {
    let typed = Reading::default();
    let people = reading(nodes("P", None), "");
    for (text, reading) in [
        ("\":ID,name,:LABEL\"\n\"1,a,P\"\n", &typed),
        ("\"id:ID,name\"\n1,a\n", &people),
        ("\"id,name,age\"\n\n\"1,a,7\"\n", &people),
    ] {
        let said = load_text(&*graph(), text, reading, 9).unwrap_err();
        assert!(said.starts_with("in.csv:1:1: the line is in quotes"), "{said}");
    }
    let said = load_text(&*graph(), "id:ID:name:LABEL\n1:a:P\n", &typed, 9).unwrap_err();
    assert!(said.starts_with("in.csv:1:1: this header is one field with several roles"), "{said}");
    // One column whose name has a comma; its rows are looked at, and read all the same.
    let store = graph();
    load_text(&*store, "\"nr, old\"\n7\n8\n", &people, 0).unwrap();
    assert_eq!(dump(&*store), "(1:P {nr, old: 7})\n(2:P {nr, old: 8})\n");
    let said = reading(nodes("P", None), "\"last, first:string\"");
    load_text(&*graph(), "\"last, first\"\n\"Smith, Ann\"\n", &said, 0).unwrap();
}

#[test]
fn names_may_hold_colons_and_types_may_stand_in_the_header() {
    let store = graph();
    let text = "id,dc:title,code:string,:LABEL\n1,x,7,A;B\n";
    let summary = load_text(&*store, text, &reading(nodes("P", Some("id")), ""), 0).unwrap();
    assert_eq!(summary.notes, ["in.csv: read as id:ID(P),dc:title:string,code:string,:LABEL"]);
    assert_eq!(dump(&*store), "(1:A:B:P {code: \"7\", dc:title: \"x\", id: \"1\"})\n");
}

#[test]
fn types_of_apocs_relationships_are_guessed_where_these_begin() {
    let mut text = String::from("_id,_labels,n,_start,_end,_type,w\n");
    (1..=20_000).for_each(|id| text.push_str(&format!("{id},:P,{},,,,\n", id % 7)));
    (1..=12_000).for_each(|id| text.push_str(&format!(",,,{id},{},R,{}\n", id + 1, id * 2)));
    text.push_str(",,,1,2,R,heavy\n");
    let reading = |types: &str| {
        let types =
            if types.is_empty() { Vec::new() } else { ColumnType::parse_list(types).unwrap() };
        Reading { plain: PlainColumns { rows: None, types }, ..Reading::default() }
    };
    let store = graph();
    let summary = load_text(&*store, &text, &reading(""), 1).unwrap();
    assert_eq!((summary.vertices, summary.edges), (20_000, 12_000));
    assert_eq!(
        summary.notes,
        ["in.csv: read as a table of APOC: properties of nodes n:long; of relationships w:long"]
    );
    let bad = "in.csv:32002:7: w: expected a whole number of 64 bits, found 'heavy'; the first rows made it a long: \
               say --types 'w:string', or --max-bad N to leave such rows out";
    assert_eq!(summary.rejects[0].to_string(), bad);
    let summary = load_text(&*graph(), &text, &reading("w:string,n:IGNORE"), 0).unwrap();
    assert_eq!((summary.edges, summary.bad_rows), (12_001, 0));
    let unknown = load_text(&*graph(), &text, &reading("x:int"), 0).unwrap_err();
    assert!(unknown.contains("there is no property 'x'"), "{unknown}");
    // Once more into the same graph: the ids are there.
    let again = load_text(&*store, &text, &reading(""), 0).unwrap_err();
    assert!(again.starts_with("in.csv:2:1: the id 1 is in the graph already"), "{again}");
}
