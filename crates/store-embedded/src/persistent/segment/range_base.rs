//! The base of a shard of an ordered index: keys in order, as `model::order_key` makes them or as an index makes them,
//! each with the ids of its elements in order. Keys are front-coded in blocks.
//!
//! ```text
//!   entries u64, starts of blocks (u64s), bytes: lists one after the other
//!   list    shared u, rest u, rest bytes, ids u, first id u, differences u     u: seven bits a byte, lowest first
//! ```
//!
//! Of the first key of a block nothing is shared, so a block is read without the one before it. A key with many ids has
//! lists in several blocks. The bytes in memory are those on disk; there is no other form.
//!
//! Files of segment format 5 have a list for each entry and no count of its ids; these are read into today's form. The
//! highest bit of the number of entries says which it is.

use std::cmp::Ordering;
use std::ops::Range;

use super::range_builder::RangeBaseBuilder;
use crate::base::codec::{Malformed, Reader, put_bytes, put_u64, put_u64s};
use crate::base::error::Result;
use crate::persistent::image::SectionBody;

/// The bit of a number of entries that says that keys have lists. Part of the format.
const OF_LISTS: u64 = 1 << 63;

/// A key and an element that has it.
pub type RangeEntry = (Vec<u8>, u64);

/// Entries of a shard, ascending, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeBase {
    pub(super) len: u64,
    pub(super) starts: Vec<u64>,
    pub(super) bytes: Vec<u8>,
    /// How many entries are before each block: not in the file.
    pub(super) before: Vec<u64>,
}

/// Where a shard's keys begin: read when its file is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeBounds {
    /// No key of the shard is below.
    pub lower: Vec<u8>,
    /// How many entries the base has; not in files of format 5.
    pub entries: Option<u64>,
}

/// Keys with their ids: those of a block, or of any walk. Its room is used again.
#[derive(Clone, Debug, Default)]
pub struct KeyLists {
    keys: Vec<u8>,
    ids: Vec<u64>,
    /// Where the key and the ids of each list end.
    ends: Vec<(usize, usize)>,
}

impl KeyLists {
    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A list: its key and its ids, ascending.
    pub fn list(&self, list: usize) -> (&[u8], &[u64]) {
        let (keys, ids) = list.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
        let (key_end, id_end) = self.ends[list];
        (&self.keys[keys..key_end], &self.ids[ids..id_end])
    }

    /// Appends a list.
    pub fn push(&mut self, key: &[u8], ids: &[u64]) {
        self.keys.extend(key);
        self.ids.extend(ids);
        self.ends.push((self.keys.len(), self.ids.len()));
    }

    /// The last key and its last id.
    pub fn last(&self) -> Option<(&[u8], u64)> {
        let (key, ids) = self.list(self.len().checked_sub(1)?);
        Some((key, *ids.last()?))
    }

    /// Takes all lists out.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.ids.clear();
        self.ends.clear();
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

    /// Bytes in memory, without the base itself.
    pub fn heap_size(&self) -> usize {
        (self.starts.capacity() + self.before.capacity()) * 8 + self.bytes.capacity()
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.starts.len()
    }

    fn bytes_of(&self, block: usize) -> Bytes<'_> {
        let end = self.starts.get(block + 1).map_or(self.bytes.len(), |next| *next as usize);
        Bytes { bytes: &self.bytes[..end], at: self.starts[block] as usize }
    }

    /// The first key, if there is one.
    pub fn first_key(&self) -> Option<Vec<u8>> {
        let mut key = Vec::new();
        (!self.is_empty()).then(|| self.bytes_of(0).head(&mut key)).flatten()?;
        Some(key)
    }

    /// Reads the lists of a block, ascending.
    pub fn read(&self, block: usize, lists: &mut KeyLists) {
        lists.clear();
        let (mut bytes, mut key) = (self.bytes_of(block), Vec::new());
        while !bytes.is_empty() {
            bytes.list(&mut key, &mut lists.ids).expect("the bytes were checked when decoded");
            lists.keys.extend(&key);
            lists.ends.push((lists.keys.len(), lists.ids.len()));
        }
    }

    /// The first block that may hold an entry from (key, id) on.
    pub fn block_of(&self, key: &[u8], id: u64) -> usize {
        let mut first = Vec::new();
        let (mut low, mut high) = (0, self.blocks());
        while low < high {
            let middle = low.midpoint(high);
            let mut bytes = self.bytes_of(middle);
            first.clear();
            let first_id = bytes.head(&mut first).and_then(|_| bytes.number());
            let first_id = first_id.expect("a block has an entry");
            if (first.as_slice(), first_id) <= (key, id) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low.saturating_sub(1)
    }

    /// How many entries are before (key, id).
    pub fn rank(&self, key: &[u8], id: u64) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let block = self.block_of(key, id);
        let mut lists = KeyLists::default();
        self.read(block, &mut lists);
        let before = |list: usize| {
            let (own, ids) = lists.list(list);
            match own.cmp(key) {
                Ordering::Less => ids.len(),
                Ordering::Equal => ids.partition_point(|own| *own < id),
                Ordering::Greater => 0,
            }
        };
        self.before[block] + (0..lists.len()).map(before).sum::<usize>() as u64
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
            let mut number = || take_varint(&self.bytes, &mut at).map(|number| number as usize);
            // The bytes were checked when decoded.
            let (Some(shared), Some(rest)) = (number(), number()) else { return };
            let bytes = at..at + rest;
            at += rest;
            if shared != 0 {
                if let Some(last) = last.take() {
                    key.clear();
                    key.extend_from_slice(&self.bytes[last]);
                }
                key.truncate(shared);
                key.extend_from_slice(&self.bytes[bytes.clone()]);
            }
            let (Some(count), mut id) = (take_varint(&self.bytes, &mut at), 0) else { return };
            for _ in 0..count {
                let Some(more) = take_varint(&self.bytes, &mut at) else { return };
                id += more;
                match shared {
                    0 => visit(&self.bytes[bytes.clone()], Some(bytes.clone()), id),
                    _ => visit(&key, None, id),
                }
            }
            if shared == 0 {
                last = Some(bytes);
            }
        }
    }

    /// All entries, ascending.
    pub fn iter(&self) -> impl Iterator<Item = RangeEntry> + '_ {
        (0..self.blocks()).flat_map(|block| {
            let mut lists = KeyLists::default();
            self.read(block, &mut lists);
            let of_list = |list: usize| {
                let (key, ids) = lists.list(list);
                ids.iter().map(|id| (key.to_vec(), *id)).collect::<Vec<_>>()
            };
            (0..lists.len()).flat_map(of_list).collect::<Vec<_>>()
        })
    }

    /// Whether every block can be read, in order, and all of them are `len` entries. Counts those before each.
    fn is_sound(&mut self) -> bool {
        let (mut len, mut ids, mut key) = (0u64, Vec::new(), Vec::new());
        let mut last: Option<RangeEntry> = None;
        let is_begun = self.starts.first().is_none_or(|start| *start == 0);
        if !is_begun || self.starts.is_empty() != self.bytes.is_empty() {
            return false;
        }
        let ends = self.starts.iter().skip(1).copied().chain([self.bytes.len() as u64]);
        for (begin, end) in self.starts.iter().copied().zip(ends) {
            if end <= begin || (self.bytes.len() as u64) < end {
                return false;
            }
            let mut bytes = Bytes { bytes: &self.bytes[..end as usize], at: begin as usize };
            self.before.push(len);
            key.clear();
            while !bytes.is_empty() {
                ids.clear();
                if bytes.list(&mut key, &mut ids).is_none() {
                    return false;
                }
                let (Some(first), Some(last_id)) = (ids.first(), ids.last()) else { return false };
                let is_above =
                    last.as_ref().is_none_or(|(before, id)| (before, *id) < (&key, *first));
                if !is_above || !ids.is_sorted_by(|one, other| one < other) {
                    return false;
                }
                last = Some((key.clone(), *last_id));
                len += ids.len() as u64;
            }
        }
        len == self.len
    }

    /// A base in the form of format 5, which has a list for each entry; `None` if it is not sound.
    fn of_entries(len: u64, bytes: &[u8]) -> Option<RangeBase> {
        let (mut builder, mut key) = (RangeBaseBuilder::default(), Vec::new());
        let mut bytes = Bytes { bytes, at: 0 };
        let (mut last, mut count): (Option<RangeEntry>, u64) = (None, 0);
        while !bytes.is_empty() {
            if count.is_multiple_of(16) {
                key.clear();
            }
            count += 1;
            bytes.key(&mut key)?;
            let entry = (key.clone(), bytes.number()?);
            if last.as_ref().is_some_and(|last| entry <= *last) {
                return None;
            }
            builder.push(&entry.0, entry.1);
            last = Some(entry);
        }
        (count == len).then(|| builder.finish())
    }
}

/// Bytes of a base from a place on.
struct Bytes<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Bytes<'_> {
    fn is_empty(&self) -> bool {
        self.bytes.len() <= self.at
    }

    fn number(&mut self) -> Option<u64> {
        take_varint(self.bytes, &mut self.at)
    }

    /// Takes a key; it goes on where the last one leaves off.
    fn key(&mut self, key: &mut Vec<u8>) -> Option<()> {
        let shared = self.number()? as usize;
        let rest = self.number()? as usize;
        let bytes = self.bytes.get(self.at..self.at.checked_add(rest)?)?;
        if key.len() < shared {
            return None;
        }
        key.truncate(shared);
        key.extend(bytes);
        self.at += rest;
        Some(())
    }

    /// Takes the key of a list, and how many ids follow.
    fn head(&mut self, key: &mut Vec<u8>) -> Option<u64> {
        self.key(key)?;
        self.number()
    }

    /// Takes a list and appends its ids.
    fn list(&mut self, key: &mut Vec<u8>, ids: &mut Vec<u64>) -> Option<()> {
        let (count, mut id) = (self.head(key)?, 0u64);
        for _ in 0..count {
            id = id.checked_add(self.number()?)?;
            ids.push(id);
        }
        Some(())
    }
}

impl SectionBody for RangeBase {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        put_u64(bytes, self.len | OF_LISTS);
        put_u64s(bytes, &self.starts);
        put_bytes(bytes, &self.bytes);
        Ok(())
    }

    fn decode(reader: &mut Reader<'_>) -> std::result::Result<RangeBase, Malformed> {
        let (len, starts, bytes) = (reader.u64()?, reader.u64s()?, reader.bytes()?);
        let base = match len & OF_LISTS {
            0 => RangeBase::of_entries(len, bytes),
            _ => {
                let (bytes, before) = (bytes.to_vec(), Vec::with_capacity(starts.len()));
                let mut base = RangeBase { len: len & !OF_LISTS, starts, bytes, before };
                base.is_sound().then_some(base)
            }
        };
        base.ok_or_else(|| reader.malformed("the entries of an ordered index are not in order"))
    }

    fn byte_size(&self) -> usize {
        size_of::<RangeBase>() + self.heap_size()
    }
}

impl SectionBody for RangeBounds {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        put_bytes(bytes, &self.lower);
        self.entries.iter().for_each(|entries| put_u64(bytes, *entries));
        Ok(())
    }

    fn decode(reader: &mut Reader<'_>) -> std::result::Result<RangeBounds, Malformed> {
        let lower = reader.bytes()?.to_vec();
        let entries = if reader.remaining() == 0 { None } else { Some(reader.u64()?) };
        Ok(RangeBounds { lower, entries })
    }

    fn byte_size(&self) -> usize {
        size_of::<RangeBounds>() + self.lower.capacity()
    }
}

pub(super) fn put_varint(bytes: &mut Vec<u8>, mut number: u64) {
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
