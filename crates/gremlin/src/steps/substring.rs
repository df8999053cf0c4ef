//! `substring(start, end)`: characters of texts from a place up to another; places below 0 are counted
//! from the end.

use millrace_model::Result;
use millrace_plan::functions::{IndexMode, Outside};
use millrace_plan::{Expr, Function};

use super::texts::each_text;
use crate::steps::Step;
use crate::translate::{Call, Traversal, integer, scope};

pub(super) const STEP: Step = Step::new("substring", translate);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let (_, rest) = scope(call.arguments());
    if !(1..=2).contains(&rest.len()) {
        return Err(call.wrong("takes a scope, a start and an end"));
    }
    let places = rest.iter().map(|place| integer(call.instruction, place).map(Expr::literal));
    let places: Vec<Expr> = places.collect::<Result<_>>()?;
    let mode = IndexMode { first: 0, from_end: true, outside: Outside::Missing };
    each_text(traversal, call, &|text| {
        let arguments = std::iter::once(text).chain(places.iter().cloned());
        Expr::call(Function::Slice(mode), arguments.collect())
    })
}
