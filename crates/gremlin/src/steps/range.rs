//! `range(from, to)`: objects from a place to another.

use millrace_model::Result;

use super::ranges::{Part, part};
use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal, integer, scope};

pub(super) const STEP: Step = Step::new("range", translate).facts(&[Fact::SeesAll]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let (local, arguments) = scope(call.arguments());
    let [from, to] = arguments else { return Err(call.wrong("takes two numbers")) };
    let from = integer(call.instruction, from)?;
    let to = integer(call.instruction, to)?;
    part(traversal, call, local, Part::Range { from, to })
}
