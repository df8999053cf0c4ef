//! `profile()`: the profile of the traversal, operator by operator, in place of its results; `profile(key)` keeps
//! the results, and `cap(key)` behind it returns the profile.
//!
//! It becomes no operator: it is taken off the end before a plan is made, and the runner of the plan
//! counts. Anywhere else it is an error.

use millrace_bytecode::{Bytecode, Instruction};
use millrace_model::Result;

use super::{cap, discard, is_call_of};
use crate::steps::Step;
use crate::translate::{Call, Traversal, names};

pub(super) const STEP: Step = Step::new("profile", translate);

fn translate(_traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    Err(call.wrong(
        "must be the last step, without an argument or with a key; only cap() of that key may follow \
         it",
    ))
}

/// A traversal without its `profile`.
pub struct Profiled {
    /// All of it but the `profile`, and the `cap` of its key.
    pub rest: Bytecode,
    /// Whether the profile is wanted in place of the results.
    pub wants_metrics: bool,
}

impl Profiled {
    /// A traversal that ends with `profile`; `None` for any other.
    pub fn of(bytecode: &Bytecode) -> Option<Profiled> {
        let steps = &bytecode.steps;
        let place = steps.iter().rposition(|step| is_call_of(step, &STEP))?;
        let (before, behind) = (&steps[..place], &steps[place + 1..]);
        let keys = names(&steps[place]).ok().filter(|keys| keys.len() <= 1)?;
        if before.is_empty() {
            return None;
        }
        let is_cap = |step: &Instruction| {
            is_call_of(step, &cap::STEP)
                && names(step).is_ok_and(|names| !names.is_empty() && names == keys)
        };
        let (is_asked, behind) = match behind {
            [cap, behind @ ..] if is_cap(cap) => (true, behind),
            behind => (keys.is_empty(), behind),
        };
        // Drivers that want no results add `discard()` behind it.
        let is_discarded = match behind {
            [] => false,
            [last] if is_call_of(last, &discard::STEP) => true,
            _ => return None,
        };
        let steps: Vec<Instruction> = before.iter().chain(behind).cloned().collect();
        let rest = Bytecode { sources: bytecode.sources.clone(), steps };
        Some(Profiled { rest, wants_metrics: is_asked && !is_discarded })
    }
}
