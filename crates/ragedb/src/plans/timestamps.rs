//! Properties declared as timestamps: by which values they are found, and how RageDB's interfaces show them.

use std::borrow::Cow;

use millrace_model::{Catalog, KeyId, Owner, PropertyType, Value};

use super::Condition;

/// The value to compare with a property of some owner, as that stores it: a timestamp is found by its
/// text and by its seconds. A value that the property cannot have stays, and fits nothing.
pub(crate) fn stored_value(
    catalog: &Catalog,
    is_owner: impl Fn(Owner) -> bool,
    (property, condition): (&str, Condition),
    value: Value,
) -> Value {
    use PropertyType::{Date, DateList, DateTime};
    if !matches!(condition, Condition::Compare(_)) {
        return value;
    }
    let Some(key) = catalog.key(property) else { return value };
    let declared = catalog.properties.iter();
    let mut declared = declared.filter(|declared| declared.key == key && is_owner(declared.owner));
    let of_time = |kind: &PropertyType| matches!(kind, Date | DateTime | DateList);
    match declared.find_map(|declared| Some(declared.kind).filter(of_time)) {
        Some(kind) => kind.accept(value.clone()).unwrap_or(value),
        None => value,
    }
}

/// A property's value as Lua and REST show it: of a property that some type declares `date` or
/// `date_list`, seconds since 1970, as RageDB stores them.
pub(crate) fn shown_value<'a>(catalog: &Catalog, key: KeyId, value: &'a Value) -> Cow<'a, Value> {
    let is_timestamp =
        |value: &Value| matches!(value, Value::DateTime(_) | Value::ZonedDateTime(_));
    let is_date = || {
        let of_key = catalog.properties.iter().filter(|declared| declared.key == key);
        of_key
            .map(|declared| declared.kind)
            .any(|kind| matches!(kind, PropertyType::Date | PropertyType::DateList))
    };
    match value {
        value if is_timestamp(value) && is_date() => {
            value.as_seconds().map_or(Cow::Borrowed(value), Cow::Owned)
        }
        Value::List(values) if values.iter().any(is_timestamp) && is_date() => {
            let seconds = |value: &Value| value.as_seconds().unwrap_or_else(|| value.clone());
            Cow::Owned(Value::list(values.iter().map(seconds).collect()))
        }
        value => Cow::Borrowed(value),
    }
}
