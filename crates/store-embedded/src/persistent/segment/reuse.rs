//! Which older files a new root keeps sections in, and which sections are copied out of theirs.
//!
//! A file is kept or not for all of its sections in use together. A file kept for a few sections
//! would cost its whole length on the disk.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::error::Result;
use crate::base::limits::OLDER_FILE_SHARE;
use crate::persistent::image::{Extent, Image};

/// The files that are kept.
pub(super) struct Reuse {
    segments: BTreeSet<u64>,
}

impl Reuse {
    /// Of the files an image has sections in, those worth keeping: at most so many, those first
    /// that save the most.
    pub(super) fn of(image: &Image, files_max: usize) -> Result<Reuse> {
        let mut used: BTreeMap<u64, (u64, &Extent)> = BTreeMap::new();
        for extent in image.extents().filter(|extent| extent.segment != 0) {
            used.entry(extent.segment).or_insert((0, extent)).0 += extent.length;
        }
        let mut worth = Vec::with_capacity(used.len());
        for (segment, (bytes, extent)) in used {
            if extent.file.size()? <= bytes * OLDER_FILE_SHARE {
                worth.push((bytes, segment));
            }
        }
        worth.sort_unstable();
        let segments = worth.into_iter().rev().take(files_max).map(|(_, segment)| segment);
        Ok(Reuse { segments: segments.collect() })
    }

    /// Whether a section stays where it is.
    pub(super) fn has(&self, extent: &Extent) -> bool {
        self.segments.contains(&extent.segment)
    }
}
