//! A bulk load: the path of out-of-line commits, without a write set and with ids that the store
//! gives.
//!
//! ```text
//!   push ──> BulkBuilder (memory, then a temporary file)
//!   finish: images, partition by partition ──> rules, index entries ──> segment files
//!           unique values ──> spill files of index entries ──> one frame
//! ```
//!
//! Rules are checked on the finished images, not on the pushed rows: only there do edges have ids,
//! and each element all its values.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{
    Bits, Catalog, Column, EdgeTypeId, Error, ErrorKind, LogPosition, MemoryShare, Owner, Phase,
    Result, Value, VertexId,
};
use millrace_store::index_keys::keys_of;
use millrace_store::key_hash::hash_values;
use millrace_store::key_range::key_of_values;
use millrace_store::ordered_keys::KeyMaker;
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};
use millrace_store::{BulkLoad, Changes, ReadUnit, SeekMatches, constraint};

use super::edge_ids::{lease, may_be_chosen as edge_ids_may_be_chosen};
use super::load_notes::LoadNotes;
use super::out_of_line::{Files as OutOfLineCommit, load_error};
use crate::base::commit_limits::SCAN_ROWS;
use crate::checkpoint::OpenFolder;
use crate::commit::prepare::created::IdRanges;
use crate::commit::prepare::external_id_values;
use crate::commit::prepare::marks::Marks;
use crate::commit::prepare::rules::check_property;
use crate::commit::{Mark, OrderedEntry, Physical};
use crate::graph::{Graph, is_of_edges};
use crate::index::IndexEntry;
use crate::persistent::bulk::{BulkBuilder, LoadTarget};
use crate::persistent::home;
use crate::persistent::image::Image;

/// A load under way.
pub(crate) struct EmbeddedBulkLoad {
    open: Arc<OpenFolder>,
    graph: Arc<Graph>,
    builder: BulkBuilder,
    created: IdRanges,
    notes: LoadNotes,
}

impl EmbeddedBulkLoad {
    pub(crate) fn begin(open: &Arc<OpenFolder>, graph: &Arc<Graph>) -> Self {
        Self {
            open: Arc::clone(open),
            graph: Arc::clone(graph),
            builder: open.bulk_builder(),
            created: IdRanges::default(),
            notes: LoadNotes::default(),
        }
    }

    fn check_part(&self, part: &Changes) -> Result<()> {
        let catalog = self.graph.catalog.newest();
        part.edges
            .iter()
            .try_for_each(|block| constraint::check_load(&catalog, block.edge_type))?;
        let bound = self.graph.leases.bound();
        for block in &part.vertices {
            if let Some(stray) = block.ids.iter().find(|id| id.0 == 0 || bound <= id.0) {
                let detail = format!("vertex {stray} was never leased");
                return Err(Error::new(ErrorKind::BadInput, detail));
            }
            let ids = block.ids.iter().copied();
            if let Some(twice) = self.graph.partitions.find_live(ids, true)? {
                return Err(constraint::vertex_exists(twice));
            }
        }
        Ok(())
    }
}

impl BulkLoad for EmbeddedBulkLoad {
    fn push(&mut self, others: Changes) -> Result<()> {
        self.open.admit()?;
        let mut part = created_of(others)?;
        self.check_part(&part)?;
        // Slots that the images would give in order may have the numbers of chosen ids.
        if edge_ids_may_be_chosen(&self.graph) {
            for block in part.edges.iter_mut().filter(|block| block.ids.is_empty()) {
                block.ids = lease(&self.open, &self.graph, block.edge_type, &block.sources)?;
            }
        }
        self.notes.add(&part, &self.graph.catalog.newest());
        for block in &part.vertices {
            self.created.add(block.ids.iter().map(|id| id.0));
        }
        self.builder.push(&mut part).map_err(load_error)
    }

    fn finish(self: Box<Self>) -> Result<LogPosition> {
        let EmbeddedBulkLoad { open, graph, builder, mut created, notes } = *self;
        notes.commit(&open, &graph)?;
        created.sort().map_err(|id| {
            let detail = format!("vertex {id} is created twice in one load");
            Error::new(ErrorKind::Bug, detail)
        })?;
        let _schema = open.lock_schema_shared(&graph);
        graph.check_there()?;
        // No reader is registered: a load may outlast checkpoints, and each of its questions is
        // about the current state. Whatever changes from here on makes it lose.
        let snapshot = open.pipeline.progress.visible();
        let catalog = graph.catalog.at(snapshot);
        let table = &open.pipeline.sequencer.table;
        let mut judge = Judge {
            files: OutOfLineCommit::new(&open, &graph),
            open: &open,
            graph: &graph,
            catalog,
            marks: Marks::new(table, graph.id),
            entries: BTreeMap::new(),
            own_numbers: BTreeMap::new(),
            ordered: Vec::new(),
            ordered_bytes: 0,
            images: BTreeMap::new(),
            memory: open.memory().share(),
        };
        builder.finish(&mut judge).map_err(load_error)?;
        judge.check_unique()?;
        let Judge { mut files, mut marks, entries, ordered: ordered_added, .. } = judge;
        let index_added = entries.into_values().flatten().collect();
        files.add_part(Physical { index_added, ordered_added, ..Physical::default() })?;
        marks.set(Mark::Loaded);
        let mut footprint = marks.finish();
        footprint.ignores_queue = true;
        let position = files.sequence(footprint, snapshot)?;
        open.pipeline.progress.wait_visible(position, None)?;
        Ok(LogPosition(position))
    }
}

/// The elements that a part creates; refused if it does anything else.
fn created_of(mut part: Changes) -> Result<Changes> {
    let (vertices, edges) = (std::mem::take(&mut part.vertices), std::mem::take(&mut part.edges));
    if !part.is_empty() {
        let detail = "a bulk load takes new vertices and edges, nothing else";
        return Err(Error::new(ErrorKind::Unsupported, detail));
    }
    Ok(Changes { vertices, edges, ..part })
}

/// Validates the images of a load, and collects their index entries and marks.
struct Judge<'a> {
    files: OutOfLineCommit<'a>,
    open: &'a OpenFolder,
    graph: &'a Graph,
    catalog: Arc<Catalog>,
    marks: Marks<'a>,
    entries: BTreeMap<millrace_model::IndexId, Vec<IndexEntry>>,
    /// Elements that are shown under their places, in a graph where some are not, as if they were
    /// in the index.
    own_numbers: BTreeMap<millrace_model::IndexId, Vec<IndexEntry>>,
    ordered: Vec<OrderedEntry>,
    ordered_bytes: u64,
    images: BTreeMap<u32, Arc<Image>>,
    memory: MemoryShare,
}

impl LoadTarget for Judge<'_> {
    fn exist(&mut self, vertices: &[VertexId]) -> Result<Bits> {
        vertices.iter().for_each(|vertex| self.marks.end_of_edge(*vertex));
        self.graph.partitions.live(vertices)
    }

    fn lease_runs(&mut self, ordinal: u32, runs: u32) -> Result<Range<u32>> {
        self.graph.partitions.lease_runs(ordinal, runs)
    }

    fn take(&mut self, image: Image) -> Result<()> {
        self.mark(&image);
        self.take_ids(&image)?;
        let catalog = Arc::clone(&self.catalog);
        // A type may have become a set since its edges were taken.
        image.edges.keys().try_for_each(|own| constraint::check_load(&catalog, *own))?;
        for property in catalog.enforced_properties() {
            for_values(&image, property.owner, &[property.key], &mut |id, mut values| {
                check_property(&catalog, property, id, values.pop().flatten())
            })?;
        }
        for index in catalog.maintained_indexes() {
            if index.kind.is_ordered() {
                self.add_ordered(&image, index)?;
                continue;
            }
            if index.is_of_external_ids() {
                let own_numbers = self.own_numbers.entry(index.id).or_default();
                for_values(&image, index.owner, &index.keys, &mut |id, values| {
                    if values[0].is_none() {
                        let own = external_id_values::own_number(id);
                        let entry = |(hash, _)| IndexEntry { index: index.id, hash, id };
                        own_numbers.extend(own.map(entry));
                    }
                    Ok(())
                })?;
            }
            let entries = self.entries.entry(index.id).or_default();
            for_values(&image, index.owner, &index.keys, &mut |id, values| {
                let values: Option<Vec<Value>> = values.into_iter().collect();
                let hashes = values.map(keys_of).unwrap_or_default();
                let hashes = hashes.iter().filter_map(|values| hash_values(values));
                entries.extend(hashes.map(|hash| IndexEntry { index: index.id, hash, id }));
                Ok(())
            })?;
        }
        self.memory.reserve(self.byte_size())?;
        let ordinal = image.ordinal;
        let stored = self.files.write_layer(&image)?;
        self.images.insert(ordinal, stored);
        Ok(())
    }
}

impl Judge<'_> {
    /// Bytes of the entries of indexes, about; they are sorted and written from copies.
    fn byte_size(&self) -> u64 {
        let hashed = self.entries.values().chain(self.own_numbers.values());
        let hashed: usize = hashed.map(|entries| entries.len() * size_of::<IndexEntry>()).sum();
        2 * (hashed as u64 + self.ordered_bytes)
    }

    fn add_ordered(&mut self, image: &Image, index: &IndexDefinition) -> Result<()> {
        let before = self.ordered.len();
        let maker = KeyMaker::of(index)?;
        for_values(image, index.owner, &index.keys, &mut |id, values| {
            let mut add = |key: Vec<u8>| {
                self.ordered_bytes += (size_of::<OrderedEntry>() + key.len()) as u64;
                self.ordered.push(OrderedEntry { index: index.id, key, id });
            };
            if index.kind == IndexKind::Made {
                let made = maker.each_of_values(values, |key| add(key.to_vec()));
                return made.map_err(|error| constraint::of_index(&self.catalog, index, error));
            }
            let values: Option<Vec<Value>> = values.into_iter().collect();
            for values in values.map(keys_of).unwrap_or_default() {
                if let (Some(key), Some(hash)) = (key_of_values(&values), hash_values(&values)) {
                    self.marks.set(Mark::Read(ReadUnit::Seek(index.id, hash)));
                    add(key);
                }
            }
            Ok(())
        })?;
        if before < self.ordered.len() {
            self.marks.set(Mark::Read(ReadUnit::Index(index.id)));
        }
        Ok(())
    }

    /// Takes the ids of the new vertices: a client may have chosen one that the loader had leased.
    fn take_ids(&mut self, image: &Image) -> Result<()> {
        let records = image.records.get()?;
        let first = u64::from(image.ordinal) << PARTITION_BITS;
        let ids: Vec<VertexId> =
            records.iter().map(|(local, _)| VertexId(first | u64::from(local))).collect();
        let partitions = &self.graph.partitions;
        if let Some(twice) = partitions.find_live(ids.iter().copied(), true)? {
            return Err(constraint::vertex_exists(twice).in_phase(Phase::Commit));
        }
        // A transaction layer lies below the delta, where a vertex with an id that is given again
        // is still gone.
        if partitions.any_in_delta(&ids) {
            self.files.merge_before(image.ordinal);
        }
        if ids.len() == 1 << PARTITION_BITS {
            self.marks.take_partition(u64::from(image.ordinal));
        } else {
            ids.iter().for_each(|vertex| self.marks.take_id(*vertex));
        }
        Ok(())
    }

    /// Sets the marks for readers of whole labels, types and partitions.
    fn mark(&mut self, image: &Image) {
        let partition = u64::from(home(image.ordinal));
        self.marks.set(Mark::Read(ReadUnit::Vertices(partition)));
        self.marks.set(Mark::Read(ReadUnit::Edges(partition)));
        if image.counts.vertices != 0 {
            self.marks.created_with(image.counts.labels.keys().copied());
        }
        for edge_type in image.edges.keys() {
            self.marks.edge_type(*edge_type);
        }
    }

    /// Requires that no unique value occurs twice, within the load or with existing elements.
    fn check_unique(&mut self) -> Result<()> {
        let catalog = Arc::clone(&self.catalog);
        for index in catalog.maintained_indexes() {
            if index.is_of_external_ids() {
                self.check_external_ids(&catalog, index)?;
            }
            let Some(entries) = self.entries.get_mut(&index.id).filter(|own| !own.is_empty())
            else {
                continue;
            };
            self.marks.set(Mark::Read(ReadUnit::Index(index.id)));
            entries.sort_unstable();
            for entry in entries.iter() {
                self.marks.set(Mark::Read(ReadUnit::Seek(index.id, entry.hash)));
            }
            if catalog.is_enforced(index) && !index.is_of_external_ids() {
                let entries = std::mem::take(entries);
                self.check_unique_index(&catalog, index, &entries)?;
                self.entries.insert(index.id, entries);
            }
        }
        Ok(())
    }

    /// Requires elements to be shown under an id each, chosen or not.
    fn check_external_ids(&mut self, catalog: &Catalog, index: &IndexDefinition) -> Result<()> {
        let chosen = self.entries.get(&index.id).cloned().unwrap_or_default();
        let mut all = self.own_numbers.remove(&index.id).unwrap_or_default();
        all.extend(&chosen);
        all.sort_unstable();
        self.check_unique_index(catalog, index, &all)?;
        for some in chosen.chunks(SCAN_ROWS) {
            let values = some.iter().map(|entry| self.values_of(index, entry));
            let values = values.collect::<Result<Vec<_>>>()?;
            let (pin, kept) = (self.open.pin(), values.iter().map(|values| &values[0]));
            external_id_values::check_places(&pin.view(self.graph), index, kept, |_| false)?;
        }
        Ok(())
    }

    fn check_unique_index(
        &mut self,
        catalog: &Catalog,
        index: &IndexDefinition,
        entries: &[IndexEntry],
    ) -> Result<()> {
        for same in entries.chunk_by(|left, right| left.hash == right.hash) {
            self.marks.take(Mark::Unique(index.id, same[0].hash));
            // Equal hashes are almost always equal values; the values decide.
            let mut seen: Vec<Vec<Value>> = Vec::new();
            for entry in same.iter().filter(|_| 1 < same.len()) {
                let values = self.values_of(index, entry)?;
                let equal = |other: &Vec<Value>| {
                    let pairs = other.iter().zip(&values);
                    pairs.into_iter().all(|(l, r)| millrace_model::compare::order(l, r).is_eq())
                };
                if seen.iter().any(equal) {
                    return Err(external_id_values::taken(catalog, index, entry.id, &values));
                }
                seen.push(values);
            }
        }
        for some in entries.chunks(SCAN_ROWS) {
            self.check_against_graph(catalog, index, some)?;
        }
        Ok(())
    }

    fn check_against_graph(
        &self,
        catalog: &Catalog,
        index: &IndexDefinition,
        entries: &[IndexEntry],
    ) -> Result<()> {
        let pin = self.open.pin();
        let view = pin.view(self.graph);
        if !view.has_candidates(index, entries.iter().map(|entry| entry.hash))? {
            return Ok(());
        }
        let mut rows = Vec::with_capacity(entries.len());
        for entry in entries {
            rows.push(self.values_of(index, entry)?);
        }
        let keys: Vec<Column> = (0..index.keys.len())
            .map(|key| Column::from_values(rows.iter().map(|values| values[key].clone())))
            .collect();
        let keys: Vec<&Column> = keys.iter().collect();
        let mut matches = SeekMatches::default();
        view.seek(index, &keys, &mut matches)?;
        match matches.rows.first() {
            None => Ok(()),
            Some(row) => {
                let row = *row as usize;
                Err(external_id_values::taken(catalog, index, entries[row].id, &rows[row]))
            }
        }
    }

    /// The indexed values of an element that the load made: of several those of its entry.
    fn values_of(&self, index: &IndexDefinition, entry: &IndexEntry) -> Result<Vec<Value>> {
        let values = self.kept_of(index, entry.id)?;
        let mut keys = keys_of(values.clone()).into_iter();
        let own = keys.find(|values| hash_values(values) == Some(entry.hash));
        Ok(own.unwrap_or(values))
    }

    fn kept_of(&self, index: &IndexDefinition, id: u64) -> Result<Vec<Value>> {
        let of_edges = is_of_edges(index.owner);
        let ordinal = if of_edges { id >> EDGE_SLOT_BITS } else { id >> PARTITION_BITS };
        let image = &self.images[&(ordinal as u32)];
        let mut found = Vec::with_capacity(index.keys.len());
        for key in &index.keys {
            let value = match index.owner {
                Owner::EdgeType(edge_type) => edge_value(image, edge_type, *key, id)?,
                Owner::AllEdges => {
                    let mut value = None;
                    for edge_type in image.edges.keys() {
                        value = value.or(edge_value(image, *edge_type, *key, id)?);
                    }
                    value
                }
                Owner::Label(_) | Owner::AllVertices => {
                    let column = image.vertex_columns.get(key);
                    let column = column.map(|column| column.get()).transpose()?;
                    column.and_then(|column| column.get(id as u32 & 0xffff))
                }
            };
            found.extend(value);
        }
        if found.is_empty() && index.is_of_external_ids() {
            found.extend(
                external_id_values::own_number(id).into_iter().flat_map(|(_, values)| values),
            );
        }
        Ok(found)
    }
}

/// A value of an edge, if it is of the type.
fn edge_value(
    image: &Image,
    edge_type: EdgeTypeId,
    key: millrace_model::KeyId,
    id: u64,
) -> Result<Option<Value>> {
    let row = image.edges[&edge_type].get()?.slots.row(id as u32);
    let column = image.edge_columns.get(&(edge_type, key));
    let place = column.map(|column| column.get()).transpose()?.zip(row);
    Ok(place.and_then(|(column, row)| column.get(row)))
}

type See<'a> = &'a mut dyn FnMut(u64, Vec<Option<Value>>) -> Result<()>;

/// Shows the elements of an owner in an image, with their values of some keys.
fn for_values(
    image: &Image,
    owner: Owner,
    keys: &[millrace_model::KeyId],
    see: See<'_>,
) -> Result<()> {
    let label = match owner {
        Owner::EdgeType(edge_type) => return for_edge_values(image, edge_type, keys, see),
        Owner::AllEdges => {
            let mut types = image.edges.keys();
            return types.try_for_each(|own| for_edge_values(image, *own, keys, see));
        }
        Owner::Label(label) => Some(label),
        Owner::AllVertices => None,
    };
    let mut columns = Vec::with_capacity(keys.len());
    for key in keys {
        let column = image.vertex_columns.get(key);
        columns.push(column.map(|column| column.get()).transpose()?);
    }
    let first = u64::from(image.ordinal) << PARTITION_BITS;
    for local in image.records.get()?.scan(label) {
        let values = columns.iter().map(|column| column.as_ref()?.get(u32::from(local)));
        see(first | u64::from(local), values.collect())?;
    }
    Ok(())
}

fn for_edge_values(
    image: &Image,
    edge_type: EdgeTypeId,
    keys: &[millrace_model::KeyId],
    see: See<'_>,
) -> Result<()> {
    let Some(edges) = image.edges.get(&edge_type) else { return Ok(()) };
    let mut columns = Vec::with_capacity(keys.len());
    for key in keys {
        let column = image.edge_columns.get(&(edge_type, *key));
        columns.push(column.map(|column| column.get()).transpose()?);
    }
    let base = u64::from(image.ordinal) << EDGE_SLOT_BITS;
    for (slot, row) in edges.get()?.slots.iter() {
        let values = columns.iter().map(|column| column.as_ref()?.get(row));
        see(base | u64::from(slot), values.collect())?;
    }
    Ok(())
}
