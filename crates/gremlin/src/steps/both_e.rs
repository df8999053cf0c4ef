//! `bothE(labels)`: to edges.

use millrace_model::{Direction, Result};

use super::hops::{Reached, hop};
use crate::steps::{Leads, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("bothE", translate).leads(Leads::IncidentEdges);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    hop(traversal, call, Direction::Both, Reached::Edge)
}
