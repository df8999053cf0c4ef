//! Relationship rows: their ends are known by now, or made if that was asked for.

use super::super::edges::{EdgeGroup, EdgeRows, EdgeTable, Space, parse_edges};
use super::super::load::{Table, TableKind};
use super::{Consumer, keyed};
use crate::error::LoadError;
use crate::graph::{intern_labels, intern_one, lease, push_text};
use crate::load::{Phase, Summary};
use crate::nquads::vocabulary::RESOURCE;
use crate::pipeline;
use millrace_model::{Column, EdgeTypeId, KeyId, VertexId};
use millrace_store::{Changes, EdgeBlock, NameKind, VertexBlock};
use rustc_hash::FxHashMap;

impl Consumer<'_, '_> {
    /// Takes all tables of relationships and ends the load.
    pub(in crate::csv) fn edges(mut self, tables: Vec<Table>) -> Result<Summary, LoadError> {
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
        let (TableKind::Relationships(edge_type), Some(ends)) = (kind, header.ends()) else {
            return Ok(());
        };
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
            ends: [(ends[0].at, space(ends[0].space)?), (ends[1].at, space(ends[1].space)?)],
            create_ends: self.options.create_ends,
        };
        let keys = self.property_keys(&header)?;
        let ends = ends.map(|end| end.space);
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
