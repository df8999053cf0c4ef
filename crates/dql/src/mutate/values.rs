//! A literal as a value of its predicate's type.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value, query_limits};
use millrace_quads::{Datatype, vocabulary};

use crate::schema::{Kind, Predicate};
use crate::values::{converted, read};

/// The datatypes that are Dgraph's own, by their names.
const OTHER_TYPES: [(&str, Kind); 2] =
    [("xs:password", Kind::Password), ("xs:bigfloat", Kind::BigFloat)];

/// A literal, as a quad has it.
pub(super) struct Literal<'a> {
    pub(super) text: &'a str,
    pub(super) datatype: Datatype,
    pub(super) is_typed: bool,
    pub(super) other_type: Option<&'a Arc<str>>,
}

impl Literal<'_> {
    /// The type that is written with it; none: nothing is written.
    pub(super) fn kind(&self) -> Option<Kind> {
        if let Some(name) = self.other_type {
            if vocabulary::VECTORS.contains(&&**name) {
                return Some(Kind::Vector);
            }
            let known = OTHER_TYPES.iter().find(|(own, _)| **name == **own);
            return known.map(|(_, kind)| *kind);
        }
        match self.datatype {
            Datatype::String => self.is_typed.then_some(Kind::String),
            Datatype::Integer => Some(Kind::Int),
            Datatype::Double => Some(Kind::Float),
            Datatype::Boolean => Some(Kind::Bool),
            Datatype::Date | Datatype::DateTime | Datatype::Year | Datatype::YearMonth => {
                Some(Kind::DateTime)
            }
            Datatype::Geometry => Some(Kind::Geo),
            Datatype::Time | Datatype::Duration => Some(Kind::String),
        }
    }

    /// Its value for a predicate.
    pub(super) fn value(&self, name: &str, predicate: &Predicate) -> Result<Value> {
        // A text is read as whatever is wanted.
        let own = self.kind().filter(|own| !own.is_text());
        let wanted = match (predicate.kind, own) {
            // Clients see text, whatever was set.
            (Kind::Default, Some(_)) if predicate.is_declared => Kind::String,
            (Kind::Default, Some(own)) => own,
            (kind, _) => kind,
        };
        let refused = |detail: &str| {
            let detail = format!("{name}: {detail}");
            let error = Error::new(ErrorKind::BadQuery, detail);
            error.with_help(format!("the predicate is of type {}", predicate.kind.word()))
        };
        let value = match own {
            // Its text is not made that of its numbers.
            Some(Kind::Vector) if wanted.is_text() => Value::from(self.text),
            Some(own) if wanted == Kind::Vector && own != Kind::Vector && !own.is_text() => {
                return Err(refused(&format!(
                    "Input for predicate \"{name}\" of type vector is not vector. Did you forget to add quotes before []?"
                )));
            }
            Some(own) if own != wanted => {
                let value = read(self.text, own).map_err(|error| refused(&error.detail))?;
                converted(&value, wanted).ok_or_else(|| {
                    refused(&format!(
                        "a value of type {} cannot become one of type {}",
                        own.word(),
                        wanted.word()
                    ))
                })?
            }
            Some(_) | None => read(self.text, wanted).map_err(|error| refused(&error.detail))?,
        };
        if wanted == Kind::Password {
            return password(name, &value);
        }
        Ok(value)
    }
}

/// A value that a query found, as one of the type of a predicate, by the word of the type.
pub fn value_of_variable(value: &Value, kind: &str, predicate: &str) -> Result<Value> {
    let wanted = Kind::of_word(kind).unwrap_or(Kind::Default);
    let refused = |detail: String| {
        let error = Error::new(ErrorKind::BadQuery, format!("{predicate}: {detail}"));
        error.with_help(format!("the predicate is of type {}", wanted.word()))
    };
    let typed = match (value, wanted) {
        (Value::PropertyValues(_) | Value::List(_), _) => {
            return Err(refused("a variable of lists cannot be set or deleted".to_owned()));
        }
        (Value::String(text), _) => read(text, wanted).map_err(|error| refused(error.detail))?,
        (Value::Geometry(_) | Value::Vector(_), Kind::Default) => value.clone(),
        (Value::Geometry(_), Kind::Geo) => value.clone(),
        (_, Kind::Geo) => return Err(refused("a value that is no geometry".to_owned())),
        _ => converted(value, wanted)
            .ok_or_else(|| refused("a value that has no such form".to_owned()))?,
    };
    match wanted {
        Kind::Password => password(predicate, &typed),
        _ => Ok(typed),
    }
}

/// The shortest password that Dgraph takes.
const PASSWORD_CHARACTERS_MIN: usize = 6;

/// What a password is kept as: a hash of it.
fn password(name: &str, value: &Value) -> Result<Value> {
    let bad = |detail: String| Error::new(ErrorKind::BadQuery, format!("{name}: {detail}"));
    let Value::String(text) = value else { return Err(bad("a password is a text".to_owned())) };
    if text.len() < PASSWORD_CHARACTERS_MIN {
        return Err(bad(format!(
            "Password too short, i.e. should have at least {PASSWORD_CHARACTERS_MIN} chars"
        )));
    }
    query_limits::begin_long_work()?;
    let hash = bcrypt::hash(&**text, crate::limits::PASSWORD_COST);
    let hash = hash.map_err(|error| bad(format!("a password cannot be hashed: {error}")))?;
    Ok(Value::from(hash.as_str()))
}
