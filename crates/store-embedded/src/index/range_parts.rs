//! Entries in order, made into the bases of one shard or of several.

use crate::persistent::segment::{RangeBase, RangeBaseBuilder};

/// Makes bases of at most about `bytes_max` bytes each, split between keys. Where they are more than one, each is half
/// full, so that the next split is far.
pub struct RangeParts {
    bytes_max: usize,
    done: Vec<(Vec<u8>, RangeBase)>,
    /// Bytes of those that are done.
    bytes: usize,
    lower: Vec<u8>,
    builder: RangeBaseBuilder,
    last: Vec<u8>,
}

impl RangeParts {
    /// No entries yet; no key is below `lower`.
    pub fn new(lower: &[u8], bytes_max: usize) -> RangeParts {
        let (done, builder) = (Vec::new(), RangeBaseBuilder::default());
        RangeParts { bytes_max, done, bytes: 0, lower: lower.to_vec(), builder, last: Vec::new() }
    }

    /// Appends ids of a key; all come in order.
    pub fn push(&mut self, key: &[u8], ids: &[u64]) {
        let is_full = self.bytes_max / 2 <= self.builder.byte_size() && !self.builder.is_empty();
        if is_full && self.last != key {
            self.end_part();
            self.lower = key.to_vec();
        }
        ids.iter().for_each(|id| self.builder.push(key, *id));
        if self.last != key {
            self.last.clear();
            self.last.extend(key);
        }
    }

    /// Bytes so far.
    pub fn byte_size(&self) -> usize {
        self.bytes + self.builder.byte_size()
    }

    fn end_part(&mut self) {
        self.bytes += self.builder.byte_size();
        let base = std::mem::take(&mut self.builder).finish();
        self.done.push((std::mem::take(&mut self.lower), base));
    }

    /// The bases, each with the lower bound of its keys; at least one.
    pub fn finish(mut self) -> Vec<(Vec<u8>, RangeBase)> {
        self.end_part();
        if let [(lower, first), (_, second)] = self.done.as_slice()
            && self.bytes <= self.bytes_max
        {
            let mut builder = RangeBaseBuilder::default();
            first.iter().chain(second.iter()).for_each(|(key, id)| builder.push(&key, id));
            return vec![(lower.clone(), builder.finish())];
        }
        self.done
    }
}
