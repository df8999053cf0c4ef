//! `order()`: objects in order.

use millrace_bytecode::{Instruction, SymbolFamily};
use millrace_model::Result;
use millrace_plan::{Expr, Fold, Function, Nulls, RandomKind, SortKey, op};

use crate::steps::{Fact, Step};
use crate::translate::{At, By, Call, Kind, Traversal, elements, symbol, wrong};

pub(super) const STEP: Step = Step::new("order", translate).modulators(&["by"]).facts(&[
    Fact::KeepsPlace,
    Fact::Waits,
    Fact::SeesAll,
]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let local = call.is_local()?;
    let bys: Vec<_> = call.modulated("by").collect();
    if local {
        let list = traversal.for_entries(at, |inner, entry| {
            sort(inner, entry, &bys)?;
            Ok(Fold::Collect(Expr::Column(entry.column)))
        })?;
        let arguments = vec![Expr::Column(at.column), Expr::Column(list)];
        traversal.moved_to("ordered", Expr::call(Function::RebuildCollection, arguments), at.kind);
        return Ok(());
    }
    sort(traversal, at, &bys)
}

fn sort(traversal: &mut Traversal<'_>, at: At, bys: &[&Instruction]) -> Result<()> {
    let mut keys = Vec::new();
    for by in bys {
        keys.push(key(traversal, at, by)?);
    }
    if keys.is_empty() {
        keys.push(sort_key(compared(traversal, at), false));
    }
    traversal.plan.push(op::Sort { keys });
    Ok(())
}

/// The value that an object is compared by: for a property of an edge its key and value, of a vertex its owner.
fn compared(traversal: &Traversal<'_>, at: At) -> Expr {
    match traversal.state.property {
        Some(parts) if traversal.state.at == Some(at) && parts.owner.kind == Kind::Edge => {
            Expr::List([parts.key, parts.value].map(Expr::Column).to_vec())
        }
        // A property of a vertex stands where its vertex does, and those of one as they come.
        _ if at.kind == Kind::Property => {
            Expr::call(Function::OwnerOf, vec![Expr::Column(at.column)])
        }
        _ => Expr::Column(at.column),
    }
}

fn key(traversal: &mut Traversal<'_>, at: At, by: &Instruction) -> Result<SortKey> {
    let (what, order) = match by.arguments.as_slice() {
        [] => (None, None),
        [one] if symbol(one, SymbolFamily::Order).is_some() => (None, Some(one)),
        [what] => (Some(what), None),
        [what, order] => (Some(what), Some(order)),
        _ => return Err(wrong(by, "takes a value to compare and an order")),
    };
    let descending = match order.and_then(|order| symbol(order, SymbolFamily::Order)) {
        None if order.is_some() => return Err(wrong(by, "takes an order, such as Order.desc")),
        Some("shuffle") => {
            let to = traversal.plan.column("shuffled");
            traversal.plan.random(RandomKind::Number { to });
            return Ok(sort_key(Expr::Column(to), false));
        }
        order => order == Some("desc"),
    };
    let what = By::of(by, what)?;
    if matches!(what, By::Identity) {
        return Ok(sort_key(compared(traversal, at), descending));
    }
    let found = traversal.by_column(&what, at)?;
    traversal.keep_present(found.column);
    let mut found = Expr::Column(found.column);
    if matches!(what, By::Column(Function::Keys)) {
        // A token among the keys of a map stands where its name would.
        let shown = Expr::call(Function::Display, vec![found.clone()]);
        let branches = vec![(elements::is_of_type(&found, "token"), shown)];
        found = Expr::Case { branches, otherwise: Some(Box::new(found)) };
    }
    Ok(sort_key(found, descending))
}

fn sort_key(by: Expr, descending: bool) -> SortKey {
    let nulls = if descending { Nulls::Last } else { Nulls::First };
    SortKey { by, descending, nulls }
}
