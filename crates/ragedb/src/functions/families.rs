//! The table of functions: all families, in the order of the reference page.

use super::function::Family;
use super::{dates, elements, load, schema, traversals, walks};

/// All families, in the order of the reference page.
pub(crate) const FAMILIES: &[Family] = &[
    schema::FAMILY,
    elements::nodes::FAMILY,
    elements::properties::NODES,
    elements::relationships::FAMILY,
    elements::properties::RELATIONSHIPS,
    walks::degrees::FAMILY,
    walks::traversing::FAMILY,
    walks::bulk::FROM_IDS,
    walks::bulk::FROM_LINKS,
    elements::all::FAMILY,
    elements::find::FIND,
    elements::find::FILTER,
    walks::sets::FAMILY,
    dates::FAMILY,
    load::FAMILY,
    walks::hops::FAMILY,
    traversals::STARTS,
    traversals::STEPS,
    traversals::ENDS,
];
