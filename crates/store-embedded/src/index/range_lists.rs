//! Base and delta of a shard of an ordered index, read together: keys in order from either side, each with its ids.
//!
//! ```text
//!   base    b 1 4 9   c 2 │ c 5 7      a key with many ids has several lists
//!   delta   a 3   c 4 +6 -7            what came, and what went
//!   read    a 3   b 1 4 9   c 2   c 4 5 6
//! ```

use std::cmp::Ordering;
use std::collections::btree_map;
use std::ops::{Bound, Range};

use millrace_model::LogPosition;

use super::postings::{IdRange, Postings};
use super::range_shard::{Delta, Window};
use crate::persistent::segment::{KeyLists, RangeBase};

/// Ids of one key that are taken from a delta together.
const PIECE_IDS: usize = 1 << 16;

/// What is read of a shard.
pub(super) struct Lists<'s> {
    pub(super) base: &'s RangeBase,
    pub(super) delta: &'s Delta,
    pub(super) window: &'s Window,
    pub(super) descending: bool,
}

/// The lists of a base in a window, from either side.
struct BaseLists<'s> {
    of: &'s Lists<'s>,
    blocks: Range<usize>,
    block: KeyLists,
    /// The lists of the block that are left; the next one is the current one.
    left: Range<usize>,
    /// The part of the current one's ids that is inside.
    inside: IdRange,
}

impl<'s> BaseLists<'s> {
    fn new(of: &'s Lists<'s>) -> BaseLists<'s> {
        let (base, Window { start, end }) = (of.base, of.window);
        let blocks = match end {
            _ if base.is_empty() => 0..0,
            Some((key, id)) => base.block_of(&start.0, start.1)..base.block_of(key, *id) + 1,
            None => base.block_of(&start.0, start.1)..base.blocks(),
        };
        let (block, left, inside) = (KeyLists::default(), 0..0, IdRange::NONE);
        let mut lists = BaseLists { of, blocks, block, left, inside };
        lists.find();
        lists
    }

    /// Goes on to the next list with ids inside, the current one included.
    fn find(&mut self) {
        loop {
            if self.left.is_empty() {
                let next =
                    if self.of.descending { self.blocks.next_back() } else { self.blocks.next() };
                let Some(block) = next else { return };
                self.of.base.read(block, &mut self.block);
                self.left = 0..self.block.len();
                continue;
            }
            let (key, ids) = self.block.list(self.first_left());
            self.inside = self.of.window.ids_of(key);
            if !self.inside.of(ids, |id| *id).is_empty() {
                return;
            }
            self.skip();
        }
    }

    fn first_left(&self) -> usize {
        if self.of.descending { self.left.end - 1 } else { self.left.start }
    }

    fn skip(&mut self) {
        if self.of.descending {
            self.left.next_back()
        } else {
            self.left.next()
        };
    }

    /// The current list: a key, and ids that ascend.
    fn current(&self) -> Option<(&[u8], &[u64])> {
        if self.left.is_empty() {
            return None;
        }
        let (key, ids) = self.block.list(self.first_left());
        Some((key, self.inside.of(ids, |id| *id)))
    }

    fn go_on(&mut self) {
        self.skip();
        self.find();
    }
}

/// A key of the delta, and its ids that were not read yet.
struct Fresh<'s> {
    key: &'s [u8],
    postings: &'s Postings,
    rest: IdRange,
}

impl Fresh<'_> {
    /// Leaves out all up to an id.
    fn go_behind(&mut self, id: u64, descending: bool) {
        if descending {
            self.rest.end = Some(id);
        } else {
            self.rest.first = id.saturating_add(1);
        }
    }

    /// Puts ids of the delta into `ids`; gives whether they are the last.
    fn next_piece(&mut self, at: LogPosition, descending: bool, ids: &mut Vec<u64>) -> bool {
        self.postings.ids(at, self.rest, (descending, PIECE_IDS), ids);
        ids.truncate(PIECE_IDS);
        match ids.get(PIECE_IDS - 1) {
            Some(last) => {
                self.go_behind(*last, descending);
                false
            }
            None => true,
        }
    }

    /// Puts the ids of a list of the base that are still there into `ids`, and those of the delta on its way.
    fn join(&mut self, at: LogPosition, list: &[u64], descending: bool, ids: &mut Vec<u64>) {
        ids.extend(list);
        self.postings.drop_ended(at, ids);
        let (Some(first), Some(last)) = (list.first(), list.last()) else { return };
        let mut part = self.rest;
        if descending {
            part.first = part.first.max(*first);
        } else {
            part.end = last.checked_add(1);
        }
        let before = ids.len();
        self.postings.ids(at, part, (false, usize::MAX), ids);
        if before < ids.len() {
            ids.sort_unstable();
            ids.dedup();
        }
        self.go_behind(if descending { *first } else { *last }, descending);
    }
}

impl Lists<'_> {
    /// Calls `visit` with the keys at a position and their ids, in order, up to `max` ids in all; gives how many.
    pub(super) fn visit(
        &self,
        at: LogPosition,
        max: usize,
        visit: &mut dyn FnMut(&[u8], &[u64]),
    ) -> usize {
        if self.window.is_empty() {
            return 0;
        }
        let (mut base, mut deltas) = (BaseLists::new(self), self.deltas());
        let mut fresh = self.next_fresh(&mut deltas);
        let (mut room, mut ids) = (max, Vec::new());
        while room != 0 {
            ids.clear();
            let order = match (base.current(), &fresh) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((key, _)), Some(own)) => self.order(key, own.key),
            };
            let mut give = |key: &[u8], ids: &[u64]| {
                let ids = &ids[..ids.len().min(room)];
                if !ids.is_empty() {
                    visit(key, ids);
                }
                room -= ids.len();
            };
            match (base.current(), &mut fresh) {
                (Some((key, list)), own) if order.is_le() => {
                    match own {
                        Some(own) if order.is_eq() => own.join(at, list, self.descending, &mut ids),
                        _ => ids.extend(list),
                    }
                    if self.descending {
                        ids.reverse();
                    }
                    give(key, &ids);
                    base.go_on();
                }
                (_, Some(own)) => {
                    let is_last = own.next_piece(at, self.descending, &mut ids);
                    give(own.key, &ids);
                    if is_last {
                        fresh = self.next_fresh(&mut deltas);
                    }
                }
                (_, None) => break,
            }
        }
        max - room
    }

    /// How many entries there are at the newest position.
    pub(super) fn count(&self) -> u64 {
        if self.window.is_empty() {
            return 0;
        }
        let Window { start, end } = self.window;
        let end = end.as_ref();
        let end = end.map_or(self.base.len() as u64, |(key, id)| self.base.rank(key, *id));
        let of_base = end.saturating_sub(self.base.rank(&start.0, start.1));
        let (came, went) = self.deltas().fold((0, 0), |(came, went), (key, postings)| {
            let (more, fewer) = postings.counts(self.window.ids_of(key));
            (came + more, went + fewer)
        });
        (of_base + came).saturating_sub(went)
    }

    fn order(&self, one: &[u8], other: &[u8]) -> Ordering {
        if self.descending { other.cmp(one) } else { one.cmp(other) }
    }

    /// The keys of the delta in the window.
    fn deltas(&self) -> btree_map::Range<'_, Box<[u8]>, Postings> {
        let Window { start: (start, _), end } = self.window;
        let end = match end {
            Some((key, 0)) => Bound::Excluded(key.as_slice()),
            Some((key, _)) => Bound::Included(key.as_slice()),
            None => Bound::Unbounded,
        };
        self.delta.range::<[u8], _>((Bound::Included(start.as_slice()), end))
    }

    fn next_fresh<'d>(
        &self,
        deltas: &mut btree_map::Range<'d, Box<[u8]>, Postings>,
    ) -> Option<Fresh<'d>> {
        let next = if self.descending { deltas.next_back() } else { deltas.next() };
        next.map(|(key, postings)| Fresh { key, postings, rest: self.window.ids_of(key) })
    }
}
