//! FilePositions a failing script down to a short one that fails still (delta debugging, Zeller
//! 1999).
//!
//! First everything that is no fault, in ever smaller pieces; then the faults. Any failure will do:
//! insisting on the same words would keep scripts long for the sake of a number in them.

use super::script::{Act, Script};

/// How often a script is tried at most: a second or two for most, and never for ever.
const TRIES_MAX: usize = 600;

/// The shortest script found that `fails`, given one that does.
pub(super) fn shrink(script: &Script, mut fails: impl FnMut(&Script) -> bool) -> Script {
    let mut short = script.clone();
    let mut tries = TRIES_MAX;
    let mut before = usize::MAX;
    while short.acts.len() < before && tries != 0 {
        before = short.acts.len();
        for faults in [false, true] {
            shorten(&mut short, &mut tries, &mut fails, |act| act.action.is_fault == faults);
        }
    }
    short
}

/// Takes out as many as it can of the acts that `may_go`.
fn shorten(
    script: &mut Script,
    tries: &mut usize,
    fails: &mut impl FnMut(&Script) -> bool,
    may_go: impl Fn(&Act) -> bool,
) {
    let mut piece = script.acts.len().next_power_of_two() / 2;
    while 0 < piece {
        // From the end: the last acts explain least of those before them.
        let mut end = script.acts.len();
        while 0 < end && *tries != 0 {
            let start = end.saturating_sub(piece);
            let mut shorter = script.clone();
            let inside = |place: usize| start <= place && place < end;
            let mut place = 0;
            shorter.acts.retain(|act| {
                place += 1;
                !(inside(place - 1) && may_go(act))
            });
            if shorter.acts.len() < script.acts.len() {
                *tries -= 1;
                if fails(&shorter) {
                    *script = shorter;
                }
            }
            end = start.min(script.acts.len());
        }
        piece /= 2;
    }
}
