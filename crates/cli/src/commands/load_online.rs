//! `millrace load --url`: files sent to a running server, as one commit or in batches.
//!
//! The server keeps the journal, in the graph. This side only gives the files the same name each time: a
//! digest of their names, sizes and beginnings.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use millrace_db::ingest::csv::{
    CsvOptions, Dialect, NamedTable, PlainColumns, PlainRows, TableKind,
};
use millrace_db::ingest::error::{BadRow, LoadError};
use millrace_db::ingest::load::{Phase, Progress, UnknownTypes};
use millrace_db::ingest::reading::Reading;
use millrace_db::plan::OwnerName;
use millrace_db::settings::{DeclaredIndex, IndexForm};
use millrace_model::schema::IndexKind;
use millrace_model::{Error, ErrorKind, Result};
use serde_json::{Value as Json, json};

use crate::arguments::Load;
use crate::client::{Client, encoded, succeeded};
use crate::commands::load::{BAD_ROWS_SHOWN_MAX, Inputs, behind_load};
use crate::commands::rejects::RejectFiles;
use crate::exit::Failure;
use crate::progress::Shower;
use crate::say;

/// Rows of a batch, if --resume does not say.
const BATCH_ROWS: u64 = 10_000;

/// Bytes of each file's beginning that its digest looks at.
const DIGEST_BYTES: u64 = 64 << 10;

pub(crate) fn run(
    url: &str,
    arguments: &Load,
    inputs: &Inputs,
    rejects: &RejectFiles,
) -> std::result::Result<(), Failure> {
    let outgoing = Outgoing::open(inputs)?;
    let answer = outgoing.send(url, arguments).map_err(Failure::Server)?;
    let mut answer: Json = serde_json::from_str(&answer).map_err(|error| {
        let detail = format!("{url}: the answer is not JSON: {error}");
        Failure::Server(Error::new(ErrorKind::Unavailable, detail))
    })?;
    let rejected = answer.as_object_mut().and_then(|answer| answer.remove("rejected"));
    let (kept, more) = outgoing.rejects(rejected.as_ref());
    for row in kept.iter().take(BAD_ROWS_SHOWN_MAX) {
        eprintln!("left out: {row}");
    }
    let notes = answer.get("notes").and_then(Json::as_array).into_iter().flatten();
    notes.filter_map(Json::as_str).for_each(|note| eprintln!("note: {note}"));
    rejects.write(&kept, &more)?;
    say!("{answer}");
    let (client, graph) = (Client::new(url)?, encoded(&arguments.graph));
    for index in &arguments.index {
        let made = client.change_schema(&graph, &request_of(index));
        made.map_err(|error| Failure::Server(behind_load(index.named(error))))?;
    }
    Ok(())
}

/// The request for an index.
fn request_of(index: &DeclaredIndex) -> Json {
    let mut change = match &index.form {
        IndexForm::Method(method) => json!({"change": "create_index", "method": **method}),
        IndexForm::Kind(IndexKind::Unique) => json!({"change": "create_unique"}),
        IndexForm::Kind(IndexKind::Exact) => json!({"change": "create_index", "kind": "exact"}),
        IndexForm::Kind(_) => json!({"change": "create_index", "kind": "range"}),
    };
    let (owner, name) = match &index.owner {
        OwnerName::Label(name) => ("label", &**name),
        OwnerName::EdgeType(name) => ("edge_type", &**name),
        OwnerName::AllVertices => ("label", ""),
    };
    change[owner] = json!(name);
    change["keys"] = index.keys.iter().map(|key| json!(**key)).collect();
    json!({ "changes": [change] })
}

/// Files on their way to a server.
struct Outgoing {
    files: Vec<OutgoingFile>,
    /// The word of their format.
    format: &'static str,
    /// The options for CSV, as parameters of the request.
    csv: String,
    /// The text of the schema, if there is one.
    schema: Option<String>,
    /// The name of the journal, which is the same for the same files.
    journal: String,
}

struct OutgoingFile {
    path: PathBuf,
    /// Its name in the request.
    name: String,
    file: File,
    bytes: u64,
}

impl Outgoing {
    fn open(inputs: &Inputs) -> Result<Outgoing> {
        let paths = &inputs.paths;
        let mut files: Vec<OutgoingFile> = Vec::with_capacity(paths.len());
        let mut digest = Digest::default();
        for path in paths {
            let mut file = File::open(path).map_err(|error| failed(path, &error))?;
            let bytes = file.metadata().map_err(|error| failed(path, &error))?.len();
            let plain = path.file_name().unwrap_or_default().to_string_lossy();
            if plain.contains([',', ':']) {
                let detail =
                    format!("{}: a name with a comma or a colon cannot be sent", path.display());
                return Err(Error::new(ErrorKind::BadInput, detail).with_help("rename the file"));
            }
            let mut name = plain.clone().into_owned();
            if files.iter().any(|other| other.name == name) {
                name = format!("{}~{plain}", files.len() + 1);
            }
            let mut head = Vec::new();
            let read = file.by_ref().take(DIGEST_BYTES).read_to_end(&mut head);
            read.and_then(|_| io::Seek::rewind(&mut file)).map_err(|error| failed(path, &error))?;
            digest.add(name.as_bytes());
            digest.add(&bytes.to_le_bytes());
            digest.add(&head);
            files.push(OutgoingFile { path: path.clone(), name, file, bytes });
        }
        let csv = csv_parameters(&inputs.reading, &files);
        digest.add(csv.as_bytes());
        let schema = inputs.schema.as_ref().map(|own| own.text.clone());
        let format = inputs.format.word();
        Ok(Outgoing { files, format, csv, schema, journal: format!("load-{:016x}", digest.0) })
    }

    fn send(&self, url: &str, arguments: &Load) -> Result<String> {
        let schema = self.schema.as_deref().unwrap_or_default();
        let mut body: Box<dyn Read + '_> = Box::new(schema.as_bytes());
        let mut named = Vec::new();
        for file in &self.files {
            named.push(format!("{}:{}", encoded(&file.name), file.bytes));
            // Sends exactly the announced number of bytes, also if the file grows meanwhile.
            body = Box::new(body.chain((&file.file).take(file.bytes)));
        }
        let mut path = format!(
            "/load/{}?max-bad={}&files={}&rejects=all",
            encoded(&arguments.graph),
            arguments.max_bad,
            named.join(",")
        );
        path.push_str(&format!("&format={}", self.format));
        match arguments.unknown_types {
            UnknownTypes::Refuse => {}
            other => path.push_str(&format!("&unknown-types={}", other.word())),
        }
        if self.schema.is_some() {
            path.push_str(&format!("&schema-bytes={}", schema.len()));
        }
        path.push_str(&self.csv);
        if arguments.batch_rows.is_some() || arguments.resume {
            let rows = arguments.batch_rows.unwrap_or(BATCH_ROWS);
            path.push_str(&format!("&batch-rows={rows}&journal={}", self.journal));
            path.push_str(if arguments.resume { "&resume=true" } else { "" });
        }
        let client = Client::new(url)?;
        client.ensure_graph(&encoded(&arguments.graph))?;
        let bytes_total: u64 = self.files.iter().map(|file| file.bytes).sum();
        let bytes_total = bytes_total + schema.len() as u64;
        let mut watched = Watched::new(body, bytes_total, arguments);
        let reply = client.send(&path, &mut watched);
        watched.shower.finish(None);
        reply.and_then(succeeded).map_err(|error| match arguments.batch_rows {
            Some(_) if error.kind == ErrorKind::Unavailable => {
                error.with_help("committed batches stay; continue with --resume")
            }
            _ => error,
        })
    }

    /// The bad rows of an answer, by the paths of their files.
    fn rejects(&self, rejected: Option<&Json>) -> (Vec<BadRow>, Vec<(std::sync::Arc<str>, u64)>) {
        let (mut kept, mut more) = (Vec::new(), Vec::new());
        for row in rejected.and_then(Json::as_array).into_iter().flatten() {
            let name = row["file"].as_str().unwrap_or_default();
            let file = self.files.iter().find(|file| file.name == name);
            let shown = file.map_or(name.into(), |file| file.path.to_string_lossy());
            let (file, line) = (shown.as_ref().into(), row["line"].as_u64().unwrap_or(0));
            match (row["column"].as_u64(), row["detail"].as_str()) {
                (Some(column), Some(detail)) => {
                    kept.push(BadRow { file, line, column, detail: detail.to_owned() });
                }
                _ => more.push((file, line)),
            }
        }
        (kept, more)
    }
}

/// The options for CSV that are not the default, and the files of tables by the names they are sent by:
/// they are the last ones.
fn csv_parameters(reading: &Reading, files: &[OutgoingFile]) -> String {
    let (CsvOptions { dialect, create_ends }, usual) = (reading.csv, Dialect::default());
    let mut said = Vec::new();
    if dialect.delimiter != usual.delimiter {
        said.push(("delimiter", char::from(dialect.delimiter).to_string()));
    }
    if dialect.array_delimiter != usual.array_delimiter {
        said.push(("array-delimiter", dialect.array_delimiter.to_string()));
    }
    let letters = [
        ("quote", (dialect.quote != usual.quote).then_some(dialect.quote)),
        ("comment", dialect.comment),
    ];
    let letters = letters.into_iter().filter_map(|(name, letter)| Some((name, letter?)));
    said.extend(letters.map(|(name, letter)| (name, char::from(letter).to_string())));
    said.extend(dialect.null.map(|null| ("null", null.as_str().to_owned())));
    let asked = [
        ("multiline-fields", dialect.multiline),
        ("create-ends", create_ends),
        ("ignore-empty-strings", dialect.ignore_empty_strings),
    ];
    said.extend(asked.iter().filter(|(_, is)| *is).map(|(name, _)| (*name, "true".to_owned())));
    said.extend(plain_parameters(&reading.plain));
    let in_tables: usize = reading.tables.iter().map(|table| table.files.len()).sum();
    let mut sent = files[files.len() - in_tables..].iter().map(|file| file.name.clone());
    for NamedTable { kind, files } in &reading.tables {
        let name = match kind {
            TableKind::Nodes(_) => "nodes",
            TableKind::Relationships(_) => "relationships",
        };
        let files = sent.by_ref().take(files.len()).collect();
        said.push((name, NamedTable { kind: kind.clone(), files }.to_string()));
    }
    said.iter().map(|(name, value)| format!("&{name}={}", encoded(value))).collect()
}

/// What is said of files whose headers have no types.
fn plain_parameters(plain: &PlainColumns) -> Vec<(&'static str, String)> {
    let mut said = Vec::new();
    match &plain.rows {
        None => {}
        Some(PlainRows::Nodes { labels, id }) => {
            said.push(("label", labels.join(":")));
            said.extend(id.iter().map(|id| ("id", id.to_string())));
        }
        Some(PlainRows::Edges { label, id, edge_type }) => {
            said.extend([("label", label.to_string()), ("type", edge_type.to_string())]);
            said.extend(id.iter().map(|id| ("id", id.to_string())));
        }
        Some(PlainRows::Relationships { edge_type, ends: [source, target] }) => {
            said.push(("type", edge_type.to_string()));
            said.extend([("from", source.to_string()), ("to", target.to_string())]);
        }
    }
    said.extend(plain.types.iter().map(|column| ("types", column.to_string())));
    said
}

fn failed(path: &Path, error: &io::Error) -> Error {
    let source = match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    };
    LoadError::File { file: path.to_string_lossy().into(), source }.into()
}

/// FNV-1a: enough to distinguish the files of one load.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, bytes: &[u8]) {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        self.0 = bytes.iter().fold(self.0, step);
    }
}

/// Counts the bytes read, and shows the progress.
struct Watched<'a> {
    body: Box<dyn Read + 'a>,
    progress: Progress,
    began: Instant,
    shower: Shower,
}

impl<'a> Watched<'a> {
    fn new(body: Box<dyn Read + 'a>, bytes_total: u64, arguments: &Load) -> Watched<'a> {
        let progress = Progress {
            phase: Phase::Reading,
            bytes: 0,
            bytes_total: Some(bytes_total),
            rows: 0,
            bad_rows: 0,
            vertices: 0,
            edges: 0,
            elapsed: Duration::ZERO,
        };
        let shower = Shower::new(&arguments.graph, arguments.progress);
        Watched { body, progress, began: Instant::now(), shower }
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.body.read(buffer)?;
        self.progress.bytes += bytes as u64;
        self.progress.elapsed = self.began.elapsed();
        self.shower.show(&self.progress);
        Ok(bytes)
    }
}
