//! Tables as neo4j-admin's users have them: headers in files of their own, parts, labels and types on
//! the command line, other delimiters. The same through a folder and through a server.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::fs;
use std::path::Path;

use crate::program::{Served, run, serve, text};

/// The content of the graph in one line.
fn content(server: &Served) -> String {
    server.ask(
        "one",
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
    let mut load = vec!["load", "--graph", "one", "--progress", "none"];
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
    let (code, said) = load(&["--url", &server.admin_url()], &arguments);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(content(&server), CONTENT);
    assert_eq!(take_rejects(folder.path()), rejects);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn batches_refuse_unsupported_options_and_accept_other_delimiters() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = write_tables(folder.path());
    let server = serve(&folder.path().join("data"));
    let admin = server.admin_url();
    let into = ["--url", admin.as_str(), "--batch-rows", "2"];
    let (code, said) = load(&into, &arguments);
    assert_eq!(code, Some(65), "{said}");
    assert!(said.contains("multi-line fields and created ends"), "{said}");
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
fn comments_quotes_and_words_for_null_are_read_into_a_folder_and_through_a_server_alike() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    let rows = "# people\nid:ID,age:int,note,:LABEL\n1,\\N,'it''s, here',P\n# no\n2,7,'',P\n";
    fs::write(&path, rows).unwrap();
    let mut arguments: Vec<String> =
        ["--comment", "#", "--null", "\\N", "--quote", "'", "--ignore-empty-strings"]
            .map(str::to_owned)
            .to_vec();
    arguments.push(path.display().to_string());
    let content = |server: &Served| {
        let script = "local said = {}\nfor _, id in ipairs(AllNodeIds('P', 0, 9)) do\n\
                      table.insert(said, tostring(NodeGetProperty(id, 'age')) .. \
                      tostring(NodeGetProperty(id, 'note')))\nend\ntable.concat(said, ' ')";
        server.ask("one", script)
    };
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    let (code, said) = load(&["--data", first.to_str().unwrap()], &arguments);
    assert_eq!(code, Some(0), "{said}");
    for data in [&first, &second] {
        let server = serve(data);
        if data == &second {
            let (code, said) = load(&["--url", &server.admin_url()], &arguments);
            assert_eq!(code, Some(0), "{said}");
        }
        assert_eq!(content(&server), "[\"nilit's, here 7nil\"]");
        assert_eq!(server.terminate(), Some(0));
    }
}

#[test]
fn literals_of_unknown_types_are_counted_and_notes_reach_the_user_of_either_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nq");
    fs::write(&path, "<a> <p> \"x\"^^<http://e.org/t> .\n<a> <q> \"y\" .\n").unwrap();
    let file = path.display().to_string();
    let data = folder.path().join("data");
    let strict = load(&["--data", data.to_str().unwrap()], std::slice::from_ref(&file));
    assert_eq!(strict.0, Some(65), "{}", strict.1);
    assert!(strict.1.contains("--unknown-types text"), "{}", strict.1);
    let arguments = ["--unknown-types".to_owned(), "text".to_owned(), file];
    let note =
        "note: 1 values of types that are not known were loaded as text: 1 of <http://e.org/t>";
    let (code, said) = load(&["--data", data.to_str().unwrap()], &arguments);
    assert!(code == Some(0) && said.contains(note), "{code:?} {said}");
    let server = serve(&folder.path().join("served"));
    for batches in [&[][..], &["--batch-rows", "1"]] {
        let url = server.admin_url();
        let into = [&["--url", url.as_str()], batches].concat();
        let (code, said) = load(&into, &arguments);
        assert!(code == Some(0) && said.contains(note), "{code:?} {said}");
    }
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn headers_without_types_load_into_a_folder_and_through_a_server_alike() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("people.csv"), "id,name,zip\n1,Ann,01234\n2,Ben,\n").unwrap();
    fs::write(path("knows.csv"), "a,b,since\n1,2,2019\n").unwrap();
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let people = words(&format!("--label Person --id id --types id:long {}", path("people.csv")));
    let knows = words(&format!("--type KNOWS --from a(Person) --to b {}", path("knows.csv")));
    let server = serve(&folder.path().join("served"));
    for into in [["--data", &path("data")], ["--url", &server.admin_url()]] {
        let (code, said) = load(&into, &people);
        assert_eq!(code, Some(0), "{said}");
        assert!(
            said.contains("read as id:ID(Person){id-type:long},name:string,zip:string"),
            "{said}"
        );
        let (code, said) = load(&into, &knows);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("read as :START_ID(Person),:END_ID(Person),since:long"), "{said}");
    }
    let script =
        "NodeGetProperty(AllNodeIds('Person', 0, 1)[1], 'name'), AllRelationshipsCount('KNOWS')";
    assert_eq!(server.ask("one", script), "[\"Ann\", 1]");
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn lists_of_edges_load_into_a_folder_and_through_a_server_alike() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("web.txt"), "# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t5\n5\t7\n")
        .unwrap();
    fs::write(path("a.mtx"), "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 3 0.5\n")
        .unwrap();
    let list = ["--label", "Page", "--type", "LINKS", &path("web.txt")].map(str::to_owned);
    let matrix = ["--label", "Doc,Word", "--type", "HAS", &path("a.mtx")].map(str::to_owned);
    let server = serve(&folder.path().join("served"));
    for into in [["--data", &path("data")], ["--url", &server.admin_url()]] {
        let (code, said) = load(&into, &[path("web.txt")]);
        assert_eq!(code, Some(65), "{said}");
        assert!(said.contains("an edge list with 3 nodes and 2 edges"), "{said}");
        assert!(said.contains("--label LABEL --type TYPE"), "{said}");
        let (code, said) = load(&into, &list);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("read as two ids (id:long)"), "{said}");
        let (code, said) = load(&into, &matrix);
        assert_eq!(code, Some(0), "{said}");
    }
    let script = "AllNodesCount('Page'), AllNodesCount('Word'), AllRelationshipsCount('LINKS'), \
                  AllRelationshipsCount('HAS')";
    assert_eq!(server.ask("one", script), "[3, 3, 2, 1]");
    assert_eq!(server.terminate(), Some(0));
    let server = serve(Path::new(&path("data")));
    assert_eq!(server.ask("one", script), "[3, 3, 2, 1]");
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn files_named_by_patterns_are_tables_or_parts_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (name, rows) in [
        ("header.csv", "id:ID(P),:LABEL\n"),
        ("part_1.csv", "1,P\n"),
        ("part_2.csv", "2,P\n"),
        ("part_10.csv", "10,P\nbad\n"),
        ("knows_a.csv", ":START_ID(P),:END_ID(P),:TYPE\n1,2,KNOWS\n"),
        ("knows_b.csv", ":START_ID(P),:END_ID(P),:TYPE\n2,10,KNOWS\n"),
    ] {
        fs::write(path(name), rows).unwrap();
    }
    let nodes = format!("--nodes={},{}", path("header.csv"), path("part_[0-9]+.csv"));
    let data = path("data");
    let (code, said) = load(&["--data", &data, "--max-bad", "1"], &[nodes, path("knows_*.csv")]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("part_10.csv:2:2: expected 2 fields"), "{said}");
    let rejects = fs::read_to_string(path("part_10.rejects.csv")).unwrap();
    assert_eq!(rejects, "id:ID(P),:LABEL\nbad\n");
    let server = serve(Path::new(&data));
    assert_eq!(server.ask("one", "AllNodesCount('P'), AllRelationshipsCount('KNOWS')"), "[3, 2]");
    assert_eq!(server.terminate(), Some(0));
    let (code, said) = load(&["--data", &data], &[path("piece_*.csv")]);
    assert_eq!(code, Some(66), "{said}");
    assert!(said.contains("no name in its folder fits it as a pattern"), "{said}");
}

#[test]
fn ids_that_the_graph_has_are_counted_by_max_bad_and_named_by_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("d1.csv"), "id:ID(P),:LABEL\n1,P\n2,P\n").unwrap();
    fs::write(path("d2.csv"), "id:ID(P),:LABEL\n3,P\n1,P\n4,P\n").unwrap();
    let data = path("data");
    let into = ["--data", data.as_str()];
    assert_eq!(load(&into, &[path("d1.csv")]).0, Some(0));
    let (code, said) = load(&into, &[path("d2.csv")]);
    assert_eq!(code, Some(65), "{said}");
    assert!(said.contains("d2.csv:3:1: the id '1' is in the graph already"), "{said}");
    let (code, said) = load(&into, &["--max-bad".into(), "10".into(), path("d2.csv")]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("left out: ") && said.contains("d2.csv:3:1: the id '1'"), "{said}");
    let (code, said) = load(&into, &[path("none.csv")]);
    assert_eq!(code, Some(66), "{said}");
    assert!(said.contains("none.csv: there is no such file: look for a misspelling"), "{said}");
}

#[test]
fn wrong_table_options_are_refused_with_their_reason() {
    let folder = tempfile::tempdir().unwrap();
    let items = folder.path().join("items.csv");
    fs::write(&items, "id:ID,:LABEL\ntea,Item\n").unwrap();
    let items = items.display().to_string();
    for (arguments, code, words) in [
        (vec!["--nodes", "Item="], 64, "expected a file"),
        (vec!["--delimiter", "||", &items], 64, "one character"),
        (vec!["--delimiter", ";", &items], 65, "both the delimiter and the array delimiter"),
        (vec!["--multiline-fields=maybe", &items], 64, "true"),
        (vec!["--create-ends", "--format", "nquads", &items], 65, "are options of CSV"),
        (vec!["--nodes", "Item=none.csv"], 66, "none.csv"),
        (vec!["--null", "", &items], 64, "1 to 15 bytes"),
        (vec!["--comment", "##", &items], 64, "one ASCII character"),
        (vec!["--comment", "#", "--multiline-fields", &items], 65, "cannot be combined"),
        (vec!["--quote", ",", &items], 65, "cannot be the quote"),
        (vec!["--unknown-types", "drop", &items], 64, "text"),
        (vec!["--label", "P", "--type", "T", &items], 65, "leave out --label, --type"),
        (vec!["--type", "T", &items], 65, "columns for both ends: from and to"),
        (vec!["--id", "id", &items], 64, "--label"),
        (vec!["--label", "Item", "--id", "id", &items], 65, "this header has roles of its own"),
        (vec!["--types", "a:number", &items], 65, "'a:number' is not a column with its type"),
        // Options of neo4j-admin: one that asks for the default is accepted, else ours is named.
        (vec!["--id-type=integer", &items], 65, "leave it out"),
        (vec!["--id-type=string", &items], 0, ""),
        (vec!["--quote='", &items], 0, ""),
        (vec!["--skip-bad-relationships=true", &items], 65, "--max-bad N"),
        (vec!["--skip-bad-relationships=false", "--normalize-types=true", &items], 0, ""),
        (vec!["--ignore-empty-strings=true", &items], 0, ""),
        (vec!["--bad-tolerance=5", &items], 65, "--max-bad N"),
        (vec!["--threads=4", "--max-off-heap-memory=80%", &items], 0, ""),
    ] {
        let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
        let (found, said) = load(&["--dry-run"], &arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn indexes_are_made_behind_a_load() {
    let folder = tempfile::tempdir().unwrap();
    let films = folder.path().join("films.csv").display().to_string();
    fs::write(&films, "id:ID(F),title,:LABEL\n1,Heat,Film\n2,Heat,Film\n").unwrap();
    let (data, server) = (folder.path().join("data"), serve(&folder.path().join("served")));
    let with = |index: &[&str]| {
        let options = index.iter().flat_map(|index| ["--index".to_owned(), (*index).to_owned()]);
        options.chain([films.clone()]).collect::<Vec<_>>()
    };
    for into in [["--data", data.to_str().unwrap()], ["--url", &server.admin_url()]] {
        let (code, said) = load(&into, &with(&["Film(title"]));
        assert_eq!(code, Some(64), "{said}");
        assert!(said.contains("`Film(title` is no index"), "{said}");
        let good = ["Film(title)", "Film(title) trigrams", "[SEEN](at) exact"];
        let (code, said) = load(&into, &with(&good));
        assert_eq!(code, Some(0), "{said}");
        fs::write(&films, "id:ID(F),title,:LABEL\n3,Ran,Film\n").unwrap();
        let (code, said) = load(&into, &with(&good));
        assert_eq!(code, Some(0), "what is there stays: {said}");
        fs::write(&films, "id:ID(F),title,:LABEL\n4,Up,Film\n").unwrap();
        let (code, said) = load(&into, &with(&["Film(title) unique"]));
        assert_eq!(code, Some(65), "{said}");
        assert!(said.contains("all is loaded, but not the index `Film(title) unique`"), "{said}");
        fs::write(&films, "id:ID(F),title,:LABEL\n1,Heat,Film\n2,Heat,Film\n").unwrap();
    }
    let shown = |server: &Served| {
        assert_eq!(server.ask("one", "AllNodesCount('Film')"), "4");
        let schema = server.get_text("/graphs/one/schema");
        ["trigrams", "\"kind\": \"exact\"", "\"kind\": \"range\""].map(|word| schema.contains(word))
    };
    assert_eq!(shown(&server), [true; 3]);
    assert_eq!(server.terminate(), Some(0));
    let server = serve(&data);
    assert_eq!(shown(&server), [true; 3]);
    assert_eq!(server.terminate(), Some(0));
}
