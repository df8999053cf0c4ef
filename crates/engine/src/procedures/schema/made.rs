//! The indexes of made keys that Cypher declares: a new one is a variant here.

use std::fmt;
use std::mem::discriminant;

use millrace_model::schema::KeyMethod;
use millrace_terms::trigrams::Case;
use millrace_terms::vectors::VectorSpace;
use millrace_terms::{Analyzer, KeyExtractor};

/// What an index of made keys finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// Parts of texts.
    Text,
    /// Points in circles and boxes.
    Point,
    /// Words, with scores.
    Fulltext(Analyzer),
    /// The nearest vectors.
    Vector(VectorSpace),
}

impl Made {
    /// How its keys are made.
    pub(super) fn method(self) -> KeyMethod {
        let extractor = match self {
            Made::Text => KeyExtractor::Trigrams(Case::Sensitive),
            Made::Point => KeyExtractor::Points,
            Made::Fulltext(analyzer) => KeyExtractor::ScoredWords(analyzer),
            Made::Vector(space) => KeyExtractor::Vectors(space),
        };
        KeyMethod(extractor.to_string().into())
    }

    /// What Cypher declares by a method; `None` of one that only administration declares.
    pub(super) fn of_method(KeyMethod(method): &KeyMethod) -> Option<Made> {
        match method.parse().ok()? {
            KeyExtractor::Trigrams(Case::Sensitive) => Some(Made::Text),
            KeyExtractor::Points => Some(Made::Point),
            KeyExtractor::ScoredWords(analyzer) => Some(Made::Fulltext(analyzer)),
            KeyExtractor::Vectors(space) => Some(Made::Vector(space)),
            KeyExtractor::Value
            | KeyExtractor::Words(_)
            | KeyExtractor::Trigrams(_)
            | KeyExtractor::Phrases(_)
            | KeyExtractor::Cells(_)
            | KeyExtractor::Geometries => None,
        }
    }

    /// The kind of a word in notes and in arguments of procedures.
    pub(super) fn parse(word: &str) -> Option<Made> {
        if let Some(analyzer) = word.strip_prefix("fulltext ") {
            return Analyzer::named(analyzer).ok().map(Made::Fulltext);
        }
        match word {
            "text" => Some(Made::Text),
            "point" => Some(Made::Point),
            _ => match word.parse() {
                Ok(KeyExtractor::Vectors(space)) => Some(Made::Vector(space)),
                _ => None,
            },
        }
    }

    /// Its type, as Neo4j shows it.
    pub(super) fn shown(self) -> &'static str {
        match self {
            Made::Text => "TEXT",
            Made::Point => "POINT",
            Made::Fulltext(_) => "FULLTEXT",
            Made::Vector(_) => "VECTOR",
        }
    }

    /// The provider that Neo4j has for it.
    pub(super) fn provider(self) -> &'static str {
        match self {
            Made::Text => "text-2.0",
            Made::Point => "point-1.0",
            Made::Fulltext(_) => "fulltext-1.0",
            Made::Vector(_) => "vector-2.0",
        }
    }

    /// Whether both find the same things, with any analyzer or space.
    pub(super) fn is_alike(self, other: Made) -> bool {
        discriminant(&self) == discriminant(&other)
    }
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Made::Text => f.write_str("text"),
            Made::Point => f.write_str("point"),
            Made::Fulltext(analyzer) => write!(f, "fulltext {analyzer}"),
            Made::Vector(space) => KeyExtractor::Vectors(*space).fmt(f),
        }
    }
}
