//! The exact sum of doubles.
//!
//! They go into a long fixed-point accumulator that covers every exponent (Kulisch's accumulator; R. Neal, "Fast exact
//! summation using small and large superaccumulators", 2015, has the carry-save form used here): a value × weight is
//! added as an integer multiple of 2^-1074 into 32-bit digits held in 64-bit signed limbs, carries settled later.
//!
//! Many at once are cut into parts of few bits first, so that their sums are exact (S. M. Rump, T. Ogita, S. Oishi,
//! "Accurate floating-point summation", 2008, `ExtractVector`): a few operations a value, which processors do for several
//! at once, and two values a block for the accumulator.

use super::Sum;

/// 32-bit digits: exponents -1074..=1023, 53 bits, a 64-bit weight and 64 bits of headroom.
const DIGITS: usize = (2_098 + 64 + 64) / 32 + 1;

/// Additions before a limb of 32-bit digits could leave 63 bits.
const ADDITIONS_MAX: u32 = 1 << 30;

#[derive(Clone, Debug)]
pub(super) struct Doubles {
    limbs: [i64; DIGITS],
    additions: u32,
    infinities: (bool, bool),
    nan: bool,
}

/// Rows that are cut with the same bounds.
const BLOCK: usize = 1_024;

/// Sums that are made beside one another.
const LANES: usize = 4;

/// The bounds by which the values of a block are cut.
#[derive(Clone, Copy)]
struct Bounds {
    first: f64,
    second: f64,
}

impl Bounds {
    /// The bounds for so many values, by the largest of them; `None` where they are no plain numbers or would
    /// leave the range of doubles.
    fn of(doubles: &[f64]) -> Option<Bounds> {
        let magnitude = |double: &f64| double.to_bits() & (u64::MAX >> 1);
        let largest = doubles.iter().map(magnitude).fold(0, u64::max);
        // Zeros can be cut by any bounds.
        let exponent = if largest == 0 { 0 } else { (largest >> 52) as i64 - 1_023 };
        // So many values of 2^-bits of a bound are no more than the bound.
        let bits = i64::from(64 - (doubles.len() as u64 + 2).leading_zeros());
        let first = exponent + 1 + bits;
        let second = first - 53 + bits;
        if first > 1_022 || second < -1_021 {
            return None;
        }
        let power = |exponent: i64| f64::from_bits(((exponent + 1_023) as u64) << 52);
        Some(Bounds { first: power(first), second: power(second) })
    }

    /// The parts of a value, and what is left of it: together they are the value.
    #[inline(always)]
    fn parts(self, double: f64) -> (f64, f64, f64) {
        let high = (self.first + double) - self.first;
        let rest = double - high;
        let low = (self.second + rest) - self.second;
        (high, low, rest - low)
    }
}

/// Adds doubles to the sums of their groups; gives the bytes now used beyond the sums themselves.
pub(in crate::folds) fn add_grouped(sums: &mut [Sum], groups: &[u32], doubles: &[f64]) -> u64 {
    let mut held = 0;
    let Some(bounds) = Bounds::of(doubles) else {
        let pairs = groups.iter().zip(doubles);
        return pairs.map(|(&group, &double)| sums[group as usize].add_one_double(double)).sum();
    };
    let mut totals = vec![(0.0, 0.0, 0u64); sums.len()];
    for (&group, &double) in groups.iter().zip(doubles) {
        let (high, low, left) = bounds.parts(double);
        let total = &mut totals[group as usize];
        *total = (total.0 + high, total.1 + low, total.2 + 1);
        if left != 0.0 {
            let before = sums[group as usize].heap_bytes();
            sums[group as usize].doubles.get_or_insert_default().add(left, 1);
            held += sums[group as usize].heap_bytes() - before;
        }
    }
    for (sum, (high, low, count)) in sums.iter_mut().zip(totals).filter(|(_, total)| total.2 != 0) {
        let before = sum.heap_bytes();
        (sum.width, sum.count) = (8, sum.count + u128::from(count));
        let own = sum.doubles.get_or_insert_default();
        own.add(high, 1);
        own.add(low, 1);
        held += sum.heap_bytes() - before;
    }
    held
}

impl Default for Doubles {
    fn default() -> Doubles {
        Doubles { limbs: [0; DIGITS], additions: 0, infinities: (false, false), nan: false }
    }
}

impl Doubles {
    /// Adds doubles, one each.
    pub(super) fn add_slice(&mut self, doubles: &[f64]) {
        for block in doubles.chunks(BLOCK) {
            let Some(bounds) = Bounds::of(block) else {
                block.iter().for_each(|&double| self.add(double, 1));
                continue;
            };
            let (mut high, mut low) = ([0.0; LANES], [0.0; LANES]);
            let mut is_whole = true;
            let lanes = block.chunks_exact(LANES);
            let rest = lanes.remainder();
            for values in lanes {
                for lane in 0..LANES {
                    let (own_high, own_low, left) = bounds.parts(values[lane]);
                    high[lane] += own_high;
                    low[lane] += own_low;
                    is_whole &= left == 0.0;
                }
            }
            for (lane, &double) in rest.iter().enumerate() {
                let (own_high, own_low, left) = bounds.parts(double);
                high[lane] += own_high;
                low[lane] += own_low;
                is_whole &= left == 0.0;
            }
            high.iter().chain(&low).for_each(|&part| self.add(part, 1));
            if !is_whole {
                block.iter().for_each(|&double| self.add(bounds.parts(double).2, 1));
            }
        }
    }

    /// Adds another sum.
    pub(super) fn absorb(&mut self, other: &Doubles) {
        let mut other = other.clone();
        self.settle();
        other.settle();
        self.limbs.iter_mut().zip(other.limbs).for_each(|(own, other)| *own += other);
        self.additions = 1;
        self.infinities.0 |= other.infinities.0;
        self.infinities.1 |= other.infinities.1;
        self.nan |= other.nan;
    }

    pub(super) fn add(&mut self, double: f64, weight: u64) {
        if double.is_nan() {
            self.nan = true;
        } else if double == f64::INFINITY {
            self.infinities.0 = true;
        } else if double == f64::NEG_INFINITY {
            self.infinities.1 = true;
        } else {
            let bits = double.to_bits();
            let exponent = (bits >> 52 & 0x7ff) as usize;
            let fraction = bits & ((1 << 52) - 1);
            // As mantissa × 2^shift, in units of the least subnormal.
            let (mantissa, shift) =
                if exponent == 0 { (fraction, 0) } else { (fraction | 1 << 52, exponent - 1) };
            self.add_shifted(u128::from(mantissa) * u128::from(weight), shift, double < 0.0);
        }
    }

    pub(super) fn add_integer(&mut self, integer: i128) {
        // 2^1074 units make one.
        self.add_shifted(integer.unsigned_abs(), 1_074, integer < 0);
    }

    /// Adds magnitude × 2^shift units.
    fn add_shifted(&mut self, magnitude: u128, shift: usize, negative: bool) {
        let (mut digit, offset) = (shift / 32, shift % 32);
        // The low digits shifted into place, then the rest, 32 bits at a time.
        let mut rest = magnitude;
        let mut carry = 0u64;
        while rest != 0 || carry != 0 {
            let part = ((rest as u32 as u64) << offset) + carry;
            let value = i64::from(part as u32);
            self.limbs[digit] += if negative { -value } else { value };
            carry = part >> 32;
            rest >>= 32;
            digit += 1;
        }
        self.additions += 1;
        if self.additions == ADDITIONS_MAX {
            self.settle();
        }
    }

    /// Brings every limb but the last into 0..2^32.
    fn settle(&mut self) {
        let mut carry = 0i64;
        let last = DIGITS - 1;
        for limb in &mut self.limbs[..last] {
            let sum = *limb + carry;
            *limb = sum & 0xffff_ffff;
            carry = sum >> 32;
        }
        self.limbs[last] += carry;
        self.additions = 0;
    }

    /// The nearest double, ties to even.
    pub(super) fn round(mut self) -> f64 {
        if self.nan || self.infinities == (true, true) {
            return f64::NAN;
        }
        if self.infinities.0 || self.infinities.1 {
            return if self.infinities.0 { f64::INFINITY } else { f64::NEG_INFINITY };
        }
        self.settle();
        let negative = self.limbs[DIGITS - 1] < 0;
        if negative {
            self.limbs.iter_mut().for_each(|limb| *limb = -*limb);
            self.settle();
        }
        let magnitude = self.magnitude();
        if negative { -magnitude } else { magnitude }
    }

    /// The nearest double of settled limbs that are not negative.
    fn magnitude(&self) -> f64 {
        let Some(top) = self.limbs.iter().rposition(|&limb| limb != 0) else { return 0.0 };
        let bit_length = top * 32 + 64 - self.limbs[top].leading_zeros() as usize;
        if bit_length <= 53 {
            // A subnormal or the first normals: exact.
            let low = self.limbs[0] as u64 | (self.limbs[1] as u64) << 32;
            return f64::from_bits(low);
        }
        let shift = bit_length - 53;
        let mut mantissa = self.bits(shift, 53);
        let half = self.bits(shift - 1, 1) == 1;
        let sticky = (0..shift - 1).any(|bit| self.bits(bit, 1) == 1);
        if half && (sticky || mantissa & 1 == 1) {
            mantissa += 1;
        }
        // The exponent field of mantissa × 2^shift units is shift + 1, its hidden bit adds one
        // more; a mantissa that rounded up to 2^53 carries into the exponent by itself.
        let exponent = shift as u64;
        if 2_046 < exponent + (mantissa >> 52) {
            return f64::INFINITY;
        }
        f64::from_bits((exponent << 52) + mantissa)
    }

    /// `count` (at most 53) bits from `start` on.
    fn bits(&self, start: usize, count: usize) -> u64 {
        let digit = |index: usize| self.limbs.get(index).map_or(0, |&limb| limb as u128);
        let first = start / 32;
        let window = digit(first) | digit(first + 1) << 32 | digit(first + 2) << 64;
        (window >> (start % 32)) as u64 & ((1 << count) - 1)
    }
}
