//! A growable bitmap over 64-bit words: validity of column entries, sets of dense ids.
//!
//! Bits beyond the length read as unset; bits of the last word beyond the length are zero.

use std::ops::Range;

/// A sequence of bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// `len` bits, all unset.
    pub fn unset(len: usize) -> Bits {
        Bits { words: vec![0; len.div_ceil(64)], len }
    }

    /// How many bits there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bit at `index`; unset beyond the end.
    #[inline]
    pub fn get(&self, index: usize) -> bool {
        index < self.len && self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// Sets the bit at `index` and says whether it was unset; grows to hold it.
    #[inline]
    pub fn insert(&mut self, index: usize) -> bool {
        if index >= self.len {
            self.grow(index + 1);
        }
        let (word, bit) = (&mut self.words[index / 64], 1 << (index % 64));
        let fresh = *word & bit == 0;
        *word |= bit;
        fresh
    }

    /// Unsets the bit at `index`.
    pub fn remove(&mut self, index: usize) {
        if index < self.len {
            self.words[index / 64] &= !(1 << (index % 64));
        }
    }

    /// Sets or unsets the bit at `index`; grows to hold it.
    pub fn set(&mut self, index: usize, bit: bool) {
        if bit {
            self.insert(index);
        } else {
            self.grow(index + 1);
            self.remove(index);
        }
    }

    /// Appends a bit.
    pub fn push(&mut self, bit: bool) {
        self.set(self.len, bit);
    }

    /// Makes at least `len` bits; the new ones are unset.
    pub fn grow(&mut self, len: usize) {
        if len > self.len {
            self.words.resize(len.div_ceil(64), 0);
            self.len = len;
        }
    }

    /// How many are set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The indexes of the set bits, ascending.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors((word != 0).then_some(word), |word| {
                let rest = word & (word - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |word| index * 64 + word.trailing_zeros() as usize)
        })
    }

    /// Whether any is set.
    pub fn has_any(&self) -> bool {
        self.words.iter().any(|word| *word != 0)
    }

    /// The indexes of the set bits of a range, ascending.
    pub fn ones_in(&self, range: Range<usize>) -> impl Iterator<Item = usize> + use<> {
        let start = range.start;
        self.range(range).into_ones().map(move |index| start + index)
    }

    fn into_ones(self) -> impl Iterator<Item = usize> {
        self.words.into_iter().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(index * 64 + bit)
            })
        })
    }

    /// The bits of a range; those beyond the end are unset.
    pub fn range(&self, range: Range<usize>) -> Bits {
        let (first, shift) = (range.start / 64, range.start % 64);
        let word = |at: usize| self.words.get(at).copied().unwrap_or(0);
        let whole = |at: usize| match shift {
            0 => word(first + at),
            _ => word(first + at) >> shift | word(first + at + 1) << (64 - shift),
        };
        let words = (0..range.len().div_ceil(64)).map(whole).collect();
        Bits::from_words(words, range.len())
    }

    /// The words, 64 bits each, lowest first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Bits from words and a length; bits beyond the length are cleared.
    pub fn from_words(mut words: Vec<u64>, len: usize) -> Bits {
        words.resize(len.div_ceil(64), 0);
        if !len.is_multiple_of(64)
            && let Some(last) = words.last_mut()
        {
            *last &= (1 << (len % 64)) - 1;
        }
        Bits { words, len }
    }
}

impl FromIterator<bool> for Bits {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> Bits {
        let bits = bits.into_iter();
        let mut words = Vec::with_capacity(bits.size_hint().0.div_ceil(64));
        let (mut len, mut word) = (0, 0);
        for bit in bits {
            word |= u64::from(bit) << (len % 64);
            len += 1;
            if len % 64 == 0 {
                words.push(std::mem::take(&mut word));
            }
        }
        if len % 64 != 0 {
            words.push(word);
        }
        Bits { words, len }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_the_bits_of_its_indexes() {
        let bits: Bits = (0..200).map(|index| index % 3 == 0 || index % 7 == 0).collect();
        for (start, end) in [(0, 0), (0, 200), (1, 65), (63, 64), (64, 128), (130, 200), (190, 260)]
        {
            let range = bits.range(start..end);
            let expected: Vec<usize> = (start..end).filter(|index| bits.get(*index)).collect();
            assert_eq!(range.len(), end - start);
            assert_eq!(bits.ones_in(start..end).collect::<Vec<_>>(), expected);
            assert_eq!(range.ones().map(|index| start + index).collect::<Vec<_>>(), expected);
            assert_eq!(range.has_any(), !expected.is_empty());
        }
    }

    #[test]
    fn ones_lists_what_was_inserted() {
        let mut bits = Bits::unset(3);
        for index in [200, 0, 64, 63, 200] {
            bits.insert(index);
        }
        bits.remove(0);
        assert_eq!(bits.ones().collect::<Vec<_>>(), [63, 64, 200]);
        assert_eq!((bits.len(), bits.count()), (201, 3));
        assert_eq!(Bits::from_words(vec![u64::MAX], 5).count(), 5);
    }
}
