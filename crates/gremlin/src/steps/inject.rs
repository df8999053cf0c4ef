//! `inject(values)`: values before the objects of the traversal; behind them where it begins an inner traversal.

use millrace_model::{Result, Value};
use millrace_plan::{Expr, Fold, Function, op};

use crate::steps::{Fact, MANY, Parameters, Step};
use crate::translate::{At, Call, Kind, Traversal};

pub(super) const STEP: Step = Step::new("inject", translate)
    .arguments(0, MANY)
    .parameters(Parameters::All)
    .facts(&[Fact::Begins]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let values = call.arguments().iter().map(|value| traversal.value(call.instruction, value));
    let values = values.collect::<Result<Vec<Expr>>>()?;
    if traversal.state.at.is_some() {
        return beside(traversal, call, values);
    }
    let to = traversal.plan.column("injected");
    traversal.plan.push(op::Unwind { list: Expr::List(values), to, position: None });
    traversal.moved(to, Kind::Any);
    Ok(())
}

/// Values beside traversers. The traversers keep their state; the values begin with the first sack alone.
fn beside(traversal: &mut Traversal<'_>, call: &Call<'_>, values: Vec<Expr>) -> Result<()> {
    if !traversal.state.loops.is_empty() {
        return Err(call.refused("inside a repeat() is not supported"));
    }
    traversal.sack();
    let list = traversal.carried_list();
    let all = traversal.plan.aggregate(&[], "all", Fold::Collect(list));
    let null = Expr::Literal(Value::Null);
    let sack = traversal.shared.sack.clone().unwrap_or_else(|| null.clone());
    let injected = values.into_iter().map(|value| {
        let state = &traversal.state;
        let nothing = state.tags.len() + usize::from(state.path.is_some());
        let nothing = std::iter::repeat_n(null.clone(), nothing);
        let sack = state.sack.map(|_| sack.clone());
        Expr::List(std::iter::once(value).chain(nothing).chain(sack).collect())
    });
    let (all, injected) = (Expr::Column(all), Expr::List(injected.collect()));
    let lists = if call.is_first { vec![all, injected] } else { vec![injected, all] };
    traversal.carry_again(Expr::call(Function::ConcatLists, lists));
    traversal.state.tags.values_mut().for_each(|tag| {
        tag.may_miss = true;
        tag.at.kind = Kind::Any;
    });
    let Some(at) = traversal.state.at else { return Ok(()) };
    if let Some(path) = traversal.state.path {
        let own = traversal.plan.path(None, Some(at.column), &[], "path");
        let none = Expr::IsNull(Box::new(Expr::Column(path)));
        let branches = vec![(none, Expr::Column(own))];
        let either = Expr::Case { branches, otherwise: Some(Box::new(Expr::Column(path))) };
        traversal.state.path = Some(traversal.plan.project("path", either));
    }
    traversal.state.at = Some(At::new(at.column, Kind::Any));
    Ok(())
}
