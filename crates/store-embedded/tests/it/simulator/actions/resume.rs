//! Suspended work goes on for a few operations of the disk.

use millrace_testkit::Rng;

use super::{Action, ORDINARY};
use crate::simulator::life::{Life, Lived};

pub(super) const RESUME: Action = Action { name: "resume", weight: 8, play, ..ORDINARY };

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let suspended = life.open().suspended.len();
    if suspended == 0 {
        return Ok(());
    }
    let suspended = life.open().suspended.remove(rng.index(suspended));
    life.resume(suspended, rng.below(8))
}
