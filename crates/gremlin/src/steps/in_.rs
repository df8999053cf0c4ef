//! `in(labels)`: to neighbours.

use millrace_model::{Direction, Result};

use super::hops::{Reached, hop};
use crate::steps::{Fact, Leads, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("in", translate)
    .leads(Leads::Neighbours { edges: "inE", ends: "outV" })
    .facts(&[Fact::Spreads]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    hop(traversal, call, Direction::In, Reached::Vertex)
}
