//! `propertyMap(keys)`: a map of an element's properties, as things: lists of them, but for an edge's.

use millrace_model::Result;
use millrace_plan::{ApplyKind, Expr, Fold, Function, op};

use super::properties::pairs;
use crate::steps::{Fact, Step};
use crate::translate::properties::thing;
use crate::translate::{Call, Kind, Parts, State, Traversal, elements};

pub(super) const STEP: Step =
    Step::new("propertyMap", translate).facts(&[Fact::NamesKeys, Fact::MapsProperties]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let owner = traversal.at(call)?;
    let keys = Some(call.keys()?).filter(|keys| !keys.is_empty());
    let all = match owner.kind {
        Kind::Property => super::value_map::own_properties(traversal, owner, keys),
        _ => elements::properties(owner, keys),
    };
    let mut made = None;
    let state: State = traversal.state.clone();
    let sub = traversal.sub_from(state, |inner| {
        let (key, stored) = pairs(inner, all);
        let parts = if matches!(owner.kind, Kind::Edge | Kind::Property) {
            Parts { owner, key, value: stored, several: None }
        } else {
            let (value, ordinal) = inner.unwind_values(Expr::Column(stored));
            Parts { owner, key, value, several: Some((stored, ordinal)) }
        };
        made = Some(Expr::List(vec![Expr::Column(key), thing(parts)]));
        Ok(())
    })?;
    let to = traversal.plan.column("pairs");
    let fold = Fold::Collect(made.unwrap_or_else(|| Expr::List(Vec::new())));
    traversal.plan.push(op::Apply { sub: sub.pipeline, kind: ApplyKind::Value { fold, to } });
    let [one, lists] = [Function::MapOfPairs, Function::GroupPairs]
        .map(|function| Expr::call(function, vec![Expr::Column(to)]));
    let map = match owner.kind {
        Kind::Edge | Kind::Property => one,
        Kind::Vertex => lists,
        _ => {
            let is_vertex = elements::is_of_type(&Expr::Column(owner.column), "vertex");
            elements::either(is_vertex, lists, one)
        }
    };
    traversal.moved_to("properties", map, Kind::Map);
    Ok(())
}
