//! `millrace export`: a graph of a closed data folder to files that `millrace load` reads again.

use std::ops::ControlFlow;

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
    };
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
        graph.export(&arguments.to, options, &mut |doing, done, total| {
            shower.show_steps(doing, done, total);
            // A signal ends the process, and then nothing of the wanted name is there.
            ControlFlow::Continue(())
        })
    });
    shower.finish_steps();
    database.close();
    let ExportSummary { vertices, edges, notes } = written?;
    notes.iter().for_each(|note| eprintln!("note: {note}"));
    say!("{}: {vertices} nodes and {edges} relationships", arguments.to.display());
    Ok(())
}

fn format(arguments: &Export) -> Result<ExportFormat> {
    if let Some(word) = &arguments.format {
        return ExportFormat::parse(word);
    }
    ExportFormat::of_path(&arguments.to).ok_or_else(|| {
        let detail = format!("{}: its name does not show the format", arguments.to.display());
        Error::new(ErrorKind::BadInput, detail)
            .with_help("use --format graphml, graphson or csv (a folder)")
    })
}
