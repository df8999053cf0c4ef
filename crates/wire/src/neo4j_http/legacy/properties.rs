//! Properties of nodes and relationships, all or one.

use std::sync::Arc;

use millrace_model::{ErrorKind, Value};

use super::failure::Failure;
use super::nodes::made;
use super::operation::{Kind, OfProperties};
use super::routes::{At, Made, Route, route};
use crate::http::Method::{Delete, Get, Put};
use crate::neo4j_http::results::ElementKind;

const NODE: ElementKind = ElementKind::Node;
const RELATIONSHIP: ElementKind = ElementKind::Relationship;

pub(super) const ROUTES: &[Route] = &[
    route(Get, "/node/{id}/properties", "200: its properties", |at| get_all(at, NODE)),
    route(Put, "/node/{id}/properties", "204: these are its properties", |at| set_all(at, NODE)),
    route(Delete, "/node/{id}/properties", "204: it has none", |at| remove_all(at, NODE)),
    route(Get, "/node/{id}/properties/{key}", "200: the value", |at| get(at, NODE)),
    route(Put, "/node/{id}/properties/{key}", "204: the body is its value", |at| set(at, NODE)),
    route(Delete, "/node/{id}/properties/{key}", "204; 404 if it has none", |at| remove(at, NODE)),
    route(Get, "/relationship/{id}/properties", "200: its properties", |at| {
        get_all(at, RELATIONSHIP)
    }),
    route(Put, "/relationship/{id}/properties", "204: these are its properties", |at| {
        set_all(at, RELATIONSHIP)
    }),
    route(Delete, "/relationship/{id}/properties", "204: it has none", |at| {
        remove_all(at, RELATIONSHIP)
    }),
    route(Get, "/relationship/{id}/properties/{key}", "200: the value", |at| get(at, RELATIONSHIP)),
    route(Put, "/relationship/{id}/properties/{key}", "204: the body is its value", |at| {
        set(at, RELATIONSHIP)
    }),
    route(Delete, "/relationship/{id}/properties/{key}", "204; 404 if it has none", |at| {
        remove(at, RELATIONSHIP)
    }),
];

fn get_all(at: &At<'_>, kind: ElementKind) -> Made {
    made(Kind::Properties(at.subject(kind)?, OfProperties::GetAll))
}

fn set_all(at: &At<'_>, kind: ElementKind) -> Made {
    let body = at.body()?;
    if body.is_null() {
        // No body is no empty object either: both would remove all properties.
        let message = "the body must be an object: {\"name\": value}; {} removes all properties";
        return Err(Failure::bad_input(message));
    }
    let properties = properties_of(&body)?;
    made(Kind::Properties(at.subject(kind)?, OfProperties::SetAll(properties)))
}

fn remove_all(at: &At<'_>, kind: ElementKind) -> Made {
    made(Kind::Properties(at.subject(kind)?, OfProperties::RemoveAll))
}

fn get(at: &At<'_>, kind: ElementKind) -> Made {
    made(Kind::Properties(at.subject(kind)?, OfProperties::Get(key(at))))
}

fn set(at: &At<'_>, kind: ElementKind) -> Made {
    let (key, value) = (key(at), at.body()?);
    check(&key, &value)?;
    made(Kind::Properties(at.subject(kind)?, OfProperties::Set(key, value)))
}

fn remove(at: &At<'_>, kind: ElementKind) -> Made {
    made(Kind::Properties(at.subject(kind)?, OfProperties::Remove(key(at))))
}

fn key(at: &At<'_>) -> Arc<str> {
    Arc::from(at.text("key"))
}

/// The properties that an object has; null is none.
pub(super) fn properties_of(value: &Value) -> Result<Value, Failure> {
    match value {
        Value::Null => Ok(Value::map(Vec::new())),
        Value::Map(pairs) => {
            for (key, value) in pairs.iter() {
                check(key.as_str().unwrap_or_default(), value)?;
            }
            Ok(value.clone())
        }
        other => {
            let message = format!(
                "properties are a {}, and must be an object: {{\"name\": value}}",
                other.type_name()
            );
            Err(Failure::bad_input(message))
        }
    }
}

/// Refuses what no property can be.
fn check(key: &str, value: &Value) -> Result<(), Failure> {
    let refuse = |what: &str| {
        let message = format!("the property `{key}` cannot be {what}");
        Err(Failure::new((400, "PropertyValueException"), ErrorKind::BadInput, message))
    };
    match value {
        Value::Null => refuse("null: delete it instead"),
        Value::Map(_) => refuse("an object"),
        Value::List(values) => match values.iter().find(|value| !is_scalar(value)) {
            None => Ok(()),
            Some(other) => refuse(&format!("a list with a {} in it", other.type_name())),
        },
        _ if key.is_empty() => refuse("without a name"),
        _ => Ok(()),
    }
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::List(_) | Value::Map(_))
}
