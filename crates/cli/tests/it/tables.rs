//! Tables as neo4j-admin's users have them: headers in files of their own, parts, labels and types on
//! the command line, other delimiters. The same through a folder and through a server.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::fs;
use std::path::Path;

use crate::program::{Served, run, serve, text};

/// Everything that can be told of the graph in one line.
fn content(server: &Served) -> String {
    server.ask(
        "g",
        "local tags, notes = 0, ''\nfor _, id in ipairs(AllNodeIds('Person', 0, 100)) do\n\
         tags = tags + #(NodeGetProperty(id, 'tags') or {})\n\
         notes = notes .. (NodeGetProperty(id, 'note') or '-')\nend\n\
         AllNodesCount(), AllNodesCount('Person'), AllNodesCount('Admin'), AllNodesCount('Item'), \
         AllNodesCount('Resource'), AllRelationshipsCount('LIKES'), \
         AllRelationshipsCount('KNOWS'), tags, notes",
    )
}

const CONTENT: &str = "[6, 3, 1, 2, 1, 3, 1, 3, \"two\\nlines--\"]";

/// Files beside one another, and the arguments that load them.
fn write_tables(folder: &Path) -> Vec<String> {
    for (name, rows) in [
        ("people-header.csv", "id:ID(P)|tags:string[]|note|:LABEL\n"),
        ("people-1.csv", "ann|x/y|\"two\nlines\"|\nben|z||Admin\n"),
        ("people-2.csv", "cat|||\n"),
        ("items.csv", "id:ID(I)\ntea\nmilk\n"),
        ("ends-header.csv", ":START_ID(P)|:END_ID(I)\n"),
        ("likes-1.csv", "ann|tea\nann|milk\nbad\"row\n"),
        ("likes-2.csv", "ben|tea\ncat|\"tea\"|more\n"),
        ("knows.csv", ":START_ID(P)|:END_ID(P)|:TYPE\nann|dan|KNOWS\n"),
    ] {
        fs::write(folder.join(name), rows).unwrap();
    }
    let path = |name: &str| folder.join(name).display().to_string();
    let parts = |names: [&str; 3]| names.map(path).join(",");
    vec![
        format!("--nodes=Person={}", parts(["people-header.csv", "people-1.csv", "people-2.csv"])),
        format!("--nodes=Item={}", path("items.csv")),
        "--relationships".into(),
        format!("LIKES={}", parts(["ends-header.csv", "likes-1.csv", "likes-2.csv"])),
        path("knows.csv"),
        "--delimiter=|".into(),
        "--array-delimiter=/".into(),
        "--multiline-fields=true".into(),
        "--create-ends".into(),
        "--max-bad=9".into(),
    ]
}

fn load(into: &[&str], arguments: &[String]) -> (Option<i32>, String) {
    let mut load = vec!["load", "--graph", "g", "--progress", "none"];
    load.extend(into);
    load.extend(arguments.iter().map(String::as_str));
    let output = run(&load);
    (output.status.code(), text(&output.stderr))
}

/// The rejects of both parts of a table, which are removed.
fn take_rejects(folder: &Path) -> Vec<String> {
    let rejects = ["likes-1.rejects.csv", "likes-2.rejects.csv"].map(|name| folder.join(name));
    let rows = rejects.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    for path in rejects {
        fs::remove_file(path.with_extension("csv.reasons")).unwrap();
        fs::remove_file(path).unwrap();
    }
    rows
}

#[test]
fn tables_of_neo4j_admin_load_into_a_folder_and_through_a_server_alike() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = write_tables(folder.path());
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    let (code, said) = load(&["--data", first.to_str().unwrap()], &arguments);
    assert_eq!(code, Some(0), "{said}");
    let rejects = take_rejects(folder.path());
    let header = ":START_ID(P)|:END_ID(I)\n";
    assert_eq!(rejects, [format!("{header}bad\"row\n"), format!("{header}cat|\"tea\"|more\n")]);
    let server = serve(&first);
    assert_eq!(content(&server), CONTENT);
    assert_eq!(server.terminate(), Some(0));
    let server = serve(&second);
    let (code, said) = load(&["--url", &server.url], &arguments);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(content(&server), CONTENT);
    assert_eq!(take_rejects(folder.path()), rejects);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn what_batches_cannot_do_is_refused_and_other_delimiters_they_can() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = write_tables(folder.path());
    let server = serve(&folder.path().join("data"));
    let into = ["--url", server.url.as_str(), "--batch-rows", "2"];
    let (code, said) = load(&into, &arguments);
    assert_eq!(code, Some(65), "{said}");
    assert!(said.contains("multi-line fields, and ends that are made"), "{said}");
    fs::write(folder.path().join("people-1.csv"), "ann|x/y|\"one\"|\nben|z||Admin\n").unwrap();
    let plain: Vec<String> = arguments
        .into_iter()
        .filter(|argument| {
            !["--multiline", "--create"].iter().any(|said| argument.starts_with(said))
        })
        .collect();
    let (code, said) = load(&into, &plain);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(content(&server), "[5, 3, 1, 2, 0, 3, 0, 3, \"one--\"]");
    assert_eq!(take_rejects(folder.path()).concat().matches("\n").count(), 4);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn wrong_words_about_tables_are_refused_by_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let items = folder.path().join("items.csv");
    fs::write(&items, "id:ID,:LABEL\ntea,Item\n").unwrap();
    let items = items.display().to_string();
    for (arguments, code, words) in [
        (vec!["--nodes", "Item="], 64, "expected a file"),
        (vec!["--delimiter", "||", &items], 64, "one character"),
        (vec!["--delimiter", ";", &items], 65, "between fields and between elements"),
        (vec!["--multiline-fields=maybe", &items], 64, "true"),
        (vec!["--create-ends", "--format", "nquads", &items], 65, "are said of CSV"),
        (vec!["--nodes", "Item=none.csv"], 66, "none.csv"),
    ] {
        let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
        let (found, said) = load(&["--dry-run"], &arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}
