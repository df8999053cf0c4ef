//! `inV()`: to an end of an edge.

use millrace_model::Result;
use millrace_plan::End;

use super::hops::end_of;
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "inV", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(0, 0)?;
    end_of(traversal, call, End::Target)
}
