//! `Fingerprint64` of FarmHash, by which Dgraph orders the values of a list.
//!
//! Source: Geoff Pike, FarmHash (farmhashna), <https://github.com/google/farmhash>; the constants and the steps are those
//! of its description of a fixed, portable hash.

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K2: u64 = 0x9ae1_6a3b_2f90_404f;

fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

fn half(bytes: &[u8], at: usize) -> u64 {
    let mut half = [0; 4];
    half.copy_from_slice(&bytes[at..at + 4]);
    u64::from(u32::from_le_bytes(half))
}

fn shift_mix(value: u64) -> u64 {
    value ^ (value >> 47)
}

fn combine(low: u64, high: u64, factor: u64) -> u64 {
    let first = shift_mix((low ^ high).wrapping_mul(factor));
    shift_mix((high ^ first).wrapping_mul(factor)).wrapping_mul(factor)
}

fn up_to_16(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    let factor = K2.wrapping_add(2 * len as u64);
    if 8 <= len {
        let first = word(bytes, 0).wrapping_add(K2);
        let last = word(bytes, len - 8);
        let low = last.rotate_right(37).wrapping_mul(factor).wrapping_add(first);
        let high = first.rotate_right(25).wrapping_add(last).wrapping_mul(factor);
        return combine(low, high, factor);
    }
    if 4 <= len {
        let first = half(bytes, 0);
        return combine((len as u64).wrapping_add(first << 3), half(bytes, len - 4), factor);
    }
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return K2 };
    let middle = bytes[len >> 1];
    let low = u64::from(*first).wrapping_add(u64::from(middle) << 8);
    let high = (len as u64).wrapping_add(u64::from(*last) << 2);
    shift_mix(low.wrapping_mul(K2) ^ high.wrapping_mul(K0)).wrapping_mul(K2)
}

fn up_to_32(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    let factor = K2.wrapping_add(2 * len as u64);
    let (a, b) = (word(bytes, 0).wrapping_mul(K1), word(bytes, 8));
    let c = word(bytes, len - 8).wrapping_mul(factor);
    let d = word(bytes, len - 16).wrapping_mul(K2);
    let low = a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30)).wrapping_add(d);
    let high = a.wrapping_add(b.wrapping_add(K2).rotate_right(18)).wrapping_add(c);
    combine(low, high, factor)
}

fn up_to_64(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    let factor = K2.wrapping_add(2 * len as u64);
    let (a, b) = (word(bytes, 0).wrapping_mul(K2), word(bytes, 8));
    let c = word(bytes, len - 8).wrapping_mul(factor);
    let d = word(bytes, len - 16).wrapping_mul(K2);
    let y = a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30)).wrapping_add(d);
    let z = combine(y, a.wrapping_add(b.wrapping_add(K2).rotate_right(18)).wrapping_add(c), factor);
    let e = word(bytes, 16).wrapping_mul(factor);
    let f = word(bytes, 24);
    let g = y.wrapping_add(word(bytes, len - 32)).wrapping_mul(factor);
    let h = z.wrapping_add(word(bytes, len - 24)).wrapping_mul(factor);
    let low = e.wrapping_add(f).rotate_right(43).wrapping_add(g.rotate_right(30)).wrapping_add(h);
    let high = e.wrapping_add(f.wrapping_add(a).rotate_right(18)).wrapping_add(g);
    combine(low, high, factor)
}

fn weak(bytes: &[u8], at: usize, mut a: u64, mut b: u64) -> (u64, u64) {
    let (w, x) = (word(bytes, at), word(bytes, at + 8));
    let (y, z) = (word(bytes, at + 16), word(bytes, at + 24));
    a = a.wrapping_add(w);
    b = b.wrapping_add(a).wrapping_add(z).rotate_right(21);
    let c = a;
    a = a.wrapping_add(x).wrapping_add(y);
    b = b.wrapping_add(a.rotate_right(44));
    (a.wrapping_add(z), b.wrapping_add(c))
}

/// The hash of some bytes.
pub(super) fn fingerprint64(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    match len {
        0..=16 => return up_to_16(bytes),
        17..=32 => return up_to_32(bytes),
        33..=64 => return up_to_64(bytes),
        _ => {}
    }
    const SEED: u64 = 81;
    let mut x = SEED;
    let mut y = SEED.wrapping_mul(K1).wrapping_add(113);
    let mut z = shift_mix(y.wrapping_mul(K2).wrapping_add(113)).wrapping_mul(K2);
    let (mut v, mut w) = ((0_u64, 0_u64), (0_u64, 0_u64));
    x = x.wrapping_mul(K2).wrapping_add(word(bytes, 0));
    let end = (len - 1) / 64 * 64;
    let last = end + ((len - 1) & 63) - 63;
    let mut at = 0;
    while at < end {
        x = x.wrapping_add(y).wrapping_add(v.0).wrapping_add(word(bytes, at + 8));
        x = x.rotate_right(37).wrapping_mul(K1);
        y = y
            .wrapping_add(v.1)
            .wrapping_add(word(bytes, at + 48))
            .rotate_right(42)
            .wrapping_mul(K1);
        x ^= w.1;
        y = y.wrapping_add(v.0).wrapping_add(word(bytes, at + 40));
        z = z.wrapping_add(w.0).rotate_right(33).wrapping_mul(K1);
        v = weak(bytes, at, v.1.wrapping_mul(K1), x.wrapping_add(w.0));
        w = weak(bytes, at + 32, z.wrapping_add(w.1), y.wrapping_add(word(bytes, at + 16)));
        std::mem::swap(&mut z, &mut x);
        at += 64;
    }
    let factor = K1.wrapping_add((z & 0xff) << 1);
    at = last;
    w.0 = w.0.wrapping_add(((len - 1) & 63) as u64);
    v.0 = v.0.wrapping_add(w.0);
    w.0 = w.0.wrapping_add(v.0);
    x = x.wrapping_add(y).wrapping_add(v.0).wrapping_add(word(bytes, at + 8));
    x = x.rotate_right(37).wrapping_mul(factor);
    y = y
        .wrapping_add(v.1)
        .wrapping_add(word(bytes, at + 48))
        .rotate_right(42)
        .wrapping_mul(factor);
    x ^= w.1.wrapping_mul(9);
    y = y.wrapping_add(v.0.wrapping_mul(9)).wrapping_add(word(bytes, at + 40));
    z = z.wrapping_add(w.0).rotate_right(33).wrapping_mul(factor);
    v = weak(bytes, at, v.1.wrapping_mul(factor), x.wrapping_add(w.0));
    w = weak(bytes, at + 32, z.wrapping_add(w.1), y.wrapping_add(word(bytes, at + 16)));
    std::mem::swap(&mut z, &mut x);
    let first = combine(v.0, w.0, factor).wrapping_add(shift_mix(y).wrapping_mul(K0));
    combine(first.wrapping_add(z), combine(v.1, w.1, factor).wrapping_add(x), factor)
}
