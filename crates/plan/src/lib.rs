//! The one algebra all languages compile to: operators, expressions, builder, rules, printer.
//!
//! A [`Pipeline`] is a sequence of operators. It starts from one row without columns (in a subplan:
//! from the outer rows), and every operator turns rows into rows; so a `Scan` is "each row, once for
//! every vertex", and a scan in the middle needs no special case. Operators *add* columns, they never
//! replace the row; a column that is not read later is dropped by the liveness rule, not by the
//! operator. The exact meaning is the algebra's own page; names here are names of the user's graph,
//! never numbers of a store.
//!
//! ```text
//!   language     the interface of front ends: languages, statements, runner, signatures, explanations
//!   rules        a plan ──> one with the same meaning; `trace` prints it after each rule
//!   analysis     properties of a whole plan: live columns, demanded order, failures
//!   builder      operators in order, for front ends and tests
//!   plan         a whole plan, its names, hints and text
//!   op           operators, each with its facts; pipelines of them
//!   printer      the text of what operators consist of
//!   expr         expressions over the columns of a row, folds of many rows
//!   functions    scalar functions
//!   base         names, columns, kinds of elements, limits
//! ```
//!
//! These are the modules, and a module imports from those below it only: the list is in
//! `crates/xtask/arrows.toml`, and `cargo xtask tidy` checks it. A front end builds a plan, `rules` improve it, and the
//! engine runs it; a front end that runs plans as it goes reaches the engine by the trait [`Runner`].

pub mod analysis;
mod base;
pub mod builder;
pub mod expr;
pub mod functions;
pub mod language;
pub mod op;
pub mod plan;
pub mod printer;
pub mod rules;

pub use base::{
    ColumnId, ElementKind, End, LetId, Name, ParameterId, PlanNames, columns, limits, nearest,
};
pub use builder::{PlanBuilder, tags, tags::Pop};
pub use expr::{
    Comparison, Expr, Fold, LetRead, Makes, Missing, Over, Quantifier, SetName, SideFold,
    TruthCounts, Unknown,
};
pub use functions::{Arithmetic, Function};
pub use language::{
    Argument, EdgeLayout, Explanation, NewEdges, Notice, OperatorReport, Parameter, PreparedPlan,
    Runner, Signature, Signatures, ValueType, WriteCounts, YieldedColumn, completion,
    works_without_graph,
};
pub use op::{
    ApplyKind, Call, Carried, Claim, Claimed, Definition, Intersect, IntersectArm, JoinKind, Label,
    Language, Languages, Lookup, LookupMode, Loops, Nulls, Op, OwnerName, ParallelEdges,
    PathAccept, PathAlternative, PathLeg, PathMode, PathOrder, PathPattern, PathTest, Pipeline,
    Properties, Random, RandomKind, RecursiveExpand, Repeat, RoundPlace, RoundTest, RowCount,
    RowsSource, ScanSource, SeekBound, SeekRange, SortKey, Template, UnionPick,
};
pub use plan::{DegreeHint, Hints, IndexHint, LetBinding, Mentioned, Plan, hints};
