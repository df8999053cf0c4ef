//! `hasKey(values)`: keeps properties by their keys.

use millrace_model::{Result, Token};
use millrace_plan::Expr;

use crate::steps::{Fact, MANY, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step =
    Step::new("hasKey", translate).arguments(1, MANY).facts(&[Fact::NamesKeys, Fact::TestsElement]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let own = traversal.token(at, Token::Key);
    let tests = call.arguments().iter();
    let any = tests.map(|test| traversal.passes(call.instruction, own.clone(), test));
    let any = any.collect::<Result<_>>()?;
    traversal.plan.filter(Expr::Or(any));
    Ok(())
}
