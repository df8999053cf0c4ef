//! Indexes and constraints.

use std::sync::Arc;

use millrace_model::Value;

use super::failure::Failure;
use super::nodes::made;
use super::operation::{AnswerKind, Kind, Whole, name, quoted};
use super::routes::{At, Made, Route, route};
use crate::http::Method::{Delete, Get, Post};
use crate::json::write_string;
use crate::neo4j_http::results::write_texts;

pub(super) const ROUTES: &[Route] = &[
    route(Get, "/schema/index", "200: `[{label, labels, property_keys}]`", |_| indexes(None)),
    route(Get, "/schema/index/{label}", "200: those of a label", |at| {
        indexes(Some(at.text("label")))
    }),
    route(
        Post,
        "/schema/index/{label}",
        "200: an index for `property_keys`; 409 if there is one",
        |at| {
            let (label, keys) = (label(at)?, keys(at)?);
            let listed: Vec<String> = keys.iter().map(|key| format!("n.{}", quoted(key))).collect();
            let text =
                format!("CREATE INDEX FOR (n:{}) ON ({})", quoted(&label), listed.join(", "));
            defined(text, &label, None, &keys)
        },
    ),
    route(Delete, "/schema/index/{label}/{property}", "204; 404 if there is none", |at| {
        let text = "SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, owningConstraint \
                    WHERE entityType = 'NODE' AND owningConstraint IS NULL \
                    AND labelsOrTypes = [$label] AND properties = $keys RETURN name";
        dropped(at, text, "index")
    }),
    route(Get, "/schema/constraint", "200: `[{label, type, property_keys}]`", |_| {
        constraints(None, None, None)
    }),
    route(Get, "/schema/constraint/{label}", "200: those of a label", |at| {
        constraints(Some(at.text("label")), None, None)
    }),
    route(Get, "/schema/constraint/{label}/existence", "200: those that demand a property", |at| {
        constraints(Some(at.text("label")), Some(&EXISTENCE), None)
    }),
    route(Post, "/schema/constraint/{label}/existence", "200: its nodes have the property", |at| {
        constrained(at, &EXISTENCE)
    }),
    route(Get, "/schema/constraint/{label}/existence/{property}", "200: `[it]`; 404", |at| {
        constraints(Some(at.text("label")), Some(&EXISTENCE), Some(properties(at)))
    }),
    route(Delete, "/schema/constraint/{label}/existence/{property}", "204; 404", |at| {
        dropped(at, EXISTENCE.found, "constraint")
    }),
    route(Get, "/schema/constraint/{label}/uniqueness", "200: those of unique properties", |at| {
        constraints(Some(at.text("label")), Some(&UNIQUENESS), None)
    }),
    route(
        Post,
        "/schema/constraint/{label}/uniqueness",
        "200: no two of its nodes have the same value of `property_keys`; 409 if it is there",
        |at| constrained(at, &UNIQUENESS),
    ),
    route(Get, "/schema/constraint/{label}/uniqueness/{property}", "200: `[it]`; 404", |at| {
        constraints(Some(at.text("label")), Some(&UNIQUENESS), Some(properties(at)))
    }),
    route(Delete, "/schema/constraint/{label}/uniqueness/{property}", "204; 404", |at| {
        dropped(at, UNIQUENESS.found, "constraint")
    }),
];

/// A kind of constraints.
struct Constraint {
    /// Its type in answers.
    shown: &'static str,
    /// The end of the text that makes one.
    required: &'static str,
    /// The text that finds the name of one.
    found: &'static str,
}

const UNIQUENESS: Constraint = Constraint {
    shown: "UNIQUENESS",
    required: "IS UNIQUE",
    found: "SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties \
            WHERE type = 'UNIQUENESS' AND labelsOrTypes = [$label] AND properties = $keys RETURN name",
};

const EXISTENCE: Constraint = Constraint {
    shown: "NODE_PROPERTY_EXISTENCE",
    required: "IS NOT NULL",
    found: "SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties \
            WHERE type = 'NODE_PROPERTY_EXISTENCE' AND labelsOrTypes = [$label] \
            AND properties = $keys RETURN name",
};

fn indexes(label: Option<&str>) -> Made {
    let text = "SHOW INDEXES YIELD labelsOrTypes, properties, entityType \
                WHERE entityType = 'NODE' AND labelsOrTypes IS NOT NULL \
                AND ($label IS NULL OR labelsOrTypes = [$label]) \
                RETURN labelsOrTypes, properties, entityType";
    listed(text, vec![("label", optional(label))], AnswerKind::Indexes)
}

/// Those of a label, of a kind, over some keys.
fn constraints(label: Option<&str>, kind: Option<&Constraint>, keys: Option<Value>) -> Made {
    let kind = kind.map(|kind| kind.shown);
    let text = "SHOW CONSTRAINTS YIELD labelsOrTypes, properties, type, entityType \
                WHERE ($label IS NULL OR labelsOrTypes = [$label]) AND ($type IS NULL OR type = $type) \
                AND ($keys IS NULL OR properties = $keys) \
                RETURN labelsOrTypes, properties, type, entityType";
    let answer = if keys.is_some() { AnswerKind::Constraint } else { AnswerKind::Constraints };
    let keys = keys.unwrap_or(Value::Null);
    let parameters = vec![("label", optional(label)), ("type", optional(kind)), ("keys", keys)];
    listed(text, parameters, answer)
}

fn optional(text: Option<&str>) -> Value {
    text.map_or(Value::Null, Value::from)
}

fn listed(text: &'static str, parameters: Vec<(&str, Value)>, answer: AnswerKind) -> Made {
    let parameters = parameters.into_iter().map(|(name, value)| (Arc::from(name), value));
    made(Kind::Whole(Box::new(Whole::cypher(text, parameters.collect(), answer))))
}

fn constrained(at: &At<'_>, kind: &Constraint) -> Made {
    let (label, keys) = (label(at)?, keys(at)?);
    let [key] = keys.as_slice() else {
        return Err(Failure::unsupported(
            "a constraint over several properties",
            "make a constraint for each of them",
        ));
    };
    let (of, key, required) = (quoted(&label), quoted(key), kind.required);
    let text = format!("CREATE CONSTRAINT FOR (n:{of}) REQUIRE n.{key} {required}");
    defined(text, &label, Some(kind.shown), &keys)
}

/// What makes an index or a constraint, and is answered by it.
fn defined(text: String, label: &str, kind: Option<&str>, keys: &[Arc<str>]) -> Made {
    let mut body = String::from("{\"label\":");
    write_string(&mut body, label);
    match kind {
        Some(kind) => {
            body.push_str(",\"type\":");
            write_string(&mut body, kind);
        }
        None => {
            body.push_str(",\"labels\":");
            write_texts(&mut body, &[label]);
        }
    }
    body.push_str(",\"property_keys\":");
    write_texts(&mut body, keys);
    body.push('}');
    let answer = AnswerKind::Known(Arc::from(body));
    made(Kind::Whole(Box::new(Whole::cypher(text, Vec::new(), answer))))
}

fn dropped(at: &At<'_>, text: &'static str, kind: &'static str) -> Made {
    let parameters =
        vec![(Arc::from("label"), Value::String(label(at)?)), (Arc::from("keys"), properties(at))];
    made(Kind::Whole(Box::new(Whole::cypher(text, parameters, AnswerKind::Dropped(kind)))))
}

/// The keys of a path, with `&` between them.
fn properties(at: &At<'_>) -> Value {
    let keys = at.text("property").split('&').filter(|key| !key.is_empty());
    Value::list(keys.map(Value::from).collect())
}

fn label(at: &At<'_>) -> Result<Arc<str>, Failure> {
    name(at.text("label"), "label")
}

/// The keys in `property_keys`: a name, or a list of names.
fn keys(at: &At<'_>) -> Result<Vec<Arc<str>>, Failure> {
    let body = at.body()?;
    let found = match &body {
        Value::Map(pairs) => pairs.iter().find(|(key, _)| key.as_str() == Some("property_keys")),
        _ => None,
    };
    let wrong = || Failure::bad_input("the body must be {\"property_keys\": [NAME, …]}");
    let keys = match found.map(|(_, value)| value) {
        Some(Value::String(key)) => vec![Arc::clone(key)],
        Some(Value::List(keys)) => {
            let text = |key: &Value| key.as_str().map(Arc::from).ok_or_else(wrong);
            keys.iter().map(text).collect::<Result<_, _>>()?
        }
        Some(_) | None => return Err(wrong()),
    };
    if keys.is_empty() || keys.iter().any(|key: &Arc<str>| key.is_empty()) {
        return Err(wrong());
    }
    Ok(keys)
}
