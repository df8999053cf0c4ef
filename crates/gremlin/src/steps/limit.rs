//! `limit(n)`: the first objects.

use millrace_model::Result;

use super::ranges::{Part, part};
use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal, integer, scope};

pub(super) const STEP: Step =
    Step::new("limit", translate).facts(&[Fact::KeepsPlace, Fact::SeesAll]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let (local, arguments) = scope(call.arguments());
    let [count] = arguments else { return Err(call.wrong("takes one number")) };
    let to = integer(call.instruction, count)?;
    part(traversal, call, local, Part::Range { from: 0, to })
}
