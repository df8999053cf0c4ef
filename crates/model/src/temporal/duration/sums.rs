//! Sums and products of durations, part by part.

use super::amounts::{self, Amount};
use crate::calendar::Duration;
use crate::errors::error::{Error, Result};
use crate::temporal::failures::bad;

/// A part that 64 bits have no room for.
pub(super) fn too_long() -> Error {
    bad("a part of the duration has no room in 64 bits")
}

impl Duration {
    fn parts(&self) -> [i128; 3] {
        [self.months.into(), self.days.into(), self.clock_nanos()]
    }

    /// Both together, part by part.
    pub fn plus(&self, other: &Duration) -> Result<Duration> {
        let ([months, days, nanos], other) = (self.parts(), other.parts());
        let sum = Duration::of(months + other[0], days + other[1], nanos + other[2]);
        sum.ok_or_else(too_long)
    }

    /// This one without the other, part by part.
    pub fn minus(&self, other: &Duration) -> Result<Duration> {
        let ([months, days, nanos], other) = (self.parts(), other.parts());
        let rest = Duration::of(months - other[0], days - other[1], nanos - other[2]);
        rest.ok_or_else(too_long)
    }

    /// Each part times a number; a fraction is carried into the smaller parts.
    pub(in crate::temporal) fn times(&self, factor: Amount) -> Result<Duration> {
        self.scaled(|part| part.times(factor))
    }

    /// Each part by a number; a fraction is carried into the smaller parts.
    pub(in crate::temporal) fn divided(&self, divisor: Amount) -> Result<Duration> {
        self.scaled(|part| part.divided(divisor))
    }

    fn scaled(&self, scale: impl Fn(Amount) -> Option<Amount>) -> Result<Duration> {
        let part = |number: i64| scale(Amount::from(number)).ok_or_else(too_long);
        let (months, days) = (part(self.months)?, part(self.days)?);
        let (seconds, nanos) = (part(self.seconds)?, part(self.nanos.into())?);
        amounts::carried(months, days, seconds, nanos).ok_or_else(too_long)
    }
}
