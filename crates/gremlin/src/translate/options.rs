//! Options of a request that stand in its traversal: how long it may take, how its answer is framed.
//!
//! They do not change the meaning of a traversal, whatever their names: TinkerPop lets clients send
//! unknown ones. The server of the traversal asks for them by [`options`] and takes those it knows.

use std::sync::Arc;

use millrace_bytecode::{Argument, Bytecode, Instruction};
use millrace_model::{Result, Value};

use super::calls::{name, wrong};

/// The options of a traversal, by name, in the order in which they are written.
pub fn options(bytecode: &Bytecode) -> Result<Vec<(Arc<str>, Value)>> {
    let mut all = Vec::new();
    for source in &bytecode.sources {
        match &*source.name {
            "with" => all.push(single(source)?),
            "withStrategies" => {
                for argument in &source.arguments {
                    all.extend(of_strategy(source, argument)?);
                }
            }
            _ => {}
        }
    }
    Ok(all)
}

/// `with('evaluationTimeout', 500)`; of a name alone the value is true.
fn single(source: &Instruction) -> Result<(Arc<str>, Value)> {
    match source.arguments.as_slice() {
        [key] => option(source, name(source, key)?, &Argument::Value(Value::Bool(true))),
        [key, value] => option(source, name(source, key)?, value),
        _ => Err(wrong(source, "takes the name of an option and its value")),
    }
}

fn of_strategy(source: &Instruction, argument: &Argument) -> Result<Vec<(Arc<str>, Value)>> {
    match argument {
        Argument::Strategy(strategy) if &*strategy.name == "OptionsStrategy" => {
            let all = strategy.configuration.iter();
            all.map(|(key, value)| option(source, key.clone(), value)).collect()
        }
        _ => Ok(Vec::new()),
    }
}

fn option(source: &Instruction, key: Arc<str>, value: &Argument) -> Result<(Arc<str>, Value)> {
    match value {
        Argument::Value(value) => Ok((key, value.clone())),
        Argument::Binding(_, inner) => option(source, key, inner),
        _ => Err(wrong(source, "takes options that are values")),
    }
}
