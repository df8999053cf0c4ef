//! `value()`: the value of a property, or of a map's pair.

use millrace_model::{Result, Token};

use super::properties::{is_property, parts};
use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal, elements};

pub(super) const STEP: Step = Step { name: "value", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(0, 0)?;
    let at = traversal.at(call)?;
    if is_property(at) {
        let parts = parts(traversal, call)?;
        traversal.moved(parts.value, Kind::Any);
        return Ok(());
    }
    traversal.moved_to("value", elements::token(at, Token::Value), Kind::Any);
    Ok(())
}
