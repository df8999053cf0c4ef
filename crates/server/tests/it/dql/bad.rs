//! Requests that are wrong: the status, the message and the code by which clients know what to do.

use super::{DQL, JSON, RDF, failure, post, start, start_with};

const ABORTED: (&str, &str) = ("Transaction has been aborted. Please retry", "ErrorInvalidRequest");

#[test]
fn a_text_that_is_wrong_has_its_position_in_the_message() {
    let server = start();
    let answer = post(&server, "/query", DQL, "{\n  q(func: uid(1)) {\n    )\n  }\n}");
    assert_eq!(answer.status, 200);
    let answer = answer.json();
    let (message, code) = failure(&answer);
    assert!(message.starts_with("line 3 column 5: "), "{message}");
    assert_eq!((code, answer["data"].is_null()), ("ErrorInvalidRequest", true));
    let body = "{ set {\n <0x1> <name> \"A\" .\n <0x1> <name> .\n} }";
    let answer = post(&server, "/mutate?commitNow=true", RDF, body).json();
    assert!(failure(&answer).0.starts_with("line 3 column "), "{answer}");
    let body = "{\"set\": [{\"name\": \"A\"}, 7]}";
    let answer = post(&server, "/mutate?commitNow=true", JSON, body).json();
    assert!(answer["errors"][0]["message"].is_string(), "{answer}");
}

#[test]
fn bodies_and_parameters_that_mean_nothing_are_refused() {
    let server = start();
    let refused = |path: &str, kind, body: &str| {
        let answer = post(&server, path, kind, body);
        assert_eq!(answer.status, 200, "{answer:?}");
        let answer = answer.json();
        failure(&answer).0.to_owned()
    };
    assert_eq!(refused("/query", DQL, "  "), "empty request");
    assert_eq!(refused("/query", JSON, "{}"), "empty request");
    assert_eq!(refused("/mutate?commitNow=true", JSON, "{}"), "empty request");
    assert_eq!(refused("/mutate?commitNow=true", RDF, ""), "empty request");
    assert!(refused("/query", RDF, "{ q }").contains("Unsupported Content-Type"));
    assert!(refused("/mutate", DQL, "{ q }").contains("application/rdf"));
    assert!(refused("/query", JSON, "{").contains("Error parsing JSON at line 1, character 1"));
    assert!(refused("/query?startTs=x", DQL, "{ q }").contains("startTs"));
    assert!(refused("/query?timeout=20", DQL, "{ q }").contains("timeout"));
    assert!(refused("/mutate?commitNow=maybe", RDF, "{ set {} }").contains("commitNow"));
    assert!(refused("/query?respFormat=xml", DQL, "{ q }").contains("respFormat"));
    assert_eq!(refused("/alter", DQL, " "), "Operation must have at least one field set");
    assert!(refused("/alter", JSON, "{\"drop_op\": \"MOST\"}").contains("MOST"));
    let variables = "{\"query\": \"query q($a: string) { q(func: uid(1)) { uid } }\", \"variables\": {\"a\": \"x\"}}";
    assert!(refused("/query", JSON, variables).contains("no dollar"));
}

#[test]
fn a_body_that_is_too_long_has_a_status_of_its_own() {
    let server = start_with(|settings| settings.http.body_bytes_max = 1_000);
    let long = post(&server, "/query", DQL, &" ".repeat(2_000));
    assert_eq!(long.status, 413);
    assert!(failure(&long.json()).0.contains("http.body-bytes-max"));
}

#[test]
fn a_number_that_is_not_known_is_aborted_unless_nothing_was_written() {
    let server = start();
    let query = post(&server, "/query?startTs=5", DQL, "{ q(func: uid(1)) { uid } }").json();
    assert_eq!(failure(&query), ABORTED);
    for path in ["/mutate?startTs=5", "/mutate?startTs=5&commitNow=true"] {
        let mutation = post(&server, path, RDF, "{ set { _:a <name> \"A\" . } }").json();
        assert_eq!(failure(&mutation), ABORTED, "{path}");
    }
    let commit =
        |query: &str, body: &str| post(&server, &format!("/commit?{query}"), JSON, body).json();
    assert_eq!(
        failure(&commit("startTs=5", "{\"keys\":[\"1z\"],\"preds\":[\"1-0-name\"]}")),
        ABORTED
    );
    assert_eq!(failure(&commit("startTs=5", "[\"1z\"]")), ABORTED);
    let empty = commit("startTs=5", "{}");
    assert_eq!(empty["data"]["code"], "Success", "{empty}");
    assert!(5 < empty["extensions"]["txn"]["commit_ts"].as_u64().unwrap(), "{empty}");
    let aborted = commit("startTs=5&abort=true", "");
    assert_eq!((&aborted["code"], &aborted["message"]), (&"Success".into(), &"Done".into()));
    assert!(failure(&commit("", "{}")).0.contains("startTs parameter is mandatory"));
}

#[test]
fn a_header_that_means_nothing_is_refused() {
    let server = start();
    let isolation = [DQL, ("millrace-isolation", "none")];
    let answer = server.send_to(&server.dql, "POST", "/query", &isolation, b"{ q }").json();
    assert!(failure(&answer).0.contains("millrace-isolation"), "{answer}");
}
