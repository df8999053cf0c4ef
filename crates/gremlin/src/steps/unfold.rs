//! `unfold()`: the entries of collections, each by itself.

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "unfold", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(0, 0)?;
    let at = traversal.at(call)?;
    let entries = traversal.entries(at);
    traversal.moved(entries.column, entries.kind);
    Ok(())
}
