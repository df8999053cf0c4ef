//! Node rows: each gets a vertex, and its name a place in its id space.

use super::super::edges::Space;
use super::super::header::{Header, Role};
use super::super::nodes::{NodeGroup, NodeRows, parse_nodes};
use super::super::spaces::remember;
use super::super::table::{Table, TableKind};
use super::{Consumer, keyed};
use crate::error::{BadRow, LoadError, excerpt};
use crate::graph::{ensure_unique, intern_labels, intern_one, lease, push_text};
use crate::source::{Block, Parsing, run};
use millrace_model::column::ColumnValues;
use millrace_model::{Column, KeyId, Owner, Strings, VertexId};
use millrace_store::{Labels, NameKind, VertexBlock};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A node table in the store's numbers.
struct NodeTable {
    space: Box<str>,
    /// The place of the field with the name.
    id_at: usize,
    id_key: Option<KeyId>,
    /// Keys of the property fields.
    keys: Vec<KeyId>,
    /// Labels of every row.
    labels: Vec<Arc<str>>,
    /// Label sets by their text in the rows.
    sets: FxHashMap<Box<str>, Labels>,
}

impl Consumer<'_, '_> {
    /// Takes a whole table of nodes.
    pub(in crate::csv) fn nodes(&mut self, table: Table) -> Result<(), LoadError> {
        let Table { kind, header, mut readers } = table;
        let TableKind::Nodes(labels) = kind else { return Ok(()) };
        let mut nodes = self.node_table(&header, labels)?;
        let dialect = self.options.dialect;
        let files: Vec<_> = readers.iter().map(|reader| Arc::clone(&reader.file)).collect();
        run(
            &mut readers,
            &Parsing::of(&self.store.memory()),
            |block| (block.source, parse_nodes(block, &header, dialect)),
            |(source, rows)| self.node_rows(&mut nodes, rows, &files[source]),
        )
    }

    /// Takes blocks of a table of nodes; others of it may be in the graph.
    pub(in crate::csv) fn node_blocks(
        &mut self,
        header: &Header,
        labels: &[Arc<str>],
        blocks: Vec<Block>,
    ) -> Result<(), LoadError> {
        let mut nodes = self.node_table(header, labels.to_vec())?;
        let Some(first) = blocks.first() else { return Ok(()) };
        if nodes.id_key.is_none() && header.place(|role| matches!(role, Role::Id { .. })).is_some()
        {
            return Err(LoadError::Input(format!(
                "{}: in batches an id must be kept, so that later rows find the node: give it a name, \
                 as in id:ID",
                first.file
            )));
        }
        let dialect = self.options.dialect;
        for block in blocks {
            let file = Arc::clone(&block.file);
            self.node_rows(&mut nodes, parse_nodes(block, header, dialect), &file)?;
        }
        Ok(())
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
        let id_at = header.place(|role| matches!(role, Role::Id { .. })).unwrap_or(0);
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
        Ok(NodeTable { space, id_at, id_key, keys, labels, sets: FxHashMap::default() })
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
        self.meter.rows(rows.rows - repeats, bad)?;
        self.meter.hold(self.spaces.values().map(Space::byte_size).sum())
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
                remember(self.store, &table.space, key, *label)?;
            }
        }
        table.sets.insert(text.into(), Arc::clone(&labels));
        Ok(labels)
    }

    /// Names and pushes nodes; gives back the rows with a name that is taken.
    fn node_group(
        &mut self,
        table: &NodeTable,
        labels: Labels,
        group: NodeGroup,
        file: &Arc<str>,
    ) -> Result<Vec<BadRow>, LoadError> {
        let there = self.in_graph(table, &labels, &group, file)?;
        let space = self.spaces.entry(table.space.clone()).or_default();
        let mut ids = lease(self.store, group.ids.len())?;
        let mut kept = Vec::with_capacity(ids.len());
        let mut bad = Vec::new();
        for (row, name) in group.ids.iter().enumerate() {
            if name.is_empty() {
                kept.push(row as u32);
            } else if there.get(row).is_some_and(Option::is_some) {
                let detail = format!("the id '{}' is in the graph already", excerpt(name));
                let (file, line) = (Arc::clone(file), group.lines[row]);
                bad.push(BadRow { file, line, column: table.id_at as u64 + 1, detail });
            } else if space.names.intern(name).1 {
                space.vertices.push(ids[row]);
                kept.push(row as u32);
            } else {
                let detail = format!("the id '{}' occurs twice in this load", excerpt(name));
                let (file, line) = (Arc::clone(file), group.lines[row]);
                bad.push(BadRow { file, line, column: table.id_at as u64 + 1, detail });
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
}

impl Consumer<'_, '_> {
    /// Which rows' ids the graph has, where earlier batches may have put them there.
    fn in_graph(
        &self,
        table: &NodeTable,
        labels: &Labels,
        group: &NodeGroup,
        file: &Arc<str>,
    ) -> Result<Vec<Option<VertexId>>, LoadError> {
        if !self.in_batches || table.id_key.is_none() {
            return Ok(Vec::new());
        }
        if labels.is_empty() {
            return Err(LoadError::Input(format!(
                "{file}: in batches a node with an id must have a label, by which later rows find it"
            )));
        }
        let names: Vec<&str> = group.ids.iter().collect();
        Ok(self.known.find(&table.space, &names)?)
    }
}

/// The names of the kept rows; a node without a name has no entry.
fn names_column(names: Strings, kept: &[u32]) -> Column {
    if kept.len() == names.len() && names.iter().all(|name| !name.is_empty()) {
        return Column::of(ColumnValues::String(names));
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
