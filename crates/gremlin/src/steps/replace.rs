//! `replace(old, new)`: texts with each occurrence of one text replaced by another.

use millrace_model::{Result, Value};
use millrace_plan::{Expr, Function};

use super::texts::each_text;
use crate::steps::Step;
use crate::translate::{Call, Traversal, scope, text_or_null};

pub(super) const STEP: Step = Step::new("replace", translate);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let (_, rest) = scope(call.arguments());
    let [old, new] = rest else { return Err(call.wrong("takes a scope and two texts")) };
    let [old, new] = [old, new].map(|text| text_or_null(call.instruction, text));
    let (old, new) = (old?, new?);
    if old == Value::Null || new == Value::Null {
        return each_text(traversal, call, &|text| text);
    }
    each_text(traversal, call, &|text| {
        let others = [&old, &new].map(|text| Expr::Literal(text.clone()));
        Expr::call(Function::Replace, std::iter::once(text).chain(others).collect())
    })
}
