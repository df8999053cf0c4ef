//! `path()`: where the traverser has been.

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step = Step { name: "path", modulators: &["by", "from", "to"], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let path = traversal.state.path.ok_or_else(|| call.wrong("cannot be the first step"))?;
    if !call.modulators.is_empty() {
        return Err(call.refused("with by(), from() or to() is not supported"));
    }
    traversal.moved(path, Kind::Path);
    Ok(())
}
