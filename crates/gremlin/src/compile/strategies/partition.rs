//! `PartitionStrategy`: a property of each element names its partition.

use millrace_bytecode::{Argument, Bytecode, Instruction, Predicate, Strategy};
use millrace_model::{Result, Value};
use millrace_plan::Name;

use crate::compile::strategies::subgraph::Subgraph;
use crate::compile::strategies::{added, refused, texts, with_inner, wrong};
use crate::steps::{self, Fact};

/// The property that names the partition, the partition that is written, and those that are read.
pub(super) struct Partition {
    key: Name,
    write: Option<Name>,
    read: Vec<Name>,
}

impl Partition {
    /// Reads the settings of a strategy; those that are not supported are errors.
    pub(super) fn of(source: &Instruction, strategy: &Strategy) -> Result<Partition> {
        let (mut key, mut write, mut read) = (None, None, Vec::new());
        for (name, setting) in &strategy.configuration {
            match &**name {
                "partitionKey" => key = texts(source, setting)?.pop(),
                "writePartition" => write = texts(source, setting)?.pop(),
                "readPartitions" => read = texts(source, setting)?,
                "includeMetaProperties" if *setting == Argument::Value(Value::Bool(false)) => {}
                name => {
                    let detail =
                        format!("has PartitionStrategy with {name}, which is not supported");
                    return Err(refused(source, &detail));
                }
            }
        }
        let key =
            key.ok_or_else(|| wrong(source, "has PartitionStrategy without a partitionKey"))?;
        Ok(Partition { key, write, read })
    }

    /// A traversal that reads and writes in its partitions.
    pub(super) fn rewrite(&self, bytecode: &Bytecode) -> Result<Bytecode> {
        let mut written = self.written(bytecode)?;
        if let Some(first) = bytecode.steps.first().or(bytecode.sources.first()) {
            let key = Argument::Value(Value::String(self.key.clone()));
            let read = self.read.iter().cloned().map(Value::String).map(Argument::Value);
            let within = Argument::Predicate(Predicate::new("within", read.collect()));
            let condition = added(first, "has", vec![key, within]);
            let condition = Bytecode { sources: Vec::new(), steps: vec![condition] };
            written = Subgraph::both(condition).rewrite(&written)?;
        }
        Ok(written)
    }

    /// A merge looks for elements and creates them in the partition that is written.
    fn merging(&self, mut step: Instruction) -> Result<Instruction> {
        let Some(write) = &self.write else {
            return Err(refused(
                &step,
                "under PartitionStrategy without a writePartition is not supported",
            ));
        };
        let key = Value::String(self.key.clone());
        let pair = (key.clone(), Value::String(write.clone()));
        let known = step.arguments.first().and_then(|map| with_pair(map, &key, &pair.1));
        let Some(map) = known else {
            let detail =
                "under PartitionStrategy with a map that only the run knows is not supported";
            return Err(refused(&step, detail));
        };
        step.arguments[0] = map;
        Ok(step)
    }

    fn written(&self, bytecode: &Bytecode) -> Result<Bytecode> {
        let mut steps = Vec::with_capacity(bytecode.steps.len());
        for step in &bytecode.steps {
            let step = with_inner(step, &mut |inner| self.written(inner))?;
            let step = if steps::is(&step, Fact::Merges) { self.merging(step)? } else { step };
            let beside = step.clone();
            steps.push(step);
            if steps::is(&beside, Fact::Creates)
                && let Some(write) = &self.write
            {
                let pair =
                    [&self.key, write].map(|text| Argument::Value(Value::String(text.clone())));
                steps.push(added(&beside, "property", pair.to_vec()));
            }
        }
        Ok(Bytecode { sources: bytecode.sources.clone(), steps })
    }
}

/// A map with one more pair, if it is known before the run.
fn with_pair(map: &Argument, key: &Value, value: &Value) -> Option<Argument> {
    let pair = || (key.clone(), value.clone());
    match map {
        Argument::Value(Value::Null) => Some(Argument::Value(Value::map(vec![pair()]))),
        Argument::Value(Value::Map(pairs)) => {
            let pairs = pairs.iter().cloned().chain([pair()]);
            Some(Argument::Value(Value::map(pairs.collect())))
        }
        Argument::Map(pairs) => {
            let (key, value) = pair();
            let pair = (Argument::Value(key), Argument::Value(value));
            Some(Argument::map(pairs.iter().cloned().chain([pair]).collect()))
        }
        Argument::Binding(_, inner) => with_pair(inner, key, value),
        _ => None,
    }
}
