//! `propertyMap(keys)`: a map of an element's properties, as things: lists of them, but for an edge's.

use millrace_model::Result;
use millrace_plan::{ApplyKind, Expr, Fold, Function, Op};

use super::properties::pairs;
use crate::steps::Step;
use crate::translate::properties::thing;
use crate::translate::{Call, Kind, Parts, State, Traversal, elements};

pub(super) const STEP: Step = Step { name: "propertyMap", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let owner = traversal.at(call)?;
    let keys = Some(call.keys()?).filter(|keys| !keys.is_empty());
    if owner.kind == Kind::Property {
        return Err(call.refused("of a property is not supported"));
    }
    let all = elements::properties(owner, keys);
    let mut made = None;
    let state: State = traversal.state.clone();
    let sub = traversal.sub_from(state, |inner| {
        let (key, kept) = pairs(inner, all);
        let parts = if owner.kind == Kind::Edge {
            Parts { owner, key, value: kept, entry: None }
        } else {
            let (value, ordinal) = inner.each_entry(Expr::Column(kept));
            Parts { owner, key, value, entry: Some((kept, ordinal)) }
        };
        made = Some(Expr::List(vec![Expr::Column(key), thing(parts)]));
        Ok(())
    })?;
    let to = traversal.plan.column("pairs");
    let fold = Fold::Collect(made.unwrap_or_else(|| Expr::List(Vec::new())));
    traversal.plan.push(Op::Apply { sub: sub.pipeline, kind: ApplyKind::Value { fold, to } });
    let function =
        if owner.kind == Kind::Edge { Function::MapOfPairs } else { Function::ListsOfPairs };
    traversal.moved_to("properties", Expr::call(function, vec![Expr::Column(to)]), Kind::Map);
    Ok(())
}
