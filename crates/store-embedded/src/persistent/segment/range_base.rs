//! The base of a shard of an ordered index: (key, id) in order, keys as `model::order_key` makes
//! them, front-coded in blocks of sixteen.
//!
//! ```text
//!   entries u64, starts of blocks (u64s), bytes: entries one after the other
//!   entry   shared u, rest u, rest bytes, id u        u: seven bits a byte, lowest first
//! ```
//!
//! Of the first entry of a block nothing is shared, so a block is read without the one before it.
//! The bytes in memory are those on disk; there is no other form.

use std::ops::Range;

use millrace_model::{GraphId, IndexId, LogPosition};

use super::layout::{FilePositions, SectionKey, Subject};
use super::reader::SegmentFile;
use super::writer::SegmentWriter;
use crate::base::codec::{Malformed, Reader, put_bytes, put_u64, put_u64s};
use crate::base::error::Result;
use crate::folder::Folder;
use crate::io::FileName;
use crate::persistent::image::{Section, SectionBody};

/// Entries of a block. Part of the format.
const BLOCK_ENTRIES: usize = 16;

/// A key from so many bytes on shares half of them with the one before it, or nothing.
const LONG_KEY: usize = 256;

/// A key and an element that has it.
pub type RangeEntry = (Vec<u8>, u64);

/// Entries of a shard, ascending, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeBase {
    len: u64,
    starts: Vec<u64>,
    bytes: Vec<u8>,
}

/// Where a shard's keys begin: read when its file is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeBounds {
    /// No key of the shard is below.
    pub lower: Vec<u8>,
}

/// Makes a base of entries that come in order.
#[derive(Default)]
pub struct RangeBaseBuilder {
    base: RangeBase,
    last: Vec<u8>,
}

impl RangeBaseBuilder {
    /// Appends an entry; it is above the last.
    pub fn push(&mut self, key: &[u8], id: u64) {
        let base = &mut self.base;
        if base.len.is_multiple_of(BLOCK_ENTRIES as u64) {
            base.starts.push(base.bytes.len() as u64);
            self.last.clear();
        }
        let shared = self.last.iter().zip(key).take_while(|(last, new)| last == new).count();
        // Of a vector, it would save little, and each search would put it together.
        let shared = if 2 * shared < key.len() && LONG_KEY <= key.len() { 0 } else { shared };
        put_varint(&mut base.bytes, shared as u64);
        put_varint(&mut base.bytes, (key.len() - shared) as u64);
        base.bytes.extend(&key[shared..]);
        put_varint(&mut base.bytes, id);
        base.len += 1;
        self.last.truncate(shared);
        self.last.extend(&key[shared..]);
    }

    /// Bytes so far.
    pub fn byte_size(&self) -> usize {
        self.base.bytes.len() + self.base.starts.len() * 8
    }

    /// The base.
    pub fn finish(mut self) -> RangeBase {
        self.base.bytes.shrink_to_fit();
        self.base.starts.shrink_to_fit();
        self.base
    }
}

impl RangeBase {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.starts.len()
    }

    /// The entries of a block, ascending.
    pub fn block(&self, block: usize) -> Vec<RangeEntry> {
        let mut entries = Vec::with_capacity(BLOCK_ENTRIES);
        let mut at = self.starts[block] as usize;
        let end = self.starts.get(block + 1).map_or(self.bytes.len(), |next| *next as usize);
        let mut key = Vec::new();
        while at < end {
            let id = self.take(&mut at, &mut key).expect("the bytes were checked when decoded");
            entries.push((key.clone(), id));
        }
        entries
    }

    /// The first block that may hold an entry from (key, id) on.
    pub fn block_of(&self, key: &[u8], id: u64) -> usize {
        let mut first = Vec::new();
        let (mut low, mut high) = (0, self.blocks());
        while low < high {
            let middle = low.midpoint(high);
            let mut at = self.starts[middle] as usize;
            first.clear();
            let first_id = self.take(&mut at, &mut first).expect("a block has an entry");
            if (first.as_slice(), first_id) <= (key, id) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low.saturating_sub(1)
    }

    /// Bytes of the entries.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes of all entries.
    pub fn raw(&self) -> &[u8] {
        &self.bytes
    }

    /// Calls back with all entries, ascending.
    pub fn each(&self, mut visit: impl FnMut(&[u8], u64)) {
        self.each_located(|key, _, id| visit(key, id));
    }

    /// The same, and where in [`RangeBase::raw`] the key is, if it shares nothing with the one before it.
    pub fn each_located(&self, mut visit: impl FnMut(&[u8], Option<Range<usize>>, u64)) {
        let (mut at, mut key) = (0, Vec::new());
        // Where the last key is, if it is not in `key`.
        let mut last: Option<Range<usize>> = None;
        while at < self.bytes.len() {
            let mut numbers = || take_varint(&self.bytes, &mut at).map(|number| number as usize);
            let (shared, rest) = (numbers(), numbers());
            // The bytes were checked when decoded.
            let Some((shared, rest)) = shared.zip(rest) else { return };
            let bytes = at..at + rest;
            at += rest;
            let Some(id) = take_varint(&self.bytes, &mut at) else { return };
            if shared == 0 {
                visit(&self.bytes[bytes.clone()], Some(bytes.clone()), id);
                last = Some(bytes);
                continue;
            }
            if let Some(last) = last.take() {
                key.clear();
                key.extend_from_slice(&self.bytes[last]);
            }
            key.truncate(shared);
            key.extend_from_slice(&self.bytes[bytes]);
            visit(&key, None, id);
        }
    }

    /// All entries, ascending.
    pub fn iter(&self) -> impl Iterator<Item = RangeEntry> + '_ {
        (0..self.blocks()).flat_map(|block| self.block(block))
    }

    /// Takes the entry at a place; its key goes on where the last one's leaves off.
    fn take(&self, at: &mut usize, key: &mut Vec<u8>) -> Option<u64> {
        let shared = take_varint(&self.bytes, at)? as usize;
        let rest = take_varint(&self.bytes, at)? as usize;
        let bytes = self.bytes.get(*at..at.checked_add(rest)?)?;
        if key.len() < shared {
            return None;
        }
        key.truncate(shared);
        key.extend(bytes);
        *at += rest;
        take_varint(&self.bytes, at)
    }

    /// Whether every block can be read, in order, and all of them are `len` entries.
    fn is_sound(&self) -> bool {
        let (mut key, mut at, mut len) = (Vec::new(), 0, 0u64);
        let mut last: Option<RangeEntry> = None;
        while at < self.bytes.len() {
            if len.is_multiple_of(BLOCK_ENTRIES as u64) {
                key.clear();
                let block = (len / BLOCK_ENTRIES as u64) as usize;
                if self.starts.get(block) != Some(&(at as u64)) {
                    return false;
                }
            }
            let Some(id) = self.take(&mut at, &mut key) else { return false };
            if last.as_ref().is_some_and(|(before, other)| (&key, id) <= (before, *other)) {
                return false;
            }
            last = Some((key.clone(), id));
            len += 1;
        }
        len == self.len && self.starts.len() == (len as usize).div_ceil(BLOCK_ENTRIES)
    }
}

impl SectionBody for RangeBase {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        put_u64(bytes, self.len);
        put_u64s(bytes, &self.starts);
        put_bytes(bytes, &self.bytes);
        Ok(())
    }

    fn decode(reader: &mut Reader<'_>) -> std::result::Result<RangeBase, Malformed> {
        let (len, starts, bytes) = (reader.u64()?, reader.u64s()?, reader.bytes()?.to_vec());
        let base = RangeBase { len, starts, bytes };
        if !base.is_sound() {
            return Err(reader.malformed("the entries of an ordered index are not in order"));
        }
        Ok(base)
    }

    fn byte_size(&self) -> usize {
        size_of::<RangeBase>() + self.starts.capacity() * 8 + self.bytes.capacity()
    }
}

impl SectionBody for RangeBounds {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        put_bytes(bytes, &self.lower);
        Ok(())
    }

    fn decode(reader: &mut Reader<'_>) -> std::result::Result<RangeBounds, Malformed> {
        Ok(RangeBounds { lower: reader.bytes()?.to_vec() })
    }

    fn byte_size(&self) -> usize {
        size_of::<RangeBounds>() + self.lower.capacity()
    }
}

/// Writes a shard durably; its base is read again on access.
pub fn write_range_base(
    folder: &Folder,
    (graph, index, shard): (GraphId, IndexId, u32),
    checkpoint: LogPosition,
    (lower, base): (&[u8], &RangeBase),
) -> Result<(SegmentFile, Section<RangeBase>)> {
    let mut writer = SegmentWriter::begin(
        folder,
        Subject::Index { graph, index, shard },
        FilePositions::whole(checkpoint),
    )?;
    writer.add(SectionKey::RangeBounds, &RangeBounds { lower: lower.to_vec() })?;
    writer.add(SectionKey::RangeBase, base)?;
    let file = writer.finish()?;
    let section = file.section(SectionKey::RangeBase)?;
    Ok((file, section))
}

/// Opens a shard: where it begins, and its base, which is read on first access.
pub fn open_range_base(
    folder: &Folder,
    name: FileName,
    (graph, index, shard): (GraphId, IndexId, u32),
) -> Result<(Vec<u8>, Section<RangeBase>)> {
    let file = SegmentFile::open(folder, name)?;
    let wanted = Subject::Index { graph, index, shard };
    if file.subject != wanted {
        return Err(file.stranger(wanted));
    }
    let bounds: Section<RangeBounds> = file.section(SectionKey::RangeBounds)?;
    let base = file.section(SectionKey::RangeBase)?;
    Ok((bounds.get()?.lower.clone(), base))
}

fn put_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >> 7 != 0 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use millrace_model::{Value, order_key};

    use super::*;
    use crate::base::random::SimNumbers;

    fn entries(seed: u64, count: usize) -> Vec<RangeEntry> {
        let mut random = SimNumbers::new(seed);
        let mut entries: Vec<RangeEntry> = (0..count)
            .map(|_| {
                let value = match random.below(3) {
                    0 => Value::I64(random.below(50) as i64),
                    1 => Value::I64(random.next_u64() as i64),
                    _ => Value::from(&*"word ".repeat(random.below(9) as usize)),
                };
                let mut key = Vec::new();
                order_key::encode(&value, &mut key);
                (key, random.next_u64() >> random.below(64))
            })
            .collect();
        entries.sort_unstable();
        entries.dedup();
        entries
    }

    fn base(entries: &[RangeEntry]) -> RangeBase {
        let mut builder = RangeBaseBuilder::default();
        entries.iter().for_each(|(key, id)| builder.push(key, *id));
        builder.finish()
    }

    #[test]
    fn entries_read_back_and_are_found_by_block() {
        for (seed, count) in [(1, 0), (2, 1), (3, 16), (4, 17), (5, 1_000)] {
            let entries = entries(seed, count);
            let base = base(&entries);
            assert_eq!(base.iter().collect::<Vec<_>>(), entries);
            let mut bytes = Vec::new();
            base.encode(&mut bytes).unwrap();
            assert_eq!(RangeBase::decode(&mut Reader::new(&bytes)), Ok(base.clone()));
            for (at, (key, id)) in entries.iter().enumerate() {
                assert_eq!(base.block_of(key, *id), at / BLOCK_ENTRIES);
            }
        }
    }

    #[test]
    fn bytes_out_of_order_are_refused() {
        let mut entries = entries(7, 100);
        entries.swap(40, 41);
        let mut bytes = Vec::new();
        base(&entries).encode(&mut bytes).unwrap();
        assert!(RangeBase::decode(&mut Reader::new(&bytes)).is_err());
    }

    #[test]
    fn a_random_integer_takes_under_16_bytes_and_an_equal_one_under_8() {
        let mut random = SimNumbers::new(9);
        let bytes_an_entry = |value: &mut dyn FnMut(u64) -> i64| {
            let mut entries: Vec<RangeEntry> = (0..100_000u64)
                .map(|id| {
                    let mut key = Vec::new();
                    order_key::encode(&Value::I64(value(id)), &mut key);
                    (key, id)
                })
                .collect();
            entries.sort_unstable();
            base(&entries).byte_size() as f64 / entries.len() as f64
        };
        let far = bytes_an_entry(&mut |_| random.next_u64() as i64 >> 11);
        let near = bytes_an_entry(&mut |id| (id % 100) as i64);
        println!("{far:.1} bytes an entry of random integers, {near:.1} of few");
        assert!(far < 16.0 && near < 8.0, "{far} {near}");
    }
}
