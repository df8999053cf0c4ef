//! Strategies that refuse traversals.

use millrace_bytecode::{Argument, Bytecode, Strategy};
use millrace_model::{Result, Value};

use crate::steps::{Leads, Parameters, named};
use crate::translate::wrong;

/// Refuses to write properties under reserved keys.
pub(super) fn reserved_keys(strategy: &Strategy, bytecode: &Bytecode) -> Result<()> {
    if !throws(strategy) {
        return Ok(());
    }
    let mut reserved = vec!["id".to_owned(), "label".to_owned()];
    for (name, keys) in &strategy.configuration {
        if let ("keys", Argument::Value(Value::List(keys) | Value::Set(keys))) = (&**name, keys) {
            reserved = keys.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        }
    }
    bytecode.steps.iter().try_for_each(|step| match step.arguments.first() {
        Some(Argument::Value(Value::String(key)))
            if assigns(&step.name) && reserved.iter().any(|own| **own == **key) =>
        {
            let detail = format!("is setting a property key to a reserved word: {key}");
            Err(wrong(step, detail))
        }
        _ => Ok(()),
    })
}

/// Refuses steps along edges that do not name edge types.
pub(super) fn edge_labels(strategy: &Strategy, bytecode: &Bytecode) -> Result<()> {
    if !throws(strategy) {
        return Ok(());
    }
    bytecode.steps.iter().try_for_each(|step| {
        if is_hop(&step.name) && step.arguments.is_empty() {
            return Err(wrong(
                step,
                "The provided traversal contains a vertex step without any specified edge label",
            ));
        }
        Ok(())
    })
}

/// Whether a step writes properties by their keys.
fn assigns(name: &str) -> bool {
    named(name).is_some_and(|step| step.parameters == Parameters::Assigned)
}

/// Whether a step goes along edges.
fn is_hop(name: &str) -> bool {
    match named(name).and_then(|step| step.leads) {
        Some(Leads::IncidentEdges | Leads::Neighbours { .. }) => true,
        Some(Leads::Vertices | Leads::Edges) | None => false,
    }
}

fn throws(strategy: &Strategy) -> bool {
    strategy.configuration.iter().any(|(name, setting)| {
        &**name == "throwException" && *setting == Argument::Value(Value::Bool(true))
    })
}
