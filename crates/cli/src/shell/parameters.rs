//! Parameters of statements: `:param name => expression`, in Cypher.
//!
//! An expression is evaluated once, by the target, and its value is kept with its types, so that a date is sent as a
//! date. Parameters are sent with the statements of every language: they are the variables of a traversal, too.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{DetachedElements, Error, ErrorKind, Result, Value};
use millrace_server::wire::admin::ndjson::cell;
use millrace_server::wire::json::{parse, write_string};
use millrace_server::wire::neo4j_http::typed_parameters;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// The parameters by name; each value as JSON with types.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters(BTreeMap<String, Box<RawValue>>);

/// What an argument of `:param` or `:params` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted<'a> {
    List,
    Clear,
    /// A name gets the value of an expression.
    One(String, &'a str),
    /// The entries of a map become parameters.
    All(&'a str),
}

impl Wanted<'_> {
    /// What an argument says.
    pub(super) fn of(argument: &str) -> Result<Wanted<'_>> {
        let argument = argument.trim_end_matches([';', ' ']);
        match argument {
            "" | "list" => return Ok(Wanted::List),
            "clear" => return Ok(Wanted::Clear),
            map if map.starts_with('{') => return Ok(Wanted::All(map)),
            _ => {}
        }
        let (name, rest) = name(argument).ok_or_else(unread)?;
        let rest = rest.trim_start();
        let expression = rest.strip_prefix("=>").or_else(|| rest.strip_prefix(':'));
        match expression.map(str::trim) {
            None | Some("") => Err(unread()),
            Some(expression) => Ok(Wanted::One(name, expression)),
        }
    }
}

/// The name at the beginning of a text, perhaps in backticks, and what is behind it.
fn name(text: &str) -> Option<(String, &str)> {
    if let Some(quoted) = text.strip_prefix('`') {
        let (name, rest) = quoted.split_once('`')?;
        return (!name.is_empty()).then(|| (name.to_owned(), rest));
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    (0 < end).then(|| (text[..end].to_owned(), &text[end..]))
}

fn unread() -> Error {
    Error::new(ErrorKind::BadInput, "a parameter needs a name and a value").with_help(
        "write :param name => expression, or :param {name: expression}; :params lists them",
    )
}

impl Parameters {
    /// Sets one to a value in JSON with types.
    pub(super) fn set(&mut self, name: String, value: &str) -> Result<()> {
        let raw = RawValue::from_string(value.to_owned()).map_err(|error| {
            Error::new(ErrorKind::Bug, format!("the value of a parameter is not JSON: {error}"))
        })?;
        // A node is no parameter: that is said now.
        value_of(&name, &raw)?;
        self.0.insert(name, raw);
        Ok(())
    }

    /// Sets those of a map in JSON with types.
    pub(super) fn set_all(&mut self, map: &str) -> Result<()> {
        #[derive(serde::Deserialize)]
        struct Typed {
            #[serde(rename = "$type")]
            kind: String,
            #[serde(rename = "_value")]
            value: Box<RawValue>,
        }
        let typed: Typed = crate::answer::read(map)?;
        if typed.kind != "Map" {
            return Err(unread());
        }
        let entries: BTreeMap<String, Box<RawValue>> = crate::answer::read(typed.value.get())?;
        entries.into_iter().try_for_each(|(name, value)| self.set(name, value.get()))
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Names and values.
    pub(super) fn values(&self) -> Result<Vec<(Arc<str>, Value)>> {
        let values = self.0.iter();
        values.map(|(name, raw)| Ok((Arc::from(name.as_str()), value_of(name, raw)?))).collect()
    }

    /// Rows of names and values, as JSON.
    pub(super) fn rows(&self) -> Result<String> {
        let row = |(name, value): (Arc<str>, Value)| {
            let mut row = String::from("{\"name\":");
            write_string(&mut row, &name);
            let value = cell(&value, &DetachedElements::default())?;
            Ok(format!("{row},\"value\":{value}}}"))
        };
        let rows = self.values()?.into_iter().map(row).collect::<Result<Vec<_>>>()?;
        Ok(format!("[{}]", rows.join(",")))
    }
}

impl Serialize for Parameters {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

fn value_of(name: &str, raw: &RawValue) -> Result<Value> {
    let error = |error: Error| Error { detail: format!("${name}: {}", error.detail), ..error };
    let typed = parse(format!("{{\"$type\":\"List\",\"_value\":[{}]}}", raw.get()).as_bytes());
    match typed.and_then(|typed| typed_parameters(&typed)).map_err(error)? {
        Value::List(values) => Ok(values.first().cloned().unwrap_or_default()),
        other => Ok(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_names_parameters_and_their_expressions() {
        let one = |name: &str, text| Wanted::One(name.to_owned(), text);
        for (argument, wanted) in [
            ("x => 1 + 2", one("x", "1 + 2")),
            ("x=>'a;b';", one("x", "'a;b'")),
            ("x: 1", one("x", "1")),
            ("`my x` => [1]", one("my x", "[1]")),
            ("{x: 1}", Wanted::All("{x: 1}")),
            ("", Wanted::List),
            ("clear", Wanted::Clear),
        ] {
            assert_eq!(Wanted::of(argument).unwrap(), wanted, "{argument}");
        }
        for wrong in ["x", "x 1", "=> 1", "x =>", "`` => 1", "'a' => 1"] {
            assert_eq!(Wanted::of(wrong).unwrap_err().kind, ErrorKind::BadInput, "{wrong}");
        }
    }

    #[test]
    fn values_keep_their_types_and_a_node_is_refused() {
        let mut parameters = Parameters::default();
        let date = r#"{"$type":"Date","_value":"1970-01-02"}"#;
        parameters
            .set_all(&format!(
                r#"{{"$type":"Map","_value":{{"d":{date},"n":{{"$type":"Integer","_value":"7"}}}}}}"#
            ))
            .unwrap();
        let values = parameters.values().unwrap();
        assert!(matches!(values[0].1, Value::Date(date) if date.days == 1), "{values:?}");
        assert_eq!(
            parameters.rows().unwrap(),
            r#"[{"name":"d","value":"1970-01-02"},{"name":"n","value":7}]"#
        );
        let node = r#"{"$type":"Node","_value":{}}"#;
        assert!(parameters.set("x".to_owned(), node).unwrap_err().detail.contains("Node"));
        assert!(parameters.set_all(date).is_err());
        parameters.clear();
        assert_eq!(parameters.rows().unwrap(), "[]");
    }
}
