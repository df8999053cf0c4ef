//! `outV()`: to an end of an edge.

use millrace_model::Result;
use millrace_plan::End;

use super::hops::end_of;
use crate::steps::{Fact, Leads, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step =
    Step::new("outV", translate).arguments(0, 0).leads(Leads::Vertices).facts(&[Fact::Spreads]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    end_of(traversal, call, End::Source)
}
