//! Files loaded from the body of a request, on a thread of its own.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use axum::body::Body;
use millrace_db::RequestLimits;
use millrace_db::dql::DqlSchema;
use millrace_db::ingest::csv::{
    ColumnType, CsvOptions, Dialect, NamedTable, NullWord, PlainColumns, PlainRows,
    array_delimiter, ascii_character, field_delimiter,
};
use millrace_db::ingest::error::LoadError;
use millrace_db::ingest::load::{BatchOptions, Format, LoadOptions, LoadPath, UnknownTypes};
use millrace_db::ingest::reading::{Reading, input_of};
use millrace_db::loads::{LoadWay, with_rejects};
use millrace_model::{Error, Result};
use millrace_wire::admin::{CsvWords, LoadBatches, PlainWords, StartLoad};
use millrace_wire::http::Response;

use super::load_body;
use crate::state::State;

/// Loads a body; the answer comes when all of it is visible.
pub(super) async fn load(
    state: &Arc<State>,
    start: StartLoad,
    body: Body,
    limits: RequestLimits,
) -> Result<Response> {
    let StartLoad {
        graph,
        format,
        files,
        csv,
        bad_rows_max,
        batches,
        unknown_types,
        schema_bytes,
        lists_rejects,
    } = start;
    let (writer, reader) = load_body::pipe();
    let bytes_max = state.database.settings().http.load_bytes_max;
    let reading = reading(format.as_deref(), &csv).map_err(Error::from);
    let treatment = match unknown_types {
        None => Ok(UnknownTypes::default()),
        Some(word) => UnknownTypes::parse(&word).map_err(Error::from),
    };
    let found = state.database.graph(&graph);
    let prepared = found.and_then(|graph| Ok((graph, reading?, treatment?)));
    let (graph, mut reading, unknown_types) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            drop(reader);
            writer.send(body, bytes_max).await;
            return Err(error);
        }
    };
    let database = Arc::clone(&state.database);
    let client = limits.client;
    // Parquet is read from its end.
    let named = || files.iter().filter_map(|file| Format::of_path(Path::new(&file.name))).next();
    let is_parquet = reading.format.or_else(named) == Some(Format::Parquet);
    let loading = state.executor.answer(client, move || {
        let mut reader = reader;
        let schema = match schema_bytes {
            None => None,
            Some(bytes) => Some(DqlSchema::parse(&load_body::text(&mut reader, bytes)?)?),
        };
        reading.declared = schema.as_ref().map(DqlSchema::declared);
        let mut watch = |_: &_| match limits.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let input = input_of(load_body::sources(reader, &files, is_parquet)?, &reading)?;
        let way = match batches {
            None => LoadWay::from(LoadOptions {
                bad_rows_max,
                path: LoadPath::Transaction,
                unknown_types,
            }),
            Some(LoadBatches { rows, journal, resume }) => LoadWay::Batches(BatchOptions {
                rows,
                bad_rows_max,
                journal,
                resume,
                unknown_types,
            }),
        };
        let (id, mut summary) = database.loads().run(&graph, input, way, &mut watch)?;
        if let Some(schema) = &schema {
            let more = graph.define_dql(schema, &summary.undeclared, &limits);
            summary.notes.extend(more.map_err(behind_load)?);
            database.loads().note_summary(id, &summary);
        }
        Ok::<_, Error>((id, summary))
    });
    let (loaded, ()) = tokio::join!(loading, writer.send(body, bytes_max));
    let (id, summary) = loaded??;
    let shown = state.database.loads().show(id)?;
    Ok(Response::value(200, &if lists_rejects { with_rejects(shown, &summary) } else { shown }))
}

/// The error of a schema that could not be kept with what was loaded under it.
fn behind_load(mut error: Error) -> Error {
    error.detail = format!("all is loaded, but its schema is not complete: {}", error.detail);
    error
}

/// What a load says of its files.
fn reading(format: Option<&str>, csv: &CsvWords) -> std::result::Result<Reading, LoadError> {
    let usual = Dialect::default();
    let dialect = Dialect {
        delimiter: csv.delimiter.as_deref().map_or(Ok(usual.delimiter), field_delimiter)?,
        array_delimiter: csv
            .array_delimiter
            .as_deref()
            .map_or(Ok(usual.array_delimiter), array_delimiter)?,
        multiline: csv.multiline_fields,
        quote: csv.quote.as_deref().map_or(Ok(usual.quote), ascii_character)?,
        comment: csv.comment.as_deref().map(ascii_character).transpose()?,
        null: csv.null.as_deref().map(NullWord::parse).transpose()?,
        ignore_empty_strings: csv.ignore_empty_strings,
    };
    let nodes = csv.nodes.iter().map(|table| NamedTable::nodes(table));
    let relationships = csv.relationships.iter().map(|table| NamedTable::relationships(table));
    Ok(Reading {
        format: format.map(Format::parse).transpose()?,
        csv: CsvOptions { dialect, create_ends: csv.create_ends },
        tables: nodes.chain(relationships).collect::<std::result::Result<_, _>>()?,
        plain: plain(&csv.plain)?,
        declared: None,
    })
}

/// What a load says of files whose headers have no types.
fn plain(words: &PlainWords) -> std::result::Result<PlainColumns, LoadError> {
    let PlainWords { label, id, edge_type, from, to, types } = words;
    let [label, id, edge_type, from, to] = [label, id, edge_type, from, to].map(Option::as_deref);
    let mut columns = Vec::new();
    for list in types {
        columns.extend(ColumnType::parse_list(list)?);
    }
    Ok(PlainColumns { rows: PlainRows::said(label, id, edge_type, from, to)?, types: columns })
}
