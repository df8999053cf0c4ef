//! `asDate()`: texts by ISO 8601, and milliseconds from 1970, as timestamps.

use millrace_model::Result;
use millrace_plan::functions::Wanted;
use millrace_plan::{Expr, Function};

use super::texts::{each, require};
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("asDate", translate).arguments(0, 0);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    each(traversal, call, &|value| {
        let value = require(Wanted::Anything, value, Some("Can't parse null as DateTime."), "");
        Expr::call(Function::ToDatetime, vec![value])
    })
}
