//! The requests of Ratel, Dgraph's page, as a browser sends them from the origin of the page: on connecting, in its console,
//! and on the pages of the schema and of the cluster.

use millrace_server::db::Settings;
use serde_json::{Value, json};

use super::{failure, start_with};
use crate::client::{Reply, Running, start_with_ann};

const ORIGIN: &str = "http://localhost:8000";

/// Headers that Ratel puts on each request.
const DQL: (&str, &str) = ("content-type", "application/dql");
const JSON: (&str, &str) = ("content-type", "application/json");
const RDF: (&str, &str) = ("content-type", "application/rdf");
const TOKEN: &str = "x-dgraph-accesstoken";

fn on(settings: &mut Settings) {
    settings.listen.set("dql", "127.0.0.1:0");
    settings.listen.origins = ORIGIN.to_owned();
}

/// A page in a browser, which asks whether it may before it asks.
struct Page<'s> {
    server: &'s Running,
    token: String,
}

impl Page<'_> {
    fn send(&self, method: &str, path: &str, kind: Option<(&str, &str)>, body: &str) -> Reply {
        let mut own: Vec<(&str, &str)> = kind.into_iter().collect();
        if !self.token.is_empty() && path != "/login" {
            own.push((TOKEN, &self.token));
        }
        let browser = [
            ("origin", ORIGIN),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "cors"),
            ("referer", "http://localhost:8000/"),
        ];
        if !own.is_empty() {
            let names: Vec<&str> = own.iter().map(|(name, _)| *name).collect();
            let names = names.join(",");
            let asks = [
                ("access-control-request-method", method),
                ("access-control-request-headers", names.as_str()),
            ];
            let headers = [&browser[..], &asks].concat();
            let may = self.server.send_to(&self.server.dql, "OPTIONS", path, &headers, b"");
            assert_eq!((may.status, may.allowed_origin.as_deref()), (204, Some(ORIGIN)), "{path}");
        }
        let headers = [&browser[..], &own].concat();
        let answer = self.server.send_to(&self.server.dql, method, path, &headers, body.as_bytes());
        assert_eq!(answer.allowed_origin.as_deref(), Some(ORIGIN), "{method} {path}");
        assert_eq!(answer.status, 200, "{method} {path}: {answer:?}");
        answer
    }

    /// What the page takes for an answer: an object with `errors` is none.
    fn done(&self, path: &str, kind: (&str, &str), body: &str) -> Value {
        let answer = self.send("POST", path, Some(kind), body).json();
        assert!(answer.get("errors").is_none(), "{path} {body}: {answer}");
        answer
    }

    fn get(&self, path: &str) -> Value {
        self.send("GET", path, Some(DQL), "").json()
    }

    fn query(&self, text: &str) -> Value {
        self.done("/query?timeout=20s", DQL, text)["data"].clone()
    }

    fn alter(&self, text: &str) {
        let done = self.done("/alter", DQL, text);
        assert_eq!(done["data"]["code"], "Success", "{text}");
    }

    fn admin(&self, query: &str, variables: &Value) -> Value {
        let body = json!({ "query": query, "variables": variables, "operationName": null });
        self.send("POST", "/admin", Some(JSON), &body.to_string()).json()
    }
}

fn page(server: &Running) -> Page<'_> {
    Page { server, token: String::new() }
}

#[test]
fn ratel_connects_and_finds_a_healthy_server_of_its_version() {
    let server = start_with(on);
    let page = page(&server);
    let plain = page.send("GET", "/health", None, "").json();
    assert_eq!(plain[0]["ee_features"], json!([]));
    let version = page.get("/health")[0]["version"].as_str().unwrap().to_owned();
    assert!(version.starts_with("v25."), "{version}");
    let found = page.query("{ q(func: uid(1)) { uid } }");
    assert_eq!(found["q"][0]["uid"], "0x1", "it is taken for a server without a login");
    assert!(page.get("/ui/keywords")["keywords"][0]["name"].is_string());
    let schema = page.query("schema {}");
    assert!(schema["schema"].is_array() && schema["types"].is_array(), "{schema}");
    let health = page.admin("query { health { version } }", &Value::Null);
    assert_eq!(health["data"]["health"][0]["version"], version.as_str());
}

#[test]
fn ratels_console_asks_and_writes() {
    let server = start_with(on);
    let page = page(&server);
    page.alter("name: string @index(exact) .\nfriend: [uid] .");
    let mutation = "{\n  set {\n    _:a <name> \"Ann\" .\n    _:a <friend> _:b .\n    _:b <name> \"Bo\" .\n  }\n}";
    let done = page.done("/mutate?commitNow=true", RDF, mutation);
    let uid = done["data"]["uids"]["a"].as_str().unwrap().to_owned();
    let more = json!({ "set": { "uid": uid, "dgraph.type": "Person", "age": 7 } }).to_string();
    page.done("/mutate?commitNow=true", JSON, &more);
    let asked = json!({
        "query": "query q($n: string) { q(func: eq(name, $n)) { name friend { name } } }",
        "variables": { "$n": "Ann" },
    });
    let path = "/query?timeout=20s&debug=true&ro=true&be=true";
    let found = page.done(path, JSON, &asked.to_string());
    let friend = &found["data"]["q"][0]["friend"][0];
    assert_eq!(friend["name"], "Bo");
    assert!(friend["uid"].is_string(), "the graph has nodes: {found}");
    assert!(found["extensions"]["server_latency"]["total_ns"].is_u64(), "{found}");
    page.alter("type <Person> {\n\tname\n\tage\n\tfriend\n}");
    let expanded = page.done(
        "/query?timeout=20s&debug=true",
        JSON,
        &json!({
            "query": format!("{{\n node(func:uid({uid})) {{\n uid\n expand(_all_) {{\n uid\n expand(_all_)\n }}\n }}\n }}"),
        })
        .to_string(),
    );
    let node = &expanded["data"]["node"][0];
    assert_eq!((&node["name"], &node["age"]), (&json!("Ann"), &json!(7)), "{expanded}");
    assert!(node["friend"][0]["uid"].is_string(), "{expanded}");
    let wrong = page.send("POST", "/query?timeout=20s", Some(DQL), "{ q(func: ").json();
    assert!(failure(&wrong).0.contains("line 1 column"), "{wrong}");
}

#[test]
fn ratels_page_of_the_schema_changes_it() {
    let server = start_with(on);
    let page = page(&server);
    page.alter("<name>: string @index(term, exact) @lang @upsert .\n");
    page.alter("<nick>: [string] @index(exact) .");
    page.alter("<friend>: [uid] @count @reverse .");
    page.alter(
        "\n  type <Person> {\n    <name>: <string>\n<nick>: <[string]>\n<friend>: <[uid]>\n  }\n",
    );
    let schema = page.query("schema {}");
    let of = |name: &str| {
        let all = schema["schema"].as_array().unwrap();
        all.iter().find(|own| own["predicate"] == name).cloned().unwrap_or_default()
    };
    assert_eq!(
        of("name"),
        json!({
            "predicate": "name", "type": "string", "index": true, "tokenizer": ["term", "exact"],
            "upsert": true, "lang": true,
        })
    );
    assert_eq!((&of("friend")["reverse"], &of("friend")["count"]), (&json!(true), &json!(true)));
    let fields = json!([{ "name": "name" }, { "name": "nick" }, { "name": "friend" }]);
    assert!(
        schema["types"]
            .as_array()
            .unwrap()
            .contains(&json!({ "name": "Person", "fields": fields })),
        "{schema}"
    );
    let data = "{ set { <0x1> <name> \"Ann\" .\n <0x1> <dgraph.type> \"Person\" .\n <0x1> <friend> <0x2> . } }";
    page.done("/mutate?commitNow=true", RDF, data);
    let counted = page.query("{\n nodeCount(func: has(<name>)) {\n nodeCount: count(uid)\n }\n }");
    assert_eq!(counted["nodeCount"][0]["nodeCount"], 1);
    let samples = "{\n samples(func: has(<friend>), first: 10) {\n uid\n expand(_all_) {\n uid\n expand(_all_)\n }\n }\n }";
    assert_eq!(page.query(samples)["samples"][0]["friend"][0]["uid"], "0x2");
    let explored = "{\n samples(func: uid(<0x1>)) {\n uid\n <friend> {\n uid\n expand(_all_) {\n uid\n expand(_all_)\n }\n }\n }\n }";
    assert_eq!(page.query(explored)["samples"][0]["friend"][0]["uid"], "0x2");
    // The whole schema, as it is shown for editing.
    page.alter("<friend>: [uid] @count @reverse .\n<name>: string @index(term, exact) @lang @upsert .\ntype <Person> {\n\tname\n\tfriend\n}\n");
    page.alter(&json!({ "drop_attr": "nick" }).to_string());
    page.alter(&json!({ "drop_op": "DATA" }).to_string());
    assert_eq!(page.query("{ q(func: has(name)) { uid } }")["q"], json!([]));
    page.alter(&json!({ "drop_all": true }).to_string());
    let left = page.query("schema {}");
    let names: Vec<&Value> =
        left["schema"].as_array().unwrap().iter().map(|own| &own["predicate"]).collect();
    assert!(names.iter().all(|name| name.as_str().unwrap().starts_with("dgraph.")), "{names:?}");
}

#[test]
fn ratels_page_of_the_cluster_shows_one_member_and_its_predicates() {
    let server = start_with(on);
    let page = page(&server);
    page.alter("name: string .\nage: int .");
    page.alter(&json!({ "drop_attr": "age" }).to_string());
    let health = page.get("/health?all");
    let state = page.get("/state");
    let group = &state["groups"]["1"];
    let member = &group["members"]["1"];
    assert_eq!((&member["id"], &member["leader"]), (&json!("1"), &json!(true)));
    assert_eq!(health[0]["address"], member["addr"], "the page finds the health of a member by it");
    assert_eq!(health[0]["status"], "healthy");
    assert!(health[0]["lastEcho"].is_u64());
    assert_eq!(group["tablets"]["0-name"]["predicate"], "0-name", "without a value, too");
    assert_eq!(group["tablets"]["0-age"], Value::Null, "it is gone: {group}");
    assert!(state["zeros"].is_object() && state.get("license").is_none(), "{state}");
}

#[test]
fn ratel_logs_in_and_is_refused_by_name_what_is_not_there() {
    let server = start_with_ann(on);
    let mut page = page(&server);
    assert_eq!(page.send("GET", "/health", None, "").json()[0]["ee_features"], json!(["acl"]));
    let closed = page.send("POST", "/query?timeout=20s", Some(DQL), "{ q(func: uid(1)) { uid } }");
    assert_eq!(failure(&closed.json()).0, "no accessJwt available");
    let login = json!({ "userid": "ann", "password": "secret" }).to_string();
    let tokens = page.done("/login", DQL, &login);
    page.token = tokens["data"]["accessJWT"].as_str().unwrap().to_owned();
    assert_eq!(page.query("{ q(func: uid(1)) { uid } }")["q"][0]["uid"], "0x1");
    assert!(page.get("/state")["groups"]["1"].is_object());
    let users = "query {\n queryUser {\n name\n groups {\n name\n }\n }\n queryGroup {\n name\n users {\n name\n }\n rules {\n predicate\n perm: permission\n }\n }\n }";
    let refused = page.admin(users, &Value::Null);
    assert!(failure(&refused).0.contains("queryUser"), "{refused}");
    let backup = "\n  mutation startBackup(\n $destination: String!,\n $forceFull: Boolean,\n  ) {\n backup(input: {\n destination: $destination,\n forceFull: $forceFull,\n }) {\n response {\n message\n code\n }\n }\n }\n";
    let refused = page.admin(backup, &json!({ "destination": "/tmp", "forceFull": false }));
    assert!(failure(&refused).0.contains("backup"), "{refused}");
    let refresh = json!({ "refresh_token": tokens["data"]["refreshJWT"] }).to_string();
    assert!(page.done("/login", DQL, &refresh)["data"]["accessJWT"].is_string());
}
