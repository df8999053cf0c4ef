//! The partitions of a graph by ordinal: found without a lock, made on first use, never removed.

use std::sync::{Arc, OnceLock};

use millrace_model::Position;

use super::Partition;
use crate::image::Image;
use crate::limits::PARTITIONS_MAX;

const PAGE: usize = 256;

type Page = Box<[OnceLock<Arc<Partition>>]>;

/// All partitions of a graph.
#[derive(Debug)]
pub struct Partitions {
    pages: Box<[OnceLock<Page>]>,
}

impl Default for Partitions {
    fn default() -> Partitions {
        let pages = (0..PARTITIONS_MAX / PAGE).map(|_| OnceLock::new());
        Partitions { pages: pages.collect() }
    }
}

impl Partitions {
    /// The partition of an ordinal; `None` where there is none, or no ordinal.
    #[inline]
    pub fn get(&self, ordinal: Option<u32>) -> Option<&Arc<Partition>> {
        let ordinal = ordinal? as usize;
        self.pages.get(ordinal / PAGE)?.get()?[ordinal % PAGE].get()
    }

    /// The partition of an ordinal below 2^16, made empty if there is none.
    pub fn get_or_create(&self, ordinal: u32) -> &Arc<Partition> {
        self.place(ordinal)
            .get_or_init(|| Arc::new(Partition::new(Arc::new(Image::empty(ordinal, Position(0))))))
    }

    /// Puts in place what a file holds, before anybody reads or writes the partition. Says whether
    /// the place was free.
    pub fn open(&self, base: Arc<Image>) -> bool {
        let place = self.place(base.ordinal);
        place.set(Arc::new(Partition::new(base))).is_ok()
    }

    /// All partitions at or above an ordinal, ascending.
    pub fn from(&self, ordinal: u32) -> impl Iterator<Item = &Arc<Partition>> + '_ {
        let ordinal = ordinal as usize;
        let pages = self.pages.iter().skip(ordinal / PAGE);
        let partitions = pages.enumerate().flat_map(move |(index, page)| {
            let skipped = if index == 0 { ordinal % PAGE } else { 0 };
            page.get().into_iter().flat_map(move |page| page.iter().skip(skipped))
        });
        partitions.filter_map(OnceLock::get)
    }

    /// All partitions, ordinals ascending.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Partition>> + '_ {
        self.from(0)
    }

    fn place(&self, ordinal: u32) -> &OnceLock<Arc<Partition>> {
        let ordinal = ordinal as usize;
        let page =
            self.pages[ordinal / PAGE].get_or_init(|| (0..PAGE).map(|_| OnceLock::new()).collect());
        &page[ordinal % PAGE]
    }
}
