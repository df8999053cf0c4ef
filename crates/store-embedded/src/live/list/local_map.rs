//! A map from the locals of one partition, without hashing: a page of 64 locals is allocated when
//! one of them gets a value, and the page has their values beside one another.
//!
//! Made for the two questions the expansion asks of every row: "is this vertex modified at all?" is
//! one load from a table of 8 KiB, and where the page is missing the answer is no for all 64; and
//! a sweep over modified vertices reads their values one after the other. The first value of a
//! local moves those of higher locals in its page, so a place is good for one look only.

use crate::base::fetch::{fetch, fetch_place};

/// Locals of a page; a page of a scan is then one word of a bitmap.
pub(crate) const PAGE_LOCALS: usize = 64;

/// Pages of a partition.
pub(crate) const PAGES: usize = (1 << 16) / PAGE_LOCALS;

/// Values by local.
#[derive(Debug)]
pub(crate) struct LocalMap<T> {
    /// Empty until the first value.
    pages: Box<[Option<Box<Page<T>>>]>,
    /// Bytes of the map itself, kept as it grows so that asking costs nothing.
    bytes: usize,
}

/// In two lines: one says where a local's value is, the other where all of them are.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Page<T> {
    /// Places in `values`, counted from 1; 0 where a local has none.
    places: [u8; PAGE_LOCALS],
    /// By local, ascending: a sweep reads them in the order of memory.
    values: Vec<T>,
    /// A bit for each local with a marked value.
    marks: u64,
    /// A bit for each local with a value.
    present: u64,
}

impl<T> Page<T> {
    fn new() -> Page<T> {
        Page { places: [0; PAGE_LOCALS], values: Vec::new(), marks: 0, present: 0 }
    }

    /// Puts in the first value of a local; gives its place.
    #[cold]
    fn insert(&mut self, at: usize, value: T) -> u8 {
        let below = self.places[..at].iter().rev().find(|place| **place != 0).copied();
        let place = below.unwrap_or(0) + 1;
        self.values.insert(usize::from(place) - 1, value);
        self.places[at] = place;
        self.present |= 1 << at;
        self.places[at + 1..].iter_mut().for_each(|place| *place += u8::from(*place != 0));
        place
    }
}

/// The values of one page's locals.
pub(crate) struct PageView<'m, T> {
    places: &'m [u8; PAGE_LOCALS],
    values: &'m [T],
    marks: u64,
}

impl<'m, T> PageView<'m, T> {
    /// The values of all locals of the page.
    pub(crate) fn values(&self) -> &'m [T] {
        self.values
    }

    /// The values that are marked.
    pub(crate) fn marked(&self) -> impl Iterator<Item = &'m T> + use<'m, T> {
        let (places, values, mut marks) = (self.places, self.values, self.marks);
        std::iter::from_fn(move || {
            let at = marks.trailing_zeros() as usize;
            marks &= marks.wrapping_sub(1);
            values.get(usize::from(*places.get(at)?).wrapping_sub(1))
        })
    }

    /// The value of a local of this page.
    #[inline]
    pub(crate) fn get(&self, local: u16) -> Option<&'m T> {
        let place = self.places[usize::from(local) % PAGE_LOCALS];
        // The place before the first is never there, so there is no branch to predict: whether a
        // local of a page has a value is nothing that a processor can predict.
        self.values.get(usize::from(place).wrapping_sub(1))
    }
}

impl<T> Default for LocalMap<T> {
    fn default() -> LocalMap<T> {
        LocalMap { pages: Box::default(), bytes: 0 }
    }
}

impl<T> LocalMap<T> {
    #[inline]
    pub(crate) fn get(&self, local: u16) -> Option<&T> {
        self.around(local)?.get(local)
    }

    /// The values of the locals around one: a caller that asks for many looks the page up once.
    #[inline]
    pub(crate) fn around(&self, local: u16) -> Option<PageView<'_, T>> {
        let Page { places, values, marks, .. } =
            self.pages.get(usize::from(local) / PAGE_LOCALS)?.as_deref()?;
        Some(PageView { places, values, marks: *marks })
    }

    /// Lets the page of a local come into the cache.
    #[inline]
    pub(crate) fn fetch_page(&self, local: u16) {
        let page = self.pages.get(usize::from(local) / PAGE_LOCALS);
        if let Some(page) = page.and_then(Option::as_ref) {
            fetch(&page.places);
            fetch_place(&page.values);
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, local: u16) -> Option<&mut T> {
        let page = self.pages.get_mut(usize::from(local) / PAGE_LOCALS)?.as_mut()?;
        let place = page.places[usize::from(local) % PAGE_LOCALS];
        (place != 0).then(|| &mut page.values[usize::from(place) - 1])
    }

    #[inline]
    pub(crate) fn get_or_insert_with(&mut self, local: u16, value: impl FnOnce() -> T) -> &mut T {
        if self.pages.is_empty() {
            self.pages = (0..PAGES).map(|_| None).collect();
            self.bytes += PAGES * size_of::<Option<Box<Page<T>>>>();
        }
        let page = self.pages[usize::from(local) / PAGE_LOCALS].get_or_insert_with(|| {
            self.bytes += size_of::<Page<T>>();
            Box::new(Page::new())
        });
        let at = usize::from(local) % PAGE_LOCALS;
        let mut place = page.places[at];
        if place == 0 {
            let before = page.values.capacity();
            place = page.insert(at, value());
            self.bytes += (page.values.capacity() - before) * size_of::<T>();
        }
        &mut page.values[usize::from(place) - 1]
    }

    /// Marks the value of a local, if it has one, for good: a caller with many locals finds the
    /// marked ones of a page at once.
    pub(crate) fn mark(&mut self, local: u16) {
        let page = self.pages.get_mut(usize::from(local) / PAGE_LOCALS).and_then(Option::as_mut);
        if let Some(page) = page {
            page.marks |= 1 << (usize::from(local) % PAGE_LOCALS);
        }
    }

    /// Puts a value in the place of one that may be there.
    pub(crate) fn put(&mut self, local: u16, value: T) {
        let mut value = Some(value);
        let place = self.get_or_insert_with(local, || value.take().expect("taken once"));
        if let Some(value) = value {
            *place = value;
        }
    }

    /// All values with their locals, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u16, &T)> + '_ {
        (0..PAGES).flat_map(|page| self.page(page))
    }

    /// The values of a page's locals, ascending.
    pub(crate) fn page(&self, index: usize) -> impl Iterator<Item = (u16, &T)> + '_ {
        let page = self.pages.get(index).and_then(Option::as_deref);
        let mut present = page.map_or(0, |page| page.present);
        // Values lie by local.
        page.map_or(&[][..], |page| &page.values).iter().map(move |value| {
            let at = present.trailing_zeros() as usize;
            present &= present.wrapping_sub(1);
            ((index * PAGE_LOCALS + at) as u16, value)
        })
    }

    /// The marked values of a page's locals, ascending.
    pub(crate) fn marked(&self, index: usize) -> impl Iterator<Item = (u16, &T)> + '_ {
        let page = self.pages.get(index).and_then(Option::as_deref);
        let mut marks = page.map_or(0, |page| page.marks & page.present);
        std::iter::from_fn(move || {
            let at = (marks != 0).then(|| marks.trailing_zeros() as usize)?;
            marks &= marks - 1;
            let place = usize::from(page?.places[at]) - 1;
            Some(((index * PAGE_LOCALS + at) as u16, &page?.values[place]))
        })
    }

    /// The first local at or above `from` that has a value.
    pub(crate) fn next_local(&self, from: u16) -> Option<u16> {
        let pages = usize::from(from) / PAGE_LOCALS..self.pages.len();
        let mut locals = pages.flat_map(|page| self.page(page)).map(|(local, _)| local);
        locals.find(|local| from <= *local)
    }

    /// Bytes of the map itself, without the memory that its values point to.
    pub(crate) fn map_byte_size(&self) -> usize {
        self.bytes
    }

    /// Whether there is no value.
    pub(crate) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_local_and_listed_ascending() {
        let mut map = LocalMap::default();
        for local in [65_535u16, 0, 64, 63, 64] {
            *map.get_or_insert_with(local, || u32::from(local)) += 1;
        }
        assert_eq!(map.get(64), Some(&66));
        assert_eq!(map.get(1), None);
        assert_eq!(map.get_mut(1_000), None);
        map.put(63, 7);
        map.put(62, 8);
        assert_eq!((map.get(63), map.get(62)), (Some(&7), Some(&8)));
        let locals: Vec<u16> = map.iter().map(|(local, _)| local).collect();
        assert_eq!(locals, [0, 62, 63, 64, 65_535]);
        assert_eq!((map.next_local(1), map.next_local(65)), (Some(62), Some(65_535)));
    }

    #[test]
    fn what_is_marked_is_found_whatever_comes_before_it() {
        let mut map = LocalMap::default();
        for local in [70u16, 127, 64] {
            map.put(local, local);
            map.mark(local);
        }
        map.put(65, 65);
        let marked = map.around(100).unwrap().marked();
        assert_eq!(marked.copied().collect::<Vec<_>>(), [64, 70, 127]);
        let of_page: Vec<(u16, u16)> =
            map.marked(1).map(|(local, value)| (local, *value)).collect();
        assert_eq!(of_page, [(64, 64), (70, 70), (127, 127)]);
        assert_eq!(map.marked(0).count() + map.marked(2).count(), 0);
    }

    #[test]
    fn values_of_a_page_lie_by_local_whichever_came_first() {
        let mut map = LocalMap::default();
        // 37 and 64 have no divisor in common, so every local of the page comes once.
        for step in 0..PAGE_LOCALS as u16 {
            let local = step * 37 % PAGE_LOCALS as u16;
            *map.get_or_insert_with(local, || 1_000 + local) += 0;
            let there = |local: &u16| (0..=step).any(|own| own * 37 % PAGE_LOCALS as u16 == *local);
            (0..2 * PAGE_LOCALS as u16).for_each(|local| {
                let expected = Some(1_000 + local).filter(|_| there(&local));
                assert_eq!(map.get(local).copied(), expected);
                assert_eq!(map.get_mut(local).copied(), expected);
            });
        }
        let page = map.pages[0].as_ref().unwrap();
        assert!(page.values.is_sorted());
        assert_eq!(map.iter().count(), PAGE_LOCALS);
    }
}
