//! Functions on elements and their paths: multi-valued properties, and values on their way into the graph.

#[macro_use]
pub(super) mod paths;
#[macro_use]
pub(super) mod property_values;
#[macro_use]
pub(super) mod stored;
