//! `length()`: how many characters texts have.

use millrace_model::Result;
use millrace_plan::{Expr, Function};

use super::texts::each_text;
use crate::steps::Step;
use crate::translate::{Call, Traversal, scope};

pub(super) const STEP: Step = Step::new("length", translate);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let (_, rest) = scope(call.arguments());
    if !rest.is_empty() {
        return Err(call.wrong("takes a scope or no argument"));
    }
    each_text(traversal, call, &|text| {
        let size = Expr::call(Function::Size, vec![text]);
        Expr::call(Function::ToInt, vec![size])
    })
}
