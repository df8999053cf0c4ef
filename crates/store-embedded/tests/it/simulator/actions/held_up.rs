//! Work that was held up goes on for a few operations of the disk.

use millrace_testkit::Rng;

use super::{Action, ORDINARY};
use crate::simulator::life::{Life, Lived};

pub(super) const GO_ON: Action = Action { name: "go on", weight: 8, play, ..ORDINARY };

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let held = life.open().held.len();
    if held == 0 {
        return Ok(());
    }
    let held = life.open().held.remove(rng.index(held));
    life.let_on(held, rng.below(8))
}
