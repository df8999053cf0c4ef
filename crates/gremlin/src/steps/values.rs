//! `values(keys)`: the values of properties, key by key.

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr, Function, op};

use super::properties::is_property;
use crate::steps::{Fact, Step};
use crate::translate::elements::{self, properties};
use crate::translate::{At, Call, Kind, Traversal};

pub(super) const STEP: Step =
    Step::new("values", translate).facts(&[Fact::NamesKeys, Fact::GivesValues, Fact::Spreads]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let at = if is_property(at) { traversal.own_properties(at) } else { at };
    let keys = call.keys()?;
    let values = match keys.as_slice() {
        [key] => {
            let value = traversal.project(key, elements::stored(at, key));
            traversal.keep_present(value);
            value
        }
        [] => entries(traversal, Expr::call(Function::Values, vec![all(at)])),
        keys => {
            let values = keys.iter().map(|key| elements::stored(at, key)).collect();
            entries(traversal, Expr::List(values))
        }
    };
    let values = match at.kind {
        Kind::Edge | Kind::Map => values,
        _ => {
            let to = traversal.plan.column("value");
            let property = Expr::Column(values);
            traversal.plan.push(op::UnwindValues { property, to, ordinal: None });
            to
        }
    };
    traversal.moved(values, Kind::Any);
    Ok(())
}

fn all(at: At) -> Expr {
    if at.kind == Kind::Map { Expr::Column(at.column) } else { properties(at, None) }
}

fn entries(traversal: &mut Traversal<'_>, list: Expr) -> ColumnId {
    let to = traversal.plan.column("value");
    traversal.plan.push(op::Unwind { list, to, position: None });
    to
}
