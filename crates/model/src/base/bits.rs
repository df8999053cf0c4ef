//! A growable bitmap over 64-bit words: validity of column entries, sets of dense ids.
//!
//! Bits beyond the length read as unset; bits of the last word beyond the length are zero.

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
        let mut result = Bits::default();
        for bit in bits {
            result.push(bit);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
