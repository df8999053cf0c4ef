//! `key()`: the key of a property, or of a map's pair.

use millrace_model::{Result, Token};

use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step = Step::new("key", translate).arguments(0, 0);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let key = traversal.token(at, Token::Key);
    traversal.moved_to("key", key, Kind::Any);
    Ok(())
}
