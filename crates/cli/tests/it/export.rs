//! `millrace export`: the program loads an export again as the same graph.

use std::fs;
use std::path::Path;

use crate::program::{run, serve, text};

const PEOPLE: &str = "name:ID,age:int,score:double,tags:string[],:LABEL\n\
                      ann,29,0.5,\"a,b;c\",Person;Admin\nben,,,,Person\n";
const KNOWS: &str =
    ":START_ID,:END_ID,:TYPE,since:date\nann,ben,KNOWS,2024-02-29\nben,ben,LIKES,\n";

/// Everything in the graph of a folder, in one line.
fn content(data: &Path) -> String {
    let server = serve(data);
    let content = server.ask(
        "one",
        "local said = {}\nfor _, id in ipairs(AllNodeIds(0, 100)) do\n\
         table.insert(said, NodeGetProperty(id, 'name') .. tostring(NodeGetProperty(id, 'age')) .. \
         tostring(NodeGetProperty(id, 'score')) .. #(NodeGetProperty(id, 'tags') or {}))\nend\n\
         table.sort(said)\ntable.concat(said, ' '), AllNodesCount('Person'), AllNodesCount('Admin'), \
         AllRelationshipsCount('KNOWS'), AllRelationshipsCount('LIKES')",
    );
    assert_eq!(server.terminate(), Some(0));
    content
}

#[test]
fn a_graph_goes_out_in_each_format_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let shown = |name: &str| path(name).display().to_string();
    fs::write(path("people.csv"), PEOPLE).unwrap();
    fs::write(path("knows.csv"), KNOWS).unwrap();
    let load = |data: &str, files: &[String]| {
        let mut arguments = vec!["load", "--data", data, "--graph", "one", "--progress", "none"];
        arguments.extend(files.iter().map(String::as_str));
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    };
    let export = |graph: &str, further: &[&str]| {
        let data = shown("data");
        let output = run(&[&["export", "--data", &data, "--graph", graph], further].concat());
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    load(&shown("data"), &[shown("people.csv"), shown("knows.csv")]);
    let (code, said, _) = export("one", &["--to", &shown("out"), "--format", "csv"]);
    assert_eq!(code, Some(0));
    assert!(said.contains("2 nodes and 2 relationships"), "{said}");
    let files: Vec<String> = fs::read_dir(path("out"))
        .unwrap()
        .map(|file| file.unwrap().path().display().to_string())
        .collect();
    load(&shown("again"), &files);
    let whole = content(&path("data"));
    assert_eq!(content(&path("again")), whole);
    // A value that a format cannot hold is refused by name.
    let (code, _, said) = export("one", &["--to", &shown("g.graphml.gz")]);
    assert_eq!(code, Some(65), "{said}");
    assert!(said.contains("'since' of the edge") && said.contains("is a date"), "{said}");
    assert!(said.contains("--unsupported-types text"), "{said}");
    let as_text = ["--to", &shown("g.graphml"), "--unsupported-types", "text"];
    let (code, _, said) = export("one", &as_text);
    assert!(code == Some(0) && said.contains("reads them as text: since (date)"), "{said}");
    assert!(fs::read_to_string(path("g.graphml")).unwrap().contains(">2024-02-29<"));
    let (code, _, said) = export("one", &["--to", &shown("g.json")]);
    assert_eq!(code, Some(65), "{said}");
    assert!(said.contains("several labels"), "{said}");
    assert!(!path("g.json").exists() && !path("g.json.part").exists());
}

#[test]
fn exit_codes_say_why_nothing_was_exported() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("in.json"), "{\"id\":1}\n").unwrap();
    let (data, input) = (path("data"), path("in.json"));
    let loaded = run(&["load", "--data", &data, "--graph", "one", &input]);
    assert_eq!(loaded.status.code(), Some(0), "{}", text(&loaded.stderr));
    let (out, there, csv) = (path("out.graphml"), path("in.json"), path("out"));
    let none = path("none");
    for (data, graph, to, code, words) in [
        (&data, "one", &csv, 65, "use --format"),
        (&data, "h", &out, 66, "graphs: one"),
        (&none, "one", &out, 66, "there is no data folder"),
        (&there, "one", &out, 65, "is a file, not a data folder"),
        (&data, "one", &there, 73, "is there already"),
        (&data, "one", &out, 0, ""),
    ] {
        let output = run(&["export", "--data", data, "--graph", graph, "--to", to]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{to}: {said}");
        assert!(said.contains(words), "{said}");
    }
    assert!(!Path::new(&none).exists());
    assert!(fs::read_to_string(&out).unwrap().contains("<node id=\"1\">"));
    let server = serve(Path::new(&data));
    let output = run(&["export", "--data", &data, "--graph", "one", "--to", &path("x.json")]);
    assert_eq!(output.status.code(), Some(75), "{}", text(&output.stderr));
    assert_eq!(server.terminate(), Some(0));
}
