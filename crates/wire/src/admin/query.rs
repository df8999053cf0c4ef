//! `POST /query/{graph}` and `POST /check/{graph}`: what their bodies say.
//!
//! A field that is not known is refused, so that no client believes that an option was heard.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};

use crate::http::Captured;
use crate::http::target::bad;
use crate::json;
use crate::neo4j_http::typed_parameters;

/// A query in some language on one graph.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryRequest {
    /// The graph.
    pub graph: String,
    /// The name of the language.
    pub language: String,
    /// The text.
    pub text: Arc<str>,
    /// Values of variables, by name.
    pub parameters: Vec<(Arc<str>, Value)>,
    /// Whether a statement that writes is refused.
    pub is_read_only: bool,
    /// Whether the profile is wanted in place of the rows.
    pub is_profiled: bool,
    /// Rows that are sent at most; `None`: all.
    pub rows_max: Option<u64>,
    /// Whether each value of the answer has its type.
    pub has_types: bool,
    /// The open transaction that it is a part of.
    pub transaction: Option<u64>,
}

/// A text that is checked and completed, and not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckRequest {
    /// The graph whose names complete it.
    pub graph: String,
    /// The name of the language.
    pub language: String,
    /// The text.
    pub text: Arc<str>,
    /// Where it is to be completed, in characters from its beginning; `None`: nowhere.
    pub offset: Option<u64>,
}

const QUERY_FIELDS: &str =
    "language, text, parameters, typed_parameters, access, profile, rows_max, types, transaction";
const CHECK_FIELDS: &str = "language, text, offset";

impl QueryRequest {
    /// The query that a body asks for.
    pub(crate) fn take(at: &Captured<'_>) -> Result<QueryRequest> {
        at.only_queries(&[])?;
        let mut fields = Fields::read(at.body, "query", QUERY_FIELDS)?;
        let query = QueryRequest {
            graph: at.graph(),
            language: fields.text("language")?,
            text: fields.text("text")?.into(),
            parameters: fields.parameters()?,
            is_read_only: fields.access()?,
            is_profiled: fields.flag("profile")?,
            rows_max: fields.number("rows_max")?,
            has_types: fields.flag("types")?,
            transaction: fields.number("transaction")?,
        };
        fields.refuse_the_rest()?;
        Ok(query)
    }
}

impl CheckRequest {
    /// The check that a body asks for.
    pub(crate) fn take(at: &Captured<'_>) -> Result<CheckRequest> {
        at.only_queries(&[])?;
        let mut fields = Fields::read(at.body, "check", CHECK_FIELDS)?;
        let check = CheckRequest {
            graph: at.graph(),
            language: fields.text("language")?,
            text: fields.text("text")?.into(),
            offset: fields.number("offset")?,
        };
        fields.refuse_the_rest()?;
        Ok(check)
    }
}

/// The fields of a body that were not taken yet.
struct Fields {
    left: Vec<(Value, Value)>,
    /// What the body is called in errors.
    what: &'static str,
    known: &'static str,
}

impl Fields {
    fn read(body: &[u8], what: &'static str, known: &'static str) -> Result<Fields> {
        Ok(Fields { left: json::parse_object(body)?, what, known })
    }

    fn wrong(&self, detail: String) -> Error {
        bad(detail).with_help(format!("a {} has: {}", self.what, self.known))
    }

    /// A field, if it is there and not null.
    fn find(&mut self, name: &str) -> Option<Value> {
        let index = self.left.iter().position(|(key, _)| key.as_str() == Some(name))?;
        let (_, value) = self.left.swap_remove(index);
        (value != Value::Null).then_some(value)
    }

    fn typed(&self, name: &str, found: &Value, wanted: &str) -> Error {
        self.wrong(format!("`{name}` is a {}, and must be {wanted}", found.type_name()))
    }

    fn text(&mut self, name: &str) -> Result<String> {
        match self.find(name) {
            Some(Value::String(text)) => Ok(text.to_string()),
            Some(other) => Err(self.typed(name, &other, "a text")),
            None => Err(self.wrong(format!("`{name}` is missing"))),
        }
    }

    fn flag(&mut self, name: &str) -> Result<bool> {
        match self.find(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => Err(self.typed(name, &other, "true or false")),
        }
    }

    fn number(&mut self, name: &str) -> Result<Option<u64>> {
        let Some(value) = self.find(name) else { return Ok(None) };
        match value {
            Value::I64(number) => match u64::try_from(number) {
                Ok(number) => Ok(Some(number)),
                Err(_) => {
                    Err(self.wrong(format!("`{name}` is {number}, and must not be negative")))
                }
            },
            other => Err(self.typed(name, &other, "a whole number")),
        }
    }

    /// Parameters as plain JSON, and those with types.
    fn parameters(&mut self) -> Result<Vec<(Arc<str>, Value)>> {
        let named = |(name, value): (Value, Value)| match name {
            Value::String(name) => Ok((name, value)),
            other => Err(Error::new(ErrorKind::Bug, format!("a key of JSON is {other:?}"))),
        };
        let mut parameters = Vec::new();
        for (field, have_types) in [("parameters", false), ("typed_parameters", true)] {
            let found = self.find(field);
            let found =
                if have_types { found.as_ref().map(typed_parameters).transpose()? } else { found };
            match found {
                None => {}
                Some(Value::Map(pairs)) => parameters.extend(pairs.iter().cloned()),
                Some(other) => {
                    return Err(self.typed(field, &other, "an object: {\"name\": value}"));
                }
            }
        }
        parameters.into_iter().map(named).collect()
    }

    /// Whether only reading is allowed.
    fn access(&mut self) -> Result<bool> {
        match self.find("access") {
            None => Ok(false),
            Some(Value::String(word)) if &*word == "read" => Ok(true),
            Some(Value::String(word)) if &*word == "write" => Ok(false),
            Some(Value::String(word)) => {
                Err(self.wrong(format!("`access` is `{word}`, and must be `read` or `write`")))
            }
            Some(other) => Err(self.typed("access", &other, "`read` or `write`")),
        }
    }

    fn refuse_the_rest(&self) -> Result<()> {
        match self.left.first() {
            None => Ok(()),
            Some((Value::String(name), _)) if &**name == "graph" => {
                let detail =
                    format!("the graph of a {} is in its path, not in its body", self.what);
                Err(bad(detail).with_help(format!("POST /{}/GRAPH", self.what)))
            }
            Some((name, _)) => {
                let name = name.as_str().unwrap_or_default();
                Err(self.wrong(format!("a {} has no field `{name}`", self.what)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(body: &str) -> Result<QueryRequest> {
        let values = vec![("graph", "films")];
        QueryRequest::take(&Captured { values, query: None, body: body.as_bytes() })
    }

    #[test]
    fn a_query_has_its_fields_and_their_defaults() {
        let least = take(r#"{"language":"gremlin","text":"g.V()","rows_max":null}"#).unwrap();
        assert_eq!((least.graph.as_str(), least.language.as_str()), ("films", "gremlin"));
        assert!(!least.is_read_only && !least.is_profiled && least.parameters.is_empty());
        assert_eq!(least.rows_max, None);
        assert!(!least.has_types && least.transaction.is_none());
        let all = r#"{"text":"x","language":"lua","parameters":{"a":1,"b":[null]},"access":"read",
            "profile":true,"rows_max":7,"types":true,"transaction":9,
            "typed_parameters":{"c":{"$type":"Date","_value":"1970-01-02"}}}"#;
        let all = take(all).unwrap();
        assert!(all.is_read_only && all.is_profiled && all.has_types);
        assert_eq!((all.rows_max, all.transaction, all.parameters.len()), (Some(7), Some(9), 3));
        assert!(matches!(all.parameters[2].1, Value::Date(date) if date.days == 1));
        assert_eq!(all.parameters[0], ("a".into(), Value::I64(1)));
    }

    #[test]
    fn what_is_wrong_is_refused_by_its_name() {
        for (body, words) in [
            ("", "`language` is missing"),
            ("[]", "JSON list"),
            ("{", "not JSON"),
            (r#"{"language":"lua"}"#, "`text` is missing"),
            (r#"{"language":1,"text":"1"}"#, "`language` is a"),
            (r#"{"language":"lua","text":["1"]}"#, "`text` is a"),
            (r#"{"language":"lua","text":"1","limit":3}"#, "`limit`"),
            (r#"{"language":"lua","text":"1","graph":"g"}"#, "in its path"),
            (r#"{"language":"lua","text":"1","access":"admin"}"#, "`admin`"),
            (r#"{"language":"lua","text":"1","access":1}"#, "`access` is a"),
            (r#"{"language":"lua","text":"1","profile":"yes"}"#, "`profile` is a"),
            (r#"{"language":"lua","text":"1","rows_max":-1}"#, "negative"),
            (r#"{"language":"lua","text":"1","rows_max":1.5}"#, "`rows_max` is a"),
            (r#"{"language":"lua","text":"1","parameters":[1]}"#, "`parameters` is a"),
            (r#"{"language":"lua","text":"1","transaction":"x"}"#, "`transaction` is a"),
            (r#"{"language":"lua","text":"1","typed_parameters":{"a":1}}"#, "`$type`"),
        ] {
            let error = take(body).unwrap_err();
            assert_eq!(error.kind, ErrorKind::BadInput, "{body}");
            assert!(error.detail.contains(words), "{body}: {error}");
        }
    }
}
