//! The profile of a statement's run, operator by operator, for a client.

use std::sync::Arc;

use crate::values::value::{Value, ValueMap};

/// The profile of one operator, with those inside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileNode {
    /// Its number in the statement.
    pub id: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// How long it took, in nanoseconds.
    pub nanos: i64,
    /// Its counters.
    pub counts: Vec<(Arc<str>, i64)>,
    /// Further annotations.
    pub annotations: ValueMap,
    /// The variables that are known behind it.
    pub variables: Vec<Arc<str>>,
    /// The operators inside it.
    pub nested: Vec<ProfileNode>,
}

/// The profile of a statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// How long it took, in nanoseconds.
    pub nanos: i64,
    /// Its operators, outermost first.
    pub operators: Vec<ProfileNode>,
}

impl Profile {
    /// One operator for a whole plan, of which only the text is known.
    pub fn of_text(text: &str) -> Profile {
        let annotations = vec![(Value::from("string-representation"), Value::from(text))];
        let plan = ProfileNode { name: "Plan".into(), annotations, ..ProfileNode::default() };
        Profile { nanos: 0, operators: vec![plan] }
    }
}
