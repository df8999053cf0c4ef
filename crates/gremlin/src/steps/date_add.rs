//! `dateAdd(unit, count)`: timestamps so many units later.

use millrace_bytecode::SymbolFamily;
use millrace_model::Result;
use millrace_plan::functions::Wanted;
use millrace_plan::{Expr, Function};

use super::texts::{each, require};
use crate::steps::Step;
use crate::translate::{Call, Traversal, integer, symbol};

pub(super) const STEP: Step = Step::new("dateAdd", translate).arguments(2, 2);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let unit = match symbol(&call.arguments()[0], SymbolFamily::DateTimePart) {
        Some("second") => 1,
        Some("minute") => 60,
        Some("hour") => 3_600,
        Some("day") => 86_400,
        _ => return Err(call.wrong("takes a unit, such as DT.day, and a count")),
    };
    let count = integer(call.instruction, &call.arguments()[1])?;
    let Some(seconds) = count.checked_mul(unit) else {
        return Err(call.wrong("goes beyond the range of dates"));
    };
    each(traversal, call, &|value| {
        let message = "dateAdd() accepts only DateTime";
        let timestamp = require(Wanted::Timestamp, value, Some(message), message);
        Expr::call(Function::AddSeconds, vec![timestamp, Expr::literal(seconds)])
    })
}
