//! One flipped bit, found by the checksum that it broke: for repairs only.
//!
//! A CRC-32 is linear: the effect of a flipped bit depends only on its distance from the end, and
//! no two bits of at most 2^32 have the same effect. So the difference between the checksum that is
//! stored and the one that is right names the bit.
//!
//! The invariant: bytes are changed only if the checksum is right afterwards. Damage of many bits
//! looks like one bit with a chance of the bits' number to 2^32, so an open never mends.

use crate::base::bytes::checksum;

const POLYNOMIAL: u32 = 0xedb8_8320;

/// Flips the one bit that makes `sum` the checksum of `bytes`. Returns whether it is their checksum
/// now.
pub(crate) fn mend_bit(bytes: &mut [u8], sum: u32) -> bool {
    let wanted = checksum(bytes) ^ sum;
    if wanted == 0 {
        return true;
    }
    // The effects on the checksum of each bit of the last byte, then of the byte before, and so on.
    let mut effects: [u32; 8] = std::array::from_fn(|bit| shifted(1 << bit));
    for at in (0..bytes.len()).rev() {
        if let Some(bit) = effects.iter().position(|effect| *effect == wanted) {
            bytes[at] ^= 1 << bit;
            return checksum(bytes) == sum;
        }
        effects = effects.map(shifted);
    }
    false
}

/// The same for bytes with their checksum beside them: the flipped bit may be in either. The
/// checksum that is right, if there is one.
pub(crate) fn mend_with_sum(bytes: &mut [u8], sum: u32) -> Option<u32> {
    let right = checksum(bytes);
    match (right ^ sum).count_ones() {
        0 | 1 => Some(right),
        _ => mend_bit(bytes, sum).then_some(sum),
    }
}

/// A checksum's register after one more byte of zeros.
fn shifted(register: u32) -> u32 {
    (0..8).fold(register, |left, _| {
        let carry = if left & 1 == 1 { POLYNOMIAL } else { 0 };
        (left >> 1) ^ carry
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_single_bit_is_put_right_and_two_are_left_as_they_are() {
        let whole: Vec<u8> = (0..200_u32).map(|at| (at * 37) as u8).collect();
        let sum = checksum(&whole);
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(mend_with_sum(&mut bytes, sum), Some(sum), "{bit}");
            assert_eq!(bytes, whole);
            let other = (bit + 700) % (whole.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            bytes[other / 8] ^= 1 << (other % 8);
            let damaged = bytes.clone();
            assert!(!mend_bit(&mut bytes, sum), "{bit}");
            assert_eq!(bytes, damaged);
        }
        for bit in 0..32 {
            assert_eq!(mend_with_sum(&mut whole.clone(), sum ^ (1 << bit)), Some(sum));
        }
    }
}
