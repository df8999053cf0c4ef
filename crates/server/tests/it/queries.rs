//! `POST /query/{graph}` and `POST /check/{graph}`: any language, rows as they come, positions, cancels.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::client::{Reply, Running, start, start_with, start_with_ann};

/// A query with more fields than its language and text.
fn ask(server: &Running, graph: &str, body: &Value) -> Reply {
    server.admin("POST", &format!("/query/{graph}"), &body.to_string())
}

fn gremlin(text: &str) -> Value {
    json!({ "language": "gremlin", "text": text })
}

/// Lines of an answer that succeeded.
fn lines(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.content_type.as_deref(), Some("application/x-ndjson"));
    let line =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    reply.body.lines().map(line).collect()
}

/// The first columns of the rows of all lines.
fn rows(lines: &[Value]) -> Vec<Value> {
    let rows = lines.iter().filter_map(|line| line["rows"].as_array());
    rows.flatten().map(|row| row[0].clone()).collect()
}

fn summary(lines: &[Value]) -> &Value {
    let last = &lines[lines.len() - 1]["summary"];
    assert!(last.is_object(), "{lines:?}");
    last
}

/// The error of a request that was refused with a status.
fn refused(reply: &Reply, status: u16) -> Value {
    assert_eq!(reply.status, status, "{reply:?}");
    reply.json()["error"].clone()
}

/// A server whose graph `g` has so many vertices, with the numbers from 0 on.
fn start_with_vertices(count: u64) -> Running {
    let server = start_with(|settings| settings.gremlin.graph = "one".to_owned());
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let made = ask(
        &server,
        "g",
        &json!({
            "language": "lua",
            "text": "NodeTypeInsert('N')\nfor i = 0, count - 1 do NodeAdd('N', 'n' .. i, '{\"number\":' .. i .. '}') end\ncount",
            "parameters": { "count": count },
        }),
    );
    assert_eq!(rows(&lines(&made)), [json!(count)]);
    server
}

/// A connection on which a query was sent, and its answer from the first line on.
fn open(server: &Running, body: &Value) -> BufReader<TcpStream> {
    let address = server.admin.strip_prefix("http://").expect("a URL");
    let mut socket = TcpStream::connect(address).expect("it listens");
    let body = body.to_string();
    let head = format!(
        "POST /query/g HTTP/1.0\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    socket
        .write_all(head.as_bytes())
        .and_then(|()| socket.write_all(body.as_bytes()))
        .expect("it reads");
    let mut answer = BufReader::new(socket);
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        assert_ne!(answer.read_line(&mut line).expect("it answers"), 0, "no head");
    }
    answer
}

fn next_line(answer: &mut impl BufRead) -> Value {
    let mut line = String::new();
    answer.read_line(&mut line).expect("it answers");
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// The requests under way of kind `query`.
fn under_way(server: &Running) -> Vec<Value> {
    let list = server.administer("GET", "/queries", "");
    let all = list.as_array().expect("a list").iter();
    all.filter(|entry| entry["kind"] == "query").cloned().collect()
}

#[test]
fn a_summary_counts_what_a_query_wrote_and_has_no_counters_of_one_that_reads() {
    let server = start();
    let text = "g.addV('a').property('n', 1).as('a').addE('e').to('a')";
    let wrote = lines(&ask(&server, "g", &gremlin(text)));
    let expected = json!({
        "vertices_created": 1, "edges_created": 1, "properties_set": 1, "labels_added": 1,
    });
    assert_eq!(summary(&wrote)["counters"], expected);
    let read = lines(&ask(&server, "g", &gremlin("g.V().count()")));
    assert_eq!((rows(&read), summary(&read).get("counters")), (vec![json!(1)], None));
}

#[test]
fn an_answer_is_columns_then_rows_then_a_summary() {
    let server = start_with_vertices(3);
    let found =
        lines(&ask(&server, "g", &gremlin("g.V().has('number', gte(1)).order().by('number')")));
    assert_eq!(found[0], json!({ "columns": ["value"], "is_list": true }));
    let first = &rows(&found)[0];
    assert_eq!((&first["label"], &first["type"]), (&json!("N"), &json!("vertex")));
    assert_eq!(first["properties"]["number"][0]["value"], 1);
    assert_eq!(
        (&summary(&found)["rows"], &summary(&found)["is_truncated"]),
        (&json!(2), &json!(false))
    );
    assert!(summary(&found)["elapsed_ms"].as_f64().is_some_and(|millis| 0.0 < millis));
    let none = lines(&ask(&server, "g", &gremlin("g.V(99)")));
    assert_eq!((none.len(), &summary(&none)["rows"]), (2, &json!(0)));
    let written =
        lines(&ask(&server, "g", &gremlin("g.addV('N').property('number', 9).values('number')")));
    assert_eq!(rows(&written), [json!(9)]);
    let single =
        lines(&ask(&server, "g", &json!({ "language": "lua", "text": "AllNodesCount()" })));
    assert_eq!((&single[0]["is_list"], rows(&single)), (&json!(false), vec![json!(4)]));
    let list = lines(&ask(&server, "g", &json!({ "language": "lua", "text": "1, {2, 3}" })));
    assert_eq!((&list[0]["is_list"], rows(&list)), (&json!(true), vec![json!(1), json!([2, 3])]));
    let large = ask(&server, "g", &gremlin("g.inject(9007199254740993)"));
    assert!(large.body.contains("[[9007199254740993]]"), "{large:?}");
}

#[test]
fn many_rows_come_in_many_lines_and_equal_ones_are_stored_once() {
    let server = start_with_vertices(20_000);
    let found = lines(&ask(&server, "g", &gremlin("g.V().values('number')")));
    let mut numbers: Vec<u64> = rows(&found).iter().filter_map(Value::as_u64).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..20_000).collect::<Vec<_>>());
    assert!(20 <= found.len(), "{} lines", found.len());
    // 400,000,000 rows, of which a client that has enough takes a few.
    let text = "g.V().as('a').V().constant('x')";
    let mut answer = open(&server, &gremlin(text));
    assert_eq!(next_line(&mut answer)["columns"], json!(["value"]));
    assert_eq!(next_line(&mut answer)["rows"][0], json!(["x"]));
    drop(answer);
    while !under_way(&server).is_empty() {}
}

#[test]
fn a_client_that_reads_nothing_holds_no_thread_and_leaves_when_it_goes() {
    let server = start_with_vertices(300);
    // Rows of 10,000 bytes, more than any socket takes.
    let query = json!({
        "language": "gremlin",
        "text": "g.V().as('a').V().as('b').V().constant(wide)",
        "parameters": { "wide": "x".repeat(10_000) },
    });
    let unread: Vec<_> = (0..20).map(|_| open(&server, &query)).collect();
    let is_sending = |entry: &&Value| entry["state"] == "sending";
    while under_way(&server).iter().filter(is_sending).count() < 20 {}
    let metrics = server.admin("GET", "/metrics", "").body;
    assert!(metrics.contains("\nmillrace_workers_long 0\n"), "{metrics}");
    let counted = lines(&ask(&server, "g", &gremlin("g.V().count()")));
    assert_eq!(rows(&counted), [json!(300)]);
    drop(unread);
    while !under_way(&server).is_empty() {}
}

#[test]
fn a_query_is_cancelled_by_its_number_and_its_last_line_says_so() {
    let server = start_with_vertices(300);
    let text = "g.V().as('a').V().as('b').V().as('c').project('number').by('number')";
    let mut answer = open(&server, &gremlin(text));
    next_line(&mut answer);
    let own = under_way(&server);
    assert_eq!((&own[0]["language"], &own[0]["graph"]), (&json!("gremlin"), &json!("g")));
    let number = &own[0]["number"];
    server.administer("DELETE", &format!("/queries/{number}"), "");
    let mut rest = String::new();
    answer.read_to_string(&mut rest).expect("it ends well");
    let last: Value =
        serde_json::from_str(rest.lines().last().expect("a last line")).expect("JSON");
    assert_eq!(last["error"]["kind"], "cancelled", "{last}");
    while !under_way(&server).is_empty() {}
}

#[test]
fn a_query_whose_client_does_not_read_ends_when_it_is_cancelled() {
    let server = start_with_vertices(300);
    let query = json!({
        "language": "gremlin",
        "text": "g.V().as('a').V().as('b').V().constant(wide)",
        "parameters": { "wide": "x".repeat(10_000) },
    });
    let mut answer = open(&server, &query);
    while !under_way(&server).iter().any(|entry| entry["state"] == "sending") {}
    server.administer("DELETE", &format!("/queries/{}", under_way(&server)[0]["number"]), "");
    // It is gone, and nothing was read meanwhile.
    while !under_way(&server).is_empty() {}
    let mut rest = String::new();
    answer.read_to_string(&mut rest).expect("it ends well");
    let last: Value =
        serde_json::from_str(rest.lines().last().expect("a last line")).expect("JSON");
    assert_eq!(last["error"]["kind"], "cancelled", "{last}");
}

#[test]
fn a_query_that_has_no_row_yet_ends_with_its_client_and_by_its_number() {
    let server = start_with(|settings| settings.query.deadline_max = 3_600_000);
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let endless = json!({ "language": "lua", "text": "while true do end\n1" });
    let address = server.admin.strip_prefix("http://").expect("a URL").to_owned();
    let send = || {
        let mut socket = TcpStream::connect(&address).expect("it listens");
        let body = endless.to_string();
        let head = format!(
            "POST /query/g HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        socket.write_all(format!("{head}{body}").as_bytes()).expect("it reads");
        socket
    };
    let gone = send();
    while under_way(&server).is_empty() {}
    drop(gone);
    while !under_way(&server).is_empty() {}
    let mut cancelled = send();
    while under_way(&server).is_empty() {}
    server.administer("DELETE", &format!("/queries/{}", under_way(&server)[0]["number"]), "");
    let mut answer = [0; 12];
    cancelled.read_exact(&mut answer).expect("it answers");
    assert_eq!(&answer, b"HTTP/1.1 503");
}

#[test]
fn rows_beyond_those_that_were_asked_for_are_not_sent() {
    let server = start_with_vertices(5);
    for (most, sent, is_truncated) in [(0, 0, true), (3, 3, true), (5, 5, false), (6, 5, false)] {
        for text in
            ["g.V().values('number')", "g.V().constant(1)", "g.V().values('number').toList()"]
        {
            let query = json!({ "language": "gremlin", "text": text, "rows_max": most });
            let found = lines(&ask(&server, "g", &query));
            assert_eq!(rows(&found).len(), sent, "{text} {most}");
            assert_eq!(summary(&found)["rows"], json!(sent), "{text} {most}");
            assert_eq!(summary(&found)["is_truncated"], json!(is_truncated), "{text} {most}");
        }
        let query = json!({ "language": "lua", "text": "1, 2, 3, 4, 5", "rows_max": most });
        assert_eq!(rows(&lines(&ask(&server, "g", &query))).len(), sent, "{most}");
    }
}

#[test]
fn with_access_to_read_nothing_is_written() {
    let server = start_with_vertices(1);
    for (language, text) in [
        ("gremlin", "g.addV('N')"),
        ("gremlin", "g.V().drop()"),
        ("gremlin", "g.V().property('number', 7)"),
        ("gremlin-lang", "g.addV('N')"),
        ("lua", "NodeAdd('N', 'other')"),
        ("lua", "NodeTypeInsert('Other')"),
    ] {
        let query = json!({ "language": language, "text": text, "access": "read" });
        let reply = ask(&server, "g", &query);
        assert!((400..500).contains(&reply.status), "{text}: {reply:?}");
        let error = &reply.json()["error"];
        let words = format!("{} {}", error["message"], error["help"]);
        assert!(words.contains("access"), "{text}: {error}");
    }
    let count = json!({ "language": "gremlin", "text": "g.V().count()", "access": "read" });
    assert_eq!(rows(&lines(&ask(&server, "g", &count))), [json!(1)]);
    let count = json!({ "language": "lua", "text": "AllNodesCount()", "access": "read" });
    assert_eq!(rows(&lines(&ask(&server, "g", &count))), [json!(1)]);
}

#[test]
fn parameters_are_variables_of_both_languages() {
    let server = start_with_vertices(5);
    let query = |language: &str, text: &str, parameters: &Value| {
        ask(&server, "g", &json!({ "language": language, "text": text, "parameters": parameters }))
    };
    let found = query("gremlin", "g.V().has('number', least).count()", &json!({ "least": 3 }));
    assert_eq!(rows(&lines(&found)), [json!(1)]);
    let found =
        query("gremlin", "g.inject(a, b, c)", &json!({ "a": "x'", "b": [1, null], "c": 0.5 }));
    assert_eq!(rows(&lines(&found)), [json!("x'"), json!([1, null]), json!(0.5)]);
    let found = query("lua", "a .. #b, c.d", &json!({ "a": "x", "b": [1, 2], "c": { "d": true } }));
    assert_eq!(rows(&lines(&found)), [json!("x2"), json!(true)]);
    // They are gone behind their script.
    let found = query("lua", "a == nil", &json!({}));
    assert_eq!(rows(&lines(&found)), [json!(true)]);
    let missing = refused(&query("gremlin", "g.V(x)", &json!({ "y": 1 })), 400);
    assert!(missing["message"].as_str().is_some_and(|text| text.contains('x')), "{missing}");
    let taken = refused(&query("lua", "1", &json!({ "NodeAdd": 1 })), 400);
    assert!(taken["message"].as_str().is_some_and(|text| text.contains("`NodeAdd`")), "{taken}");
}

#[test]
fn a_profile_is_a_tree_in_the_summary() {
    let server = start_with_vertices(5);
    let query = json!({ "language": "gremlin", "text": "g.V().count();", "profile": true });
    let found = lines(&ask(&server, "g", &query));
    assert!(rows(&found).is_empty(), "{found:?}");
    let metrics = summary(&found)["profile"]["metrics"].as_array().expect("steps").clone();
    assert!(
        metrics.iter().any(|step| step["name"].as_str().is_some_and(|name| name.contains("count"))),
        "{metrics:?}"
    );
    let query = json!({ "language": "lua", "text": "1", "profile": true });
    assert_eq!(refused(&ask(&server, "g", &query), 501)["kind"], "unsupported");
}

#[test]
fn an_error_before_the_first_line_is_a_status_with_its_position() {
    let server = start_with_vertices(1);
    let error = refused(&ask(&server, "g", &gremlin("g.V()\n .out(\n'ä' 1)")), 400);
    assert_eq!(
        (&error["kind"], &error["line"], &error["column"]),
        (&json!("bad-query"), &json!(3), &json!(5)),
        "{error}"
    );
    assert_eq!(error["offset"], 17, "{error}");
    let error = refused(&ask(&server, "g", &gremlin("g.V().outt()")), 501);
    assert_eq!((&error["line"], &error["offset"]), (&json!(1), &json!(6)), "{error}");
    assert!(error["help"].as_str().is_some_and(|help| help.contains("out()")), "{error}");
    let lua = json!({ "language": "lua", "text": "local x = 1\n  local y = x.z.w\ny" });
    let error = refused(&ask(&server, "g", &lua), 400);
    assert_eq!(
        (&error["line"], &error["column"], &error["offset"]),
        (&json!(2), &json!(3), &json!(14)),
        "{error}"
    );
}

#[test]
fn what_is_not_known_is_refused_by_its_name() {
    let server = start_with_vertices(1);
    let unknown = refused(&ask(&server, "nope", &gremlin("g.V()")), 404);
    assert!(unknown["message"].as_str().is_some_and(|text| text.contains("`nope`")), "{unknown}");
    assert!(
        unknown["help"].as_str().is_some_and(|text| text.contains("graphs: g, neo4j, one;")),
        "{unknown}"
    );
    let sql = refused(&ask(&server, "g", &json!({ "language": "sql", "text": "1" })), 400);
    assert_eq!(sql["help"], "languages: gremlin, gremlin-lang, cypher, dql, lua");
    let field =
        refused(&ask(&server, "g", &json!({ "language": "lua", "text": "1", "limit": 1 })), 400);
    assert!(field["message"].as_str().is_some_and(|text| text.contains("`limit`")), "{field}");
    let deep = format!(
        "{{\"language\":\"lua\",\"text\":\"1\",\"parameters\":{{\"a\":{}1{}}}}}",
        "[".repeat(500),
        "]".repeat(500)
    );
    assert_eq!(server.admin("POST", "/query/g", &deep).status, 400);
    for body in ["[]", "{", "\"g.V()\"", "null", "{\"language\":\"lua\",\"text\":\"1\",\"text\":3}"]
    {
        assert_eq!(server.admin("POST", "/query/g", body).status, 400, "{body}");
    }
    assert_eq!(server.admin("POST", "/query/g?graph=x", &gremlin("g.V()").to_string()).status, 400);
    let old = json!({ "language": "gremlin", "graph": "g", "text": "g.V()" });
    let old = refused(&server.admin("POST", "/query", &old.to_string()), 404);
    assert!(old["help"].as_str().is_some_and(|help| help.contains("/query/{graph}")), "{old}");
}

#[test]
fn a_body_beyond_the_bound_is_refused() {
    let server = start_with(|settings| settings.http.body_bytes_max = 1_000);
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let text = format!("'{}'", "x".repeat(2_000));
    assert_eq!(ask(&server, "g", &gremlin(&text)).status, 413);
    assert_eq!(ask(&server, "g", &gremlin("g.V().count()")).status, 200);
}

#[test]
fn both_routes_want_a_login_where_users_are_named_and_no_foreign_page_may_ask() {
    let server = start_with_ann(|_| {});
    let address = server.admin.strip_prefix("http://").expect("a URL");
    for path in ["/query/g", "/check/g"] {
        let body = gremlin("1").to_string();
        let mut socket = TcpStream::connect(address).expect("it listens");
        // In one write: the server answers without waiting for the body, and closes.
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        socket.write_all(request.as_bytes()).expect("it reads");
        let mut status = [0; 12];
        socket.read_exact(&mut status).expect("it answers");
        assert_eq!(&status, b"HTTP/1.1 401", "{path}");
    }
    let server = start();
    for path in ["/query/g", "/check/g"] {
        let headers = [("origin", "http://evil.example"), ("content-type", "application/json")];
        let body = gremlin("g.V()").to_string();
        let reply = server.send_to(&server.admin, "POST", path, &headers, body.as_bytes());
        assert_eq!(reply.status, 403, "{path}: {reply:?}");
        let plain = [("content-type", "text/plain")];
        let reply = server.send_to(&server.admin, "POST", path, &plain, body.as_bytes());
        assert_eq!(reply.status, 415, "{path}: {reply:?}");
    }
}

#[test]
fn a_deadline_that_passes_between_rows_is_the_last_line() {
    let server = start_with_vertices(300);
    let body =
        gremlin("g.V().as('a').V().as('b').V().as('c').project('number').by('number')").to_string();
    let headers = [("content-type", "application/json"), ("millrace-deadline-ms", "300")];
    let reply = server.send_to(&server.admin, "POST", "/query/g", &headers, body.as_bytes());
    let found = lines(&reply);
    assert!(!rows(&found[..found.len() - 1]).is_empty());
    assert_eq!(found[found.len() - 1]["error"]["kind"], "deadline-exceeded");
}

fn check(server: &Running, language: &str, text: &str, offset: Option<u64>) -> Value {
    let body = json!({ "language": language, "text": text, "offset": offset });
    let reply = server.admin("POST", "/check/g", &body.to_string());
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.json()
}

#[test]
fn a_check_gives_the_errors_of_all_statements_and_runs_nothing() {
    let server = start_with_vertices(1);
    let checked = check(
        &server,
        "gremlin",
        "g.V().outt()\ng.addV('N')\ng.V().limit('x')\ng.V(x).iterate()",
        None,
    );
    let errors = checked["errors"].as_array().expect("a list");
    let places: Vec<_> = errors.iter().map(|error| (&error["line"], &error["offset"])).collect();
    assert_eq!(places, [(&json!(1), &json!(6)), (&json!(3), &json!(31))], "{checked}");
    assert_eq!(rows(&lines(&ask(&server, "g", &gremlin("g.V().count()")))), [json!(1)]);
    let syntax = check(&server, "gremlin", "g.V(", None);
    assert_eq!(syntax["errors"].as_array().map(Vec::len), Some(1), "{syntax}");
    let lua = check(&server, "lua", "local x = 1\nlocal y = = 2\ny", None);
    assert_eq!(
        (&lua["errors"][0]["line"], lua["errors"].as_array().map(Vec::len)),
        (&json!(2), Some(1)),
        "{lua}"
    );
    let whole = check(&server, "lua", "NodeAdd('N', 'made')", None);
    assert_eq!(whole, json!({ "errors": [], "completions": [] }));
    assert_eq!(rows(&lines(&ask(&server, "g", &gremlin("g.V().count()")))), [json!(1)]);
}

#[test]
fn a_check_completes_steps_functions_and_names_of_the_graph() {
    let server = start_with_vertices(1);
    let texts = |language: &str, text: &str| -> Vec<Value> {
        let offset = text.chars().count() as u64;
        let checked = check(&server, language, text, Some(offset));
        let all = checked["completions"].as_array().expect("a list").clone();
        all.iter().map(|own| own["text"].clone()).collect()
    };
    assert_eq!(texts("gremlin", "g.V().hasL"), ["hasLabel"]);
    assert_eq!(texts("gremlin", "g.V().hasLabel('"), ["N"]);
    assert_eq!(texts("gremlin", "g.V().values('nu"), ["number"]);
    assert_eq!(texts("gremlin-lang", "g.V().has('number', gt"), ["gt", "gte"]);
    assert_eq!(texts("lua", "NodeTypesGetC"), ["NodeTypesGetCount"]);
    let body = json!({ "language": "lua", "text": "ä", "offset": 2 }).to_string();
    assert_eq!(server.admin("POST", "/check/g", &body).status, 400);
}
