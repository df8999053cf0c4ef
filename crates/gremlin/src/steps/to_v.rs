//! `toV(direction)`: to an end of an edge, or to both.

use millrace_model::{Direction, Result};
use millrace_plan::End;

use super::hops::{both_ends, end_of};
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("toV", translate).arguments(1, 1);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    match super::to::direction(call, &call.arguments()[0])? {
        Direction::Out => end_of(traversal, call, End::Source),
        Direction::In => end_of(traversal, call, End::Target),
        Direction::Both => both_ends(traversal, call),
    }
}
