//! A modified adjacency list: versions, each a sorted prefix and a stamped tail.
//!
//! A list that only had inserts owns no copy of its base. Its prefix stands for the root's base
//! list *and* its transaction layer list; only a delete or a merge of the tail makes a [`Prefix`]
//! of its own, and that is a new version, so that older readers go on with the one before.

use std::sync::Arc;

use millrace_model::LogPosition;

use crate::base::fetch::fetch;
use crate::base::limits::{TAIL_ENTRIES_MIN, TAIL_SHARE};
use crate::live::list::chunks::{Chunks, Owned};
use crate::live::list::prefix::{Prefix, PrefixView, RootLists};
use crate::live::list::tail::{Pairs, Tail};
use crate::live::versions::pinned::PinnedSnapshots;
use crate::live::versions::root::Entry;

/// The versions of one list, in one cache line: an insert at random misses here once.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct ModifiedList {
    newest: Version,
    /// Oldest first; `None` for almost every list.
    #[expect(clippy::box_collection, reason = "a vector would push the list over its line")]
    older: Option<Box<Vec<Version>>>,
}

/// A list from one position on, until the next version begins.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    from: LogPosition,
    /// `None`: the root's base list, then its transaction layer list.
    prefix: Option<Arc<Prefix>>,
    tail: Tail,
}

/// A modified list as one reader sees it.
#[derive(Clone, Copy)]
pub(crate) struct ListView<'a> {
    pub(crate) prefix: PrefixView<'a>,
    /// Whether the root's transaction layer list comes behind the prefix, for readers at its
    /// position.
    pub(crate) layer: bool,
    /// Entries inserted since.
    pub(crate) tail: Pairs<'a>,
}

/// The effects of a rewrite, for the caller's counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rewritten {
    /// Whether an older version is kept for older readers.
    pub(crate) retired: bool,
    /// Bytes of the new version that no older one has.
    pub(crate) copied: usize,
    /// By how many bytes the list grew.
    pub(crate) grown: isize,
}

impl ModifiedList {
    /// A list as the root has it, for readers at any position, about to be changed after `from`.
    pub(crate) fn at_root(from: LogPosition) -> ModifiedList {
        ModifiedList { newest: Version::at_root(from), older: None }
    }

    /// The view of a list that was not modified.
    pub(crate) fn root_view() -> ListView<'static> {
        ListView { prefix: PrefixView::Root, layer: true, tail: Pairs::default() }
    }

    /// The list as a reader at `at` sees it.
    #[inline]
    pub(crate) fn view(&self, at: LogPosition) -> ListView<'_> {
        match self.added(at) {
            Some(tail) => ListView { prefix: PrefixView::Root, layer: true, tail },
            None => self.view_of_version(at),
        }
    }

    /// The entries that a reader at `at` sees besides the root's lists, if it sees those whole.
    /// This is the case of almost every list.
    #[inline(always)]
    pub(crate) fn added(&self, at: LogPosition) -> Option<Pairs<'_>> {
        let Version { from, prefix, tail } = &self.newest;
        let plain = prefix.is_none() && self.older.is_none();
        plain.then(|| tail.first(tail.visible(stamp(*from, at))))
    }

    fn view_of_version(&self, at: LogPosition) -> ListView<'_> {
        let version = self.version(at);
        let visible = version.tail.visible(stamp(version.from, at));
        let tail = version.tail.first(visible);
        match &version.prefix {
            None => ListView { prefix: PrefixView::Root, layer: true, tail },
            Some(prefix) => ListView { prefix: prefix.view(), layer: !prefix.has_layer, tail },
        }
    }

    /// Appends an edge; says how many bytes the list grew by.
    #[inline]
    pub(crate) fn insert(&mut self, at: LogPosition, neighbour: u32, slot: u32) -> usize {
        self.newest.tail.push(neighbour, slot, stamp(self.newest.from, at))
    }

    /// Something of where the next edge goes, so that it is in the cache by then.
    #[inline]
    pub(crate) fn probe(&self) -> u32 {
        self.newest.tail.probe()
    }

    /// Lets the list's line come into the cache.
    #[inline]
    pub(crate) fn fetch(&self) {
        fetch(&self.newest.from);
    }

    /// Prefetches the neighbours that most readers look at, where they are not in the list's cache
    /// line.
    #[inline]
    pub(crate) fn fetch_neighbours(&self) {
        self.newest.tail.fetch_neighbours();
    }

    /// Whether the tail has outgrown its share of the list, or its stamps the distance they can
    /// say. `root_len` is the length of the root's lists.
    #[inline]
    pub(crate) fn wants_merge(&self, at: LogPosition, root_len: impl FnOnce() -> usize) -> bool {
        let tail = self.newest.tail.len();
        if at.0 - self.newest.from.0 >= u64::from(u32::MAX) {
            return true;
        }
        tail >= TAIL_ENTRIES_MIN && {
            let prefix = match &self.newest.prefix {
                None => root_len(),
                Some(prefix) => prefix.len(),
            };
            tail >= prefix / TAIL_SHARE
        }
    }

    /// Begins a version at `at`; its prefix has all entries but those removed, which are sorted. No
    /// older version is kept if this one began at the same position: no reader has seen it.
    pub(crate) fn rewrite(
        &mut self,
        at: LogPosition,
        removed: &[Entry],
        root: RootLists<'_>,
    ) -> Rewritten {
        let Version { from, prefix, tail } = &self.newest;
        let tail = tail.first(tail.len());
        let prefix = Prefix::rewritten(prefix.as_deref(), tail, removed, root);
        let copied = prefix.byte_size() - prefix.shared_bytes();
        let (from, prefix) = (*from, Some(Arc::new(prefix)));
        let version = Version { from: at, prefix, tail: Tail::default() };
        let replaced = std::mem::replace(&mut self.newest, version);
        let first = self.older.is_none();
        if from == at {
            let (before, after) = (replaced.byte_size(first), self.newest.byte_size(first));
            return Rewritten { retired: false, copied, grown: after as isize - before as isize };
        }
        let chain = if first { size_of::<Vec<Version>>() } else { 0 };
        let grown = chain + size_of::<Version>() + self.newest.byte_size(false);
        self.older.get_or_insert_default().push(replaced);
        Rewritten { retired: true, copied, grown: grown as isize }
    }

    /// Frees versions that no reader takes.
    pub(crate) fn forget(&mut self, pinned: &PinnedSnapshots) {
        let Some(older) = &mut self.older else { return };
        let mut until = self.newest.from;
        let mut kept: Vec<Version> = Vec::new();
        for (place, version) in std::mem::take(&mut **older).into_iter().enumerate().rev() {
            // The first one is taken by all readers before it, too.
            let from = if place == 0 { LogPosition(0) } else { version.from };
            if pinned.needs(from, until) {
                kept.push(version);
            }
            until = from;
        }
        kept.reverse();
        self.older = (!kept.is_empty()).then(|| Box::new(kept));
    }

    /// The same list on a root with this list at `checkpoint` as its base; `None` if nothing came
    /// later. `keeps_layer`: the transaction layer is later than the checkpoint position and stays
    /// one; else the next transaction layer is another, which no version holds.
    pub(crate) fn after(&self, checkpoint: LogPosition, keeps_layer: bool) -> Option<ModifiedList> {
        if self.older.is_none() && self.newest.prefix.is_none() {
            // Almost every list. The tail alone says whether there is anything.
            let tail = self.newest.tail.after(stamp(self.newest.from, checkpoint));
            let from = self.newest.from.max(checkpoint);
            let newest = Version { from, prefix: None, tail };
            return (!newest.tail.is_empty()).then_some(ModifiedList { newest, older: None });
        }
        let older = self.older.as_deref().map_or(&[][..], Vec::as_slice);
        let mut chain: Vec<Version> = older.iter().chain([&self.newest]).cloned().collect();
        let begun = chain.partition_point(|version| version.from <= checkpoint);
        if let Some(live) = begun.checked_sub(1) {
            let tail = chain[live].tail.after(stamp(chain[live].from, checkpoint));
            chain[live] = Version { from: checkpoint, prefix: None, tail };
            chain.drain(..live);
        }
        let mut owned = Owned::default();
        for version in &mut chain {
            if let Some(prefix) = &mut version.prefix {
                *prefix = Arc::new(prefix.owned(keeps_layer, &mut owned));
            }
        }
        let newest = chain.pop().expect("a list has a version");
        if chain.is_empty() && newest.is_root() {
            return None;
        }
        let older = (!chain.is_empty()).then(|| Box::new(chain));
        Some(ModifiedList { newest, older })
    }

    /// Whether a reader at `at` sees the root's lists and nothing else.
    pub(crate) fn is_root_at(&self, at: LogPosition) -> bool {
        let view = self.view(at);
        matches!(view.prefix, PrefixView::Root) && view.tail.len() == 0
    }

    /// Whether it has versions besides the newest.
    pub(crate) fn has_older(&self) -> bool {
        self.older.is_some()
    }

    /// Bytes beyond the list itself; memory shared by versions is counted once.
    pub(crate) fn byte_size(&self) -> usize {
        let Some(older) = &self.older else { return self.newest.byte_size(true) };
        let versions = older.iter().chain([&self.newest]).enumerate();
        let versions = versions.map(|(place, version)| version.byte_size(place == 0));
        versions.sum::<usize>() + older.len() * size_of::<Version>() + size_of::<Vec<Version>>()
    }

    #[inline]
    fn version(&self, at: LogPosition) -> &Version {
        match &self.older {
            Some(older) if at < self.newest.from => {
                let next = older.partition_point(|version| version.from <= at);
                &older[next.saturating_sub(1)]
            }
            _ => &self.newest,
        }
    }
}

impl Version {
    fn at_root(from: LogPosition) -> Version {
        Version { from, prefix: None, tail: Tail::default() }
    }

    /// Whether it is the root's lists and nothing else.
    fn is_root(&self) -> bool {
        self.prefix.is_none() && self.tail.is_empty()
    }

    fn byte_size(&self, is_first: bool) -> usize {
        let prefix = self.prefix.as_ref().map_or(0, |prefix| {
            let shared = if is_first { 0 } else { prefix.shared_bytes() };
            size_of::<Prefix>() + prefix.byte_size() - shared
        });
        prefix + self.tail.byte_size()
    }
}

impl ListView<'_> {
    /// Entries of the list.
    pub(crate) fn len(&self, root: RootLists<'_>) -> usize {
        let layer = root.layer.filter(|_| self.layer);
        let prefix = match self.prefix {
            PrefixView::Root => root.base_len(),
            PrefixView::Flat(pairs) => pairs.len(),
            PrefixView::Chunked(chunks) => chunks.len(),
        };
        prefix + layer.map_or(0, |section| section.degree(root.local) as usize) + self.tail.len()
    }

    /// The entries of the list, sorted.
    pub(crate) fn entries(&self, root: RootLists<'_>) -> Vec<Entry> {
        let layer = root.layer.filter(|_| self.layer);
        let mut entries = Vec::with_capacity(self.len(root));
        match self.prefix {
            PrefixView::Root => entries.extend(root.base_entries()),
            PrefixView::Flat(pairs) => entries.extend(pairs.iter()),
            PrefixView::Chunked(chunks) => entries.extend(Chunks::entries(chunks)),
        }
        entries.extend(layer.iter().flat_map(|section| section.list(root.local).iter()));
        entries.extend(self.tail.iter());
        // A stable sort finds the parts that are sorted already and only merges them.
        entries.sort();
        entries
    }
}

/// How far `at` is behind the beginning of a version, as far as a stamp can say: `wants_merge`
/// ends a version before its stamps run out, so a reader beyond that sees all of it.
#[inline]
fn stamp(from: LogPosition, at: LogPosition) -> u32 {
    u32::try_from(at.0.saturating_sub(from.0)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(local: u16) -> RootLists<'static> {
        RootLists { local, base: None, layer: None, has_layer: false }
    }

    fn seen(list: &ModifiedList, at: u64) -> (Option<Vec<u32>>, Vec<u32>) {
        let view = list.view(LogPosition(at));
        let own = match view.prefix {
            PrefixView::Root => None,
            PrefixView::Flat(pairs) => Some(pairs.neighbours.to_vec()),
            PrefixView::Chunked(chunks) => Some(chunks.entries().map(|entry| entry.0).collect()),
        };
        (own, view.tail.neighbours.to_vec())
    }

    #[test]
    fn a_modified_list_is_one_cache_line() {
        assert_eq!(size_of::<ModifiedList>(), 64);
    }

    #[test]
    fn readers_older_than_a_version_take_the_one_before() {
        let mut list = ModifiedList::at_root(LogPosition(10));
        list.insert(LogPosition(11), 5, 1);
        list.insert(LogPosition(13), 3, 2);
        assert!(list.rewrite(LogPosition(15), &[(5, 1)], nothing(0)).retired);
        list.insert(LogPosition(16), 4, 8);
        assert_eq!(seen(&list, 10), (None, vec![]));
        assert_eq!(seen(&list, 12), (None, vec![5]));
        assert_eq!(seen(&list, 14), (None, vec![5, 3]));
        assert_eq!(seen(&list, 15), (Some(vec![3]), vec![]));
        assert_eq!(seen(&list, 99), (Some(vec![3]), vec![4]));
        let again = list.rewrite(LogPosition(15), &[], nothing(0));
        assert!(!again.retired, "nobody saw the version of this commit");
    }

    #[test]
    fn a_list_moves_to_a_new_root_with_what_came_later() {
        let mut list = ModifiedList::at_root(LogPosition(0));
        list.insert(LogPosition(1), 1, 1);
        assert!(list.after(LogPosition(1), false).is_none());
        list.insert(LogPosition(5), 2, 2);
        list.rewrite(LogPosition(8), &[(1, 1)], nothing(0));
        let moved = list.after(LogPosition(4), false).expect("there are later edges");
        assert_eq!(seen(&moved, 4), (None, vec![]));
        assert_eq!(seen(&moved, 7), (None, vec![2]));
        assert_eq!(seen(&moved, 8), (Some(vec![2]), vec![]));
    }

    #[test]
    fn forgetting_keeps_what_a_pinned_snapshot_reads_and_what_comes() {
        let mut list = ModifiedList::at_root(LogPosition(0));
        for at in 1..=5 {
            list.insert(LogPosition(at * 10), at as u32, 0);
            list.rewrite(LogPosition(at * 10), &[(at as u32 - 1, 0)], nothing(0));
        }
        let positions = |list: &ModifiedList| list.older.as_ref().map_or(0, |older| older.len());
        list.forget(&PinnedSnapshots::new(vec![LogPosition(25)], LogPosition(45)));
        assert_eq!(seen(&list, 25), (Some(vec![2]), vec![]));
        assert_eq!(seen(&list, 49), (Some(vec![4]), vec![]));
        assert_eq!(positions(&list), 2, "the one of 20 and the one of 40");
        list.forget(&PinnedSnapshots::new(vec![], LogPosition(50)));
        assert!(list.older.is_none());
    }

    #[test]
    fn a_tail_is_merged_at_its_share_of_the_list_and_before_stamps_run_out() {
        let mut list = ModifiedList::at_root(LogPosition(0));
        for at in 1..=64 {
            assert!(!list.wants_merge(LogPosition(at), || 0));
            list.insert(LogPosition(at), 1, 1);
        }
        assert!(list.wants_merge(LogPosition(65), || 500));
        assert!(!list.wants_merge(LogPosition(65), || 10_000));
        assert!(list.wants_merge(LogPosition(1 << 32), || 10_000));
    }
}
