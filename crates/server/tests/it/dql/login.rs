//! Logins over HTTP, and administration as far as it is served.

use serde_json::{Value, json};

use super::{DQL, JSON, failure, get, post, start};
use crate::client::{Running, start_with_ann};

fn start_with_users() -> Running {
    start_with_ann(|settings| settings.listen.set("dql", "127.0.0.1:0"))
}

fn tokens(server: &Running, login: &Value) -> Value {
    post(server, "/login", JSON, &login.to_string()).json()
}

#[test]
fn a_client_logs_in_and_its_token_lets_it_in() {
    let server = start_with_users();
    let closed = post(&server, "/query", DQL, "{ q").json();
    assert_eq!(failure(&closed), ("no accessJwt available", "ErrorUnauthorized"));
    assert_eq!(get(&server, "/health").json()[0]["ee_features"], json!(["acl"]));
    assert_eq!(failure(&get(&server, "/state").json()).1, "ErrorUnauthorized");
    let wrong = tokens(&server, &json!({ "userid": "ann", "password": "guess" }));
    assert_eq!(failure(&wrong), ("invalid username or password", "ErrorInvalidRequest"));
    let answer = tokens(&server, &json!({ "userid": "ann", "password": "secret" }));
    let access = answer["data"]["accessJWT"].as_str().unwrap();
    let refresh = answer["data"]["refreshJWT"].as_str().unwrap();
    let with = |header: (&str, &str)| {
        let answer = server.send_to(&server.dql, "POST", "/query", &[DQL, header], b"{ q").json();
        failure(&answer).0.to_owned()
    };
    assert!(with(("x-dgraph-accesstoken", access)).starts_with("line 1 column"));
    assert!(with(("authorization", "Basic YW5uOnNlY3JldA==")).starts_with("line 1 column"));
    assert!(with(("x-dgraph-accesstoken", refresh)).contains("signature is invalid"));
    assert!(with(("x-dgraph-accesstoken", &access[1..])).contains("signature is invalid"));
    let again = tokens(&server, &json!({ "refresh_token": refresh }));
    assert!(
        with(("x-dgraph-accesstoken", again["data"]["accessJWT"].as_str().unwrap()))
            .contains("line 1")
    );
    let namespace =
        tokens(&server, &json!({ "userid": "ann", "password": "secret", "namespace": 3 }));
    assert!(failure(&namespace).0.contains("namespace 3"), "{namespace}");
}

#[test]
fn administration_answers_health_state_and_login_and_names_the_rest() {
    let server = start_with_users();
    let with = |query: &str, token: &str| {
        let body = json!({ "query": query }).to_string();
        let headers = [JSON, ("x-dgraph-accesstoken", token)];
        let headers = if token.is_empty() { &headers[..1] } else { &headers[..] };
        server.send_to(&server.dql, "POST", "/admin", headers, body.as_bytes()).json()
    };
    let login =
        "mutation { login(userId: \"ann\", password: \"secret\") { response { accessJWT } } }";
    let answer = with(login, "");
    let token = answer["data"]["login"]["response"]["accessJWT"].as_str().unwrap();
    assert_eq!(failure(&with("{ health { version } }", "")).0, "no accessJwt available");
    let health = with("query { health { version status } }", token);
    assert_eq!(health["data"]["health"][0]["status"], "healthy", "{health}");
    let state = with("{ state { groups { members { leader } } } }", token);
    assert_eq!(state["data"]["state"]["groups"], json!([{ "members": [{ "leader": true }] }]));
    assert!(failure(&with("{ queryGroup { name } }", token)).0.contains("queryGroup"));
    let open = start();
    let answer =
        post(&open, "/login", JSON, "{\"userid\": \"groot\", \"password\": \"password\"}").json();
    assert_eq!(failure(&answer).0, "invalid username or password");
}
