//! `millrace export`: a graph of a closed data folder to files that `millrace load` reads again.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use millrace_db::ingest::export::{ExportFormat, ExportOptions, ExportSummary};
use millrace_model::{Error, ErrorKind, Result};

use crate::arguments::Export;
use crate::config;
use crate::exit::Failure;
use crate::folder;
use crate::progress::Shower;
use crate::say;

pub(crate) fn run(arguments: &Export) -> std::result::Result<(), Failure> {
    let format = format(arguments)?;
    let settings = config::read(&arguments.settings)?.settings;
    let database = folder::open_to_read(&arguments.data, settings)?;
    let options = ExportOptions {
        format,
        array_delimiter: arguments.array_delimiter,
        unsupported_as_text: arguments.unsupported_types.is_some(),
        definition: None,
    };
    // A schema that is in the way is found before the data is written.
    let schema = (format == ExportFormat::Rdf).then(|| schema_beside(&arguments.to));
    if let Some(schema) = schema.as_ref().filter(|schema| schema.symlink_metadata().is_ok()) {
        let detail = format!("{} is there already", schema.display());
        let help =
            "an export writes the schema beside the data: use another name, or move the file away";
        return Err(Error::new(ErrorKind::AlreadyExists, detail).with_help(help).into());
    }
    let mut shower = Shower::new("export", arguments.progress);
    let graph = database.settings().graph_named(&arguments.graph).unwrap_or(&arguments.graph);
    let found = database.graph(graph).map_err(|error| match error.kind {
        ErrorKind::NotFound => error.with_help(match database.graphs().as_slice() {
            [] => "the folder has no graph".to_owned(),
            graphs => format!("graphs: {}", graphs.join(", ")),
        }),
        _ => error,
    });
    let written = found.and_then(|graph| {
        let mut show = |doing: &str, done, total| {
            shower.show_steps(doing, done, total);
            // A signal ends the process, and then nothing of the wanted name is there.
            ControlFlow::Continue(())
        };
        if let Some(schema) = &schema {
            let options = ExportOptions { format: ExportFormat::RdfSchema, ..options };
            graph.export(schema, options, &mut show)?;
        }
        let written = graph.export(&arguments.to, options, &mut show);
        if let (Err(_), Some(schema)) = (&written, &schema) {
            // Without its data it is of no use, and in the way of the next export.
            let _removed = fs::remove_file(schema);
        }
        written
    });
    shower.finish_steps();
    database.close();
    let ExportSummary { vertices, edges, notes } = written?;
    notes.iter().for_each(|note| eprintln!("note: {note}"));
    if let Some(schema) = schema {
        say!("{}: the schema of it", schema.display());
    }
    say!("{}: {vertices} nodes and {edges} relationships", arguments.to.display());
    Ok(())
}

/// The file of the schema that belongs to N-Quads: `g01.schema.gz` beside `g01.rdf.gz`.
fn schema_beside(data: &Path) -> PathBuf {
    let name = data.file_name().unwrap_or_default().to_string_lossy();
    let (name, packed) = match name.strip_suffix(".gz") {
        Some(name) => (name, ".gz"),
        None => (&*name, ""),
    };
    let name = name.strip_suffix(".rdf").unwrap_or(name);
    data.with_file_name(format!("{name}.schema{packed}"))
}

fn format(arguments: &Export) -> Result<ExportFormat> {
    if let Some(word) = &arguments.format {
        return ExportFormat::parse(word);
    }
    ExportFormat::of_path(&arguments.to).ok_or_else(|| {
        let detail = format!("{}: its name does not show the format", arguments.to.display());
        Error::new(ErrorKind::BadInput, detail)
            .with_help("use --format graphml, graphson, rdf or csv (a folder)")
    })
}
