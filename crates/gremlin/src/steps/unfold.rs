//! `unfold()`: the entries of collections, each by itself.

use millrace_model::Result;

use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step =
    Step::new("unfold", translate).arguments(0, 0).facts(&[Fact::Spreads]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let entries = traversal.entries(at);
    traversal.moved(entries.column, entries.kind);
    Ok(())
}
