//! A predicate: the type of its values, and what `/alter` said of it.

use std::fmt;
use std::sync::Arc;

use crate::tree;

/// The type of a predicate's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Text, of which nothing was said.
    Default,
    /// Text.
    String,
    /// A whole number.
    Int,
    /// A double.
    Float,
    /// A truth.
    Bool,
    /// A point in time.
    DateTime,
    /// A geometry.
    Geo,
    /// The hash of a password.
    Password,
    /// An edge.
    Uid,
    /// A decimal number.
    BigFloat,
    /// Numbers in single precision.
    Vector,
}

impl Kind {
    /// All of them with their words, as `schema {}` has them.
    pub const WORDS: [(Kind, &'static str); 11] = [
        (Kind::Default, "default"),
        (Kind::String, "string"),
        (Kind::Int, "int"),
        (Kind::Float, "float"),
        (Kind::Bool, "bool"),
        (Kind::DateTime, "datetime"),
        (Kind::Geo, "geo"),
        (Kind::Password, "password"),
        (Kind::Uid, "uid"),
        (Kind::BigFloat, "bigfloat"),
        (Kind::Vector, "float32vector"),
    ];

    /// The type of a word, in any case.
    pub fn of_word(word: &str) -> Option<Kind> {
        let is_meant = |own: &&(Kind, &str)| own.1.eq_ignore_ascii_case(word);
        Kind::WORDS.iter().find(is_meant).map(|(kind, _)| *kind)
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        Kind::WORDS.iter().find(|own| own.0 == self).map_or("default", |own| own.1)
    }

    /// Whether its values are texts.
    pub fn is_text(self) -> bool {
        matches!(self, Kind::Default | Kind::String)
    }
}

/// A word of `@index`, with its options.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IndexWord {
    /// The word: `term`, `exact`, `year`, `hnsw`.
    pub word: Arc<str>,
    /// Its options as they are written, such as `metric: "euclidean"`.
    pub options: Vec<(Arc<str>, Arc<str>)>,
}

/// What is known of a predicate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Predicate {
    /// The type of its values.
    pub kind: Kind,
    /// Whether a node may have several.
    pub is_list: bool,
    /// Its indexes.
    pub indexes: Vec<IndexWord>,
    /// Whether `~` walks it back.
    pub is_reverse: bool,
    /// Whether edges are counted by an index.
    pub is_counted: bool,
    /// Whether its values have languages.
    pub has_languages: bool,
    /// Whether transactions that write one value conflict.
    pub is_upsert: bool,
    /// Whether no two nodes have one value.
    pub is_unique: bool,
    /// Whether writers never conflict.
    pub is_without_conflicts: bool,
    /// Whether a statement or a mutation declared it; else the graph has it from elsewhere.
    pub is_declared: bool,
    /// Whether its type was altered over data, so that a value may be stored as one of another type.
    pub is_altered: bool,
    /// Tags of languages in which there are values, in order.
    pub languages: Vec<Arc<str>>,
    /// Those of them in which values have an index, in order.
    pub languages_indexed: Vec<Arc<str>>,
    /// Keys of facets of its values, each with the language of the value, in order.
    pub facets: Vec<(Option<Arc<str>>, Arc<str>)>,
}

impl Predicate {
    /// One of a type, of which nothing else is said.
    pub fn of_kind(kind: Kind, is_list: bool) -> Predicate {
        Predicate {
            kind,
            is_list,
            indexes: Vec::new(),
            is_reverse: false,
            is_counted: false,
            has_languages: false,
            is_upsert: false,
            is_unique: false,
            is_without_conflicts: false,
            is_declared: false,
            is_altered: false,
            languages: Vec::new(),
            languages_indexed: Vec::new(),
            facets: Vec::new(),
        }
    }

    /// As a statement says; none if its type or a directive is unknown.
    pub fn of_statement(statement: &tree::PredicateSchema) -> Option<Predicate> {
        let tree::ValueType { name, is_list } = &statement.value_type;
        let mut predicate = Predicate::of_kind(Kind::of_word(&name.text)?, *is_list);
        predicate.is_declared = true;
        for directive in &statement.directives {
            match directive.name.text.as_str() {
                "index" => {
                    predicate.indexes.extend(directive.tokenizers.iter().map(IndexWord::from));
                }
                "reverse" => predicate.is_reverse = true,
                "count" => predicate.is_counted = true,
                "lang" => predicate.has_languages = true,
                "upsert" => predicate.is_upsert = true,
                // As in Dgraph, one says the other, too.
                "unique" => (predicate.is_unique, predicate.is_upsert) = (true, true),
                "noconflict" => predicate.is_without_conflicts = true,
                _ => return None,
            }
        }
        Some(predicate)
    }

    /// Whether it is indexed by one of some words.
    pub fn is_indexed_by(&self, words: &[&str]) -> bool {
        self.indexes.iter().any(|own| words.contains(&&*own.word))
    }

    /// Whether it leads to nodes.
    pub fn is_edge(&self) -> bool {
        self.kind == Kind::Uid
    }
}

/// A word as it is written.
impl From<&tree::Tokenizer> for IndexWord {
    fn from(tokenizer: &tree::Tokenizer) -> IndexWord {
        let option = |option: &tree::NamedValue| {
            let value = match &option.value.kind {
                tree::ValueKind::Text(text) | tree::ValueKind::Word(text) => {
                    Arc::from(text.as_str())
                }
                _ => Arc::from(""),
            };
            (Arc::from(option.name.text.as_str()), value)
        };
        IndexWord {
            word: tokenizer.name.text.to_ascii_lowercase().into(),
            options: tokenizer.options.iter().map(option).collect(),
        }
    }
}

/// As the text of its note, and of a schema behind the colon, without the dot.
impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_list {
            true => write!(f, "[{}]", self.kind.word())?,
            false => f.write_str(self.kind.word())?,
        }
        if !self.indexes.is_empty() {
            let words: Vec<String> = self.indexes.iter().map(IndexWord::to_string).collect();
            write!(f, " @index({})", words.join(", "))?;
        }
        for (is_there, word) in self.directives() {
            if is_there {
                write!(f, " @{word}")?;
            }
        }
        Ok(())
    }
}

impl Predicate {
    /// Directives without arguments, by their words.
    pub fn directives(&self) -> [(bool, &'static str); 6] {
        [
            (self.is_reverse, "reverse"),
            (self.is_counted, "count"),
            (self.has_languages, "lang"),
            (self.is_upsert, "upsert"),
            (self.is_unique, "unique"),
            (self.is_without_conflicts, "noconflict"),
        ]
    }
}

impl fmt::Display for IndexWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word)?;
        if self.options.is_empty() {
            return Ok(());
        }
        let option = |(name, value): &(Arc<str>, Arc<str>)| format!("{name}:{value:?}");
        let options: Vec<String> = self.options.iter().map(option).collect();
        write!(f, "({})", options.join(", "))
    }
}
