//! The edges of one type at a checkpoint position, in columns and in slot order: the source of the
//! edge section of a new image.
//!
//! A partition has millions of them, nearly all as the base has them, so they are copied a stretch
//! at a time and sorted only where new edges took slots between old ones.

use millrace_model::{EdgeTypeId, LogPosition, Result};

use crate::base::limits::EDGE_RUN_BITS;
use crate::live::versions::edge_run::EdgeRun;
use crate::persistent::image::{EdgeSection, Image};

/// Where the properties of an edge are.
#[derive(Clone, Copy)]
pub(in crate::live) enum Origin {
    Base(u32),
    Layer(u32),
    Run,
}

/// Edges of one type.
pub(in crate::live) struct EdgeRows {
    pub(in crate::live) slots: Vec<u32>,
    sources: Vec<u16>,
    targets: Vec<u32>,
    /// Empty if the type has no properties.
    pub(in crate::live) origins: Vec<Origin>,
    has_properties: bool,
}

impl EdgeRows {
    /// None yet, with room for so many: columns that grow are copied, and touch as much memory
    /// again.
    pub(in crate::live) fn with_capacity(edges: usize, has_properties: bool) -> EdgeRows {
        EdgeRows {
            slots: Vec::with_capacity(edges),
            sources: Vec::with_capacity(edges),
            targets: Vec::with_capacity(edges),
            origins: Vec::with_capacity(if has_properties { edges } else { 0 }),
            has_properties,
        }
    }

    /// Adds the edges of an image that are alive.
    pub(in crate::live) fn add_image(
        &mut self,
        image: &Image,
        edge_type: EdgeTypeId,
        lives: impl Fn(u32) -> bool,
        origin: impl Fn(u32) -> Origin,
    ) -> Result<()> {
        image.each_edge(edge_type, |slot, row, ends| {
            if lives(slot) {
                self.push(slot, ends, origin(row));
            }
        })?;
        Ok(())
    }

    /// Adds the edges of a run that were created by `at` and are alive.
    pub(in crate::live) fn add_run(
        &mut self,
        run: u32,
        edges: &EdgeRun,
        at: LogPosition,
        lives: impl Fn(u32) -> bool,
    ) {
        for (index, ends) in edges.created_ends(at) {
            let slot = run << EDGE_RUN_BITS | index as u32;
            if lives(slot) {
                self.push(slot, ends, Origin::Run);
            }
        }
    }

    /// Puts them in the order of their slots.
    pub(in crate::live) fn sort(&mut self) {
        if self.slots.is_sorted() {
            return;
        }
        let mut order: Vec<u32> = (0..self.slots.len() as u32).collect();
        // The stable sort merges ascending stretches, of which there are few, instead of sorting
        // them.
        order.sort_by_key(|row| self.slots[*row as usize]);
        self.slots = taken(&self.slots, &order);
        self.sources = taken(&self.sources, &order);
        self.targets = taken(&self.targets, &order);
        if self.has_properties {
            self.origins = taken(&self.origins, &order);
        }
    }

    /// The section of them, once they are sorted.
    pub(in crate::live) fn section(&mut self) -> EdgeSection {
        let (sources, targets) =
            (std::mem::take(&mut self.sources), std::mem::take(&mut self.targets));
        EdgeSection::of_columns(&self.slots, sources, targets)
    }

    #[inline]
    fn push(&mut self, slot: u32, (source, target): (u16, u32), origin: Origin) {
        self.slots.push(slot);
        self.sources.push(source);
        self.targets.push(target);
        if self.has_properties {
            self.origins.push(origin);
        }
    }
}

fn taken<T: Copy>(values: &[T], order: &[u32]) -> Vec<T> {
    order.iter().map(|row| values[*row as usize]).collect()
}
