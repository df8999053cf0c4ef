//! The bodies of requests. Fields that are not known are passed over, as Neo4j does, except those that by their absence would
//! change the answer.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};

use super::parameter;
use super::results::Contents;
use crate::http::target::bad;
use crate::json;
use crate::limits::{BINDINGS_MAX, BOOKMARKS_MAX, STATEMENTS_MAX};

/// Values of parameters by their names.
type Parameters = Vec<(Arc<str>, Value)>;

/// A query of the Query API.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The name of the database.
    pub database: String,
    /// The text.
    pub statement: Arc<str>,
    /// Values of parameters.
    pub parameters: Parameters,
    /// Whether a statement that writes is refused.
    pub is_read_only: bool,
    /// Whether the answer counts what was written.
    pub includes_counters: bool,
    /// Commits that it must see.
    pub bookmarks: Vec<Arc<str>>,
    /// Seconds that it may take.
    pub seconds_max: Option<u64>,
}

/// A statement of a transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The text.
    pub text: Arc<str>,
    /// Values of parameters.
    pub parameters: Parameters,
    /// The forms of each row.
    pub contents: Contents,
    /// Whether the answer counts what was written.
    pub includes_stats: bool,
}

/// Statements of a transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct Transaction {
    /// The name of the database.
    pub database: String,
    /// The number of the open transaction; `None`: a new one.
    pub id: Option<u64>,
    /// Whether it is committed after them.
    pub commits: bool,
    /// The statements, in order.
    pub statements: Vec<Statement>,
}

impl Query {
    pub(super) fn read(database: String, body: &[u8], is_typed: bool) -> Result<Query> {
        let mut fields = Fields::read(body)?;
        if fields.find("impersonatedUser").is_some() {
            let error = Error::new(ErrorKind::Unsupported, "`impersonatedUser`");
            return Err(error.with_help("log in as the user that runs the query"));
        }
        let parameters = match (fields.find("parameters"), is_typed) {
            (Some(parameters), true) => parameter::read(&parameters)?,
            (parameters, false) => parameters.unwrap_or_default(),
            (None, true) => Value::Null,
        };
        Ok(Query {
            database,
            statement: fields.text("statement")?,
            parameters: named(&parameters)?,
            is_read_only: fields.is_read_only()?,
            includes_counters: fields.flag("includeCounters")?,
            bookmarks: fields.bookmarks()?,
            seconds_max: fields.seconds("maxExecutionTime")?,
        })
    }
}

impl Transaction {
    pub(super) fn read(
        (database, id, commits): (String, Option<u64>, bool),
        body: &[u8],
    ) -> Result<Transaction> {
        let mut fields = Fields::read(body)?;
        let statements = match fields.find("statements") {
            None => Vec::new(),
            Some(Value::List(statements)) if statements.len() <= STATEMENTS_MAX => {
                statements.iter().map(Statement::read).collect::<Result<_>>()?
            }
            Some(Value::List(_)) => {
                return Err(Error::new(
                    ErrorKind::LimitReached,
                    format!("a request has at most {STATEMENTS_MAX} statements"),
                ));
            }
            Some(other) => return Err(typed("statements", &other, "a list")),
        };
        Ok(Transaction { database, id, commits, statements })
    }
}

impl Statement {
    fn read(value: &Value) -> Result<Statement> {
        let Value::Map(pairs) = value else {
            return Err(typed("statements", value, "a list of objects"));
        };
        let mut fields = Fields(pairs.to_vec());
        Ok(Statement {
            text: fields.text("statement")?,
            parameters: named(&fields.find("parameters").unwrap_or_default())?,
            contents: fields.contents()?,
            includes_stats: fields.flag("includeStats")?,
        })
    }
}

/// Parameters by their names.
fn named(parameters: &Value) -> Result<Parameters> {
    let pairs = match parameters {
        Value::Null => return Ok(Parameters::new()),
        Value::Map(pairs) if pairs.len() <= BINDINGS_MAX => pairs,
        Value::Map(_) => {
            let detail = format!("a statement has at most {BINDINGS_MAX} parameters");
            return Err(Error::new(ErrorKind::LimitReached, detail));
        }
        other => return Err(typed("parameters", other, "an object")),
    };
    // Keys of objects are texts.
    let name = |key: &Value| Arc::from(key.as_str().unwrap_or_default());
    Ok(pairs.iter().map(|(key, value)| (name(key), value.clone())).collect())
}

fn typed(name: &str, found: &Value, wanted: &str) -> Error {
    bad(format!("`{name}` is a {}, and must be {wanted}", found.type_name()))
}

/// The fields of an object that were not taken yet.
struct Fields(Vec<(Value, Value)>);

impl Fields {
    fn read(body: &[u8]) -> Result<Fields> {
        json::parse_object(body).map(Fields)
    }

    /// A field, if it is there and not null.
    fn find(&mut self, name: &str) -> Option<Value> {
        let index = self.0.iter().position(|(key, _)| key.as_str() == Some(name))?;
        let (_, value) = self.0.swap_remove(index);
        (!value.is_null()).then_some(value)
    }

    fn text(&mut self, name: &str) -> Result<Arc<str>> {
        match self.find(name) {
            Some(Value::String(text)) => Ok(text),
            Some(other) => Err(typed(name, &other, "a string")),
            None => Err(bad(format!("`{name}` is missing"))),
        }
    }

    fn flag(&mut self, name: &str) -> Result<bool> {
        match self.find(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => Err(typed(name, &other, "true or false")),
        }
    }

    fn is_read_only(&mut self) -> Result<bool> {
        match self.find("accessMode") {
            None => Ok(false),
            Some(Value::String(mode)) if mode.eq_ignore_ascii_case("read") => Ok(true),
            Some(Value::String(mode)) if mode.eq_ignore_ascii_case("write") => Ok(false),
            Some(_) => Err(bad("`accessMode` is `READ` or `WRITE`".to_owned())),
        }
    }

    fn bookmarks(&mut self) -> Result<Vec<Arc<str>>> {
        let found = match self.find("bookmarks") {
            None => return Ok(Vec::new()),
            Some(Value::List(found)) => found,
            Some(other) => return Err(typed("bookmarks", &other, "a list")),
        };
        if BOOKMARKS_MAX < found.len() {
            let detail = format!("a request has at most {BOOKMARKS_MAX} bookmarks");
            return Err(Error::new(ErrorKind::LimitReached, detail));
        }
        let text = |bookmark: &Value| match bookmark {
            Value::String(text) => Ok(Arc::clone(text)),
            other => Err(typed("bookmarks", other, "a list of strings")),
        };
        found.iter().map(text).collect()
    }

    fn seconds(&mut self, name: &str) -> Result<Option<u64>> {
        let Some(found) = self.find(name) else { return Ok(None) };
        let seconds = found.as_int().and_then(|seconds| u64::try_from(seconds).ok());
        match seconds.filter(|seconds| 0 < *seconds) {
            Some(seconds) => Ok(Some(seconds)),
            None => Err(bad(format!("`{name}` must be a whole number from 1 on"))),
        }
    }

    fn contents(&mut self) -> Result<Contents> {
        let found = match self.find("resultDataContents") {
            None => return Ok(Contents::ROW),
            Some(Value::List(found)) => found,
            Some(other) => return Err(typed("resultDataContents", &other, "a list")),
        };
        let mut contents = Contents { has_row: false, has_graph: false, has_rest: false };
        for form in found.iter() {
            match form.as_str().map(str::to_ascii_lowercase).as_deref() {
                Some("row") => contents.has_row = true,
                Some("graph") => contents.has_graph = true,
                Some("rest") => contents.has_rest = true,
                Some(_) | None => {
                    return Err(bad(
                        "`resultDataContents` has `row`, `graph` and `rest`".to_owned()
                    ));
                }
            }
        }
        Ok(if found.is_empty() { Contents::ROW } else { contents })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(body: &str) -> Result<Query> {
        Query::read("neo4j".to_owned(), body.as_bytes(), false)
    }

    fn statements(body: &str) -> Result<Vec<Statement>> {
        let read = Transaction::read(("neo4j".to_owned(), None, true), body.as_bytes());
        read.map(|transaction| transaction.statements)
    }

    #[test]
    fn the_options_of_a_query_are_read() {
        let read = query(
            r#"{"statement": "RETURN $n", "parameters": {"n": 7}, "accessMode": "READ",
                "includeCounters": true, "bookmarks": ["a"], "maxExecutionTime": 3}"#,
        )
        .unwrap();
        assert_eq!(&*read.statement, "RETURN $n");
        assert_eq!(read.parameters, [("n".into(), Value::I64(7))]);
        assert!(read.is_read_only && read.includes_counters);
        assert_eq!((read.bookmarks, read.seconds_max), (vec!["a".into()], Some(3)));
        let plain = query(r#"{"statement": "RETURN 1", "other": 1}"#).unwrap();
        assert!(!plain.is_read_only && plain.parameters.is_empty());
    }

    #[test]
    fn statements_have_forms_and_parameters() {
        let read = statements(
            r#"{"statements": [{"statement": "a"}, {"statement": "b", "parameters": {"x": [1]},
                "resultDataContents": ["graph", "ROW"], "includeStats": true}]}"#,
        )
        .unwrap();
        assert_eq!((read[0].contents, read[0].includes_stats), (Contents::ROW, false));
        let both = Contents { has_row: true, has_graph: true, has_rest: false };
        assert_eq!((read[1].contents, read[1].includes_stats), (both, true));
        assert_eq!(statements("").unwrap(), []);
    }

    #[test]
    fn wrong_bodies_are_refused_by_name() {
        for (body, word) in [
            ("{}", "`statement` is missing"),
            (r#"{"statement": 1}"#, "`statement`"),
            (r#"{"statement": "x", "parameters": [1]}"#, "`parameters`"),
            (r#"{"statement": "x", "accessMode": "BOTH"}"#, "`accessMode`"),
            (r#"{"statement": "x", "bookmarks": [1]}"#, "`bookmarks`"),
            (r#"{"statement": "x", "maxExecutionTime": 0}"#, "`maxExecutionTime`"),
            (r#"{"statement": "x", "impersonatedUser": "y"}"#, "`impersonatedUser`"),
            ("[", "JSON"),
        ] {
            let error = query(body).unwrap_err().to_string();
            assert!(error.contains(word), "{body}: {error}");
        }
        for body in [
            r#"{"statements": {}}"#,
            r#"{"statements": ["x"]}"#,
            r#"{"statements": [{"statement": "x", "resultDataContents": ["x"]}]}"#,
        ] {
            assert!(statements(body).is_err(), "{body}");
        }
    }
}
