//! The forms in which results are written.

use super::jolt::Jolt;

/// The form of the rows of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The Query API's JSON without types.
    Plain,
    /// The Query API's JSON with types.
    Typed,
    /// Rows of a transaction, each as an object.
    Transaction(Contents),
    /// Rows of a transaction, each as a line.
    Jolt(Jolt),
}

impl Form {
    /// What stands between two rows.
    pub fn separator(self) -> &'static str {
        match self {
            Form::Plain | Form::Typed | Form::Transaction(_) => ",",
            Form::Jolt(_) => "",
        }
    }
}

/// What each row of a transaction's result has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Its values, with ids and types of the elements apart.
    pub has_row: bool,
    /// The nodes and relationships in it.
    pub has_graph: bool,
    /// Its values, with the addresses of everything about an element in it.
    pub has_rest: bool,
}

impl Contents {
    /// The values alone.
    pub const ROW: Contents = Contents { has_row: true, has_graph: false, has_rest: false };
}
