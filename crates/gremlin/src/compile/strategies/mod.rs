//! Strategies: those that affect results are applied, those that only affect speed are ignored.

mod element_id;
mod partition;
mod subgraph;
mod verify;

use std::sync::Arc;

use millrace_bytecode::{Argument, Bytecode, Instruction, Strategy};
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_plan::Name;

use crate::translate::{Shared, integer, wrong};

/// Strategies that put steps into a traversal, or look at those it has.
const REWRITING: [&str; 5] = [
    "EdgeLabelVerificationStrategy",
    "ElementIdStrategy",
    "PartitionStrategy",
    "ReservedKeysVerificationStrategy",
    "SubgraphStrategy",
];

/// Strategies that do not change the meaning of a traversal.
const WITHOUT_MEANING: [&str; 27] = [
    "AdjacentToIncidentStrategy",
    "ByModulatorOptimizationStrategy",
    "ComputerFinalizationStrategy",
    "ComputerVerificationStrategy",
    "ConnectiveStrategy",
    "CountStrategy",
    "EarlyLimitStrategy",
    "FilterRankingStrategy",
    "GraphFilterStrategy",
    "HaltedTraverserStrategy",
    "IdentityRemovalStrategy",
    "IncidentToAdjacentStrategy",
    "InlineFilterStrategy",
    "LambdaRestrictionStrategy",
    "LazyBarrierStrategy",
    "MatchAlgorithmStrategy",
    "MatchPredicateStrategy",
    "MessagePassingReductionStrategy",
    "OptionsStrategy",
    "OrderLimitStrategy",
    "PathProcessorStrategy",
    "PathRetractionStrategy",
    "ProfileStrategy",
    "ReferenceElementStrategy",
    "RepeatUnrollStrategy",
    "StandardVerificationStrategy",
    "VertexProgramRestrictionStrategy",
];

/// A traversal rewritten by its strategies: added steps restrict it to the visible part of the graph.
pub(super) fn rewrite(bytecode: &Bytecode) -> Result<Bytecode> {
    let mut rewritten = bytecode.clone();
    for source in bytecode.sources.iter().filter(|source| &*source.name == "withStrategies") {
        for argument in &source.arguments {
            match argument {
                Argument::Strategy(strategy) => rewritten = one(source, strategy, rewritten)?,
                Argument::Type(name) => {
                    let strategy = Strategy { name: name.clone(), configuration: Vec::new() };
                    rewritten = one(source, &strategy, rewritten)?;
                }
                _ => {}
            }
        }
    }
    Ok(rewritten)
}

fn one(source: &Instruction, strategy: &Strategy, bytecode: Bytecode) -> Result<Bytecode> {
    match &*strategy.name {
        "SubgraphStrategy" => subgraph::Subgraph::of(source, strategy)?.rewrite(&bytecode),
        "ElementIdStrategy" => element_id::ElementId::of(source, strategy)?.rewrite(&bytecode),
        "PartitionStrategy" => partition::Partition::of(source, strategy)?.rewrite(&bytecode),
        "ReservedKeysVerificationStrategy" => {
            verify::reserved_keys(strategy, &bytecode)?;
            Ok(bytecode)
        }
        "EdgeLabelVerificationStrategy" => {
            verify::edge_labels(strategy, &bytecode)?;
            Ok(bytecode)
        }
        _ => Ok(bytecode),
    }
}

/// `withStrategies(…)`.
pub(super) fn with(shared: &mut Shared, source: &Instruction) -> Result<()> {
    for argument in &source.arguments {
        let (name, configuration) = match argument {
            Argument::Strategy(Strategy { name, configuration }) => {
                (name, configuration.as_slice())
            }
            Argument::Type(name) => (name, [].as_slice()),
            _ => return Err(wrong(source, "takes strategies")),
        };
        match &**name {
            "ReadOnlyStrategy" => shared.read_only = true,
            "SeedStrategy" => shared.seed = Some(seed(source, configuration)?),
            "VertexProgramStrategy" if restricted(source) => {
                let detail = "The TraversalSource does not allow the use of a GraphComputer";
                return Err(wrong(source, detail));
            }
            "ProductiveByStrategy" if configuration.is_empty() => {
                shared.productive = Some(Vec::new());
            }
            "ProductiveByStrategy" => shared.productive = Some(keys(source, configuration)?),
            name if WITHOUT_MEANING.contains(&name) || REWRITING.contains(&name) => {}
            name => return Err(refused(source, &format!("has {name}, which is not supported"))),
        }
    }
    Ok(())
}

/// `withoutStrategies(…)`: without `ConnectiveStrategy`, `and` and `or` between steps are filters of nothing. The
/// removal of any other strategy has no effect: it does not affect the meaning, or was not asked for.
pub(super) fn without(shared: &mut Shared, source: &Instruction) -> Result<()> {
    for argument in &source.arguments {
        match argument {
            Argument::Type(name) | Argument::Strategy(Strategy { name, .. }) => {
                shared.connects &= &**name != "ConnectiveStrategy";
            }
            _ => return Err(wrong(source, "takes strategies")),
        }
    }
    Ok(())
}

/// Whether the same call forbids graph computers.
fn restricted(source: &Instruction) -> bool {
    source.arguments.iter().any(|argument| match argument {
        Argument::Type(name) | Argument::Strategy(Strategy { name, .. }) => {
            &**name == "VertexProgramRestrictionStrategy"
        }
        _ => false,
    })
}

fn seed(source: &Instruction, configuration: &[(Arc<str>, Argument)]) -> Result<u64> {
    let seed = configuration.iter().find(|(name, _)| &**name == "seed");
    let (_, seed) = seed.ok_or_else(|| wrong(source, "has SeedStrategy without a seed"))?;
    // Any number is a valid seed; its sign is one of the bits.
    integer(source, seed).map(i64::cast_unsigned)
}

fn keys(source: &Instruction, configuration: &[(Arc<str>, Argument)]) -> Result<Vec<Name>> {
    let keys = configuration.iter().find(|(name, _)| &**name == "productiveKeys");
    match keys.map(|(_, keys)| keys) {
        Some(keys) => texts(source, keys),
        None => Ok(Vec::new()),
    }
}

/// The texts of a setting.
fn texts(source: &Instruction, setting: &Argument) -> Result<Vec<Name>> {
    let entries = match setting {
        Argument::Value(Value::List(entries) | Value::Set(entries)) => entries.to_vec(),
        Argument::Value(one) => vec![one.clone()],
        Argument::Binding(_, inner) => return texts(source, inner),
        _ => return Err(wrong(source, "has a setting that is not a text")),
    };
    let texts = entries.into_iter().map(|entry| match entry {
        Value::String(text) => Ok(text),
        _ => Err(wrong(source, "has a setting that is not a text")),
    });
    texts.collect()
}

fn refused(source: &Instruction, detail: &str) -> Error {
    Error { kind: ErrorKind::Unsupported, ..wrong(source, detail) }
}

/// A step that a strategy adds where another stands.
fn added(beside: &Instruction, name: &str, arguments: Vec<Argument>) -> Instruction {
    Instruction { name: name.into(), arguments, position: beside.position }
}

/// The same with other traversals in the place of those in its arguments.
fn with_inner(
    step: &Instruction,
    rewrite: &mut dyn FnMut(&Bytecode) -> Result<Bytecode>,
) -> Result<Instruction> {
    let arguments = step.arguments.iter().map(|argument| match argument {
        Argument::Bytecode(inner) => Ok(Argument::Bytecode(rewrite(inner)?)),
        other => Ok(other.clone()),
    });
    Ok(Instruction { arguments: arguments.collect::<Result<_>>()?, ..step.clone() })
}
