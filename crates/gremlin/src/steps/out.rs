//! `out(labels)`: to neighbours.

use millrace_model::{Direction, Result};

use super::hops::{Reached, hop};
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "out", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    hop(traversal, call, Direction::Out, Reached::Vertex)
}
