//! An operator of a plan, any of them, to a stage.

use millrace_model::Result;
use millrace_plan::Op;

use crate::compile::{Compile, Compiler, Place, Placed};

/// The stage's operator in its place, and the columns of its rows.
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
        Op::Neighbours(op) => op.compile(compiler, place),
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
