//! Little-endian numbers in byte buffers, and the one checksum.
//!
//! Everything this crate writes is little-endian. The checksum is CRC-32 (IEEE): with the
//! lengths bounded as they are, it finds every burst up to 32 bits and every flipped bit.

/// The 16-bit number at `at`.
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(array_at(bytes, at))
}

/// The 32-bit number at `at`.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, at))
}

/// The 64-bit number at `at`.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array_at(bytes, at))
}

fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}

/// Writes the little-endian bytes of a number at `at`.
pub(crate) fn put(bytes: &mut [u8], at: usize, number: &[u8]) {
    bytes[at..at + number.len()].copy_from_slice(number);
}

/// The checksum of `bytes`. While fuzzing it is always 0: no fuzzer guesses one, and the code
/// behind it must bear any bytes too.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    if cfg!(fuzzing) { 0 } else { crc32fast::hash(bytes) }
}
