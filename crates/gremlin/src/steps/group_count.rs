//! `groupCount()`: how often each key comes, as a map; with a name, beside the traversal.

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr, Fold, Nulls, SideFold, SortKey, op};

use crate::steps::{Fact, Step};
use crate::translate::{At, By, Call, Kind, SideEffectKind, Traversal};

pub(super) const STEP: Step =
    Step::new("groupCount", translate).modulators(&["by"]).facts(&[Fact::Waits, Fact::SeesAll]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let bys = By::all(&call.modulators)?;
    call.check_single_by("GroupCount")?;
    let key = traversal.by_column(bys.first().unwrap_or(&By::Identity), at)?;
    traversal.keep_present(key.column);
    match call.names()?.as_slice() {
        [] => {
            let map = counts(traversal, key);
            traversal.reduced(map, Kind::Map);
        }
        [name] => {
            let value = Expr::Column(key.column);
            let fold = SideFold::Bag;
            traversal.plan.push(op::SideEffect { name: name.clone(), value, fold });
            let kind = SideEffectKind::GroupCount;
            traversal.shared.side_effects.insert(name.clone(), kind);
        }
        _ => return Err(call.wrong("takes one name")),
    }
    Ok(())
}

/// A map of how often each key comes. Elements are sorted, as no other order is promised: the counted
/// rows then need no order, and a frontier of a hundred thousand goes through memory from front to back.
pub(super) fn counts(traversal: &mut Traversal<'_>, key: At) -> ColumnId {
    let count = traversal.plan.aggregate(&[key.column], "count", Fold::Count);
    if let Kind::Vertex | Kind::Edge = key.kind {
        let by = Expr::Column(key.column);
        traversal
            .plan
            .push(op::Sort { keys: vec![SortKey { by, descending: false, nulls: Nulls::First }] });
    }
    traversal.collect_map(key.column, Expr::Column(count))
}
