//! One file for each operator of the algebra, or for several fused into one, in the folder of its family; what several
//! families share is beside the folders.
//!
//! An operator takes slots, never column names, and gives the columns that live on (`Keep`, in
//! order) followed by its own new ones, if they are read later; `Compile` turns the one into the other. Order
//! within a scope is kept; barriers give scopes in order of their ordinals.

mod deferred;
pub(crate) mod hops;
mod keep;
mod paths;
mod rows;
mod scopes;
mod sources;
mod subplans;
mod vertices;
mod whole;
mod writes;

use millrace_model::Result;
use millrace_plan::Op;

use crate::prepare::{Compiler, Place, Placed};

pub(crate) use hops::count::{CountEdges, CountScanned, Counted, HasEdges};
pub(crate) use hops::hop::{Hop, HopResult};
pub(crate) use hops::neighbours::Walk;
pub(crate) use hops::sum_ids::SumIds;
pub(crate) use keep::Keep;
pub(crate) use rows::fields::{field_keys, read_fields};
pub(crate) use rows::filter::Filter;
pub(crate) use scopes::dedup::Dedup;
pub(crate) use scopes::first_in_scope::FirstInScope;
pub(crate) use sources::scan::{IndexPath, Keys, RangedKey};
pub(crate) use sources::seek::{OR_INDEX, SeekOwner};
pub(crate) use subplans::apply::{ConflictFreeBatches, DependencyPoint};
pub(crate) use subplans::repeat::{Repeat, Rounds, Test};
pub(crate) use subplans::repeat_count::RepeatCount;
pub(crate) use whole::{BatchPieces, Completing};
pub(crate) use writes::fail::failure;
pub(crate) use writes::label_names::label_texts;
pub(crate) use writes::merge::MergeTurns;
pub(crate) use writes::write_order::single_rows;

/// An operator of a plan that becomes a stage.
pub(crate) trait Compile {
    /// The stage's operator in its place, and the columns of its rows.
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed>;
}

/// The same for any operator.
pub(crate) fn compile(op: &Op, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
    match op {
        Op::Scan(op) => op.compile(compiler, place),
        Op::Seek(op) => op.compile(compiler, place),
        Op::LookupById(op) => op.compile(compiler, place),
        Op::Rows(op) => op.compile(compiler, place),
        Op::LetRef(op) => op.compile(compiler, place),
        Op::Expand(op) => op.compile(compiler, place),
        Op::ExpandInto(op) => op.compile(compiler, place),
        Op::Intersect(op) => op.compile(compiler, place),
        Op::Degree(op) => op.compile(compiler, place),
        Op::PathExpand(op) => op.compile(compiler, place),
        Op::TrailEndpoints(op) => op.compile(compiler, place),
        Op::PathStep(op) => op.compile(compiler, place),
        Op::Endpoints(op) => op.compile(compiler, place),
        Op::RecursiveExpand(op) => op.compile(compiler, place),
        Op::Fields(op) => op.compile(compiler, place),
        Op::Lookup(op) => op.compile(compiler, place),
        Op::Call(op) => op.compile(compiler, place),
        Op::Filter(op) => op.compile(compiler, place),
        Op::Project(op) => op.compile(compiler, place),
        Op::Unwind(op) => op.compile(compiler, place),
        Op::UnwindValues(op) => op.compile(compiler, place),
        Op::Weigh(op) => op.compile(compiler, place),
        Op::Random(op) => op.compile(compiler, place),
        Op::Aggregate(op) => op.compile(compiler, place),
        Op::Fold(op) => op.compile(compiler, place),
        Op::Dedup(op) => op.compile(compiler, place),
        Op::Sort(op) => op.compile(compiler, place),
        Op::TopK(op) => op.compile(compiler, place),
        Op::Range(op) => op.compile(compiler, place),
        Op::Tail(op) => op.compile(compiler, place),
        Op::Barrier(op) => op.compile(compiler, place),
        Op::SideEffect(op) => op.compile(compiler, place),
        Op::Union(op) => op.compile(compiler, place),
        Op::Apply(op) => op.compile(compiler, place),
        Op::Join(op) => op.compile(compiler, place),
        Op::Group(op) => op.compile(compiler, place),
        Op::Repeat(op) => op.compile(compiler, place),
        Op::InTransactions(op) => op.compile(compiler, place),
        Op::Create(op) => op.compile(compiler, place),
        Op::Merge(op) => op.compile(compiler, place),
        Op::Set(op) => op.compile(compiler, place),
        Op::Remove(op) => op.compile(compiler, place),
        Op::SetLabels(op) => op.compile(compiler, place),
        Op::Delete(op) => op.compile(compiler, place),
        Op::Claim(op) => op.compile(compiler, place),
        Op::Fail(op) => op.compile(compiler, place),
        Op::Define(op) => op.compile(compiler, place),
    }
}
