//! Sums that do not depend on order, weights or threads: exact, rounded once at the end.
//!
//! Doubles go into a long fixed-point accumulator that covers every exponent (Kulisch's
//! accumulator; R. Neal, "Fast exact summation using small and large superaccumulators", 2015, has
//! the carry-save form used here): a value × weight is added as an integer multiple of 2^-1074
//! into 32-bit digits held in 64-bit signed limbs, carries settled later. Integers and decimals
//! are exact 128-bit sums beside it. Durations are summed by themselves.

mod durations;

use durations::Durations;
use millrace_model::{Decimal, Error, ErrorKind, Result, Value};

/// 32-bit digits: exponents -1074..=1023, 53 bits, a 64-bit weight and 64 bits of headroom.
const DIGITS: usize = (2_098 + 64 + 64) / 32 + 1;

/// Additions before a limb of 32-bit digits could leave 63 bits.
const ADDITIONS_MAX: u32 = 1 << 30;

/// The exact sum of numbers, or of durations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    integers: i128,
    decimals: Option<Decimal>,
    doubles: Option<Box<Doubles>>,
    durations: Option<Box<Durations>>,
    /// The weight summed, of numbers and durations.
    count: u128,
    /// The bytes of the widest number.
    width: u8,
}

#[derive(Clone, Debug)]
struct Doubles {
    limbs: [i64; DIGITS],
    additions: u32,
    infinities: (bool, bool),
    nan: bool,
}

impl Sum {
    /// Bytes used beyond itself: only sums of doubles and durations hold some.
    pub(crate) fn heap_bytes(&self) -> u64 {
        let doubles = self.doubles.as_ref().map_or(0, |doubles| size_of_val(&**doubles));
        let durations = self.durations.as_ref().map_or(0, |durations| size_of_val(&**durations));
        (doubles + durations) as u64
    }

    /// Adds a value `weight` times; null is passed over.
    pub(crate) fn add(&mut self, value: &Value, weight: u64) -> Result<()> {
        self.width = self.width.max(value.number_width().unwrap_or(0));
        match value {
            Value::Null => return Ok(()),
            Value::F32(float) => self.add_double(f64::from(*float), weight),
            Value::F64(double) => self.add_double(*double, weight),
            Value::Decimal(decimal) => self.add_decimal(**decimal, weight)?,
            Value::Duration(duration) => {
                self.durations.get_or_insert_default().add(duration, weight)?;
            }
            other => match other.as_int() {
                Some(int) => return self.add_integer(int, weight),
                None => {
                    let kind = other.type_name();
                    let detail = format!("a sum expects numbers but got a {kind}");
                    return Err(Error::new(ErrorKind::BadQuery, detail));
                }
            },
        }
        self.count += u128::from(weight);
        Ok(())
    }

    /// Adds a 64-bit integer `weight` times.
    pub(crate) fn add_int(&mut self, int: i64, weight: u64) -> Result<()> {
        self.width = 8;
        self.add_integer(int, weight)
    }

    fn add_integer(&mut self, int: i64, weight: u64) -> Result<()> {
        let product = i128::from(int) * i128::from(weight);
        self.integers = self.integers.checked_add(product).ok_or_else(too_large)?;
        self.count += u128::from(weight);
        Ok(())
    }

    /// Adds the sum of `count` 64-bit integers, each of them `weight` times.
    pub(crate) fn add_ints(&mut self, total: i128, count: u64, weight: u64) -> Result<()> {
        self.width = 8;
        let product = total.checked_mul(i128::from(weight)).ok_or_else(too_large)?;
        self.integers = self.integers.checked_add(product).ok_or_else(too_large)?;
        self.count += u128::from(count) * u128::from(weight);
        Ok(())
    }

    /// Adds another sum, of integers only.
    pub(crate) fn absorb_ints(&mut self, other: &Sum) -> Result<()> {
        self.width = self.width.max(other.width);
        self.integers = self.integers.checked_add(other.integers).ok_or_else(too_large)?;
        self.count += other.count;
        Ok(())
    }

    fn add_decimal(&mut self, decimal: Decimal, weight: u64) -> Result<()> {
        let add = || {
            let product = decimal.unscaled.checked_mul(i128::from(weight))?;
            let sum = self.decimals.unwrap_or(Decimal { unscaled: 0, scale: decimal.scale });
            let scale = sum.scale.max(decimal.scale);
            let widen =
                |unscaled: i128, from: u32| 10i128.checked_pow(scale - from)?.checked_mul(unscaled);
            let unscaled =
                widen(sum.unscaled, sum.scale)?.checked_add(widen(product, decimal.scale)?)?;
            Some(Decimal { unscaled, scale })
        };
        self.decimals = Some(add().ok_or_else(too_large)?);
        Ok(())
    }

    fn add_double(&mut self, double: f64, weight: u64) {
        self.doubles.get_or_insert_default().add(double, weight);
    }

    /// The sum: an integer if all were, a decimal if exact ones were among them, else a floating
    /// number; as wide as the widest of them, an integer wider if it must be; null of nothing.
    pub(crate) fn total(&self) -> Result<Value> {
        if self.count == 0 {
            return Ok(Value::Null);
        }
        if let Some(durations) = self.only_durations()? {
            return durations.total();
        }
        if self.doubles.is_some() {
            return Ok(Value::float_of_width(self.as_double(), self.width));
        }
        match self.decimals {
            Some(decimal) => {
                let mut whole = self.clone();
                whole.add_decimal(Decimal { unscaled: self.integers, scale: 0 }, 1)?;
                let sum = whole.decimals.unwrap_or(decimal);
                Ok(Value::Decimal(sum.into()))
            }
            None => Value::integer_of_width(self.integers, self.width).ok_or_else(too_large),
        }
    }

    /// The mean, of numbers as a double: the sum rounded once, then divided; null of nothing.
    pub(crate) fn mean(&self) -> Result<Value> {
        if self.count == 0 {
            return Ok(Value::Null);
        }
        match self.only_durations()? {
            Some(durations) => durations.mean(),
            None => Ok(Value::F64(self.as_double() / self.count as f64)),
        }
    }

    /// The sum of durations, if there are any: then all must be.
    fn only_durations(&self) -> Result<Option<&Durations>> {
        match &self.durations {
            Some(durations) if durations.count != self.count => {
                let detail = "a sum expects numbers alone or durations alone, but got both";
                Err(Error::new(ErrorKind::BadQuery, detail))
            }
            durations => Ok(durations.as_deref()),
        }
    }

    /// The sum of numbers, rounded once.
    pub(crate) fn as_double(&self) -> f64 {
        let mut doubles = self.doubles.clone().unwrap_or_default();
        doubles.add_integer(self.integers);
        if let Some(decimal) = self.decimals {
            doubles.add(decimal.to_f64(), 1);
        }
        doubles.round()
    }
}

fn too_large() -> Error {
    Error::new(ErrorKind::BadQuery, "a sum of integers does not fit a 64-bit integer")
}

impl Default for Doubles {
    fn default() -> Doubles {
        Doubles { limbs: [0; DIGITS], additions: 0, infinities: (false, false), nan: false }
    }
}

impl Doubles {
    fn add(&mut self, double: f64, weight: u64) {
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

    fn add_integer(&mut self, integer: i128) {
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
    fn round(mut self) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(doubles: &[f64]) -> f64 {
        let mut sum = Sum::default();
        for double in doubles {
            sum.add(&Value::F64(*double), 1).expect("doubles add");
        }
        match sum.total().expect("doubles have a sum") {
            Value::F64(double) => double,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn cancellation_loses_nothing() {
        assert_eq!(sum(&[1e308, 1.0, -1e308]), 1.0);
        assert_eq!(sum(&[1e308, 1e308, -1e308, -1e308, 5e-324]), 5e-324);
        assert_eq!(sum(&[0.1; 10]), 1.0);
        assert_eq!(sum(&[-0.1; 10]), -1.0);
        assert_eq!(sum(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert!(sum(&[f64::INFINITY, f64::NEG_INFINITY]).is_nan());
    }

    #[test]
    fn one_value_comes_back_as_it_was() {
        let samples =
            [1.0, -2.5, 5e-324, f64::MIN_POSITIVE, 2.225_073_858_507_201e-308, f64::MAX, 0.1];
        for double in samples {
            assert_eq!(sum(&[double]).to_bits(), double.to_bits(), "{double:e}");
        }
    }

    #[test]
    fn ties_round_to_even() {
        let ulp = f64::EPSILON;
        assert_eq!(sum(&[1.0, ulp / 2.0]), 1.0);
        assert_eq!(sum(&[1.0 + ulp, ulp / 2.0]), 1.0 + 2.0 * ulp);
        assert_eq!(sum(&[1.0, ulp / 2.0, 5e-324]), 1.0 + ulp);
        assert_eq!(sum(&[2.0 - ulp, ulp]), 2.0);
    }

    #[test]
    fn a_weight_is_as_many_additions() {
        let (mut bulk, mut single) = (Sum::default(), Sum::default());
        bulk.add(&Value::F64(0.3), 1_000).expect("adds");
        for _ in 0..1_000 {
            single.add(&Value::F64(0.3), 1).expect("adds");
        }
        assert_eq!(bulk.total(), single.total());
        let mut large = Sum::default();
        large.add(&Value::F64(1.5), u64::MAX).expect("adds");
        assert_eq!(large.total(), Ok(Value::F64(1.5 * 18_446_744_073_709_551_615.0)));
    }

    #[test]
    fn a_sum_is_as_wide_as_its_widest_number() {
        let total = |values: &[Value]| {
            let mut sum = Sum::default();
            values.iter().for_each(|value| sum.add(value, 1).expect("numbers add"));
            sum.total()
        };
        assert_eq!(total(&[Value::I8(1), Value::I8(2)]), Ok(Value::I8(3)));
        assert_eq!(total(&[Value::I8(127), Value::I8(1)]), Ok(Value::I16(128)));
        assert_eq!(total(&[Value::F32(0.5), Value::I16(1)]), Ok(Value::F32(1.5)));
        assert_eq!(total(&[Value::F32(0.5), Value::I64(1)]), Ok(Value::F64(1.5)));
    }

    #[test]
    fn integers_stay_integers_and_are_checked() {
        let mut sum = Sum::default();
        sum.add(&Value::I32(-3), 2).expect("adds");
        sum.add(&Value::Null, 5).expect("passes over null");
        assert_eq!(sum.total(), Ok(Value::I32(-6)));
        sum.add(&Value::I64(i64::MIN), 1).expect("held exactly");
        assert!(sum.total().is_err());
        sum.add(&Value::I64(i64::MAX), 1).expect("comes back into range");
        assert_eq!(sum.total(), Ok(Value::I64(-7)));
        assert_eq!(Sum::default().total(), Ok(Value::Null));
        assert!(Sum::default().add(&Value::from("x"), 1).is_err());
    }
}
