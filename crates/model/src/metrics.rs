//! What a traversal did when it ran, step by step, with what steps inside of steps did.

use std::sync::Arc;

use crate::value::ValueMap;

/// What a step did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metrics {
    /// Its number in the traversal.
    pub id: Arc<str>,
    /// What it is called.
    pub name: Arc<str>,
    /// How long it took.
    pub nanos: i64,
    /// What it counted.
    pub counts: Vec<(Arc<str>, i64)>,
    /// What else is said of it.
    pub annotations: ValueMap,
    /// What the steps in it did.
    pub nested: Vec<Metrics>,
}

/// What a traversal did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraversalMetrics {
    /// How long it took.
    pub nanos: i64,
    /// Its steps.
    pub steps: Vec<Metrics>,
}
