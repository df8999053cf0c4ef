//! Lists of ids: a few as they are, many by their distance from the least.
//!
//! ```text
//!   few    count u32, count × u64
//!   many   count u32 | 2^31, least u64, width u8 (1 to 8), count × width bytes: the distances
//! ```
//!
//! Ids that lie together in a partition differ in 2 to 5 of their 8 bytes. One edge of a small
//! commit stays as it is: there is nothing to save.

use super::{Malformed, Reader, put_u32, put_u64};

/// Lists of at least so many are stored by distance.
const MANY: usize = 16;

/// Set in the count of such a list.
const BY_DISTANCE: u32 = 1 << 31;

/// Appends ids; at most 2^31.
pub(crate) fn put_ids<Id>(bytes: &mut Vec<u8>, ids: &[Id], number: impl Fn(&Id) -> u64) {
    let count = u32::try_from(ids.len()).ok().filter(|count| count & BY_DISTANCE == 0);
    let count = count.expect("what is larger was split before it is encoded");
    if ids.len() < MANY {
        put_u32(bytes, count);
        return ids.iter().for_each(|id| put_u64(bytes, number(id)));
    }
    let (least, most) = ids
        .iter()
        .map(&number)
        .fold((u64::MAX, 0), |(least, most), id| (least.min(id), most.max(id)));
    let width = (8 - (most - least).leading_zeros() as usize / 8).max(1);
    put_u32(bytes, count | BY_DISTANCE);
    put_u64(bytes, least);
    bytes.push(width as u8);
    let distances = ids.iter().map(|id| number(id) - least);
    match width {
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

/// Takes ids. A count that the bytes left could not hold never becomes an allocation.
pub(crate) fn take_ids<Id>(
    reader: &mut Reader<'_>,
    id: impl Fn(u64) -> Id,
) -> Result<Vec<Id>, Malformed> {
    let count = reader.u32()?;
    let (least, width) = match count & BY_DISTANCE {
        0 => (0, 8),
        _ => (reader.u64()?, usize::from(reader.u8()?)),
    };
    if !(1..=8).contains(&width) {
        return Err(reader.malformed("ids are of an unknown width"));
    }
    let bytes = reader.take((count & !BY_DISTANCE) as usize * width)?;
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
    use crate::io::sim::SplitMix64;

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
        let mut random = SplitMix64::new(1);
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
}
