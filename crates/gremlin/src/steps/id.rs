//! `id()`: its id.

use millrace_model::{Result, Token};

use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal, elements};

pub(super) const STEP: Step = Step { name: "id", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(0, 0)?;
    let at = traversal.at(call)?;
    traversal.moved_to("id", elements::token(at, Token::Id), Kind::Scalar);
    Ok(())
}
