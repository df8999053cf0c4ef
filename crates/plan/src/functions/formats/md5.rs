//! MD5 (RFC 1321), for digests that clients compare with those of other programs. It protects nothing.

/// The digest in hexadecimal digits.
pub(super) fn hex_digest(message: &[u8]) -> String {
    let mut state: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let mut blocks = message.chunks_exact(64);
    blocks.by_ref().for_each(|block| add_block(&mut state, block));
    let mut last = blocks.remainder().to_vec();
    last.push(0x80);
    while last.len() % 64 != 56 {
        last.push(0);
    }
    let bits = (message.len() as u64).wrapping_mul(8);
    last.extend(bits.to_le_bytes());
    last.chunks_exact(64).for_each(|block| add_block(&mut state, block));
    state.iter().flat_map(|word| word.to_le_bytes()).map(|byte| format!("{byte:02x}")).collect()
}

/// How far each step of a round rotates.
const ROTATIONS: [[u32; 4]; 4] =
    [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

fn add_block(state: &mut [u32; 4], block: &[u8]) {
    let mut words = [0u32; 16];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    let [mut a, mut b, mut c, mut d] = *state;
    for step in 0..64 {
        let (mixed, word) = match step / 16 {
            0 => ((b & c) | (!b & d), step),
            1 => ((d & b) | (!d & c), 5 * step + 1),
            2 => (b ^ c ^ d, 3 * step + 5),
            _ => (c ^ (b | !d), 7 * step),
        };
        // The table of the RFC: whole parts of 2^32 |sin|.
        let addend = ((step as f64 + 1.0).sin().abs() * 4_294_967_296.0) as u32;
        let sum = a.wrapping_add(mixed).wrapping_add(addend).wrapping_add(words[word % 16]);
        let rotated = sum.rotate_left(ROTATIONS[step / 16][step % 4]);
        (a, d, c, b) = (d, c, b, b.wrapping_add(rotated));
    }
    for (sum, own) in state.iter_mut().zip([a, b, c, d]) {
        *sum = sum.wrapping_add(own);
    }
}
