//! Changes of a catalog as JSON: `{"changes": [{"change": "create_index", "label": "Person", "keys": ["age"]}]}`.
//!
//! Each change is one object. `change` says what it does, `label` or `edge_type` of what; what a change does not
//! take is refused by its name.

use millrace_model::schema::IndexKind;
use millrace_model::{Error, ErrorKind, PropertyType, Result, Value};

use crate::json;
use crate::limits::SCHEMA_CHANGES_MAX;

/// The owner of a definition or an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaOwner {
    /// Vertices with a label.
    Label(String),
    /// Edges of a type.
    EdgeType(String),
}

/// A change of a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaChange {
    /// A label or an edge type is defined.
    CreateType(SchemaOwner),
    /// Its definition ends; its elements must be gone.
    DropType(SchemaOwner),
    /// An index is made; a unique one is a constraint.
    CreateIndex(SchemaOwner, Vec<String>, IndexKind),
    /// An index is made whose keys are made of values, as the method says.
    CreateMadeIndex(SchemaOwner, Vec<String>, String),
    /// Such an index ends.
    DropMadeIndex(SchemaOwner, Vec<String>, String),
    /// An index ends; without a kind, whichever there is.
    DropIndex(SchemaOwner, Vec<String>, Option<IndexKind>),
    /// A property has a type, and is required or not.
    CreateProperty(SchemaOwner, String, PropertyType, bool),
    /// A property's definition ends.
    DropProperty(SchemaOwner, String),
}

/// The changes that there are, with the names that each takes besides its owner.
const CHANGES: [(&str, &[&str]); 8] = [
    ("create_index", &["keys", "kind", "method"]),
    ("create_property", &["key", "type", "required"]),
    ("create_type", &[]),
    ("create_unique", &["keys"]),
    ("drop_index", &["keys", "kind", "method"]),
    ("drop_property", &["key"]),
    ("drop_type", &[]),
    ("drop_unique", &["keys"]),
];

const KINDS: [(&str, IndexKind); 3] =
    [("exact", IndexKind::Exact), ("range", IndexKind::Range), ("made", IndexKind::Made)];

/// Reads the body of a request.
pub(super) fn changes(body: &[u8]) -> Result<Vec<SchemaChange>> {
    let mut changes = None;
    for (name, value) in json::parse_object(body)? {
        match (&name, value) {
            (Value::String(name), Value::List(list)) if &**name == "changes" => {
                changes = Some(list);
            }
            (name, _) => return Err(bad(format!("{name:?}: the body has `changes`, a list"))),
        }
    }
    let changes = changes.ok_or_else(|| bad("`changes`, a list, is missing".to_owned()))?;
    if SCHEMA_CHANGES_MAX < changes.len() {
        let detail = format!("a request has at most {SCHEMA_CHANGES_MAX} changes");
        return Err(Error::new(ErrorKind::LimitReached, detail));
    }
    changes
        .iter()
        .enumerate()
        .map(|(number, change)| {
            Fields::of(change).and_then(|fields| fields.change()).map_err(|error| {
                let detail = format!("change {}: {}", number + 1, error.detail);
                Error { detail, ..error }
            })
        })
        .collect()
}

fn bad(detail: String) -> Error {
    Error::new(ErrorKind::BadInput, detail)
}

/// The names and values of one change.
struct Fields<'a>(Vec<(&'a str, &'a Value)>);

impl<'a> Fields<'a> {
    fn of(change: &'a Value) -> Result<Fields<'a>> {
        let Value::Map(pairs) = change else {
            return Err(bad("a change is an object".to_owned()));
        };
        let fields = pairs.iter().map(|(name, value)| match name {
            Value::String(name) => Ok((&**name, value)),
            other => Err(bad(format!("{other:?} is no name"))),
        });
        fields.collect::<Result<_>>().map(Fields)
    }

    fn find(&self, name: &str) -> Option<&'a Value> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    fn text(&self, name: &str) -> Result<Option<&'a str>> {
        match self.find(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(bad(format!("`{name}` must be a text"))),
        }
    }

    fn needed(&self, name: &str) -> Result<&'a str> {
        self.text(name)?.ok_or_else(|| bad(format!("`{name}` is missing")))
    }

    fn owner(&self) -> Result<SchemaOwner> {
        match (self.text("label")?, self.text("edge_type")?) {
            (Some(label), None) => Ok(SchemaOwner::Label(label.to_owned())),
            (None, Some(edge_type)) => Ok(SchemaOwner::EdgeType(edge_type.to_owned())),
            _ => Err(bad("it has either `label` or `edge_type`".to_owned())),
        }
    }

    fn keys(&self) -> Result<Vec<String>> {
        let keys = match self.find("keys") {
            Some(Value::List(keys)) if !keys.is_empty() => keys,
            _ => return Err(bad("`keys` must be a list of property keys".to_owned())),
        };
        let names = keys.iter().map(|key| match key {
            Value::String(key) => Ok(key.to_string()),
            _ => Err(bad("`keys` must be a list of property keys".to_owned())),
        });
        names.collect()
    }

    fn kind(&self) -> Result<Option<IndexKind>> {
        let Some(word) = self.text("kind")? else { return Ok(None) };
        match KINDS.iter().find(|(known, _)| *known == word) {
            Some((_, kind)) => Ok(Some(*kind)),
            None => Err(bad(format!("there is no kind of index `{word}`"))
                .with_help("known: exact, range, made; `create_unique` makes a constraint")),
        }
    }

    /// How an index makes its keys, which those of the kind `made` say and no others.
    fn method(&self) -> Result<Option<String>> {
        match (self.kind()?, self.text("method")?) {
            (None | Some(IndexKind::Made), Some(method)) => Ok(Some(method.to_owned())),
            (Some(IndexKind::Made), None) => Err(bad("`method` is missing".to_owned())
                .with_help("write how the keys are made: `trigrams`, `words(standard)`, `points`")),
            (Some(_), Some(_)) => {
                Err(bad("only an index of the kind `made` takes a `method`".to_owned()))
            }
            (_, None) => Ok(None),
        }
    }

    fn property_type(&self) -> Result<PropertyType> {
        let Some(word) = self.text("type")? else { return Ok(PropertyType::Any) };
        PropertyType::parse(word).ok_or_else(|| {
            let words: Vec<_> = PropertyType::ALL.iter().map(|(_, word)| *word).collect();
            bad(format!("there is no data type `{word}`"))
                .with_help(format!("allowed: {}", words.join(", ")))
        })
    }

    fn change(&self) -> Result<SchemaChange> {
        let word = self.needed("change")?;
        let Some((_, takes)) = CHANGES.iter().find(|(known, _)| *known == word) else {
            let known: Vec<_> = CHANGES.iter().map(|(word, _)| *word).collect();
            let error = bad(format!("there is no change `{word}`"));
            return Err(error.with_help(format!("known: {}", known.join(", "))));
        };
        let is_known =
            |name| matches!(name, "change" | "label" | "edge_type") || takes.contains(&name);
        if let Some((name, _)) = self.0.iter().find(|(name, _)| !is_known(*name)) {
            return Err(bad(format!("`{word}` takes no `{name}`")));
        }
        let owner = self.owner()?;
        Ok(match word {
            "create_index" => match self.method()? {
                Some(method) => SchemaChange::CreateMadeIndex(owner, self.keys()?, method),
                None => {
                    let kind = self.kind()?.unwrap_or(IndexKind::Exact);
                    SchemaChange::CreateIndex(owner, self.keys()?, kind)
                }
            },
            "create_unique" => SchemaChange::CreateIndex(owner, self.keys()?, IndexKind::Unique),
            "drop_index" => match self.method()? {
                Some(method) => SchemaChange::DropMadeIndex(owner, self.keys()?, method),
                None => SchemaChange::DropIndex(owner, self.keys()?, self.kind()?),
            },
            "drop_unique" => SchemaChange::DropIndex(owner, self.keys()?, Some(IndexKind::Unique)),
            "create_property" => {
                let required = match self.find("required") {
                    None => false,
                    Some(Value::Bool(required)) => *required,
                    Some(_) => return Err(bad("`required` must be true or false".to_owned())),
                };
                let (key, kind) = (self.needed("key")?.to_owned(), self.property_type()?);
                SchemaChange::CreateProperty(owner, key, kind, required)
            }
            "drop_property" => SchemaChange::DropProperty(owner, self.needed("key")?.to_owned()),
            "create_type" => SchemaChange::CreateType(owner),
            _ => SchemaChange::DropType(owner),
        })
    }
}
