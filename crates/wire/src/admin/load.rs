//! A load over HTTP: its options are parameters, its files the body.

use millrace_model::Result;

use crate::http::Captured;
use crate::http::target::bad;

/// The options of a load.
const PARAMETERS: [&str; 25] = [
    "format",
    "files",
    "nodes",
    "relationships",
    "label",
    "id",
    "type",
    "from",
    "to",
    "types",
    "delimiter",
    "array-delimiter",
    "multiline-fields",
    "create-ends",
    "quote",
    "comment",
    "null",
    "ignore-empty-strings",
    "unknown-types",
    "max-bad",
    "batch-rows",
    "journal",
    "resume",
    "schema-bytes",
    "rejects",
];

/// Files, as the body, loaded into a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartLoad {
    /// Into which graph.
    pub graph: String,
    /// What kind of file; `None`: as the first name says.
    pub format: Option<String>,
    /// The files, one behind the other in the body; none: the body is one file without a name.
    pub files: Vec<BodyFile>,
    /// What is said of CSV.
    pub csv: CsvWords,
    /// Rows that may be bad before the load stops.
    pub bad_rows_max: u64,
    /// In batches; `None`: as one commit.
    pub batches: Option<LoadBatches>,
    /// What becomes of literals of N-Quads of unknown types; `None`: they are bad rows.
    pub unknown_types: Option<String>,
    /// Bytes of a schema of DQL, which comes before the files in the body.
    pub schema_bytes: Option<u64>,
    /// Whether the answer lists all bad rows, each with its file, line, column and reason.
    pub lists_rejects: bool,
}

/// How a load in batches goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadBatches {
    /// Lines of a batch.
    pub rows: u64,
    /// The name of its journal.
    pub journal: String,
    /// Whether to go on with one of that name.
    pub resume: bool,
}

/// What a load says of CSV files, in neo4j-admin's words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CsvWords {
    /// Between fields; `None`: a comma.
    pub delimiter: Option<String>,
    /// Between elements of arrays, and labels; `None`: a semicolon.
    pub array_delimiter: Option<String>,
    /// Whether quoted fields may go on over line ends.
    pub multiline_fields: bool,
    /// Whether relationships make the missing nodes that they name.
    pub create_ends: bool,
    /// Around fields; `None`: double quotes.
    pub quote: Option<String>,
    /// What begins a line that is passed over.
    pub comment: Option<String>,
    /// What stands for no value.
    pub null: Option<String>,
    /// Whether an empty text in quotes is no value.
    pub ignore_empty_strings: bool,
    /// Tables of nodes: `[Label[:Label]…=]NAME[,NAME]…`, names of files.
    pub nodes: Vec<String>,
    /// Tables of relationships: `[TYPE=]NAME[,NAME]…`.
    pub relationships: Vec<String>,
    /// What is said of files whose headers have no types.
    pub plain: PlainWords,
}

/// What a load says of CSV files whose headers are names only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainWords {
    /// Rows are nodes with these labels: `LABEL[:LABEL]…`.
    pub label: Option<String>,
    /// The column of their ids.
    pub id: Option<String>,
    /// Rows are relationships of this type.
    pub edge_type: Option<String>,
    /// The column that names their source: `COLUMN`, or `COLUMN(SPACE)`.
    pub from: Option<String>,
    /// The column that names their target.
    pub to: Option<String>,
    /// Types of columns: `COLUMN:TYPE[,COLUMN:TYPE]…`.
    pub types: Vec<String>,
}

/// A file in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyFile {
    /// Its name, for errors and its kind.
    pub name: String,
    /// Its size; `None` for one file that is the whole body.
    pub bytes: Option<u64>,
}

impl StartLoad {
    /// The load that a request asks for.
    pub(crate) fn take(at: &Captured<'_>) -> Result<StartLoad> {
        at.only_queries(&PARAMETERS)?;
        Ok(StartLoad {
            graph: at.graph(),
            format: at.parameter("format")?,
            files: files(at)?,
            csv: CsvWords::take(at)?,
            bad_rows_max: at.number("max-bad")?.unwrap_or(0),
            batches: LoadBatches::take(at)?,
            unknown_types: at.parameter("unknown-types")?,
            schema_bytes: at.number("schema-bytes")?,
            lists_rejects: at.is_asked("rejects", "all")?,
        })
    }
}

impl CsvWords {
    fn take(at: &Captured<'_>) -> Result<CsvWords> {
        Ok(CsvWords {
            delimiter: at.parameter("delimiter")?,
            array_delimiter: at.parameter("array-delimiter")?,
            multiline_fields: at.is_asked("multiline-fields", "true")?,
            create_ends: at.is_asked("create-ends", "true")?,
            quote: at.parameter("quote")?,
            comment: at.parameter("comment")?,
            null: at.parameter("null")?,
            ignore_empty_strings: at.is_asked("ignore-empty-strings", "true")?,
            nodes: at.parameters("nodes")?,
            relationships: at.parameters("relationships")?,
            plain: PlainWords {
                label: at.parameter("label")?,
                id: at.parameter("id")?,
                edge_type: at.parameter("type")?,
                from: at.parameter("from")?,
                to: at.parameter("to")?,
                types: at.parameters("types")?,
            },
        })
    }
}

impl LoadBatches {
    /// `batch-rows=10000&journal=films`, and `resume=true` for one that was cut off.
    fn take(at: &Captured<'_>) -> Result<Option<LoadBatches>> {
        let (rows, journal) = (at.number("batch-rows")?, at.parameter("journal")?);
        let resume = at.is_asked("resume", "true")?;
        match (rows, journal) {
            (None, None) if !resume => Ok(None),
            (Some(rows), Some(journal)) => Ok(Some(LoadBatches { rows, journal, resume })),
            _ => Err(bad("a load in batches needs `batch-rows` and `journal`".into())
                .with_help("the journal is any name for these files, to go on with by `resume`")),
        }
    }
}

/// `files=people.csv:120,likes.csv:4500`, or one name without a size.
fn files(at: &Captured<'_>) -> Result<Vec<BodyFile>> {
    let Some(list) = at.parameter("files")? else { return Ok(Vec::new()) };
    let named = list.split(',').map(|file| match file.rsplit_once(':') {
        None => Ok(BodyFile { name: file.to_owned(), bytes: None }),
        Some((name, bytes)) => match bytes.parse() {
            Ok(bytes) => Ok(BodyFile { name: name.to_owned(), bytes: Some(bytes) }),
            Err(_) => Err(bad(format!("files: `{file}` is not NAME:BYTES"))),
        },
    });
    let files: Vec<BodyFile> = named.collect::<Result<_>>()?;
    if 1 < files.len() && files.iter().any(|file| file.bytes.is_none()) {
        return Err(bad("files: several files need their sizes: NAME:BYTES,NAME:BYTES".into()));
    }
    Ok(files)
}
