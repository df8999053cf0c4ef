//! Gremlin by one HTTP request.

use crate::client::{Running, start_with};

use super::socket::{Socket, eval};
use super::start;

pub(super) fn ask(
    server: &Running,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (u16, String) {
    let reply = server.send_to(
        &format!("http://{}", server.gremlin),
        method,
        path,
        headers,
        body.as_bytes(),
    );
    (reply.status, reply.body)
}

#[test]
fn a_query_and_a_body_are_answered_in_the_form_that_is_accepted() {
    let server = start();
    let untyped = [("accept", "application/vnd.gremlin-v3.0+json;types=false")];
    let (status, body) = ask(
        &server,
        "POST",
        "/gremlin",
        &untyped,
        r#"{"gremlin": "g.addV(l).label()", "bindings": {"l": "a"}}"#,
    );
    assert_eq!(status, 200, "{body}");
    assert!(body.contains(r#""data":["a"]"#), "{body}");
    let (status, body) = ask(&server, "GET", "/?gremlin=g.V().count()", &[], "");
    assert_eq!(status, 200);
    assert!(body.contains("g:Int64"), "{body}");
    let (status, body) =
        ask(&server, "GET", "/?gremlin=g.V().count()", &[("accept", "text/html")], "");
    assert_eq!(status, 400);
    assert!(body.contains("requestId") && body.contains("text/html"), "{body}");
    // The content type of curl's bodies by default.
    let form = [("content-type", "application/x-www-form-urlencoded")];
    assert_eq!(ask(&server, "POST", "/gremlin", &form, r#"{"gremlin": "g.V()"}"#).0, 200);
}

#[test]
fn errors_have_the_status_codes_of_http() {
    let server = start_with(|settings| settings.gremlin.message_bytes_max = 10_000);
    for (method, path, body, expected) in [
        ("POST", "/gremlin", r#"{"gremlin": "g.V().nosuch()"}"#, 500),
        ("POST", "/gremlin", "{", 400),
        ("POST", "/gremlin", "[]", 400),
        ("GET", "/gremlin", "", 400),
        ("DELETE", "/gremlin", "", 400),
        ("GET", "/nowhere", "", 404),
        (
            "POST",
            "/gremlin",
            &format!(r#"{{"gremlin": "g.inject('{}')"}}"#, "x".repeat(20_000)),
            413,
        ),
        ("POST", "/gremlin", r#"{"gremlin": "g.V().fail('x')", "evaluationTimeout": "soon"}"#, 400),
    ] {
        let (status, text) = ask(&server, method, path, &[], body);
        assert_eq!(status, expected, "{method} {path} {body}: {text}");
        assert!(text.starts_with(r#"{"message":"#), "{text}");
    }
}

#[test]
fn a_script_that_commits_and_then_fails_has_committed_once_and_visibly() {
    let server = start();
    let run = |text: &str| {
        let body = serde_json::json!({ "gremlin": text, "bindings": { "b": 1 } }).to_string();
        ask(&server, "POST", "/gremlin", &[], &body)
    };
    let adds = "g.addV('p').property('name','x').iterate(); g.tx().commit(); ";
    for (place, wrong) in [
        "g.V(1).nothing()",
        "g.V().hasLabel('p').by('name')",
        "g.io('x').read()",
        "g.V().hasLabel('p').order().by(5)",
        "g.mergeV([(T.value):'x'])",
        "g.V().hasLabel('p').cap('nokey')",
        "g.V().path().from(2)",
        "g.V(b).hasLabel('p').nothing()",
        "g.inject(1).fail('x')",
    ]
    .iter()
    .enumerate()
    {
        let (status, body) = run(&format!("{adds}{wrong}"));
        assert_eq!(status, 500, "{wrong}: {body}");
        let (_, count) = run("g.V().hasLabel('p').count()");
        assert!(count.contains(&format!("\"@value\":{}}}", place + 1)), "{wrong}: {count}");
    }
    let (_, body) = run(&format!("{adds}{adds}{adds}g.V(1).nothing()"));
    assert!(body.contains("nothing"), "{body}");
    let (_, count) = run("g.V().hasLabel('p').count()");
    assert!(count.contains("\"@value\":12}"), "{count}");
}

/// An empty answer was `"data": null` with 204, and programs that loop over the list failed.
#[test]
fn no_results_are_an_empty_list_and_200_in_every_form() {
    let server = start();
    for text in [
        "g.V().has('nope', 'x', 1)",
        "g.V().has('nope', 'x', 1).drop()",
        "g.inject(1).iterate()",
        "g.addV('x').iterate()",
        "g.tx().commit()",
        "[]",
        "",
    ] {
        let body = serde_json::json!({ "gremlin": text }).to_string();
        for (accept, list) in [
            ("application/json", r#""data":{"@type":"g:List","@value":[]}"#),
            ("application/vnd.gremlin-v3.0+json", r#""data":{"@type":"g:List","@value":[]}"#),
            ("application/vnd.gremlin-v3.0+json;types=false", r#""data":[]"#),
            ("application/vnd.gremlin-v2.0+json", r#""data":[]"#),
            ("application/vnd.gremlin-v2.0+json;types=false", r#""data":[]"#),
        ] {
            let (status, answer) = ask(&server, "POST", "/gremlin", &[("accept", accept)], &body);
            assert_eq!(status, 200, "{text}: {answer}");
            let code = r#""code":200"#;
            let typed = r#""code":{"@type":"g:Int32","@value":200}"#;
            assert!(answer.contains(list), "{text}, {accept}: {answer}");
            assert!(answer.contains(code) || answer.contains(typed), "{text}, {accept}: {answer}");
        }
    }
}

#[test]
fn a_body_that_is_no_object_is_refused_with_the_expected_form() {
    let server = start();
    let form = [("content-type", "application/x-www-form-urlencoded")];
    for (body, begin) in [
        ("g.V().count()", "`g.V().count()`"),
        ("gremlin=g.V()", "`gremlin=g.V()`"),
        (" g.V()", "` g.V()`"),
        ("", "empty"),
        ("[1]", "array"),
        ("{\"query\": \"g.V()\"}", "`gremlin`"),
        ("{\"gremlin\": ", ""),
    ] {
        for headers in [&form[..], &[]] {
            let (status, text) = ask(&server, "POST", "/gremlin", headers, body);
            assert_eq!(status, 400, "{body}: {text}");
            assert!(text.contains(begin) && text.contains("-d '{"), "{body}: {text}");
        }
    }
    let (status, text) = ask(&server, "GET", "/gremlin", &[], "");
    assert!(status == 400 && text.contains("?gremlin=g.V().count()"), "{text}");
}

/// A script that failed behind its own commit ran twice, or was answered before the commit was visible.
#[test]
fn a_script_that_fails_behind_its_commit_ran_once_and_is_answered_when_that_is_visible() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    for (number, last) in
        (1..).zip(["g.V(1).nothing()", "g.inject(1).fail('x')", "g.io('x').read()"].repeat(20))
    {
        let text = |label: &str| {
            format!("g.addV('{label}').property('n', 1).iterate(); g.tx().commit(); {last}")
        };
        let body = serde_json::json!({ "gremlin": text("http") }).to_string();
        assert_eq!(ask(&server, "POST", "/gremlin", &[], &body).0, 500);
        assert_eq!(socket.count("g.V().hasLabel('http').count()"), number);
        socket.fail(eval(&text("socket")));
        assert_eq!(socket.count("g.V().hasLabel('socket').count()"), number);
    }
}

#[test]
fn bindings_beyond_their_bound_are_refused() {
    let server = start();
    let bindings: Vec<String> = (0..65_537).map(|number| format!("\"b{number}\": 1")).collect();
    let body = format!("{{\"gremlin\": \"g.V()\", \"bindings\": {{{}}}}}", bindings.join(", "));
    let (status, body) = ask(&server, "POST", "/gremlin", &[], &body);
    assert_eq!(status, 400, "{body}");
    assert!(body.contains("there are 65537 bindings; the limit is 65536"), "{body}");
}
