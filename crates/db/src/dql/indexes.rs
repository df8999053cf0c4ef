//! `@index` as indexes of the store. Ranges and orders need an ordered index, equality one of any kind; words and parts of
//! texts need one whose keys are made of the value.

use millrace_dql::schema::IndexWord;
use millrace_dql::tree::PredicateSchema;
use millrace_ingest::declared::DeclaredKind;
use millrace_model::schema::IndexKind;
use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::OwnerName;
use millrace_terms::KeyExtractor;
use millrace_terms::vectors::VectorSpace;

use crate::settings::{DeclaredIndex, IndexForm};

/// The indexes of a predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PredicateIndexes {
    /// Those to make, over the values of all vertices.
    pub indexes: Vec<DeclaredIndex>,
    /// What no index of today serves, a line each.
    pub left_out: Vec<String>,
}

/// What a tokenizer is here.
enum Method {
    /// An index over values.
    Values(IndexKind),
    /// One over keys that are made of values.
    Made(&'static str),
    /// One of vectors, by its options.
    Vectors,
}

/// Tokenizers, the type that they are for, and what they are.
const TOKENIZERS: [(&str, DeclaredKind, Method); 17] = [
    ("int", DeclaredKind::Int, Method::Values(IndexKind::Range)),
    ("float", DeclaredKind::Float, Method::Values(IndexKind::Range)),
    ("bigfloat", DeclaredKind::BigFloat, Method::Values(IndexKind::Range)),
    ("bool", DeclaredKind::Bool, Method::Values(IndexKind::Exact)),
    ("year", DeclaredKind::DateTime, Method::Values(IndexKind::Range)),
    ("month", DeclaredKind::DateTime, Method::Values(IndexKind::Range)),
    ("day", DeclaredKind::DateTime, Method::Values(IndexKind::Range)),
    ("hour", DeclaredKind::DateTime, Method::Values(IndexKind::Range)),
    ("exact", DeclaredKind::String, Method::Values(IndexKind::Range)),
    ("hash", DeclaredKind::String, Method::Values(IndexKind::Exact)),
    ("sha256", DeclaredKind::String, Method::Values(IndexKind::Exact)),
    ("term", DeclaredKind::String, Method::Made("words(dgraph-term)")),
    ("fulltext", DeclaredKind::String, Method::Made("words(dgraph-fulltext)")),
    ("trigram", DeclaredKind::String, Method::Made("trigrams")),
    ("ngram", DeclaredKind::String, Method::Made("phrases(dgraph-fulltext)")),
    ("geo", DeclaredKind::Geo, Method::Made("geo")),
    ("hnsw", DeclaredKind::Vector, Method::Vectors),
];

/// The indexes of a predicate with values, untagged and in some languages. Of one key there is one index over values, and
/// an ordered one serves equality, too. Words depend on the language of the text: an index of them knows it.
pub fn indexes_of(predicate: &PredicateSchema, languages: &[&str]) -> Result<PredicateIndexes> {
    let (mut found, mut of_values) = (PredicateIndexes::default(), None);
    let mut made: Vec<KeyExtractor> = Vec::new();
    let name = &predicate.predicate.text;
    for tokenizer in tokenizers_of(predicate)? {
        match method_of(predicate, &tokenizer.word)? {
            Method::Values(IndexKind::Range) => of_values = Some(IndexKind::Range),
            Method::Values(kind) => of_values = of_values.or(Some(*kind)),
            Method::Made(method) => made.push(method.parse()?),
            Method::Vectors => made.push(KeyExtractor::Vectors(vectors(predicate, &tokenizer)?)),
        }
    }
    let is_unique = predicate.directives.iter().any(|own| own.name.text == "unique");
    if is_unique {
        // It is judged when a transaction commits, and finds equal values, too.
        found.indexes.push(index(name, "unique", IndexForm::Kind(IndexKind::Unique)));
        of_values = of_values.filter(|kind| *kind == IndexKind::Range);
    }
    if let Some(kind) = of_values {
        let word = if kind == IndexKind::Range { "range" } else { "exact" };
        found.indexes.push(index(name, word, IndexForm::Kind(kind)));
        // An index by hash has its files, however few values a language has; an ordered one is as large as its values.
        let tagged = languages.iter().map(|language| format!("{name}@{language}"));
        let ordered = |key: String| index(&key, "range", IndexForm::Kind(IndexKind::Range));
        found.indexes.extend(tagged.map(ordered));
    }
    for extractor in made {
        let of_key = |key: &str, extractor: KeyExtractor| {
            let method = extractor.to_string();
            index(key, &method, IndexForm::Method(method.as_str().into()))
        };
        found.indexes.push(of_key(name, extractor));
        let tagged = languages.iter().map(|language| {
            of_key(&format!("{name}@{language}"), extractor.with_language(language))
        });
        found.indexes.extend(tagged);
    }
    Ok(found)
}

fn index(key: &str, word: &str, form: IndexForm) -> DeclaredIndex {
    let owner = OwnerName::AllVertices;
    DeclaredIndex { text: format!("({key}) {word}"), owner, keys: vec![key.into()], form }
}

/// The vectors of an index; a node has one vector, and there is one index of it.
fn vectors(predicate: &PredicateSchema, own: &IndexWord) -> Result<VectorSpace> {
    let name = &predicate.predicate.text;
    let words = predicate.directives.iter().flat_map(|directive| &directive.tokenizers);
    if 1 < words.filter(|word| IndexWord::from(*word).is_of_vectors()).count() {
        return Err(wrong(format!("'{name}' has two indexes of vectors: leave one of them out")));
    }
    own.vector_space()
        .map_err(|error| Error { detail: format!("'{name}': {}", error.detail), ..error })
}

/// The words of `@index(…)`; of a type with one tokenizer it is meant where none is named.
fn tokenizers_of(predicate: &PredicateSchema) -> Result<Vec<IndexWord>> {
    let indexes = predicate.directives.iter().filter(|directive| directive.name.text == "index");
    let mut names = Vec::new();
    for directive in indexes {
        names.extend(directive.tokenizers.iter().map(IndexWord::from));
        if directive.tokenizers.is_empty() {
            let kind = DeclaredKind::of_name(&predicate.value_type.name.text);
            let usual = match kind {
                Some(
                    DeclaredKind::Int
                    | DeclaredKind::Float
                    | DeclaredKind::Bool
                    | DeclaredKind::BigFloat
                    | DeclaredKind::Geo,
                ) => kind.map(DeclaredKind::name),
                Some(DeclaredKind::DateTime) => Some("year"),
                _ => None,
            };
            let usual = usual.ok_or_else(|| {
                let name = &predicate.predicate.text;
                wrong(format!(
                    "'{name}' has @index without a tokenizer: name one, as in @index(exact)"
                ))
            })?;
            names.push(IndexWord { word: usual.into(), options: Vec::new() });
        }
    }
    Ok(names)
}

fn method_of(predicate: &PredicateSchema, tokenizer: &str) -> Result<&'static Method> {
    let (name, kind_name) = (&predicate.predicate.text, &predicate.value_type.name.text);
    let Some((_, kind, method)) = TOKENIZERS.iter().find(|(known, ..)| *known == tokenizer) else {
        let known: Vec<&str> = TOKENIZERS.iter().map(|(known, ..)| *known).collect();
        let detail = format!("'{name}' has @index({tokenizer}), and there is no such tokenizer");
        return Err(wrong(detail).with_help(format!("use one of {}", known.join(", "))));
    };
    let own = DeclaredKind::of_name(kind_name);
    let is_text = matches!(own, Some(DeclaredKind::String | DeclaredKind::Default));
    let fits = own == Some(*kind) || *kind == DeclaredKind::String && is_text;
    if fits {
        return Ok(method);
    }
    let own_kind = kind.name();
    Err(wrong(format!(
        "'{name}' is of type {kind_name}, and @index({tokenizer}) is for {own_kind}: choose another tokenizer"
    )))
}

pub(super) fn wrong(detail: String) -> Error {
    Error::new(ErrorKind::BadInput, detail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_dql::{parse_schema, tree::SchemaItem};

    fn of(text: &str, languages: &[&str]) -> Result<PredicateIndexes> {
        let schema = parse_schema(text).expect("it is a schema");
        let [SchemaItem::Predicate(predicate)] = &schema.items[..] else { panic!("{schema}") };
        indexes_of(predicate, languages)
    }

    fn texts(found: &PredicateIndexes) -> Vec<&str> {
        found.indexes.iter().map(|index| &*index.text).collect()
    }

    #[test]
    fn of_one_key_there_is_one_index_over_values_and_the_ordered_one_wins() {
        for text in ["p: string @index(hash, exact) .", "p: string @index(exact, hash) ."] {
            assert_eq!(texts(&of(text, &[]).unwrap()), ["(p) range"], "{text}");
        }
        assert_eq!(texts(&of("p: string @index(hash) .", &[]).unwrap()), ["(p) exact"]);
        assert_eq!(texts(&of("p: datetime @index(year, hour) .", &[]).unwrap()), ["(p) range"]);
        assert_eq!(texts(&of("p: int @index .", &[]).unwrap()), ["(p) range"]);
        let unique = |own: &str| of(&format!("p: string @index({own}) @upsert @unique ."), &[]);
        assert_eq!(texts(&unique("hash").unwrap()), ["(p) unique"]);
        assert_eq!(texts(&unique("exact").unwrap()), ["(p) unique", "(p) range"]);
        assert!(texts(&of("p: [uid] @reverse @count .", &[]).unwrap()).is_empty());
    }

    #[test]
    fn words_have_made_indexes_that_know_the_language() {
        let found = of("p: string @index(term, trigram, hash) @lang .", &["en", "de-AT"]).unwrap();
        let expected = [
            "(p) exact",
            "(p@en) range",
            "(p@de-AT) range",
            "(p) words(dgraph-term)",
            "(p@en) words(dgraph-term)",
            "(p@de-AT) words(dgraph-term, de)",
            "(p) trigrams",
            "(p@en) trigrams",
            "(p@de-AT) trigrams",
        ];
        assert_eq!(texts(&found), expected);
        assert_eq!(texts(&of("p: geo @index(geo) .", &[]).unwrap()), ["(p) geo"]);
        let vectors = |options: &str| of(&format!("p: float32vector @index(hnsw{options}) ."), &[]);
        assert_eq!(texts(&vectors("").unwrap()), ["(p) vector(any, euclidean)"]);
        let cosine = vectors("(metric: \"cosine\", exponent: \"4\")").unwrap();
        assert_eq!(texts(&cosine), ["(p) vector(any, cosine, 16, 200)"]);
    }

    #[test]
    fn a_tokenizer_of_another_type_or_of_none_is_refused() {
        for (text, words) in [
            ("p: int @index(term) .", "@index(term) is for string"),
            ("p: string @index(words) .", "no such tokenizer"),
            ("p: string @index .", "without a tokenizer"),
            ("p: string @index(hnsw) .", "@index(hnsw) is for float32vector"),
            ("p: float32vector @index(hnsw(metric: \"x\")) .", "'p': IndexFactory"),
            ("p: float32vector @index(hnsw, hnsw) .", "two indexes of vectors"),
        ] {
            let error = of(text, &[]).expect_err(text).to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
