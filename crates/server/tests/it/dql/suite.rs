//! The suite of Dgraph's own query tests over HTTP: on a server of its own, or on the one at `MILLRACE_DQL_URL`, which it
//! empties (`cargo xtask dql --url URL`). Of a Dgraph, `DGRAPH_ZERO` is the address that gives uids.

use std::env;

use millrace_testkit::dql_suite::{MISSES_MAX, Replayed, Step, UIDS, replay, text};
use millrace_testkit::{require, shared};
use serde_json::{Value, json};

use super::start;

/// A server at an address.
struct Server {
    url: String,
    agent: ureq::Agent,
}

impl Server {
    fn new(url: &str) -> Server {
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        Server { url: url.trim_end_matches('/').to_owned(), agent: config.build().into() }
    }

    fn post(&self, path: &str, kind: &str, body: &str) -> Result<Value, String> {
        let url = format!("{}{path}", self.url);
        let sent = self.agent.post(&url).header("content-type", kind).send(body);
        let mut response = sent.map_err(|error| format!("{url}: {error}"))?;
        let text =
            response.body_mut().read_to_string().map_err(|error| format!("{url}: {error}"))?;
        let answer: Value =
            serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
        match answer["errors"][0]["message"].as_str() {
            Some(message) => Err(message.to_owned()),
            None => Ok(answer["data"].clone()),
        }
    }

    /// Takes the uids that the data names; a server that does not have to be asked for them says so.
    fn lease(&self) {
        let zero = env::var("DGRAPH_ZERO").unwrap_or_else(|_| self.url.clone());
        let url = format!("{}/assign?what=uids&num={UIDS}", zero.trim_end_matches('/'));
        self.agent.get(&url).call().unwrap_or_else(|error| panic!("{url}: {error}"));
    }

    fn run(&self, step: &Step) -> Result<String, String> {
        let data = match step.kind() {
            "alter" => self.post("/alter", "text/plain", &alter(step)),
            "mutate" => {
                let mutations = step.mutations().map(|own| self.mutate(step.text("query"), own));
                mutations.collect::<Result<Vec<_>, _>>().map(|_| Value::Null)
            }
            _ => {
                let path = match (step.is("rdf"), step.is("debug")) {
                    (true, _) => "/query?respFormat=rdf",
                    (_, true) => "/query?debug=true",
                    _ => "/query",
                };
                let variables = step.variables().map(|(name, own)| (name, own.into()));
                let variables = variables.collect::<Members>().0;
                let body = json!({ "query": step.text("query"), "variables": variables });
                self.post(path, "application/json", &body.to_string())
            }
        };
        data.map(|data| data.to_string())
    }

    fn mutate(&self, query: &str, mutation: &Value) -> Result<Value, String> {
        const PATH: &str = "/mutate?commitNow=true";
        let members = [("set", "set_json"), ("delete", "delete_json")];
        let members = members.iter().filter(|(_, name)| !text(mutation, name).is_empty());
        let members = members.map(|(to, name)| {
            let value: Value = serde_json::from_str(text(mutation, name)).expect("it is JSON");
            (*to, value)
        });
        let objects = members.collect::<Members>().0;
        if objects != json!({}) {
            return self.post(PATH, "application/json", &objects.to_string());
        }
        if !query.is_empty() {
            // A block in a text has no variables, so its quad goes as an object.
            let own = json!({ "set": object_of(text(mutation, "set_nquads")), "cond": text(mutation, "cond") });
            let body = json!({ "query": query, "mutations": [own] });
            return self.post(PATH, "application/json", &body.to_string());
        }
        let block = |word: &str, name: &str| match text(mutation, name) {
            "" => String::new(),
            quads => format!("{word} {{\n{quads}\n}}\n"),
        };
        let blocks =
            format!("{{ {}{} }}", block("set", "set_nquads"), block("delete", "del_nquads"));
        self.post(PATH, "application/rdf", &blocks)
    }
}

/// A quad of a blank node with a text, as an object.
fn object_of(quad: &str) -> Value {
    let words: Vec<&str> = quad.split_whitespace().collect();
    let [subject, predicate, value, "."] = words[..] else { panic!("{quad} is another quad") };
    let inner = |word: &str| word[1..word.len() - 1].to_owned();
    json!({ "uid": subject, (inner(predicate)): inner(value) })
}

/// Members of an object.
struct Members(Value);

impl<'n> FromIterator<(&'n str, Value)> for Members {
    fn from_iter<I: IntoIterator<Item = (&'n str, Value)>>(members: I) -> Members {
        let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
        Members(Value::Object(members.collect()))
    }
}

/// The body of a change of the schema.
fn alter(step: &Step) -> String {
    if !step.text("schema").is_empty() {
        return step.text("schema").to_owned();
    }
    if step.is("drop_all") {
        return json!({ "drop_all": true }).to_string();
    }
    let words = ["drop_attr", "drop_op", "drop_value"];
    let words = words.into_iter().filter(|name| !step.text(name).is_empty());
    words.map(|name| (name, step.text(name).into())).collect::<Members>().0.to_string()
}

fn judge(replayed: &Replayed) {
    println!("{}", replayed.summary());
    let report = replayed.report();
    assert!(replayed.wrong_steps.is_empty(), "steps that fail:\n{report}");
    assert!(replayed.misses.len() <= MISSES_MAX, "{} misses:\n{report}", replayed.misses.len());
}

#[test]
fn the_suite_of_dgraph_has_its_answers_over_http() {
    let suite = shared().map(|shared| shared.join("suites/dql/vectors.json"));
    let suite = suite.and_then(|path| std::fs::read(path).ok());
    if !require("Dgraph's suite over HTTP (../shared)", suite.is_some()) {
        return;
    }
    let suite = suite.expect("required above");
    if let Ok(url) = env::var("MILLRACE_DQL_URL") {
        let server = Server::new(&url);
        let empty = server.post("/alter", "text/plain", "{\"drop_all\": true}");
        empty.unwrap_or_else(|error| panic!("{url} cannot be emptied: {error}"));
        server.lease();
        return judge(&replay(&suite, |step| server.run(step)));
    }
    let running = start();
    let server = Server::new(&running.dql);
    server.lease();
    judge(&replay(&suite, |step| server.run(step)));
}
