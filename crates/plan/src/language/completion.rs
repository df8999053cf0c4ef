//! Completions at a place of a text: for editors, which show them while a query is written.
//!
//! A completion is a proposal. It is made from the words of a language and the names of a graph, and nothing is run
//! for it.

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Completion {
    /// The word, whole: it takes the place of the letters before the offset that it begins with.
    pub text: String,
    /// The kind of the word.
    pub kind: CompletionKind,
    /// Arguments, result or use, for a person; perhaps empty.
    pub detail: String,
}

/// The kind of a proposed word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompletionKind {
    /// A step of a traversal, or a modulator of one.
    Step,
    /// A predicate.
    Predicate,
    /// A constant of the language.
    Token,
    /// A function.
    Function,
    /// A label of the graph.
    Label,
    /// An edge type of the graph.
    EdgeType,
    /// A property key of the graph.
    PropertyKey,
}

impl CompletionKind {
    /// Its word for programs.
    pub fn word(self) -> &'static str {
        match self {
            CompletionKind::Step => "step",
            CompletionKind::Predicate => "predicate",
            CompletionKind::Token => "token",
            CompletionKind::Function => "function",
            CompletionKind::Label => "label",
            CompletionKind::EdgeType => "edge-type",
            CompletionKind::PropertyKey => "property-key",
        }
    }
}

impl Completion {
    /// Those of some words that go on with a prefix, in their order, each once.
    pub fn of_prefix(prefix: &str, words: impl IntoIterator<Item = Completion>) -> Vec<Completion> {
        let mut found: Vec<Completion> =
            words.into_iter().filter(|word| word.text.starts_with(prefix)).collect();
        found.sort();
        found.dedup_by(|one, other| one.text == other.text && one.kind == other.kind);
        found
    }
}
