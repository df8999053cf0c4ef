//! `split(separator)`: the parts of texts between separators; of null between white space.

use millrace_model::{Result, Value};
use millrace_plan::{Expr, Function};

use super::texts::each_text;
use crate::steps::Step;
use crate::translate::{Call, Traversal, scope, text_or_null};

pub(super) const STEP: Step = Step::new("split", translate);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let (_, rest) = scope(call.arguments());
    let [separator] = rest else { return Err(call.wrong("takes a scope and a separator")) };
    let separator = text_or_null(call.instruction, separator)?;
    each_text(traversal, call, &|text| match &separator {
        Value::Null => Expr::call(Function::Words, vec![text]),
        separator => Expr::call(Function::Split, vec![text, Expr::Literal(separator.clone())]),
    })
}
