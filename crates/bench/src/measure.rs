//! Timing: warm up, repeat, take the median.
//!
//! On a shared machine a mean is ruled by its neighbours' bursts; a median of enough runs is not.
//! Two things that are compared are run in turn, so that both meet the same bursts.

use std::time::{Duration, Instant};

/// Runs before the clock counts.
const WARM_UP_RUNS: usize = 2;

/// Runs of one measurement: at least this many, and at least [`RUN_TIME_MIN`] in all.
const RUNS_MIN: usize = 9;

/// See [`RUNS_MIN`].
const RUN_TIME_MIN: Duration = Duration::from_millis(1500);

/// Median seconds of two procedures that answer the same question, run in turn.
pub(crate) struct Medians {
    /// Of the one measured.
    pub(crate) value: f64,
    /// Of the one it is compared with.
    pub(crate) reference: f64,
}

/// The median seconds of `run` and of `reference`. Either may fail; the first error ends it.
pub(crate) fn side_by_side<E>(
    mut run: impl FnMut() -> Result<(), E>,
    mut reference: impl FnMut() -> Result<(), E>,
) -> Result<Medians, E> {
    for _ in 0..WARM_UP_RUNS {
        run()?;
        reference()?;
    }
    let (mut values, mut references) = (Vec::new(), Vec::new());
    let began = Instant::now();
    while values.len() < RUNS_MIN || began.elapsed() < RUN_TIME_MIN {
        values.push(seconds(&mut run)?);
        references.push(seconds(&mut reference)?);
    }
    Ok(Medians { value: median(values), reference: median(references) })
}

/// The median seconds of `run`, where there is nothing to compare it with.
pub(crate) fn median_of<E>(mut run: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    Ok(side_by_side(&mut run, || Ok(()))?.value)
}

/// The choice whose runs have the least median: a limit is the best that plain code reaches, and
/// more threads are not always better.
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

fn median(mut values: Vec<f64>) -> f64 {
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
    fn the_median_is_the_middle_one() {
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
    }
}
