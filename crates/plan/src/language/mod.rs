//! The interface between a front end and the rest: what a language gives to `db` and gets from it, and the runner by
//! which a language that runs queries as it goes reaches the engine.
//!
//! Traits and plain data enter. No language is named here, and nothing is parsed, planned or run.

pub mod completion;
pub mod explanation;
mod notice;
mod profile_tree;
mod query_language;
pub mod runner;
pub mod signatures;
mod write_counts;

pub use completion::{Completion, CompletionKind};
pub use explanation::{Explanation, OperatorReport};
pub use notice::Notice;
pub use profile_tree::OperatorName;
pub use query_language::{
    AnswerRoom, AnswerWriter, Binding, Bound, Compiled, Explained, ForeignBinding, Language,
    Normalized, NormalizedQuery, Options, Outcome, Presented, Profiler, SLOT_PREFIX, Scope, Script,
    SlotValue, Statement, StatementKind, Target, ValueReader, slot_index,
};
pub use runner::{EdgeLayout, NewEdges, Parameter, PreparedPlan, Runner};
pub use signatures::{
    Argument, Signature, Signatures, ValueType, YieldedColumn, works_without_graph,
};
pub use write_counts::WriteCounts;
