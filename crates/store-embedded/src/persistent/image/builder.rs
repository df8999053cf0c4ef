//! Builds an image from rows in any order, set by set.
//!
//! A caller with sorted lists (a checkpoint) builds sections with their own builders and puts them
//! in an [`Image`] directly; this is for all others.

use std::collections::BTreeMap;

use millrace_model::{Column, EdgeTypeId, KeyId, LogPosition};
use millrace_store::Labels;

use crate::base::error::Result;
use crate::base::limits::EDGE_RUN_BITS;
use crate::persistent::image::edges::EdgeSection;
use crate::persistent::image::list::list_rows::ListRows;
use crate::persistent::image::property::PropertyColumn;
use crate::persistent::image::records::RecordsBuilder;
use crate::persistent::image::runs::RunTable;
use crate::persistent::image::section::Section;
use crate::persistent::image::{Half, Image};

/// Edges with their source in the partition, in parallel slices.
#[derive(Clone, Copy, Debug)]
pub struct EdgeRows<'a> {
    /// Sources, as locals.
    pub sources: &'a [u16],
    /// Targets.
    pub targets: &'a [u32],
    /// Slots.
    pub slots: &'a [u32],
}

/// Edges with their target in the partition, in parallel slices.
#[derive(Clone, Copy, Debug)]
pub struct IncomingRows<'a> {
    /// Targets, as locals.
    pub targets: &'a [u16],
    /// Sources.
    pub sources: &'a [u32],
    /// Slots, in the partitions of the sources.
    pub slots: &'a [u32],
}

/// Takes rows and makes an image of them.
#[derive(Debug, Default)]
pub struct ImageBuilder {
    records: RecordsBuilder,
    vertex_values: BTreeMap<KeyId, KeyedValues>,
    lists: BTreeMap<(EdgeTypeId, Half), ListRows>,
    edge_values: BTreeMap<(EdgeTypeId, KeyId), KeyedValues>,
    runs: RunTable,
}

/// Values of one key with the local or slot of each, in order of arrival.
#[derive(Debug, Default)]
struct KeyedValues {
    owners: Vec<u32>,
    values: Column,
}

impl ImageBuilder {
    /// A builder without rows.
    pub fn new() -> ImageBuilder {
        ImageBuilder::default()
    }

    /// Adds vertices with these labels, which ascend.
    pub fn vertices(&mut self, locals: &[u16], labels: &Labels) {
        self.records.set(locals.iter().copied(), labels);
    }

    /// Adds values of vertices, one for each local; absent where there is none. The last wins.
    pub fn vertex_values(&mut self, key: KeyId, locals: &[u16], values: &Column) {
        let owners = locals.iter().map(|&local| u32::from(local));
        self.vertex_values.entry(key).or_default().add(owners, values);
    }

    /// Adds edges, as entries of out lists.
    pub fn edges(&mut self, edge_type: EdgeTypeId, edges: EdgeRows<'_>) {
        let rows = self.lists.entry((edge_type, Half::Out)).or_default();
        rows.locals.extend_from_slice(edges.sources);
        rows.neighbours.extend_from_slice(edges.targets);
        rows.slots.extend_from_slice(edges.slots);
        for slot in edges.slots {
            self.runs.lease(slot >> EDGE_RUN_BITS, edge_type);
        }
    }

    /// Adds values of edges, one for each slot; absent where there is none. The last wins.
    pub fn edge_values(
        &mut self,
        edge_type: EdgeTypeId,
        key: KeyId,
        slots: &[u32],
        values: &Column,
    ) {
        let values_of = self.edge_values.entry((edge_type, key)).or_default();
        values_of.add(slots.iter().copied(), values);
    }

    /// Adds entries of in lists: edges with their target in the partition.
    pub fn incoming(&mut self, edge_type: EdgeTypeId, edges: IncomingRows<'_>) {
        let rows = self.lists.entry((edge_type, Half::In)).or_default();
        rows.locals.extend_from_slice(edges.targets);
        rows.neighbours.extend_from_slice(edges.sources);
        rows.slots.extend_from_slice(edges.slots);
    }

    /// The image of partition `ordinal` at `checkpoint`.
    pub fn finish(self, ordinal: u32, checkpoint: LogPosition) -> Result<Image> {
        let mut image = Image::empty(ordinal, checkpoint);
        let records = self.records.finish();
        (image.counts.vertices, image.counts.labels) = records.counts();
        image.records = Section::of(records);
        for (key, values) in self.vertex_values {
            image.add_vertex_column(key, values.by_row(Some));
        }
        for (&(edge_type, half), rows) in &self.lists {
            image.lists.insert((edge_type, half), Section::of(rows.sort()?));
            if half == Half::Out {
                let edges = edges_of(rows);
                image.counts.edges.insert(edge_type, edges.slots.edge_count() as u64);
                image.edges.insert(edge_type, Section::of(edges));
            }
        }
        for ((edge_type, key), values) in self.edge_values {
            let Some(edges) = image.edges.get(&edge_type) else { continue };
            let edges = edges.get()?;
            let column = values.by_row(|slot| edges.slots.row(slot));
            image.add_edge_column(edge_type, key, column);
        }
        image.runs = self.runs;
        Ok(image)
    }
}

impl Image {
    /// Adds a vertex column, unless it has no value.
    pub(crate) fn add_vertex_column(&mut self, key: KeyId, column: PropertyColumn) {
        if column.count() > 0 {
            self.vertex_columns.insert(key, Section::of(column));
        }
    }

    /// Adds an edge column, unless no edge has a value in it.
    pub(crate) fn add_edge_column(
        &mut self,
        edge_type: EdgeTypeId,
        key: KeyId,
        column: PropertyColumn,
    ) {
        if column.count() > 0 {
            self.edge_columns.insert((edge_type, key), Section::of(column));
        }
    }
}

/// The order of rows by slot.
pub(crate) fn slot_order(slots: &[u32]) -> Vec<u32> {
    if slots.is_sorted() {
        return (0..slots.len() as u32).collect();
    }
    let mut keys: Vec<u64> =
        slots.iter().zip(0u64..).map(|(&slot, row)| u64::from(slot) << 32 | row).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| key as u32).collect()
}

/// The edges of unsorted out rows.
pub(crate) fn edges_of(rows: &ListRows) -> EdgeSection {
    let order = slot_order(&rows.slots);
    let slots: Vec<u32> = order.iter().map(|&row| rows.slots[row as usize]).collect();
    let ends = order.iter().map(|&row| (rows.locals[row as usize], rows.neighbours[row as usize]));
    EdgeSection::of_ascending(&slots, ends)
}

impl KeyedValues {
    fn add(&mut self, owners: impl Iterator<Item = u32>, values: &Column) {
        let before = self.owners.len();
        self.owners.extend(owners);
        debug_assert_eq!(self.owners.len() - before, values.len(), "a value for each owner");
        self.values.append_range(values, 0..values.len());
    }

    /// The column by row; an owner without a row is left out.
    fn by_row(&self, row_of: impl Fn(u32) -> Option<u32>) -> PropertyColumn {
        let mut keys: Vec<u64> = self
            .owners
            .iter()
            .zip(0u64..)
            .filter_map(|(&owner, place)| row_of(owner).map(|row| u64::from(row) << 32 | place))
            .collect();
        keys.sort_unstable();
        let rows = |key: u64| (key >> 32) as u32;
        let last_of_row =
            |at: usize| keys.get(at + 1).is_none_or(|&next| rows(next) != rows(keys[at]));
        let kept: Vec<u64> = (0..keys.len())
            .filter(|&at| last_of_row(at) && !self.values.is_absent(keys[at] as u32 as usize))
            .map(|at| keys[at])
            .collect();
        let places: Vec<u32> = kept.iter().map(|&key| key as u32).collect();
        let mut values = self.values.take(&places);
        values.absents = None;
        PropertyColumn { rows: Some(kept.into_iter().map(rows).collect()), values }.suited()
    }
}
