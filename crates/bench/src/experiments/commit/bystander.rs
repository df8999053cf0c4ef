//! A thread that only sleeps while others are measured. A stall that it sees too is the machine's.
//! Requests that were due while the machine's host gave its processors to others say nothing of a
//! database.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::open_model::{Sent, milliseconds, slice_of};
use crate::measure::Histogram;
use crate::process::stolen_ticks;
use crate::report::{Figure, Unit};

/// How long it sleeps at a time.
const LOOK: Duration = Duration::from_millis(5);

/// The measurements of a thread that only slept.
pub(super) struct Bystander {
    /// The longest delay of a wake-up.
    late_max: Duration,
    /// Stolen ticks at the beginning of each slice, and at the end.
    stolen: Vec<Option<f64>>,
}

impl Bystander {
    /// Sleeps until the time is over and sets `done`, or until another thread has set it.
    pub(super) fn end_after(span: Duration, done: &AtomicBool) -> Bystander {
        let (began, mut late_max) = (Instant::now(), Duration::ZERO);
        let mut stolen = vec![stolen_ticks()];
        while began.elapsed() < span && !done.load(Ordering::Relaxed) {
            let slept = Instant::now();
            thread::sleep(LOOK);
            late_max = late_max.max(slept.elapsed().saturating_sub(LOOK));
            if stolen.len() <= slice_of(began.elapsed()) {
                stolen.push(stolen_ticks());
            }
        }
        done.store(true, Ordering::Relaxed);
        stolen.push(stolen_ticks());
        Bystander { late_max, stolen }
    }

    /// The longest delay; and the latencies of commits that were due while the host took nothing, with
    /// the share of the time that these cover, if there are any.
    pub(super) fn figures(&self, sent: &Sent) -> Vec<Figure> {
        let late_max = self.late_max.as_secs_f64() * 1e3;
        let late_max = Figure::new("bystander_late_max", late_max, Unit::Milliseconds);
        let (mut latencies, mut quiet) = (Histogram::default(), 0);
        for (_, slice) in sent.slices.iter().enumerate().filter(|(index, _)| self.is_quiet(*index))
        {
            latencies.add(slice);
            quiet += 1;
        }
        if quiet == 0 {
            return vec![late_max];
        }
        let share = f64::from(quiet) / sent.slices.len() as f64 * 100.0;
        vec![
            late_max,
            Figure::new("quiet_p99.9", milliseconds(&latencies, 99.9), Unit::Milliseconds),
            Figure::new("quiet_share", share, Unit::Percent),
        ]
    }

    /// Whether the host took nothing in a slice, nor in the ones before and after it. The host counts
    /// in ticks, so stolen time may be reported late, and a thread that was delayed stays late for a
    /// while.
    fn is_quiet(&self, slice: usize) -> bool {
        let before = self.stolen.get(slice.saturating_sub(1)).copied().flatten();
        let after = self.stolen.get(slice + 2).or(self.stolen.last()).copied().flatten();
        before.is_some() && before == after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(milliseconds: &[u64]) -> Sent {
        let slice = |milliseconds: &u64| {
            let mut slice = Histogram::default();
            slice.record(Duration::from_millis(*milliseconds));
            slice
        };
        Sent { slices: milliseconds.iter().map(slice).collect(), ..Sent::default() }
    }

    #[test]
    fn commits_due_next_to_a_slice_with_stolen_time_are_left_out() {
        let stolen = [5.0, 5.0, 5.0, 5.0, 7.0, 7.0, 7.0].map(Some).to_vec();
        let bystander = Bystander { late_max: Duration::from_millis(3), stolen };
        // It took something in the slice of 80 ms.
        let figures = bystander.figures(&sent(&[1, 2, 40, 80, 40, 4]));
        let figures: Vec<_> =
            figures.iter().map(|figure| (figure.name.as_str(), figure.value)).collect();
        assert_eq!(
            figures,
            [("bystander_late_max", 3.0), ("quiet_p99.9", 4.0), ("quiet_share", 50.0)]
        );
    }

    #[test]
    fn without_figures_or_quiet_periods_nothing_is_reported() {
        for stolen in [vec![None; 4], [1.0, 2.0, 3.0, 4.0].map(Some).to_vec()] {
            let bystander = Bystander { late_max: Duration::ZERO, stolen };
            assert_eq!(bystander.figures(&sent(&[1, 2, 3])).len(), 1);
        }
    }
}
