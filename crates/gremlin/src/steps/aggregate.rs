//! `aggregate(name)`: collects objects beside the traversal.

use millrace_model::Result;
use millrace_plan::functions::Reduction;
use millrace_plan::{Comparison, Expr, Fold, Function, Name, SideFold, op};

use crate::steps::{Fact, Step};
use crate::translate::{By, Call, SideEffectKind, Traversal, name, scope};

pub(super) const STEP: Step = Step::new("aggregate", translate).modulators(&["by"]).facts(&[
    Fact::KeepsPlace,
    Fact::Collects,
    Fact::Waits,
]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let (_, arguments) = scope(call.arguments());
    let [argument] = arguments else { return Err(call.wrong("takes one name")) };
    let name = name(call.instruction, argument)?;
    let bys = By::all(&call.modulators)?;
    call.check_single_by("Aggregate")?;
    let assigns = matches!(
        traversal.shared.side_effects.get(&name),
        Some(SideEffectKind::Reduced(Reduction::Last))
    );
    let found = traversal.by_column(bys.first().unwrap_or(&By::Identity), at)?;
    let value = Expr::Column(found.column);
    if assigns {
        assign(traversal, name, value);
        return Ok(());
    }
    let fold = match traversal.shared.seeds.contains_key(&name) {
        true => SideFold::List,
        false => traversal.state.side_fold(),
    };
    traversal.plan.push(op::SideEffect { name: name.clone(), value, fold });
    traversal.shared.side_effects.entry(name).or_insert(SideEffectKind::List);
    Ok(())
}

/// Collects a list of all of the scope. It replaces the list that was collected before: the last one counts.
fn assign(traversal: &mut Traversal<'_>, name: Name, value: Expr) {
    let [rows, list] = ["rows", "list"].map(|name| traversal.plan.column(name));
    let all = Fold::Collect(traversal.carried_list());
    let folds = vec![(rows, all), (list, Fold::Collect(value))];
    traversal.plan.push(op::Aggregate { keys: Vec::new(), folds });
    let size = Expr::call(Function::Size, vec![Expr::Column(rows)]);
    traversal.plan.filter(Expr::compare(Comparison::Greater, size, Expr::literal(0_i64)));
    let (value, fold) = (Expr::Column(list), SideFold::List);
    traversal.plan.push(op::SideEffect { name, value, fold });
    traversal.carry_again(Expr::Column(rows));
}
