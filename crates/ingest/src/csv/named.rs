//! Tables by the names of their files: neo4j-admin's `--nodes` and `--relationships` arguments, and
//! its words for delimiters. Nothing here opens a file.

use super::plain;
use super::table::TableKind;
use crate::error::LoadError;
use std::fmt;
use std::sync::Arc;

/// The files of one table; the first starts with the header and may hold nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTable {
    /// The kind of the rows.
    pub kind: TableKind,
    /// The names of the files.
    pub files: Vec<String>,
}

impl NamedTable {
    /// `[Label[:Label]…=]header.csv[,part.csv]…`: a table of nodes.
    pub fn nodes(argument: &str) -> Result<Self, LoadError> {
        let (labels, files) = split(argument);
        Self::new(TableKind::Nodes(plain::labels(labels)), files)
    }

    /// `[TYPE=]header.csv[,part.csv]…`: a table of relationships.
    pub fn relationships(argument: &str) -> Result<Self, LoadError> {
        let (edge_type, files) = split(argument);
        let edge_type = (!edge_type.is_empty()).then(|| Arc::from(edge_type));
        Self::new(TableKind::Relationships(edge_type), files)
    }

    fn new(kind: TableKind, files: &str) -> Result<Self, LoadError> {
        let names = files.split(',').map(str::trim).filter(|name| !name.is_empty());
        let files: Vec<String> = names.map(str::to_owned).collect();
        match files.is_empty() {
            true => Err(LoadError::Input("expected a file after the label or type".into())),
            false => Ok(Self { kind, files }),
        }
    }
}

/// As [`NamedTable::nodes`] and [`NamedTable::relationships`] read it.
impl fmt::Display for NamedTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match &self.kind {
            TableKind::Nodes(labels) => labels.join(":"),
            TableKind::Relationships(edge_type) => edge_type.as_deref().unwrap_or("").to_owned(),
        };
        write!(f, "{words}={}", self.files.join(","))
    }
}

/// Splits at the first `=` only: file names may contain others.
fn split(argument: &str) -> (&str, &str) {
    argument.split_once('=').unwrap_or(("", argument))
}

/// A delimiter of fields: one ASCII character, or `TAB`.
pub fn field_delimiter(word: &str) -> Result<u8, LoadError> {
    match u8::try_from(array_delimiter(word)?) {
        Ok(delimiter) if delimiter.is_ascii() => Ok(delimiter),
        _ => Err(LoadError::Input(format!("'{word}' is not an ASCII character: fields need one"))),
    }
}

/// Parses a quote or a comment character: one ASCII character.
pub fn ascii_character(word: &str) -> Result<u8, LoadError> {
    match word.as_bytes() {
        [byte] if byte.is_ascii_graphic() => Ok(*byte),
        _ => Err(LoadError::Input(format!("expected one ASCII character, found '{word}'"))),
    }
}

/// A delimiter of array elements: one character, or `TAB`.
pub fn array_delimiter(word: &str) -> Result<char, LoadError> {
    let mut characters = word.chars();
    match (word, characters.next(), characters.next()) {
        ("TAB" | "\\t", ..) => Ok('\t'),
        (_, Some('"' | '\n' | '\r'), None) => {
            Err(LoadError::Input("quotes and line ends can't be delimiters".into()))
        }
        (_, Some(delimiter), None) => Ok(delimiter),
        _ => {
            let detail = format!("expected one character or TAB as a delimiter, found '{word}'");
            Err(LoadError::Input(detail))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_reads_as_it_is_shown() {
        for argument in ["P:Q=h.csv,a=1.csv", "=h.csv"] {
            assert_eq!(NamedTable::nodes(argument).unwrap().to_string(), argument);
            assert_eq!(NamedTable::relationships(argument).unwrap().to_string(), argument);
        }
        let table = NamedTable::nodes(" h.csv , 1.csv").unwrap();
        assert_eq!((table.kind, table.files.len()), (TableKind::Nodes(Vec::new()), 2));
        assert!(NamedTable::nodes("P=").unwrap_err().to_string().contains("expected a file"));
    }

    #[test]
    fn a_delimiter_is_one_character_and_no_quote() {
        let delimiter = |word| field_delimiter(word).map_err(|error| error.to_string());
        assert_eq!((delimiter("|"), delimiter("TAB"), delimiter("\\t")), (Ok(b'|'), Ok(9), Ok(9)));
        assert_eq!(array_delimiter("\u{1}").unwrap(), '\u{1}');
        assert_eq!(array_delimiter("\u{b7}").unwrap(), '\u{b7}');
        for word in ["", "||", "\"", "\n", "\u{b7}", "tab"] {
            assert!(delimiter(word).is_err(), "{word}");
        }
    }
}
