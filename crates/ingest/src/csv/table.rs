//! The tables of a load, opened: the kind of each, its header, and the rest of its files.

use super::dialect::Dialect;
use super::header::{Header, Role, parse_header};
use super::{delimiters, hints};
use crate::error::{BadRow, LoadError};
use crate::format::Format;
use crate::progress::{self, Meter};
use crate::source::{BlockReader, Source};
use std::sync::Arc;

/// The kind of a table's rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// Nodes, with labels besides those in the rows.
    Nodes(Vec<Arc<str>>),
    /// Relationships, with the type of rows that don't say.
    Relationships(Option<Arc<str>>),
}

/// The files of one table; the first starts with the header and may hold nothing else.
pub struct TableFiles {
    /// The kind of the rows; `None` if the header decides it.
    pub kind: Option<TableKind>,
    /// The files.
    pub sources: Vec<Source>,
}

impl TableFiles {
    /// A table whose header decides its kind.
    pub fn of(sources: Vec<Source>) -> Self {
        Self { kind: None, sources }
    }
}

/// A table that is ready to be read.
pub(super) struct Table {
    pub(super) kind: TableKind,
    pub(super) header: Header,
    pub(super) readers: Vec<BlockReader>,
}

/// All tables of a load, in the order they are read.
pub(crate) struct Tables {
    pub(super) nodes: Vec<Table>,
    pub(super) edges: Vec<Table>,
}

impl Tables {
    pub(super) fn open(
        tables: Vec<TableFiles>,
        dialect: Dialect,
        meter: &mut Meter<'_>,
    ) -> Result<Tables, LoadError> {
        let sizes = tables.iter().flat_map(|table| &table.sources).map(|source| source.bytes);
        meter.expect_bytes(sizes);
        let tables = tables
            .into_iter()
            .map(|files| open(files, dialect, meter))
            .collect::<Result<Vec<_>, _>>()?;
        let (nodes, edges) =
            tables.into_iter().partition(|table| matches!(table.kind, TableKind::Nodes(_)));
        Ok(Tables { nodes, edges })
    }
}

fn open(files: TableFiles, dialect: Dialect, meter: &mut Meter<'_>) -> Result<Table, LoadError> {
    let mut readers = files
        .sources
        .into_iter()
        .enumerate()
        .map(|(at, source)| progress::open(source, at, Format::Csv, dialect.line_ends(), meter))
        .collect::<Result<Vec<_>, _>>()?;
    let first =
        readers.first_mut().ok_or_else(|| LoadError::Input("a table without files".into()))?;
    let file = Arc::clone(&first.file);
    let bad = |column: u64, detail: String| {
        LoadError::BadRow(BadRow { file: Arc::clone(&file), line: 1, column, detail })
    };
    let line = first
        .header(dialect.comment)?
        .ok_or_else(|| bad(1, "expected a header, found no line".into()))?;
    if delimiters::of_header(&line, dialect).is_some() {
        let given = delimiters::name(char::from(dialect.delimiter));
        let hint = hints::of_other(&line, dialect).unwrap_or_default();
        let detail = format!("expected the header's fields between {given}, found none; {hint}");
        return Err(bad(1, detail));
    }
    let header = parse_header(&line, dialect).map_err(|fault| {
        let hint =
            hints::of_other(&line, dialect).map_or_else(String::new, |hint| format!("; {hint}"));
        bad(fault.at as u64 + 1, fault.detail + &hint)
    })?;
    let is_named = files.kind.is_some();
    let kind = kind_of(files.kind, &header, || hints::neither(&line, dialect));
    let kind = kind.map_err(|detail| bad(1, detail))?;
    if is_named && let Some(note) = hints::of_values(&file, header.property_names()) {
        meter.note(note);
    }
    Ok(Table { kind, header, readers })
}

fn kind_of(
    wanted: Option<TableKind>,
    header: &Header,
    neither: impl FnOnce() -> String,
) -> Result<TableKind, String> {
    let found = match (wanted, header.ends().is_some()) {
        (Some(kind), _) => kind,
        (None, true) => TableKind::Relationships(None),
        (None, false) if header.has_node() => TableKind::Nodes(Vec::new()),
        (None, false) => return Err(neither()),
    };
    let has_type = header.place(|role| matches!(role, Role::Type)).is_some();
    match &found {
        TableKind::Relationships(_) if header.ends().is_none() => {
            Err("expected :START_ID and :END_ID in the header of relationships".into())
        }
        TableKind::Relationships(None) if !has_type => {
            Err("expected :TYPE in the header, or a type given for the table".into())
        }
        TableKind::Nodes(_) if header.ends().is_some() || has_type => {
            Err(":START_ID, :END_ID and :TYPE have no place in a header of nodes".into())
        }
        TableKind::Relationships(_) if header.has_node() => {
            Err(":ID and :LABEL have no place in a header of relationships".into())
        }
        _ => Ok(found),
    }
}
