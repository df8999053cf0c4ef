//! The words about a source: they apply to all of the traversal.

use std::collections::BTreeMap;

use millrace_bytecode::{Argument, Bytecode, Instruction};
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_plan::Name;

use super::strategies;
use crate::steps::{self, Fact};
use crate::translate::{
    SideEffectKind, SourceValue, Traversal, check_count, described, has_element, name, reduction,
    wrong,
};

/// Applies the words about the source.
pub(super) fn sources(traversal: &mut Traversal<'_>, bytecode: &Bytecode) -> Result<()> {
    for word in &bytecode.sources {
        source(traversal, word)?;
    }
    collected_names(bytecode, &mut traversal.shared.side_effects);
    Ok(())
}

/// The names of all side effects of steps: a round may read objects that a later step added in the round before.
fn collected_names(bytecode: &Bytecode, into: &mut BTreeMap<Name, SideEffectKind>) {
    for step in &bytecode.steps {
        if let Some(Argument::Value(Value::String(name))) = step.arguments.last()
            && steps::is(step, Fact::Collects)
        {
            into.entry(name.clone()).or_insert(SideEffectKind::List);
        }
        for argument in &step.arguments {
            if let Argument::Bytecode(inner) = argument {
                collected_names(inner, into);
            }
        }
    }
}

/// Applies a word about the source to all of the traversal.
fn source(traversal: &mut Traversal<'_>, source: &Instruction) -> Result<()> {
    match &*source.name {
        "withPath" => traversal.shared.paths = true,
        "withSideEffect" => {
            check_count(source, 2, 3)?;
            let key = name(source, &source.arguments[0])?;
            let seed = source_value(traversal, source, &source.arguments[1])?;
            let kind = match source.arguments.get(2) {
                None => SideEffectKind::List,
                Some(operator) => SideEffectKind::Reduced(reduction(source, operator)?),
            };
            traversal.shared.seeds.insert(key.clone(), seed);
            traversal.shared.side_effects.insert(key, kind);
        }
        "withSack" => {
            check_count(source, 1, 2)?;
            let first = source_value(traversal, source, &source.arguments[0])?.value;
            let merged = source.arguments.get(1);
            let merged = merged.map(|operator| reduction(source, operator)).transpose()?;
            (traversal.shared.sack, traversal.shared.merged_sacks) = (Some(first), merged);
        }
        "withBulk" => {
            check_count(source, 1, 1)?;
            match literal(source, &source.arguments[0])? {
                Value::Bool(bulk) => traversal.shared.bulk = bulk,
                _ => return Err(wrong(source, "takes true or false")),
            }
        }
        // `options` gives it to the server of the traversal.
        "with" => {}
        "withStrategies" => strategies::with(traversal.shared, source)?,
        // Strategies that only affect speed have no effect here, nor has their removal.
        "withoutStrategies" => strategies::without(traversal.shared, source)?,
        _ => {
            let error = wrong(source, "is not supported");
            return Err(Error { kind: ErrorKind::Unsupported, ..error });
        }
    }
    Ok(())
}

/// Values are part of the plan, which may look at them; elements in them are parameters.
fn source_value(
    traversal: &mut Traversal<'_>,
    of: &Instruction,
    argument: &Argument,
) -> Result<SourceValue> {
    match argument {
        Argument::Binding(_, inner) if !matches!(&**inner, Argument::Value(value) if has_element(value)) => {
            source_value(traversal, of, inner)
        }
        said => Ok(SourceValue { said: said.clone(), value: traversal.value(of, said)? }),
    }
}

fn literal(of: &Instruction, argument: &Argument) -> Result<Value> {
    match argument {
        Argument::Value(value) => Ok(value.clone()),
        Argument::Binding(_, inner) => literal(of, inner),
        other => Err(wrong(of, format!("takes a value, not {}", described(other)))),
    }
}
