//! The sorted prefix of a modified list, where it is not the root's any more: flat, or in chunks.

use crate::base::limits::CHUNK_ENTRIES_MAX;
use crate::live::list::chunks::{Chunks, Owned};
use crate::live::list::tail::Pairs;
use crate::live::versions::root::Entry;
use crate::persistent::image::{ListSection, Pinned};

/// Sorted entries that hold all that was inserted before their version began.
#[derive(Clone, Debug)]
pub(crate) struct Prefix {
    /// Whether the root's transaction layer list is among them.
    pub(crate) has_layer: bool,
    entries: Entries,
}

#[derive(Clone, Debug)]
enum Entries {
    /// Neighbours, then as many slots.
    Flat(Box<[u32]>),
    Chunked(Chunks),
}

/// The entries of a prefix.
#[derive(Clone, Copy)]
pub(crate) enum PrefixView<'a> {
    /// The root's base list.
    Root,
    Flat(Pairs<'a>),
    Chunked(&'a Chunks),
}

/// The lists of one local in the images of a root.
#[derive(Clone, Copy)]
pub(crate) struct RootLists<'a> {
    pub(crate) local: u16,
    pub(crate) base: Option<&'a Pinned<ListSection>>,
    pub(crate) layer: Option<&'a ListSection>,
    /// Whether the root has a transaction layer at all.
    pub(crate) has_layer: bool,
}

impl RootLists<'_> {
    pub(crate) fn base_entries(&self) -> impl Iterator<Item = Entry> + '_ {
        self.base.iter().flat_map(|section| section.list(self.local).iter())
    }

    pub(crate) fn base_len(&self) -> usize {
        self.base.map_or(0, |section| section.degree(self.local) as usize)
    }
}

impl Prefix {
    /// The entries of a prefix (`None`: the root's) and a tail, without removed ones.
    pub(crate) fn rewritten(
        prefix: Option<&Prefix>,
        tail: Pairs<'_>,
        removed: &[Entry],
        root: RootLists<'_>,
    ) -> Prefix {
        let stays = |entry: &Entry| removed.binary_search(entry).is_err();
        let layer = root.layer.filter(|_| prefix.is_none_or(|prefix| !prefix.has_layer));
        let layer = layer.iter().flat_map(|section| section.list(root.local).iter());
        let mut added: Vec<Entry> = layer.chain(tail.iter()).filter(stays).collect();
        added.sort();
        let entries = match prefix.map(|prefix| &prefix.entries) {
            Some(Entries::Chunked(chunks)) => Entries::fitting(chunks.edited(&added, removed)),
            Some(Entries::Flat(cells)) => Entries::merged(pairs(cells).iter().filter(stays), added),
            None => Entries::of_root(root, added, removed),
        };
        Prefix { has_layer: root.has_layer, entries }
    }

    pub(crate) fn view(&self) -> PrefixView<'_> {
        match &self.entries {
            Entries::Flat(cells) => PrefixView::Flat(pairs(cells)),
            Entries::Chunked(chunks) => PrefixView::Chunked(chunks),
        }
    }

    /// The same on a new root.
    pub(crate) fn owned(&self, keeps_layer: bool, owned: &mut Owned) -> Prefix {
        let entries = match &self.entries {
            Entries::Flat(cells) => Entries::Flat(cells.clone()),
            Entries::Chunked(chunks) => Entries::Chunked(chunks.owned(owned)),
        };
        Prefix { has_layer: self.has_layer && keeps_layer, entries }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.entries {
            Entries::Flat(cells) => cells.len() / 2,
            Entries::Chunked(chunks) => chunks.len(),
        }
    }

    /// Bytes beyond the prefix itself.
    pub(crate) fn byte_size(&self) -> usize {
        match &self.entries {
            Entries::Flat(cells) => cells.len() * 4,
            Entries::Chunked(chunks) => chunks.byte_size(),
        }
    }

    /// Those of them that the prefix it was made from has, too.
    pub(crate) fn shared_bytes(&self) -> usize {
        match &self.entries {
            Entries::Flat(_) => 0,
            Entries::Chunked(chunks) => chunks.shared_bytes(),
        }
    }
}

impl Entries {
    fn of_root(root: RootLists<'_>, added: Vec<Entry>, removed: &[Entry]) -> Entries {
        if let Some(base) = root.base
            && CHUNK_ENTRIES_MAX < base.degree(root.local) as usize
        {
            let chunks = Chunks::stored(base, base.range(root.local));
            return Entries::fitting(chunks.edited(&added, removed).alone());
        }
        let stays = |entry: &Entry| removed.binary_search(entry).is_err();
        Entries::merged(root.base_entries().filter(stays), added)
    }

    fn merged(below: impl Iterator<Item = Entry>, added: Vec<Entry>) -> Entries {
        let mut entries: Vec<Entry> = below.collect();
        entries.extend(added);
        // Two sorted parts, which a stable sort merges.
        entries.sort();
        if CHUNK_ENTRIES_MAX < entries.len() {
            return Entries::Chunked(Chunks::of(&entries));
        }
        Entries::flat(&entries)
    }

    /// Chunks, or a flat list where they have become few.
    fn fitting(chunks: Chunks) -> Entries {
        if chunks.len() <= CHUNK_ENTRIES_MAX / 2 {
            return Entries::flat(&chunks.entries().collect::<Vec<_>>());
        }
        Entries::Chunked(chunks)
    }

    fn flat(entries: &[Entry]) -> Entries {
        let neighbours = entries.iter().map(|(neighbour, _)| *neighbour);
        let slots = entries.iter().map(|(_, slot)| *slot);
        Entries::Flat(neighbours.chain(slots).collect())
    }
}

fn pairs(cells: &[u32]) -> Pairs<'_> {
    let (neighbours, slots) = cells.split_at(cells.len() / 2);
    Pairs { neighbours, slots }
}
