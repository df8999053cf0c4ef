//! From JSON to things: JSON without types, collections, and the table of types and their readers.

use std::sync::Arc;

use millrace_model::{Decimal, Result, Value};

use super::super::datum::{Datum, Tree};
use super::json::{Json, bad};
use super::{element, janusgraph, metrics, process, scalar};

/// The key of a type.
const TYPE: &str = "@type";

/// The key of a typed value.
const VALUE: &str = "@value";

/// Reads a thing, typed or plain.
pub(crate) fn datum(json: &Json) -> Result<Datum> {
    Ok(match json {
        Json::Null => Datum::NULL,
        Json::Bool(truth) => Datum::Value(Value::Bool(*truth)),
        Json::Int(int) => Datum::Value(i32::try_from(*int).map_or(Value::I64(*int), Value::I32)),
        Json::Large(int) => {
            let unscaled = i128::from(*int);
            Datum::Value(Value::Decimal(Arc::new(Decimal { unscaled, scale: 0 })))
        }
        Json::Double(double) => Datum::Value(Value::F64(*double)),
        Json::String(text) => Datum::Value(Value::from(text.as_str())),
        Json::Array(items) => Datum::list(data(items)?),
        Json::Object(pairs) => match json.get(TYPE) {
            Some(Json::String(name)) => {
                let value = json.get(VALUE).unwrap_or(&Json::Null);
                typed(name, value).map_err(|error| within(error, name))?
            }
            Some(other) => return Err(bad(format!("a type is a string, and no {}", other.kind()))),
            None => Datum::map(object(pairs)?),
        },
    })
}

/// The error with the innermost type it is of, once.
fn within(mut error: millrace_model::Error, name: &str) -> millrace_model::Error {
    if !error.detail.starts_with("GraphSON, ") {
        let detail = error.detail.trim_start_matches("GraphSON: ");
        error.detail = format!("GraphSON, in {name}: {detail}");
    }
    error
}

fn data(items: &[Json]) -> Result<Vec<Datum>> {
    items.iter().map(datum).collect()
}

/// An object's entries, their keys as texts.
pub(super) fn object(pairs: &[(String, Json)]) -> Result<Vec<(Datum, Datum)>> {
    let pairs = pairs.iter();
    pairs.map(|(key, json)| Ok((Datum::Value(Value::from(key.as_str())), datum(json)?))).collect()
}

/// The items of an array.
pub(super) fn array(json: &Json) -> Result<&[Json]> {
    match json {
        Json::Array(items) => Ok(items),
        other => Err(bad(format!("expected an array, and found a {}", other.kind()))),
    }
}

/// The items of an array that says it is one, or does not.
pub(super) fn list(json: &Json) -> Result<&[Json]> {
    match json.get(TYPE).and_then(Json::as_str) {
        Some("g:List" | "g:Set") => array(json.get(VALUE).unwrap_or(&Json::Null)),
        _ => array(json),
    }
}

/// The entry of an object that must have it.
pub(super) fn field<'a>(json: &'a Json, key: &str) -> Result<&'a Json> {
    json.get(key).ok_or_else(|| bad(format!("expected an object with `{key}`")))
}

/// The text of a string.
pub(super) fn text(json: &Json) -> Result<Arc<str>> {
    let found = json.as_str().map(Arc::from);
    found.ok_or_else(|| bad(format!("expected a string, and found a {}", json.kind())))
}

/// A value that holds no elements.
pub(super) fn value(json: &Json) -> Result<Value> {
    let datum = datum(json)?;
    let name = datum.type_name();
    datum.value().ok_or_else(|| bad(format!("expected a plain value, and found a {name}")))
}

/// Pairs of an array in which keys and values take turns.
pub(super) fn pairs(items: &[Json]) -> Result<impl Iterator<Item = (&Json, &Json)>> {
    let (pairs, odd) = items.as_chunks::<2>();
    if !odd.is_empty() {
        return Err(bad("the last key has no value"));
    }
    Ok(pairs.iter().map(|[key, value]| (key, value)))
}

fn typed(name: &str, json: &Json) -> Result<Datum> {
    if let Some(value) = scalar::typed(name, json)? {
        return Ok(Datum::Value(value));
    }
    match name {
        "g:List" => data(array(json)?).map(Datum::list),
        "g:Set" => data(array(json)?).map(Datum::set),
        "g:Map" => match json {
            Json::Object(pairs) => object(pairs).map(Datum::map),
            json => {
                let pairs = pairs(array(json)?)?;
                let read = pairs.map(|(key, value)| Ok((datum(key)?, datum(value)?)));
                read.collect::<Result<_>>().map(Datum::map)
            }
        },
        "g:BulkSet" => {
            let read = pairs(array(json)?)?.map(|(key, bulk)| Ok((datum(key)?, self::bulk(bulk)?)));
            read.collect::<Result<_>>().map(Datum::BulkSet)
        }
        "g:Tree" => tree(json).map(Datum::Tree),
        "g:Vertex" => element::vertex(json).map(|vertex| Datum::Vertex(Arc::new(vertex))),
        "g:Edge" => element::edge(json).map(|edge| Datum::Edge(Arc::new(edge))),
        "g:VertexProperty" => {
            element::vertex_property(json).map(|property| Datum::VertexProperty(Arc::new(property)))
        }
        "g:Property" => element::property(json).map(|property| Datum::Property(Box::new(property))),
        "g:Path" => element::path(json).map(|path| Datum::Path(Box::new(path))),
        "tinker:graph" => element::graph(json).map(|graph| Datum::Graph(Box::new(graph))),
        "g:Traverser" => process::traverser(json),
        "g:Metrics" => metrics::metrics(json).map(|metrics| Datum::Metrics(Box::new(metrics))),
        "g:TraversalMetrics" => metrics::traversal_metrics(json),
        "janusgraph:Geoshape" => janusgraph::geoshape(json),
        name => process::argument(name, json).map(|argument| Datum::Argument(Box::new(argument))),
    }
}

/// How often something is there.
pub(super) fn bulk(json: &Json) -> Result<u64> {
    let bulk = value(json)?.as_int().and_then(|bulk| u64::try_from(bulk).ok());
    bulk.filter(|bulk| *bulk != 0).ok_or_else(|| bad("a bulk is an integer above 0"))
}

fn tree(json: &Json) -> Result<Tree> {
    let branch = |json: &Json| {
        let below = field(json, "value")?;
        let below = below.get(VALUE).unwrap_or(below);
        Ok((datum(field(json, "key")?)?, tree(below)?))
    };
    Ok(Tree { branches: array(json)?.iter().map(branch).collect::<Result<_>>()? })
}
