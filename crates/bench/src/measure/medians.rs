//! Timing: warm up, repeat, take the median.
//!
//! On a shared machine a mean is ruled by its neighbours' bursts; a median of enough runs is not.
//! Two things that are compared are run in turn, so that both meet the same bursts.

use std::time::{Duration, Instant};

/// Runs before the clock counts.
const WARM_UP_RUNS: usize = 2;

/// Runs of one measurement: at least this many, and for at least [`RUN_SECONDS`] in all.
const RUNS_MIN: usize = 9;

/// See [`RUNS_MIN`]; a trial of a row may ask for another time.
const RUN_SECONDS: f64 = 1.5;

/// Median seconds of two procedures that answer the same question, run in turn.
pub(crate) struct Medians {
    /// Of the one measured.
    pub(crate) value: f64,
    /// Of the one it is compared with.
    pub(crate) reference: f64,
}

/// The median seconds of `run` and of `reference`, which take turns for `seconds_min`, if it is not to be
/// the usual time. Either may fail; the first error ends it.
pub(crate) fn side_by_side<E>(
    seconds_min: Option<f64>,
    mut run: impl FnMut() -> Result<(), E>,
    mut reference: impl FnMut() -> Result<(), E>,
) -> Result<Medians, E> {
    for _ in 0..WARM_UP_RUNS {
        run()?;
        reference()?;
    }
    let (mut values, mut references) = (Vec::new(), Vec::new());
    let time_min = Duration::from_secs_f64(seconds_min.unwrap_or(RUN_SECONDS));
    let began = Instant::now();
    while values.len() < RUNS_MIN || began.elapsed() < time_min {
        values.push(seconds(&mut run)?);
        references.push(seconds(&mut reference)?);
    }
    Ok(Medians { value: median(values), reference: median(references) })
}

/// The median seconds of `run`, where there is nothing to compare it with.
pub(crate) fn median_of<E>(
    seconds_min: Option<f64>,
    mut run: impl FnMut() -> Result<(), E>,
) -> Result<f64, E> {
    Ok(side_by_side(seconds_min, &mut run, || Ok(()))?.value)
}

/// The choice with the least median: a limit is the best that plain code reaches, and more threads are
/// not always better.
pub(crate) fn quickest<T: Copy>(choices: &[T], mut run: impl FnMut(T)) -> Option<T> {
    let timed = choices.iter().map(|&choice| {
        let one = |_| {
            let began = Instant::now();
            run(choice);
            began.elapsed().as_secs_f64()
        };
        (choice, median((0..RUNS_MIN).map(one).collect()))
    });
    let quicker = |left: &(T, f64), right: &(T, f64)| left.1.total_cmp(&right.1);
    timed.min_by(quicker).map(|(choice, _)| choice)
}

/// Seconds of one run.
pub(crate) fn seconds<E>(run: &mut impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let began = Instant::now();
    run()?;
    Ok(began.elapsed().as_secs_f64())
}

/// The middle one.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_are_run_equally_often_and_an_error_ends_it() {
        let (mut left, mut right) = (0, 0);
        let result = side_by_side(
            None,
            || {
                left += 1;
                if left == 5 { Err("fifth") } else { Ok(()) }
            },
            || {
                right += 1;
                Ok(())
            },
        );
        assert_eq!(result.err(), Some("fifth"));
        assert_eq!((left, right), (5, 4));
    }

    #[test]
    fn runs_go_on_for_the_time_that_is_asked_for() {
        for seconds in [0.05, 0.2] {
            let mut runs = 0;
            let began = Instant::now();
            let medians = side_by_side::<()>(
                Some(seconds),
                || {
                    runs += 1;
                    Ok(())
                },
                || Ok(()),
            );
            assert!(medians.is_ok() && RUNS_MIN < runs);
            assert!(seconds <= began.elapsed().as_secs_f64());
        }
    }

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
    }
}
