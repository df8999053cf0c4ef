//! `property(key, value)`: sets a property, of an element or of a vertex's property.

use millrace_model::Result;
use millrace_plan::{Expr, Function, Properties, op};

use super::properties::is_property;
use super::property_arguments;
use crate::steps::{Fact, Parameters, Step};
use crate::translate::{At, Call, Kind, Traversal, properties};

pub(super) const STEP: Step = Step::new("property", translate)
    .parameters(Parameters::Assigned)
    .facts(&[Fact::NamesKeys, Fact::Writes]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    if is_property(at) {
        return of_property(traversal, call, at);
    }
    let properties = property_arguments::one(traversal, call.instruction)?;
    traversal.plan.push(op::Set {
        element: at.column,
        properties,
        replace: false,
        rules: Default::default(),
    });
    Ok(())
}

/// A property of a property is stored with the values that its vertex has under the key.
fn of_property(traversal: &mut Traversal<'_>, call: &Call<'_>, at: At) -> Result<()> {
    let owner = traversal.parts_of(at).map(|parts| parts.owner.kind);
    if matches!(owner, Some(Kind::Edge | Kind::Property)) {
        return Err(call.wrong("sets properties of a property that does not belong to a vertex"));
    }
    let [key, value] = call.arguments() else {
        return Err(call.refused("of a property takes a key and a value"));
    };
    let key = property_arguments::key_of(call.instruction, key)?;
    let value = property_arguments::value_of(traversal, call.instruction, value)?;
    write_own(traversal, at, Expr::literal(&*key), value);
    Ok(())
}

/// Sets a property of vertices' properties; null removes it.
pub(super) fn write_own(traversal: &mut Traversal<'_>, of: At, key: Expr, value: Expr) {
    let set = |stored: Expr| {
        Expr::call(Function::SetMeta, vec![stored, properties::ordinal_of(of), key, value])
    };
    change_stored(traversal, of, set);
}

/// Changes the stored value of a property's vertex under the key of the property.
pub(super) fn change_stored(
    traversal: &mut Traversal<'_>,
    of: At,
    change: impl FnOnce(Expr) -> Expr,
) {
    let owner = traversal.project("owner", properties::owner_of(of));
    let key = Expr::call(Function::KeyOf, vec![Expr::Column(of.column)]);
    let key = traversal.project("key", key);
    // Read where it is set, so that each row sees the write of the row before it.
    let stored = properties::stored_under(Expr::Column(owner), Expr::Column(key));
    let pair = Expr::List(vec![Expr::Column(key), change(stored)]);
    let map = Expr::call(Function::MapOfPairs, vec![Expr::List(vec![pair])]);
    let properties = Properties { keyed: Vec::new(), map: Some(map) };
    traversal.plan.push(op::Set {
        element: owner,
        properties,
        replace: false,
        rules: Default::default(),
    });
}
