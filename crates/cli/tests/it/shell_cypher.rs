//! `millrace shell` in Cypher: names of columns, what a write did, plans and profiles.

use crate::program::{run, serve_gremlin, text};
use crate::shell::{everywhere, feed, printed};

/// What a shell in Cypher prints of statements.
fn cypher(at: &[&str], format: &str, input: &str) -> String {
    printed(&feed(&[at, &["--language", "cypher", "--format", format]].concat(), input))
}

const EMPTY: &str = "MATCH (n) DETACH DELETE n;";

#[test]
fn columns_have_their_names_in_every_form() {
    everywhere(|at| {
        let made = format!("{EMPTY} CREATE (:P {{x: 1}}), (:P {{x: 2}});");
        cypher(at, "json", &made);
        let count = "MATCH (p:P) RETURN count(p) AS n;";
        assert_eq!(cypher(at, "json", count), "[{\"n\":2}]\n");
        assert_eq!(cypher(at, "csv", count), "n\r\n2\r\n");
        let table = cypher(at, "table", count);
        assert!(table.starts_with(" n\n---\n 2\n(1 row, "), "{table}");
        let none = "MATCH (p:Nothing) RETURN p.x AS x, p.y AS y;";
        assert_eq!(cypher(at, "csv", none), "x,y\r\n");
        assert_eq!(cypher(at, "json", none), "[]\n");
        // A column may have the names that elements have in other languages.
        let type_and_id = "RETURN 'vertex' AS type, 7 AS id;";
        assert_eq!(cypher(at, "csv", type_and_id), "type,id\r\nvertex,7\r\n");
        let nulls = "RETURN 'null' AS s, null AS n, '' AS e;";
        assert_eq!(cypher(at, "csv", nulls), "s,n,e\r\nnull,,\"\"\r\n");
        // Single values of the other languages have none.
        for (language, text) in [("gremlin", "g.V().count()"), ("lua", "2")] {
            let ask = |format: &str| {
                let own = ["--language", language, "--format", format, "-c", text];
                printed(&run(&[&["shell"], at, &own].concat()))
            };
            assert_eq!(ask("csv"), "value\r\n2\r\n", "{language}");
            assert_eq!(ask("json").trim(), if language == "lua" { "2" } else { "[2]" });
        }
    });
}

#[test]
fn elements_in_a_table_are_written_as_cypher_writes_them() {
    everywhere(|at| {
        cypher(at, "json", &format!("{EMPTY} CREATE (:A:B {{x: 1}})-[:R {{w: 2}}]->(:C);"));
        let table = cypher(at, "table", "MATCH p = (:A)-->(:C) RETURN p, [nodes(p)[1]] AS last;");
        assert!(table.contains(" (:A:B {x: 1})-[:R {w: 2}]->(:C) | [(:C)]\n"), "{table}");
        let back = cypher(at, "table", "MATCH p = (:C)<--(:A) RETURN p;");
        assert!(back.contains(" (:C)<-[:R {w: 2}]-(:A:B {x: 1})\n"), "{back}");
    });
}

#[test]
fn a_write_says_what_it_did() {
    everywhere(|at| {
        cypher(at, "json", EMPTY);
        for (statement, wanted) in [
            ("CREATE (n:Tmp);", "1 node created, 1 label added\n"),
            (
                "MATCH (n:Tmp) CREATE (n)-[:R {w: 1}]->(:X {a: 1, b: 2});",
                "1 node created, 1 relationship created, 3 properties set, 1 label added\n",
            ),
            ("MATCH (n:Tmp) SET n.a = 1, n:Other;", "1 property set, 1 label added\n"),
            ("MATCH (n:Tmp) REMOVE n:Other;", "1 label removed\n"),
            ("MATCH ()-[r:R]->() DELETE r;", "1 relationship deleted\n"),
            ("MATCH (n:Absent) SET n.a = 1;", "(no changes, "),
            ("MATCH (n) DELETE n;", "2 nodes deleted\n"),
            ("CREATE INDEX tmp_a FOR (n:Tmp) ON (n.a);", "1 index added\n"),
            ("DROP INDEX tmp_a;", "1 index removed\n"),
            ("CREATE CONSTRAINT tmp_u FOR (n:Tmp) REQUIRE n.u IS UNIQUE;", "1 constraint added\n"),
            ("DROP CONSTRAINT tmp_u;", "1 constraint removed\n"),
        ] {
            let shown = cypher(at, "table", statement);
            assert!(shown.starts_with(wanted), "{at:?} {statement}: {shown}");
        }
        let shown = cypher(at, "table", "CREATE (n:Tmp {a: 1}) RETURN n.a AS a;");
        assert!(shown.starts_with(" a\n---\n 1\n(1 row, "), "{shown}");
        assert!(shown.ends_with("\n1 node created, 1 property set, 1 label added\n"), "{shown}");
        assert_eq!(cypher(at, "json", "CREATE (n:Tmp);"), "[]\n", "programs read no words");
    });
}

#[test]
fn a_plan_is_lines_and_a_profile_is_a_tree() {
    everywhere(|at| {
        cypher(at, "json", &format!("{EMPTY} CREATE (:P {{x: 1}}), (:P {{x: 2}});"));
        let plan = cypher(at, "table", "EXPLAIN MATCH (p:P) RETURN p.x AS x;");
        assert!(plan.starts_with("Scan (P) p\nProject "), "{plan}");
        assert!(!plan.contains("\\n"), "{plan}");
        let head = "step,rows,ms,percent,operator\r\n";
        for text in
            ["PROFILE MATCH (p:P) RETURN p.x AS x;", ":profile MATCH (p:P) RETURN p.x AS x\n"]
        {
            let csv = cypher(at, "csv", text);
            assert!(csv.starts_with(&format!("{head}ProduceResults,2,")), "{at:?}: {csv}");
            assert!(csv.contains(",x\r\n  Project,2,"), "{at:?}: {csv}");
            assert!(csv.contains("\r\n    Scan,2,") && csv.ends_with(",Scan (P) p\r\n"), "{csv}");
            let table = cypher(at, "table", text);
            assert!(table.contains(" ProduceResults | "), "{table}");
            assert!(!table.contains("| null") && !table.contains("{\"dur\""), "{table}");
            let json: serde_json::Value =
                serde_json::from_str(&cypher(at, "json", text)).expect("JSON");
            assert_eq!((&json[0]["step"], &json[2]["rows"]), (&"ProduceResults".into(), &2.into()));
        }
        // A traversal may ask for its profile as its result.
        let own = ["--format", "table", "-c", "g.V().hasLabel('P').profile()"];
        let shown = printed(&run(&[&["shell"], at, &own].concat()));
        assert!(shown.contains(" step ") && shown.contains("| Scan (P) "), "{shown}");
        let wrong =
            run(&[&["shell"], at, &["--language", "cypher", "-c", "EXPLAIN nothing"]].concat());
        assert!(text(&wrong.stderr).starts_with("millrace: -c:1:9: "), "{wrong:?}");
    });
}

#[test]
fn durations_and_points_are_shown_in_every_form() {
    everywhere(|at| {
        let made = format!(
            "{EMPTY} CREATE (:V {{d: duration('P1M2DT3H'), p: point({{x: 1, y: 2}})}}), \
             (:W {{l: [duration('PT1.5S')], p: point({{longitude: 1, latitude: 2, height: 3}})}});"
        );
        cypher(at, "json", &made);
        let values = "RETURN duration('P1M2DT3H') AS d, point({x: 1, y: 2}) AS a, \
            point({longitude: 1, latitude: 2}) AS b, point({x: 1, y: 2, z: 3}) AS c, \
            point({longitude: 1, latitude: 2, height: 3}) AS e;";
        let texts = [
            "P1M2DT3H",
            "SRID=7203;POINT (1.0 2.0)",
            "SRID=4326;POINT (1.0 2.0)",
            "SRID=9157;POINT Z (1.0 2.0 3.0)",
            "SRID=4979;POINT Z (1.0 2.0 3.0)",
        ];
        for format in ["json", "csv", "table"] {
            let shown = cypher(at, format, values);
            assert!(texts.iter().all(|text| shown.contains(text)), "{at:?} {format}: {shown}");
        }
        let nodes = cypher(at, "table", "MATCH (n:V) RETURN n;");
        let wanted = r#"(:V {d: "P1M2DT3H", p: "SRID=7203;POINT (1.0 2.0)"})"#;
        assert!(nodes.contains(wanted), "{at:?}: {nodes}");
        let ask = |language: &str, text: &str| {
            printed(&run(&[&["shell"], at, &["--language", language, "-c", text]].concat()))
        };
        assert_eq!(ask("gremlin", "g.V().values('d')"), "[\"P1M2DT3H\"]\n");
        let points = ask("gremlin", "g.V().values('p')");
        assert_eq!(points, format!("[\"{}\",\"{}\"]\n", texts[1], texts[4]));
        let lua = ask("lua", "AllNodes()");
        let texts = [texts[0], texts[1], texts[4], "PT1.5S"];
        assert!(texts.iter().all(|text| lua.contains(text)), "{at:?}: {lua}");
    });
    let folder = tempfile::tempdir().expect("there is room");
    let server = serve_gremlin(&folder.path().join("data"), &[]);
    let at = ["--url", &server.admin_url()];
    cypher(
        &at,
        "json",
        "CREATE (:V {d: duration('P1M2DT3H'), p: point({x: 1, y: 2}), h: duration('PT2H')});",
    );
    let value = |key: &str| server.gremlin(&format!("g.V().values('{key}')"))["@value"][0].clone();
    assert_eq!(value("d"), "P1M2DT3H");
    assert_eq!(value("p"), "SRID=7203;POINT (1.0 2.0)");
    assert_eq!(value("h"), serde_json::json!({ "@type": "gx:Duration", "@value": "PT7200S" }));
}
