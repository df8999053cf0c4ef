//! A graph that stands under a name for another one, as earlier versions made them.

use millrace_db::{Database, Settings};
use millrace_model::ErrorKind;

use crate::{Values, gremlin_request, limits};

fn settings(gremlin: &str) -> Settings {
    let mut settings = Settings::default();
    settings.gremlin.graph = gremlin.to_owned();
    settings
}

#[test]
fn a_graph_under_such_a_name_is_found_at_the_start_and_reached_by_the_setting() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(folder.path(), settings("g")).unwrap();
    let mut values = Values::default();
    let request = millrace_db::session::Request::text(
        &millrace_db::languages::gremlin::GROOVY,
        "g.addV('old')",
        "g",
        limits(),
    );
    database.run(&request, &mut values).unwrap().expect("it wrote").wait().unwrap();
    assert!(database.unreachable_graphs().is_empty());
    database.close();
    drop(database);

    let database = Database::open(folder.path(), Settings::default()).unwrap();
    assert_eq!(database.unreachable_graphs(), ["g"]);
    assert!(database.graphs().is_empty());
    assert!(database.find_graph("g").unwrap().is_none(), "`g` is the graph `graph` now");
    let request = gremlin_request("g.addV('new')", limits());
    database.run(&request, &mut values).unwrap().expect("it wrote").wait().unwrap();
    assert_eq!(database.graphs(), ["graph"]);
    assert_eq!(database.graph("g").unwrap().name(), "graph");
    let refused = database.drop_graph("g").unwrap_err();
    assert_eq!(refused.kind, ErrorKind::AlreadyExists);
    database.close();
    drop(database);

    let database = Database::open(folder.path(), settings("g")).unwrap();
    assert_eq!(database.graphs(), ["g", "graph"]);
    assert_eq!(database.graph_size("g").unwrap().vertices, 1);
    database.drop_graph("g").unwrap();
    assert_eq!(database.graphs(), ["graph"]);
}
