//! `properties(keys)`: to the properties of an element, or of a property.

use millrace_model::{Result, Value};
use millrace_plan::{ColumnId, Expr, Function, Name, op};

use crate::steps::{Fact, Step};
use crate::translate::{At, Call, Kind, Parts, Traversal, elements};

pub(super) const STEP: Step = Step::new("properties", translate).facts(&[
    Fact::NamesKeys,
    Fact::GivesProperties,
    Fact::Spreads,
]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let owner = traversal.at(call)?;
    let keys = Some(call.keys()?).filter(|keys| !keys.is_empty());
    if owner.kind == Kind::Property {
        of_property(traversal, owner, keys);
        return Ok(());
    }
    let (key, stored) = pairs(traversal, elements::properties(owner, keys));
    traversal.moved_to_values(owner, key, stored);
    Ok(())
}

fn of_property(traversal: &mut Traversal<'_>, owner: At, keys: Option<Vec<Name>>) {
    let own = traversal.own_properties(owner);
    let (key, value) = pairs(traversal, Expr::Column(own.column));
    if let Some(keys) = keys {
        let keys = Value::list(keys.into_iter().map(Value::String).collect());
        let list = Box::new(Expr::Literal(keys));
        traversal.plan.filter(Expr::InList { item: Box::new(Expr::Column(key)), list });
    }
    traversal.moved_to_property(Parts { owner, key, value, several: None });
}

/// The pairs of a map as rows: keys and values.
pub(super) fn pairs(traversal: &mut Traversal<'_>, map: Expr) -> (ColumnId, ColumnId) {
    let pair = traversal.plan.column("pair");
    let all = Expr::call(Function::Unfold, vec![map]);
    traversal.plan.push(op::Unwind { list: all, to: pair, position: None });
    let part = |function| Expr::call(function, vec![Expr::Column(pair)]);
    let key = traversal.project("key", part(Function::Keys));
    (key, traversal.project("value", part(Function::Values)))
}

/// Whether traversers are at properties.
pub(super) fn is_property(at: At) -> bool {
    at.kind == Kind::Property
}
