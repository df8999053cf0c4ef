//! Lists of ids: a few as they are, many by their distance from the least.
//!
//! ```text
//!   few    count u32, count × u64
//!   many   count u32 | 2^31, least u64, width u8 (1 to 8), count × width bytes: the distances
//! ```
//!
//! Ids that lie together in a partition differ in 2 to 5 of their 8 bytes. One edge of a small
//! commit stays as it is: there is nothing to save. Many ids of edges have two more forms:
//!
//! ```text
//!   beside      width | 0x10: each id is less its source's partition, in its place above the slot,
//!               so edges of many partitions are as near to one another as their slots
//!   stretches   width 0: count u32 × (skipped u32, length u32): ids that follow one another, with
//!               how many are left out before them
//! ```

use millrace_model::{EdgeId, VertexId};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};

use super::{Malformed, Reader, put_u32, put_u64};
use crate::base::bytes::u32_at;

/// Lists of at least so many are stored by distance.
const MANY: usize = 16;

/// Set in the count of such a list.
const BY_DISTANCE: u32 = 1 << 31;

/// Set in the width of ids of edges from which the partition of their source was taken.
const BESIDE: u8 = 0x10;

/// The width of ids that lie in stretches.
const IN_STRETCHES: u8 = 0;

/// Bytes of a stretch.
const STRETCH_BYTES: usize = 8;

/// How far numbers lie apart.
#[derive(Clone, Copy)]
struct Span {
    least: u64,
    /// Bytes of the largest distance from the least.
    width: usize,
}

impl Span {
    fn of(numbers: impl Iterator<Item = u64>) -> Span {
        let (least, most) = numbers
            .fold((u64::MAX, 0), |(least, most): (u64, u64), id| (least.min(id), most.max(id)));
        Span { least, width: (8 - (most - least).leading_zeros() as usize / 8).max(1) }
    }

    fn put(self, bytes: &mut Vec<u8>, numbers: impl ExactSizeIterator<Item = u64>) {
        let distances = numbers.map(|number| number - self.least);
        match self.width {
            1 => put_narrow::<1>(bytes, distances),
            2 => put_narrow::<2>(bytes, distances),
            3 => put_narrow::<3>(bytes, distances),
            4 => put_narrow::<4>(bytes, distances),
            5 => put_narrow::<5>(bytes, distances),
            6 => put_narrow::<6>(bytes, distances),
            7 => put_narrow::<7>(bytes, distances),
            _ => put_narrow::<8>(bytes, distances),
        }
    }
}

/// Appends ids; at most 2^31.
pub(crate) fn put_ids<Id>(bytes: &mut Vec<u8>, ids: &[Id], number: impl Fn(&Id) -> u64) {
    let numbers = ids.iter().map(&number);
    if ids.len() < MANY {
        put_u32(bytes, count_of(ids));
        return numbers.for_each(|number| put_u64(bytes, number));
    }
    let span = Span::of(numbers.clone());
    put_head(bytes, (count_of(ids), span.least), span.width as u8);
    span.put(bytes, numbers);
}

/// Takes ids. A count that the bytes left could not hold never becomes an allocation.
pub(crate) fn take_ids<Id>(
    reader: &mut Reader<'_>,
    id: impl Fn(u64) -> Id,
) -> Result<Vec<Id>, Malformed> {
    let count = reader.u32()?;
    let (least, width) = match count & BY_DISTANCE {
        0 => (0, 8),
        _ => (reader.u64()?, reader.u8()?),
    };
    take_distances(reader, (count & !BY_DISTANCE, least), width, id)
}

/// Appends ids of edges that have these sources; at most 2^31.
pub(crate) fn put_edge_ids(bytes: &mut Vec<u8>, ids: &[EdgeId], sources: &[VertexId]) {
    let plain = ids.iter().map(|edge| edge.0);
    if ids.len() < MANY {
        return put_ids(bytes, ids, |edge| edge.0);
    }
    let span = Span::of(plain.clone());
    if let Some(stretches) = stretches_of(plain.clone(), ids.len() * span.width / STRETCH_BYTES) {
        put_head(bytes, (count_of(ids), span.least), IN_STRETCHES);
        put_u32(bytes, count_of(&stretches));
        return stretches.into_iter().flatten().for_each(|number| put_u32(bytes, number));
    }
    let beside = ids.iter().zip(sources).map(|(edge, source)| edge.0.wrapping_sub(above(*source)));
    let near = Span::of(beside.clone());
    let count = count_of(ids);
    if near.width < span.width {
        put_head(bytes, (count, near.least), near.width as u8 | BESIDE);
        near.put(bytes, beside);
    } else {
        put_head(bytes, (count, span.least), span.width as u8);
        span.put(bytes, plain);
    }
}

/// Ids of edges, before their sources are known.
pub(crate) struct EdgeIds {
    ids: Vec<EdgeId>,
    beside: bool,
}

impl EdgeIds {
    /// Takes ids that [`put_edge_ids`] appended, with sources or other lists of the same length
    /// behind them. So a count that the remaining bytes could not hold never becomes an allocation
    /// here either.
    pub(crate) fn take(reader: &mut Reader<'_>) -> Result<EdgeIds, Malformed> {
        let count = reader.u32()?;
        let (least, form) = match count & BY_DISTANCE {
            0 => (0, 8),
            _ => (reader.u64()?, reader.u8()?),
        };
        let head = (count & !BY_DISTANCE, least);
        let ids = match form {
            IN_STRETCHES => take_stretches(reader, head)?,
            width => take_distances(reader, head, width & !BESIDE, EdgeId)?,
        };
        Ok(EdgeIds { ids, beside: form & BESIDE != 0 })
    }

    /// The ids of edges with these sources, as many.
    pub(crate) fn with_sources(self, sources: &[VertexId]) -> Vec<EdgeId> {
        let EdgeIds { mut ids, beside } = self;
        if beside {
            let both = ids.iter_mut().zip(sources);
            both.for_each(|(id, source)| id.0 = id.0.wrapping_add(above(*source)));
        }
        ids
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }
}

/// A source's partition where an edge id has it.
fn above(source: VertexId) -> u64 {
    (source.0 >> PARTITION_BITS).wrapping_shl(EDGE_SLOT_BITS)
}

fn count_of<T>(items: &[T]) -> u32 {
    let count = u32::try_from(items.len()).ok().filter(|count| count & BY_DISTANCE == 0);
    count.expect("what is larger was split before it is encoded")
}

fn put_head(bytes: &mut Vec<u8>, (count, least): (u32, u64), form: u8) {
    put_u32(bytes, count | BY_DISTANCE);
    put_u64(bytes, least);
    bytes.push(form);
}

/// How many numbers are left out before each stretch of ascending ones, and how many follow one
/// another in it; `None` if they do not ascend, or lie in `most` stretches or more.
fn stretches_of(numbers: impl Iterator<Item = u64>, most: usize) -> Option<Vec<[u32; 2]>> {
    let mut stretches: Vec<[u32; 2]> = Vec::new();
    let mut next = None;
    for number in numbers {
        match (next, stretches.last_mut()) {
            (Some(next), Some([_, length])) if next == number => *length += 1,
            (next, _) => {
                let skipped = number.checked_sub(next.unwrap_or(number))?;
                stretches.push([u32::try_from(skipped).ok()?, 1]);
                if most <= stretches.len() {
                    return None;
                }
            }
        }
        next = Some(number.checked_add(1)?);
    }
    Some(stretches)
}

fn take_stretches(
    reader: &mut Reader<'_>,
    (count, least): (u32, u64),
) -> Result<Vec<EdgeId>, Malformed> {
    let stretches = reader.u32()? as usize;
    let bytes = reader.take(stretches.saturating_mul(STRETCH_BYTES))?;
    let too_many = "stretches of ids are longer than their list";
    if reader.remaining() < count as usize {
        return Err(reader.malformed(too_many));
    }
    let mut ids = Vec::with_capacity(count as usize);
    let mut next = least;
    for stretch in bytes.chunks_exact(STRETCH_BYTES) {
        let (skipped, length) = (u32_at(stretch, 0), u32_at(stretch, 4));
        let first = next.checked_add(u64::from(skipped));
        let end = first.and_then(|first| first.checked_add(u64::from(length)));
        let (Some(first), Some(end)) = (first, end) else {
            return Err(reader.malformed("an id is beyond 64 bits"));
        };
        if (count as usize - ids.len()) < length as usize {
            return Err(reader.malformed(too_many));
        }
        ids.extend((first..end).map(EdgeId));
        next = end;
    }
    if ids.len() != count as usize {
        return Err(reader.malformed("stretches of ids are shorter than their list"));
    }
    Ok(ids)
}

fn take_distances<Id>(
    reader: &mut Reader<'_>,
    (count, least): (u32, u64),
    width: u8,
    id: impl Fn(u64) -> Id,
) -> Result<Vec<Id>, Malformed> {
    let width = usize::from(width);
    if !(1..=8).contains(&width) {
        return Err(reader.malformed("ids are of an unknown width"));
    }
    let bytes = reader.take(count as usize * width)?;
    let mut ids = Vec::with_capacity(bytes.len() / width);
    for distance in bytes.chunks_exact(width) {
        let mut whole = [0; 8];
        whole[..width].copy_from_slice(distance);
        let number = least.checked_add(u64::from_le_bytes(whole));
        ids.push(id(number.ok_or_else(|| reader.malformed("an id is beyond 64 bits"))?));
    }
    Ok(ids)
}

fn put_narrow<const WIDTH: usize>(
    bytes: &mut Vec<u8>,
    distances: impl ExactSizeIterator<Item = u64>,
) {
    let start = bytes.len();
    bytes.resize(start + distances.len() * WIDTH, 0);
    for (cell, distance) in bytes[start..].chunks_exact_mut(WIDTH).zip(distances) {
        cell.copy_from_slice(&distance.to_le_bytes()[..WIDTH]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::SimNumbers;

    fn encoded(ids: &[u64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_ids(&mut bytes, ids, |id| *id);
        bytes
    }

    fn decoded(bytes: &[u8]) -> Result<Vec<u64>, Malformed> {
        let mut reader = Reader::new(bytes);
        let ids = take_ids(&mut reader, |id| id)?;
        reader.finish()?;
        Ok(ids)
    }

    #[test]
    fn ids_of_every_width_read_back_and_no_part_of_them_does() {
        let mut random = SimNumbers::new(1);
        for bits in 0..=64u32 {
            for count in [0, 1, 15, 16, 17, 100] {
                let mask = if bits == 0 { 0 } else { u64::MAX >> (64 - bits) };
                let base = random.next_u64() & !mask;
                let ids: Vec<u64> = (0..count).map(|_| base | (random.next_u64() & mask)).collect();
                let bytes = encoded(&ids);
                assert_eq!(decoded(&bytes).unwrap(), ids);
                (0..bytes.len()).for_each(|length| assert!(decoded(&bytes[..length]).is_err()));
            }
        }
    }

    #[test]
    fn many_ids_that_lie_together_take_a_byte_or_two_each() {
        let ids: Vec<u64> = (0..1_000).map(|id| (7 << 32) + id).collect();
        assert_eq!(encoded(&ids).len(), 4 + 8 + 1 + 2_000);
        assert_eq!(encoded(&[9; 100]).len(), 4 + 8 + 1 + 100);
        assert_eq!(encoded(&[9]).len(), 12, "one is as it is");
    }

    #[test]
    fn a_width_of_nothing_and_an_id_too_large_are_refused() {
        let mut bytes = encoded(&[9; 100]);
        bytes[12] = 0;
        assert!(decoded(&bytes).is_err());
        bytes[12] = 1;
        bytes[4..12].copy_from_slice(&u64::MAX.to_le_bytes());
        bytes[13] = 1;
        assert!(decoded(&bytes).is_err());
    }

    fn edges_of(bytes: &[u8], sources: &[VertexId]) -> Result<Vec<EdgeId>, Malformed> {
        let mut reader = Reader::new(bytes);
        let ids = EdgeIds::take(&mut reader)?;
        assert_eq!(ids.len(), sources.len());
        Ok(ids.with_sources(sources))
    }

    /// Ids with their sources, as bytes, and the length of these without the room behind.
    fn edges_encoded(ids: &[EdgeId], sources: &[VertexId]) -> (Vec<u8>, usize) {
        let mut bytes = Vec::new();
        put_edge_ids(&mut bytes, ids, sources);
        let length = bytes.len();
        // The sources' own bytes, which are not read here.
        bytes.extend(vec![0; sources.len()]);
        (bytes, length)
    }

    #[test]
    fn ids_of_edges_read_back_in_every_form() {
        let mut random = SimNumbers::new(2);
        for round in 0..600 {
            let count = [0, 1, 15, 16, 40, 300][round % 6];
            let (partitions, gaps) = (1 + random.below(40), random.below(4));
            let mut slot = random.next_u64() >> (1 + random.below(40));
            let (mut ids, mut sources) = (Vec::new(), Vec::new());
            for _ in 0..count {
                let source = VertexId(random.below(partitions << PARTITION_BITS));
                let above = if partitions == 1 { 0 } else { above(source) };
                slot = (slot + 1 + random.below(gaps + 1) / 3) % (1 << 62);
                ids.push(EdgeId(slot.wrapping_add(above)));
                sources.push(source);
            }
            let (bytes, length) = edges_encoded(&ids, &sources);
            assert_eq!(edges_of(&bytes, &sources).unwrap(), ids, "round {round}");
            (0..length).for_each(|length| assert!(edges_of(&bytes[..length], &[]).is_err()));
        }
    }

    #[test]
    fn new_edges_take_no_bytes_for_their_ids_and_edges_from_elsewhere_those_of_their_slots() {
        let ids: Vec<EdgeId> = (0..1_000).map(|slot| EdgeId((7 << 32) | slot)).collect();
        assert_eq!(edges_encoded(&ids, &[VertexId(7 << 16); 1_000]).1, 4 + 8 + 1 + 4 + 8);
        let sources: Vec<VertexId> = (0..1_000).map(|at| VertexId((at % 16) << 16)).collect();
        let ids: Vec<EdgeId> =
            (0..1_000).map(|at| EdgeId(((at % 16) << 32) | (at * 31 % 9_000))).collect();
        assert_eq!(edges_encoded(&ids, &sources).1, 4 + 8 + 1 + 2_000);
    }

    #[test]
    fn stretches_that_are_not_as_long_as_their_list_are_refused() {
        let ids: Vec<EdgeId> = (0..100).map(EdgeId).collect();
        let sources = [VertexId(0); 100];
        let (bytes, length) = edges_encoded(&ids, &sources);
        assert!(edges_of(&bytes[..length + 99], &sources).is_err(), "no room for their sources");
        for (at, byte) in [(0, 99), (0, 101), (17, 1), (21, 99), (21, 101), (24, 1)] {
            let mut wrong = bytes.clone();
            wrong[at] = byte;
            let expected = at == 17;
            assert_eq!(edges_of(&wrong, &sources[..]).is_ok(), expected, "{byte} at {at}");
        }
    }
}
