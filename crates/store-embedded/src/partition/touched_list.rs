//! A touched list: versions, each a sorted prefix and a stamped tail.
//!
//! What a reader would get wrong: a list that only had inserts owns no copy of its base. Its
//! prefix is [`Prefix::Root`], which stands for the root's base list *and* its overlay list; only
//! a delete or a merge of the tail makes a [`Prefix::Merged`], and that is a new version, so that
//! older readers go on with the one before.

use millrace_model::Position;

use super::tail::{Pairs, Tail};
use crate::limits::{TAIL_ENTRIES_MIN, TAIL_SHARE};

/// The versions of one list, in one cache line: an insert at random misses here once.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct TouchedList {
    newest: Version,
    /// Oldest first; `None` for almost every list.
    #[expect(clippy::box_collection, reason = "a vector would push the list over its line")]
    older: Option<Box<Vec<Version>>>,
}

/// A list from one position on, until the next version begins.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    from: Position,
    prefix: Prefix,
    tail: Tail,
}

#[derive(Clone, Debug)]
enum Prefix {
    /// The root's base list, then its overlay list.
    Root,
    /// Neighbours, then as many slots. `overlaid`: the root's overlay list is among them.
    Merged { cells: Box<[u32]>, overlaid: bool },
}

/// What a reader sees of a touched list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListView<'a> {
    /// The merged prefix; `None`: the root's base list.
    pub(crate) merged: Option<Pairs<'a>>,
    /// Whether the root's overlay list comes behind the prefix, for readers at its position.
    pub(crate) overlay: bool,
    /// What was inserted since.
    pub(crate) tail: Pairs<'a>,
}

impl TouchedList {
    /// A list as the root has it, for readers at any position, about to be changed after `from`.
    pub(crate) fn at_root(from: Position) -> TouchedList {
        let newest = Version { from, prefix: Prefix::Root, tail: Tail::default() };
        TouchedList { newest, older: None }
    }

    /// What a reader at `at` sees.
    #[inline]
    pub(crate) fn view(&self, at: Position) -> ListView<'_> {
        let version = self.version(at);
        let visible = version.tail.visible(stamp(version.from, at));
        let tail = version.tail.first(visible);
        match &version.prefix {
            Prefix::Root => ListView { merged: None, overlay: true, tail },
            Prefix::Merged { cells, overlaid } => {
                let (neighbours, slots) = cells.split_at(cells.len() / 2);
                ListView { merged: Some(Pairs { neighbours, slots }), overlay: !overlaid, tail }
            }
        }
    }

    /// Appends an edge.
    #[inline]
    pub(crate) fn insert(&mut self, at: Position, neighbour: u32, slot: u32) {
        self.newest.tail.push(neighbour, slot, stamp(self.newest.from, at));
    }

    /// Something of where the next edge goes, so that it is in the cache by then.
    #[inline]
    pub(crate) fn probe(&self) -> u32 {
        self.newest.tail.probe()
    }

    /// Whether the tail has outgrown its share of the list, or its stamps the distance they can
    /// say. `root_len` is the length of the root's lists.
    #[inline]
    pub(crate) fn wants_merge(&self, at: Position, root_len: impl FnOnce() -> usize) -> bool {
        let tail = self.newest.tail.len();
        if at.0 - self.newest.from.0 >= u64::from(u32::MAX) {
            return true;
        }
        tail >= TAIL_ENTRIES_MIN && {
            let prefix = match &self.newest.prefix {
                Prefix::Root => root_len(),
                Prefix::Merged { cells, .. } => cells.len() / 2,
            };
            tail >= prefix / TAIL_SHARE
        }
    }

    /// Begins a version at `at` with exactly these sorted entries. Returns whether an older
    /// version must be kept for older readers: not when it began at the same position, for then
    /// nobody has seen it.
    pub(crate) fn replace(&mut self, at: Position, entries: &[(u32, u32)], overlaid: bool) -> bool {
        let neighbours = entries.iter().map(|(neighbour, _)| *neighbour);
        let slots = entries.iter().map(|(_, slot)| *slot);
        let prefix = Prefix::Merged { cells: neighbours.chain(slots).collect(), overlaid };
        let version = Version { from: at, prefix, tail: Tail::default() };
        let replaced = std::mem::replace(&mut self.newest, version);
        if replaced.from == at {
            return false;
        }
        self.older.get_or_insert_default().push(replaced);
        true
    }

    /// Frees versions that no reader at `oldest` or later takes.
    pub(crate) fn forget(&mut self, oldest: Position) {
        let Some(older) = &mut self.older else { return };
        if self.newest.from <= oldest {
            self.older = None;
            return;
        }
        let live = older.partition_point(|version| version.from <= oldest);
        older.drain(..live.saturating_sub(1));
    }

    /// The same list on a root whose base is this list at `cut`; `None` if nothing came later.
    /// `keeps_overlay`: the overlay is later than the cut and stays one; else the next overlay is
    /// another, which no version holds.
    pub(crate) fn after(&self, cut: Position, keeps_overlay: bool) -> Option<TouchedList> {
        let older = self.older.as_deref().map_or(&[][..], Vec::as_slice);
        let mut chain: Vec<Version> = older.iter().chain([&self.newest]).cloned().collect();
        let begun = chain.partition_point(|version| version.from <= cut);
        if let Some(live) = begun.checked_sub(1) {
            let tail = chain[live].tail.after(stamp(chain[live].from, cut));
            chain[live] = Version { from: cut, prefix: Prefix::Root, tail };
            chain.drain(..live);
        }
        for version in &mut chain {
            if let Prefix::Merged { overlaid, .. } = &mut version.prefix {
                *overlaid &= keeps_overlay;
            }
        }
        let newest = chain.pop().expect("a list has a version");
        if chain.is_empty() && newest.is_root() {
            return None;
        }
        let older = (!chain.is_empty()).then(|| Box::new(chain));
        Some(TouchedList { newest, older })
    }

    /// Whether a reader at `at` sees just what the root has.
    pub(crate) fn is_root_at(&self, at: Position) -> bool {
        let view = self.view(at);
        view.merged.is_none() && view.tail.len() == 0
    }

    pub(crate) fn byte_size(&self) -> usize {
        let older = self.older.iter().flat_map(|older| older.iter());
        older.chain([&self.newest]).map(Version::byte_size).sum()
    }

    #[inline]
    fn version(&self, at: Position) -> &Version {
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
    /// Whether it is what the root has, and nothing else.
    fn is_root(&self) -> bool {
        matches!(self.prefix, Prefix::Root) && self.tail.is_empty()
    }

    fn byte_size(&self) -> usize {
        let prefix = match &self.prefix {
            Prefix::Root => 0,
            Prefix::Merged { cells, .. } => cells.len() * 4,
        };
        size_of::<Version>() + prefix + self.tail.byte_size()
    }
}

/// How far `at` is behind the beginning of a version, as far as a stamp can say: `wants_merge`
/// ends a version before its stamps run out, so a reader beyond that sees all of it.
#[inline]
fn stamp(from: Position, at: Position) -> u32 {
    u32::try_from(at.0.saturating_sub(from.0)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(list: &TouchedList, at: u64) -> (Option<Vec<u32>>, Vec<u32>) {
        let view = list.view(Position(at));
        (view.merged.map(|pairs| pairs.neighbours.to_vec()), view.tail.neighbours.to_vec())
    }

    #[test]
    fn a_touched_list_is_one_cache_line() {
        assert_eq!(size_of::<TouchedList>(), 64);
    }

    #[test]
    fn readers_older_than_a_version_take_the_one_before() {
        let mut list = TouchedList::at_root(Position(10));
        list.insert(Position(11), 5, 1);
        list.insert(Position(13), 3, 2);
        assert!(list.replace(Position(15), &[(3, 2), (9, 7)], false));
        list.insert(Position(16), 4, 8);
        assert_eq!(seen(&list, 10), (None, vec![]));
        assert_eq!(seen(&list, 12), (None, vec![5]));
        assert_eq!(seen(&list, 14), (None, vec![5, 3]));
        assert_eq!(seen(&list, 15), (Some(vec![3, 9]), vec![]));
        assert_eq!(seen(&list, 99), (Some(vec![3, 9]), vec![4]));
        assert!(!list.replace(Position(15), &[], false), "nobody saw the version of this commit");
    }

    #[test]
    fn a_list_moves_to_a_new_root_with_what_came_later() {
        let mut list = TouchedList::at_root(Position(0));
        list.insert(Position(1), 1, 1);
        assert!(list.after(Position(1), false).is_none());
        list.insert(Position(5), 2, 2);
        list.replace(Position(8), &[(2, 2)], false);
        let moved = list.after(Position(4), false).expect("there are later edges");
        assert_eq!(seen(&moved, 4), (None, vec![]));
        assert_eq!(seen(&moved, 7), (None, vec![2]));
        assert_eq!(seen(&moved, 8), (Some(vec![2]), vec![]));
    }

    #[test]
    fn forgetting_keeps_what_the_oldest_reader_takes() {
        let mut list = TouchedList::at_root(Position(0));
        for at in 1..=5 {
            list.replace(Position(at * 10), &[(u32::try_from(at).unwrap(), 0)], false);
        }
        list.forget(Position(25));
        assert_eq!(seen(&list, 25), (Some(vec![2]), vec![]));
        assert_eq!(list.older.as_ref().unwrap().len(), 3);
        list.forget(Position(50));
        assert!(list.older.is_none());
    }

    #[test]
    fn a_tail_is_merged_at_its_share_of_the_list_and_before_stamps_run_out() {
        let mut list = TouchedList::at_root(Position(0));
        for at in 1..=64 {
            assert!(!list.wants_merge(Position(at), || 0));
            list.insert(Position(at), 1, 1);
        }
        assert!(list.wants_merge(Position(65), || 500));
        assert!(!list.wants_merge(Position(65), || 10_000));
        assert!(list.wants_merge(Position(1 << 32), || 10_000));
    }
}
