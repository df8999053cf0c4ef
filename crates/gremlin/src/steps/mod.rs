//! The steps of Gremlin: one file each, one line in the list. Nothing else in the crate names a step to treat it
//! unlike others: its file states the facts that the rest goes by ([`Step`]).
//!
//! A step enters, and nothing of an engine or a store: only `plan`. A traversal as a whole is of `compile`. Code that
//! several steps share is under [`families`], so that this folder is the list of steps, by the names that users of
//! Gremlin look for.

mod families;

pub use profile::Profiled;

use millrace_bytecode::Instruction;
use millrace_model::Result;

use crate::translate::StepList;
pub(crate) use crate::translate::{Fact, Leads, MANY, Parameters, Step};
use families::{
    branches, choosing, folds, hops, lists, merge_found, merging, operands, property_arguments,
    ranges, sources, texts, wheres,
};

/// Declares the module of each step, and the list. rustfmt does not see modules that a macro declares:
/// `rustfmt crates/gremlin/src/steps/*.rs` formats them, as the stage `format` of `cargo xtask check` checks.
macro_rules! steps {
    ($($module:ident)*) => {
        $(mod $module;)*

        /// Every step, by name.
        pub static STEPS: &[Step] = &[$($module::STEP),*];
    };
}

steps! {
    e
    v
    add_e
    add_v
    aggregate
    all
    and_
    any
    as_
    as_bool
    as_date
    as_number
    as_string
    barrier
    both
    both_e
    both_v
    branch
    cap
    choose
    coalesce
    coin
    combine
    concat
    conjoin
    constant
    count
    cyclic_path
    date_add
    date_diff
    dedup
    difference
    discard
    disjunct
    drop
    element
    element_map
    fail
    filter
    flat_map
    fold
    format
    group
    group_count
    has
    has_id
    has_key
    has_label
    has_not
    has_value
    id
    identity
    in_
    in_e
    in_v
    index
    inject
    intersect
    is
    key
    l_trim
    label
    length
    limit
    local
    loops
    map
    match_
    math
    max
    mean
    merge
    merge_e
    merge_v
    min
    none
    not
    optional
    or_
    order
    other_v
    out
    out_e
    out_v
    path
    product
    profile
    project
    properties
    property
    property_map
    r_trim
    range
    repeat
    replace
    reverse
    sack
    sample
    select
    side_effect
    simple_path
    skip
    split
    subgraph
    substring
    sum
    tail
    to
    to_e
    to_lower
    to_upper
    to_v
    tree
    trim
    unfold
    union
    value
    value_map
    values
    where_
}

/// Fails unless a modulator has one argument.
fn one_argument(instruction: &Instruction) -> Result<()> {
    crate::translate::check_count(instruction, 1, 1)
}

/// The list, for the translation.
pub(crate) static LIST: StepList = StepList::of(STEPS);

/// The step of a name.
pub(crate) fn named(name: &str) -> Option<&'static Step> {
    LIST.named(name)
}

/// Whether an instruction is a step of which a fact holds.
pub(crate) fn is(instruction: &Instruction, fact: Fact) -> bool {
    LIST.is(instruction, fact)
}

/// Whether an instruction is a call of a step.
fn is_call_of(instruction: &Instruction, step: &Step) -> bool {
    *instruction.name == *step.name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_are_sorted() {
        assert!(STEPS.is_sorted_by_key(|step| step.name), "`StepList::named` searches by halves");
    }
}
