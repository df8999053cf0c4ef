//! Properties of one element: shown, set, removed.

use std::sync::Arc;

use millrace_model::value::ValueMap;
use millrace_model::{Batch, Column, Error, ErrorKind, Result, Value};
use millrace_plan::{ElementKind, Name, Parameter, Runner};

use super::run::{column_of, rows, run};
use super::show::{Target, is_key_name, object, show};
use crate::plans;

/// A change of an element's properties.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertiesChange {
    /// One is set.
    Set(String, Value),
    /// One is removed.
    Remove(String),
    /// These are set, the others stay.
    Merge(ValueMap),
    /// These are set, the others go; a node keeps its key.
    Replace(ValueMap),
}

/// One property, as an object of one; null where there is none.
pub fn property(runner: &mut dyn Runner, target: &Target, name: &str) -> Result<Value> {
    let properties = properties(runner, target)?;
    let found = match &properties {
        Value::Map(pairs) => pairs.iter().find(|(key, _)| key.as_str() == Some(name)),
        _ => None,
    };
    Ok(object([(name, found.map_or(Value::Null, |(_, value)| value.clone()))]))
}

/// All properties; none of an element that does not exist.
pub fn properties(runner: &mut dyn Runner, target: &Target) -> Result<Value> {
    let Some(Value::Map(mut pairs)) = show(runner, target)? else {
        return Ok(Value::map(Vec::new()));
    };
    let pairs = Arc::make_mut(&mut pairs);
    Ok(pairs.pop().map_or(Value::Null, |(_, properties)| properties))
}

/// Changes properties; whether there is such an element.
pub fn change_properties(
    runner: &mut dyn Runner,
    target: &Target,
    change: &PropertiesChange,
) -> Result<bool> {
    let Some(id) = target.id(runner)? else { return Ok(false) };
    let element = target.element();
    let owner = column_of(element, &[id]);
    let batch = match change {
        PropertiesChange::Set(name, value) => {
            check_keys(element, [&Value::from(name.as_str())])?;
            let values = Column::from_values([value.clone()]);
            run(runner, &plans::set_property(element, name), &rows(vec![owner, values]))?
        }
        PropertiesChange::Remove(name) => {
            check_keys(element, [&Value::from(name.as_str())])?;
            run(runner, &plans::remove_property(element, name), &rows(vec![owner]))?
        }
        PropertiesChange::Merge(pairs) => set_all(runner, element, owner, pairs, None)?,
        PropertiesChange::Replace(pairs) => {
            let retained = match element {
                ElementKind::Vertex => plans::key_properties(&runner.catalog()),
                ElementKind::Edge => Vec::new(),
            };
            set_all(runner, element, owner, pairs, Some(&retained))?
        }
    };
    Ok(0 < batch.len)
}

fn set_all(
    runner: &mut dyn Runner,
    element: ElementKind,
    owner: Column,
    pairs: &ValueMap,
    retained: Option<&[Name]>,
) -> Result<Batch> {
    check_keys(element, pairs.iter().map(|(key, _)| key))?;
    let maps = Column::from_values([Value::map(pairs.clone())]);
    let parameters = [Parameter::Rows(Batch::of(vec![owner, maps]))];
    run(runner, &plans::set_properties(element, retained), &parameters)
}

/// A node's key is its name: changing it would be another node.
fn check_keys<'a>(element: ElementKind, keys: impl IntoIterator<Item = &'a Value>) -> Result<()> {
    let taken = keys.into_iter().find(|key| element == ElementKind::Vertex && is_key_name(key));
    match taken.and_then(Value::as_str) {
        None => Ok(()),
        Some(key) => Err(Error::new(ErrorKind::BadInput, format!("{key} is a node's key"))
            .with_help("add a node with the other key instead")),
    }
}
