//! `inject(values)`: values, before what there is; behind it where it begins a traversal inside another.

use millrace_model::Result;
use millrace_plan::{Expr, Function, Op};

use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step = Step { name: "inject", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let values = call.arguments().iter().map(|value| traversal.value(call.instruction, value));
    let values = Expr::List(values.collect::<Result<_>>()?);
    let list = match traversal.state.at {
        None => values,
        Some(_) if carries(traversal) => {
            let detail =
                "behind other steps is not supported where tags, paths or sacks are in use";
            return Err(call.refused(detail));
        }
        Some(at) => {
            let all = traversal.collect_list(Expr::Column(at.column));
            let all = Expr::Column(all);
            let lists = if call.is_first { vec![all, values] } else { vec![values, all] };
            Expr::call(Function::ConcatLists, lists)
        }
    };
    traversal.state.forget();
    let to = traversal.plan.column("injected");
    traversal.plan.push(Op::Unwind { list, to, position: None });
    traversal.moved(to, Kind::Any);
    Ok(())
}

/// Whether traversers carry what would be lost with the list that they become.
fn carries(traversal: &Traversal<'_>) -> bool {
    let state = &traversal.state;
    !state.tags.is_empty() || state.path.is_some() || state.sack.is_some()
}
