//! Shared by the steps on a text, or on each text of a list.

use millrace_model::Result;
use millrace_plan::functions::Wanted;
use millrace_plan::{Expr, Fold, Function};

use crate::translate::{Call, Kind, Traversal, elements, scope};

/// A text made of each text by a function that takes nothing else.
pub(in crate::steps) fn by_function(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    function: Function,
) -> Result<()> {
    call.is_local()?;
    each_text(traversal, call, &|text| Expr::call(function, vec![text]))
}

/// Moves to the result of `make` for each text. With local scope lists are of texts; null stays null.
pub(in crate::steps) fn each_text(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    make: &dyn Fn(Expr) -> Expr,
) -> Result<()> {
    let (local, _) = scope(call.arguments());
    let name = call.step.name;
    let message = match local {
        true => format!("The {name}(local) step can only take string or list of strings"),
        false => format!("The {name}() step can only take string as argument"),
    };
    each(traversal, call, &|value| make(require(Wanted::Text, value, None, &message)))
}

/// Moves to the result of `make` for each object; with local scope for each entry of a collection.
pub(in crate::steps) fn each(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    make: &dyn Fn(Expr) -> Expr,
) -> Result<()> {
    let at = traversal.at(call)?;
    let (local, _) = scope(call.arguments());
    let made = if local {
        let list = traversal
            .for_entries(at, |_, entry| Ok(Fold::Collect(make(Expr::Column(entry.column)))))?;
        let own = Expr::Column(at.column);
        let gathered =
            Expr::call(Function::RebuildCollection, vec![own.clone(), Expr::Column(list)]);
        // A map has no entries here: it is one object, as in Java.
        Expr::Case {
            branches: vec![(elements::is_of_type(&own, "map"), make(own))],
            otherwise: Some(Box::new(gathered)),
        }
    } else {
        make(Expr::Column(at.column))
    };
    traversal.moved_to(call.step.name, made, Kind::Any);
    Ok(())
}

/// The value if it is of the wanted type, else an error: for null with the first message (`None`: null passes).
pub(in crate::steps) fn require(
    wanted: Wanted,
    value: Expr,
    of_null: Option<&str>,
    of_type: &str,
) -> Expr {
    let of_null = match of_null {
        Some(message) => Expr::literal(message),
        None => Expr::Literal(millrace_model::Value::Null),
    };
    Expr::call(Function::Require(wanted), vec![value, of_null, Expr::literal(of_type)])
}
