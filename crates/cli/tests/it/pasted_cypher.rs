//! The public kind of scripts of Cypher, as their users paste them into a shell: whole, with comments, blank lines
//! and several statements, and then questions. The answers are those of `tests/cypher/features/queries`.

use std::fs;
use std::path::Path;

use millrace_testkit::{require, workspace};

use crate::program::serve_both;
use crate::shell::{Terminal, everywhere, feed, printed};

/// A graph of `tests/cypher/graphs`, and questions with the lines of JSON that answer them.
struct Pasted {
    graph: &'static str,
    questions: &'static [(&'static str, &'static str)],
}

const PASTED: [Pasted; 4] = [
    Pasted {
        graph: "films",
        questions: &[
            (
                "MATCH (p:Person) WITH count(p) AS people MATCH (m:Movie) RETURN people, count(m) AS films",
                r#"[{"people":88,"films":38}]"#,
            ),
            (
                "MATCH (m:Movie {title: 'The Broken River'})<-[r:ACTED_IN]-(p)\n\n\
                 // as whom\n  RETURN p.name AS name, r.roles AS roles ORDER BY name LIMIT 2",
                r#"[{"name":"Bram Keller","roles":["Felix"]},{"name":"Cleo Moreau","roles":["The Stranger"]}]"#,
            ),
        ],
    },
    Pasted {
        graph: "bank",
        questions: &[(
            "MATCH (p:Phone)<-[:HAS_PHONE]-(h:Holder) WITH p, h ORDER BY h.id\n\
             WITH p, collect(h.id) AS holders WHERE size(holders) > 1\n\
             RETURN p.number AS number, holders ORDER BY number LIMIT 2",
            r#"[{"number":"555-0100","holders":[14,15,19]},{"number":"555-0101","holders":[7,18,21]}]"#,
        )],
    },
    Pasted {
        graph: "roads",
        questions: &[(
            "MATCH p = shortestPath((:Town {name: 'Alna'})-[:ROAD*]-(:Town {name: 'Lade'})) RETURN length(p) AS roads",
            r#"[{"roads":3}]"#,
        )],
    },
    Pasted {
        graph: "trade",
        questions: &[
            (
                "MATCH (c:Category {categoryName: 'Produce'})<-[:PART_OF]-(:Product)<-[:SUPPLIES]-(s:Supplier)\n\
                 RETURN DISTINCT s.companyName AS supplier ORDER BY supplier",
                r#"[{"supplier":"Kobe Foods"},{"supplier":"Maple Row"},{"supplier":"Nordhof"}]"#,
            ),
            (
                "MATCH (e:Employee)-[:REPORTS_TO]->(:Employee {firstName: 'Nina'}) RETURN e.firstName ORDER BY e.firstName",
                r#"[{"e.firstName":"Oskar"},{"e.firstName":"Petra"}]"#,
            ),
        ],
    },
];

/// The scripts of a graph as one text, in their order.
fn script(graph: &str) -> String {
    let folder = workspace().join("tests/cypher/graphs").join(graph);
    let text = |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{error}"));
    let entries = fs::read_dir(&folder).expect("the graph is in the tree");
    let paths = entries.map(|entry| entry.expect("it is read").path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|own| own == "cypher")).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{graph} has no script");
    paths.iter().map(|path| text(path)).collect()
}

const EMPTY: &str = "MATCH (n) DETACH DELETE n;";

#[test]
fn scripts_with_several_statements_are_pasted_and_asked() {
    everywhere(|at| {
        for Pasted { graph, questions } in &PASTED {
            let asked: String = questions.iter().map(|(text, _)| format!("{text};\n")).collect();
            let input = format!("{EMPTY}\n{}\n{asked}", script(graph));
            let output = feed(&[at, &["--language", "cypher"]].concat(), &input);
            let printed = printed(&output);
            let lines: Vec<&str> = printed.lines().collect();
            let wanted: Vec<&str> = questions.iter().map(|(_, answer)| *answer).collect();
            assert!(lines.ends_with(&wanted), "{graph}, {at:?}: {lines:#?}");
        }
    });
}

#[test]
fn a_statement_of_cypher_ends_at_its_semicolon_wherever_that_is() {
    everywhere(|at| {
        let ask = |input: &str| feed(&[at, &["--language", "cypher"]].concat(), input);
        for (input, wanted) in [
            ("RETURN 1; RETURN 2;\n", "[{\"1\":1}]\n[{\"2\":2}]\n"),
            (
                "RETURN 1; // one\nRETURN ';' AS x; /* two;\n*/ RETURN 3",
                "[{\"1\":1}]\n[{\"x\":\";\"}]\n[{\"3\":3}]\n",
            ),
            ("RETURN\n\n1\n\n;\n\n// the end\n", "[{\"1\":1}]\n"),
            (";;\n;", ""),
        ] {
            assert_eq!(printed(&ask(input)), wanted, "{at:?}: {input}");
        }
        // Each is a transaction of its own, and an error has its place in the whole text.
        let failed =
            ask(&format!("{EMPTY} CREATE (:Kept);\n\n  RETURN 1; RETURN nothing;\nRETURN 2"));
        let said = crate::program::text(&failed.stderr);
        assert!(said.starts_with("millrace: stdin:3:20: "), "{at:?}: {said}");
        assert_eq!(printed(&ask("MATCH (n:Kept) RETURN count(n) AS n")), "[{\"n\":1}]\n");
    });
}

/// A terminal gives pasted lines in brackets of their own, so that they come at once.
#[test]
fn a_script_is_pasted_into_a_terminal() {
    let program = Path::new("/usr/bin/script");
    if !require("shell on a terminal (script, of util-linux)", program.is_file()) {
        return;
    }
    let folder = tempfile::tempdir().expect("there is room");
    let server = serve_both(&folder.path().join("data"));
    let mut shell = Terminal::start(program, &server.admin_url(), &folder.path().join("state"));
    shell.at("g:gremlin> ", ":use cypher\r");
    let pasted = |text: &str| format!("\u{1b}[200~{text}\u{1b}[201~\r");
    let towns = "MATCH (t:Town)\n\nRETURN 'towns: ' + count(t) AS n; MATCH ()-[r:ROAD]->()\n";
    shell.at("g:cypher> ", &pasted(&format!("{}\n{towns}", script("roads"))));
    shell.at("towns: 14", "");
    // The last statement is not whole, and a blank line does not end it.
    shell.at(".......> ", "\r");
    shell.at(".......> ", "RETURN 'roads: ' + count(r) AS n;\r");
    shell.at("roads: ", "");
    shell.at("g:cypher> ", ":quit\r");
    shell.ends();
}
