//! Tables whose headers are names only: which column is the id, or names the ends of relationships, is said
//! beside them, and types are said or guessed.

use super::dialect::Dialect;
use super::header::{Header, Role, check_repeats, has_type};
use super::options::IdOptions;
use super::record::RecordReader;
use super::table::TableKind;
use super::value::{ElementType, FieldType, IdType};
use crate::error::{LoadError, excerpt};
use std::fmt;
use std::sync::Arc;

/// What is said of tables without types in their headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainColumns {
    /// What a row is; `None`: as the header says.
    pub rows: Option<PlainRows>,
    /// Types of columns that are not guessed.
    pub types: Vec<ColumnType>,
}

/// What a row of a table without types is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlainRows {
    /// A node.
    Nodes {
        /// Its labels. The first is the space of its id.
        labels: Vec<Arc<str>>,
        /// The column of its id, if it has one.
        id: Option<Box<str>>,
    },
    /// A relationship.
    Relationships {
        /// Its type.
        edge_type: Arc<str>,
        /// The columns that name its source and its target.
        ends: [PlainEnd; 2],
    },
    /// An edge of a list, and the nodes that it names.
    Edges {
        /// Labels of the nodes; behind a comma, those of the targets.
        label: Box<str>,
        /// The key of their ids, if it is said.
        id: Option<Box<str>>,
        /// The type of the edges.
        edge_type: Arc<str>,
    },
}

/// A column that names an end: `COLUMN`, or `COLUMN(SPACE)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainEnd {
    /// The column.
    pub column: Box<str>,
    /// The space of its ids; `None`: the only one.
    pub space: Option<Box<str>>,
}

impl PlainEnd {
    /// Reads `COLUMN` or `COLUMN(SPACE)`.
    pub fn parse(argument: &str) -> Result<Self, LoadError> {
        let parts = argument.strip_suffix(')').and_then(|text| text.rsplit_once('('));
        let (column, space) = match parts {
            Some((column, space)) => (column, Some(Box::from(space))),
            None => (argument, None),
        };
        match column {
            "" => Err(LoadError::Input("expected a column, as in person_id or id(Person)".into())),
            column => Ok(Self { column: column.into(), space }),
        }
    }
}

impl fmt::Display for PlainEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.space {
            Some(space) => write!(f, "{}({space})", self.column),
            None => f.write_str(&self.column),
        }
    }
}

/// Labels in one argument: `Person`, `Person:Admin`.
pub(super) fn labels(argument: &str) -> Vec<Arc<str>> {
    argument.split(':').filter(|label| !label.is_empty()).map(Arc::from).collect()
}

/// A column and its type: `age:int`, `born:date`, `notes:IGNORE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnType {
    column: Box<str>,
    word: Box<str>,
    /// `None`: its values are not loaded.
    kind: Option<FieldType>,
}

impl ColumnType {
    /// Reads columns with their types, a comma between two; a name with a comma stands in quotes.
    pub fn parse_list(argument: &str) -> Result<Vec<Self>, LoadError> {
        let mut reader = RecordReader::new(Dialect::default(), 0);
        let line = [argument.as_bytes(), b"\n"].concat();
        let mut rest = line.as_slice();
        let record = match reader.next(&mut rest) {
            Some(Ok(record)) => record,
            Some(Err((_, fault))) => return Err(LoadError::Input(fault.detail)),
            None => return Err(not_a_type("")),
        };
        record.fields().map(|field| Self::parse(field.trim())).collect()
    }

    /// A column of a type.
    #[cfg(feature = "parquet")]
    pub(super) fn of(column: &str, kind: FieldType) -> Self {
        Self { column: column.into(), word: kind.word().into(), kind: Some(kind) }
    }

    /// The column.
    pub(crate) fn column(&self) -> &str {
        &self.column
    }

    /// Its type; `None` if its values are not loaded.
    pub(crate) fn kind(&self) -> Option<FieldType> {
        self.kind
    }

    fn parse(text: &str) -> Result<Self, LoadError> {
        let (column, word) = text.rsplit_once(':').ok_or_else(|| not_a_type(text))?;
        let kind = match word.eq_ignore_ascii_case("IGNORE") {
            true => None,
            false => Some(FieldType::from_word(word).ok_or_else(|| not_a_type(text))?),
        };
        match column.is_empty() {
            true => Err(not_a_type(text)),
            false => Ok(Self { column: column.into(), word: word.into(), kind }),
        }
    }
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column.contains([',', '"']) {
            true => write!(f, "\"{}:{}\"", self.column.replace('"', "\"\""), self.word),
            false => write!(f, "{}:{}", self.column, self.word),
        }
    }
}

fn not_a_type(text: &str) -> LoadError {
    LoadError::Input(format!(
        "'{}' is not a column with its type: write columns as age:int,born:date,notes:IGNORE, with the types \
         of a header",
        excerpt(text)
    ))
}

impl PlainColumns {
    /// Whether a column is said by its name.
    pub(super) fn names(&self, column: &str) -> bool {
        let is_end = match &self.rows {
            Some(PlainRows::Nodes { id, .. } | PlainRows::Edges { id, .. }) => {
                id.as_deref() == Some(column)
            }
            Some(PlainRows::Relationships { ends, .. }) => {
                ends.iter().any(|end| &*end.column == column)
            }
            None => false,
        };
        is_end || self.types.iter().any(|said| &*said.column == column)
    }
}

/// A header as it is with what is said beside it.
#[derive(Debug)]
pub(super) struct Described {
    pub(super) kind: TableKind,
    pub(super) header: Header,
    /// The places of properties with a type that has to be guessed.
    pub(super) untyped: Vec<usize>,
    /// Which ends are in the only space, whatever its name.
    pub(super) in_only_space: [bool; 2],
}

impl PlainRows {
    /// What is said in words: labels and perhaps an id, or a type and both ends, or labels and a type, or nothing.
    pub fn said(
        label: Option<&str>,
        id: Option<&str>,
        edge_type: Option<&str>,
        from: Option<&str>,
        to: Option<&str>,
    ) -> Result<Option<Self>, LoadError> {
        let refuse = |detail: &str| Err(LoadError::Input(detail.to_owned()));
        match (label, edge_type) {
            (Some(label), Some(edge_type)) if from.is_none() && to.is_none() => {
                if labels(label).is_empty() || edge_type.is_empty() {
                    return refuse("expected a label and a type, as in Person and KNOWS");
                }
                let (label, id) = (label.into(), id.map(Box::from));
                Ok(Some(Self::Edges { label, id, edge_type: edge_type.into() }))
            }
            (Some(_), Some(_)) => refuse(
                "rows are nodes (label) or relationships (type): load one kind after the other",
            ),
            (Some(_), None) if from.is_some() || to.is_some() => {
                refuse("rows with a label are nodes, which have no from and to")
            }
            (Some(label), None) => {
                let labels = labels(label);
                if labels.is_empty() {
                    return refuse("expected a label, as in Person or Person:Admin");
                }
                Ok(Some(Self::Nodes { labels, id: id.map(Box::from) }))
            }
            (None, Some(edge_type)) => match (from, to, id) {
                (Some(from), Some(to), None) if !edge_type.is_empty() => {
                    let ends = [PlainEnd::parse(from)?, PlainEnd::parse(to)?];
                    Ok(Some(Self::Relationships { edge_type: edge_type.into(), ends }))
                }
                _ => refuse("relationships have a type, and columns for both ends: from and to"),
            },
            (None, None) if id.is_some() || from.is_some() || to.is_some() => {
                refuse("columns are said of rows with a label (id), or with a type (from, to)")
            }
            (None, None) => Ok(None),
        }
    }

    /// Gives the fields of a header their roles.
    pub(super) fn describe(
        &self,
        mut header: Header,
        types: &[ColumnType],
    ) -> Result<Described, String> {
        let is_role = |role: &Role| {
            !matches!(role, Role::Property { .. } | Role::Labels | Role::Ignore | Role::Nameless)
        };
        if let Some(at) = header.roles.iter().position(is_role) {
            let name = &header.names[at];
            return Err(format!(
                "this header has roles of its own ('{}'): leave out --label, --type and the columns",
                excerpt(name)
            ));
        }
        let mut untyped: Vec<usize> = (0..header.roles.len())
            .filter(|at| {
                matches!(header.roles[*at], Role::Property { .. }) && !has_type(&header.names[*at])
            })
            .collect();
        let mut in_only_space = [false; 2];
        let kind = match self {
            Self::Edges { .. } => {
                return Err(
                    "rows are nodes (label) or relationships (type, with from and to): load one kind after the \
                     other; edges that name their nodes themselves are lists (--format edgelist)"
                        .into(),
                );
            }
            Self::Nodes { labels, id } => {
                if let Some(column) = id {
                    let at = index_of(&header, column)?;
                    let space =
                        labels.first().map_or_else(Box::default, |label| Box::from(&**label));
                    let key = Some(column.clone());
                    header.roles[at] = Role::Id { key, space, options: IdOptions::default() };
                }
                TableKind::Nodes(labels.clone())
            }
            Self::Relationships { edge_type, ends: [source, target] } => {
                in_only_space = [source, target].map(|end| end.space.is_none());
                let space = |end: &PlainEnd| end.space.clone().unwrap_or_default();
                let places =
                    [index_of(&header, &source.column)?, index_of(&header, &target.column)?];
                if places[0] == places[1] {
                    return Err(format!("'{}' cannot name both ends", excerpt(&source.column)));
                }
                header.roles[places[0]] = Role::Start { space: space(source) };
                header.roles[places[1]] = Role::End { space: space(target) };
                TableKind::Relationships(Some(Arc::clone(edge_type)))
            }
        };
        set_types(&mut header, types, &mut untyped)?;
        check_repeats(&header.roles).map_err(|fault| fault.detail)?;
        Ok(Described { kind, header, untyped, in_only_space })
    }
}

/// Gives columns the types that are said.
pub(super) fn set_types(
    header: &mut Header,
    types: &[ColumnType],
    untyped: &mut Vec<usize>,
) -> Result<(), String> {
    for ColumnType { column, word, kind } in types {
        let at = index_of(header, column)?;
        let refuse = || Err(format!("'{column}' cannot be a {word}: it names nodes, or labels"));
        match (&mut header.roles[at], kind) {
            (Role::Id { options, .. }, Some(kind)) => match id_type_of(*kind) {
                Some(kind) => options.id_type = kind,
                None => {
                    return Err(format!("'{column}' is an id: a string or a long, not a {word}"));
                }
            },
            (Role::Property { kind, .. }, Some(wanted)) => *kind = *wanted,
            (role @ Role::Property { .. }, None) => *role = Role::Ignore,
            // How ids are compared follows from the nodes.
            (Role::Start { .. } | Role::End { .. }, Some(kind)) if id_type_of(*kind).is_some() => {}
            _ => return refuse(),
        }
    }
    let is_said = |at: &usize| types.iter().any(|said| *said.column == *header.names[*at].trim());
    untyped.retain(|at| !is_said(at) && matches!(header.roles[*at], Role::Property { .. }));
    Ok(())
}

fn id_type_of(kind: FieldType) -> Option<IdType> {
    match kind {
        FieldType { element: ElementType::String, array: false } => Some(IdType::Text),
        FieldType { element: ElementType::Integer, array: false } => Some(IdType::Integer),
        _ => None,
    }
}

/// The place of a column.
fn index_of(header: &Header, column: &str) -> Result<usize, String> {
    let names = header.names.iter().map(|name| name.trim());
    names.clone().position(|name| name == column).ok_or_else(|| {
        let all: Vec<&str> = names.collect();
        format!(
            "there is no column '{}': this header has {}",
            excerpt(column),
            excerpt(&all.join(", "))
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_read_as_they_are_shown() {
        for argument in ["age:int", "a b:date", "\"a,b:string[]\"", "x:IGNORE", "dc:title:string"] {
            let columns = ColumnType::parse_list(argument).unwrap();
            assert_eq!((columns.len(), columns[0].to_string()), (1, argument.to_owned()));
        }
        assert_eq!(ColumnType::parse_list("age:int, born:date").unwrap().len(), 2);
        for argument in ["", "age", ":int", "age:number", "age:int,", "\"age:int"] {
            assert!(ColumnType::parse_list(argument).is_err(), "{argument}");
        }
    }

    #[test]
    fn an_end_may_name_its_space() {
        for argument in ["id", "id(Person)", "a (b)(P)"] {
            assert_eq!(PlainEnd::parse(argument).unwrap().to_string(), argument);
        }
        assert_eq!(PlainEnd::parse("a(P)").unwrap().space.as_deref(), Some("P"));
        assert!(PlainEnd::parse("").is_err() && PlainEnd::parse("(P)").is_err());
    }
}
