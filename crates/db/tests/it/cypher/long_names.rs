//! Labels, types and keys that are longer than a name may be, and new ones that are more together than one record
//! of the log takes: the statement fails or succeeds alone, and the next one writes.

use millrace_db::{Database, Settings};
use millrace_model::ErrorKind;

use super::Graph;
use crate::script;

/// Each makes a name of more than 65,534 bytes.
const TOO_LONG: &[&str] = &[
    "CREATE (:$('x' + apoc.text.repeat('é', 32767)))",
    "CREATE (:$(apoc.text.repeat('x', 20000000)))",
    "CREATE (n:Some) SET n:$(apoc.text.repeat('x', 20000000))",
    "CREATE ()-[:$(apoc.text.repeat('x', 20000000))]->()",
    "CREATE (n) SET n[apoc.text.repeat('x', 20000000)] = 1",
    "CREATE (n) SET n += apoc.map.fromPairs([['short', 1], [apoc.text.repeat('x', 70000), 2]])",
];

/// Keys of 60 million bytes together.
const MANY_KEYS: &str = "UNWIND range(1, 1200) AS i \
     WITH collect([toString(i) + apoc.text.repeat('k', 50000), i]) AS pairs \
     CREATE (n:Wide) SET n += apoc.map.fromPairs(pairs) RETURN size(keys(n))";

fn check(graph: &Graph) {
    for (text, written) in TOO_LONG.iter().zip(1..) {
        let error = graph.run(text).map(drop).expect_err(text);
        assert_eq!(error.kind, ErrorKind::LimitReached, "{text}: {error}");
        assert!(error.to_string().contains("at most 65534"), "{text}: {error}");
        let counted =
            "CREATE (:Z) WITH 1 AS one MATCH (n) RETURN count(n), count(CASE WHEN n:Z THEN 1 END)";
        assert_eq!(graph.ask(counted), [format!("{written}, {written}")], "after {text}");
    }
    let lua = graph.0.graph("g1").expect("it is there");
    let failure = lua.run_script(script("NodeTypeInsert(string.rep('x', 70000))\n1"));
    let failure = format!("{:?}", failure.expect_err("the name is too long"));
    assert!(failure.contains("at most 65534"), "{failure}");
    assert_eq!(
        graph.ask("CREATE (n:$(apoc.text.repeat('x', 65534))) RETURN size(labels(n)[0])"),
        ["65534"]
    );
    assert_eq!(graph.ask(MANY_KEYS), ["1200"]);
    assert_eq!(graph.ask("CREATE (n:Z) RETURN labels(n)"), ["[Z]"]);
}

#[test]
fn names_that_are_too_long_are_refused_in_memory() {
    check(&Graph::new());
}

#[test]
fn names_that_are_too_long_are_refused_in_a_folder_which_opens_with_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || Graph(Database::open(folder.path(), Settings::default()).expect("it opens"));
    let graph = open();
    graph.0.create_graph("g1").expect("is made");
    check(&graph);
    graph.0.close();
    drop(graph);
    let graph = open();
    assert_eq!(graph.ask("MATCH (n:Wide) RETURN size(keys(n))"), ["1200"]);
    assert_eq!(graph.ask("MATCH (n:Z) RETURN count(n)"), [(TOO_LONG.len() + 1).to_string()]);
}
