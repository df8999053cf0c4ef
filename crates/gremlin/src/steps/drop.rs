//! `drop()`: deletes elements and properties.

use millrace_model::{Result, Value};
use millrace_plan::{Expr, Function, Properties, op};

use super::properties::is_property;
use super::property::{change_stored, write_own};
use crate::steps::{Fact, Step};
use crate::translate::{At, Call, Kind, Parts, Traversal, elements, properties};

pub(super) const STEP: Step = Step::new("drop", translate).arguments(0, 0).facts(&[Fact::Writes]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    match (traversal.parts_of(at), at.kind) {
        (Some(parts), _) if is_property(at) => drop_parts(traversal, at, parts),
        (_, Kind::Property) => drop_things(traversal, Expr::Column(at.column)),
        (_, Kind::Vertex | Kind::Edge) => delete(traversal, Expr::Column(at.column)),
        _ => {
            let own = Expr::Column(at.column);
            let is_property = elements::is_property(&own);
            let null = || Expr::Literal(Value::Null);
            let of = |this, other| elements::either(is_property.clone(), this, other);
            drop_things(traversal, of(own.clone(), null()));
            delete(traversal, of(null(), own));
        }
    }
    traversal.plan.push(op::Range::of(0, Some(0)));
    Ok(())
}

fn delete(traversal: &mut Traversal<'_>, element: Expr) {
    traversal.plan.push(op::Delete { element, detach: true });
}

/// Drops the properties that traversers came to by their parts.
fn drop_parts(traversal: &mut Traversal<'_>, at: At, parts: Parts) {
    match parts.owner.kind {
        // Null is no property.
        Kind::Edge => {
            let gone = Expr::List(vec![Expr::Column(parts.key), Expr::Literal(Value::Null)]);
            set(traversal, Expr::Column(parts.owner.column), map_of(gone));
        }
        Kind::Property => {
            let null = Expr::Literal(Value::Null);
            write_own(traversal, parts.owner, Expr::Column(parts.key), null);
        }
        Kind::Vertex => change_stored(traversal, at, |stored| {
            Expr::call(Function::RemoveValue, vec![stored, properties::ordinal_of(at)])
        }),
        _ => drop_things(traversal, Expr::Column(at.column)),
    }
}

/// Drops properties by the kind of their owner: a vertex, an edge or a vertex's property. Null is no property.
fn drop_things(traversal: &mut Traversal<'_>, things: Expr) {
    let thing = Expr::Column(traversal.project("thing", things));
    let of = |function, thing: &Expr| Expr::call(function, vec![thing.clone()]);
    let is_of_vertex = |thing: &Expr| elements::is_of_type(thing, "vertex property");
    let owner = of(Function::OwnerOf, &thing);
    let branches =
        vec![(is_of_vertex(&thing), thing.clone()), (is_of_vertex(&owner), owner.clone())];
    // The vertex's property that changes: itself, or the one that it belongs to.
    let changed =
        Expr::Column(traversal.project("changed", Expr::Case { branches, otherwise: None }));
    let changes = Expr::IsNull(Box::new(changed.clone())).negate();
    let either = |function, otherwise: &Expr| {
        elements::either(changes.clone(), of(function, &changed), of(function, otherwise))
    };
    let element = Expr::Column(traversal.project("owner", either(Function::OwnerOf, &thing)));
    let key = Expr::Column(traversal.project("key", either(Function::KeyOf, &thing)));
    // Read where it is set, so that each row sees the write of the row before it.
    let stored = properties::stored_under(element.clone(), key.clone());
    let ordinal = of(Function::OrdinalOf, &changed);
    let removed = Expr::call(Function::RemoveValue, vec![stored.clone(), ordinal.clone()]);
    let null = Expr::Literal(Value::Null);
    let without = vec![stored, ordinal, of(Function::KeyOf, &thing), null.clone()];
    let without = Expr::call(Function::SetMeta, without);
    let branches = vec![(is_of_vertex(&thing), removed), (changes, without)];
    let value = Expr::Case { branches, otherwise: Some(Box::new(null.clone())) };
    let is_none = Expr::IsNull(Box::new(thing));
    let map = elements::either(is_none, null, map_of(Expr::List(vec![key, value])));
    set(traversal, element, map);
}

fn map_of(pair: Expr) -> Expr {
    Expr::call(Function::MapOfPairs, vec![Expr::List(vec![pair])])
}

fn set(traversal: &mut Traversal<'_>, element: Expr, map: Expr) {
    let element = traversal.project("owner", element);
    let properties = Properties { keyed: Vec::new(), map: Some(map) };
    traversal.plan.push(op::Set { element, properties, replace: false, rules: Default::default() });
}
