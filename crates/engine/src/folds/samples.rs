//! Folds that need all numbers of a group at their end: deviations and percentiles. A number is held once, with its
//! weight.

use millrace_model::{Error, ErrorKind, Result, Value, compare, query_limits};

use super::sum::Sum;

/// The numbers of a group.
#[derive(Clone, Default)]
pub(crate) struct Sample {
    numbers: Vec<(Value, u64)>,
    count: u128,
    /// The fraction of a percentile, from the first row.
    fraction: Option<f64>,
}

fn fractions_differ() -> Error {
    Error::new(ErrorKind::BadQuery, "a percentile expects one fraction for all rows of a group")
}

impl Sample {
    /// Adds a number; null is passed over. Returns the bytes now used.
    pub(super) fn add(&mut self, value: Value, weight: u64) -> Result<u64> {
        if value.is_null() {
            return Ok(0);
        }
        if value.as_double().is_none() {
            let detail = format!("a statistic expects numbers but got a {}", value.type_name());
            return Err(Error::new(ErrorKind::BadQuery, detail));
        }
        let bytes = size_of::<(Value, u64)>() + value.heap_size();
        self.numbers.push((value, weight));
        self.count += u128::from(weight);
        Ok(bytes as u64)
    }

    /// Adds a number and the fraction of the percentile, as a list of two. Returns the bytes now used.
    pub(super) fn add_with_fraction(&mut self, pair: &Value, weight: u64) -> Result<u64> {
        let Value::List(pair) = pair else { return Ok(0) };
        let [value, fraction] = &pair[..] else { return Ok(0) };
        if value.is_null() {
            return Ok(0);
        }
        let fraction = fraction_of(fraction)?;
        if self.fraction.is_some_and(|own| own != fraction) {
            return Err(fractions_differ());
        }
        self.fraction = Some(fraction);
        self.add(value.clone(), weight)
    }

    /// Takes the numbers of another. Returns the bytes now used.
    pub(super) fn absorb(&mut self, other: Sample) -> Result<u64> {
        if let (Some(own), Some(others)) = (self.fraction, other.fraction)
            && own != others
        {
            return Err(fractions_differ());
        }
        let bytes = |(value, _): &(Value, u64)| size_of::<(Value, u64)>() + value.heap_size();
        let held = other.numbers.iter().map(bytes).sum::<usize>();
        self.fraction = self.fraction.or(other.fraction);
        self.count += other.count;
        self.numbers.extend(other.numbers);
        Ok(held as u64)
    }

    /// The standard deviation, null of none: of two passes, each with an exact sum, so that order and weights change nothing.
    pub(super) fn deviation(&self, of_population: bool) -> Result<Value> {
        match self.count {
            0 => return Ok(Value::Null),
            1 => return Ok(Value::F64(0.0)),
            _ => {}
        }
        let mut sum = Sum::default();
        for (value, weight) in &self.numbers {
            sum.add(value, *weight)?;
        }
        let mean = sum.as_double() / self.count as f64;
        let mut squares = Sum::default();
        for (value, weight) in &self.numbers {
            let from_mean = value.as_double().unwrap_or(f64::NAN) - mean;
            squares.add(&Value::F64(from_mean * from_mean), *weight)?;
        }
        let divisor = if of_population { self.count } else { self.count - 1 };
        Ok(Value::F64((squares.as_double() / divisor as f64).sqrt()))
    }

    /// The number at the fraction, or between the two numbers around it; null of none.
    pub(super) fn percentile(&mut self, interpolated: bool) -> Result<Value> {
        let Some(fraction) = self.fraction else { return Ok(Value::Null) };
        let order = |left: &(Value, u64), right: &(Value, u64)| compare::total(&left.0, &right.0);
        query_limits::sort_by(&mut self.numbers, order, |_, _| 1)?;
        let last = self.count.saturating_sub(1);
        if fraction == 1.0 || last == 0 {
            let value = self.at(last);
            return Ok(if interpolated { as_double(&value) } else { value });
        }
        if interpolated {
            return Ok(self.between(fraction * last as f64, last));
        }
        let exact = fraction * self.count as f64;
        let index = exact as u128;
        // A fraction at the end of a number's share belongs to it.
        let index = if index as f64 == exact { index.saturating_sub(1) } else { index };
        Ok(self.at(index.min(last)))
    }

    fn between(&self, exact: f64, last: u128) -> Value {
        let (below, above) = (exact as u128, exact.ceil() as u128);
        if below == above || last <= below {
            return as_double(&self.at(below.min(last)));
        }
        let number = |index: u128| self.at(index).as_double().unwrap_or(f64::NAN);
        Value::F64(number(below) * (above as f64 - exact) + number(above) * (exact - below as f64))
    }

    /// The number at an index of all, weights expanded.
    fn at(&self, index: u128) -> Value {
        let mut before = 0u128;
        let found = self.numbers.iter().find(|(_, weight)| {
            before += u128::from(*weight);
            index < before
        });
        found.map_or(Value::Null, |(value, _)| value.clone())
    }
}

fn as_double(value: &Value) -> Value {
    value.as_double().map_or(Value::Null, Value::F64)
}

fn fraction_of(fraction: &Value) -> Result<f64> {
    let found = fraction.as_double().filter(|fraction| (0.0..=1.0).contains(fraction));
    found.ok_or_else(|| {
        let shown = match fraction.as_double() {
            Some(number) => number.to_string(),
            None => format!("a {}", fraction.type_name()),
        };
        let detail =
            format!("the fraction of a percentile is a number from 0 to 1, and not {shown}");
        Error::new(ErrorKind::BadQuery, detail).with_name("NumberOutOfRange")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(numbers: &[(f64, u64)], fraction: f64) -> Sample {
        let mut sample = Sample::default();
        for (number, weight) in numbers {
            let pair = Value::list(vec![Value::F64(*number), Value::F64(fraction)]);
            sample.add_with_fraction(&pair, *weight).expect("a number and a fraction");
        }
        sample
    }

    #[test]
    fn percentiles_are_numbers_of_the_sample_or_between() {
        let numbers = [(30.0, 1), (10.0, 1), (20.0, 1)];
        for (fraction, discrete, between) in [
            (0.0, 10.0, 10.0),
            (0.25, 10.0, 15.0),
            (0.34, 20.0, 16.8),
            (0.5, 20.0, 20.0),
            (0.7, 30.0, 24.0),
            (1.0, 30.0, 30.0),
        ] {
            let found = sample(&numbers, fraction).percentile(false);
            assert_eq!(found, Ok(Value::F64(discrete)), "{fraction}");
            let found =
                sample(&numbers, fraction).percentile(true).unwrap().as_double().expect("a number");
            assert!((found - between).abs() < 1e-9, "{fraction}: {found}");
        }
        assert_eq!(sample(&[], 0.5).percentile(true), Ok(Value::Null));
        assert_eq!(sample(&[(1.0, 3), (2.0, 1)], 0.75).percentile(false), Ok(Value::F64(1.0)));
        let (below, above) = (Value::F64(-0.1), Value::F64(1.5));
        for fraction in [below, above, Value::F64(f64::NAN), "1".into(), Value::Null] {
            let pair = Value::list(vec![Value::I64(1), fraction]);
            Sample::default().add_with_fraction(&pair, 1).expect_err("no fraction");
        }
    }

    #[test]
    fn a_weight_counts_as_many_numbers() {
        let mut weighted = Sample::default();
        let mut single = Sample::default();
        for (number, weight) in [(1i64, 3u64), (7, 2), (40, 1)] {
            weighted.add(Value::I64(number), weight).expect("a number");
            (0..weight).for_each(|_| {
                single.add(Value::F64(number as f64), 1).expect("a number");
            });
        }
        for of_population in [false, true] {
            assert_eq!(weighted.deviation(of_population), single.deviation(of_population));
        }
        let mut pair = Sample::default();
        pair.add(Value::I64(2), 1).expect("a number");
        assert_eq!(pair.deviation(false), Ok(Value::F64(0.0)));
        pair.add(Value::I64(4), 1).expect("a number");
        assert_eq!(pair.deviation(true), Ok(Value::F64(1.0)));
        assert_eq!(pair.deviation(false), Ok(Value::F64(2f64.sqrt())));
    }
}
