//! Values as the feature files write them: `d[1].i`, `v[marko]`, `l[d[1].i,v[lop].id]`, `m[{"a":"d[1].l"}]`.

use std::sync::Arc;

use millrace_gremlin::bytecode::{Argument, Symbol, SymbolFamily};
use millrace_model::temporal::DateTime;
use millrace_model::{Direction, Token, Value};
use serde_json::Value as Json;

use super::graphs::Names;

/// A value, or why it is not understood.
pub(super) fn literal(text: &str, names: &Names) -> Result<Value, String> {
    let text = text.trim();
    if let Some((kind, rest)) = text.split_once('[')
        && let Some(end) = rest.rfind(']')
    {
        let (inner, suffix) = (&rest[..end], &rest[end + 1..]);
        if let Some(value) = bracketed(kind, inner, suffix, names) {
            return value;
        }
    }
    Ok(match text {
        "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        text => Value::from(text),
    })
}

/// A tree: a line for each object, below and right of the one before it on its way.
pub(super) fn tree(text: &str, names: &Names) -> Result<Value, String> {
    let mut ways: Vec<Value> = Vec::new();
    let mut way: Vec<(usize, Value)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (indent, object) = line.split_once("|--").ok_or("a tree's line without |--")?;
        way.retain(|(column, _)| *column < indent.len());
        way.push((indent.len(), literal(object, names)?));
        ways.push(Value::list(way.iter().map(|(_, object)| object.clone()).collect()));
    }
    let tree = millrace_db::plan::Function::TreeOf.call(&[Value::list(ways)]);
    tree.map_err(|error| error.to_string())
}

/// The same as an argument: a map may hold `M[outV]`, which is no value.
pub(super) fn argument(text: &str, names: &Names) -> Result<Argument, String> {
    let Some(inner) = text.trim().strip_prefix("m[").and_then(|rest| rest.strip_suffix(']')) else {
        return literal(text, names).map(Argument::Value);
    };
    let Ok(Json::Object(pairs)) = serde_json::from_str::<Json>(inner) else {
        return literal(text, names).map(Argument::Value);
    };
    let pairs = pairs.iter().map(|(key, value)| {
        let key = Argument::Value(literal(key, names)?);
        let merge = value.as_str().and_then(|text| text.strip_prefix("M[")?.strip_suffix(']'));
        let value = match merge {
            Some(name) => {
                Argument::Symbol(Symbol { family: SymbolFamily::Merge, name: Arc::from(name) })
            }
            None => Argument::Value(of_json(value, names)?),
        };
        Ok((key, value))
    });
    pairs.collect::<Result<_, String>>().map(Argument::map)
}

fn bracketed(
    kind: &str,
    inner: &str,
    suffix: &str,
    names: &Names,
) -> Option<Result<Value, String>> {
    let unknown = || Err(format!("the graph has no {kind}[{inner}]"));
    Some(match (kind, suffix) {
        ("d", suffix) => number(inner, suffix),
        ("str", "") => Ok(Value::from(inner)),
        ("v", "") => names.vertices.get(inner).map_or_else(unknown, |id| Ok(Value::Vertex(*id))),
        ("v", ".id") => {
            names.vertices.get(inner).map_or_else(unknown, |id| Ok(Value::I64(id.0 as i64)))
        }
        ("v", ".sid") => {
            names.vertices.get(inner).map_or_else(unknown, |id| Ok(Value::from(&*id.0.to_string())))
        }
        ("e", "") => names.edges.get(inner).map_or_else(unknown, |id| Ok(Value::Edge(*id))),
        ("e", ".id") => {
            names.edges.get(inner).map_or_else(unknown, |id| Ok(Value::I64(id.0 as i64)))
        }
        ("e", ".sid") => {
            names.edges.get(inner).map_or_else(unknown, |id| Ok(Value::from(&*id.0.to_string())))
        }
        ("l", "") => list(inner, names).map(Value::list),
        ("s", "") => list(inner, names).map(|values| Value::Set(Arc::from(values))),
        ("p", "") => list(inner, names).map(|objects| {
            let tags = vec![Vec::new(); objects.len()];
            Value::Path(Arc::new(millrace_model::path::Path::new(objects, tags)))
        }),
        ("m", "") => serde_json::from_str(inner)
            .map_err(|error| error.to_string())
            .and_then(|json: Json| of_json(&json, names)),
        ("t", "") => match inner {
            "id" => Ok(Value::Token(Token::Id)),
            "label" => Ok(Value::Token(Token::Label)),
            "key" => Ok(Value::Token(Token::Key)),
            "value" => Ok(Value::Token(Token::Value)),
            _ => return None,
        },
        ("D", "") => match inner {
            "OUT" | "from" => Ok(Value::Token(Token::End(Direction::Out))),
            "IN" | "to" => Ok(Value::Token(Token::End(Direction::In))),
            "BOTH" => Ok(Value::Token(Token::End(Direction::Both))),
            _ => return None,
        },
        ("vp", "") => match inner.split_once("->").and_then(|(start, _)| start.split_once('-')) {
            Some((owner, key)) if names.vertices.contains_key(owner) => {
                let (owner, key) = (names.vertices[owner], Arc::from(key));
                let property = millrace_model::VertexProperty { owner, key, ordinal: 0 };
                Ok(Value::VertexProperty(Arc::new(property)))
            }
            _ => unknown(),
        },
        ("dt", "") => DateTime::parse(inner)
            .map(Value::DateTime)
            .ok_or_else(|| format!("{inner} is no date and time")),
        ("uuid", "") => uuid(inner).ok_or_else(|| format!("{inner} is no UUID")),
        ("c" | "M", _) => Err(format!("literals {kind}[] are not read yet")),
        _ => return None,
    })
}

fn uuid(text: &str) -> Option<Value> {
    let number = u128::from_str_radix(&text.replace('-', ""), 16).ok()?;
    Some(Value::Uuid(number.to_be_bytes()))
}

fn number(text: &str, suffix: &str) -> Result<Value, String> {
    let wrong = |_| format!("{text} is no number");
    let wrong_float = |_| format!("{text} is no number");
    match text {
        "NaN" => return Ok(Value::F64(f64::NAN)),
        "Infinity" => return Ok(Value::F64(f64::INFINITY)),
        "-Infinity" => return Ok(Value::F64(f64::NEG_INFINITY)),
        _ => {}
    }
    match suffix {
        ".b" => text.parse().map(Value::I8).map_err(wrong),
        ".s" => text.parse().map(Value::I16).map_err(wrong),
        ".i" => text.parse().map(Value::I32).map_err(wrong),
        ".l" => text.parse().map(Value::I64).map_err(wrong),
        ".f" => text.parse().map(Value::F32).map_err(wrong_float),
        ".d" => text.parse().map(Value::F64).map_err(wrong_float),
        ".m" | ".n" => {
            let decimal = millrace_model::decimal::Decimal::parse(text);
            decimal
                .map(|decimal| Value::Decimal(Arc::new(decimal)))
                .ok_or_else(|| format!("{text} is no decimal"))
        }
        other => Err(format!("d[] has no suffix {other}")),
    }
}

/// Entries between commas that stand in no brackets of their own.
fn list(inner: &str, names: &Names) -> Result<Vec<Value>, String> {
    let mut entries = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (place, letter) in inner.char_indices() {
        match letter {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                entries.push(literal(&inner[start..place], names)?);
                start = place + 1;
            }
            _ => {}
        }
    }
    if !inner.is_empty() {
        entries.push(literal(&inner[start..], names)?);
    }
    Ok(entries)
}

fn of_json(json: &Json, names: &Names) -> Result<Value, String> {
    match json {
        Json::Null => Ok(Value::Null),
        Json::Bool(truth) => Ok(Value::Bool(*truth)),
        Json::Number(number) => Ok(number
            .as_i64()
            .map(|int| i32::try_from(int).map_or(Value::I64(int), Value::I32))
            .unwrap_or_else(|| Value::F64(number.as_f64().unwrap_or(f64::NAN)))),
        Json::String(text) => literal(text, names),
        Json::Array(entries) => {
            let entries = entries.iter().map(|entry| of_json(entry, names));
            entries.collect::<Result<_, _>>().map(Value::list)
        }
        Json::Object(pairs) => {
            let pairs =
                pairs.iter().map(|(key, value)| Ok((literal(key, names)?, of_json(value, names)?)));
            pairs.collect::<Result<_, String>>().map(Value::map)
        }
    }
}
