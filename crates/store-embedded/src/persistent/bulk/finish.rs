//! The end of a load: rows become images, partition by partition.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use millrace_model::{Bits, EdgeTypeId, LogPosition, MemoryShare, VertexId};
use millrace_store::run::PARTITION_BITS;

use super::builder::{BulkBuilder, begun};
use super::incoming::Incoming;
use super::out::{add_assigned, add_given};
use super::pile::{Pile, Rows as _};
use super::rows::{EdgeRows, UNASSIGNED, VertexRows};
use super::spool::Spool;
use super::target::{BulkError, LoadTarget};
use crate::base::limits::{EDGE_RUN_BITS, PARTITIONS_MAX};
use crate::folder::Folder;
use crate::persistent::home;
use crate::persistent::image::{
    Half, Image, ImageBuilder, ListRows, ListSection, PropertyColumn, Section, SectionBody,
};

type Result<T> = std::result::Result<T, BulkError>;

/// A load that is being finished.
pub(super) struct Finish<'a> {
    target: &'a mut dyn LoadTarget,
    folder: Arc<Folder>,
    spool: Option<Spool>,
    memory_bytes_max: usize,
    /// The load's share of the memory budget.
    memory: MemoryShare,
    /// Rows, images and in rows in memory, about.
    buffered_bytes: usize,
    images: BTreeMap<u32, Image>,
    created: BTreeMap<u32, Bits>,
    incoming: Incoming,
}

impl<'a> Finish<'a> {
    pub(super) fn run(builder: BulkBuilder, target: &'a mut dyn LoadTarget) -> Result<()> {
        let BulkBuilder {
            folder,
            memory_bytes_max,
            memory,
            buffered_bytes,
            vertices,
            edges,
            spool,
            ..
        } = builder;
        let mut finish = Finish {
            target,
            folder,
            spool,
            memory_bytes_max,
            memory,
            buffered_bytes,
            images: BTreeMap::new(),
            created: BTreeMap::new(),
            incoming: Incoming::default(),
        };
        for (ordinal, pile) in vertices {
            finish.build_vertices(ordinal, pile)?;
        }
        let mut edges = edges;
        while let Some(((ordinal, edge_type), pile)) = edges.pop_first() {
            let rest = finish.build_edges(ordinal, edge_type, pile)?;
            if !rest.is_empty() {
                let above = edges.entry((ordinal + PARTITIONS_MAX as u32, edge_type)).or_default();
                finish.put_above(above, rest)?;
            }
        }
        finish.check_targets()?;
        finish.hand_over()
    }

    fn build_vertices(&mut self, ordinal: u32, pile: Pile<VertexRows>) -> Result<()> {
        self.buffered_bytes = self.buffered_bytes.saturating_sub(pile.rows.byte_size());
        self.reserve(pile.spooled_bytes())?;
        let rows = pile.collect()?;
        let mut builder = ImageBuilder::new();
        let mut start = 0;
        for (len, labels) in &rows.labels {
            let end = start + *len as usize;
            builder.vertices(&rows.locals[start..end], labels);
            start = end;
        }
        for (key, PropertyColumn { rows: of, values }) in rows.columns.into_columns() {
            match of {
                None => builder.vertex_values(key, &rows.locals[..values.len()], &values),
                Some(of) => {
                    let locals: Vec<u16> =
                        of.iter().map(|row| rows.locals[*row as usize]).collect();
                    builder.vertex_values(key, &locals, &values);
                }
            }
        }
        let image = builder.finish(ordinal, LogPosition(0))?;
        self.created.insert(ordinal, image.records.get()?.existing().clone());
        self.buffered_bytes += image.byte_size();
        self.images.insert(ordinal, image);
        self.make_room()
    }

    /// Takes what is buffered of the memory budget, and room for the rows of one partition that were
    /// spilled: read, sorted into columns, and encoded.
    fn reserve(&self, spooled_bytes: u64) -> Result<()> {
        Ok(self.memory.reserve(self.buffered_bytes as u64 + 3 * spooled_bytes)?)
    }

    /// Gives the rows for which the ordinal has no slots left.
    fn build_edges(
        &mut self,
        ordinal: u32,
        edge_type: EdgeTypeId,
        pile: Pile<EdgeRows>,
    ) -> Result<EdgeRows> {
        if pile.is_empty() {
            return Ok(EdgeRows::default());
        }
        self.buffered_bytes = self.buffered_bytes.saturating_sub(pile.rows.byte_size());
        self.reserve(pile.spooled_bytes())?;
        let mut rows = pile.collect()?;
        let leased = self.lease(ordinal, rows.unassigned())?;
        let rest = match leased.len() < rows.unassigned() {
            true => rows.split_unassigned(leased.len()),
            false => EdgeRows::default(),
        };
        if !rows.is_empty() {
            self.build_lists(ordinal, edge_type, rows, leased)?;
        }
        Ok(rest)
    }

    fn build_lists(
        &mut self,
        ordinal: u32,
        edge_type: EdgeTypeId,
        rows: EdgeRows,
        leased: Range<u32>,
    ) -> Result<()> {
        // By itself, since the size of an image is that of all its types.
        let mut own = Image::empty(ordinal, LogPosition(0));
        if let Some(image) = self.images.get_mut(&ordinal) {
            own.runs = std::mem::take(&mut image.runs);
        }
        let lists = add_out(&mut own, edge_type, rows, leased)?;
        self.check_sources(ordinal, edge_type, &lists)?;
        self.buffered_bytes += self.incoming.add(ordinal, edge_type, &lists);
        own.lists.insert((edge_type, Half::Out), Section::of(lists));
        self.buffered_bytes += own.byte_size();
        let image = self.images.entry(ordinal);
        image.or_insert_with(|| Image::empty(ordinal, LogPosition(0))).add_type(own);
        self.make_room()
    }

    /// Leases slots of an ordinal for up to `count` edges.
    fn lease(&mut self, ordinal: u32, count: usize) -> Result<Range<u32>> {
        if count == 0 {
            return Ok(0..0);
        }
        let runs = self.target.lease_runs(ordinal, count.div_ceil(1 << EDGE_RUN_BITS) as u32)?;
        let slots = (runs.len() << EDGE_RUN_BITS).min(count) as u32;
        let first = runs.start << EDGE_RUN_BITS;
        Ok(first..first + slots)
    }

    /// Keeps rows that found no slot for the ordinal above.
    fn put_above(&mut self, above: &mut Pile<EdgeRows>, rest: EdgeRows) -> Result<()> {
        self.buffered_bytes += rest.byte_size();
        above.rows.absorb(rest);
        if self.buffered_bytes <= self.memory_bytes_max {
            return Ok(());
        }
        self.buffered_bytes = self.buffered_bytes.saturating_sub(above.rows.byte_size());
        above.spill(begun(&mut self.spool, &self.folder)?)?;
        self.make_room()
    }

    fn check_sources(
        &mut self,
        ordinal: u32,
        edge_type: EdgeTypeId,
        lists: &ListSection,
    ) -> Result<()> {
        let sources = lists.locals().map(usize::from);
        let Some(vertex) = self.missing(ordinal, sources)? else { return Ok(()) };
        let target = lists.list(vertex.0 as u16).neighbours[0];
        let target = VertexId(u64::from(target));
        Err(BulkError::MissingEnd { vertex, edge_type, source: vertex, target })
    }

    fn check_targets(&mut self) -> Result<()> {
        let targets: Vec<(u32, Vec<usize>)> = self
            .incoming
            .targets()
            .map(|(ordinal, targets)| (ordinal, targets.ones().collect()))
            .collect();
        for (ordinal, targets) in targets {
            let Some(vertex) = self.missing(ordinal, targets.into_iter())? else { continue };
            let edge = self.incoming.any_edge_into(ordinal, vertex)?;
            let (edge_type, source) = edge.expect("a target was seen in an in row");
            let source = VertexId(u64::from(source));
            return Err(BulkError::MissingEnd { vertex, edge_type, source, target: vertex });
        }
        Ok(())
    }

    /// The first of these locals without a vertex, neither made by the load nor in the target.
    fn missing(
        &mut self,
        ordinal: u32,
        locals: impl Iterator<Item = usize>,
    ) -> Result<Option<VertexId>> {
        let ordinal = home(ordinal);
        let created = self.created.get(&ordinal);
        let made = |local: usize| created.is_some_and(|created| created.get(local));
        let base = u64::from(ordinal) << PARTITION_BITS;
        let strangers = locals.filter(|&local| !made(local));
        let strangers: Vec<VertexId> =
            strangers.map(|local| VertexId(base | local as u64)).collect();
        if strangers.is_empty() {
            return Ok(None);
        }
        let exist = self.target.exist(&strangers)?;
        Ok((0..strangers.len()).find(|&at| !exist.get(at)).map(|at| strangers[at]))
    }

    /// Moves images, then in rows, out of memory when there is too much.
    fn make_room(&mut self) -> Result<()> {
        if self.buffered_bytes <= self.memory_bytes_max {
            return self.reserve(0);
        }
        let spool = begun(&mut self.spool, &self.folder)?;
        for image in self.images.values_mut() {
            store_image(image, spool)?;
        }
        self.incoming.spill(&mut self.spool, &self.folder)?;
        self.buffered_bytes = 0;
        self.reserve(0)
    }

    fn hand_over(mut self) -> Result<()> {
        let mut ordinals: Vec<u32> = self.images.keys().copied().collect();
        ordinals.extend(self.incoming.targets().map(|(ordinal, _)| ordinal));
        ordinals.sort_unstable();
        ordinals.dedup();
        for ordinal in ordinals {
            let mut image = self
                .images
                .remove(&ordinal)
                .unwrap_or_else(|| Image::empty(ordinal, LogPosition(0)));
            for (edge_type, pile) in self.incoming.take(ordinal) {
                self.reserve(pile.spooled_bytes())?;
                let rows = pile.collect()?;
                let rows =
                    ListRows { locals: rows.targets, neighbours: rows.sources, slots: rows.slots };
                image.lists.insert((edge_type, Half::In), Section::of(rows.into_sorted()?));
            }
            self.target.take(image)?;
        }
        Ok(())
    }
}

/// Adds edges and columns to the image, in the slots that are leased where they have none; gives
/// the out lists.
fn add_out(
    image: &mut Image,
    edge_type: EdgeTypeId,
    mut rows: EdgeRows,
    leased: Range<u32>,
) -> Result<ListSection> {
    image.counts.edges.insert(edge_type, rows.len() as u64);
    if rows.slots.is_empty() {
        return Ok(add_assigned(image, edge_type, rows, leased.start)?);
    }
    let free = rows.slots.iter_mut().filter(|slot| **slot == UNASSIGNED);
    free.zip(leased).for_each(|(slot, fresh)| *slot = fresh);
    Ok(add_given(image, edge_type, rows)?)
}

fn store_image(image: &mut Image, spool: &mut Spool) -> crate::base::error::Result<()> {
    spool.store_section(&mut image.records)?;
    image.vertex_columns.values_mut().try_for_each(|section| spool.store_section(section))?;
    image.lists.values_mut().try_for_each(|section| spool.store_section(section))?;
    image.edges.values_mut().try_for_each(|section| spool.store_section(section))?;
    image.edge_columns.values_mut().try_for_each(|section| spool.store_section(section))
}
