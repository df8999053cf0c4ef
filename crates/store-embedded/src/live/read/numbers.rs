//! Locals or slots of one partition that are asked for together.

use std::borrow::Cow;
use std::ops::Range;

/// Locals or slots.
pub(crate) enum Numbers<'a> {
    /// Each is the one before and one, as a scan lists them: they are read as slices.
    Range(Range<u32>),
    /// Any, in any order.
    Each(&'a [u32]),
}

impl Numbers<'_> {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Numbers::Range(range) => range.len(),
            Numbers::Each(numbers) => numbers.len(),
        }
    }

    /// One after the other.
    pub(crate) fn each(&self) -> Cow<'_, [u32]> {
        match self {
            Numbers::Range(range) => range.clone().collect(),
            Numbers::Each(numbers) => Cow::Borrowed(numbers),
        }
    }
}

/// The range that ids are, if each is the one before and one.
pub(crate) fn consecutive<T: Copy>(ids: &[T], number: impl Fn(T) -> u64) -> Option<Range<u64>> {
    let (first, last) = (number(*ids.first()?), number(*ids.last()?));
    let end = last.checked_add(1)?;
    if end.wrapping_sub(first) != ids.len() as u64 {
        return None;
    }
    // Without a branch for each, so that many are compared at once.
    let wrong = ids.iter().zip(first..).fold(0, |wrong, (id, own)| wrong | (number(*id) ^ own));
    (wrong == 0).then_some(first..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_a_range_only_where_each_follows_the_one_before() {
        let of = |ids: &[u64]| consecutive(ids, |id| id);
        assert_eq!(of(&[7]), Some(7..8));
        assert_eq!(of(&[7, 8, 9]), Some(7..10));
        for ids in [&[][..], &[7, 9, 9], &[9, 8, 7], &[7, 7], &[7, 9, 8, 10], &[u64::MAX]] {
            assert_eq!(of(ids), None, "{ids:?}");
        }
    }
}
