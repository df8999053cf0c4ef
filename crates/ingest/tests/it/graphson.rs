//! Cases beyond the goldens of GraphSON: ids, elements that were there before, batches, and the files
//! of TinkerPop's own suite.

use crate::dump::dump;
use millrace_ingest::error::LoadError;
use millrace_ingest::load::{
    BatchOptions, Input, LoadOptions, LoadPath, Summary, UnknownTypes, load, load_in_batches, quiet,
};
use millrace_ingest::source::Source;
use millrace_model::{Owner, VertexId};
use millrace_store::memory::MemoryBackend;
use millrace_store::{Backend, Elements, Store};
use millrace_testkit::{gremlin_suite, require};
use std::io::Cursor;
use std::sync::Arc;

const FAR: u64 = 9_000_000_000_000;

fn store() -> Arc<dyn Store> {
    MemoryBackend::default().create_graph("g").unwrap()
}

fn input(text: &str) -> Input {
    Input::GraphSon(vec![Source::stream("in.json", Cursor::new(text.to_owned()))])
}

fn load_text(store: &dyn Store, text: &str, path: LoadPath) -> Result<Summary, LoadError> {
    load(
        store,
        input(text),
        LoadOptions { bad_rows_max: 9, path, ..LoadOptions::default() },
        &mut quiet,
    )
}

/// Which of these ids are vertices.
fn exist(store: &dyn Store, ids: &[u64]) -> Vec<bool> {
    let snapshot = store.snapshot().unwrap();
    let own = || ids.iter().copied().map(VertexId).collect::<Vec<_>>();
    let places = snapshot.find_external(ids).unwrap().unwrap_or_else(own);
    let exist = snapshot.exist(Elements::Vertices(&places)).unwrap();
    (0..ids.len()).map(|row| exist.get(row)).collect()
}

#[test]
fn whole_numbers_from_1_on_stay_the_ids_of_their_vertices() {
    for path in [LoadPath::Bulk, LoadPath::Transaction] {
        let store = store();
        let text = format!("{{\"id\":7}}\n{{\"id\":{FAR}}}\n{{\"id\":\"x\"}}\n{{\"id\":3}}\n");
        let summary = load_text(&*store, &text, path).unwrap();
        assert_eq!((summary.vertices, summary.bad_rows), (4, 0), "{path:?}");
        assert_eq!(exist(&*store, &[3, 7, FAR, 4]), [true, true, true, false], "{path:?}");
    }
}

#[test]
fn an_id_that_is_in_the_graph_is_refused_by_its_line() {
    let store = store();
    load_text(&*store, &format!("{{\"id\":7}}\n{{\"id\":{FAR}}}\n"), LoadPath::Bulk).unwrap();
    let text = format!("{{\"id\":8}}\n{{\"id\":7}}\n{{\"id\":{FAR}}}\n");
    let summary = load_text(&*store, &text, LoadPath::Bulk).unwrap();
    let rejects: Vec<String> = summary.rejects.iter().map(ToString::to_string).collect();
    let far = format!("in.json:3:1: the id {FAR} is in the graph already");
    assert_eq!(rejects, ["in.json:2:1: the id 7 is in the graph already", far.as_str()]);
    assert_eq!(exist(&*store, &[7, 8]), [true, true]);
}

#[test]
fn texts_and_ids_of_edges_stay_and_are_their_elements_only() {
    let edge = |id: &str| format!("{{\"id\":{id},\"inV\":\"a\"}}");
    let edges = ["7", "\"e\"", "\"8\"", "null", "{\"relation\":\"x\"}"].map(edge).join(",");
    let text = format!("{{\"id\":\"a\",\"outE\":{{\"to\":[{edges}]}}}}\n{{\"id\":\"7\"}}\n");
    for path in [LoadPath::Bulk, LoadPath::Transaction] {
        let store = store();
        let summary = load_text(&*store, &text, path).unwrap();
        assert_eq!((summary.vertices, summary.edges, summary.bad_rows), (2, 5, 0), "{path:?}");
        let snapshot = store.snapshot().unwrap();
        let found = |owner| snapshot.find_texts(owner, &["a".into(), "e".into()]).unwrap();
        assert!(matches!(found(Owner::AllVertices)[..], [Some(_), None]), "{path:?}");
        assert!(matches!(found(Owner::AllEdges)[..], [None, Some(_)]), "{path:?}");
        let edges = snapshot.find_external_edges(&[7, 8, 9]).unwrap().unwrap();
        let exist = snapshot.exist(Elements::Edges(&edges)).unwrap();
        assert_eq!([0, 1, 2].map(|row| exist.get(row)), [true, true, false], "{path:?}");
        assert_eq!(self::exist(&*store, &[7]), [true], "a text of digits is a number: {path:?}");
        let again = load_text(&*store, "{\"id\":\"a\"}\n", path).unwrap();
        assert_eq!(again.rejects[0].to_string(), "in.json:1:1: the id a is in the graph already");
        let twice = "{\"id\":9,\"outE\":{\"to\":[{\"id\":7,\"inV\":9}]}}\n";
        let error = load_text(&*store, twice, path).unwrap_err().to_string();
        assert!(error.contains("edge 7 exists already"), "{path:?}: {error}");
    }
}

#[test]
fn an_array_in_one_line_is_read_as_it_comes() {
    // A line may have 64 MiB, and this one has more.
    let text = "x".repeat(1_000);
    let node = |id: u64| {
        format!("{{\"type\":\"node\",\"id\":\"{id}\",\"properties\":{{\"a\":\"{text}\"}}}}")
    };
    let nodes = 66_000;
    let array = (1..=nodes).map(node).collect::<Vec<_>>().join(",");
    assert!(64 << 20 < array.len());
    let edge = "{\"id\":\"1\",\"type\":\"relationship\",\"label\":\"R\",\"start\":{\"id\":\"1\"},\"end\":{\"id\":\"66000\"}}";
    for text in [format!("[{array},{edge}]"), format!("{{\"nodes\":[{array}],\"rels\":[{edge}]}}")]
    {
        let store = store();
        let summary = load_text(&*store, &text, LoadPath::Bulk).unwrap();
        assert_eq!((summary.vertices, summary.edges, summary.bad_rows), (nodes, 1, 0));
        assert_eq!(exist(&*store, &[1, nodes, nodes + 1]), [true, true, false]);
    }
    let long = format!("[{{\"type\":\"node\",\"id\":\"{array}");
    let error = load_text(&*store(), &long, LoadPath::Bulk).unwrap_err().to_string();
    assert_eq!(error, "in.json: a value from line 1 is longer than 67108864 bytes");
}

#[test]
fn nodes_that_relationships_in_rows_describe_are_loaded_unless_the_graph_has_them() {
    let row = "{\"r\":{\"id\":\"5\",\"type\":\"relationship\",\"label\":\"R\",\
               \"start\":{\"id\":\"1\",\"labels\":[\"A\"]},\"end\":{\"id\":\"2\",\"labels\":[\"B\"]}}}\n";
    for path in [LoadPath::Bulk, LoadPath::Transaction] {
        let store = store();
        let summary = load_text(&*store, &row.repeat(3), path).unwrap();
        assert_eq!((summary.vertices, summary.edges, summary.bad_rows), (2, 1, 0), "{path:?}");
        assert!(summary.notes[0].starts_with("2 nodes stand in no row"), "{:?}", summary.notes);
        assert_eq!(dump(&*store), "(1:A)\n(2:B)\n(1)-[R#5]->(2)\n", "{path:?}");
        let again = load_text(&*store, &row.replace("\"5\"", "\"6\""), path).unwrap();
        assert_eq!((again.vertices, again.edges), (0, 0), "{path:?}");
        let rejects: Vec<String> = again.rejects.iter().map(ToString::to_string).collect();
        assert_eq!(rejects[0], "in.json:1:1: the id 1 is in the graph already", "{path:?}");
    }
}

#[test]
fn batches_are_refused_before_anything_is_loaded() {
    let options = BatchOptions {
        rows: 1,
        bad_rows_max: 0,
        journal: "j".to_owned(),
        resume: false,
        unknown_types: UnknownTypes::Refuse,
    };
    let store = store();
    let error = load_in_batches(&*store, input("{\"id\":1}\n"), &options, &mut quiet).unwrap_err();
    assert!(error.to_string().contains("can't be loaded in batches"), "{error}");
    assert_eq!(dump(&*store), "");
}

#[test]
fn the_graphs_of_tinkerpops_suite_are_loaded() {
    let suite = gremlin_suite();
    if !require("the graphs of TinkerPop's suite", suite.is_some()) {
        return;
    }
    let suite = suite.unwrap();
    let counts = |name: &str| {
        let path = suite.join("structure/io/graphson").join(name);
        let input = Input::GraphSon(vec![Source::file(&path).unwrap()]);
        let options = LoadOptions { bad_rows_max: u64::MAX, ..LoadOptions::default() };
        let summary = load(&*store(), input, options, &mut quiet).unwrap();
        (summary.vertices, summary.edges, summary.bad_rows)
    };
    assert_eq!(counts("tinkerpop-modern-v3.json"), (6, 6, 0));
    assert_eq!(counts("tinkerpop-classic-v3.json"), (6, 6, 0));
    assert_eq!(counts("tinkerpop-sink-v3.json"), (3, 3, 0));
    assert_eq!(counts("grateful-dead-v3.json"), (808, 8049, 0));
    let (vertices, edges, _) = counts("tinkerpop-crew-v3.json");
    assert_eq!((vertices, edges), (6, 14));
}

#[test]
fn edges_of_in_e_alone_are_loaded_and_those_of_both_sides_once() {
    let alone = "{\"id\":1,\"label\":\"p\"}\n{\"id\":2,\"label\":\"p\",\"inE\":{\"k\":[{\"id\":7,\"outV\":1,\
                 \"properties\":{\"w\":3}}]}}\n";
    let both = alone.replace(
        "\"id\":1,",
        "\"id\":1,\"outE\":{\"k\":[{\"id\":7,\"inV\":2,\
                                         \"properties\":{\"w\":3}}]},",
    );
    for path in [LoadPath::Bulk, LoadPath::Transaction] {
        for text in [alone, &both] {
            let store = store();
            let summary = load_text(&*store, text, path).unwrap();
            assert_eq!((summary.vertices, summary.edges, summary.bad_rows), (2, 1, 0), "{text}");
            assert!(dump(&*store).contains("(1)-[k#7 {w: 3}]->(2)"), "{}", dump(&*store));
        }
    }
    let nameless = both.replace("\"id\":7,", "");
    assert_eq!(load_text(&*store(), &nameless, LoadPath::Bulk).unwrap().edges, 1);
    let half = "{\"id\":2,\"inE\":{\"k\":[{\"id\":7,\"outV\":1},{\"id\":8,\"outV\":2}]}}\n";
    let summary = load_text(&*store(), half, LoadPath::Bulk).unwrap();
    assert_eq!((summary.edges, summary.bad_rows), (1, 1));
    assert_eq!(
        summary.rejects[0].to_string(),
        "in.json:1:1: inE: k: no line describes the vertex 1"
    );
}

#[test]
fn an_edge_that_both_sides_tell_differently_is_a_bad_row() {
    let out = |edge: &str| format!("{{\"id\":1,\"outE\":{{\"k\":[{edge}]}}}}\n");
    let both = out("{\"id\":7,\"inV\":2,\"properties\":{\"w\":3,\"v\":1}}");
    let side = |edge: &str| format!("{both}{{\"id\":2,\"inE\":{edge}}}\n");
    let load = |edge: &str| load_text(&*store(), &side(edge), LoadPath::Bulk).unwrap();
    let same = load("{\"k\":[{\"id\":7,\"outV\":1,\"properties\":{\"v\":1,\"w\":3}}]}");
    assert_eq!((same.edges, same.bad_rows), (1, 0));
    for (edge, how) in [
        ("{\"k\":[{\"id\":7,\"outV\":1}]}", "its properties are others"),
        (
            "{\"k\":[{\"id\":7,\"outV\":1,\"properties\":{\"v\":1,\"w\":4}}]}",
            "its properties are others",
        ),
        ("{\"other\":[{\"id\":7,\"outV\":1}]}", "its label or its ends are others"),
        ("{\"k\":[{\"id\":7,\"outV\":2}]}", "its label or its ends are others"),
    ] {
        let summary = load(edge);
        assert_eq!((summary.edges, summary.bad_rows), (1, 1), "{edge}");
        let detail = &summary.rejects[0].detail;
        assert!(
            detail.contains("the edge 7 stands in outE too") && detail.ends_with(how),
            "{detail}"
        );
    }
}

#[test]
fn big_numbers_are_exact_and_members_stand_once() {
    let big = "123456789012345678901234567890";
    let typed = format!("{{\"@type\":\"gx:BigInteger\",\"@value\":{big}}}");
    for value in
        [typed.as_str(), big, "{\"@type\":\"gx:BigDecimal\",\"@value\":1.2345678901234567890E+19}"]
    {
        let store = store();
        let text = format!("{{\"id\":1,\"properties\":{{\"k\":[{{\"value\":{value}}}]}}}}\n");
        load_text(&*store, &text, LoadPath::Bulk).unwrap();
        let expected = if value.contains(big) { big } else { "12345678901234567890" };
        assert!(dump(&*store).contains(&format!("{expected}}}")), "{}", dump(&*store));
    }
    let twice = "{\"id\":1,\"label\":\"a\",\"label\":\"b\"}\n";
    let summary = load_text(&*store(), twice, LoadPath::Bulk).unwrap();
    assert_eq!(summary.rejects[0].to_string(), "in.json:1:21: the member 'label' occurs twice");
}

#[test]
fn an_unknown_member_is_a_bad_row_and_named() {
    let refuse =
        |text: &str| load_text(&*store(), text, LoadPath::Bulk).unwrap().rejects[0].detail.clone();
    let named = |detail: String, name: &str| {
        assert!(detail.contains(&format!("the member '{name}' is not known")), "{detail}");
    };
    named(refuse("{\"id\":1,\"name\":\"x\"}\n"), "name");
    let unknown = refuse("{\"vertices\":[],\"edges\":[{}]}\n");
    assert!(unknown.contains("found 'edges', in {\"edges\":[{}]}"), "{unknown}");
    named(refuse("{\"id\":1,\"outE\":{\"k\":[{\"inV\":1,\"w\":2}]}}\n"), "w");
    named(refuse("{\"id\":1,\"properties\":{\"k\":[{\"value\":1,\"w\":2}]}}\n"), "w");
}
