//! Sums of vectors, one number at a time: each is exact, and rounded to single precision once.

use millrace_model::{Error, ErrorKind, Result, Value, query_limits};

use super::doubles::Doubles;

/// The exact sum of vectors of one length.
#[derive(Clone, Debug, Default)]
pub(super) struct Vectors {
    numbers: Vec<Doubles>,
    pub(super) count: u128,
}

impl Vectors {
    /// Bytes used beyond itself.
    pub(super) fn heap_bytes(&self) -> usize {
        self.numbers.capacity() * size_of::<Doubles>()
    }

    /// Adds a vector `weight` times.
    pub(super) fn add(&mut self, vector: &[f32], weight: u64) -> Result<()> {
        self.must_be_as_long(vector.len())?;
        query_limits::step(1 + vector.len() as u64 / 8)?;
        for (sum, number) in self.numbers.iter_mut().zip(vector) {
            sum.add(f64::from(*number), weight);
        }
        self.count += u128::from(weight);
        Ok(())
    }

    /// Adds another sum.
    pub(super) fn absorb(&mut self, other: &Vectors) -> Result<()> {
        self.must_be_as_long(other.numbers.len())?;
        self.numbers.iter_mut().zip(&other.numbers).for_each(|(own, other)| own.absorb(other));
        self.count += other.count;
        Ok(())
    }

    /// The sum; null where a number of it is beyond single precision.
    pub(super) fn total(&self) -> Value {
        self.divided(1.0)
    }

    /// The sum, divided.
    pub(super) fn mean(&self) -> Value {
        self.divided(self.count as f32)
    }

    /// A mean is the sum in single precision, divided.
    fn divided(&self, by: f32) -> Value {
        let number = |sum: &Doubles| {
            let number = sum.clone().round() as f32 / by;
            number.is_finite().then_some(number)
        };
        let numbers: Option<Vec<f32>> = self.numbers.iter().map(number).collect();
        numbers.map_or(Value::Null, |numbers| Value::Vector(numbers.into()))
    }

    fn must_be_as_long(&mut self, length: usize) -> Result<()> {
        if self.count == 0 {
            query_limits::require_room((length * size_of::<Doubles>()) as u64)?;
            self.numbers.resize(length, Doubles::default());
        }
        if self.numbers.len() == length {
            return Ok(());
        }
        let error = Error::new(ErrorKind::BadQuery, "The length of vectors must match");
        Err(error.with_help("a sum is of vectors of one length"))
    }
}
