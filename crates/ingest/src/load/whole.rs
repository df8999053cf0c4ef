//! A load as one commit, and the input of a load.

use crate::csv::{self, CsvOptions, PlainColumns, TableFiles};
use crate::declared::DeclaredSchema;
use crate::error::LoadError;
use crate::format::Format;
use crate::graphml;
use crate::graphson;
use crate::json_values::{SEPARATOR, array_values};
use crate::lists;
use crate::nquads;
use crate::progress::{DatatypeCounts, LoadOptions, Meter, OnProgress, Phase, Summary, open_all};
use crate::source::{BlockReader, LineEnds, Parsing, Source, run};
use millrace_model::MemoryBudget;
use millrace_store::Store;
use std::sync::Arc;

/// The input of a load.
pub enum Input {
    /// N-Quads and N-Triples.
    NQuads(Vec<Source>),
    /// N-Quads or Dgraph's JSON, under a schema.
    Declared(Format, Vec<Source>, Arc<DeclaredSchema>),
    /// Tables with neo4j-admin headers.
    Csv(Vec<TableFiles>, CsvOptions),
    /// GraphSON 3, a vertex a line, and the JSON of APOC.
    GraphSon(Vec<Source>),
    /// GraphML.
    GraphMl(Vec<Source>),
    /// Lists of edges, of one format, with the label of their nodes and the type of the edges.
    Lists(Format, Vec<Source>, PlainColumns),
}

/// Loads all of `input` into a graph as one commit.
pub fn load(
    store: &dyn Store,
    input: Input,
    options: LoadOptions,
    on_progress: OnProgress<'_>,
) -> Result<Summary, LoadError> {
    let meter = Meter::new(options, on_progress).sharing(&store.memory());
    match input {
        Input::NQuads(sources) => load_quads(store, Format::NQuads, sources, None, meter),
        Input::Declared(format, sources, schema) => {
            load_quads(store, format, sources, Some(schema), meter)
        }
        Input::Csv(tables, csv_options) => csv::load(store, tables, csv_options, meter),
        Input::GraphSon(sources) => graphson::load(store, sources, meter),
        Input::GraphMl(sources) => graphml::load(store, sources, meter),
        Input::Lists(format, sources, columns) => {
            lists::load(store, format, sources, &columns, meter)
        }
    }
}

fn load_quads(
    store: &dyn Store,
    format: Format,
    sources: Vec<Source>,
    declared: Option<Arc<DeclaredSchema>>,
    mut meter: Meter<'_>,
) -> Result<Summary, LoadError> {
    let mut readers = open_all(sources, format, LineEnds::All, &mut meter)?;
    let is_json = format == Format::DgraphJson;
    if is_json {
        let values = |reader: BlockReader| reader.filtered(LineEnds::Each(SEPARATOR), array_values);
        readers = readers.into_iter().map(values).collect();
    }
    let mut graph = nquads::QuadGraph::default().declared_by(declared.clone());
    let (treatment, mut unknown_types) = (meter.unknown_types(), DatatypeCounts::default());
    let rules = nquads::BlockRules { treatment, declared, ..nquads::BlockRules::default() };
    run(
        &mut readers,
        &Parsing::of(&store.memory()),
        |block| match is_json {
            true => nquads::parse_json_block(&block, &rules),
            false => nquads::parse_block(&block, &rules),
        },
        |mut block| {
            unknown_types.add_all(&block.unknown_types);
            meter.rows(block.quads, std::mem::take(&mut block.bad))?;
            graph.add(block);
            meter.hold(graph.byte_size())?;
            meter.found(graph.vertex_count() as u64, graph.edge_count() as u64)
        },
    )?;
    meter.note_unknown_types(&unknown_types);
    meter.note_judged(graph.judged());
    meter.enter(Phase::Storing)?;
    let path = meter.path();
    let mut on_part = |vertices, edges| meter.stored(vertices, edges);
    let emitted = nquads::emit(graph, store, path, &mut on_part)?;
    if emitted.replaced != 0 {
        let count = emitted.replaced;
        meter.note(format!("{count} values of nodes replaced others that the graph had"));
    }
    meter.enter(Phase::Finishing)?;
    let position = emitted.sink.finish()?;
    meter.finish(position, emitted.vertices, emitted.edges)
}

/// Reads N-Quads without storing them, for their number and their faults.
pub fn check_nquads(sources: Vec<Source>, on_progress: OnProgress<'_>) -> Result<u64, LoadError> {
    let mut meter = Meter::new(LoadOptions::default(), on_progress);
    let mut readers = open_all(sources, Format::NQuads, LineEnds::All, &mut meter)?;
    let mut quads = 0;
    run(
        &mut readers,
        &Parsing::of(&MemoryBudget::unbounded()),
        |block| nquads::parse_block(&block, &nquads::BlockRules::default()),
        |block| {
            quads += block.quads;
            meter.rows(block.quads, block.bad)
        },
    )?;
    Ok(quads)
}
