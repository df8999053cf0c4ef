//! `bothV()`: to both ends of an edge, source first.

use millrace_model::Result;

use super::hops::both_ends;
use crate::steps::{Fact, Leads, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step =
    Step::new("bothV", translate).arguments(0, 0).leads(Leads::Vertices).facts(&[Fact::Spreads]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    both_ends(traversal, call)
}
