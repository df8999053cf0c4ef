//! Makes the base of a shard of an ordered index: lists of ids, in blocks.

use super::range_base::{RangeBase, put_varint};

/// A block ends behind so many entries.
const BLOCK_ENTRIES_MAX: usize = 256;

/// A block ends behind so many bytes.
const BLOCK_BYTES_MAX: usize = 512;

/// A key from so many bytes on shares half of them with the one before it, or nothing.
const LONG_KEY: usize = 256;

/// Makes a base of entries that come in order.
#[derive(Default)]
pub struct RangeBaseBuilder {
    base: RangeBase,
    /// The last key in the bytes of the block.
    last: Vec<u8>,
    /// The key of the list that is being made, its ids as bytes, how many there are, and the last one.
    key: Vec<u8>,
    ids: Vec<u8>,
    count: u64,
    last_id: u64,
    /// Entries of the block.
    of_block: usize,
}

impl RangeBaseBuilder {
    /// Appends an entry; it is above the last.
    pub fn push(&mut self, key: &[u8], id: u64) {
        if self.count != 0 && self.key == key {
            // One that is not above makes a base that is refused when it is read.
            put_varint(&mut self.ids, id.wrapping_sub(self.last_id));
        } else {
            self.end_list();
            self.key.clear();
            self.key.extend(key);
            put_varint(&mut self.ids, id);
        }
        (self.count, self.last_id) = (self.count + 1, id);
        (self.base.len, self.of_block) = (self.base.len + 1, self.of_block + 1);
        let begin = self.base.starts.last().map_or(0, |start| *start as usize);
        let of_list = self.key.len() + self.ids.len();
        let bytes = match self.of_block == self.count as usize {
            true => of_list,
            false => self.base.bytes.len() - begin + of_list,
        };
        if BLOCK_ENTRIES_MAX <= self.of_block || BLOCK_BYTES_MAX <= bytes {
            self.end_list();
            self.of_block = 0;
        }
    }

    /// Appends the list that is being made.
    fn end_list(&mut self) {
        if self.count == 0 {
            return;
        }
        let bytes = &mut self.base.bytes;
        if self.of_block == self.count as usize {
            self.base.starts.push(bytes.len() as u64);
            self.base.before.push(self.base.len - self.count);
            self.last.clear();
        }
        let shared = self.last.iter().zip(&self.key).take_while(|(last, new)| last == new).count();
        // Of a vector, it would save little, and each search would put it together.
        let is_long = LONG_KEY <= self.key.len() && 2 * shared < self.key.len();
        let shared = if is_long { 0 } else { shared };
        put_varint(bytes, shared as u64);
        put_varint(bytes, (self.key.len() - shared) as u64);
        bytes.extend(&self.key[shared..]);
        put_varint(bytes, self.count);
        bytes.append(&mut self.ids);
        self.count = 0;
        std::mem::swap(&mut self.last, &mut self.key);
    }

    /// Whether there is no entry yet.
    pub fn is_empty(&self) -> bool {
        self.base.len == 0
    }

    /// Bytes so far.
    pub fn byte_size(&self) -> usize {
        let of_list = self.key.len() + self.ids.len();
        self.base.bytes.len()
            + self.base.starts.len() * 8
            + if self.count == 0 { 0 } else { of_list }
    }

    /// The base.
    pub fn finish(mut self) -> RangeBase {
        self.end_list();
        self.base.bytes.shrink_to_fit();
        self.base.starts.shrink_to_fit();
        self.base.before.shrink_to_fit();
        self.base
    }
}
