//! The tables of a load, opened: the kind of each, its header, and the rest of its files.

use super::apoc::{ApocColumns, ApocTable};
use super::dialect::Dialect;
use super::guess::Column;
use super::header::{Header, Names, Role, parse_names};
use super::plain::{Described, PlainColumns};
use super::record::RecordReader;
use super::spaces::KnownSpaces;
use super::{delimiters, guess, hints, whole_line};
use crate::error::{BadRow, LoadError};
use crate::format::Format;
use crate::progress::{self, Meter};
use crate::source::{BlockReader, Source};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The kind of a table's rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    /// What is said of a header without types.
    pub plain: PlainColumns,
    /// The files.
    pub sources: Vec<Source>,
    /// Whether they are Parquet.
    pub is_parquet: bool,
}

impl TableFiles {
    /// A table whose header decides its kind.
    pub fn of(sources: Vec<Source>) -> Self {
        Self { kind: None, plain: PlainColumns::default(), sources, is_parquet: false }
    }
}

/// A table that is ready to be read.
pub(super) struct Table {
    pub(super) kind: TableKind,
    pub(super) header: Header,
    pub(super) readers: Vec<BlockReader>,
    /// Which ends are in the only space that there is.
    pub(super) in_only_space: [bool; 2],
    /// What the columns of [`Header::guessed`] may be by the first rows of its own files.
    pub(super) guesses: Vec<Column>,
    /// Whether a note shows its types.
    pub(super) is_plain: bool,
}

/// All tables of a load, in the order they are read. Those of APOC are nodes and relationships in one.
pub(crate) struct Tables {
    pub(super) nodes: Vec<Table>,
    pub(super) edges: Vec<Table>,
    pub(super) apoc: Vec<ApocTable>,
}

/// A table by its header.
enum Opened {
    Table(Table),
    Apoc(ApocTable),
}

impl Tables {
    pub(super) fn open(
        tables: Vec<TableFiles>,
        dialect: Dialect,
        meter: &mut Meter<'_>,
    ) -> Result<Tables, LoadError> {
        let sources = tables.iter().flat_map(|table| {
            // What is read of Parquet is its lines, of which no size is known.
            table.sources.iter().map(|source| source.bytes.filter(|_| !table.is_parquet))
        });
        meter.expect_bytes(sources);
        let (mut nodes, mut edges, mut apoc) = (Vec::new(), Vec::new(), Vec::new());
        for files in tables {
            match open(files, dialect, meter)? {
                Opened::Apoc(table) => apoc.push(table),
                Opened::Table(table) => match table.kind {
                    TableKind::Nodes(_) => nodes.push(table),
                    TableKind::Relationships(_) => edges.push(table),
                },
            }
        }
        let has_others = !nodes.is_empty() || !edges.is_empty();
        if has_others && !apoc.is_empty() {
            let detail = "tables of APOC keep the ids of their nodes, and others do not: load one kind after the \
                          other";
            return Err(LoadError::Input(detail.into()));
        }
        agree(&mut nodes);
        agree(&mut edges);
        Ok(Tables { nodes, edges, apoc })
    }

    /// Says how tables without types are read, once their spaces are known.
    pub(super) fn note(&self, meter: &mut Meter<'_>) {
        for table in self.nodes.iter().chain(&self.edges).filter(|table| table.is_plain) {
            let file = table.readers.first().map_or("", |reader| &*reader.file);
            meter.note(format!("{file}: read as {}", table.header.text()));
        }
    }

    /// Gives ends without a space the only one that this load or the graph has.
    pub(super) fn find_spaces(&mut self, known: &KnownSpaces) -> Result<(), LoadError> {
        if !self.edges.iter().any(|table| table.in_only_space.contains(&true)) {
            return Ok(());
        }
        let ids = self.nodes.iter().flat_map(|table| &table.header.roles);
        let own = ids.filter_map(|role| match role {
            Role::Id { space, .. } => Some(space.clone()),
            _ => None,
        });
        let spaces: BTreeSet<Box<str>> = own.chain(known.names()).collect();
        let only = match spaces.iter().collect::<Vec<_>>()[..] {
            [only] => only.clone(),
            [] => {
                let detail = "no nodes with ids that are kept are in this load or in the graph: load them \
                              first, as by --label LABEL --id COLUMN";
                return Err(LoadError::Input(detail.into()));
            }
            _ => {
                let names: Vec<_> = spaces.iter().map(|space| format!("'{space}'")).collect();
                return Err(LoadError::Input(format!(
                    "nodes have ids in several spaces here, {}: say which, as --from 'COLUMN(SPACE)'",
                    names.join(", ")
                )));
            }
        };
        for table in &mut self.edges {
            for role in &mut table.header.roles {
                match role {
                    Role::Start { space } if table.in_only_space[0] => *space = only.clone(),
                    Role::End { space } if table.in_only_space[1] => *space = only.clone(),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

fn open(files: TableFiles, dialect: Dialect, meter: &mut Meter<'_>) -> Result<Opened, LoadError> {
    if files.is_parquet {
        #[cfg(feature = "parquet")]
        return super::parquet::open_table(files, dialect, meter).map(Opened::Table);
        #[cfg(not(feature = "parquet"))]
        return Err(LoadError::Input(
            "this build does not read Parquet: build with the feature `parquet`, or write CSV"
                .into(),
        ));
    }
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
    let row = || first_row(&mut readers, dialect);
    if let Some(detail) = whole_line::fault(&line, dialect, &files.plain, row)? {
        return Err(bad(1, detail));
    }
    if files.kind.is_none()
        && files.plain.rows.is_none()
        && let Some(columns) = apoc_columns(&line, dialect)
    {
        return Ok(Opened::Apoc(ApocTable { columns, readers, types: files.plain.types }));
    }
    let names = if files.plain.rows.is_some() { Names::Plain } else { Names::Typed };
    let header = parse_names(&line, dialect, names).map_err(|fault| {
        let hint =
            hints::of_other(&line, dialect).map_or_else(String::new, |hint| format!("; {hint}"));
        bad(fault.at as u64 + 1, fault.detail + &hint)
    })?;
    if let Some(rows) = &files.plain.rows {
        let described = rows.describe(header, &files.plain.types);
        let described = described.map_err(|detail| bad(1, detail))?;
        return guessed(described, readers, dialect, meter).map(Opened::Table);
    }
    if let Some(said) = files.plain.types.first() {
        let detail = format!(
            "'{said}' is said of a table whose header has no types: write types into this header, or say \
             --label or --type of it"
        );
        return Err(bad(1, detail));
    }
    let is_named = files.kind.is_some();
    let kind = kind_of(files.kind, &header, || hints::neither(&line, dialect));
    let kind = kind.map_err(|detail| bad(1, detail))?;
    if is_named && let Some(note) = hints::of_values(&file, header.property_names()) {
        meter.note(note);
    }
    let (in_only_space, guesses) = ([false; 2], Vec::new());
    Ok(Opened::Table(Table { kind, header, readers, in_only_space, guesses, is_plain: false }))
}

/// The first line behind the header that is neither blank nor a comment.
fn first_row(readers: &mut [BlockReader], dialect: Dialect) -> Result<Option<String>, LoadError> {
    for reader in readers {
        let Some(block) = reader.show_block()? else { continue };
        let mut lines = block.bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let line =
            lines.find(|line| line.first().is_some_and(|byte| Some(*byte) != dialect.comment));
        if let Some(line) = line {
            return Ok(Some(String::from_utf8_lossy(line).into_owned()));
        }
    }
    Ok(None)
}

/// The columns of a header that is one of APOC.
fn apoc_columns(line: &str, dialect: Dialect) -> Option<ApocColumns> {
    let mut reader = RecordReader::new(Dialect { comment: None, null: None, ..dialect }, 0);
    let line = [line.as_bytes(), b"\n"].concat();
    let mut rest = line.as_slice();
    let record = reader.next(&mut rest)?.ok()?;
    ApocColumns::of(&record.fields().collect::<Vec<_>>())
}

/// A table whose first rows are seen.
fn guessed(
    described: Described,
    mut readers: Vec<BlockReader>,
    dialect: Dialect,
    meter: &mut Meter<'_>,
) -> Result<Table, LoadError> {
    let Described { kind, mut header, untyped, in_only_space } = described;
    let (guesses, bytes) = guess::types_of(&mut readers, &header, dialect, &untyped)?;
    meter.hold(bytes)?;
    header.guessed = untyped;
    Ok(Table { kind, header, readers, in_only_space, guesses, is_plain: true })
}

/// Gives each column that is guessed the type that the first rows of all files fit which have one of its name
/// under the same labels or type: one property has one type, however its rows are spread over files.
fn agree(tables: &mut [Table]) {
    let mut seen: FxHashMap<(TableKind, Box<str>), Column> = FxHashMap::default();
    for Table { kind, header, guesses, .. } in &*tables {
        for (at, column) in header.guessed.iter().zip(guesses) {
            let Role::Property { key, .. } = &header.roles[*at] else { continue };
            seen.entry((kind.clone(), key.clone()))
                .and_modify(|all| all.join(column))
                .or_insert_with(|| column.clone());
        }
    }
    for Table { kind: of, header, .. } in tables {
        for at in &header.guessed {
            let Role::Property { key, kind, options, .. } = &mut header.roles[*at] else {
                continue;
            };
            if let Some(column) = seen.get(&(of.clone(), key.clone())) {
                (*kind, options.is_guessed) = (column.kind(), true);
            }
        }
    }
}

pub(super) fn kind_of(
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
