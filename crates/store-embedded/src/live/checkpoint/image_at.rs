//! The image of a partition from the parts read at a checkpoint position. It is built without a
//! lock, because all of them are copied or shared by now. Sections that the delta does not modify
//! are shared with the base, not copied.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use millrace_model::{EdgeTypeId, KeyId, LogPosition, Result, Value};

use crate::base::limits::{EDGE_RUN_BITS, PIECE_ELEMENTS};
use crate::live::checkpoint::edge_rows::{EdgeRows, Origin};
use crate::live::checkpoint::moving::pieces_of_pages;
use crate::live::list::modified_list::ModifiedList;
use crate::live::versions::delta::Delta;
use crate::live::versions::edge_run::EdgeRun;
use crate::live::versions::record::RecordVersion;
use crate::live::versions::root::{Entry, Root, Sections, section};
use crate::persistent::image::{Half, Image, ListBuilder, PropertyColumn, RecordsBuilder, Section};

/// The delta's records and edges at the checkpoint position.
pub(in crate::live) struct Frozen {
    pub(in crate::live) checkpoint: LogPosition,
    pub(in crate::live) base: Arc<Image>,
    pub(in crate::live) layer: Option<Arc<Image>>,
    pub(in crate::live) vertices: Vec<(u16, RecordVersion)>,
    pub(in crate::live) runs: BTreeMap<u32, Arc<EdgeRun>>,
    pub(in crate::live) edges: BTreeMap<u32, RecordVersion>,
}

/// Records that are looked at under one lock.
pub(in crate::live) enum ElementPiece {
    /// Of vertices, by their pages.
    Vertices(Range<usize>),
    /// Of edges, by their slots.
    Edges(Vec<u32>),
}

impl Frozen {
    /// The state of a root at a checkpoint position without the records of elements, which are read
    /// a piece at a time.
    pub(in crate::live) fn begin(root: &Root, checkpoint: LogPosition) -> Frozen {
        let layer = root.layer.as_ref().filter(|layer| layer.at <= checkpoint);
        Frozen {
            checkpoint,
            base: root.base.clone(),
            layer: layer.map(|layer| layer.image.clone()),
            vertices: Vec::new(),
            runs: root.delta.runs.iter().map(|(run, edges)| (*run, edges.clone())).collect(),
            edges: BTreeMap::new(),
        }
    }

    /// The pieces to look at.
    pub(in crate::live) fn pieces(delta: &Delta) -> Vec<ElementPiece> {
        let slots: Vec<u32> = delta.edges.numbers().collect();
        let edges = slots.chunks(PIECE_ELEMENTS).map(|slots| ElementPiece::Edges(slots.to_vec()));
        pieces_of_pages().map(ElementPiece::Vertices).chain(edges).collect()
    }

    /// Takes in the records of a piece, under the lock.
    pub(in crate::live) fn look(&mut self, delta: &Delta, piece: ElementPiece) {
        let checkpoint = self.checkpoint;
        match piece {
            ElementPiece::Vertices(pages) => {
                let records = pages.flat_map(|page| delta.vertices.page(page));
                let versions = records
                    .filter_map(|(local, record)| Some((local, record.at(checkpoint)?.clone())));
                self.vertices.extend(versions);
            }
            ElementPiece::Edges(slots) => {
                let version =
                    |slot: u32| Some((slot, delta.edges.get(slot)?.at(checkpoint)?.clone()));
                self.edges.extend(slots.into_iter().filter_map(version));
            }
        }
    }

    fn images(&self) -> impl Iterator<Item = &Image> + '_ {
        [Some(&self.base), self.layer.as_ref()].into_iter().flatten().map(|image| &**image)
    }

    pub(in crate::live) fn add_vertices(&self, image: &mut Image) -> Result<()> {
        if self.layer.is_none() && self.vertices.is_empty() {
            image.records = self.base.records.share();
        } else {
            image.records = Section::of(self.records()?);
        }
        let stored = self.images().flat_map(|image| image.vertex_columns.keys());
        let fields = self.vertices.iter().flat_map(|(_, version)| version.fields.iter());
        let keys: BTreeSet<KeyId> = stored.chain(fields.map(|(key, _)| key)).copied().collect();
        for key in keys {
            self.add_vertex_column(image, key)?;
        }
        Ok(())
    }

    fn records(&self) -> Result<crate::persistent::image::Records> {
        let mut records = RecordsBuilder::from_records(&*self.base.records.get()?);
        if let Some(layer) = &self.layer {
            let above = layer.records.get()?;
            for local in above.scan(None) {
                records.set([local], above.labels(local).expect("a scanned local exists"));
            }
        }
        for (local, version) in &self.vertices {
            match &version.labels {
                _ if !version.exists => records.remove([*local]),
                Some(labels) => records.set([*local], labels),
                None => {}
            }
        }
        Ok(records.finish())
    }

    fn add_vertex_column(&self, image: &mut Image, key: KeyId) -> Result<()> {
        let base = self.base.vertex_columns.get(&key);
        let mut changes: BTreeMap<u32, Option<Value>> = BTreeMap::new();
        if let Some(column) = self.layer.as_ref().and_then(|o| o.vertex_columns.get(&key)) {
            changes.extend(column.get()?.iter().map(|(row, value)| (row, Some(value))));
        }
        for (local, version) in &self.vertices {
            if !version.exists {
                changes.insert(u32::from(*local), None);
            } else if let Some(value) = version.get(key) {
                changes.insert(u32::from(*local), value.cloned());
            }
        }
        let below = base.map(|column| column.get()).transpose()?;
        let place = |row: u32| below.as_ref().and_then(|below| below.place(row));
        changes.retain(|row, value| value.is_some() || place(*row).is_some());
        match (base, &below) {
            (Some(base), _) if changes.is_empty() => {
                image.vertex_columns.insert(key, base.share());
            }
            (_, Some(below)) => image.add_vertex_column(key, below.patched(changes)),
            (_, None) => {
                let values = changes.into_iter().filter_map(|(row, value)| Some((row, value?)));
                image.add_vertex_column(key, PropertyColumn::of_ascending(values));
            }
        }
        Ok(())
    }

    pub(in crate::live) fn add_lists(
        &self,
        image: &mut Image,
        key: (EdgeTypeId, Half),
        modified: Vec<(u16, Vec<Entry>)>,
    ) -> Result<()> {
        let stored: Vec<&Section<_>> =
            self.images().filter_map(|image| image.lists.get(&key)).collect();
        if let ([only], true) = (&stored[..], modified.is_empty()) {
            image.lists.insert(key, only.share());
            return Ok(());
        }
        let sections = self.sections(key)?;
        let parts = [sections.base.as_deref(), sections.layer.as_deref()];
        let mut locals: Vec<u16> = parts.iter().flatten().flat_map(|part| part.locals()).collect();
        locals.extend(modified.iter().map(|(local, _)| local));
        locals.sort_unstable();
        locals.dedup();
        let parts_there = || parts.iter().flatten();
        let stored: usize = parts_there().map(|part| part.neighbours().len()).sum();
        let replaced = |local: u16| parts_there().map(|part| part.degree(local) as usize).sum();
        let replaced: usize = modified.iter().map(|(local, _)| -> usize { replaced(*local) }).sum();
        let added: usize = modified.iter().map(|(_, entries)| entries.len()).sum();
        let mut builder = ListBuilder::with_capacity(stored - replaced + added);
        let mut modified = modified.into_iter().peekable();
        for local in locals {
            let own = modified.next_if(|(next, _)| *next == local).map(|(_, entries)| entries);
            match (own, parts) {
                (Some(entries), _) => builder.push(local, entries),
                (None, [Some(base), None]) => builder.push_list(local, base.list(local)),
                (None, _) => {
                    builder.push(local, ModifiedList::root_view().entries(sections.lists(local)));
                }
            }
        }
        let section = builder.finish()?;
        if !section.neighbours().is_empty() {
            image.lists.insert(key, Section::of(section));
        }
        Ok(())
    }

    pub(in crate::live) fn add_edges(&self, image: &mut Image) -> Result<()> {
        for stored in self.images() {
            stored.runs.iter().for_each(|(run, edge_type)| image.runs.lease(run, edge_type));
        }
        self.runs.iter().for_each(|(run, edges)| image.runs.lease(*run, edges.edge_type));
        let stored = self.images().flat_map(|image| image.edges.keys().copied());
        let types = stored.chain(self.runs.values().map(|run| run.edge_type));
        for edge_type in types.collect::<BTreeSet<_>>() {
            let of_type = |slot: u32| image.runs.edge_type(slot) == Some(edge_type);
            let is_clean = self.runs.values().all(|run| run.edge_type != edge_type)
                && !self.edges.keys().any(|slot| of_type(*slot));
            let holders: Vec<&Image> =
                self.images().filter(|image| image.edges.contains_key(&edge_type)).collect();
            match holders[..] {
                // The lists are shared too, so in lists that a bulk load left implied stay implied.
                [only] if is_clean => share_edges(image, only, edge_type),
                _ => self.add_edges_of_type(image, edge_type)?,
            }
        }
        Ok(())
    }

    fn sections(&self, key: (EdgeTypeId, Half)) -> Result<Sections> {
        let layer = self.layer.as_ref().map(|layer| section(layer, key.0, key.1));
        Ok(Sections {
            base: section(&self.base, key.0, key.1)?,
            layer: layer.transpose()?.flatten(),
            has_layer: self.layer.is_some(),
        })
    }

    fn add_edges_of_type(&self, image: &mut Image, edge_type: EdgeTypeId) -> Result<()> {
        let keys = self.edge_keys(edge_type, image);
        let mut rows = self.edge_rows(edge_type, !keys.is_empty())?;
        if rows.slots.is_empty() {
            return Ok(());
        }
        let edges = rows.section();
        for key in keys {
            let column = |image: &Image| {
                let column = image.edge_columns.get(&(edge_type, key));
                column.map(|column| column.get()).transpose()
            };
            let base = column(&self.base)?;
            let layer = self.layer.as_deref().map(column).transpose()?.flatten();
            let values = rows.slots.iter().zip(&rows.origins).filter_map(|(slot, origin)| {
                let own = self.edges.get(slot).and_then(|version| version.get(key));
                let value = match (own, origin) {
                    (Some(own), _) => own.cloned(),
                    (None, Origin::Base(row)) => base.as_ref().and_then(|base| base.get(*row)),
                    (None, Origin::Layer(row)) => layer.as_ref().and_then(|o| o.get(*row)),
                    (None, Origin::Run) => self.run_value(*slot, key),
                };
                Some((edges.slots.row(*slot).expect("each slot is in the section"), value?))
            });
            image.add_edge_column(edge_type, key, PropertyColumn::of_ascending(values));
        }
        image.edges.insert(edge_type, Section::of(edges));
        Ok(())
    }

    /// The edges of a type at the checkpoint position.
    fn edge_rows(&self, edge_type: EdgeTypeId, has_properties: bool) -> Result<EdgeRows> {
        let lives = |slot: u32| self.edges.get(&slot).is_none_or(|version| version.exists);
        let own_runs = || self.runs.iter().filter(|(_, run)| run.edge_type == edge_type);
        let mut edge_count = 0;
        for image in self.images() {
            if let Some(edges) = image.edges.get(&edge_type) {
                edge_count += edges.get()?.slots.edge_count();
            }
        }
        edge_count +=
            own_runs().map(|(_, run)| run.created_ends(self.checkpoint).count()).sum::<usize>();
        let mut rows = EdgeRows::with_capacity(edge_count, has_properties);
        rows.add_image(&self.base, edge_type, lives, Origin::Base)?;
        if let Some(layer) = &self.layer {
            rows.add_image(layer, edge_type, lives, Origin::Layer)?;
        }
        for (run, edges) in own_runs() {
            rows.add_run(*run, edges, self.checkpoint, lives);
        }
        rows.sort();
        Ok(rows)
    }

    fn edge_keys(&self, edge_type: EdgeTypeId, image: &Image) -> BTreeSet<KeyId> {
        let stored =
            self.images().flat_map(|image| image.edge_columns.range(columns_of(edge_type)));
        let mut keys: BTreeSet<KeyId> = stored.map(|((_, key), _)| *key).collect();
        let runs = self.runs.values().filter(|run| run.edge_type == edge_type);
        keys.extend(runs.flat_map(|run| run.keys()));
        let of_type = |slot: u32| image.runs.edge_type(slot) == Some(edge_type);
        let changed = self.edges.iter().filter(|(slot, _)| of_type(**slot));
        keys.extend(changed.flat_map(|(_, version)| version.fields.iter().map(|(key, _)| *key)));
        keys
    }

    fn run_value(&self, slot: u32, key: KeyId) -> Option<Value> {
        let run = self.runs.get(&(slot >> EDGE_RUN_BITS))?;
        run.get((slot & ((1 << EDGE_RUN_BITS) - 1)) as usize, key)
    }
}

fn columns_of(edge_type: EdgeTypeId) -> std::ops::RangeInclusive<(EdgeTypeId, KeyId)> {
    (edge_type, KeyId(0))..=(edge_type, KeyId(u32::MAX))
}

/// Takes the edges of a type over from another image.
fn share_edges(image: &mut Image, from: &Image, edge_type: EdgeTypeId) {
    if let Some(edges) = from.edges.get(&edge_type) {
        image.edges.insert(edge_type, edges.share());
    }
    for (key, column) in from.edge_columns.range(columns_of(edge_type)) {
        image.edge_columns.insert(*key, column.share());
    }
}
