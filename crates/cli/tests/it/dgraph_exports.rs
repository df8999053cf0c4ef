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

/// Of each kind of value, with languages and facets, what only JSON or RDF escapes have, and a hash that stays one.
const ALL_KINDS: &str = "<0x1> <name> \"Ann\" (since=2006-01-02T15:04:05Z, w=2.0) .\n\
    <0x1> <name> \"\u{c4}n\\\"n\\\\e\\n\\u0001\"@de (k=\"x, y)\") .\n\
    <0x1> <alias> \"x\" (kind=\"a\", n=1) .\n<0x1> <alias> \"y\" .\n\
    <0x1> <friend> <0x2> (close=true) .\n<0x1> <friend> <0x3> .\n<0x1> <boss> <0x2> .\n\
    <0x1> <loc> \"{'type':'Point','coordinates':[1.5,2]}\"^^<geo:geojson> .\n\
    <0x1> <born> \"1986-01-02T03:04:05.678Z\" .\n<0x1> <big> \"12345678901234567890.5\" .\n\
    <0x1> <v> \"[1.5, 2]\" .\n<0x1> <h> \"1e300\" .\n<0x1> <ok> \"true\" .\n<0x1> <n> \"-7\" .\n\
    <0x1> <d> \"zz\" .\n<0x1> <pw> \"secret12\" .\n<0x1> <dgraph.type> \"Person\" .\n\
    <0x2> <name> \"Bob\" .\n<0x3> <big word> \"w\" .\n";

const ALL_TYPES: &str = "name: string @index(exact, term) @lang .\nalias: [string] .\nfriend: [uid] @reverse @count .\n\
    boss: uid .\nloc: geo @index(geo) .\nborn: datetime @index(year) .\nbig: bigfloat .\n\
    v: float32vector @index(hnsw(metric: \"euclidean\")) .\nh: float .\nok: bool .\nn: int @index(int) .\n\
    d: default .\npw: password .\ntype Person { name <~friend> }\n";

const QUERIES: [&str; 3] = [
    "{ q(func: ge(n, -7)) { uid dgraph.type name name@de @facets alias @facets loc born big v h ok n d \
       friend @facets { uid name } boss { name } checkpwd(pw, \"secret12\") } }",
    "{ q(func: has(name)) { uid name @facets ~friend { uid } count(friend) } }",
    "schema {}",
];

/// The answer to a query, without the time that it took.
fn query(server: &Served, language: &str, text: &str) -> String {
    let body = serde_json::json!({ "language": language, "text": text }).to_string();
    let answer = server.post_json("/query/one", &body);
    answer.lines().filter(|line| !line.starts_with("{\"summary\"")).collect()
}

fn answers(server: &Served) -> Vec<String> {
    QUERIES.iter().map(|text| query(server, "dql", text)).collect()
}

/// A graph goes out as Dgraph exports it and comes back the same: values, languages, facets, types, the schema with its
/// indexes. The second export has the very lines of the first.
#[test]
fn an_export_as_n_quads_has_its_schema_beside_it_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("all.schema"), ALL_TYPES).unwrap();
    fs::write(path("all.rdf"), ALL_KINDS.replace("<big word>", "<big\\u0020word>")).unwrap();
    let load = |data: &str, schema: &str, into: &str| {
        let named = ["load", "--graph", "one", "--progress", "none", "--schema", schema];
        let output = run(&[&named[..], &["--data", into, data]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    };
    let export = |from: &str, to: &str| {
        let named = ["export", "--graph", "one", "--progress", "none", "--data", from, "--to", to];
        let output = run(&named);
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    load(&path("all.rdf"), &path("all.schema"), &path("first"));
    let (code, said) = export(&path("first"), &path("g01.rdf.gz"));
    assert!(code == Some(0) && said.contains("g01.schema.gz"), "{said}");
    load(&path("g01.rdf.gz"), &path("g01.schema.gz"), &path("second"));
    assert_eq!(export(&path("second"), &path("again.rdf")).0, Some(0));
    let unpacked = Command::new("gzip").args(["-dc", &path("g01.rdf.gz")]).output().unwrap().stdout;
    assert_eq!(text(&unpacked), fs::read_to_string(path("again.rdf")).unwrap());
    let [first, second] = ["first", "second"].map(|data| {
        let server = serve(&folder.path().join(data));
        let found = answers(&server);
        assert_eq!(server.terminate(), Some(0));
        found
    });
    assert_eq!(first, second);
    assert!(first[0].contains("\"checkpwd(pw)\":true"), "{first:?}");

    let (code, said) = export(&path("second"), &path("again.rdf"));
    assert!(code != Some(0) && said.contains("again.schema is there already"), "{said}");
}

#[test]
fn what_n_quads_cannot_say_is_refused_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (place, (script, words)) in [
        ("CREATE (:P {id: 1, t: duration('P1D')})", "duration"),
        ("CREATE (:P {id: 1, l: [1, 2, 1]})", "list"),
        ("CREATE (:P {x: 1.0 / 0})", "Infinity"),
        ("CREATE (a:P)-[:K]->(b:Q), (a)-[:K]->(b)", "two edges 'K'"),
        ("CREATE (:P)-[:K {r: point({x: 1, y: 2})}]->(:Q)", "facet 'r'"),
    ]
    .into_iter()
    .enumerate()
    {
        let data = path(&format!("data-{place}"));
        let server = serve(Path::new(&data));
        server.put_graph("one");
        let done = query(&server, "cypher", script);
        assert!(!done.contains("\"error\""), "{done}");
        assert_eq!(server.terminate(), Some(0));
        let to = path("out.rdf");
        let named =
            ["export", "--graph", "one", "--progress", "none", "--data", &data, "--to", &to];
        let output = run(&named);
        let said = text(&output.stderr);
        assert!(output.status.code() != Some(0) && said.contains(words), "{script}: {said}");
        assert!(fs::read_dir(folder.path()).unwrap().all(|entry| {
            let name = entry.unwrap().file_name();
            name.to_string_lossy().starts_with("data-")
        }));
    }
}
