//! What is said beside a list: labels, a type, and the names and types of its columns.

use super::head::Head;
use crate::csv::{ColumnType, ElementType, FieldType, IdType, PlainColumns, PlainRows};
use crate::error::{LoadError, excerpt};
use std::sync::Arc;

/// The key of ids that is usual.
pub(super) const ID_KEY: &str = "id";

/// Labels of nodes.
type Labels = Vec<Arc<str>>;

/// Labels and the type of a list.
pub(super) struct Said<'a> {
    /// Labels of all nodes, or of those at sources and at targets.
    pub(super) labels: Vec<Labels>,
    pub(super) edge_type: &'a Arc<str>,
    /// The key of ids, if it is said.
    pub(super) id: Option<&'a str>,
}

impl<'a> Said<'a> {
    /// What is said of a list; the error names the list and the words to say.
    pub(super) fn of(
        columns: &'a PlainColumns,
        file: &str,
        head: &Head,
    ) -> Result<Self, LoadError> {
        let Some(PlainRows::Edges { label, id, edge_type }) = &columns.rows else {
            let labels = if head.is_bipartite { "SOURCE,TARGET" } else { "LABEL" };
            return Err(LoadError::Input(format!(
                "{file}: this is {}: say the label of its nodes and the type of its edges: \
                 millrace load … --label {labels} --type TYPE {file}",
                head.description()
            )));
        };
        let labels: Vec<Labels> = label.split(',').map(labels_of).collect();
        let refuse = |detail: &str| Err(LoadError::Input(format!("{file}: {detail}")));
        match labels.len() {
            _ if labels.iter().any(Vec::is_empty) => {
                refuse("expected labels on both sides of the comma, as in Person,Item")
            }
            1 if head.is_bipartite => refuse(
                "its sources and its targets are nodes of two kinds, each with ids of its own: say both labels, as \
                 --label Person,Item",
            ),
            2 if labels[0][0] == labels[1][0] => {
                refuse("two labels are for nodes of two kinds: say one, or others")
            }
            1 | 2 => Ok(Self { labels, edge_type, id: id.as_deref() }),
            _ => refuse(
                "nodes of a list have one label, or two with a comma: of sources, of targets",
            ),
        }
    }

    /// The place of the labels of sources and of targets.
    pub(super) fn ends(&self) -> [usize; 2] {
        [0, self.labels.len() - 1]
    }
}

/// A column behind the ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property {
    pub(super) name: Box<str>,
    /// `None`: its values are not loaded.
    pub(super) kind: Option<FieldType>,
    pub(super) is_guessed: bool,
}

impl Property {
    /// A column that is not guessed.
    pub(super) fn new(name: &str, element: ElementType) -> Self {
        let kind = Some(FieldType { element, array: false });
        Self { name: name.into(), kind, is_guessed: false }
    }

    /// As `--types` says it.
    pub(super) fn text(&self) -> String {
        let kind = self.kind.map_or_else(|| "IGNORE".to_owned(), FieldType::word);
        format!("{}:{kind}", self.name)
    }
}

/// The type of ids that is said.
pub(super) fn id_type(said: &[ColumnType], key: &str) -> Result<Option<IdType>, LoadError> {
    let Some(column) = said.iter().find(|column| column.column() == key) else { return Ok(None) };
    match column.kind() {
        Some(FieldType { element: ElementType::String, array: false }) => Ok(Some(IdType::Text)),
        Some(FieldType { element: ElementType::Integer, array: false }) => {
            Ok(Some(IdType::Integer))
        }
        _ => {
            let detail = format!("'{column}': an id is a string or a long");
            Err(LoadError::Input(detail))
        }
    }
}

/// Gives columns the types that are said. Other names, as many as there are columns, rename them.
pub(super) fn set_types(
    properties: &mut [Property],
    said: &[ColumnType],
    key: &str,
) -> Result<(), LoadError> {
    let said: Vec<&ColumnType> = said.iter().filter(|column| column.column() != key).collect();
    let place = |column: &ColumnType| {
        properties.iter().position(|property| *property.name == *column.column())
    };
    let mut places: Vec<Option<usize>> = said.iter().map(|column| place(column)).collect();
    let are_names = said.len() == properties.len() && places.contains(&None);
    if are_names {
        places = (0..said.len()).map(Some).collect();
    }
    for (column, place) in said.into_iter().zip(places) {
        let Some(place) = place else {
            let names: Vec<String> = properties.iter().map(Property::text).collect();
            return Err(LoadError::Input(format!(
                "there is no column '{}': behind the ids there are {}; to name them, say all",
                excerpt(column.column()),
                if names.is_empty() { "none".to_owned() } else { names.join(", ") }
            )));
        };
        let name = column.column().into();
        properties[place] = Property { name, kind: column.kind(), is_guessed: false };
    }
    let mut names: Vec<&str> = properties.iter().map(|property| &*property.name).collect();
    names.sort_unstable();
    match names.windows(2).find(|two| two[0] == two[1]) {
        None => Ok(()),
        Some(two) => Err(LoadError::Input(format!("the column '{}' is named twice", two[0]))),
    }
}

fn labels_of(text: &str) -> Labels {
    text.split(':').map(str::trim).filter(|label| !label.is_empty()).map(Arc::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(said: &str) -> Result<String, String> {
        let mut properties = vec![
            Property::new("weight", ElementType::Double),
            Property::new("time", ElementType::Integer),
        ];
        let said = ColumnType::parse_list(said).unwrap();
        set_types(&mut properties, &said, ID_KEY).map_err(|error| error.to_string())?;
        let texts: Vec<String> = properties.iter().map(Property::text).collect();
        Ok(texts.join(","))
    }

    #[test]
    fn columns_are_said_by_their_names_or_renamed_in_their_order() {
        assert_eq!(typed("id:string,time:IGNORE").unwrap(), "weight:double,time:IGNORE");
        assert_eq!(typed("rating:int,at:string").unwrap(), "rating:long,at:string");
        let unknown = typed("rating:int").unwrap_err();
        assert!(unknown.contains("no column 'rating'"), "{unknown}");
        assert!(unknown.contains("weight:double, time:long"), "{unknown}");
        assert!(typed("a:int,a:int").unwrap_err().contains("named twice"));
    }
}
