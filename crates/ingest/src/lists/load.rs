//! The load of lists: nodes as they occur, edges as they come, straight to the store. Only the ids stay in
//! memory, because a later row may name any of them.

use super::entries;
use super::head::{self, Heads};
use super::nodes::Nodes;
use super::options::{ID_KEY, Property, Said, id_type, set_types};
use super::rows::{Names, RowForm, Rows, parse};
use crate::csv::{IdType, KnownSpaces, PlainColumns, Space};
use crate::error::LoadError;
use crate::format::Format;
use crate::graph::{Sink, intern, intern_one};
use crate::progress::{LoadPath, Meter, Phase, Summary, open_all};
use crate::source::{LineEnds, Parsing, Source, run};
use millrace_model::{Column, EdgeTypeId, KeyId, VertexId};
use millrace_store::{Changes, EdgeBlock, NameKind, Store, VertexBlock};
use std::sync::{PoisonError, RwLock};

/// Loads all lists as one commit.
pub(crate) fn load(
    store: &dyn Store,
    format: Format,
    sources: Vec<Source>,
    columns: &PlainColumns,
    mut meter: Meter<'_>,
) -> Result<Summary, LoadError> {
    let mut readers = open_all(sources, format, LineEnds::All, &mut meter)?;
    if format == Format::MatrixMarket {
        return entries::load(store, readers, columns, meter);
    }
    let Heads { files: heads, has_numbers, columns: found, bytes } = head::read(&mut readers)?;
    meter.hold(bytes)?;
    let mut said = None;
    for (reader, head) in readers.iter().zip(&heads) {
        said = Some(Said::of(columns, &reader.file, head)?);
    }
    let said = said.ok_or_else(|| LoadError::Input("no file to load".into()))?;
    let guessed = |(name, kind)| Property { name, kind: Some(kind), is_guessed: true };
    let mut properties: Vec<Property> = found.into_iter().map(guessed).collect();
    let (key, id_type) = ids_of(store, &said, columns, has_numbers)?;
    set_types(&mut properties, &columns.types, &key)?;
    let mut loading = Loading::begin(store, &said, (&key, id_type), &properties, meter)?;
    for (reader, head) in readers.iter().zip(&heads) {
        loading.note_list(&reader.file, head.is_undirected, (&key, id_type), &properties);
    }
    let spaces = said.labels.iter().map(|_| Space { id_type, ..Space::default() }).collect();
    let names = RwLock::new(Names { spaces, ends: said.ends() });
    let form = RowForm { heads: &heads, id_type, properties: &properties };
    run(
        &mut readers,
        &Parsing::of(&store.memory()),
        |block| parse(&block, &form, &names),
        |rows| loading.take(rows, &names),
    )?;
    loading.finish()
}

/// The key and the type of ids: as they are said, or as the graph has those of this label, or as they look.
pub(super) fn ids_of(
    store: &dyn Store,
    said: &Said<'_>,
    columns: &PlainColumns,
    has_numbers: bool,
) -> Result<(Box<str>, IdType), LoadError> {
    let known = KnownSpaces::new(store.snapshot()?);
    let known = said.labels.iter().find_map(|labels| known.key_of(Nodes::space(labels)));
    let key: Box<str> = match (said.id, &known) {
        (Some(key), _) => key.into(),
        (None, Some((key, _))) => key.clone(),
        (None, None) => ID_KEY.into(),
    };
    let known = known.filter(|(of_graph, _)| *of_graph == key).map(|(_, id_type)| id_type);
    let usual = if has_numbers { IdType::Integer } else { IdType::Text };
    let said = id_type(&columns.types, &key)?;
    Ok((key, said.or(known).unwrap_or(usual)))
}

/// The state of one load.
pub(super) struct Loading<'a, 'p> {
    pub(super) store: &'a dyn Store,
    pub(super) meter: Meter<'p>,
    sink: Sink<'a>,
    /// Nodes of each kind.
    pub(super) nodes: Vec<Nodes>,
    edge_type: EdgeTypeId,
    /// Keys of the properties that are loaded.
    keys: Vec<KeyId>,
    vertices: u64,
    edges: u64,
}

impl<'a, 'p> Loading<'a, 'p> {
    pub(super) fn begin(
        store: &'a dyn Store,
        said: &Said<'_>,
        (key, id_type): (&str, IdType),
        properties: &[Property],
        meter: Meter<'p>,
    ) -> Result<Self, LoadError> {
        let nodes = said.labels.iter().map(|labels| Nodes::new(store, labels, (key, id_type)));
        let nodes = nodes.collect::<Result<Vec<_>, _>>()?;
        let edge_type = EdgeTypeId(intern_one(store, NameKind::EdgeType, said.edge_type)?);
        let loaded = properties.iter().filter(|property| property.kind.is_some());
        let keys = intern(store, NameKind::Key, loaded.map(|property| &*property.name))?;
        let keys = keys.into_iter().map(KeyId).collect();
        let sink = match meter.path() {
            LoadPath::Bulk => Sink::bulk(store)?,
            LoadPath::Transaction => Sink::transaction(store, None),
        };
        let (vertices, edges) = (0, 0);
        Ok(Self { store, meter, sink, nodes, edge_type, keys, vertices, edges })
    }

    fn note_list(
        &mut self,
        file: &str,
        is_undirected: bool,
        (key, id_type): (&str, IdType),
        properties: &[Property],
    ) {
        let columns: String =
            properties.iter().map(|property| format!(",{}", property.text())).collect();
        let ids = format!("two ids ({key}:{})", id_type.word());
        self.meter.note(format!("{file}: read as {ids}{columns}"));
        if is_undirected {
            self.meter.note(format!(
                "{file}: its edges have no direction; each is one edge, from its first node to its second"
            ));
        }
    }

    /// Takes the rows of a block: new nodes, then the edges.
    fn take(&mut self, mut rows: Rows, names: &RwLock<Names>) -> Result<(), LoadError> {
        let mut blocks = Vec::new();
        if !rows.unknown.is_empty() {
            let mut names = names.write().unwrap_or_else(PoisonError::into_inner);
            self.make_nodes(&rows, &mut names, &mut blocks)?;
            let unknown = std::mem::take(&mut rows.unknown);
            for (at, end) in unknown.into_iter().enumerate() {
                let space = &names.spaces[names.ends[usize::from(end.1)]];
                if let Some(vertex) = space.find(rows.names.get(at)) {
                    rows.set(end, vertex);
                }
            }
            self.meter.hold(names.byte_size())?;
        }
        self.meter.rows(rows.sources.len() as u64, rows.bad)?;
        self.push(blocks, [rows.sources, rows.targets], rows.columns)
    }

    /// Finds or makes the nodes of names that are new.
    fn make_nodes(
        &self,
        rows: &Rows,
        names: &mut Names,
        blocks: &mut Vec<VertexBlock>,
    ) -> Result<(), LoadError> {
        let mut fresh: Vec<Vec<&str>> = vec![Vec::new(); self.nodes.len()];
        for ((_, is_target), name) in rows.unknown.iter().zip(rows.names.iter()) {
            let kind = names.ends[usize::from(*is_target)];
            if names.spaces[kind].names.intern(name).1 {
                fresh[kind].push(name);
            }
        }
        for ((nodes, fresh), space) in self.nodes.iter().zip(&fresh).zip(&mut names.spaces) {
            let (vertices, block) = nodes.of_names(self.store, fresh)?;
            space.vertices.extend(vertices);
            blocks.extend(block);
        }
        Ok(())
    }

    /// Hands nodes and edges to the store.
    pub(super) fn push(
        &mut self,
        blocks: Vec<VertexBlock>,
        [sources, targets]: [Vec<VertexId>; 2],
        columns: Vec<Column>,
    ) -> Result<(), LoadError> {
        let vertices: u64 = blocks.iter().map(|block| block.ids.len() as u64).sum();
        let edges = sources.len() as u64;
        let has_value = |column: &Column| {
            column.absents.as_ref().is_none_or(|absents| absents.count() < column.len())
        };
        let properties = self.keys.iter().copied().zip(columns);
        let properties = properties.filter(|(_, column)| has_value(column)).collect();
        let (edge_type, ids) = (self.edge_type, Vec::new());
        let mut part = Changes { vertices: blocks, ..Changes::default() };
        if edges != 0 {
            part.edges.push(EdgeBlock { edge_type, ids, sources, targets, properties });
        }
        self.sink.push(part)?;
        self.vertices += vertices;
        self.edges += edges;
        self.meter.stored(vertices, edges)
    }

    pub(super) fn finish(mut self) -> Result<Summary, LoadError> {
        self.meter.enter(Phase::Finishing)?;
        let position = self.sink.finish()?;
        self.meter.finish(position, self.vertices, self.edges)
    }
}
