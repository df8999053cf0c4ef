//! The operators: each one in docs/design/algebra.md, section 10 is a file here, in the folder of its family.
//!
//! An operator's file has its struct and its [`Facts`]. Rules, analyses, printer and engine ask these facts
//! of an [`Op`], which derefs to them, so that none of them lists operators. The few matches that do (the
//! engine's compiler, its oracle) have one arm for each operator and no wildcard.
//!
//! What belongs to one operator enters, and what a pipeline of them adds up. A whole plan is not known here: an
//! operator sees of it the names only.

mod facts;
mod hops;
mod liveness;
mod pipeline;
mod plan_errors;
mod properties;
mod rows;
mod scopes;
mod sort_key;
mod sources;
mod subplans;
mod writes;

use std::ops::{Deref, DerefMut};

pub use facts::{
    Demand, DependsOn, Distinct, Effect, ElementColumns, Facts, KnownKinds, MadeKinds, access,
};
pub use hops::{
    IntersectArm, Loops, ParallelEdges, PathAccept, PathAlternative, PathLeg, PathMode, PathOrder,
    PathPattern, PathTest,
};
pub use liveness::{PipelineLiveness, live_in_rounds};
pub(crate) use liveness::{count_work, pipeline_liveness};
pub use pipeline::Pipeline;
pub use plan_errors::{bad_plan, unsupported};
pub use properties::{OwnerName, Properties};
pub use rows::{Language, Languages, RandomKind};
pub use scopes::RowCount;
pub use sort_key::{Nulls, SortKey};
pub use sources::{IdForm, LookupMode, RowsSource, ScanSource, SeekBound, SeekRange};
pub use subplans::{ApplyKind, Carried, JoinKind, OnBatchError, RoundPlace, RoundTest, UnionPick};
pub use writes::claim::Claimed;
pub use writes::{Definition, EdgeNames, Label, Template, WriteRules};

/// Makes [`Op`] of the list of operators.
macro_rules! operators {
    ($($family:ident::$module:ident::$name:ident,)*) => {
        $(pub use $family::$module::$name;)*

        /// An operator: rows in, rows out. Order and scope are kept unless said otherwise.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Op {
            $(
                #[doc = concat!("See [`", stringify!($name), "`](struct@", stringify!($name), ").")]
                $name($name),
            )*
        }

        impl Op {
            /// The operator's facts.
            pub fn facts(&self) -> &(dyn Facts + 'static) {
                match self {
                    $(Op::$name(operator) => operator,)*
                }
            }

            /// The same, to change it.
            pub fn facts_mut(&mut self) -> &mut (dyn Facts + 'static) {
                match self {
                    $(Op::$name(operator) => operator,)*
                }
            }
        }

        $(
            impl From<$name> for Op {
                fn from(operator: $name) -> Op {
                    Op::$name(operator)
                }
            }
        )*
    };
}

operators! {
    sources::scan::Scan,
    sources::seek::Seek,
    sources::lookup_by_id::LookupById,
    sources::rows::Rows,
    sources::let_ref::LetRef,
    hops::expand::Expand,
    hops::expand_into::ExpandInto,
    hops::intersect::Intersect,
    hops::degree::Degree,
    hops::neighbours::Neighbours,
    hops::path_expand::PathExpand,
    hops::trail_endpoints::TrailEndpoints,
    hops::path_step::PathStep,
    hops::endpoints::Endpoints,
    hops::recursive_expand::RecursiveExpand,
    rows::fields::Fields,
    rows::lookup::Lookup,
    rows::call::Call,
    rows::filter::Filter,
    rows::project::Project,
    rows::unwind::Unwind,
    rows::unwind_values::UnwindValues,
    rows::weigh::Weigh,
    rows::random::Random,
    scopes::aggregate::Aggregate,
    scopes::fold::Fold,
    scopes::dedup::Dedup,
    scopes::sort::Sort,
    scopes::top_k::TopK,
    scopes::range::Range,
    scopes::tail::Tail,
    scopes::barrier::Barrier,
    scopes::side_effect::SideEffect,
    subplans::union::Union,
    subplans::apply::Apply,
    subplans::join::Join,
    subplans::group::Group,
    subplans::repeat::Repeat,
    subplans::in_transactions::InTransactions,
    writes::create::Create,
    writes::merge::Merge,
    writes::set::Set,
    writes::remove::Remove,
    writes::set_labels::SetLabels,
    writes::delete::Delete,
    writes::claim::Claim,
    writes::fail::Fail,
    writes::define::Define,
}

impl Deref for Op {
    type Target = dyn Facts;

    fn deref(&self) -> &(dyn Facts + 'static) {
        self.facts()
    }
}

impl DerefMut for Op {
    fn deref_mut(&mut self) -> &mut (dyn Facts + 'static) {
        self.facts_mut()
    }
}
