//! Sums of durations, part by part: months, days and seconds do not convert into each other in a sum. In a mean, what
//! is left of a part goes into the smaller ones by average length.

use millrace_model::temporal::Duration;
use millrace_model::{Error, ErrorKind, Result, Value};

/// Seconds of an average month: a year of 365.2425 days has twelve.
const MONTH_SECONDS: i128 = 2_629_746;
const DAY_SECONDS: i128 = 86_400;
const SECOND_NANOS: i128 = 1_000_000_000;

/// The exact sum of durations.
#[derive(Clone, Debug, Default)]
pub(super) struct Durations {
    months: i128,
    days: i128,
    seconds: i128,
    nanos: i128,
    pub(super) count: u128,
}

impl Durations {
    /// Adds a duration `weight` times.
    pub(super) fn add(&mut self, duration: &Duration, weight: u64) -> Result<()> {
        let times = i128::from(weight);
        let plus = |sum: i128, part: i128| part.checked_mul(times)?.checked_add(sum);
        let add = || {
            let months = plus(self.months, duration.months.into())?;
            let days = plus(self.days, duration.days.into())?;
            let seconds = plus(self.seconds, duration.seconds.into())?;
            let nanos = plus(self.nanos, duration.nanos.into())?;
            Some(Durations { months, days, seconds, nanos, count: self.count + u128::from(weight) })
        };
        *self = add().ok_or_else(too_long)?;
        Ok(())
    }

    /// Adds another sum.
    pub(super) fn absorb(&mut self, other: &Durations) -> Result<()> {
        let add = || {
            Some(Durations {
                months: self.months.checked_add(other.months)?,
                days: self.days.checked_add(other.days)?,
                seconds: self.seconds.checked_add(other.seconds)?,
                nanos: self.nanos.checked_add(other.nanos)?,
                count: self.count + other.count,
            })
        };
        *self = add().ok_or_else(too_long)?;
        Ok(())
    }

    /// The sum.
    pub(super) fn total(&self) -> Result<Value> {
        let seconds = self.seconds.checked_add(self.nanos.div_euclid(SECOND_NANOS));
        let nanos = self.nanos.rem_euclid(SECOND_NANOS);
        duration(self.months, self.days, seconds.ok_or_else(too_long)?, nanos)
    }

    /// The sum, divided.
    pub(super) fn mean(&self) -> Result<Value> {
        let divide = || {
            let count = i128::try_from(self.count).ok()?;
            let (months, left) = (self.months / count, self.months % count);
            // All that follows in parts of 1/count of a second.
            let of_days = self.days.checked_mul(DAY_SECONDS)?;
            let left = of_days.checked_add(left.checked_mul(MONTH_SECONDS)?)?;
            let day = DAY_SECONDS.checked_mul(count)?;
            let (days, left) = (left / day, left % day);
            let nanos = left.checked_add(self.seconds)?.checked_mul(SECOND_NANOS)?;
            let nanos = nanos.checked_add(self.nanos)? / count;
            Some((months, days, nanos.div_euclid(SECOND_NANOS), nanos.rem_euclid(SECOND_NANOS)))
        };
        let (months, days, seconds, nanos) = divide().ok_or_else(too_long)?;
        duration(months, days, seconds, nanos)
    }
}

fn duration(months: i128, days: i128, seconds: i128, nanos: i128) -> Result<Value> {
    let fit = |part: i128| i64::try_from(part).map_err(|_| too_long());
    let (months, days, seconds) = (fit(months)?, fit(days)?, fit(seconds)?);
    let nanos = u32::try_from(nanos).map_err(|_| too_long())?;
    Ok(Value::Duration(Duration { months, days, seconds, nanos }.into()))
}

fn too_long() -> Error {
    Error::new(ErrorKind::BadQuery, "a sum of durations does not fit 64-bit integers")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(months: i64, days: i64, seconds: i64, nanos: u32) -> Duration {
        Duration { months, days, seconds, nanos }
    }

    fn sum(durations: &[(Duration, u64)]) -> Durations {
        let mut sum = Durations::default();
        durations.iter().for_each(|(own, weight)| sum.add(own, *weight).expect("adds"));
        sum
    }

    #[test]
    fn parts_are_summed_apart_and_nanoseconds_carry() {
        let total = sum(&[(of(1, 40, 90, 600_000_000), 2), (of(-3, 1, -5, 0), 1)]).total();
        assert_eq!(total, Ok(Value::Duration(of(-1, 81, 176, 200_000_000).into())));
        let long = of(0, 0, i64::MAX, 0);
        sum(&[(long, 2)]).total().expect_err("too long");
        let back = sum(&[(long, 2), (of(0, 0, -i64::MAX, 0), 1)]).total();
        assert_eq!(back, Ok(Value::Duration(long.into())));
    }

    #[test]
    fn the_rest_of_a_part_goes_into_the_smaller_ones() {
        let mean = |durations: &[(Duration, u64)]| sum(durations).mean();
        assert_eq!(mean(&[(of(2, 4, 6, 0), 2)]), Ok(Value::Duration(of(2, 4, 6, 0).into())));
        let two = mean(&[(of(1, 0, 0, 0), 1), (of(0, 1, 1, 0), 1)]);
        // Half a month is 15.2184375 days, half a day more is 15.7184375.
        assert_eq!(two, Ok(Value::Duration(of(0, 15, 62_073, 500_000_000).into())));
    }
}
