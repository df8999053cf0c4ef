//! The header: the role and type of each field of a table. A field without a type is a string, as in Neo4j.

use super::dialect::Dialect;
use super::options::{self, IdOptions, PropertyOptions};
use super::record::RecordReader;
use super::value::{FieldType, IdType, WORDS, is_role_or_type};
use crate::error::{Fault, excerpt};
use rustc_hash::FxHashSet;

/// Characters of a header in a note.
const SHOWN_CHARS_MAX: usize = 2_000;

/// The role of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// `key:ID(space)`: names the node; stored under the key, if there is one.
    Id {
        /// The property's key.
        key: Option<Box<str>>,
        /// Names are unique in here; the unnamed space is "".
        space: Box<str>,
        /// How ids are stored, and with which label they are unique.
        options: IdOptions,
    },
    /// `:LABEL`.
    Labels,
    /// `:START_ID(space)`.
    Start {
        /// Where the name is looked up.
        space: Box<str>,
    },
    /// `:END_ID(space)`.
    End {
        /// Where the name is looked up.
        space: Box<str>,
    },
    /// `:TYPE`.
    Type,
    /// `key:type`.
    Property {
        /// The key.
        key: Box<str>,
        /// The type of its values.
        kind: FieldType,
        /// What is said of them besides.
        options: PropertyOptions,
    },
    /// `:IGNORE`.
    Ignore,
    /// A field without a name or type, which must be empty in each row.
    Nameless,
}

impl Role {
    fn type_word(&self) -> String {
        if let Role::Property { kind, .. } = self { kind.word() } else { String::new() }
    }
}

/// A table's fields, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The role of each field.
    pub roles: Vec<Role>,
    /// The name of each field in the file, for messages.
    pub names: Vec<Box<str>>,
    /// The places of fields with a type that was guessed.
    pub(super) guessed: Vec<usize>,
    /// Whether a list is an array of JSON, as in tables that are made of Parquet.
    pub(super) json_lists: bool,
}

impl Header {
    /// The place of the first field that `accepts` a role.
    pub(super) fn place(&self, accepts: impl Fn(&Role) -> bool) -> Option<usize> {
        self.roles.iter().position(accepts)
    }

    /// The place of the id, and how ids are compared.
    pub(super) fn id(&self) -> Option<(usize, IdType)> {
        self.roles.iter().enumerate().find_map(|(at, role)| match role {
            Role::Id { options, .. } => Some((at, options.id_type)),
            _ => None,
        })
    }

    /// What is wrong with a field's value, and what to do if its type was guessed.
    #[cold]
    pub(super) fn fault(&self, at: usize, detail: &str) -> Fault {
        let name = &self.names[at];
        let hint = match self.guessed.contains(&at) {
            true => format!(
                "; the first rows made it a {}: say --types '{}:string', or --max-bad N to leave such rows out",
                self.roles[at].type_word(),
                name.trim()
            ),
            false => String::new(),
        };
        Fault::new(at, format!("{name}: {detail}{hint}"))
    }

    /// The fields that name both ends, if there are both.
    pub(super) fn ends(&self) -> Option<[End<'_>; 2]> {
        let end = |space_of: fn(&Role) -> Option<&str>| {
            let fields = self.roles.iter().enumerate();
            fields.filter_map(|(at, role)| Some(End { at, space: space_of(role)? })).next()
        };
        let source = end(|role| if let Role::Start { space } = role { Some(space) } else { None });
        let target = end(|role| if let Role::End { space } = role { Some(space) } else { None });
        Some([source?, target?])
    }

    /// The keys of property fields.
    pub(super) fn property_names(&self) -> impl Iterator<Item = &str> {
        self.roles.iter().filter_map(|role| match role {
            Role::Property { key, .. } => Some(&**key),
            _ => None,
        })
    }

    /// The header as it would be with types, for a message.
    pub(super) fn text(&self) -> String {
        let with_space = |word: &str, space: &str| match space {
            "" => word.to_owned(),
            space => format!("{word}({space})"),
        };
        let fields = self.roles.iter().zip(&self.names).map(|(role, name)| match role {
            Role::Id { space, options, .. } => {
                let id = with_space(&format!("{name}:ID"), space);
                match options.id_type {
                    IdType::Text => id,
                    IdType::Integer => format!("{id}{{id-type:{}}}", options.id_type.word()),
                }
            }
            Role::Start { space } => with_space(":START_ID", space),
            Role::End { space } => with_space(":END_ID", space),
            Role::Property { key, kind, .. } if !has_type(name) => format!("{key}:{}", kind.word()),
            Role::Ignore if !has_type(name) => format!("{name}:IGNORE"),
            _ => name.to_string(),
        });
        let text = fields.collect::<Vec<_>>().join(",");
        match text.char_indices().nth(SHOWN_CHARS_MAX) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }

    /// The places of property fields.
    pub(super) fn property_fields(&self) -> impl Iterator<Item = usize> {
        let fields = self.roles.iter().enumerate();
        fields.filter(|(_, role)| matches!(role, Role::Property { .. })).map(|(at, _)| at)
    }

    /// Whether the fields are a node's.
    pub(super) fn has_node(&self) -> bool {
        self.place(|role| matches!(role, Role::Id { .. } | Role::Labels)).is_some()
    }
}

/// A field that names an end.
#[derive(Clone, Copy)]
pub(super) struct End<'a> {
    /// Its place.
    pub(super) at: usize,
    /// Where the name is looked up.
    pub(super) space: &'a str,
}

/// What the names of a header may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// A colon stands before a role or a type.
    Typed,
    /// Any text; a colon before another word belongs to it.
    Plain,
}

/// Reads a header line; a fault's place is the field's number from 0.
pub fn parse_header(line: &str, dialect: Dialect) -> Result<Header, Fault> {
    parse_names(line, dialect, Names::Typed)
}

/// The same, of names of a kind.
pub(super) fn parse_names(line: &str, dialect: Dialect, names: Names) -> Result<Header, Fault> {
    let mut reader = RecordReader::new(Dialect { comment: None, null: None, ..dialect }, 0);
    let bytes = [line.as_bytes(), b"\n"].concat();
    let mut rest = bytes.as_slice();
    let record = match reader.next(&mut rest) {
        Some(record) => record.map_err(|(_, fault)| fault)?,
        None => return Err(Fault::new(0, "expected a header, found an empty line")),
    };
    let fields = record.fields();
    let roles: Vec<Role> = fields
        .clone()
        .enumerate()
        .map(|(at, field)| parse_role(field.trim(), names).map_err(|detail| Fault::new(at, detail)))
        .collect::<Result<_, _>>()?;
    check_repeats(&roles)?;
    Ok(Header {
        roles,
        names: fields.map(Box::from).collect(),
        guessed: Vec::new(),
        json_lists: false,
    })
}

fn parse_role(field: &str, names: Names) -> Result<Role, String> {
    if names == Names::Plain && !has_type(field) {
        return match field {
            "" => Ok(Role::Nameless),
            name => property(name, "string", &[]),
        };
    }
    if field.is_empty() {
        return Ok(Role::Nameless);
    }
    let (field, options) = options::split(field)?;
    let Some((key, kind)) = field.rsplit_once(':') else {
        return property(field, "string", &options);
    };
    refuse_two_types(field, key)?;
    let (kind, space) = match kind.split_once('(') {
        Some((kind, space)) => (kind, Some(close(space, field)?)),
        None => (kind, None),
    };
    let only_ends = |role| match space {
        None => {
            options::none(&options, &format!(":{}", kind.to_ascii_uppercase()))?;
            Ok(role)
        }
        Some(_) => Err(format!("only ID, START_ID and END_ID have an id space: '{field}'")),
    };
    let has_space = space.is_some();
    let space = Box::from(space.unwrap_or_default());
    match &*kind.to_ascii_uppercase() {
        "ID" => {
            let key = (!key.is_empty()).then(|| key.into());
            Ok(Role::Id { key, space, options: options::of_id(&options)? })
        }
        "START_ID" | "END_ID" if !options.is_empty() => {
            let of =
                format!("{}, which compares ids as the nodes have them", kind.to_ascii_uppercase());
            options::none(&options, &of).map(|()| Role::Nameless)
        }
        "START_ID" => Ok(Role::Start { space }),
        "END_ID" => Ok(Role::End { space }),
        "LABEL" => only_ends(Role::Labels),
        "TYPE" => only_ends(Role::Type),
        "IGNORE" => only_ends(Role::Ignore),
        _ if !has_space => property(key, kind, &options),
        _ => only_ends(Role::Nameless),
    }
}

/// Whether a field says its role or type.
pub(super) fn has_type(field: &str) -> bool {
    let typed = options::split(field).map_or(field, |(typed, _)| typed);
    typed.rsplit_once(':').is_some_and(|(_, word)| is_role_or_type(word))
}

/// Without this check the last type of a field would win, and the text before it would become its name.
fn refuse_two_types(field: &str, key: &str) -> Result<(), String> {
    let Some((_, first)) = key.rsplit_once(':') else { return Ok(()) };
    match is_role_or_type(first) {
        true => Err(format!("'{}' has two types: write one of them", excerpt(field))),
        false => Ok(()),
    }
}

fn close<'a>(space: &'a str, field: &str) -> Result<&'a str, String> {
    space.strip_suffix(')').ok_or_else(|| format!("expected ')' at the end of '{field}'"))
}

fn property(key: &str, word: &str, options: &[(&str, &str)]) -> Result<Role, String> {
    let kind = FieldType::from_word(word).ok_or_else(|| {
        let known: Vec<_> = WORDS.iter().map(|(word, _)| *word).collect();
        let known = known.join(" ");
        format!(
            "'{}' is not a field type: expected ID START_ID END_ID LABEL TYPE IGNORE {known}, or \
             one of the latter with []",
            excerpt(word)
        )
    })?;
    match key {
        "" => Err(format!("expected a property's name before ':{word}'")),
        key => {
            let options = options::of_property(kind, options)?;
            Ok(Role::Property { key: key.into(), kind, options })
        }
    }
}

/// Two fields for one purpose would make one of them silently lose.
pub(super) fn check_repeats(roles: &[Role]) -> Result<(), Fault> {
    let purpose = |role: &Role| match role {
        Role::Id { .. } => Some(":ID".to_string()),
        Role::Start { .. } => Some(":START_ID".to_string()),
        Role::End { .. } => Some(":END_ID".to_string()),
        Role::Type => Some(":TYPE".to_string()),
        Role::Property { key, .. } => Some(format!("the property '{key}'")),
        Role::Labels | Role::Ignore | Role::Nameless => None,
    };
    let ids = roles.iter().filter_map(|role| match role {
        Role::Id { key, .. } => key.as_ref(),
        _ => None,
    });
    let (ids, mut seen) = (ids.collect::<FxHashSet<_>>(), FxHashSet::default());
    for (at, role) in roles.iter().enumerate() {
        let Some(name) = purpose(role) else { continue };
        if !seen.insert(name.clone()) {
            let hint = match role {
                Role::Id { .. } => ": an id of several fields is not read, join them in one",
                _ => "",
            };
            return Err(Fault::new(at, format!("{name} occurs twice in this header{hint}")));
        }
        let Role::Property { key, .. } = role else { continue };
        if ids.contains(key) {
            return Err(Fault::new(at, format!("'{key}' is the id's name already")));
        }
    }
    Ok(())
}
