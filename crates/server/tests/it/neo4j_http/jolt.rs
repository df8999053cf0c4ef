//! Jolt, line by line as Neo4j 5.26 sends it, but for ids and bookmarks; partial results; forms that are not served.

use serde_json::{Value, json};

use super::{start, statements};
use crate::client::{Reply, Running};

const V1: &str = "application/vnd.neo4j.jolt";
const V1_STRICT: &str = "application/vnd.neo4j.jolt;strict=true";
const V2: &str = "application/vnd.neo4j.jolt-v2";
const V2_SEQUENCE: &str = "application/vnd.neo4j.jolt-v2+json-seq";
const V2_STRICT: &str = "application/vnd.neo4j.jolt-v2+json-seq;strict=true";

const SCALARS: &str = "RETURN 1 AS i, 3000000000 AS big, -2147483649 AS m, 2147483647 AS x, 1.5 AS f, 1e300 AS e, \
     true AS b, null AS n, 'x\u{e9}\"' AS s, [1,'a',null,[2.0]] AS l, {a:1,b:{c:1}} AS mp";
const TIMES: &str = "RETURN date('2024-01-01') AS d, time('10:00+01:00') AS t, localtime('10:00:01.5') AS lt, \
     localdatetime('2024-01-01T00:00') AS ld, datetime('2024-01-01T00:00:00+01:00') AS dt, \
     datetime('2024-01-01T00:00:00[Europe/Paris]') AS z, duration('P1Y2DT3.5S') AS du, point({x:1,y:2}) AS p, \
     point({longitude:1,latitude:2,height:3}) AS p3, 0.0/0.0 AS nan, 1.0/0.0 AS inf";

fn send(server: &Running, accept: &str, path: &str, body: &Value) -> Reply {
    let headers = [("content-type", "application/json"), ("accept", accept)];
    server.send_to(&server.neo4j_http, "POST", path, &headers, body.to_string().as_bytes())
}

fn lines(server: &Running, accept: &str, texts: &[&str]) -> Vec<String> {
    let reply = send(server, accept, "/db/neo4j/tx/commit", &statements(texts));
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.content_type.as_deref(), Some(accept));
    let text = reply.body;
    assert!(text.ends_with('\n'), "{text}");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_sparse_value_is_plain_where_json_has_it() {
    let server = start();
    let found = lines(&server, V2, &[SCALARS]);
    assert_eq!(
        found[..3],
        [
            r#"{"header":{"fields":["i","big","m","x","f","e","b","n","s","l","mp"]}}"#,
            concat!(
                r#"{"data":[1,{"Z":"3000000000"},{"Z":"-2147483649"},2147483647,{"R":"1.5"},{"R":"1.0E300"},true,null,"#,
                r#""xé\"",[1,"a",null,[{"R":"2.0"}]],{"{}":{"a":1,"b":{"{}":{"c":1}}}}]}"#
            ),
            r#"{"summary":{}}"#,
        ]
    );
    assert!(found[3].starts_with(r#"{"info":{"lastBookmarks":["#), "{found:?}");
    assert_eq!(found.len(), 4);
}

#[test]
fn a_strict_value_has_its_type_and_a_line_of_a_sequence_a_separator() {
    let server = start();
    let found = lines(&server, V2_STRICT, &[SCALARS]);
    assert_eq!(
        found[1],
        concat!(
            "\u{1e}",
            r#"{"data":[{"Z":"1"},{"R":"3000000000"},{"R":"-2147483649"},{"R":"2147483647"},{"R":"1.5"},"#,
            r#"{"R":"1.0E300"},{"?":"true"},null,{"U":"xé\""},{"[]":[{"Z":"1"},{"U":"a"},null,{"[]":[{"R":"2.0"}]}]},"#,
            r#"{"{}":{"a":{"Z":"1"},"b":{"{}":{"c":{"Z":"1"}}}}}]}"#
        )
    );
    assert!(found.iter().all(|line| line.starts_with('\u{1e}')), "{found:?}");
}

#[test]
fn times_points_and_odd_floats_are_typed_texts() {
    let server = start();
    for accept in [V2, V2_STRICT] {
        let found = lines(&server, accept, &[TIMES]);
        assert_eq!(
            found[1].trim_start_matches('\u{1e}'),
            concat!(
                r#"{"data":[{"T":"2024-01-01"},{"T":"10:00:00+01:00"},{"T":"10:00:01.5"},{"T":"2024-01-01T00:00:00"},"#,
                r#"{"T":"2024-01-01T00:00:00+01:00"},{"T":"2024-01-01T00:00:00+01:00[Europe/Paris]"},"#,
                r#"{"T":"P1Y2DT3.5S"},{"@":"SRID=7203;POINT(1.0 2.0)"},{"@":"SRID=4979;POINT Z (1.0 2.0 3.0)"},"#,
                r#"{"R":"NaN"},{"R":"Infinity"}]}"#
            )
        );
    }
}

#[test]
fn an_element_has_a_number_in_version_1_and_a_text_in_version_2() {
    let server = start();
    let path = "CREATE p=(:A {k:1})<-[:R {x:1}]-(:B)-[:S]->(:C) RETURN p";
    let found = lines(&server, V1_STRICT, &[path]);
    let data: Value = serde_json::from_str(&found[1]).expect("JSON");
    let steps = &data["data"][0][".."];
    let [a, b, c] = [0, 2, 4].map(|index| steps[index]["()"][0].as_i64().expect("a number"));
    assert_eq!(
        *steps,
        json!([
            { "()": [a, ["A"], { "k": { "Z": "1" } }] },
            { "<-": [steps[1]["<-"][0], a, "R", b, { "x": { "Z": "1" } }] },
            { "()": [b, ["B"], {}] },
            { "->": [steps[3]["->"][0], b, "S", c, {}] },
            { "()": [c, ["C"], {}] },
        ])
    );
    let found = lines(&server, V2, &["MATCH (a:A)<-[r:R]-(b:B) RETURN a, r, b"]);
    let data: Value = serde_json::from_str(&found[1]).expect("JSON");
    let row = &data["data"];
    assert_eq!(row[0]["()"][0], format!("4:0:{a}"));
    assert_eq!(row[1]["->"][1], format!("4:0:{b}"));
    assert_eq!(row[1]["->"][2], "R");
    assert_eq!(row[1]["->"][3], format!("4:0:{a}"));
    assert!(row[1]["->"][0].as_str().expect("a text").starts_with("5:0:"));
}

#[test]
fn several_statements_follow_one_another_up_to_the_one_that_fails() {
    let server = start();
    let texts = ["RETURN 1 AS a, 2 AS b", "RETURN 1/0 AS x", "RETURN 3"];
    let error = |code: &str, message: &str| {
        format!(r#"{{"error":{{"errors":[{{"code":{code},"message":{message}}}]}}}}"#)
    };
    let found = lines(&server, V2_STRICT, &texts);
    let own: Vec<&str> = found.iter().map(|line| line.trim_start_matches('\u{1e}')).collect();
    assert_eq!(
        own[..4],
        [
            r#"{"header":{"fields":["a","b"]}}"#,
            r#"{"data":[{"Z":"1"},{"Z":"2"}]}"#,
            r#"{"summary":{}}"#,
            r#"{"header":{"fields":["x"]}}"#,
        ]
    );
    let begin = error(r#"{"U":"Neo.ClientError.Statement.ArithmeticError"}"#, r#"{"U":""#);
    let begin = begin.trim_end_matches("}]}}").to_owned();
    assert!(own[4].starts_with(&begin), "{found:?}");
    assert_eq!(own[5], r#"{"info":{}}"#);
    let found = lines(&server, V1, &["RETURN 1", "RETURN 2"]);
    let info = found.last().expect("a line");
    assert_eq!(info.matches("DeprecatedFormat").count(), 2, "{info}");
    assert!(!lines(&server, V2, &["RETURN 1"]).concat().contains("DeprecatedFormat"));
    let found = lines(&server, V2_SEQUENCE, &["RETURN foo"]);
    assert!(found[0].starts_with("\u{1e}{\"error\":"), "without a header: {found:?}");
}

#[test]
fn an_open_transaction_says_where_it_is_committed() {
    let server = start();
    let reply = send(&server, V2_SEQUENCE, "/db/neo4j/tx", &statements(&["CREATE (:A) RETURN 1"]));
    assert_eq!((reply.status, reply.content_type.as_deref()), (201, Some(V2_SEQUENCE)));
    let text = reply.body;
    let info = text.lines().last().expect("a line").trim_start_matches('\u{1e}');
    let info: Value = serde_json::from_str(info).expect("JSON");
    assert!(info["info"]["transaction"]["expires"].is_string(), "{info}");
    let path = super::path_of(&server, &info["info"]["commit"]).to_owned();
    let reply = send(&server, V2_SEQUENCE, &path, &statements(&[]));
    assert!(reply.body.starts_with("\u{1e}{\"info\":{\"lastBookmarks\":["), "{reply:?}");
    assert_eq!(super::count(&server), json!(1));
    let reply = send(&server, V2_SEQUENCE, &path, &statements(&[]));
    assert_eq!(reply.status, 404);
    assert!(reply.body.starts_with("\u{1e}{\"error\":{\"errors\":[{\"code\":"), "{reply:?}");
}

#[test]
fn a_summary_has_counters_where_they_are_asked_for() {
    let server = start();
    let body =
        json!({ "statements": [{ "statement": "CREATE (n {k: 1})", "includeStats": true }] });
    let reply = send(&server, V2, "/db/neo4j/tx/commit", &body);
    let text = reply.body;
    let expected = concat!(
        "{\"header\":{\"fields\":[]}}\n",
        r#"{"summary":{"stats":{"contains_updates":true,"nodes_created":1,"nodes_deleted":0,"properties_set":1,"#,
        r#""relationships_created":0,"relationship_deleted":0,"labels_added":0,"labels_removed":0,"indexes_added":0,"#,
        r#""indexes_removed":0,"constraints_added":0,"constraints_removed":0,"contains_system_updates":false,"#,
        r#""system_updates":0}}}"#,
        "\n"
    );
    assert!(text.starts_with(expected), "{text}");
    let explained = lines(&server, V2, &["EXPLAIN RETURN 1"]).concat();
    assert!(explained.contains(r#"{"summary":{"plan":{"root":{"operatorType":"#), "{explained}");
}

#[test]
fn a_form_that_is_not_served_is_not_acceptable() {
    let server = start();
    let body = statements(&["CREATE ()"]);
    let reply = send(&server, "text/html", "/db/neo4j/tx/commit", &body);
    assert_eq!(reply.status, 406);
    assert!(reply.body.contains("application/json and application/vnd.neo4j.jolt"), "{reply:?}");
    let query = json!({ "statement": "CREATE ()" });
    let reply = send(&server, V2, "/db/neo4j/query/v2", &query);
    assert_eq!(
        (reply.status, super::code(&reply.json())),
        (406, "Neo.ClientError.Request.Invalid")
    );
    assert_eq!(super::count(&server), json!(0), "nothing ran");
    let accept = "text/html, application/json;q=0.4";
    assert_eq!(send(&server, accept, "/db/neo4j/tx/commit", &body).status, 200);
}

#[test]
fn json_has_the_results_in_front_of_a_failure_and_numbers_and_times_as_java_writes_them() {
    let server = start();
    let texts = ["RETURN 1 AS a", "RETURN 1/0 AS x", "RETURN 2"];
    for path in ["/db/neo4j/tx/commit", "/db/neo4j/tx"] {
        let answer = super::post(&server, path, &statements(&texts)).json();
        assert_eq!(super::code(&answer), "Neo.ClientError.Statement.ArithmeticError");
        let results = &answer["results"];
        assert_eq!(
            results[0],
            json!({ "columns": ["a"], "data": [{ "row": [1], "meta": [null] }] })
        );
        assert_eq!(results[1], json!({ "columns": ["x"], "data": [] }));
        assert_eq!(results.as_array().expect("a list").len(), 2);
    }
    let answer =
        super::post(&server, "/db/neo4j/tx/commit", &statements(&["RETURN 1", "RETURN foo"]));
    assert_eq!(answer.json()["results"].as_array().expect("a list").len(), 1);
    let text = "RETURN 1e300 AS e, 1e-7 AS f, 1.0 AS g, time('10:00+01:00') AS t, localtime('10:00:01.5') AS l, \
         datetime('2024-01-01T00:00:00[Europe/Paris]') AS z, datetime('2024-01-01T00:00Z') AS u";
    let answer = super::post(&server, "/db/neo4j/tx/commit", &statements(&[text])).body;
    let row = concat!(
        r#""row":[1.0E300,1.0E-7,1.0,"10:00+01:00","10:00:01.500","2024-01-01T00:00+01:00[Europe/Paris]","#,
        r#""2024-01-01T00:00Z"]"#
    );
    assert!(answer.contains(row), "{answer}");
    let answer = super::post(&server, "/db/neo4j/query/v2", &json!({ "statement": text })).body;
    let values = r#"[[1.0E300,1.0E-7,1.0,"10:00:00+01:00","10:00:01.5","2024-01-01T00:00:00+01:00","2024-01-01T00:00:00Z"]]"#;
    assert!(answer.contains(values), "{answer}");
}
