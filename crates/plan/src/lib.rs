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
//!   front end ──builder──> Plan ──rules──> Plan ──printer──> text
//!                                   │
//!                                 engine (by the Runner trait, for front ends that run as they go)
//! ```

pub mod analysis;
pub mod builder;
pub mod columns;
pub mod completion;
pub mod explanation;
pub mod expr;
mod fold;
pub mod functions;
pub mod hints;
pub mod language;
pub mod limits;
mod nearest;
mod notice;
pub mod op;
pub mod over;
pub mod plan;
pub mod printer;
pub mod rules;
pub mod runner;
pub mod signatures;
mod subplans;
pub mod tags;
mod write_counts;

pub use builder::PlanBuilder;
pub use explanation::{Explanation, OperatorReport};
pub use expr::{Arithmetic, Comparison, Expr, LetRead, SetName};
pub use fold::{Fold, Missing, SideFold};
pub use functions::Function;
pub use hints::{DegreeHint, Hints, IndexHint, Mentioned};
pub use nearest::nearest;
pub use notice::Notice;
pub use op::{
    ApplyKind, Call, Carried, Claim, Definition, ElementKind, End, Intersect, IntersectArm,
    JoinKind, Label, Language, Languages, Lookup, LookupMode, Loops, Nulls, Op, OwnerName,
    PathAccept, PathLeg, PathMode, PathOrder, PathPattern, PathTest, Properties, Random,
    RandomKind, RecursiveExpand, Repeat, RoundPlace, RoundTest, RowCount, RowsSource, ScanSource,
    SeekBound, SeekRange, SortKey, Template, UnionPick,
};
pub use over::{Makes, Over, Quantifier, TruthCounts, Unknown};
pub use plan::{ColumnId, LetBinding, LetId, Name, ParameterId, Pipeline, Plan};
pub use runner::{EdgeLayout, NewEdges, Parameter, PreparedPlan, Runner};
pub use signatures::{
    Argument, Signature, Signatures, ValueType, YieldedColumn, works_without_graph,
};
pub use tags::Pop;
pub use write_counts::WriteCounts;
