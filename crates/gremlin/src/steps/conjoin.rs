//! `conjoin(separator)`: the entries of a list as one text with a separator between them.

use millrace_model::{Result, Value};
use millrace_plan::{Expr, Function};

use super::operands::own_entries;
use super::texts::each;
use crate::steps::Step;
use crate::translate::{Call, Traversal, text_or_null};

pub(super) const STEP: Step = Step::new("conjoin", translate).arguments(1, 1);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let separator = text_or_null(call.instruction, &call.arguments()[0])?;
    if separator == Value::Null {
        return Err(call.wrong("takes a separator that is not null"));
    }
    each(traversal, call, &|value| {
        let arguments = vec![own_entries(call, value), Expr::Literal(separator.clone())];
        Expr::call(Function::JoinDisplay, arguments)
    })
}
