//! `<key>`: the names and types of the data of elements.

use super::xml::Tag;
use crate::error::excerpt;
use crate::limits::ROW_PARTS_MAX;
use crate::text;
use millrace_model::Value;
use serde_json::Value as Json;
use std::collections::HashMap;

/// Of which elements a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Domain {
    Node,
    Edge,
    All,
    /// Of the graph, of ports and of other parts that are not loaded.
    Other,
}

/// A type of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean,
    Int,
    Long,
    Float,
    Double,
    String,
}

/// The type of a key's data.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// A value; with `list`, several of them as a JSON array, as APOC writes them.
    Value { kind: Kind, list: bool },
    /// A drawing by yEd, of which only the label is read.
    Drawing,
}

/// A key.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) content: Content,
    /// The value of elements without data of this key.
    pub(super) default: Option<Value>,
}

/// All keys of a document.
#[derive(Default)]
pub(super) struct Keys {
    /// APOC has one id for a key of nodes and one of edges.
    keys: HashMap<(Domain, String), Key>,
    /// Those with defaults, in order of their coming.
    with_defaults: Vec<(Domain, String)>,
}

/// Ids that mean something even where no key declares them.
const LABEL_KEYS: [&str; 4] = ["labelV", "labelE", "labels", "label"];

impl Keys {
    pub(super) fn add(&mut self, domain: Domain, id: &str, key: Key) {
        let place = (domain, id.to_owned());
        if key.default.is_some() && !self.with_defaults.contains(&place) {
            self.with_defaults.push(place.clone());
        }
        self.keys.insert(place, key);
    }

    /// The key of some data at elements of a domain.
    pub(super) fn find(&self, domain: Domain, id: &str) -> Result<Key, String> {
        let place = |domain| (domain, id.to_owned());
        let found = self.keys.get(&place(domain)).or_else(|| self.keys.get(&place(Domain::All)));
        match found {
            Some(key) => Ok(key.clone()),
            None if LABEL_KEYS.contains(&id) => Ok(Key::text(id)),
            None => Err(format!("no <key> declares '{}' for this element", excerpt(id))),
        }
    }

    /// The defaults of elements of a domain.
    pub(super) fn defaults(&self, domain: Domain) -> impl Iterator<Item = (&str, &Value)> {
        let own =
            self.with_defaults.iter().filter(move |(of, _)| [domain, Domain::All].contains(of));
        own.filter_map(|place| {
            let key = self.keys.get(place)?;
            Some((key.name.as_str(), key.default.as_ref()?))
        })
    }
}

impl Key {
    fn text(name: &str) -> Key {
        let content = Content::Value { kind: Kind::String, list: false };
        Key { name: name.to_owned(), content, default: None }
    }

    /// The id, domain and key of a tag.
    pub(super) fn of(tag: &Tag) -> Result<(Domain, String, Key), String> {
        let id = tag.attribute("id").filter(|id| !id.is_empty()).ok_or("a <key> without an id")?;
        let domain = match tag.attribute("for").unwrap_or("all") {
            "node" => Domain::Node,
            "edge" => Domain::Edge,
            "all" => Domain::All,
            _ => Domain::Other,
        };
        let name = tag.attribute("attr.name").filter(|name| !name.is_empty()).unwrap_or(id);
        let in_key = |detail: String| format!("the key '{}': {detail}", excerpt(id));
        let content = match (tag.attribute("yfiles.type"), tag.attribute("attr.list")) {
            (Some(_), _) => Content::Drawing,
            (None, Some(word)) => {
                Content::Value { kind: Kind::of_word(word).map_err(in_key)?, list: true }
            }
            (None, None) => {
                let word = tag.attribute("attr.type").unwrap_or("string");
                Content::Value { kind: Kind::of_word(word).map_err(in_key)?, list: false }
            }
        };
        Ok((domain, id.to_owned(), Key { name: name.to_owned(), content, default: None }))
    }
}

impl Kind {
    fn of_word(word: &str) -> Result<Kind, String> {
        Ok(match &*word.to_ascii_lowercase() {
            "boolean" | "bool" => Kind::Boolean,
            "int" | "integer" => Kind::Int,
            "long" => Kind::Long,
            "float" => Kind::Float,
            "double" => Kind::Double,
            "string" => Kind::String,
            _ => {
                return Err(format!(
                    "the type '{}' is not known: expected boolean, int, long, float, double or string",
                    excerpt(word)
                ));
            }
        })
    }

    /// A text as a value; whole numbers that `int` has no room for are 64 bits wide.
    pub(super) fn parse(self, written: &str) -> Result<Value, String> {
        let trimmed = written.trim();
        match self {
            Kind::Boolean => text::parse_boolean(trimmed).map(Value::Bool),
            Kind::Int => text::parse_integer(trimmed, 64)
                .map(|whole| i32::try_from(whole).map_or(Value::I64(whole), Value::I32)),
            Kind::Long => text::parse_integer(trimmed, 64).map(Value::I64),
            Kind::Float => float(trimmed).map(Value::F32),
            Kind::Double => text::parse_double(trimmed).map(Value::F64),
            Kind::String => Ok(Value::string(written)),
        }
    }

    fn parse_element(self, json: &Json) -> Result<Value, String> {
        match (self, json) {
            (Kind::String, Json::String(text)) => Ok(Value::string(text)),
            (Kind::String, other) => {
                Err(format!("expected a text in the list, found {}", excerpt(&other.to_string())))
            }
            (_, Json::String(text)) => self.parse(text),
            (_, other) => self.parse(&other.to_string()),
        }
    }
}

/// The nearest float of the text itself: by way of a double it would be rounded twice.
fn float(written: &str) -> Result<f32, String> {
    let double = text::parse_double(written)?;
    Ok(if double.is_finite() { written.parse().unwrap_or(double as f32) } else { double as f32 })
}

/// A value of a key: `None` for a drawing.
pub(super) fn parse_value(kind: Kind, list: bool, written: &str) -> Result<Value, String> {
    if !list {
        return kind.parse(written);
    }
    let elements: Vec<Json> = serde_json::from_str(written)
        .map_err(|_| format!("expected a list as a JSON array, found '{}'", excerpt(written)))?;
    if ROW_PARTS_MAX < elements.len() {
        return Err(format!("expected at most {ROW_PARTS_MAX} elements in a list"));
    }
    elements.iter().map(|json| kind.parse_element(json)).collect::<Result<_, _>>().map(Value::list)
}
