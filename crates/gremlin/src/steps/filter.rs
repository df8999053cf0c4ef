//! `filter(traversal)`: keeps objects for which a traversal has a result.

use millrace_bytecode::Bytecode;
use millrace_model::Result;
use millrace_plan::{ApplyKind, op};

use crate::steps::{Fact, Parameters, Step};
use crate::translate::{At, Call, State, Traversal};

pub(super) const STEP: Step =
    Step::new("filter", translate).parameters(Parameters::Operands).facts(&[Fact::KeepsPlace]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    match call.traversal() {
        Some(inner) => keep_where(traversal, at, inner),
        None => Err(call.wrong("takes a traversal")),
    }
}

/// Keeps rows for which a traversal has a result.
pub(super) fn keep_where(traversal: &mut Traversal<'_>, from: At, inner: &Bytecode) -> Result<()> {
    let state = State { at: Some(from), ..traversal.state.clone() };
    let sub = traversal.sub_from(state, |sub| sub.run(inner))?;
    traversal.plan.push(op::Apply { sub: sub.pipeline, kind: ApplyKind::Exists });
    Ok(())
}
