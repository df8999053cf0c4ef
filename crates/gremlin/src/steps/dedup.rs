//! `dedup(tags)`: each object once.

use millrace_model::Result;
use millrace_plan::functions::SetOperation;
use millrace_plan::{Expr, Fold, Function, op};

use crate::steps::{Fact, Step};
use crate::translate::{By, Call, Kind, Traversal, elements, name, scope};

pub(super) const STEP: Step = Step::new("dedup", translate).modulators(&["by"]).facts(&[
    Fact::KeepsPlace,
    Fact::Waits,
    Fact::SeesAll,
]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let (local, tags) = scope(call.arguments());
    if local {
        if !call.modulators.is_empty() {
            return Err(call.refused("in local scope with by() is not supported"));
        }
        let keys = tags.iter().map(|tag| name(call.instruction, tag));
        let keys = keys.collect::<Result<Vec<_>>>()?;
        let list = traversal.for_entries(at, |inner, entry| {
            let of_key = |inner: &mut Traversal<'_>, key| {
                inner.project("compared", elements::property(entry, key))
            };
            let columns = match keys.as_slice() {
                [] => vec![entry.column],
                keys => keys.iter().map(|key| of_key(inner, key)).collect(),
            };
            inner.plan.push(op::Dedup { columns });
            Ok(Fold::Collect(Expr::Column(entry.column)))
        })?;
        let arguments = vec![Expr::Column(at.column), Expr::Column(list)];
        let distinct = as_set(Expr::call(Function::RebuildCollection, arguments));
        traversal.moved_to("distinct", distinct, at.kind);
        return Ok(());
    }
    if tags.is_empty() {
        call.check_single_by("Dedup")?;
    }
    let bys = By::all(&call.modulators)?;
    if let (Some(parts), [], []) = (traversal.state.property, tags, bys.as_slice())
        && matches!(parts.owner.kind, Kind::Edge | Kind::Property)
    {
        // The owner makes no difference, but for properties of vertices.
        traversal.plan.push(op::Dedup { columns: vec![parts.key, parts.value] });
        return Ok(());
    }
    let mut compared = Vec::new();
    let objects = match tags {
        [] => vec![at],
        tags => tags
            .iter()
            .map(|tag| super::select::tag(traversal, call, &name(call.instruction, tag)?))
            .collect::<Result<_>>()?,
    };
    for (place, object) in objects.into_iter().enumerate() {
        let by = bys.get(place % bys.len().max(1)).unwrap_or(&By::Identity);
        let column = traversal.by_column(by, object)?.column;
        traversal.keep_present(column);
        compared.push(column);
    }
    traversal.plan.push(op::Dedup { columns: compared });
    Ok(())
}

/// A list as the set of its entries; any other value as it is.
pub(super) fn as_set(list: Expr) -> Expr {
    let both = vec![list.clone(), Expr::List(Vec::new())];
    let set = Expr::call(Function::SetOf(SetOperation::Union), both);
    let branches = vec![(elements::is_of_type(&list, "list"), set)];
    Expr::Case { branches, otherwise: Some(Box::new(list)) }
}
