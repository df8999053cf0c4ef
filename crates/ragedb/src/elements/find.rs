//! Lists: elements of a type, and those with a property that compares so with a value.

use millrace_model::{Result, Value};
use millrace_plan::{ElementKind, Parameter, Runner};

use super::run::{ids_of, run};
use super::show::show_all;
use crate::plans::{self, Condition, Give, Order, Wanted};

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// How many are passed over.
    pub skip: u64,
    /// How many come at most.
    pub limit: u64,
}

/// Whole elements of a type, or all, by id.
pub fn list(
    runner: &mut dyn Runner,
    element: ElementKind,
    type_name: Option<&str>,
    page: Page,
) -> Result<Value> {
    let plan = plans::list(element, type_name, page.skip, page.limit);
    let ids = ids_of(&run(runner, &plan, &[])?, 0);
    Ok(Value::list(show_all(runner, element, &ids)?))
}

/// Whole elements of a type that fit the condition.
pub fn find(
    runner: &mut dyn Runner,
    (element, type_name): (ElementKind, &str),
    (property, condition, value): (&str, Condition, &Value),
    page: Page,
) -> Result<Value> {
    let wanted = Wanted { element, kind: type_name, property, condition };
    let Page { skip, limit } = page;
    let plan = plans::find(wanted, Give::Page { skip, limit, order: Order::Unordered });
    let value = wanted.stored_value(&runner.catalog(), value.clone());
    let ids = ids_of(&run(runner, &plan, &[Parameter::Value(value)])?, 0);
    Ok(Value::list(show_all(runner, element, &ids)?))
}
