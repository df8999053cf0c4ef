//! `bothV()`: to both ends of an edge, source first.

use millrace_model::Result;

use super::hops::both_ends;
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "bothV", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(0, 0)?;
    both_ends(traversal, call)
}
