//! `tail(n)`: the last objects.

use millrace_model::Result;

use super::ranges::{Part, part};
use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal, integer, scope};

pub(super) const STEP: Step = Step::new("tail", translate).facts(&[Fact::Waits, Fact::SeesAll]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let (local, arguments) = scope(call.arguments());
    let count = match arguments {
        [] => 1,
        [count] => integer(call.instruction, count)?,
        _ => return Err(call.wrong("takes one number")),
    };
    part(traversal, call, local, Part::Tail { count })
}
