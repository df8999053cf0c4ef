//! What the operators of a statement did when it ran, for a client.

use std::sync::Arc;

use crate::value::ValueMap;

/// What one operator did, with those inside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileNode {
    /// Its number in the statement.
    pub id: Arc<str>,
    /// What it is called.
    pub name: Arc<str>,
    /// How long it took, in nanoseconds.
    pub nanos: i64,
    /// What it counted.
    pub counts: Vec<(Arc<str>, i64)>,
    /// What else there is to say of it.
    pub annotations: ValueMap,
    /// The operators inside it.
    pub nested: Vec<ProfileNode>,
}

/// What a statement did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// How long it took, in nanoseconds.
    pub nanos: i64,
    /// Its operators, outermost first.
    pub operators: Vec<ProfileNode>,
}
