//! Bodies of requests over HTTP to the messages that clients of gRPC send.
//!
//! JSON that is data of a mutation is not read here: it stays the text that it is. Members of an object that have no
//! meaning are passed over, as in Dgraph, whose clients send some.

use std::collections::BTreeMap;

use prost::bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::content_type::ContentType;
use super::failure::{Code, Failure};
use super::messages::{LoginRequest, Mutation, Request};

/// The body of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct QueryBody {
    /// Its text.
    #[serde(deserialize_with = "or_default")]
    pub query: String,
    /// Values of its variables, whose names begin with a dollar.
    #[serde(deserialize_with = "or_default")]
    pub variables: BTreeMap<String, String>,
}

/// The body of a mutation.
#[derive(Clone, Debug, PartialEq)]
pub enum MutateBody {
    /// A text with blocks: `{ set { … } delete { … } }`, `upsert { … }`.
    Text(String),
    /// A query, and mutations in JSON.
    Parts(Request),
}

/// The body of a commit: what the transaction wrote, as the server has said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct CommitBody {
    /// Keys.
    #[serde(deserialize_with = "or_default")]
    pub keys: Vec<String>,
    /// Predicates.
    #[serde(deserialize_with = "or_default")]
    pub preds: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Login {
    #[serde(deserialize_with = "or_default")]
    userid: String,
    #[serde(deserialize_with = "or_default")]
    password: String,
    #[serde(deserialize_with = "or_default")]
    refresh_token: String,
    namespace: u64,
}

/// Null is as nothing.
fn or_default<'de, D, T>(value: D) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(value)?.unwrap_or_default())
}

/// Reads the body of a query.
pub fn query_body(content_type: &str, body: &[u8]) -> Result<QueryBody, Failure> {
    match ContentType::of(content_type, &[ContentType::Json, ContentType::Dql])? {
        ContentType::Json => json(body),
        ContentType::Dql | ContentType::Rdf => {
            Ok(QueryBody { query: text(body)?.to_owned(), variables: BTreeMap::new() })
        }
    }
}

/// Reads the body of a mutation.
pub fn mutate_body(content_type: &str, body: &Bytes) -> Result<MutateBody, Failure> {
    match ContentType::of(content_type, &[ContentType::Json, ContentType::Rdf])? {
        ContentType::Rdf | ContentType::Dql => Ok(MutateBody::Text(text(body)?.to_owned())),
        ContentType::Json => Ok(MutateBody::Parts(parts(body)?)),
    }
}

type Members<'a> = BTreeMap<String, &'a RawValue>;

fn parts(body: &Bytes) -> Result<Request, Failure> {
    let members: Members<'_> = json(body)?;
    let mut request = Request::default();
    if let Some(query) = member(&members, "query") {
        request.query = json(query.as_bytes())?;
    }
    request.mutations.extend(mutation(&members, body)?);
    if let Some(several) = member(&members, "mutations") {
        let several: Vec<Members<'_>> = json(several.as_bytes())?;
        for members in &several {
            request.mutations.extend(mutation(members, body)?);
        }
    }
    Ok(request)
}

/// The text of a member that is there and not null.
fn member<'a>(members: &Members<'a>, name: &str) -> Option<&'a str> {
    members.get(name).map(|raw| raw.get()).filter(|text| *text != "null")
}

/// The mutation of an object, if it has data.
fn mutation(members: &Members<'_>, body: &Bytes) -> Result<Option<Mutation>, Failure> {
    let data = |name: &str| {
        member(members, name).map(|text| body.slice_ref(text.as_bytes())).unwrap_or_default()
    };
    let cond = match member(members, "cond") {
        Some(text) => json(text.as_bytes())?,
        None => String::new(),
    };
    let own = Mutation {
        set_json: data("set"),
        delete_json: data("delete"),
        cond,
        ..Mutation::default()
    };
    Ok((!own.set_json.is_empty() || !own.delete_json.is_empty()).then_some(own))
}

/// Reads the body of a commit: an object, or the list of its keys.
pub fn commit_body(body: &[u8]) -> Result<CommitBody, Failure> {
    if body.trim_ascii_start().first() == Some(&b'[') {
        return Ok(CommitBody { keys: json(body)?, preds: Vec::new() });
    }
    json(body)
}

/// Reads the body of a login.
pub fn login_body(body: &[u8]) -> Result<LoginRequest, Failure> {
    let Login { userid, password, refresh_token, namespace } = json(body)?;
    Ok(LoginRequest { userid, password, refresh_token, namespace })
}

fn text(body: &[u8]) -> Result<&str, Failure> {
    let refused = |_| Failure::new(Code::InvalidRequest, "the body is not UTF-8").without_data();
    std::str::from_utf8(body).map_err(refused)
}

fn json<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|error| {
        let (line, character) = (error.line(), error.column());
        let message = format!("Error parsing JSON at line {line}, character {character}: {error}");
        Failure::new(Code::InvalidRequest, message).without_data()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str = "application/json";

    fn mutated(text: &str) -> Result<Request, String> {
        match mutate_body(JSON, &Bytes::copy_from_slice(text.as_bytes())) {
            Ok(MutateBody::Parts(request)) => Ok(request),
            Ok(MutateBody::Text(text)) => panic!("{text} is JSON"),
            Err(failure) => Err(failure.message),
        }
    }

    #[test]
    fn a_query_is_a_text_or_an_object_with_its_variables() {
        let found = query_body("application/dql", b"{ q }").unwrap();
        assert_eq!((found.query.as_str(), found.variables.len()), ("{ q }", 0));
        let text =
            r#"{"query": "query q($a: int) {}", "variables": {"$a": "7"}, "operationName": null}"#;
        let found = query_body(JSON, text.as_bytes()).unwrap();
        assert_eq!(found.variables.get("$a").map(String::as_str), Some("7"));
        assert_eq!(query_body(JSON, b"{\"variables\": null}").unwrap(), QueryBody::default());
        for wrong in ["", "[", "{\"query\": 7}", "{\"variables\": {\"$a\": 7}}", "{\"query\": \"a"]
        {
            let failure = query_body(JSON, wrong.as_bytes()).unwrap_err();
            assert!(failure.message.contains("at line 1, character"), "{failure:?}");
        }
    }

    #[test]
    fn a_mutation_in_json_keeps_its_data_as_it_is_written() {
        let found = mutated(
            r#"{"query": "{ q }", "cond": "@if(eq(len(v), 0))", "set": {"a" : 1.50}, "delete": null,
                "mutations": [{"delete": [{"uid":"0x1"}]}, {"cond": "@if(x)"}]}"#,
        )
        .unwrap();
        assert_eq!(found.query, "{ q }");
        let [first, second] = found.mutations.as_slice() else { panic!("{found:?}") };
        assert_eq!((&*first.set_json, &*first.delete_json), (&b"{\"a\" : 1.50}"[..], &b""[..]));
        assert_eq!(first.cond, "@if(eq(len(v), 0))");
        assert_eq!(&*second.delete_json, b"[{\"uid\":\"0x1\"}]");
        assert_eq!(mutated("{}").unwrap().mutations.len(), 0);
        for wrong in [
            "[]",
            "{\"set\": {}",
            "{\"query\": {}}",
            "{\"mutations\": {}}",
            "{\"set\":1,\"cond\": 7}",
        ] {
            assert!(mutated(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_commit_has_keys_in_a_list_or_an_object_and_a_login_a_name_or_a_token() {
        let list = commit_body(b" [\"a\", \"b\"]").unwrap();
        assert_eq!(list.keys, ["a", "b"]);
        let object = commit_body(b"{\"keys\": null, \"preds\": [\"1-0-name\"]}").unwrap();
        assert_eq!((object.keys.len(), object.preds.len()), (0, 1));
        assert!(commit_body(b"").is_err() && commit_body(b"7").is_err());
        let login =
            login_body(b"{\"userid\":\"ann\",\"password\":\"s\",\"refresh_token\":null}").unwrap();
        assert_eq!((login.userid.as_str(), login.refresh_token.as_str()), ("ann", ""));
    }
}
