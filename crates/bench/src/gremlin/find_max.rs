//! The run that was asked for, or a search for the highest rate that meets the thresholds.

use millrace_model::Result;

use super::run::run;
use super::settings::{Model, Settings};
use crate::load::{Measured, Schedule, Step, search};

/// One run as it was asked for.
pub(super) fn once(settings: &Settings) -> Result<Measured> {
    run_as(settings, &settings.model)
}

/// Searches.
pub(super) fn find_max(settings: &Settings, on_step: &mut dyn FnMut(&Step)) -> Result<Measured> {
    let at_rate = &mut |rate: f64| {
        let warm_up = settings.warm_up.as_secs_f64();
        let schedule = Schedule::constant(rate, warm_up);
        let schedule = schedule.then_constant(rate, settings.measured.as_secs_f64());
        run_as(settings, &Model::Open(schedule))
    };
    let first = match &settings.model {
        Model::Open(schedule) => schedule.first_rate(),
        Model::Closed { .. } => 1.0,
    };
    search(first, at_rate, on_step)
}

fn run_as(settings: &Settings, model: &Model) -> Result<Measured> {
    let outcome = run(settings, model)?;
    let judgements = settings.thresholds.judge(&outcome);
    Ok(Measured::of(outcome, judgements))
}
