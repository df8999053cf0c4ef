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
pub mod call;
pub mod columns;
pub mod completion;
pub mod explanation;
pub mod expr;
mod fold;
pub mod functions;
mod intersect;
pub mod language;
mod languages;
pub mod limits;
pub mod lookup;
pub mod lookup_mode;
pub mod op;
pub mod paths;
pub mod plan;
pub mod printer;
pub mod random;
pub mod recursive_expand;
pub mod repeat;
mod rows_source;
pub mod rules;
pub mod runner;
mod seek;
mod subplans;
pub mod tags;
pub mod writes;

pub use builder::PlanBuilder;
pub use call::Call;
pub use explanation::{Explanation, OperatorReport};
pub use expr::{Arithmetic, Comparison, Expr, LetRead, SetName};
pub use functions::Function;
pub use intersect::{Intersect, IntersectArm};
pub use languages::{Language, Languages};
pub use lookup::Lookup;
pub use lookup_mode::LookupMode;
pub use op::{
    ApplyKind, ElementKind, End, Fold, JoinKind, Loops, Missing, Nulls, Op, RowsSource, ScanSource,
    SeekBound, SeekRange, SideFold, SortKey, UnionPick,
};
pub use paths::{PathMode, PathPattern, PathWeight};
pub use plan::{ColumnId, LetBinding, LetId, Name, ParameterId, Pipeline, Plan};
pub use random::{Random, RandomKind};
pub use recursive_expand::RecursiveExpand;
pub use repeat::{Carried, Repeat, RoundPlace, RoundTest};
pub use runner::{EdgeLayout, NewEdges, Parameter, PreparedPlan, Runner};
pub use tags::Pop;
pub use writes::{Definition, Label, OwnerName, Properties, Template};
