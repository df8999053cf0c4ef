//! The table of APOC's `apoc.export.csv.all`: nodes first, then relationships, in one table.
//!
//! ```text
//!   "_id","_labels","age","name","_start","_end","_type","since"
//!   "0",":User:Admin","42","Adam",,,,
//!   ,,,,"0","1","KNOWS","1993"
//! ```
//!
//! It says no types, and it is written from the nodes on: so the types of nodes are guessed by the first
//! nodes, and those of relationships by the first relationships, wherever these begin. Blocks wait until then.
//! Null is written as an empty text is, so neither is a value.

use super::dialect::{CsvOptions, Dialect};
use super::guess::{Column, JSON_TYPES, accepts};
use super::plain::ColumnType;
use super::record::{Record, RecordReader};
use super::value::FieldType;
use crate::elements::{EdgeRecord, ElementGraph, Id, OwnEdge, Records, VertexRecord};
use crate::error::{BadRow, Fault, LoadError, excerpt};
use crate::limits::{GUESS_BYTES, GUESS_ROWS};
use crate::progress::{Meter, Summary};
use crate::source::{Block, BlockReader, Parsing, run};
use millrace_model::Value;
use millrace_store::{Snapshot, Store};
use std::sync::Arc;

/// The columns that make a table one of APOC.
const COLUMNS: [&str; 5] = ["_id", "_labels", "_start", "_end", "_type"];

/// A table of APOC, opened.
pub(super) struct ApocTable {
    pub(super) columns: ApocColumns,
    pub(super) readers: Vec<BlockReader>,
    /// Types that are said.
    pub(super) types: Vec<ColumnType>,
}

/// The places of the fields.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ApocColumns {
    /// Those of [`COLUMNS`].
    fixed: [usize; 5],
    /// Properties of nodes, then of relationships: places and keys.
    properties: [Vec<(usize, Box<str>)>; 2],
    count: usize,
}

impl ApocColumns {
    /// The columns of a header of APOC; `None` if it is none.
    pub(super) fn of(names: &[&str]) -> Option<Self> {
        let index_of = |name: &str| names.iter().position(|other| *other == name);
        let mut fixed = [0; 5];
        for (at, name) in fixed.iter_mut().zip(COLUMNS) {
            *at = index_of(name)?;
        }
        let [id, labels, start, end, edge_type] = fixed;
        let of_nodes = 2..start;
        let is_apoc =
            [id, labels] == [0, 1] && 2 <= start && [end, edge_type] == [start + 1, start + 2];
        let keyed = |places: std::ops::Range<usize>| {
            places.map(|at| (at, Box::from(names[at]))).collect::<Vec<_>>()
        };
        is_apoc.then(|| Self {
            fixed,
            properties: [keyed(of_nodes), keyed(edge_type + 1..names.len())],
            count: names.len(),
        })
    }

    /// Whether a row is a node (0) or a relationship (1); a blank row is neither.
    fn kind(&self, record: &Record<'_>) -> Result<usize, Fault> {
        let (found, expected) = (record.len(), self.count);
        if found != expected {
            let detail = format!("expected {expected} fields as in the header, found {found}");
            return Err(Fault::new(found.min(expected), detail));
        }
        let [id, _, start, ..] = self.fixed;
        match (record.field(id).is_empty(), record.field(start).is_empty()) {
            (false, true) => Ok(0),
            (true, false) => Ok(1),
            _ => Err(Fault::new(
                id,
                "expected the id of a node in _id, or that of a source in _start",
            )),
        }
    }
}

/// The columns of one kind of rows, while and after they are guessed.
struct Kind {
    /// Place, key, and what it may still be.
    columns: Vec<(usize, Box<str>, Column)>,
    /// Rows that were seen.
    rows: u64,
    /// The types, once they are decided.
    types: Option<Vec<FieldType>>,
}

/// Loads tables of APOC as one commit.
pub(super) fn load(
    store: &dyn Store,
    tables: Vec<ApocTable>,
    options: CsvOptions,
    mut meter: Meter<'_>,
) -> Result<Summary, LoadError> {
    if options.create_ends {
        let detail = "a table of APOC has all its nodes: leave --create-ends out";
        return Err(LoadError::Input(detail.into()));
    }
    let dialect = options.dialect;
    let snapshot = store.snapshot()?;
    let mut graph = ElementGraph::default();
    for ApocTable { columns, mut readers, types } in tables {
        let Some(file) = readers.first().map(|reader| Arc::clone(&reader.file)) else { continue };
        let mut reading = Reading::new(columns, types, dialect, file)?;
        let mut take = |reading: &mut Reading, block: Option<Block>| {
            for (records, file) in reading.take(block) {
                add(&mut graph, records, &file, &*snapshot, &mut meter)?;
            }
            meter.hold(graph.byte_size() + reading.waiting_bytes)
        };
        run(
            &mut readers,
            &Parsing::of(&store.memory()),
            |block| block,
            |block| take(&mut reading, Some(block)),
        )?;
        take(&mut reading, None)?;
        meter.note(reading.note());
    }
    graph.finish(store, snapshot, meter)
}

fn add(
    graph: &mut ElementGraph,
    records: Records,
    file: &Arc<str>,
    snapshot: &dyn Snapshot,
    meter: &mut Meter<'_>,
) -> Result<(), LoadError> {
    let (good, bad) = graph.add(records, file, snapshot)?;
    meter.rows(good, bad)?;
    meter.hold(graph.byte_size())?;
    let (vertices, edges) = graph.counts();
    meter.found(vertices, edges)
}

/// One table on its way.
struct Reading {
    columns: ApocColumns,
    dialect: Dialect,
    file: Arc<str>,
    said: Vec<ColumnType>,
    kinds: [Kind; 2],
    /// Blocks with rows of a kind without types.
    waiting: Vec<Block>,
    waiting_bytes: u64,
}

impl Reading {
    fn new(
        columns: ApocColumns,
        said: Vec<ColumnType>,
        dialect: Dialect,
        file: Arc<str>,
    ) -> Result<Self, LoadError> {
        let all = columns.properties.iter().flatten();
        let has = |name: &str| all.clone().any(|(_, key)| **key == *name);
        if let Some(unknown) = said.iter().find(|said| !has(said.column())) {
            let detail = format!("{file}: there is no property '{}'", excerpt(unknown.column()));
            return Err(LoadError::Input(detail));
        }
        let kinds = columns.properties.each_ref().map(|properties| Kind {
            columns: properties
                .iter()
                .map(|(at, key)| (*at, key.clone(), Column::new(JSON_TYPES)))
                .collect(),
            rows: 0,
            types: None,
        });
        let (waiting, waiting_bytes) = (Vec::new(), 0);
        Ok(Self { columns, dialect, file, said, kinds, waiting, waiting_bytes })
    }

    /// The records that are ready with one more block, or with the end of the files.
    fn take(&mut self, block: Option<Block>) -> Vec<(Records, Arc<str>)> {
        let is_end = block.is_none();
        if let Some(block) = block {
            if self.kinds.iter().any(|kind| kind.types.is_none()) {
                self.see(&block);
            }
            self.waiting_bytes += block.bytes.len() as u64;
            self.waiting.push(block);
        }
        let is_full = is_end || GUESS_BYTES <= self.waiting_bytes;
        let waits = |kind: &Kind| {
            kind.types.is_none() && kind.rows != 0 && kind.rows < GUESS_ROWS && !is_full
        };
        if self.kinds.iter().any(waits) {
            return Vec::new();
        }
        let said = &self.said;
        for kind in self.kinds.iter_mut().filter(|kind| is_end || kind.rows != 0) {
            kind.types.get_or_insert_with(|| types(&kind.columns, said));
        }
        self.waiting_bytes = 0;
        let blocks = std::mem::take(&mut self.waiting);
        blocks.into_iter().map(|block| self.records(block)).collect()
    }

    /// Looks at the values of the kinds that have no types yet.
    fn see(&mut self, block: &Block) {
        let Self { columns, kinds, dialect, .. } = self;
        for_each(block, *dialect, &mut |record| {
            let kind = &mut kinds[columns.kind(record)?];
            if kind.types.is_none() && kind.rows < GUESS_ROWS {
                let seen = kind.columns.iter_mut();
                seen.for_each(|(at, _, column)| column.see(record.field(*at)));
                kind.rows += 1;
            }
            Ok(())
        });
    }

    fn records(&self, block: Block) -> (Records, Arc<str>) {
        let mut records = Records::default();
        let bad = for_each(&block, self.dialect, &mut |record| {
            match self.columns.kind(record)? {
                0 => records.vertices.push(self.node(record)?),
                _ => records.edges.push(self.relationship(record)?),
            }
            Ok(())
        });
        let file = &block.file;
        let bad = bad.into_iter().map(|(line, Fault { at, detail })| BadRow {
            file: Arc::clone(file),
            line,
            column: at as u64 + 1,
            detail,
        });
        records.bad = bad.collect();
        (records, block.file)
    }

    fn node(&self, record: &Record<'_>) -> Result<VertexRecord, Fault> {
        let [id, labels, ..] = self.columns.fixed;
        let labels = record.field(labels).split(':').filter(|label| !label.is_empty());
        Ok(VertexRecord {
            line: record.line,
            id: Id::of_text(record.field(id)),
            labels: labels.map(str::to_owned).collect(),
            properties: self.properties(0, record)?,
            ..VertexRecord::default()
        })
    }

    fn relationship(&self, record: &Record<'_>) -> Result<EdgeRecord, Fault> {
        let [_, _, start, end, edge_type] = self.columns.fixed;
        let field = |at: usize| match record.field(at) {
            "" => {
                Err(Fault::new(at, "a relationship has _start, _end and _type, and one is empty"))
            }
            field => Ok(field),
        };
        let edge = OwnEdge {
            edge_type: field(edge_type)?.to_owned(),
            id: None,
            other: Id::of_text(field(end)?),
            properties: self.properties(1, record)?,
        };
        Ok(EdgeRecord { line: record.line, source: Id::of_text(field(start)?), edge })
    }

    fn properties(&self, kind: usize, record: &Record<'_>) -> Result<Vec<(String, Value)>, Fault> {
        let Kind { columns, types, .. } = &self.kinds[kind];
        let mut properties = Vec::new();
        for ((at, key, _), kind) in columns.iter().zip(types.iter().flatten()) {
            let field = record.field(*at);
            if field.is_empty() || self.is_ignored(key) {
                continue;
            }
            let value = kind.parse_json(field);
            let value = match value.is_ok() && !self.is_said(key) && !accepts(*kind, field) {
                true => Err(format!("'{}' would be another value", excerpt(field))),
                false => value,
            };
            let value = value.map_err(|detail| {
                Fault::new(
                    *at,
                    format!(
                        "{key}: {detail}; the first rows made it a {}: say --types '{key}:string', or --max-bad \
                         N to leave such rows out",
                        kind.word()
                    ),
                )
            })?;
            properties.push((key.to_string(), value));
        }
        Ok(properties)
    }

    fn is_said(&self, key: &str) -> bool {
        self.said.iter().any(|said| said.column() == key)
    }

    fn is_ignored(&self, key: &str) -> bool {
        self.said.iter().any(|said| said.column() == key && said.kind().is_none())
    }

    /// The types, for the user.
    fn note(&self) -> String {
        let [nodes, edges] = self.kinds.each_ref().map(|kind| {
            let columns = kind.columns.iter().zip(kind.types.iter().flatten());
            let columns = columns.map(|((_, key, _), kind)| match self.is_ignored(key) {
                true => format!("{key}:IGNORE"),
                false => format!("{key}:{}", kind.word()),
            });
            match columns.collect::<Vec<_>>().join(",") {
                text if text.is_empty() => "none".to_owned(),
                text => text,
            }
        });
        let file = &self.file;
        format!(
            "{file}: read as a table of APOC: properties of nodes {nodes}; of relationships {edges}"
        )
    }
}

fn types(columns: &[(usize, Box<str>, Column)], said: &[ColumnType]) -> Vec<FieldType> {
    let kind = |(_, key, column): &(usize, Box<str>, Column)| {
        let said = said.iter().find(|said| said.column() == &**key);
        said.and_then(ColumnType::kind).unwrap_or_else(|| column.kind())
    };
    columns.iter().map(kind).collect()
}

/// Calls for each record of a block; gives back the lines that are bad or were refused.
fn for_each(
    block: &Block,
    dialect: Dialect,
    take: &mut dyn FnMut(&Record<'_>) -> Result<(), Fault>,
) -> Vec<(u64, Fault)> {
    let mut reader = RecordReader::new(dialect, block.first_line);
    let mut rest = block.bytes.as_slice();
    let copy: Vec<u8>;
    if !rest.ends_with(b"\n") {
        copy = [rest, b"\n"].concat();
        rest = &copy;
    }
    let mut bad = Vec::new();
    while let Some(next) = reader.next(&mut rest) {
        let taken = next.and_then(|record| take(&record).map_err(|fault| (record.line, fault)));
        bad.extend(taken.err());
    }
    bad
}
