//! The life ends, well or badly, and the next begins.

use millrace_testkit::Rng;

use super::{Action, ORDINARY};
use crate::simulator::life::{Life, Lived};

/// Rare among the others; every life ends with one.
pub(crate) const RESTART: Action = Action {
    name: "restart",
    weight: 1,
    is_fault: true,
    ends_life: true,
    play: |life: &mut Life, rng: &mut Rng| -> Lived<()> { life.restart(rng) },
    ..ORDINARY
};
