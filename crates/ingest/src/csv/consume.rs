//! Parsed rows to the bulk load, on the consumer's thread: names get vertices, groups of rows
//! become parts as they are, without being copied.

use super::edges::{EdgeGroup, EdgeRows, EdgeTable, Space, parse_edges};
use super::header::{Header, Role};
use super::load::{CsvOptions, Table, TableKind};
use super::nodes::{NodeGroup, NodeRows, parse_nodes};
use crate::error::{BadRow, LoadError, excerpt};
use crate::graph::{Sink, ensure_unique, intern_labels, intern_one, lease, push_text};
use crate::load::{Meter, Phase, Summary};
use crate::nquads::vocabulary::RESOURCE;
use crate::pipeline;
use millrace_model::column::Entries;
use millrace_model::{Column, EdgeTypeId, KeyId, LabelId, Owner, Strings, VertexId};
use millrace_store::{Changes, EdgeBlock, Labels, NameKind, Store, VertexBlock};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The state of one load.
pub(super) struct Consumer<'a, 'p> {
    store: &'a dyn Store,
    options: CsvOptions,
    meter: Meter<'p>,
    sink: Sink<'a>,
    spaces: FxHashMap<Box<str>, Space>,
    /// The key that each space's names are stored under.
    id_keys: FxHashMap<Box<str>, KeyId>,
    /// Labels and keys that have their unique index.
    unique: FxHashSet<(LabelId, KeyId)>,
    vertices: u64,
    edges: u64,
}

/// A node table in the store's numbers.
struct NodeTable {
    space: Box<str>,
    id_key: Option<KeyId>,
    /// Keys of the property fields.
    keys: Vec<KeyId>,
    /// Labels of every row.
    labels: Vec<Arc<str>>,
    /// Label sets by their text in the rows.
    sets: FxHashMap<Box<str>, Labels>,
}

impl<'a, 'p> Consumer<'a, 'p> {
    pub(super) fn new(
        store: &'a dyn Store,
        options: CsvOptions,
        meter: Meter<'p>,
    ) -> Result<Self, LoadError> {
        Ok(Self {
            store,
            options,
            meter,
            sink: Sink::bulk(store)?,
            spaces: FxHashMap::default(),
            id_keys: FxHashMap::default(),
            unique: FxHashSet::default(),
            vertices: 0,
            edges: 0,
        })
    }

    /// Takes a whole table of nodes.
    pub(super) fn nodes(&mut self, table: Table) -> Result<(), LoadError> {
        let Table { kind, header, mut readers } = table;
        let TableKind::Nodes(labels) = kind else { return Ok(()) };
        let mut nodes = self.node_table(&header, labels)?;
        let dialect = self.options.dialect;
        let files: Vec<_> = readers.iter().map(|reader| Arc::clone(&reader.file)).collect();
        pipeline::run(
            &mut readers,
            |block| (block.source, parse_nodes(block, &header, dialect)),
            |(source, rows)| self.node_rows(&mut nodes, rows, &files[source]),
        )
    }

    fn node_table(
        &mut self,
        header: &Header,
        labels: Vec<Arc<str>>,
    ) -> Result<NodeTable, LoadError> {
        let id = header.roles.iter().find_map(|role| match role {
            Role::Id { key, space } => Some((key.as_deref(), space.clone())),
            _ => None,
        });
        let (id_name, space) = id.unwrap_or_default();
        let id_key = match id_name {
            Some(name) => Some(KeyId(intern_one(self.store, NameKind::Key, name)?)),
            None => None,
        };
        self.spaces.entry(space.clone()).or_default();
        if let Some(key) = id_key {
            self.id_keys.insert(space.clone(), key);
        }
        let keys = self.property_keys(header)?;
        Ok(NodeTable { space, id_key, keys, labels, sets: FxHashMap::default() })
    }

    fn property_keys(&self, header: &Header) -> Result<Vec<KeyId>, LoadError> {
        let mut keys = Vec::new();
        for role in &header.roles {
            if let Role::Property { key, .. } = role {
                keys.push(KeyId(intern_one(self.store, NameKind::Key, key)?));
            }
        }
        Ok(keys)
    }

    fn node_rows(
        &mut self,
        table: &mut NodeTable,
        rows: NodeRows,
        file: &Arc<str>,
    ) -> Result<(), LoadError> {
        let mut bad = rows.bad;
        let mut repeats = 0;
        for (text, group) in rows.labels.iter().zip(rows.groups) {
            let labels = self.labels(table, text)?;
            let faults = self.node_group(table, labels, group, file)?;
            repeats += faults.len() as u64;
            bad.extend(faults);
        }
        bad.sort_by_key(|row| row.line);
        self.meter.rows(rows.rows - repeats, bad)
    }

    /// The label set of a text, with its unique indexes declared.
    fn labels(&mut self, table: &mut NodeTable, text: &str) -> Result<Labels, LoadError> {
        if let Some(labels) = table.sets.get(text) {
            return Ok(Arc::clone(labels));
        }
        let written = text.split(self.options.dialect.array_delimiter).map(str::trim);
        let written = written.filter(|label| !label.is_empty()).map(Arc::from);
        let names: Vec<Arc<str>> = table.labels.iter().cloned().chain(written).collect();
        let labels = intern_labels(self.store, &names)?;
        for label in labels.iter() {
            let Some(key) = table.id_key else { break };
            if self.unique.insert((*label, key)) {
                ensure_unique(self.store, Owner::Label(*label), key)?;
            }
        }
        table.sets.insert(text.into(), Arc::clone(&labels));
        Ok(labels)
    }

    /// Names and pushes nodes; gives back the rows whose name is taken.
    fn node_group(
        &mut self,
        table: &NodeTable,
        labels: Labels,
        group: NodeGroup,
        file: &Arc<str>,
    ) -> Result<Vec<BadRow>, LoadError> {
        let space = self.spaces.get_mut(&table.space).expect("made with the table");
        let mut ids = lease(self.store, group.ids.len())?;
        let mut kept = Vec::with_capacity(ids.len());
        let mut bad = Vec::new();
        for (row, name) in group.ids.iter().enumerate() {
            if name.is_empty() {
                kept.push(row as u32);
            } else if space.names.intern(name).1 {
                space.vertices.push(ids[row]);
                kept.push(row as u32);
            } else {
                let detail = format!("the id '{}' stands twice in this load", excerpt(name));
                let (file, line) = (Arc::clone(file), group.lines[row]);
                bad.push(BadRow { file, line, column: 1, detail });
            }
        }
        let mut properties = group.properties;
        if !bad.is_empty() {
            ids = kept.iter().map(|row| ids[*row as usize]).collect();
            properties = properties.iter().map(|column| column.take(&kept)).collect();
        }
        let mut properties = keyed(&table.keys, properties);
        if let Some(key) = table.id_key {
            properties.push((key, names_column(group.ids, &kept)));
        }
        let count = ids.len() as u64;
        self.push_vertices(VertexBlock { labels, ids, properties })?;
        self.vertices += count;
        self.meter.stored(count, 0)?;
        Ok(bad)
    }

    fn push_vertices(&mut self, block: VertexBlock) -> Result<(), LoadError> {
        Ok(self.sink.push(Changes { vertices: vec![block], ..Changes::default() })?)
    }

    /// Takes all tables of relationships and ends the load.
    pub(super) fn edges(mut self, tables: Vec<Table>) -> Result<Summary, LoadError> {
        let spaces = std::mem::take(&mut self.spaces);
        let mut made = FxHashMap::default();
        for table in tables {
            self.edge_table(table, &spaces, &mut made)?;
        }
        self.meter.enter(Phase::Finishing)?;
        let position = self.sink.finish()?;
        self.meter.finish(position, self.vertices, self.edges)
    }

    fn edge_table(
        &mut self,
        table: Table,
        spaces: &FxHashMap<Box<str>, Space>,
        made: &mut FxHashMap<Box<str>, Space>,
    ) -> Result<(), LoadError> {
        let Table { kind, header, mut readers } = table;
        let TableKind::Relationships(edge_type) = kind else { return Ok(()) };
        let [source_space, target_space] = space_names(&header);
        let nobody = Space::default();
        let space = |name: &str| match spaces.get(name) {
            Some(space) => Ok(space),
            None if self.options.create_ends => Ok(&nobody),
            None => Err(LoadError::Input(format!(
                "{}: no node table of this load has the id space '{name}'",
                readers[0].file
            ))),
        };
        let edges = EdgeTable {
            header: &header,
            dialect: self.options.dialect,
            edge_type: edge_type.as_deref(),
            source_space: space(source_space)?,
            target_space: space(target_space)?,
            create_ends: self.options.create_ends,
        };
        let keys = self.property_keys(&header)?;
        let ends = [source_space, target_space];
        pipeline::run(
            &mut readers,
            |block| parse_edges(block, &edges),
            |rows| self.edge_rows(rows, &keys, ends, made),
        )
    }

    fn edge_rows(
        &mut self,
        rows: EdgeRows,
        keys: &[KeyId],
        ends: [&str; 2],
        made: &mut FxHashMap<Box<str>, Space>,
    ) -> Result<(), LoadError> {
        let mut count = 0;
        for (name, mut group) in rows.types.iter().zip(rows.groups) {
            let edge_type = EdgeTypeId(intern_one(self.store, NameKind::EdgeType, name)?);
            self.make_ends(&mut group, ends, made)?;
            count += group.sources.len() as u64;
            let EdgeGroup { sources, targets, properties, .. } = group;
            let properties = keyed(keys, properties);
            let block = EdgeBlock { edge_type, ids: Vec::new(), sources, targets, properties };
            self.sink.push(Changes { edges: vec![block], ..Changes::default() })?;
        }
        self.edges += count;
        self.meter.rows(rows.rows, rows.bad)?;
        self.meter.stored(0, count)
    }

    /// Makes the vertices that rows named and no node table had.
    fn make_ends(
        &mut self,
        group: &mut EdgeGroup,
        ends: [&str; 2],
        made: &mut FxHashMap<Box<str>, Space>,
    ) -> Result<(), LoadError> {
        for (row, is_target, name) in std::mem::take(&mut group.unknown) {
            let space_name = ends[usize::from(is_target)];
            let space = made.entry(space_name.into()).or_default();
            let (number, new) = space.names.intern(&name);
            if new {
                let vertex = lease(self.store, 1)?[0];
                space.vertices.push(vertex);
                self.make_end(vertex, space_name, &name)?;
            }
            let end = if is_target { &mut group.targets } else { &mut group.sources };
            end[row as usize] = space.vertices[number as usize];
        }
        Ok(())
    }

    fn make_end(&mut self, id: VertexId, space: &str, name: &str) -> Result<(), LoadError> {
        let key = match self.id_keys.get(space) {
            Some(key) => *key,
            None => KeyId(intern_one(self.store, NameKind::Key, "id")?),
        };
        self.id_keys.insert(space.into(), key);
        let labels = intern_labels(self.store, &[RESOURCE.into()])?;
        let mut column = Column::default();
        push_text(&mut column, name);
        self.push_vertices(VertexBlock { labels, ids: vec![id], properties: vec![(key, column)] })?;
        self.vertices += 1;
        self.meter.stored(1, 0)
    }
}

fn space_names(header: &Header) -> [&str; 2] {
    let named = |accepts: fn(&Role) -> Option<&str>| header.roles.iter().find_map(accepts);
    [
        named(|role| if let Role::Start { space } = role { Some(space) } else { None }),
        named(|role| if let Role::End { space } = role { Some(space) } else { None }),
    ]
    .map(|name| name.expect("checked at the start"))
}

/// Columns with their keys; a column without any value is left out.
fn keyed(keys: &[KeyId], columns: Vec<Column>) -> Vec<(KeyId, Column)> {
    let has_value = |column: &Column| {
        column.absents.as_ref().is_none_or(|absents| absents.count() < column.len())
    };
    keys.iter().copied().zip(columns).filter(|(_, column)| has_value(column)).collect()
}

/// The names of the kept rows; a node without a name has no entry.
fn names_column(names: Strings, kept: &[u32]) -> Column {
    if kept.len() == names.len() && names.iter().all(|name| !name.is_empty()) {
        return Column::of(Entries::String(names));
    }
    let mut column = Column::default();
    for row in kept {
        match names.get(*row as usize) {
            "" => column.push_absent(),
            name => push_text(&mut column, name),
        }
    }
    column
}
