//! Strategies that refuse traversals.

use millrace_model::Result;
use millrace_model::Value;
use millrace_model::bytecode::{Argument, Bytecode, Strategy};

use super::super::calls::wrong;

/// No property may be written under the keys that stand for something else.
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
            if &*step.name == "property" && reserved.iter().any(|own| **own == **key) =>
        {
            let detail = format!("is setting a property key to a reserved word: {key}");
            Err(wrong(step, detail))
        }
        _ => Ok(()),
    })
}

/// Each step along edges must name their types.
pub(super) fn edge_labels(strategy: &Strategy, bytecode: &Bytecode) -> Result<()> {
    if !throws(strategy) {
        return Ok(());
    }
    bytecode.steps.iter().try_for_each(|step| {
        let along = matches!(&*step.name, "out" | "in" | "both" | "outE" | "inE" | "bothE");
        if along && step.arguments.is_empty() {
            return Err(wrong(
                step,
                "The provided traversal contains a vertex step without any specified edge label",
            ));
        }
        Ok(())
    })
}

fn throws(strategy: &Strategy) -> bool {
    strategy.configuration.iter().any(|(name, setting)| {
        &**name == "throwException" && *setting == Argument::Value(Value::Bool(true))
    })
}
