//! Strategies: those that say how to be fast are others' business, those that say what is seen are not.

use millrace_model::bytecode::{Argument, Instruction, Strategy};
use millrace_model::{Error, ErrorKind, Result};

use super::calls::wrong;
use super::traversal::Shared;

/// Strategies that change nothing of what a traversal means.
const WITHOUT_MEANING: [&str; 24] = [
    "AdjacentToIncidentStrategy",
    "ByModulatorOptimizationStrategy",
    "ComputerFinalizationStrategy",
    "ComputerVerificationStrategy",
    "ConnectiveStrategy",
    "CountStrategy",
    "EarlyLimitStrategy",
    "FilterRankingStrategy",
    "GraphFilterStrategy",
    "IdentityRemovalStrategy",
    "IncidentToAdjacentStrategy",
    "InlineFilterStrategy",
    "LambdaRestrictionStrategy",
    "LazyBarrierStrategy",
    "MatchPredicateStrategy",
    "MessagePassingReductionStrategy",
    "OrderLimitStrategy",
    "PathProcessorStrategy",
    "PathRetractionStrategy",
    "ProfileStrategy",
    "ReferenceElementStrategy",
    "RepeatUnrollStrategy",
    "StandardVerificationStrategy",
    "VertexProgramRestrictionStrategy",
];

/// `withStrategies(…)`.
pub(super) fn with(shared: &mut Shared, source: &Instruction) -> Result<()> {
    for argument in &source.arguments {
        let name = match argument {
            Argument::Strategy(Strategy { name, .. }) | Argument::Type(name) => name,
            _ => return Err(wrong(source, "takes strategies")),
        };
        match &**name {
            "ReadOnlyStrategy" => shared.read_only = true,
            name if WITHOUT_MEANING.contains(&name) => {}
            name => {
                let error = wrong(source, format!("has {name}, which is not supported"));
                return Err(Error { kind: ErrorKind::Unsupported, ..error });
            }
        }
    }
    Ok(())
}
