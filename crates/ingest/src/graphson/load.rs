//! The load itself: values into memory, then all of it to the store as one commit.

use super::line::{Form, parse_block};
use super::rows::LeftOut;
use crate::elements::ElementGraph;
use crate::error::LoadError;
use crate::format::Format;
use crate::json_values::{SEPARATOR, is_wrapped, unwrapped};
use crate::progress::{Meter, Summary, open_all};
use crate::source::{LineEnds, Parsing, Source, run};
use millrace_store::Store;
use std::sync::Arc;

/// Loads all files as one commit.
pub(crate) fn load(
    store: &dyn Store,
    sources: Vec<Source>,
    mut meter: Meter<'_>,
) -> Result<Summary, LoadError> {
    let readers = open_all(sources, Format::GraphSon, LineEnds::All, &mut meter)?;
    let (mut opened, mut forms) = (Vec::with_capacity(readers.len()), Vec::new());
    for mut reader in readers {
        let form = if is_wrapped(reader.head()?) { Form::Wrapped } else { Form::Lines };
        opened.push(match form {
            Form::Lines => reader,
            Form::Wrapped => reader.filtered(LineEnds::Each(SEPARATOR), unwrapped),
        });
        forms.push(form);
    }
    let snapshot = store.snapshot()?;
    let (mut graph, mut left_out) = (ElementGraph::default(), LeftOut::default());
    run(
        &mut opened,
        &Parsing::of(&store.memory()),
        |block| (Arc::clone(&block.file), parse_block(&block, forms[block.source])),
        |(file, (lines, more))| {
            left_out.add(more);
            let (good, bad) = graph.add(lines, &file, &*snapshot)?;
            meter.rows(good, bad)?;
            meter.hold(graph.byte_size())?;
            let (vertices, edges) = graph.counts();
            meter.found(vertices, edges)
        },
    )?;
    if let Some(note) = left_out.note() {
        meter.note(note);
    }
    graph.finish(store, snapshot, meter)
}
