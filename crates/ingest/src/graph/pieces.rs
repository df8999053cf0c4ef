//! Which elements go to the store in one block: a block has a column for each key and an entry for
//! each element in it, so elements with other keys than their neighbours go in smaller blocks.

use super::PropertyParts;
use crate::limits::{PIECE_BYTES_MAX, PIECE_CELLS_MAX, PIECE_CELLS_MIN, PIECE_FILL};
use std::ops::Range;

/// Elements of one block, and the places of the keys that they have.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) range: Range<u32>,
    pub(crate) keys: Vec<usize>,
}

/// Elements in pieces of which each has at least one value in [`PIECE_FILL`] places, or is small.
pub(crate) fn pieces<'a>(
    range: Range<u32>,
    values: impl Fn(usize) -> &'a PropertyParts,
    keys: usize,
) -> Vec<Piece> {
    let mut pieces = Vec::new();
    split(Piece { range, keys: (0..keys).collect() }, &values, &mut pieces);
    pieces
}

fn split<'a>(piece: Piece, values: &impl Fn(usize) -> &'a PropertyParts, into: &mut Vec<Piece>) {
    let Piece { range, mut keys } = piece;
    let (mut entries, mut bytes) = (0, 0);
    keys.retain(|key| {
        let count = values(*key).count(range.clone());
        entries += count;
        bytes += count as u64 * values(*key).average_bytes();
        count != 0
    });
    let cells = keys.len() * range.len();
    let is_full = cells <= entries * PIECE_FILL && cells <= PIECE_CELLS_MAX;
    let is_small = bytes <= PIECE_BYTES_MAX && (cells <= PIECE_CELLS_MIN || is_full);
    if range.len() < 2 || is_small {
        into.push(Piece { range, keys });
        return;
    }
    let middle = range.start + (range.end - range.start) / 2;
    split(Piece { range: range.start..middle, keys: keys.clone() }, values, into);
    split(Piece { range: middle..range.end, keys }, values, into);
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_model::Value;

    fn parts(owners: &[u32]) -> PropertyParts {
        let mut parts = PropertyParts::default();
        owners.iter().for_each(|owner| parts.push_value(*owner, Value::I64(1)));
        parts.settle(Some);
        parts
    }

    #[test]
    fn values_of_many_bytes_make_small_pieces() {
        let list = || Value::list(vec![Value::I64(1); 1_000]);
        let mut own = PropertyParts::default();
        (0..8_000).for_each(|owner| own.push_value(owner, list()));
        own.settle(Some);
        let pieces = pieces(0..8_000, |_| &own, 1);
        assert_eq!(pieces.len(), 8, "192 MB");
    }

    #[test]
    fn a_key_for_each_element_makes_small_pieces_and_keys_of_all_make_one() {
        let all: Vec<u32> = (0..8_000).collect();
        let same = [parts(&all), parts(&all)];
        let one = pieces(0..8_000, |key| &same[key], 2);
        assert_eq!(one, [Piece { range: 0..8_000, keys: vec![0, 1] }]);
        let own: Vec<PropertyParts> = all.iter().map(|owner| parts(&[*owner])).collect();
        let many = pieces(0..8_000, |key| &own[key], own.len());
        let cells: usize = many.iter().map(|piece| piece.keys.len() * piece.range.len()).sum();
        assert!(cells <= 8_000 * 64, "{cells}");
        assert!(many.windows(2).all(|two| two[0].range.end == two[1].range.start));
        assert_eq!(many.last().unwrap().range.end, 8_000);
    }
}
