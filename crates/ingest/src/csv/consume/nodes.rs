//! Node rows: each gets a vertex, and its name a place in its id space.

use super::super::edges::Space;
use super::super::header::{Header, Role};
use super::super::nodes::{NodeGroup, NodeRows, parse_nodes};
use super::super::spaces::remember;
use super::super::table::{Table, TableKind};
use super::super::value::IdType;
use super::{Consumer, keyed, names_column};
use crate::error::{BadRow, LoadError, excerpt};
use crate::graph::{ensure_unique, intern_labels, intern_one, lease};
use crate::source::{Block, Parsing, run};
use millrace_model::{KeyId, Owner};
use millrace_store::{Labels, NameKind, VertexBlock};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A node table in the store's numbers.
pub(super) struct NodeTable {
    pub(super) space: Box<str>,
    /// The place of the field with the name.
    pub(super) id_at: usize,
    pub(super) id_type: IdType,
    /// The label with which ids are unique, if it is not each.
    id_label: Option<Arc<str>>,
    pub(super) id_key: Option<KeyId>,
    /// Keys of the property fields.
    pub(super) keys: Vec<KeyId>,
    /// Where these fields are in a row.
    pub(super) fields: Vec<usize>,
    /// Labels of every row.
    labels: Vec<Arc<str>>,
    /// Label sets by their text in the rows.
    sets: FxHashMap<Box<str>, Labels>,
}

impl NodeTable {
    /// The label of the ids, if rows with these labels lack it.
    fn lacking_label(&self, text: &str, array_delimiter: char) -> Option<Arc<str>> {
        let label = self.id_label.as_ref()?;
        let has = self.labels.contains(label)
            || text.split(array_delimiter).any(|written| written.trim() == &**label);
        (!has).then(|| Arc::clone(label))
    }
}

impl Consumer<'_, '_> {
    /// Takes a whole table of nodes.
    pub(in crate::csv) fn nodes(&mut self, table: Table) -> Result<(), LoadError> {
        let Table { kind, header, mut readers, .. } = table;
        let TableKind::Nodes(labels) = kind else { return Ok(()) };
        let mut nodes = self.node_table(&header, labels, &readers[0].file)?;
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
        let Some(first) = blocks.first() else { return Ok(()) };
        let mut nodes = self.node_table(header, labels.to_vec(), &first.file)?;
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
        file: &str,
    ) -> Result<NodeTable, LoadError> {
        let id = header.roles.iter().find_map(|role| match role {
            Role::Id { key, space, options } => Some((key.as_deref(), space.clone(), options)),
            _ => None,
        });
        let id_label =
            id.as_ref().and_then(|(.., options)| options.label.as_deref()).map(Arc::from);
        let has_id = id.is_some();
        let (id_at, id_type) = header.id().unwrap_or_default();
        let (id_name, space) = id.map(|(name, space, _)| (name, space)).unwrap_or_default();
        let id_key = match id_name {
            Some(name) => Some(KeyId(intern_one(self.store, NameKind::Key, name)?)),
            None => None,
        };
        if has_id {
            let new = Space { id_type, ..Space::default() };
            let known = self.spaces.entry(space.clone()).or_insert(new);
            if known.id_type != id_type {
                return Err(LoadError::Input(format!(
                    "{file}: ids of the space '{space}' are a {} here, and a {} in another table: make them one \
                     type",
                    id_type.word(),
                    known.id_type.word()
                )));
            }
        } else {
            self.spaces.entry(space.clone()).or_default();
        }
        if let Some(key) = id_key {
            self.id_keys.insert(space.clone(), (key, id_type));
        }
        let (keys, sets) = (self.property_keys(header)?, FxHashMap::default());
        let fields = header.property_fields().collect();
        Ok(NodeTable { space, id_at, id_type, id_label, id_key, keys, fields, labels, sets })
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
            if let Some(label) = table.lacking_label(text, self.options.dialect.array_delimiter) {
                let detail =
                    format!("the node lacks the label '{label}' with which its id is unique");
                let bad_row = |line: &u64| BadRow {
                    file: Arc::clone(file),
                    line: *line,
                    column: table.id_at as u64 + 1,
                    detail: detail.clone(),
                };
                repeats += group.lines.len() as u64;
                bad.extend(group.lines.iter().map(bad_row));
                continue;
            }
            let labels = self.labels(table, text)?;
            let faults = self.node_group(table, labels, group, file)?;
            repeats += faults.len() as u64;
            bad.extend(faults);
        }
        bad.sort_by_key(|row| row.line);
        self.meter.rows(rows.rows - repeats, bad)?;
        self.meter.hold(self.seen_bytes())
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
        let of_ids = match &table.id_label {
            Some(label) => intern_labels(self.store, &[Arc::clone(label)])?,
            None => Arc::clone(&labels),
        };
        for label in of_ids.iter() {
            let Some(key) = table.id_key else { break };
            if self.unique.insert((*label, key)) {
                let was_there = ensure_unique(self.store, Owner::Label(*label), key)?;
                if !was_there && !self.in_batches {
                    // The index may hold nodes that came by other ways.
                    self.unique_at = self.store.snapshot()?;
                }
                remember(self.store, &table.space, (key, table.id_type), *label)?;
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
        if self.in_batches && table.id_key.is_some() && labels.is_empty() {
            return Err(LoadError::Input(format!(
                "{file}: in batches a node with an id must have a label, by which later rows find it"
            )));
        }
        let mut taken = self.taken(table, &labels, &group)?;
        let space = self.spaces.entry(table.space.clone()).or_default();
        let mut ids = lease(self.store, group.ids.len())?;
        let mut kept = Vec::with_capacity(ids.len());
        let mut bad = Vec::new();
        for (row, name) in group.ids.iter().enumerate() {
            let refusal = taken.refusal(&self.seen, &group.properties, row).or_else(|| {
                if name.is_empty() {
                    return None;
                }
                if space.names.intern(name).1 {
                    space.vertices.push(ids[row]);
                    return None;
                }
                Some((table.id_at, format!("the id '{}' occurs twice in this load", excerpt(name))))
            });
            match refusal {
                None => {
                    kept.push(row as u32);
                    self.seen.add(&taken, &group.properties, row);
                }
                Some((at, detail)) => {
                    let (file, line) = (Arc::clone(file), group.lines[row]);
                    bad.push(BadRow { file, line, column: at as u64 + 1, detail });
                }
            }
        }
        let mut properties = group.properties;
        if !bad.is_empty() {
            ids = kept.iter().map(|row| ids[*row as usize]).collect();
            properties = properties.iter().map(|column| column.take(&kept)).collect();
        }
        let mut properties = keyed(&table.keys, properties);
        if let Some(key) = table.id_key {
            properties.push((key, names_column(group.ids, &kept, table.id_type)));
        }
        let count = ids.len() as u64;
        self.push_vertices(VertexBlock { labels, ids, properties })?;
        self.vertices += count;
        self.meter.stored(count, 0)?;
        Ok(bad)
    }
}
