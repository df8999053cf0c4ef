//! The decisions of one seed, as a list that can be shortened: which actions, in which order, each
//! with the seed of its own choices.
//!
//! An action's choices depend on its own seed and on the state it finds, never on how many random
//! numbers others took. So taking one out leaves the others as they were, as far as that can be.

use millrace_testkit::Rng;

use super::actions::{ACTIONS, Action, RESTART};

const LIVES: std::ops::Range<u64> = 2..5;
const ACTIONS_PER_LIFE: std::ops::Range<u64> = 40..110;

/// One decision.
#[derive(Clone, Copy)]
pub(super) struct Act {
    pub(super) action: &'static Action,
    pub(super) seed: u64,
}

/// A whole seed.
#[derive(Clone)]
pub(super) struct Script {
    /// Of the settings of the folder, and of the machine.
    pub(super) seed: u64,
    pub(super) acts: Vec<Act>,
}

impl Script {
    /// The decisions of a seed.
    pub(super) fn of(seed: u64) -> Script {
        let mut rng = Rng::new(seed);
        let total: u64 = ACTIONS.iter().map(|action| action.weight).sum();
        let mut acts = Vec::new();
        for _ in 0..rng.range(LIVES) {
            for _ in 0..rng.range(ACTIONS_PER_LIFE) {
                let action = by_weight(rng.below(total));
                acts.push(Act { action, seed: rng.next_u64() });
            }
            acts.push(Act { action: &RESTART, seed: rng.next_u64() });
        }
        Script { seed, acts }
    }
}

fn by_weight(mut ticket: u64) -> &'static Action {
    for action in ACTIONS {
        if ticket < action.weight {
            return action;
        }
        ticket -= action.weight;
    }
    unreachable!("tickets are below the sum of the weights")
}
