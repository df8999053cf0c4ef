//! The steps of Gremlin: one file each, one line in [`STEPS`].
//!
//! A step's file says which modulators it takes and how it becomes operators. Nothing of an engine or
//! a store enters: only `plan`.

mod add_e;
mod add_v;
mod aggregate;
mod all;
mod and_;
mod any;
mod as_bool;
mod as_date;
mod as_number;
mod as_string;
mod barrier;
mod both;
mod both_e;
mod both_v;
mod branch;
mod branches;
mod cap;
mod cardinality;
mod choose;
mod choosing;
mod coalesce;
mod coin;
mod combine;
mod concat;
mod conjoin;
mod constant;
mod count;
mod cyclic_path;
mod date_add;
mod date_diff;
mod dedup;
mod difference;
mod discard;
mod disjunct;
mod drop;
mod e;
mod element;
mod element_map;
mod fail;
mod filter;
mod flat_map;
mod fold;
mod folds;
mod format;
mod formula;
mod group;
mod group_count;
mod has;
mod has_id;
mod has_key;
mod has_label;
mod has_not;
mod has_value;
mod hops;
mod id;
mod identity;
mod in_;
mod in_e;
mod in_v;
mod index;
mod inject;
mod intersect;
mod is;
mod key;
mod l_trim;
mod label;
mod length;
mod limit;
mod lists;
mod local;
mod loops;
mod map;
mod match_;
mod math;
mod max;
mod mean;
mod merge;
mod merge_e;
mod merge_found;
mod merge_v;
mod merging;
mod min;
mod none;
mod not;
mod operands;
mod optional;
mod or_;
mod order;
mod other_v;
mod out;
mod out_e;
mod out_v;
mod path;
mod product;
pub(crate) mod profile;
mod project;
mod properties;
mod property;
mod property_arguments;
mod property_map;
mod r_trim;
mod range;
mod ranges;
mod repeat;
mod replace;
mod reverse;
mod rounds;
mod sack;
mod sample;
mod select;
mod side_effect;
mod simple_path;
mod skip;
mod sources;
mod split;
mod subgraph;
mod substring;
mod sum;
mod tag;
mod tail;
mod texts;
mod to;
mod to_e;
mod to_lower;
mod to_upper;
mod to_v;
mod tree;
mod trim;
mod unfold;
mod union;
mod v;
mod value;
mod value_map;
mod values;
mod where_;
mod wheres;

pub(crate) use barrier::SackMerges;
use millrace_model::bytecode::Instruction;
use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::nearest;

use crate::replacements::{Use, instead};
use crate::text::ENDINGS;
use crate::translate::{Call, Traversal, wrong};

/// A step: its name and how it becomes operators.
pub(crate) struct Step {
    /// Its name in the language.
    pub name: &'static str,
    /// The modulators that may follow it.
    pub modulators: &'static [&'static str],
    /// Adds its operators.
    pub translate: fn(&mut Traversal<'_>, &Call<'_>) -> Result<()>,
}

/// Fails unless a modulator has one argument.
fn one_argument(instruction: &Instruction) -> Result<()> {
    crate::translate::check_count(instruction, 1, 1)
}

/// What may stand before a `repeat`, or behind it.
pub(crate) const REPEAT_MODULATORS: [&str; 3] = ["emit", "times", "until"];

/// The step of an instruction.
pub(crate) fn find(instruction: &Instruction) -> Result<&'static Step> {
    let name = &*instruction.name;
    match STEPS.binary_search_by_key(&name, |step| step.name) {
        Ok(place) => Ok(&STEPS[place]),
        Err(_) => Err(unknown(instruction)),
    }
}

/// A call of what is no step: what to write instead, or the step that was meant.
fn unknown(instruction: &Instruction) -> Error {
    let error = wrong(instruction, "is not supported");
    let error = Error { kind: ErrorKind::Unsupported, ..error };
    let name = &*instruction.name;
    if let Some(help) = instead(Use::Call, name) {
        return error.with_help(help);
    }
    let modulators = STEPS.iter().flat_map(|step| step.modulators.iter().copied());
    let known = STEPS.iter().map(|step| step.name).chain(modulators).chain(ENDINGS.iter().copied());
    match nearest(name, known) {
        Some(near) => error.with_help(format!("did you mean `{near}()`?")),
        None => error.with_help("docs/reference/gremlin.md has all steps"),
    }
}

/// Whether a word modulates some step.
pub(crate) fn is_modulator(name: &str) -> bool {
    STEPS.iter().any(|step| step.modulators.contains(&name))
}

/// Every step, by name.
pub(crate) static STEPS: &[Step] = &[
    e::STEP,
    v::STEP,
    add_e::STEP,
    add_v::STEP,
    aggregate::STEP,
    all::STEP,
    and_::STEP,
    any::STEP,
    tag::STEP,
    as_bool::STEP,
    as_date::STEP,
    as_number::STEP,
    as_string::STEP,
    barrier::STEP,
    both::STEP,
    both_e::STEP,
    both_v::STEP,
    branch::STEP,
    cap::STEP,
    choose::STEP,
    coalesce::STEP,
    coin::STEP,
    combine::STEP,
    concat::STEP,
    conjoin::STEP,
    constant::STEP,
    count::STEP,
    cyclic_path::STEP,
    date_add::STEP,
    date_diff::STEP,
    dedup::STEP,
    difference::STEP,
    discard::STEP,
    disjunct::STEP,
    drop::STEP,
    element::STEP,
    element_map::STEP,
    fail::STEP,
    filter::STEP,
    flat_map::STEP,
    fold::STEP,
    format::STEP,
    group::STEP,
    group_count::STEP,
    has::STEP,
    has_id::STEP,
    has_key::STEP,
    has_label::STEP,
    has_not::STEP,
    has_value::STEP,
    id::STEP,
    identity::STEP,
    in_::STEP,
    in_e::STEP,
    in_v::STEP,
    index::STEP,
    inject::STEP,
    intersect::STEP,
    is::STEP,
    key::STEP,
    l_trim::STEP,
    label::STEP,
    length::STEP,
    limit::STEP,
    local::STEP,
    loops::STEP,
    map::STEP,
    match_::STEP,
    math::STEP,
    max::STEP,
    mean::STEP,
    merge::STEP,
    merge_e::STEP,
    merge_v::STEP,
    min::STEP,
    none::STEP,
    not::STEP,
    optional::STEP,
    or_::STEP,
    order::STEP,
    other_v::STEP,
    out::STEP,
    out_e::STEP,
    out_v::STEP,
    path::STEP,
    product::STEP,
    profile::STEP,
    project::STEP,
    properties::STEP,
    property::STEP,
    property_map::STEP,
    r_trim::STEP,
    range::STEP,
    repeat::STEP,
    replace::STEP,
    reverse::STEP,
    sack::STEP,
    sample::STEP,
    select::STEP,
    side_effect::STEP,
    simple_path::STEP,
    skip::STEP,
    split::STEP,
    subgraph::STEP,
    substring::STEP,
    sum::STEP,
    tail::STEP,
    to::STEP,
    to_e::STEP,
    to_lower::STEP,
    to_upper::STEP,
    to_v::STEP,
    tree::STEP,
    trim::STEP,
    unfold::STEP,
    union::STEP,
    value::STEP,
    value_map::STEP,
    values::STEP,
    where_::STEP,
];
