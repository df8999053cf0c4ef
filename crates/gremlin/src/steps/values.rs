//! `values(keys)`: the values of properties, key by key.

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr, Function, Op};

use crate::steps::Step;
use crate::translate::elements::{self, properties};
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step = Step { name: "values", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let keys = call.keys()?;
    let values = match keys.as_slice() {
        [key] => {
            let value = traversal.project(key, elements::property(at, key));
            traversal.keep_present(value);
            value
        }
        [] => entries(traversal, Expr::call(Function::Values, vec![properties(at, None)])),
        keys => {
            let values = keys.iter().map(|key| elements::property(at, key)).collect();
            entries(traversal, Expr::List(values))
        }
    };
    traversal.moved(values, Kind::Any);
    Ok(())
}

fn entries(traversal: &mut Traversal<'_>, list: Expr) -> ColumnId {
    let to = traversal.plan.column("value");
    traversal.plan.push(Op::Unwind { list, to, position: None });
    to
}
