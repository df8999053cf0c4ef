//! Answers in which elements have names in place of numbers, in the order in which they appear.

use serde_json::{Map, Value};

use crate::client::Running;

/// A server, and the elements that were named.
pub(super) struct Talk {
    pub(super) server: Running,
    /// Kind and number of each, and its name.
    pub(super) names: Vec<(String, String)>,
}

impl Talk {
    pub(super) fn with(server: Running) -> Talk {
        Talk { server, names: Vec::new() }
    }

    /// A text with names for addresses.
    pub(super) fn named(&mut self, text: &str) -> String {
        let base = format!("{}/db/data/", self.server.neo4j_http);
        let mut out = String::new();
        for (index, part) in text.split(&base).enumerate() {
            if index == 0 {
                out.push_str(part);
                continue;
            }
            out.push_str("BASE/");
            let mut segments = part.splitn(3, '/');
            let (kind, rest) = (segments.next().unwrap_or_default(), segments.next());
            let digits: String =
                rest.unwrap_or_default().chars().take_while(char::is_ascii_digit).collect();
            if digits.is_empty() || !matches!(kind, "node" | "relationship") {
                out.push_str(part);
                continue;
            }
            let path = format!("{kind}/{digits}");
            let name = self.name(&path);
            out.push_str(&format!("{kind}/{name}{}", &part[path.len()..]));
        }
        self.named_in_words(&out.replace(&self.server.neo4j_http, "HOST"))
    }

    /// Names for the numbers of elements in a sentence, as `node 7`.
    fn named_in_words(&self, text: &str) -> String {
        let mut kind = None;
        let words = text.split(' ').map(|word| {
            let of = kind.take();
            kind = match word {
                "node" | "vertex" => Some("node"),
                "relationship" => Some("relationship"),
                _ => None,
            };
            let path = of.map(|of: &str| format!("{of}/{word}"));
            let known = self.names.iter().find(|(own, _)| Some(own) == path.as_ref());
            known.map_or_else(|| word.to_owned(), |(_, name)| name.clone())
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn name(&mut self, path: &str) -> String {
        if let Some((_, name)) = self.names.iter().find(|(known, _)| known == path) {
            return name.clone();
        }
        let letter = &path[..1];
        let known = self.names.iter().filter(|(path, _)| path.starts_with(letter)).count();
        let name = format!("{letter}{}", known + 1);
        self.names.push((path.to_owned(), name.clone()));
        name
    }

    /// The same of a whole answer. Unless it is wanted whole, a node has only some of its fields.
    pub(super) fn shown(&mut self, value: &Value, is_whole: bool) -> Value {
        match value {
            Value::String(text) => Value::String(self.named(text)),
            Value::Array(values) => {
                values.iter().map(|value| self.shown(value, is_whole)).collect()
            }
            Value::Object(fields) => {
                let is_node = fields.contains_key("paged_traverse");
                let keeps =
                    |key: &str| is_whole || !is_node || ["self", "data", "metadata"].contains(&key);
                let mut shown = Map::new();
                let of = |name: &str| fields.get(name).and_then(Value::as_str);
                let own = of("self").map(|own| self.named(own));
                for (key, value) in fields.iter().filter(|(key, _)| keeps(key)) {
                    let mut value = self.shown(value, is_whole);
                    if let (Some(own), "metadata") = (&own, key.as_str()) {
                        value["id"] = Value::from(own.rsplit('/').next());
                    }
                    shown.insert(key.clone(), value);
                }
                Value::Object(shown)
            }
            other => other.clone(),
        }
    }
}
