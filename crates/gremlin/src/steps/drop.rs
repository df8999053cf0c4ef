//! `drop()`: deletes elements and properties.

use millrace_model::{Result, Value};
use millrace_plan::{Expr, Function, Op, Properties};

use super::properties::is_property;
use super::property::{change_kept, write_own};
use crate::steps::Step;
use crate::translate::{At, Call, Kind, Traversal, properties};

pub(super) const STEP: Step = Step { name: "drop", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(0, 0)?;
    let at = traversal.at(call)?;
    if is_property(at) {
        drop_property(traversal, call, at)?;
    } else {
        traversal.plan.push(Op::Delete { element: Expr::Column(at.column), detach: true });
    }
    traversal.plan.push(Op::Range { from: 0, to: Some(0) });
    Ok(())
}

fn drop_property(traversal: &mut Traversal<'_>, call: &Call<'_>, at: At) -> Result<()> {
    let refused = || call.refused("is supported directly behind properties() only");
    let parts = traversal.parts_of(at).ok_or_else(refused)?;
    match parts.owner.kind {
        // Null is no property.
        Kind::Edge => {
            let gone = Expr::List(vec![Expr::Column(parts.key), Expr::Literal(Value::Null)]);
            let map = Expr::call(Function::MapOfPairs, vec![Expr::List(vec![gone])]);
            let properties = Properties { keyed: Vec::new(), map: Some(map) };
            let element = parts.owner.column;
            traversal.plan.push(Op::Set { element, properties, replace: false });
        }
        Kind::Property => {
            let null = Expr::Literal(Value::Null);
            write_own(traversal, parts.owner, Expr::Column(parts.key), null);
        }
        _ => change_kept(traversal, at, |kept| {
            Expr::call(Function::RemoveEntry, vec![kept, properties::ordinal_of(at)])
        }),
    }
    Ok(())
}
