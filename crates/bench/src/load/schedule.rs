//! When requests of the open model are due: a rate for a time, ramps and steps.

use std::time::Duration;

/// Rates one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Schedule {
    parts: Vec<Part>,
}

/// A rate that changes evenly, or does not.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    first: f64,
    last: f64,
    seconds: f64,
}

impl Part {
    /// How many requests are due in it; the last may be so after its end.
    fn count(self) -> f64 {
        (self.first + self.last) / 2.0 * self.seconds
    }

    /// When the `number`th is due: `first · t + (last - first) · t² / (2 · seconds) = number`.
    fn due(self, number: f64) -> f64 {
        let slope = (self.last - self.first) / self.seconds;
        let root = (self.first * self.first + 2.0 * slope * number).max(0.0).sqrt();
        2.0 * number / (self.first + root)
    }
}

impl Schedule {
    pub(crate) fn constant(rate: f64, seconds: f64) -> Schedule {
        Schedule::default().then_constant(rate, seconds)
    }

    pub(crate) fn then_constant(self, rate: f64, seconds: f64) -> Schedule {
        self.then_ramp(rate, rate, seconds)
    }

    pub(crate) fn then_ramp(mut self, first: f64, last: f64, seconds: f64) -> Schedule {
        if 0.0 < seconds {
            self.parts.push(Part { first, last, seconds });
        }
        self
    }

    pub(crate) fn then_steps(self, first: f64, last: f64, steps: u32, seconds: f64) -> Schedule {
        let height = (last - first) / f64::from(steps - 1);
        (0..steps).fold(self, |schedule, step| {
            let rate = first + height * f64::from(step);
            schedule.then_constant(rate, seconds / f64::from(steps))
        })
    }

    /// When a request is due after the beginning; `None` behind the end.
    pub(crate) fn due(&self, number: u64) -> Option<Duration> {
        let (mut left, mut began) = (number as f64, 0.0);
        for part in &self.parts {
            if left < part.count() {
                return Some(Duration::from_secs_f64(began + part.due(left)));
            }
            left -= part.count();
            began += part.seconds;
        }
        None
    }

    /// The rate it begins with.
    pub(crate) fn first_rate(&self) -> f64 {
        self.parts.first().map_or(1.0, |part| part.first)
    }

    /// The rates, for reports.
    pub(crate) fn shown(&self) -> String {
        let rate = |rate: f64| format!("{}", (rate * 1e3).round() / 1e3);
        let shown = self.parts.iter().map(|part| match part.first == part.last {
            true => format!("{}/s for {} s", rate(part.first), part.seconds),
            false => {
                format!("{}/s to {}/s in {} s", rate(part.first), rate(part.last), part.seconds)
            }
        });
        shown.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(schedule: &Schedule) -> Vec<f64> {
        (0..).map_while(|number| schedule.due(number)).map(|due| due.as_secs_f64()).collect()
    }

    #[test]
    fn a_constant_rate_is_even_and_ends() {
        let due = all(&Schedule::constant(4.0, 1.0).then_constant(2.0, 1.0));
        assert_eq!(due, [0.0, 0.25, 0.5, 0.75, 1.0, 1.5]);
        assert_eq!(all(&Schedule::constant(4.0, 0.0)), [0.0; 0]);
    }

    #[test]
    fn a_ramp_has_the_rate_between_its_ends_at_each_moment() {
        let due = all(&Schedule::default().then_ramp(100.0, 1_000.0, 10.0));
        assert_eq!(due.len(), 5_500);
        assert!(due.is_sorted());
        let rate = |from: f64| due.iter().filter(|due| (from..from + 1.0).contains(*due)).count();
        assert!((144..=146).contains(&rate(0.0)), "{}", rate(0.0));
        assert!((954..=956).contains(&rate(9.0)), "{}", rate(9.0));
        let falls = all(&Schedule::default().then_ramp(1_000.0, 100.0, 10.0));
        assert_eq!(falls.len(), 5_500);
        assert!(falls.iter().all(|due| *due <= 10.0) && falls.is_sorted());
    }

    #[test]
    fn steps_are_of_equal_length_from_the_first_rate_to_the_last() {
        let schedule = Schedule::constant(5.0, 1.0).then_steps(10.0, 30.0, 3, 6.0);
        assert_eq!(schedule.shown(), "5/s for 1 s, 10/s for 2 s, 20/s for 2 s, 30/s for 2 s");
        assert_eq!(all(&schedule).len(), 5 + 20 + 40 + 60);
    }
}
