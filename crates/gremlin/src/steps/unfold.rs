//! `unfold()`: the entries of collections, each by itself.

use millrace_model::Result;

use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("unfold", translate).facts(&[Fact::Spreads]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(0, 0)?;
    let at = traversal.at(call)?;
    let entries = traversal.entries(at);
    traversal.moved(entries.column, entries.kind);
    Ok(())
}
