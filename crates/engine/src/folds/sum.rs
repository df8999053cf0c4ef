//! Sums that do not depend on order, weights or threads: exact, rounded once at the end.
//!
//! Integers and decimals are exact 128-bit sums, and so is the sum of doubles beside them. Durations are summed by
//! themselves, and so are vectors.

mod doubles;
mod durations;
mod vectors;

use doubles::Doubles;
pub(super) use doubles::add_grouped;
use durations::Durations;
use millrace_model::{Decimal, Error, ErrorKind, Result, Value};
use vectors::Vectors;

/// The exact sum of numbers, of durations, or of vectors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    integers: i128,
    decimals: Option<Decimal>,
    doubles: Option<Box<Doubles>>,
    durations: Option<Box<Durations>>,
    vectors: Option<Box<Vectors>>,
    /// The weight summed, of all values.
    count: u128,
    /// The bytes of the widest number.
    width: u8,
}

impl Sum {
    /// Bytes used beyond itself: only sums of doubles, durations and vectors have some.
    pub(crate) fn heap_bytes(&self) -> u64 {
        let doubles = self.doubles.as_ref().map_or(0, |doubles| size_of_val(&**doubles));
        let durations = self.durations.as_ref().map_or(0, |durations| size_of_val(&**durations));
        let vectors = self.vectors.as_ref();
        let vectors = vectors.map_or(0, |own| size_of_val(&**own) + own.heap_bytes());
        (doubles + durations + vectors) as u64
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
            Value::Vector(numbers) => {
                self.vectors.get_or_insert_default().add(numbers, weight)?;
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

    /// Adds integers, one each.
    pub(super) fn add_int_slice(&mut self, ints: &[i64]) -> Result<()> {
        self.add_ints(total(ints), ints.len() as u64, 1)
    }

    /// Adds doubles, one each.
    pub(super) fn add_double_slice(&mut self, doubles: &[f64]) {
        self.width = 8;
        self.count += doubles.len() as u128;
        self.doubles.get_or_insert_default().add_slice(doubles);
    }

    /// Adds a double; gives the bytes now used beyond the sum itself.
    pub(super) fn add_one_double(&mut self, double: f64) -> u64 {
        let before = self.heap_bytes();
        self.width = 8;
        self.count += 1;
        self.add_double(double, 1);
        self.heap_bytes() - before
    }

    /// Adds another sum.
    pub(crate) fn absorb(&mut self, other: Sum) -> Result<()> {
        self.absorb_ints(&other)?;
        if let Some(decimal) = other.decimals {
            self.add_decimal(decimal, 1)?;
        }
        if let Some(doubles) = other.doubles {
            match &mut self.doubles {
                Some(own) => own.absorb(&doubles),
                own => *own = Some(doubles),
            }
        }
        if let Some(durations) = other.durations {
            match &mut self.durations {
                Some(own) => own.absorb(&durations)?,
                own => *own = Some(durations),
            }
        }
        if let Some(vectors) = other.vectors {
            match &mut self.vectors {
                Some(own) => own.absorb(&vectors)?,
                own => *own = Some(vectors),
            }
        }
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
        if let Some(vectors) = self.only_vectors()? {
            return Ok(vectors.total());
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
        if let Some(vectors) = self.only_vectors()? {
            return Ok(vectors.mean());
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

    /// The sum of vectors, if there are any: then all must be.
    fn only_vectors(&self) -> Result<Option<&Vectors>> {
        match &self.vectors {
            Some(vectors) if vectors.count != self.count => {
                let detail = "a sum expects vectors alone, and got other values, too";
                Err(Error::new(ErrorKind::BadQuery, detail))
            }
            vectors => Ok(vectors.as_deref()),
        }
    }

    /// The sum of numbers, rounded once.
    pub(crate) fn as_double(&self) -> f64 {
        if self.doubles.is_none() && self.decimals.is_none() {
            // The conversion rounds once, to the nearest, ties to even.
            return self.integers as f64;
        }
        let mut doubles = self.doubles.clone().unwrap_or_default();
        doubles.add_integer(self.integers);
        if let Some(decimal) = self.decimals {
            doubles.add(decimal.to_f64(), 1);
        }
        doubles.round()
    }
}

/// The sum of integers.
fn total(ints: &[i64]) -> i128 {
    // Halves do not overflow 64 bits within a piece, and processors add several at once.
    let pieces = ints.chunks(1 << 30).map(|piece| {
        let (mut high, mut low) = (0i64, 0u64);
        for int in piece {
            high += int >> 32;
            low += u64::from(*int as u32);
        }
        (i128::from(high) << 32) + i128::from(low)
    });
    pieces.sum()
}

fn too_large() -> Error {
    Error::new(ErrorKind::BadQuery, "a sum of integers does not fit a 64-bit integer")
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_model::random::SplitMix64;

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
    fn vectors_are_summed_number_by_number_in_any_order() {
        let of = |vectors: &[Value]| {
            let (mut one, mut other) = (Sum::default(), Sum::default());
            for (at, vector) in vectors.iter().enumerate() {
                let part = if at % 2 == 0 { &mut one } else { &mut other };
                part.add(vector, 1)?;
            }
            one.absorb(other)?;
            Ok::<_, Error>((one.total()?, one.mean()?))
        };
        let some = [[0.1, 1e30], [0.2, 1.0], [0.3, -1e30], [0.4, 2.0]];
        let mut some = some.map(|own| Value::vector(&own));
        let expected = (Value::vector(&[1.0, 3.0]), Value::vector(&[0.25, 0.75]));
        assert_eq!(of(&some), Ok(expected.clone()));
        some.reverse();
        assert_eq!(of(&some), Ok(expected));
        let beyond = [3e38, 3e38].map(|number| Value::vector(&[number]));
        assert!(of(&beyond).is_ok_and(|(total, _)| total.is_null()));
        of(&[Value::vector(&[1.0]), Value::vector(&[1.0, 2.0])]).expect_err("two lengths");
        of(&[Value::vector(&[1.0]), Value::I64(1)]).expect_err("a vector and a number");
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
    fn many_doubles_together_are_what_they_are_one_by_one() {
        let random = &mut SplitMix64::new(3);
        for round in 0..400 {
            let spread = [1, 8, 40, 600, 2_040][round % 5];
            let mut double = |_| {
                let exponent =
                    1 + random.below(spread) + if round % 3 == 0 { 0 } else { 2_046 - spread };
                let sign = random.below(2) << 63;
                match random.below(50) {
                    0 => [0.0, -0.0, 5e-324, f64::MAX][random.below(4) as usize],
                    1 if round % 7 == 0 => [f64::NAN, f64::INFINITY][random.below(2) as usize],
                    _ => f64::from_bits(sign | exponent.min(2_046) << 52 | random.next_u64() >> 12),
                }
            };
            let doubles: Vec<f64> = (0..random_len(round)).map(&mut double).collect();
            let groups: Vec<u32> = (0..doubles.len()).map(|row| row as u32 * 7 % 5).collect();
            let mut one_by_one = vec![Sum::default(); 6];
            for (double, group) in doubles.iter().zip(&groups) {
                one_by_one[5].add_one_double(*double);
                one_by_one[*group as usize].add_one_double(*double);
            }
            let mut together = vec![Sum::default(); 6];
            together[5].add_double_slice(&doubles);
            add_grouped(&mut together[..5], &groups, &doubles);
            for (own, other) in together.iter().zip(&one_by_one) {
                let totals = [own, other].map(|sum| (sum.total(), sum.count));
                assert_eq!(format!("{:?}", totals[0]), format!("{:?}", totals[1]));
            }
            let mut halves = [Sum::default(), Sum::default()];
            for (row, double) in doubles.iter().enumerate() {
                halves[row % 2].add_one_double(*double);
            }
            let [mut first, second] = halves;
            first.absorb(second).expect("doubles add");
            assert_eq!(format!("{:?}", first.total()), format!("{:?}", one_by_one[5].total()));
        }
    }

    fn random_len(round: usize) -> usize {
        [0, 1, 3, 100, 1_023, 1_025, 5_000][round % 7]
    }

    #[test]
    fn integers_in_a_slice_are_what_they_are_one_by_one() {
        let ints = [i64::MIN, i64::MAX, -1, 0, 7, i64::MIN, 1 << 32, -(1 << 32)];
        assert_eq!(total(&ints), ints.iter().map(|int| i128::from(*int)).sum());
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
