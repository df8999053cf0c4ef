//! The form in which a client wants its answer.

/// The form of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AnswerForm {
    /// Objects with the names that a query gives them.
    Json,
    /// Such objects, and each has its uid.
    JsonWithUids,
    /// N-Quads, in a text of JSON.
    Rdf,
}
