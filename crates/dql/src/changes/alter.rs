//! Changes of the schema, and what goes with it.

use millrace_model::{Error, ErrorKind, Phase, Result};
use millrace_quads::text::json::Json;

use crate::tree::RESERVED;

/// A change of the schema, or the removal of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alter {
    /// The text of a schema: predicates and types that are new, or that replace those of their names.
    Schema(String),
    /// Everything goes: data and schema.
    DropAll,
    /// All data goes, and the schema stays.
    DropData,
    /// A predicate goes, with its data.
    DropPredicate(String),
    /// A type goes; nodes that have it keep it.
    DropType(String),
    /// The edges of a predicate go, many in each of several transactions: in front of the drop of a large one.
    RemoveEdges(String),
    /// The values of a predicate go in the same way.
    RemoveValues(String),
}

impl Alter {
    /// The body of a request to `/alter`: the text of a schema, or JSON with `drop_all`, `drop_attr`, or `drop_op` and
    /// `drop_value`.
    pub fn of_body(body: &str) -> Result<Alter> {
        match Json::parse_mutation(body) {
            Ok(Json::Object(members)) => Alter::of_members(&members),
            _ => Ok(Alter::Schema(body.to_owned())),
        }
    }

    fn of_members(members: &[(String, Json)]) -> Result<Alter> {
        let (mut op, mut value) = (None, None);
        for (name, member) in members {
            match (name.as_str(), member) {
                ("drop_all", Json::Bool(true)) => return Ok(Alter::DropAll),
                ("drop_all", Json::Bool(false)) | (_, Json::Null) => {}
                ("drop_attr", Json::String(name)) => op = Some(("ATTR", Some(name.clone()))),
                ("schema", Json::String(text)) => return Ok(Alter::Schema(text.clone())),
                ("drop_op", Json::String(word)) => op = Some((word.as_str(), None)),
                ("drop_value", Json::String(text)) => value = Some(text.clone()),
                (name, _) => return Err(refused(&format!("`{name}` with this value"))),
            }
        }
        let (word, named) = op.ok_or_else(|| refused("an object without an operation"))?;
        Alter::of_operation(word, named.or(value).unwrap_or_default())
    }

    /// By the name of an operation and its argument.
    pub fn of_operation(word: &str, value: String) -> Result<Alter> {
        let missing = |what: &str| refused(&format!("an operation {word} without {what}"));
        match word {
            "ALL" | "DATA" if !value.is_empty() => {
                Err(refused(&format!("an operation {word} with a value")))
            }
            "ALL" => Ok(Alter::DropAll),
            "DATA" => Ok(Alter::DropData),
            "ATTR" if value.is_empty() => Err(missing("a predicate")),
            "ATTR" if value.starts_with(RESERVED) => {
                let detail =
                    format!("predicate {value} is pre-defined and is not allowed to be dropped");
                Err(Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Parse))
            }
            "ATTR" => Ok(Alter::DropPredicate(value)),
            "TYPE" if value.is_empty() => Err(missing("a type")),
            "TYPE" => Ok(Alter::DropType(value)),
            other => Err(refused(&format!("the operation `{other}`"))),
        }
    }
}

fn refused(what: &str) -> Error {
    let error = Error::new(ErrorKind::BadQuery, format!("an alter does not have {what}"));
    error.in_phase(Phase::Parse).with_help(
        "send the text of a schema, or {\"drop_all\": true}, {\"drop_attr\": \"name\"}, \
         {\"drop_op\": \"DATA\"}, {\"drop_op\": \"TYPE\", \"drop_value\": \"Person\"}",
    )
}
