//! A database that is open to be read only: reads are answered, every write is refused by name.

use std::path::Path;

use millrace_db::{Database, Settings};
use millrace_model::{ErrorKind, READ_ONLY_DATABASE};

use super::Graph;

const WRITES: [&str; 6] = [
    "CREATE (:Person)",
    "CREATE (:Unknown {key: 1})",
    "MATCH (n:Person) SET n.name = 'c'",
    "MATCH (n:Person) DETACH DELETE n",
    "MERGE (n:Person {name: 'c'})",
    "CREATE INDEX FOR (n:Person) ON (n.name)",
];

#[test]
fn reads_are_answered_and_every_write_is_refused_by_name_and_makes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings::default;
    let written = Graph(Database::open(folder.path(), settings()).expect("it opens"));
    written.0.create_graph("g1").expect("is made");
    assert!(written.ask("CREATE (:Person {name: 'a'})-[:KNOWS]->(:Person {name: 'b'})").is_empty());
    written.0.close();
    drop(written);

    let open = || Graph(Database::open_to_read(folder.path(), settings()).expect("it opens"));
    let (beside, graph) = (open(), open());
    for write in WRITES {
        let Err(refused) = graph.run(write) else { panic!("{write} was taken") };
        assert_eq!(refused.kind, ErrorKind::ReadOnly, "{write}: {refused}");
        assert_eq!(refused.name, Some(READ_ONLY_DATABASE), "{write}: {refused}");
    }
    let refused = [
        graph.0.create_graph("another").map(drop),
        graph.0.drop_graph("g1"),
        graph.0.empty_graph("g1").map(drop),
    ];
    for refused in refused {
        assert_eq!(refused.map_err(|error| error.kind), Err(ErrorKind::ReadOnly));
    }
    let missing = graph.0.ensure_graph("another").map(drop).map_err(|error| error.kind);
    assert_eq!(missing, Err(ErrorKind::NotFound), "none is made");
    assert!(graph.0.make_graphs().expect("there is nothing to do").is_empty());
    assert!(graph.0.is_read_only() && graph.0.read_only_reason().is_some());
    for graph in [&beside, &graph] {
        let names = "MATCH (n:Person)-[:KNOWS]->(m) RETURN n.name, m.name";
        assert_eq!(graph.ask(names), ["a, b"]);
        let access = graph.ask("SHOW DATABASES YIELD access RETURN DISTINCT access");
        assert_eq!(access, ["read-only"]);
    }
    let none = Database::open_to_read(Path::new("/there/is/none"), settings());
    assert_eq!(none.map(drop).map_err(|error| error.kind), Err(ErrorKind::NotFound));
}
