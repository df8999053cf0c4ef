//! A map from the locals of one partition, without hashing: a page of 64 locals is allocated when
//! one of them gets a value.
//!
//! Made for the question the expansion asks of every row, "is this vertex touched at all?": one
//! load from a table of 8 KiB, and where the page is missing the answer is no for all 64.

/// Locals of a page; a page of a scan is then one word of a bitmap.
pub(crate) const PAGE_LOCALS: usize = 64;
const PAGES: usize = (1 << 16) / PAGE_LOCALS;

/// Places in `values`, counted from 1; 0 where a local has none.
type Page = [u32; PAGE_LOCALS];

/// Values by local.
#[derive(Debug)]
pub(crate) struct LocalMap<T> {
    /// Empty until the first value.
    pages: Box<[Option<Box<Page>>]>,
    values: Vec<T>,
}

impl<T> Default for LocalMap<T> {
    fn default() -> LocalMap<T> {
        LocalMap { pages: Box::default(), values: Vec::new() }
    }
}

impl<T> LocalMap<T> {
    #[inline]
    pub(crate) fn get(&self, local: u16) -> Option<&T> {
        let page = self.pages.get(usize::from(local) / PAGE_LOCALS)?.as_ref()?;
        let place = page[usize::from(local) % PAGE_LOCALS];
        (place != 0).then(|| &self.values[place as usize - 1])
    }

    pub(crate) fn get_mut(&mut self, local: u16) -> Option<&mut T> {
        let page = self.pages.get(usize::from(local) / PAGE_LOCALS)?.as_ref()?;
        let place = page[usize::from(local) % PAGE_LOCALS];
        (place != 0).then(|| &mut self.values[place as usize - 1])
    }

    pub(crate) fn get_or_insert_with(&mut self, local: u16, value: impl FnOnce() -> T) -> &mut T {
        if self.pages.is_empty() {
            self.pages = vec![None; PAGES].into_boxed_slice();
        }
        let page = self.pages[usize::from(local) / PAGE_LOCALS]
            .get_or_insert_with(|| Box::new([0; PAGE_LOCALS]));
        let place = &mut page[usize::from(local) % PAGE_LOCALS];
        if *place == 0 {
            self.values.push(value());
            *place = u32::try_from(self.values.len()).expect("at most 2^16 locals");
        }
        &mut self.values[*place as usize - 1]
    }

    /// All values with their locals, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u16, &T)> + '_ {
        (0..PAGES).flat_map(|page| self.page(page))
    }

    /// The values of a page's locals, ascending.
    pub(crate) fn page(&self, page: usize) -> impl Iterator<Item = (u16, &T)> + '_ {
        self.pages.get(page).into_iter().flatten().flat_map(move |places| {
            places.iter().enumerate().filter(|(_, place)| **place != 0).map(
                move |(index, place)| {
                    let local = u16::try_from(page * PAGE_LOCALS + index).expect("below 2^16");
                    (local, &self.values[*place as usize - 1])
                },
            )
        })
    }

    /// The first local at or above `from` that has a value.
    pub(crate) fn next_local(&self, from: u16) -> Option<u16> {
        let pages = usize::from(from) / PAGE_LOCALS..self.pages.len();
        let mut locals = pages.flat_map(|page| self.page(page)).map(|(local, _)| local);
        locals.find(|local| from <= *local)
    }

    /// Bytes of the map itself, about; not of what its values point to.
    pub(crate) fn map_byte_size(&self) -> usize {
        let pages = self.pages.iter().flatten().count() * size_of::<Page>();
        self.pages.len() * size_of::<Option<Box<Page>>>()
            + pages
            + self.values.capacity() * size_of::<T>()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
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
        let locals: Vec<u16> = map.iter().map(|(local, _)| local).collect();
        assert_eq!(locals, [0, 63, 64, 65_535]);
    }
}
