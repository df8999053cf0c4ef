//! `id()`: its id.

use millrace_model::{Result, Token};

use crate::steps::{Fact, Step};
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step = Step::new("id", translate).arguments(0, 0).facts(&[Fact::GivesId]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let id = traversal.token(at, Token::Id);
    traversal.moved_to("id", id, Kind::Scalar);
    Ok(())
}
