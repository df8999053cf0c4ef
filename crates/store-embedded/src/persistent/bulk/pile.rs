//! Rows of one partition, part in memory, part put aside.

use super::spool::Spool;
use crate::base::error::Result;
use crate::persistent::image::{Extent, SectionBody};

/// Rows that can be taken together and put aside.
pub(super) trait Rows: SectionBody + Default {
    fn is_empty(&self) -> bool;

    /// Appends `later` rows.
    fn absorb(&mut self, later: Self);
}

/// Rows of a partition: those in memory, and the extents of the rows spilled before.
pub(super) struct Pile<R> {
    pub(super) rows: R,
    pub(super) spooled: Vec<Extent>,
}

impl<R: Rows> Default for Pile<R> {
    fn default() -> Self {
        Pile { rows: R::default(), spooled: Vec::new() }
    }
}

impl<R: Rows> Pile<R> {
    /// Whether nothing was ever put on it.
    pub(super) fn is_empty(&self) -> bool {
        self.spooled.is_empty() && self.rows.is_empty()
    }

    /// Bytes that were spilled.
    pub(super) fn spooled_bytes(&self) -> u64 {
        self.spooled.iter().map(|extent| extent.length).sum()
    }

    /// Spills the rows in memory.
    pub(super) fn spill(&mut self, spool: &mut Spool) -> Result<()> {
        if !self.rows.is_empty() {
            self.spooled.push(spool.store(&self.rows)?);
            self.rows = R::default();
        }
        Ok(())
    }

    /// All rows, in order of arrival.
    pub(super) fn collect(self) -> Result<R> {
        let mut extents = self.spooled.into_iter();
        let Some(first) = extents.next() else { return Ok(self.rows) };
        let mut rows: R = first.load()?;
        for extent in extents {
            rows.absorb(extent.load()?);
        }
        rows.absorb(self.rows);
        Ok(rows)
    }
}
