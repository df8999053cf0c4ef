//! `skip(n)`: all but the first objects.

use millrace_model::Result;

use super::ranges::{Part, part};
use crate::steps::Step;
use crate::translate::{Call, Traversal, integer, scope};

pub(super) const STEP: Step = Step::new("skip", translate);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let (local, arguments) = scope(call.arguments());
    let [count] = arguments else { return Err(call.wrong("takes one number")) };
    let from = integer(call.instruction, count)?;
    part(traversal, call, local, Part::Range { from, to: -1 })
}
