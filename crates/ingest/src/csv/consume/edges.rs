//! Relationship rows. An end is a node of this load, or a node of an earlier load whose id space the
//! graph remembers, or it is created if the options ask for that; otherwise the row is bad.

use super::super::edges::{EdgeGroup, EdgeRows, EdgeTable, Space, UnknownEnd, parse_edges};
use super::super::header::{End, Header};
use super::super::table::{Table, TableKind};
use super::super::value::IdType;
use super::{Consumer, keyed};
use crate::error::{BadRow, LoadError, excerpt};
use crate::graph::{intern_labels, intern_one, lease, push_text};
use crate::nquads::vocabulary::RESOURCE;
use crate::progress::{Phase, Summary};
use crate::source::{Block, Parsing, run};
use millrace_model::{Column, EdgeTypeId, KeyId, Value, VertexId};
use millrace_store::{Changes, EdgeBlock, NameKind, VertexBlock};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Id spaces of a load by name.
pub(super) type Spaces = FxHashMap<Box<str>, Space>;

/// Where a table's ends are looked up.
pub(super) struct EdgeFields<'a> {
    pub(super) header: &'a Header,
    ends: [End<'a>; 2],
    pub(super) keys: Vec<KeyId>,
}

impl Consumer<'_, '_> {
    /// Takes all tables of relationships and ends the load.
    pub(in crate::csv) fn all_edges(mut self, tables: Vec<Table>) -> Result<Summary, LoadError> {
        self.nodes_bytes = self.spaces.values().map(Space::byte_size).sum();
        let spaces = std::mem::take(&mut self.spaces);
        for table in tables {
            self.edge_table(table, &spaces)?;
        }
        self.meter.enter(Phase::Finishing)?;
        let position = self.sink.finish()?;
        self.meter.finish(position, self.vertices, self.edges)
    }

    fn edge_table(&mut self, table: Table, spaces: &Spaces) -> Result<(), LoadError> {
        let Table { kind, header, mut readers, .. } = table;
        let (TableKind::Relationships(edge_type), Some(ends)) = (kind, header.ends()) else {
            return Ok(());
        };
        let file = Arc::clone(&readers[0].file);
        let edges = self.edge_lookups((&header, ends), edge_type.as_deref(), spaces, &file)?;
        let fields = EdgeFields { header: &header, ends, keys: self.property_keys(&header)? };
        let files: Vec<_> = readers.iter().map(|reader| Arc::clone(&reader.file)).collect();
        run(
            &mut readers,
            &Parsing::of(&self.store.memory()),
            |block| (block.source, parse_edges(block, &edges)),
            |(source, rows)| self.edge_rows(rows, &fields, &files[source]),
        )
    }

    /// Takes blocks of a table of relationships with ends in the graph.
    pub(in crate::csv) fn edge_blocks(
        &mut self,
        header: &Header,
        edge_type: Option<&str>,
        blocks: Vec<Block>,
    ) -> Result<(), LoadError> {
        let Some(ends) = header.ends() else { return Ok(()) };
        let Some(first) = blocks.first() else { return Ok(()) };
        let spaces = Spaces::default();
        let edges = self.edge_lookups((header, ends), edge_type, &spaces, &first.file)?;
        let fields = EdgeFields { header, ends, keys: self.property_keys(header)? };
        for block in blocks {
            let file = Arc::clone(&block.file);
            self.edge_rows(parse_edges(block, &edges), &fields, &file)?;
        }
        Ok(())
    }

    fn edge_lookups<'t>(
        &self,
        (header, ends): (&'t Header, [End<'t>; 2]),
        edge_type: Option<&'t str>,
        spaces: &'t Spaces,
        file: &str,
    ) -> Result<EdgeTable<'t>, LoadError> {
        let nobody: &'t Space = &super::NO_SPACE;
        let space = |name: &str| match spaces.get(name) {
            Some(space) => Ok(space),
            None if self.options.create_ends || self.known.has(name) => Ok(nobody),
            None => Err(LoadError::Input(format!(
                "{file}: no node table of this load, or of an earlier one that kept its ids, has the \
                 id space '{name}', and no label of this name has a unique property: load its nodes first"
            ))),
        };
        Ok(EdgeTable {
            header,
            dialect: self.options.dialect,
            edge_type,
            ends: [(ends[0].at, space(ends[0].space)?), (ends[1].at, space(ends[1].space)?)],
            ends_later: self.options.create_ends
                || ends.iter().any(|end| self.known.has(end.space)),
        })
    }

    fn edge_rows(
        &mut self,
        rows: EdgeRows,
        fields: &EdgeFields<'_>,
        file: &Arc<str>,
    ) -> Result<(), LoadError> {
        let (mut count, mut bad) = (0, rows.bad);
        let found_bad = bad.len();
        for (name, mut group) in rows.types.iter().zip(rows.groups) {
            let edge_type = EdgeTypeId(intern_one(self.store, NameKind::EdgeType, name)?);
            let mut unknown = self.find_ends(&mut group, fields.ends)?;
            if !self.options.create_ends {
                let without_ends = std::mem::take(&mut unknown);
                bad.extend(refuse_rows(&mut group, without_ends, fields, file));
            }
            bad.extend(self.refuse_taken(&mut group, &mut unknown, edge_type, fields, file)?);
            self.make_ends(&mut group, unknown, fields.ends)?;
            count += group.sources.len() as u64;
            let EdgeGroup { sources, targets, properties, .. } = group;
            let properties = keyed(&fields.keys, properties);
            let block = EdgeBlock { edge_type, ids: Vec::new(), sources, targets, properties };
            self.sink.push(Changes { edges: vec![block], ..Changes::default() })?;
        }
        self.edges += count;
        let refused = (bad.len() - found_bad) as u64;
        bad.sort_by_key(|row| row.line);
        self.meter.rows(rows.rows - refused, bad)?;
        self.meter.hold(self.seen_bytes() + self.nodes_bytes)?;
        self.meter.stored(0, count)
    }

    /// Takes out the rows with values that are unique, and that the graph or this load has already.
    fn refuse_taken(
        &mut self,
        group: &mut EdgeGroup,
        unknown: &mut Vec<UnknownEnd>,
        edge_type: EdgeTypeId,
        fields: &EdgeFields<'_>,
        file: &Arc<str>,
    ) -> Result<Vec<BadRow>, LoadError> {
        let mut taken = self.taken_edges(fields, edge_type, group)?;
        if taken.is_empty() {
            return Ok(Vec::new());
        }
        let (mut kept, mut bad) = (Vec::with_capacity(group.sources.len()), Vec::new());
        for row in 0..group.sources.len() {
            match taken.refusal(&self.seen, &group.properties, row) {
                None => {
                    self.seen.add(&taken, &group.properties, row);
                    kept.push(row as u32);
                }
                Some((at, detail)) => {
                    let (file, line) = (Arc::clone(file), group.lines[row]);
                    bad.push(BadRow { file, line, column: at as u64 + 1, detail });
                }
            }
        }
        if !bad.is_empty() {
            // Ends that are still to be made keep their rows, under the numbers that these now have.
            unknown.retain_mut(|end| match kept.binary_search(&end.row) {
                Ok(row) => {
                    end.row = row as u32;
                    true
                }
                Err(_) => false,
            });
            retain(group, &kept);
        }
        Ok(bad)
    }

    /// Finds ends among the nodes of earlier loads; gives back those that are not there.
    fn find_ends(
        &self,
        group: &mut EdgeGroup,
        ends: [End<'_>; 2],
    ) -> Result<Vec<UnknownEnd>, LoadError> {
        let mut still = Vec::new();
        for is_target in [false, true] {
            let own: Vec<UnknownEnd>;
            (own, group.unknown) = std::mem::take(&mut group.unknown)
                .into_iter()
                .partition(|end| end.is_target == is_target);
            let names: Vec<&str> = own.iter().map(|end| &*end.name).collect();
            let found = self.known.find(ends[usize::from(is_target)].space, &names)?;
            let column = if is_target { &mut group.targets } else { &mut group.sources };
            for (end, found) in own.into_iter().zip(found) {
                match found {
                    Some(vertex) => column[end.row as usize] = vertex,
                    None => still.push(end),
                }
            }
        }
        Ok(still)
    }

    /// Makes the vertices that rows named and that did not exist.
    fn make_ends(
        &mut self,
        group: &mut EdgeGroup,
        unknown: Vec<UnknownEnd>,
        ends: [End<'_>; 2],
    ) -> Result<(), LoadError> {
        for end in unknown {
            let space_name = ends[usize::from(end.is_target)].space;
            let space = self.made.entry(space_name.into()).or_default();
            let (number, new) = space.names.intern(&end.name);
            if new {
                let vertex = lease(self.store, 1)?[0];
                space.vertices.push(vertex);
                self.make_end(vertex, space_name, &end.name)?;
            }
            let space = &self.made[space_name];
            let column = if end.is_target { &mut group.targets } else { &mut group.sources };
            column[end.row as usize] = space.vertices[number as usize];
        }
        Ok(())
    }

    fn make_end(&mut self, id: VertexId, space: &str, name: &str) -> Result<(), LoadError> {
        let (key, id_type) = match self.id_keys.get(space) {
            Some(known) => *known,
            None => (KeyId(intern_one(self.store, NameKind::Key, "id")?), IdType::Text),
        };
        self.id_keys.insert(space.into(), (key, id_type));
        let labels = intern_labels(self.store, &[RESOURCE.into()])?;
        let mut column = Column::default();
        match id_type {
            IdType::Text => push_text(&mut column, name),
            IdType::Integer => column.push(id_type.value(name).unwrap_or(Value::Null)),
        }
        self.push_vertices(VertexBlock { labels, ids: vec![id], properties: vec![(key, column)] })?;
        self.vertices += 1;
        self.meter.stored(1, 0)
    }
}

/// Takes out the rows with an end that does not exist.
fn refuse_rows(
    group: &mut EdgeGroup,
    mut unknown: Vec<UnknownEnd>,
    fields: &EdgeFields<'_>,
    file: &Arc<str>,
) -> Vec<BadRow> {
    // A row with both ends missing is refused once, for its source.
    unknown.sort_by_key(|end| (end.row, end.is_target));
    unknown.dedup_by_key(|end| end.row);
    if unknown.is_empty() {
        return Vec::new();
    }
    let gone: FxHashSet<u32> = unknown.iter().map(|end| end.row).collect();
    let kept: Vec<u32> =
        (0..group.sources.len() as u32).filter(|row| !gone.contains(row)).collect();
    retain(group, &kept);
    let bad = |end: UnknownEnd| {
        let at = fields.ends[usize::from(end.is_target)].at;
        let (field, name) = (&fields.header.names[at], excerpt(&end.name));
        let detail = format!("{field}: no node of this load or of the graph has the id '{name}'");
        BadRow { file: Arc::clone(file), line: end.line, column: at as u64 + 1, detail }
    };
    unknown.into_iter().map(bad).collect()
}

/// Retains some rows of a group.
fn retain(group: &mut EdgeGroup, kept: &[u32]) {
    group.sources = kept.iter().map(|row| group.sources[*row as usize]).collect();
    group.targets = kept.iter().map(|row| group.targets[*row as usize]).collect();
    group.lines = kept.iter().map(|row| group.lines[*row as usize]).collect();
    group.properties = group.properties.iter().map(|column| column.take(kept)).collect();
}
