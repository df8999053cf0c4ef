//! A long list in chunks under a directory of two levels, so that a change copies only the parts
//! that it modifies:
//!
//! ```text
//!   Chunks ── groups ── chunks ── up to 512 entries: own, or a stretch of the root's base list
//! ```
//!
//! A changed list is a new `Chunks` that shares every group and chunk the change does not modify.
//! The first change of a long list copies only its directory: entries not changed yet stay in the
//! base section, which the list pins.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::limits::{
    CHUNK_ENTRIES_FILL, CHUNK_ENTRIES_MAX, CHUNK_ENTRIES_MIN, GROUP_CHUNKS_FILL, GROUP_CHUNKS_MAX,
    GROUP_CHUNKS_MIN,
};
use crate::live::list::tail::Pairs;
use crate::live::versions::root::Entry;
use crate::persistent::image::{List, ListSection, Pinned};

/// A long sorted list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunks {
    groups: Vec<Group>,
    len: usize,
    /// The section that stored stretches refer to; `None` once there are none.
    base: Option<Pinned<ListSection>>,
    /// Bytes of it all, and how many of them belong to the list it was made from, too.
    bytes: usize,
    shared: usize,
}

#[derive(Clone, Debug)]
struct Group {
    first: Entry,
    len: usize,
    bytes: usize,
    chunks: Arc<[Chunk]>,
}

#[derive(Clone, Debug)]
struct Chunk {
    first: Entry,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    /// Neighbours, then as many slots.
    Own(Arc<[u32]>),
    /// Entries of the base section, from `start` on.
    Stored { start: u32, len: u32 },
}

/// The entries of a chunk.
pub(crate) enum ChunkView<'a> {
    Own(Pairs<'a>),
    Stored(List<'a>),
}

/// Chunks that were made of stretches of a base, so that versions of a list go on sharing them.
#[derive(Default)]
pub(crate) struct Owned {
    groups: FxHashMap<usize, Group>,
    chunks: FxHashMap<u32, Chunk>,
}

impl Chunks {
    /// The list at a range of a base section.
    pub(crate) fn stored(base: &Pinned<ListSection>, range: Range<usize>) -> Chunks {
        let mut chunks = Vec::with_capacity(range.len() / CHUNK_ENTRIES_FILL + 1);
        for start in range.clone().step_by(CHUNK_ENTRIES_FILL) {
            let end = range.end.min(start + CHUNK_ENTRIES_FILL);
            let first = base.list_at(start..end).iter().next().expect("a stretch is not empty");
            let (start, len) = (start as u32, (end - start) as u32);
            chunks.push(Chunk { first, body: Body::Stored { start, len } });
        }
        let mut whole = Chunks { base: Some(base.clone()), ..Chunks::default() };
        whole.push_group(chunks);
        whole.finish()
    }

    /// A list of sorted entries.
    pub(crate) fn of(entries: &[Entry]) -> Chunks {
        let mut whole = Chunks::default();
        let mut chunks = Vec::new();
        whole.push_chunk(&mut chunks, entries.to_vec());
        whole.push_group(chunks);
        whole.finish()
    }

    /// This list with sorted entries added, and others taken away if they are there.
    pub(crate) fn edited(&self, added: &[Entry], removed: &[Entry]) -> Chunks {
        let groups = Vec::with_capacity(self.groups.len() + 1);
        let mut whole = Chunks { groups, base: self.base.clone(), ..Chunks::default() };
        let (mut added, mut removed) = (added, removed);
        for (index, group) in self.groups.iter().enumerate() {
            let next = self.groups.get(index + 1).map(|next| next.first);
            let own = (take_before(&mut added, next), take_before(&mut removed, next));
            if own.0.is_empty() && own.1.is_empty() {
                whole.shared += group.bytes;
                whole.groups.push(group.clone());
            } else {
                whole.edit_group(group, own.0, own.1);
            }
        }
        if !added.is_empty() {
            let mut chunks = Vec::new();
            whole.push_chunk(&mut chunks, added.to_vec());
            whole.push_group(chunks);
        }
        whole.finish()
    }

    /// The same list without a base to hold on to.
    pub(crate) fn owned(&self, owned: &mut Owned) -> Chunks {
        let mut whole = Chunks::default();
        for group in &self.groups {
            let place = Arc::as_ptr(&group.chunks).cast::<Chunk>() as usize;
            if !owned.groups.contains_key(&place) {
                let chunks = group.chunks.iter().map(|chunk| self.own_chunk(chunk, owned));
                let group = Group::of(chunks.collect());
                owned.groups.insert(place, group);
            }
            whole.groups.push(owned.groups[&place].clone());
        }
        let mut whole = whole.finish();
        whole.shared = whole.bytes.saturating_sub(self.bytes - self.shared);
        whole
    }

    /// The same list, made from one that had nothing of it.
    pub(crate) fn alone(self) -> Chunks {
        Chunks { shared: 0, ..self }
    }

    /// The entries, chunk by chunk; each chunk is sorted, and the chunks are.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ChunkView<'_>> + '_ {
        let chunks = self.groups.iter().flat_map(|group| group.chunks.iter());
        chunks.map(|chunk| self.view(chunk))
    }

    /// All entries, sorted.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        self.groups.iter().flat_map(|group| group.chunks.iter()).flat_map(|c| self.entries_of(c))
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes of the directory and of own chunks.
    pub(crate) fn byte_size(&self) -> usize {
        self.bytes
    }

    /// Bytes that the list it was made from had too.
    pub(crate) fn shared_bytes(&self) -> usize {
        self.shared
    }

    fn edit_group(&mut self, group: &Group, added: &[Entry], removed: &[Entry]) {
        let mut chunks = Vec::with_capacity(group.chunks.len() + 1);
        let (mut added, mut removed) = (added, removed);
        for (index, chunk) in group.chunks.iter().enumerate() {
            let next = group.chunks.get(index + 1).map(|next| next.first);
            let own = (take_before(&mut added, next), take_before(&mut removed, next));
            if own.0.is_empty() && own.1.is_empty() {
                self.shared += chunk.byte_size();
                chunks.push(chunk.clone());
                continue;
            }
            let stays = |entry: &Entry| own.1.binary_search(entry).is_err();
            let mut entries: Vec<Entry> = self.entries_of(chunk).filter(stays).collect();
            entries.extend_from_slice(own.0);
            // Two sorted parts, which a stable sort merges.
            entries.sort();
            self.push_chunk(&mut chunks, entries);
        }
        self.push_group(chunks);
    }

    /// Appends sorted entries as chunks of a good size; few join the chunk before.
    fn push_chunk(&mut self, chunks: &mut Vec<Chunk>, mut entries: Vec<Entry>) {
        if entries.is_empty() {
            return;
        }
        if entries.len() < CHUNK_ENTRIES_MIN
            && let Some(before) =
                chunks.pop_if(|before| before.len() + entries.len() <= CHUNK_ENTRIES_FILL)
        {
            entries.splice(..0, self.entries_of(&before));
        }
        let pieces = match entries.len() {
            0..=CHUNK_ENTRIES_MAX => 1,
            len => len.div_ceil(CHUNK_ENTRIES_FILL),
        };
        chunks.extend(entries.chunks(entries.len().div_ceil(pieces)).map(Chunk::own));
    }

    /// Appends chunks as groups of a good size; few join the group before.
    fn push_group(&mut self, mut chunks: Vec<Chunk>) {
        if chunks.is_empty() {
            return;
        }
        if chunks.len() < GROUP_CHUNKS_MIN
            && let Some(before) =
                self.groups.pop_if(|group| group.chunks.len() + chunks.len() <= GROUP_CHUNKS_FILL)
        {
            chunks.splice(..0, before.chunks.iter().cloned());
        }
        let pieces = match chunks.len() {
            0..=GROUP_CHUNKS_MAX => 1,
            len => len.div_ceil(GROUP_CHUNKS_FILL),
        };
        let each = chunks.len().div_ceil(pieces);
        self.groups.extend(chunks.chunks(each).map(|chunks| Group::of(chunks.to_vec())));
    }

    fn finish(mut self) -> Chunks {
        self.len = self.groups.iter().map(|group| group.len).sum();
        let directory = self.groups.len() * size_of::<Group>();
        self.bytes = directory + self.groups.iter().map(|group| group.bytes).sum::<usize>();
        self
    }

    fn own_chunk(&self, chunk: &Chunk, owned: &mut Owned) -> Chunk {
        let Body::Stored { start, len } = chunk.body else { return chunk.clone() };
        // Stretches are only ever dropped as a whole, so those that begin together are the same.
        let own = owned
            .chunks
            .entry(start)
            .or_insert_with(|| Chunk::own(&self.entries_of(chunk).collect::<Vec<_>>()));
        debug_assert_eq!(own.len(), len as usize);
        own.clone()
    }

    fn view<'a>(&'a self, chunk: &'a Chunk) -> ChunkView<'a> {
        match &chunk.body {
            Body::Own(cells) => {
                let (neighbours, slots) = cells.split_at(cells.len() / 2);
                ChunkView::Own(Pairs { neighbours, slots })
            }
            Body::Stored { start, len } => {
                let base = self.base.as_ref().expect("stretches have a base");
                let start = *start as usize;
                ChunkView::Stored(base.list_at(start..start + *len as usize))
            }
        }
    }

    fn entries_of<'a>(&'a self, chunk: &'a Chunk) -> impl Iterator<Item = Entry> + 'a {
        let view = self.view(chunk);
        (0..chunk.len()).map(move |index| match &view {
            ChunkView::Own(pairs) => (pairs.neighbours[index], pairs.slots[index]),
            ChunkView::Stored(list) => (list.neighbours[index], list.slots.get(index)),
        })
    }
}

impl Group {
    fn of(chunks: Vec<Chunk>) -> Group {
        let bytes = chunks.iter().map(|chunk| size_of::<Chunk>() + chunk.byte_size()).sum();
        let len = chunks.iter().map(Chunk::len).sum();
        Group { first: chunks[0].first, len, bytes, chunks: chunks.into() }
    }
}

impl Chunk {
    fn own(entries: &[Entry]) -> Chunk {
        let neighbours = entries.iter().map(|(neighbour, _)| *neighbour);
        let slots = entries.iter().map(|(_, slot)| *slot);
        Chunk { first: entries[0], body: Body::Own(neighbours.chain(slots).collect()) }
    }

    fn len(&self) -> usize {
        match &self.body {
            Body::Own(cells) => cells.len() / 2,
            Body::Stored { len, .. } => *len as usize,
        }
    }

    /// Bytes beyond its place in the directory.
    fn byte_size(&self) -> usize {
        match &self.body {
            Body::Own(cells) => cells.len() * 4,
            Body::Stored { .. } => 0,
        }
    }
}

/// Takes the entries before `bound` off the front; all of them if there is none.
fn take_before<'a>(entries: &mut &'a [Entry], bound: Option<Entry>) -> &'a [Entry] {
    let before = bound.map_or(entries.len(), |bound| entries.partition_point(|own| *own < bound));
    let (taken, rest) = entries.split_at(before);
    *entries = rest;
    taken
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::live::tests::differential_test::Random;
    use crate::persistent::image::{ListBuilder, Section};

    fn base(len: u32) -> Pinned<ListSection> {
        let mut builder = ListBuilder::default();
        builder.push(3, [(1, 1), (2, 2)]);
        builder.push(9, (0..len).map(|index| (index / 2 * 10, index)));
        Section::of(builder.finish().unwrap()).get().unwrap()
    }

    fn check(chunks: &Chunks, naive: &BTreeSet<Entry>) {
        assert!(chunks.entries().eq(naive.iter().copied()));
        assert_eq!(chunks.len(), naive.len());
        assert!(chunks.groups.iter().all(|group| group.chunks.len() <= GROUP_CHUNKS_MAX));
        let all = || chunks.groups.iter().flat_map(|group| group.chunks.iter());
        assert!(all().all(|chunk| (1..=CHUNK_ENTRIES_MAX).contains(&chunk.len())));
        assert!(all().count() <= 2 + chunks.len() / 40, "{} in {}", chunks.len(), all().count());
    }

    #[test]
    fn a_list_in_chunks_equals_a_set_through_any_changes() {
        let mut random = Random::new(5);
        let base = base(60_000);
        let mut naive: BTreeSet<Entry> = base.list(9).iter().collect();
        let mut chunks = Chunks::stored(&base, base.range(9));
        let (mut slot, mut before) = (100_000, Vec::new());
        for round in 0..400 {
            let few = if round % 50 == 0 { 9_000 } else { 1 + random.below(4) };
            let mut fresh = || {
                slot += 1;
                (random.below(300_000) as u32, slot)
            };
            let mut added: Vec<Entry> = (0..few).map(|_| fresh()).collect();
            added.sort_unstable();
            let all: Vec<Entry> = naive.iter().copied().collect();
            let from = random.below(all.len());
            let removed = &all[from..all.len().min(from + random.below(700))];
            removed.iter().for_each(|entry| assert!(naive.remove(entry)));
            naive.extend(&added);
            before.push(chunks.clone());
            chunks = chunks.edited(&added, removed);
            assert!(chunks.shared_bytes() <= chunks.byte_size());
            if round % 20 == 0 {
                check(&chunks, &naive);
                let mut owned = Owned::default();
                let own = chunks.owned(&mut owned);
                check(&own, &naive);
                assert!(own.base.is_none());
            }
        }
        let everything: Vec<Entry> = naive.iter().copied().collect();
        assert_eq!(chunks.edited(&[], &everything).len(), 0);
    }

    #[test]
    fn a_change_copies_one_chunk_and_its_way_up() {
        let base = base(1_000_000);
        let list: Vec<Entry> = base.list(9).iter().collect();
        let whole = Chunks::stored(&base, base.range(9));
        let one = whole.edited(&[(77, 2_000_000)], &list[500_000..500_001]);
        assert_eq!(one.len(), 1_000_000);
        let copied = one.byte_size() - one.shared_bytes();
        assert!(copied < 2 * 512 * 8 + 2 * 64 * 32 + 4_096, "{copied} bytes");
    }
}
