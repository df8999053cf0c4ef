//! `millrace shell` with scripts: parameters, transactions, commands behind statements, and what APOC exports.

use std::fs;
use std::path::Path;

use millrace_testkit::{require, workspace};

use crate::program::{serve_both, text};
use crate::shell::{Terminal, everywhere, feed, printed};

/// What a shell in Cypher prints of a script.
fn cypher(at: &[&str], input: &str) -> String {
    printed(&feed(&[at, &["--language", "cypher"]].concat(), input))
}

/// The exit code and the errors of a script that fails.
fn failed(at: &[&str], input: &str) -> (i32, String) {
    let output = feed(&[at, &["--language", "cypher"]].concat(), input);
    (output.status.code().unwrap_or(0), text(&output.stderr))
}

const EMPTY: &str = "MATCH (n) DETACH DELETE n;\n";

#[test]
fn parameters_are_evaluated_once_and_keep_their_types() {
    everywhere(|at| {
        let shown = cypher(
            at,
            ":param x => 1 + 2\n\
             :param {day: date('2024-02-28'), place: point({x: 1, y: 2}), names: ['a', null]}\n\
             RETURN $x AS x, $day + duration('P1D') AS day, $place.y AS y, $names[0] AS name;\n\
             :param `a b`: $x * 2;\n\
             RETURN $`a b` AS n;\n\
             :use gremlin\n\
             g.inject(x)\n\
             :params {only: 7}\n\
             :params\n\
             :param clear\n\
             :param\n",
        );
        let lines: Vec<&str> = shown.lines().collect();
        let wanted = [
            r#"[{"x":3,"day":"2024-02-29","y":2.0,"name":"a"}]"#,
            r#"[{"n":6}]"#,
            "[3]",
            r#"[{"name":"only","value":7}]"#,
            "[]",
        ];
        assert_eq!(lines, wanted, "{at:?}");
        let random = cypher(at, ":param x => rand()\nRETURN $x AS x;\nRETURN $x AS x;\n");
        let random: Vec<&str> = random.lines().collect();
        assert_eq!(random[0], random[1], "an expression is evaluated once");
        for (input, place, words) in [
            (":param x => nothing\n", "stdin:1:13: ", "`nothing`"),
            ("RETURN 1;\n:param x\n", "stdin:2: ", ":param name => expression"),
            (":param x => 1 AS y, 2\n", "stdin:1: ", "not a single expression"),
            (
                "CREATE (:T);\n:params {n: head(COLLECT { MATCH (n:T) RETURN n })}\n",
                "stdin:2: ",
                "Node",
            ),
            ("RETURN $missing AS n;\n", "stdin:1", "missing"),
            (":param x => 1\n:params 7\n", "stdin:2: ", ":params"),
        ] {
            let (code, said) = failed(at, input);
            assert_ne!(code, 0, "{at:?} {input}: {said}");
            assert!(said.starts_with(&format!("millrace: {place}")), "{at:?} {input}: {said}");
            assert!(said.contains(words), "{at:?} {input}: {said}");
        }
    });
}

#[test]
fn a_transaction_is_committed_rolled_back_or_abandoned() {
    everywhere(|at| {
        let count = "MATCH (n) RETURN count(n) AS n;\n";
        let shown = cypher(
            at,
            &format!(
                "{EMPTY}:begin\nCREATE (:T);\n{count}:rollback\n{count}\
                 :begin\nCREATE (:T);\n:use gremlin\ng.addV('T').iterate()\ng.V().count()\n:use cypher\n\
                 :profile MATCH (n:T) RETURN n\n:commit\n{count}"
            ),
        );
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!((lines[2], lines[3]), (r#"[{"n":1}]"#, r#"[{"n":0}]"#), "{at:?} {lines:?}");
        assert!(lines[6] == "[2]" && lines[7].contains("\"rows\":2"), "{at:?} {lines:?}");
        assert_eq!(lines[8], r#"[{"n":2}]"#, "{at:?} {lines:?}");
        for (input, code, place, words) in [
            (":begin\nCREATE (:T);\n", 65, "stdin:2: ", "rolled back"),
            (":begin\nCREATE (:T);\nRETURN 1 / 0;\n", 65, "stdin:3", "rolled back"),
            (":begin\n:begin\n", 65, "stdin:2: ", ":commit or :rollback"),
            (":commit\n", 65, "stdin:1: ", ":begin"),
            (":rollback\n", 65, "stdin:1: ", ":begin"),
            (":use lua\n:begin\n", 76, "stdin:2: ", "lua"),
            (":begin\n:use lua\n1\n", 76, "stdin:3: ", "lua"),
            (":begin\n:graph g\n", 65, "stdin:2: ", ":commit or :rollback"),
        ] {
            let (found, said) = failed(at, input);
            assert_eq!(found, code, "{at:?} {input}: {said}");
            let said = said.lines().find(|line| line.contains("stdin:")).unwrap_or_default();
            assert!(said.starts_with(&format!("millrace: {place}")), "{at:?} {input}: {said}");
            assert!(said.contains(words), "{at:?} {input}: {said}");
        }
        // An explicit end of the shell is none of the script's, and says so.
        let output =
            feed(&[at, &["--language", "cypher"]].concat(), ":begin\nCREATE (:T);\n:exit\n");
        assert!(
            output.status.success() && text(&output.stderr).contains("rolled back"),
            "{output:?}"
        );
        assert_eq!(cypher(at, count), "[{\"n\":2}]\n", "{at:?}: nothing of them stayed");
    });
}

#[test]
fn a_byte_order_mark_in_front_of_a_script_is_passed_over() {
    everywhere(|at| {
        let shown = cypher(at, "\u{feff}:begin\nRETURN 1 AS n;\n:commit\n");
        assert_eq!(shown, "[{\"n\":1}]\n", "{at:?}");
        assert_eq!(cypher(at, "\u{feff}RETURN 2 AS n;\n"), "[{\"n\":2}]\n", "{at:?}");
    });
}

#[test]
fn a_command_behind_an_unfinished_statement_is_none_of_its_text() {
    everywhere(|at| {
        for (input, place, words) in [
            ("MATCH (n)\nRETURN n\n:commit\n", "stdin:3: ", "begins on line 1"),
            ("RETURN 1;\nMATCH (n\n:quit\n", "stdin:3: ", "begins on line 2"),
        ] {
            let (code, said) = failed(at, input);
            assert_eq!(code, 65, "{at:?} {input}: {said}");
            assert!(said.starts_with(&format!("millrace: {place}")), "{at:?} {input}: {said}");
            assert!(said.contains(words) && said.contains("`;`"), "{at:?} {input}: {said}");
        }
        let shown = cypher(
            at,
            "RETURN '\n:quit\n' AS x; RETURN {a\n:1}.a AS y; :use gremlin\ng.inject(7)\n",
        );
        assert_eq!(shown, "[{\"x\":\"\\n:quit\\n\"}]\n[{\"y\":1}]\n[7]\n", "{at:?}");
    });
}

/// The scripts of `apoc.export.cypher` in its formats, and the form that its version for Neo4j 3 wrote.
#[test]
fn what_apoc_exports_is_piped_as_it_is() {
    let folder = workspace().join("tests/cypher/exports");
    everywhere(|at| {
        for name in ["cypher-shell", "neo4j-shell", "plain", "version-3"] {
            let path = folder.join(name).with_extension("cypher");
            let script = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}"));
            let drops = "DROP CONSTRAINT ferry_id IF EXISTS;\n";
            cypher(at, &format!("{EMPTY}{drops}{script}"));
            let asked = cypher(
                at,
                "MATCH (t:Town) RETURN t.name AS name, t.founded AS founded, t.place AS place, t.age AS age \
                 ORDER BY name;\n\
                 MATCH (a)-[r]->(b) RETURN a.id AS a, type(r) AS r, r.km AS km, b.name AS b ORDER BY r, a;\n\
                 MATCH (n) UNWIND labels(n) + keys(n) AS word WITH word WHERE word STARTS WITH 'UNIQUE' \
                 RETURN count(*) AS n;\n\
                 SHOW CONSTRAINTS YIELD labelsOrTypes AS of;\n\
                 SHOW INDEXES YIELD properties AS keys WHERE keys = ['name', 'county'] OR keys = ['cars'];\n",
            );
            let wanted = [
                r#"[{"name":"Alna; :commit","founded":"1624-05-01","place":null,"age":null},{"name":"Lade","founded":null,"place":"SRID=4326;POINT (10.0 63.5)","age":"P1M2DT3H"}]"#,
                r#"[{"a":7,"r":"CALLS_AT","km":null,"b":"Lade"},{"a":8,"r":"CALLS_AT","km":null,"b":null},{"a":null,"r":"ROAD","km":12.5,"b":"Lade"}]"#,
                r#"[{"n":0}]"#,
                r#"[{"of":["Ferry"]}]"#,
                r#"[{"keys":["name","county"]}]"#,
            ];
            assert_eq!(asked.lines().collect::<Vec<_>>(), wanted, "{name}, {at:?}");
            cypher(
                at,
                "DROP CONSTRAINT ON (n:Ferry) ASSERT n.id IS UNIQUE; DROP INDEX ON :Town(name, county);",
            );
        }
    });
}

#[test]
fn a_terminal_shows_an_open_transaction_and_takes_pasted_commands() {
    let program = Path::new("/usr/bin/script");
    if !require("shell on a terminal (script, of util-linux)", program.is_file()) {
        return;
    }
    let folder = tempfile::tempdir().expect("there is room");
    let server = serve_both(&folder.path().join("data"));
    let mut shell = Terminal::start(program, &server.admin_url(), &folder.path().join("state"));
    shell.at("g:gremlin> ", ":use cypher\r");
    shell.at("g:cypher> ", ":begin\r");
    shell.at("g:cypher# ", "MATCH (n)\r");
    shell.at(".......> ", ":commit\r");
    shell.at("was not run", "");
    shell.at("g:cypher> ", "\u{1b}[200~:begin\nCREATE (:T);\n:param x => 40 + 2\n\u{1b}[201~\r");
    shell.at("1 node created, 1 label added", "");
    shell.at("g:cypher# ", "RETURN 'x: ' + $x AS x;\r");
    shell.at("x: 42", "");
    shell.at("g:cypher# ", "RETURN 1 / 0;\r");
    shell.at("the transaction is rolled back", "");
    shell.at("g:cypher> ", ":quit\r");
    shell.ends();
}
