//! Nodes, relationships and paths as Cypher writes them, for people: `(:Person {name: "Ann"})-[:KNOWS]->(:Person)`.

use std::borrow::Cow;

use millrace_model::Result;
use serde_json::value::RawValue;

use super::grid::{only_value, plain};
use super::json::{Pairs, read};

/// The label that a node without labels has in JSON.
const NO_LABEL: &str = "vertex";

/// What stands between the labels of a node in JSON.
const LABEL_SEPARATOR: &str = "::";

/// How deep a value is looked into; what is deeper stays JSON.
const DEPTH_MAX: usize = 100;

/// The text of a value from its JSON: a text without quotes, elements as Cypher writes them, everything else as JSON.
pub(super) fn text(json: &str) -> Result<String> {
    let has_elements = json.contains("\"type\":\"vertex\"") || json.contains("\"type\":\"edge\"");
    if has_elements { value(json, 0).map(Cow::into_owned) } else { plain(json) }
}

fn value(json: &str, depth: usize) -> Result<Cow<'_, str>> {
    if DEPTH_MAX <= depth {
        return Ok(json.into());
    }
    if json.starts_with('[') {
        let entries: Vec<&RawValue> = read(json)?;
        let entries = entries.iter().map(|entry| value(entry.get(), depth + 1));
        return Ok(format!("[{}]", entries.collect::<Result<Vec<_>>>()?.join(", ")).into());
    }
    if !json.starts_with('{') {
        return Ok(json.into());
    }
    let Pairs(pairs) = read(json)?;
    Ok(match (field(&pairs, "type"), field(&pairs, "objects")) {
        (Some("\"vertex\""), _) => node(&pairs, depth)?.into(),
        (Some("\"edge\""), _) => relationship(&pairs, depth)?.into(),
        (None, Some(objects)) if field(&pairs, "labels").is_some() => path(objects, depth)?.into(),
        _ => map(&pairs, depth)?.into(),
    })
}

fn field<'a>(pairs: &[(String, &'a RawValue)], name: &str) -> Option<&'a str> {
    pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.get())
}

fn node(pairs: &[(String, &RawValue)], depth: usize) -> Result<String> {
    let label = plain(field(pairs, "label").unwrap_or_default())?;
    let mut text = String::from("(");
    for label in label.split(LABEL_SEPARATOR).filter(|label| *label != NO_LABEL) {
        text.push(':');
        text.push_str(label);
    }
    let properties = properties(pairs, depth)?;
    if !properties.is_empty() && 1 < text.len() {
        text.push(' ');
    }
    Ok(text + &properties + ")")
}

fn relationship(pairs: &[(String, &RawValue)], depth: usize) -> Result<String> {
    let label = plain(field(pairs, "label").unwrap_or_default())?;
    let properties = properties(pairs, depth)?;
    let space = if properties.is_empty() { "" } else { " " };
    Ok(format!("[:{label}{space}{properties}]"))
}

/// `{name: "Ann"}`, or nothing.
fn properties(pairs: &[(String, &RawValue)], depth: usize) -> Result<String> {
    let Some(properties) = field(pairs, "properties") else { return Ok(String::new()) };
    let Pairs(properties) = read(properties)?;
    let property = |(key, property): &(String, &RawValue)| {
        Ok(format!("{key}: {}", value(only_value(property)?, depth + 1)?))
    };
    let properties = properties.iter().map(property).collect::<Result<Vec<_>>>()?;
    Ok(if properties.is_empty() { String::new() } else { format!("{{{}}}", properties.join(", ")) })
}

/// Nodes with the relationships between them, each in the direction that it has on the path.
fn path(objects: &str, depth: usize) -> Result<String> {
    let objects: Vec<&RawValue> = read(objects)?;
    let (mut text, mut before) = (String::new(), None);
    for object in objects {
        let Pairs(pairs) = read(object.get())?;
        match field(&pairs, "outV") {
            None => {
                text.push_str(&value(object.get(), depth + 1)?);
                before = field(&pairs, "id");
            }
            Some(source) => {
                let shown = relationship(&pairs, depth + 1)?;
                let is_forward = before == Some(source);
                let (left, right) = if is_forward { ("-", "->") } else { ("<-", "-") };
                text.push_str(&format!("{left}{shown}{right}"));
            }
        }
    }
    Ok(text)
}

fn map(pairs: &[(String, &RawValue)], depth: usize) -> Result<String> {
    let entry =
        |(key, own): &(String, &RawValue)| Ok(format!("{key}: {}", value(own.get(), depth + 1)?));
    Ok(format!("{{{}}}", pairs.iter().map(entry).collect::<Result<Vec<_>>>()?.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_written_as_cypher_writes_them() {
        let ann = r#"{"id":1,"label":"A::B","type":"vertex","properties":{"n":[{"id":"1:n:0","value":"x"}]}}"#;
        let bare = r#"{"id":2,"label":"vertex","type":"vertex"}"#;
        let edge = r#"{"id":7,"label":"R","type":"edge","inV":1,"outV":2,"properties":{"w":1.10}}"#;
        let path = format!(r#"{{"labels":[[],[],[]],"objects":[{ann},{edge},{bare}]}}"#);
        for (json, wanted) in [
            (ann, r#"(:A:B {n: "x"})"#),
            (bare, "()"),
            (edge, "[:R {w: 1.10}]"),
            (path.as_str(), r#"(:A:B {n: "x"})<-[:R {w: 1.10}]-()"#),
            (format!(r#"[{bare},{{"k":{ann}}}]"#).as_str(), r#"[(), {k: (:A:B {n: "x"})}]"#),
            (r#"{"a":[1,2]}"#, r#"{"a":[1,2]}"#),
            (r#""text""#, "text"),
        ] {
            assert_eq!(text(json).unwrap(), wanted, "{json}");
        }
        let deep = format!("{}{bare}{}", "[".repeat(120), "]".repeat(120));
        assert!(text(&deep).unwrap().contains("vertex"), "what is too deep stays JSON");
    }
}
