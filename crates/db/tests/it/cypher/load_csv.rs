//! `LOAD CSV`: rows of files of one folder, their lines, and what is refused.

use std::path::Path;

use millrace_db::Settings;

use super::Graph;

/// A graph with queries that read the files of a folder.
fn graph(folder: &Path) -> Graph {
    let mut settings = Settings::default();
    settings.scripts.csv_folder = folder.to_str().expect("a text").to_owned();
    Graph::with(settings)
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("is written");
    }
    folder
}

#[test]
fn rows_are_lists_or_maps_with_their_lines() {
    let folder = folder(&[
        ("people.csv", "name,age\r\nAnn,30\n\n\"Bob, \"\"B\"\"\",\nCid\n"),
        ("semicolons.csv", "1;\"a\nb\"\n2;c\n"),
    ]);
    let graph = graph(folder.path());
    for (text, rows) in [
        (
            "LOAD CSV WITH HEADERS FROM 'file:///people.csv' AS row RETURN row.name, row.age, linenumber(), file()",
            vec!["Ann, 30, 2, /people.csv", "Bob, \"B\", null, 4, /people.csv", "Cid, null, 5, /people.csv"],
        ),
        (
            "LOAD CSV FROM 'file:///people.csv' AS row WITH row, linenumber() AS line WHERE line < 3 RETURN row, size(row), linenumber()",
            vec!["[name, age], 2, 1", "[Ann, 30], 2, 2"],
        ),
        (
            "LOAD CSV FROM 'file:///semicolons.csv' AS row FIELDTERMINATOR ';' RETURN toInteger(row[0]) + 1, row[1]",
            vec!["2, a\nb", "3, c"],
        ),
        (
            "UNWIND ['people.csv', 'semicolons.csv'] AS name LOAD CSV FROM 'file:///' + name AS row RETURN name, count(*) ORDER BY name",
            vec!["people.csv, 4", "semicolons.csv, 3"],
        ),
        (
            "LOAD CSV WITH HEADERS FROM 'file:///people.csv' AS row CREATE (n:P {name: row.name}) RETURN count(n)",
            vec!["3"],
        ),
        (
            "LOAD CSV WITH HEADERS FROM 'file:///people.csv' AS row
             CALL (row) { MERGE (p:P {name: row.name}) SET p.line = linenumber() } IN TRANSACTIONS OF 2 ROWS",
            vec![],
        ),
        ("MATCH (p:P) RETURN count(*), collect(p.line)", vec!["3, [2, 4, 5]"]),
        ("RETURN linenumber(), file()", vec!["null, null"]),
    ] {
        let found: Vec<String> =
            graph.ask(text).into_iter().filter(|row| !row.is_empty()).collect();
        assert_eq!(found, rows, "{text}");
    }
}

#[test]
fn other_folders_and_bad_files_are_refused_by_name() {
    let folder = folder(&[("bad.csv", "a,b\n1,2\n\"x\"y,3\n"), ("open.csv", "a\n\"b\n")]);
    let with = graph(folder.path());
    for (url, message) in [
        ("http://example.com/a.csv", "`http:` is not supported"),
        ("file:///../secret.csv", "leads out of the folder"),
        ("a.csv", "no protocol"),
        ("file:///none.csv", "no such file"),
        ("file:///bad.csv", "/bad.csv: line 3: there are characters after"),
        ("file:///open.csv", "/open.csv: line 2: a quote is not closed"),
    ] {
        let found = with.ask(&format!("LOAD CSV FROM '{url}' AS row RETURN row"));
        assert!(found[0].starts_with("error ExternalResourceFailed"), "{url}: {found:?}");
        assert!(found[0].contains(message), "{url}: {found:?}");
    }
    let without = Graph::new().ask("LOAD CSV FROM 'file:///bad.csv' AS row RETURN row");
    assert!(without[0].contains("which is not set"), "{without:?}");
    let separator =
        with.ask("LOAD CSV FROM 'file:///bad.csv' AS row FIELDTERMINATOR ';;' RETURN row");
    assert!(separator[0].contains("cannot separate fields"), "{separator:?}");
}

/// The first rows are there before the file was read to its end: a bad record at the end does not matter to `LIMIT`.
#[test]
fn a_file_is_read_piece_by_piece() {
    let mut text: String = (0..200_000).map(|number| format!("{number},x\n")).collect();
    text += "\"never closed";
    let folder = folder(&[("long.csv", &text)]);
    let graph = graph(folder.path());
    let found = graph.ask("LOAD CSV FROM 'file:///long.csv' AS row RETURN row[0] LIMIT 2");
    assert_eq!(found, ["0", "1"]);
    let all = graph.ask("LOAD CSV FROM 'file:///long.csv' AS row RETURN count(*)");
    assert!(all[0].contains("line 200001"), "{all:?}");
}

#[test]
fn a_json_file_gives_a_row_for_each_entry() {
    let folder = folder(&[
        ("a.json", "[{\"x\": 1}, {\"x\": [2]}]"),
        ("b.json", "{\"x\": 3}"),
        ("c.json", "{"),
    ]);
    let graph = graph(folder.path());
    let text = "UNWIND ['a', 'b'] AS name CALL apoc.load.json('file:///' + name + '.json') YIELD value RETURN name, value.x";
    assert_eq!(graph.ask(text), ["a, 1", "a, [2]", "b, 3"]);
    let bad = graph.ask("CALL apoc.load.json('file:///c.json')");
    assert!(bad[0].contains("/c.json: this is not JSON"), "{bad:?}");
}
