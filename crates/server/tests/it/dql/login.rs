//! Logins over HTTP, and administration as far as it is served.

use serde_json::{Value, json};

use super::{DQL, JSON, RDF, failure, get, post, start};
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

/// The token of a login to a namespace.
fn token_of(server: &Running, namespace: u64) -> String {
    let login = json!({ "userid": "ann", "password": "secret", "namespace": namespace });
    tokens(server, &login)["data"]["accessJWT"].as_str().unwrap_or_default().to_owned()
}

/// Of two namespaces neither sees what is in the other, and a token of one that is dropped lets no client in.
#[test]
fn a_login_chooses_a_namespace_which_is_a_graph_of_its_own() {
    let server = start_with_users();
    let first = token_of(&server, 0);
    let send = |path: &str, kind: (&str, &str), token: &str, body: &str| {
        let headers = [kind, ("x-dgraph-accesstoken", token)];
        server.send_to(&server.dql, "POST", path, &headers, body.as_bytes()).json()
    };
    let admin = |token: &str, query: &str| {
        send("/admin", JSON, token, &json!({ "query": query }).to_string())
    };
    let made = admin(&first, "mutation { addNamespace { namespaceId message } }");
    let number = made["data"]["addNamespace"]["namespaceId"].as_u64().unwrap_or_default();
    assert!(0 < number, "{made}");
    let listed =
        || admin(&first, "{ state { namespaces } }")["data"]["state"]["namespaces"].clone();
    assert_eq!(listed(), json!([0, number]));

    let second = token_of(&server, number);
    let names = |token: &str| {
        send("/query", DQL, token, "{ q(func: has(name)) { name } }")["data"]["q"].clone()
    };
    for (token, name, namespace) in [(&first, "here", 0), (&second, "there", number)] {
        let quads = format!("{{ set {{ _:a <name> \"{name}\" . }} }}");
        let done = send("/mutate?commitNow=true", RDF, token, &quads);
        assert_eq!(done["extensions"]["txn"]["preds"], json!([format!("1-{namespace}-name")]));
        assert_eq!(names(token), json!([{ "name": name }]), "{done}");
    }
    assert_eq!(names(&first), json!([{ "name": "here" }]));

    // A transaction belongs to its namespace, too.
    let open = send("/mutate", RDF, &second, "{ set { _:a <name> \"open\" . } }");
    let start_ts = open["extensions"]["txn"]["start_ts"].as_u64().unwrap();
    let commit = format!("/commit?startTs={start_ts}");
    let keys = open["extensions"]["txn"]["keys"].to_string();
    assert!(failure(&send(&commit, JSON, &first, &keys)).0.contains("aborted"));
    assert_eq!(send(&commit, JSON, &second, &keys)["data"]["code"], "Success");
    assert_eq!(names(&second).as_array().map(Vec::len), Some(2));

    let deletion = |number: u64| {
        format!("mutation {{ deleteNamespace(input: {{ namespaceId: {number} }}) {{ message }} }}")
    };
    assert!(failure(&admin(&second, &deletion(number))).0.contains("namespace 0"));
    assert!(failure(&admin(&first, &deletion(0))).0.contains("cannot be deleted"));
    assert!(failure(&admin(&first, &deletion(number + 1))).0.contains("no namespace"));
    let gone = admin(&first, &deletion(number));
    assert!(gone["data"]["deleteNamespace"]["message"].is_string(), "{gone}");
    assert_eq!(listed(), json!([0]));
    let closed = send("/query", DQL, &second, "{ q(func: has(name)) { name } }");
    assert!(failure(&closed).0.contains("no namespace"), "{closed}");
    assert_eq!(names(&first), json!([{ "name": "here" }]));
}
