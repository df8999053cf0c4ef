//! Requests over Dgraph's HTTP: an upsert is a block of text.

use serde_json::{Value as Json, json};

use super::{ANSWER_MAX, Answer, Context, Failed, MAY_BE_TRIED_AGAIN, Reached, Request, Transport};

const JSON: &str = "application/json";
const DQL: &str = "application/dql";
const RDF: &str = "application/rdf";

pub(super) struct Http(ureq::Agent);

impl Http {
    pub(super) fn new() -> Http {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(ANSWER_MAX));
        Http(config.build().into())
    }

    fn post(&self, url: &str, path: &str, kind: &str, body: &str) -> Reached<Json> {
        let request = self.0.post(format!("{url}{path}")).content_type(kind);
        let mut response = request.send(body).map_err(|_| Failed::Gone)?;
        let answer = response.body_mut().read_to_string().map_err(|_| Failed::Gone)?;
        let answer: Json = serde_json::from_str(&answer).map_err(|_| Failed::Gone)?;
        match answer["errors"][0]["message"].as_str() {
            None => Ok(answer),
            Some(message) if message.contains(MAY_BE_TRIED_AGAIN) => Err(Failed::Aborted),
            Some(_) => panic!("{path} {body}: {answer}"),
        }
    }
}

impl Transport for Http {
    fn alter(&self, url: &str, schema: &str) -> Reached<()> {
        self.post(url, "/alter", DQL, schema).map(drop)
    }

    fn ask(&self, url: &str, request: &Request<'_>) -> Reached<Answer> {
        let start_ts = request.start_ts;
        let Some(body) = body(request) else {
            let path = format!("/query?startTs={start_ts}");
            let mut answer = self.post(url, &path, DQL, request.query)?;
            return Ok(Answer { data: answer["data"].take(), context: context(&answer) });
        };
        let path = format!("/mutate?commitNow={}&startTs={start_ts}", request.commit_now);
        let mut answer = self.post(url, &path, RDF, &body)?;
        Ok(Answer { data: answer["data"]["queries"].take(), context: context(&answer) })
    }

    fn commit(&self, url: &str, context: &Context) -> Reached<()> {
        let body = json!({ "keys": context.keys, "preds": context.predicates }).to_string();
        self.post(url, &format!("/commit?startTs={}", context.start_ts), JSON, &body).map(drop)
    }
}

/// The text of a request that changes something.
fn body(request: &Request<'_>) -> Option<String> {
    let Request { query, condition, set, delete, .. } = request;
    let part = |name: &str, quads: &str| match quads {
        "" => String::new(),
        quads => format!("{name} {{\n{quads}\n}}\n"),
    };
    let changes = part("set", set) + &part("delete", delete);
    match (query.is_empty(), changes.is_empty()) {
        (_, true) => None,
        (true, false) => Some(format!("{{ {changes} }}")),
        (false, false) => {
            Some(format!("upsert {{ query {query} mutation {condition} {{ {changes} }} }}"))
        }
    }
}

fn context(answer: &Json) -> Context {
    let context = &answer["extensions"]["txn"];
    let texts = |name: &str| {
        let all = context[name].as_array().into_iter().flatten();
        all.map(|own| own.as_str().expect("it is a text").to_owned()).collect()
    };
    Context {
        start_ts: context["start_ts"].as_u64().expect("a transaction has a number"),
        keys: texts("keys"),
        predicates: texts("preds"),
    }
}
