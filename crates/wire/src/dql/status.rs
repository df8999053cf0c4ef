//! What the server says of itself: its health, its state as a cluster of one, the words of the language, numbers that it
//! gave away.

use serde_json::{Map, Value, json};

use super::{GROUP, VERSION};

/// What is known of the server.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// Host and port of the listener.
    pub address: String,
    /// Seconds since the start.
    pub uptime: u64,
    /// Seconds since 1970.
    pub now: u64,
    /// The number of the newest transaction.
    pub max_assigned: u64,
    /// The newest uid.
    pub max_uid: u64,
    /// Whether clients have to log in.
    pub has_users: bool,
    /// The predicates.
    pub predicates: Vec<String>,
    /// Those of them that are indexed in the background now.
    pub indexing: Vec<String>,
    /// The numbers of the namespaces.
    pub namespaces: Vec<u64>,
}

impl Status {
    /// The health of the only member.
    pub fn health(&self) -> Value {
        let features: &[&str] = if self.has_users { &["acl"] } else { &[] };
        json!({
            "instance": "alpha",
            "address": self.address,
            "status": "healthy",
            "group": GROUP.to_string(),
            "version": VERSION,
            "uptime": self.uptime,
            "lastEcho": self.now,
            "ongoing": if self.indexing.is_empty() { json!([]) } else { json!(["opIndexing"]) },
            "indexing": self.indexing,
            "ee_features": features,
            "max_assigned": self.max_assigned,
        })
    }

    /// The state of the cluster; numbers of 64 bits are texts, as messages become JSON.
    pub fn state(&self) -> Value {
        let member = json!({
            "id": "1",
            "groupId": GROUP,
            "addr": self.address,
            "leader": true,
            "amDead": false,
            "lastUpdate": (self.now - self.uptime).to_string(),
            "learner": false,
            "clusterInfoOnly": false,
            "forceGroupId": false,
        });
        let tablet = |name: &String| {
            let predicate = format!("0-{name}");
            let tablet = json!({
                "groupId": GROUP,
                "predicate": predicate,
                "force": false,
                "remove": false,
                "readOnly": false,
                "moveTs": "0",
            });
            (predicate, tablet)
        };
        let tablets: Map<String, Value> = self.predicates.iter().map(tablet).collect();
        let group = json!({ "members": { "1": member }, "tablets": tablets });
        json!({
            "counter": self.max_assigned.to_string(),
            "groups": { GROUP.to_string(): group },
            "zeros": {},
            "maxUID": self.max_uid.to_string(),
            "maxTxnTs": self.max_assigned.to_string(),
            "maxNsID": "0",
            "maxRaftId": "1",
            "removed": [],
            "cid": "",
        })
    }
}

/// The answer to `/health`: a list of one.
pub fn health(status: &Status) -> String {
    Value::Array(vec![status.health()]).to_string()
}

/// The answer to `/state`.
pub fn state(status: &Status) -> String {
    status.state().to_string()
}

/// The answer to `/assign`: the first and the last number.
pub fn assigned(first: u64, last: u64) -> String {
    format!("{{\"startId\":\"{first}\",\"endId\":\"{last}\",\"readOnly\":\"0\"}}")
}

/// Words of the language that a page completes.
const KEYWORDS: &[&str] = &[
    "@cascade",
    "@facets",
    "@filter",
    "@groupby",
    "@if",
    "@ignorereflex",
    "@normalize",
    "@recurse",
    "after",
    "allofterms",
    "alloftext",
    "and",
    "anyofterms",
    "anyoftext",
    "as",
    "avg",
    "between",
    "ceil",
    "checkpwd",
    "cond",
    "contains",
    "count",
    "delete",
    "eq",
    "exact",
    "exp",
    "expand",
    "first",
    "floor",
    "fragment",
    "fulltext",
    "func",
    "ge",
    "gt",
    "has",
    "hash",
    "index",
    "intersects",
    "lang",
    "le",
    "len",
    "ln",
    "logbase",
    "lt",
    "match",
    "math",
    "max",
    "min",
    "mutation",
    "near",
    "ngram",
    "not",
    "offset",
    "or",
    "orderasc",
    "orderdesc",
    "pow",
    "query",
    "regexp",
    "reverse",
    "schema",
    "set",
    "shortest",
    "similar_to",
    "since",
    "sqrt",
    "sum",
    "term",
    "tokenizer",
    "trigram",
    "type",
    "uid",
    "uid_in",
    "upsert",
    "val",
    "var",
    "within",
];

/// The answer to `/ui/keywords`.
pub fn keywords() -> String {
    let each = KEYWORDS.iter().map(|word| json!({ "type": "", "name": word }));
    json!({ "keywords": each.collect::<Vec<_>>() }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_64_bits_are_texts_and_predicates_are_in_their_namespace() {
        let status = Status {
            uptime: 5,
            now: 1_000,
            max_assigned: 1 << 50,
            predicates: vec!["name".to_owned()],
            ..Status::default()
        };
        let state: Value = serde_json::from_str(&state(&status)).unwrap();
        assert_eq!(state["maxTxnTs"], "1125899906842624");
        assert_eq!(state["groups"]["1"]["tablets"]["0-name"]["predicate"], "0-name");
        let health: Value = serde_json::from_str(&health(&status)).unwrap();
        assert_eq!(health[0]["version"], VERSION);
        assert_eq!(health[0]["max_assigned"], 1_u64 << 50);
        assert_eq!(
            assigned(21, 70_020),
            "{\"startId\":\"21\",\"endId\":\"70020\",\"readOnly\":\"0\"}"
        );
        assert!(KEYWORDS.is_sorted());
    }
}
