//! Exports of Dgraph as they are: packed, with namespaces, with Dgraph's own predicates, with GraphQL's schema beside.
//! The same graph comes of its RDF and of its JSON, into a folder and into a running server.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::{Served, run, serve, text};

const SCHEMA: &str = "[0x0] <name>:string @index(exact, term) @lang . \n\
                      [0x0] <friend>:[uid] @reverse . \n[0x0] <age>:int @index(int) . \n\
                      [0x0] <alias>:[string] . \n[0x0] <born>:datetime . \n\
                      [0x0] <dgraph.type>:[string] @index(exact) . \n\
                      [0x0] <dgraph.xid>:string @index(exact) @upsert . \n\
                      [0x0] type <Person> {\n\tname\n\tfriend\n}\n\
                      [0x0] type <dgraph.graphql> {\n\tdgraph.graphql.schema\n}\n";

const RDF: &str = "<0x1> <name> \"Ann\"^^<xs:string> <0x0> .\n\
                   <0x1> <name> \"\\u00c4nne\"@de <0x0> .\n\
                   <0x1> <alias> \"x\"^^<xs:string> <0x0> .\n\
                   <0x1> <alias> \"y\"^^<xs:string> <0x0> .\n\
                   <0x1> <friend> <0x2> <0x0> (since=2006-01-02T15:04:05Z) .\n\
                   <0x1> <dgraph.type> \"Person\"^^<xs:string> <0x0> .\n\
                   <0x2> <age> \"33\"^^<xs:int> <0x0> .\n\
                   <0x2> <born> \"1986-01-02T00:00:00Z\"^^<xs:dateTime> <0x0> .\n\
                   <0x3> <dgraph.xid> \"groot\"^^<xs:string> <0x0> .\n\
                   <0x3> <dgraph.type> \"dgraph.type.User\"^^<xs:string> <0x0> .\n";

const JSON: &str = r#"[{"namespace":"0x0","uid":"0x1","name":"Ann"},
{"namespace":"0x0","uid":"0x1","name@de":"Änne"},
{"namespace":"0x0","uid":"0x1","alias":["x","y"]},
{"namespace":"0x0","uid":"0x1","friend":[{"uid":"0x2","friend|since":"2006-01-02T15:04:05Z"}]},
{"namespace":"0x0","uid":"0x1","dgraph.type":["Person"]},
{"namespace":"0x0","uid":"0x2","age":33},
{"namespace":"0x0","uid":"0x2","born":"1986-01-02T00:00:00Z"},
{"namespace":"0x0","uid":"0x3","dgraph.xid":"groot"},
{"namespace":"0x0","uid":"0x3","dgraph.type":["dgraph.type.User"]}
]"#;

/// The content of the graph in one line: ids are those of the file.
fn content(server: &Served) -> String {
    server.ask(
        "one",
        "AllNodesCount(), AllRelationshipsCount('friend'), NodeGetProperty(1, 'name'), NodeGetProperty(1, 'name@de'), \
         #NodeGetProperty(1, 'alias'), NodeGetProperty(2, 'age'), NodeGetProperty(2, 'born'), \
         AllNodesCount('Person'), AllNodesCount('Resource')",
    )
}

fn load(into: &[&str], folder: &Path, data: &str) -> String {
    let path = |name: &str| folder.join(name).display().to_string();
    let (data, schema, graphql) = (path(data), path("g01.schema.gz"), path("g01.gql_schema.gz"));
    let named = ["load", "--graph", "one", "--progress", "none", "--schema", &schema];
    let output = run(&[&named[..], into, &[&data, &graphql]].concat());
    let said = text(&output.stderr) + &text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("g01.gql_schema.gz is left out"), "{said}");
    assert!(said.contains("2 statements of Dgraph's own predicates"), "{said}");
    assert!(!said.contains("has no index"), "{said}");
    said
}

#[test]
fn an_export_of_dgraph_loads_as_it_is_into_a_folder_and_into_a_server() {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("g01.schema", SCHEMA),
        ("g01.rdf", RDF),
        ("g01.json", JSON),
        ("g01.gql_schema", "[{\"namespace\":0,\"schema\":\"\"}]"),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
        let packed = Command::new("gzip").arg(folder.path().join(name)).status().unwrap();
        assert!(packed.success());
    }
    let mut contents = Vec::new();
    for data in ["g01.rdf.gz", "g01.json.gz"] {
        let offline = folder.path().join(format!("offline-{data}"));
        load(&["--data", offline.to_str().unwrap()], folder.path(), data);
        let server = serve(&offline);
        contents.push(content(&server));
        assert_eq!(server.terminate(), Some(0));
        let server = serve(&folder.path().join(format!("online-{data}")));
        load(&["--url", &server.admin_url()], folder.path(), data);
        contents.push(content(&server));
        assert_eq!(server.terminate(), Some(0));
    }
    assert!(contents.iter().all(|content| *content == contents[0]), "{contents:#?}");
    assert!(contents[0].starts_with("[2, 1, \"Ann\", \"Änne\", 2, 33, "), "{}", contents[0]);
}

#[test]
fn a_schema_that_does_not_fit_is_refused_before_anything_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (name, content) in [
        ("good.schema", "name: string ."),
        ("bad.schema", "name: string @index(words) ."),
        ("x.rdf", "<0x1> <name> \"Ann\" .\n"),
        ("x.json", "{\"uid\":\"0x1\",\"name\":\"Ann\"}"),
        ("x.csv", "id:ID\n1\n"),
    ] {
        fs::write(path(name), content).unwrap();
    }
    let data = path("data");
    let refused = |arguments: &[&str]| {
        let named = ["load", "--graph", "one", "--progress", "none", "--data", &data];
        let output = run(&[&named[..], arguments].concat());
        assert_ne!(output.status.code(), Some(0));
        text(&output.stderr)
    };
    let schema = |name: &str| format!("--schema={}", path(name));
    for (arguments, words) in [
        (vec![schema("bad.schema"), path("x.rdf")], "bad.schema: 'name' has @index(words)"),
        (vec![schema("none.schema"), path("x.rdf")], "none.schema"),
        (vec![schema("good.schema"), path("x.csv")], "a schema is for N-Quads and Dgraph's JSON"),
        (vec![path("x.json")], "--schema"),
        (vec![path("good.schema")], "name it by --schema"),
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let said = refused(&arguments);
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}
