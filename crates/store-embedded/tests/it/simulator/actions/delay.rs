//! A step is not done for a while, whatever is asked for.

use millrace_testkit::Rng;

use super::steps::any_step;
use super::{Action, ORDINARY};
use crate::simulator::life::{Life, Lived};

pub(super) const DELAY: Action = Action {
    name: "delay",
    weight: 2,
    is_fault: true,
    meets: &["steps that were put off"],
    play,
    ..ORDINARY
};

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let (step, actions) = (any_step(rng), 5 + rng.below(25));
    life.tell(format_args!("{step:?} is put off for {actions} actions"));
    life.open().delayed = Some((step, actions));
    Ok(())
}
