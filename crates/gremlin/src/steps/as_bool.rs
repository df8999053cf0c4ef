//! `asBool()`: numbers and texts as true or false.

use millrace_model::Result;
use millrace_plan::functions::Wanted;
use millrace_plan::{Expr, Function};

use super::texts::{each, require};
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("asBool", translate).arguments(0, 0);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    each(traversal, call, &|value| {
        let value = require(Wanted::Anything, value, Some("Can't parse null as Boolean."), "");
        Expr::call(Function::AsCondition, vec![value])
    })
}
