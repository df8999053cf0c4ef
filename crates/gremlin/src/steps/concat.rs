//! `concat(texts)`: texts with others behind them; null is left out.

use millrace_bytecode::Argument;
use millrace_model::Result;
use millrace_plan::functions::Wanted;
use millrace_plan::{Expr, Function};

use super::texts::require;
use crate::steps::{MANY, Step};
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step = Step::new("concat", translate).arguments(0, MANY);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let mut texts = vec![text(Expr::Column(at.column))];
    for argument in call.arguments() {
        let found = match argument {
            Argument::Bytecode(inner) => Expr::Column(traversal.first_of(at, inner)?.column),
            value => traversal.value(call.instruction, value)?,
        };
        texts.push(text(found));
    }
    let whole = Expr::call(Function::ConcatNonNull, texts);
    traversal.moved_to("concat", whole, Kind::Scalar);
    Ok(())
}

fn text(value: Expr) -> Expr {
    require(Wanted::Text, value, None, "String concat() can only take string as argument")
}
