//! `aggregate(name)`: collects objects beside the traversal.

use millrace_model::Result;
use millrace_plan::{Expr, Op, SideFold};

use crate::steps::Step;
use crate::translate::{By, Call, SideEffectKind, Traversal, name, scope};

pub(super) const STEP: Step = Step { name: "aggregate", modulators: &["by"], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let (_, arguments) = scope(call.arguments());
    let [argument] = arguments else { return Err(call.wrong("takes one name")) };
    let name = name(call.instruction, argument)?;
    let bys = By::all(&call.modulators)?;
    call.check_single_by("Aggregate")?;
    let found = traversal.by_column(bys.first().unwrap_or(&By::Identity), at)?;
    let value = Expr::Column(found.column);
    traversal.plan.push(Op::SideEffect { name: name.clone(), value, fold: SideFold::List });
    traversal.shared.side_effects.entry(name).or_insert(SideEffectKind::List);
    Ok(())
}
