//! `properties(keys)`: to the properties of an element.

use millrace_model::Result;
use millrace_plan::{Expr, Function, Op};

use super::path::entry_at;
use crate::steps::Step;
use crate::translate::{At, Call, Kind, Parts, Traversal, elements};

pub(super) const STEP: Step = Step { name: "properties", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let owner = traversal.at(call)?;
    if owner.kind == Kind::Property {
        // A property of a vertex has none of its own here.
        traversal.plan.push(Op::Range { from: 0, to: Some(0) });
        return Ok(());
    }
    let keys = Some(call.keys()?).filter(|keys| !keys.is_empty());
    let pair = traversal.plan.column("pair");
    let all = Expr::call(Function::Unfold, vec![elements::properties(owner, keys)]);
    traversal.plan.push(Op::Unwind { list: all, to: pair, position: None });
    let part = |function| entry_at(Expr::call(function, vec![Expr::Column(pair)]), 0);
    let key = traversal.project("key", part(Function::Keys));
    let value = traversal.project("value", part(Function::Values));
    let parts = [owner.column, key, value].map(Expr::Column).to_vec();
    traversal.moved_to("property", Expr::call(Function::PropertyOf, parts), Kind::Property);
    traversal.state.property = Some(Parts { owner, key, value });
    Ok(())
}

/// The parts of the property that traversers are at.
pub(super) fn parts(traversal: &Traversal<'_>, call: &Call<'_>) -> Result<Parts> {
    let refused = || call.refused("is supported directly behind properties() only");
    traversal.state.property.ok_or_else(refused)
}

/// Whether traversers are at properties.
pub(super) fn is_property(at: At) -> bool {
    at.kind == Kind::Property
}
