//! The steps of the store's threads, each on its own.

use millrace_store_embedded::Step;
use millrace_testkit::Rng;

use super::{Action, ORDINARY};
use crate::simulator::life::{Life, Lived};

pub(super) const LOG: Action =
    Action { name: "log", weight: 12, play: |life, _| step(life, Step::Log), ..ORDINARY };
pub(super) const APPLY: Action =
    Action { name: "apply", weight: 12, play: |life, _| step(life, Step::Apply), ..ORDINARY };
pub(super) const IDLE: Action =
    Action { name: "idle", weight: 3, play: |life, _| step(life, Step::Idle), ..ORDINARY };
pub(super) const NEXT_FILE: Action =
    Action { name: "next file", weight: 3, play: |life, _| step(life, Step::NextFile), ..ORDINARY };
pub(super) const FORGET: Action =
    Action { name: "forget", weight: 3, play: |life, _| step(life, Step::Forget), ..ORDINARY };
pub(super) const CHECKPOINT: Action = Action {
    name: "checkpoint",
    weight: 4,
    meets: &["checkpoints"],
    play: Life::checkpoint,
    ..ORDINARY
};

fn step(life: &mut Life, step: Step) -> Lived<()> {
    if life.open().delayed.is_some_and(|(delayed, _)| delayed == step) {
        life.coverage.note("steps that were put off");
        return Ok(());
    }
    life.tell(format_args!("step {step:?}"));
    match life.open().backend.step(step) {
        Ok(_) => Ok(()),
        Err(error) => life.bear(&error),
    }
}

/// Which steps may be put off.
pub(super) fn any_step(rng: &mut Rng) -> Step {
    *rng.pick(&[Step::Log, Step::Log, Step::Apply, Step::Apply, Step::Idle, Step::Forget])
}
