//! `propertyMap(keys)`: a map of an element's properties, as things.

use millrace_model::Result;
use millrace_plan::{Expr, Fold, Function, Op};

use super::path::entry_at;
use crate::steps::Step;
use crate::translate::{Call, Kind, State, Traversal, elements};

pub(super) const STEP: Step = Step { name: "propertyMap", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let owner = traversal.at(call)?;
    let keys = Some(call.keys()?).filter(|keys| !keys.is_empty());
    let all = elements::properties(owner, keys);
    let mut pairs = None;
    let state: State = traversal.state.clone();
    let sub = traversal.sub_from(state, |inner| {
        let pair = inner.plan.column("pair");
        let list = Expr::call(Function::Unfold, vec![all]);
        inner.plan.push(Op::Unwind { list, to: pair, position: None });
        let part = |function| entry_at(Expr::call(function, vec![Expr::Column(pair)]), 0);
        let parts = vec![Expr::Column(owner.column), part(Function::Keys), part(Function::Values)];
        let property = Expr::call(Function::PropertyOf, parts);
        let value = match owner.kind {
            Kind::Edge => property,
            _ => Expr::List(vec![property]),
        };
        pairs = Some(Expr::List(vec![part(Function::Keys), value]));
        Ok(())
    })?;
    let to = traversal.plan.column("pairs");
    let fold = Fold::Collect(pairs.unwrap_or_else(|| Expr::List(Vec::new())));
    let kind = millrace_plan::ApplyKind::Value { fold, to };
    traversal.plan.push(Op::Apply { sub: sub.pipeline, kind });
    let map = Expr::call(Function::MapOfPairs, vec![Expr::Column(to)]);
    traversal.moved_to("properties", map, Kind::Map);
    Ok(())
}
