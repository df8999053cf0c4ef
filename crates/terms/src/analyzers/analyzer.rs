//! The analyzers by name.
//!
//! The names are those of `db.index.fulltext.listAvailableAnalyzers()` in Neo4j 5.26, and three for the words of other
//! databases. An analyzer whose stemmer or dictionary is not here is refused with the one to take instead: a word
//! that is not stemmed would be found by other questions than its users expect.

use std::fmt;

use millrace_model::{Error, ErrorKind, Result};

use super::filters::Filter::{self, *};
use super::languages::{self, LanguageBase};
use super::pipeline::{OwnedToken, TokenSink, normalize, run};
use super::stemmers::{Language, Stemmer};
use super::stop_words;
use super::tokenizers::Tokenizer;

/// A way to turn a text into words.
#[derive(Clone, Copy)]
pub struct Analyzer {
    definition: &'static Definition,
    /// The language of texts that come without one; only analyzers that look at languages have it.
    language: Option<LanguageBase>,
}

/// What an analyzer consists of.
struct Definition {
    name: &'static str,
    description: &'static str,
    steps: Steps,
}

/// How words are split, and what happens to each.
enum Steps {
    /// The same for each text.
    Fixed(Pipeline),
    /// By the language tag of the text.
    ByLanguage(fn(Option<&str>) -> Pipeline),
}

/// A tokenizer and filters.
#[derive(Clone, Copy)]
pub(super) struct Pipeline {
    pub(super) tokenizer: Tokenizer,
    pub(super) filters: &'static [Filter],
    /// Characters of Chinese, Japanese and Korean become pairs; stop words are dropped after that.
    pub(super) bigrams: bool,
}

impl Pipeline {
    const fn new(tokenizer: Tokenizer, filters: &'static [Filter]) -> Pipeline {
        Pipeline { tokenizer, filters, bigrams: false }
    }
}

/// The analyzers of Neo4j that are not here, each with what to use instead.
pub const REFUSED: &[(&str, &str)] = &[
    ("armenian", "standard-no-stop-words"),
    ("basque", "standard-no-stop-words"),
    ("brazilian", "portuguese"),
    ("bulgarian", "standard-no-stop-words"),
    ("catalan", "standard-folding"),
    ("czech", "standard-folding"),
    ("galician", "portuguese"),
    ("hindi", "standard-no-stop-words"),
    ("indonesian", "standard-no-stop-words"),
    ("irish", "standard-folding"),
    ("latvian", "standard-folding"),
    ("lithuanian", "standard-folding"),
    ("sorani", "standard-no-stop-words"),
    // Words of Thai are found by a dictionary.
    ("thai", "standard-no-stop-words"),
];

const fn words(
    name: &'static str,
    description: &'static str,
    filters: &'static [Filter],
) -> Definition {
    split(name, description, Tokenizer::Words, filters)
}

const fn split(
    name: &'static str,
    description: &'static str,
    tokenizer: Tokenizer,
    filters: &'static [Filter],
) -> Definition {
    Definition { name, description, steps: Steps::Fixed(Pipeline::new(tokenizer, filters)) }
}

const MAIL: &str = "Words of Unicode in lower case without English stop words; URLs and addresses of mail are whole.";

/// The analyzers, by name.
static ANALYZERS: &[Definition] = &[
    words(
        "arabic",
        "Arabic: letters normalized, stop words dropped, light stems.",
        &[Lowercase, Digits, Stop("arabic"), Arabic, Stem(Stemmer::LightArabic)],
    ),
    Definition {
        name: "cjk",
        description: "Chinese, Japanese, Korean: pairs of characters; other words in lower case without English stop words.",
        steps: Steps::Fixed(Pipeline {
            tokenizer: Tokenizer::Words,
            filters: &[Width, Lowercase, Stop("cjk")],
            bigrams: true,
        }),
    },
    split(
        "classic",
        "Lucene's grammar of before Unicode's words, which knows acronyms, companies and host names; lower case, no English stop words.",
        Tokenizer::Classic,
        &[Classic, Lowercase, Stop("english")],
    ),
    words(
        "danish",
        "Danish: stop words dropped, stems.",
        &[Lowercase, Stop("danish"), Stem(Stemmer::Snowball(Language::Danish))],
    ),
    Definition {
        name: "dgraph-fulltext",
        description: "Dgraph's `fulltext`: words in lower case and Unicode's form KC; stop words and stems by the language of the text.",
        steps: Steps::ByLanguage(languages::fulltext),
    },
    Definition {
        name: "dgraph-term",
        description: "Dgraph's `term`: words in lower case and Unicode's form KC; split at white space in languages that do not separate words.",
        steps: Steps::ByLanguage(languages::term),
    },
    words(
        "dutch",
        "Dutch: stop words dropped, stems.",
        &[Lowercase, Stop("dutch"), Stem(Stemmer::Snowball(Language::Dutch))],
    ),
    split("email", MAIL, Tokenizer::UrlsAndMail, &[Lowercase, Stop("english")]),
    words(
        "english",
        "English: possessives and stop words dropped, Porter's stems.",
        &[Possessive, Lowercase, Stop("english"), Stem(Stemmer::Porter)],
    ),
    words(
        "finnish",
        "Finnish: stop words dropped, stems.",
        &[Lowercase, Stop("finnish"), Stem(Stemmer::Snowball(Language::Finnish))],
    ),
    words(
        "french",
        "French: elided articles and stop words dropped, light stems.",
        &[
            Elision(languages::FRENCH_ARTICLES),
            Lowercase,
            Stop("french"),
            Stem(Stemmer::LightFrench),
        ],
    ),
    words(
        "german",
        "German: stop words dropped, umlauts normalized, light stems.",
        &[Lowercase, Stop("german"), German, Stem(Stemmer::LightGerman)],
    ),
    words(
        "greek",
        "Greek: accents and stop words dropped, stems by Snowball's rules, where Lucene has others of its own.",
        &[GreekLowercase, Stop("greek"), Stem(Stemmer::Snowball(Language::Greek))],
    ),
    words(
        "hungarian",
        "Hungarian: stop words dropped, stems.",
        &[Lowercase, Stop("hungarian"), Stem(Stemmer::Snowball(Language::Hungarian))],
    ),
    words(
        "italian",
        "Italian: elided articles and stop words dropped, light stems.",
        &[
            Elision(languages::ITALIAN_ARTICLES),
            Lowercase,
            Stop("italian"),
            Stem(Stemmer::LightItalian),
        ],
    ),
    split(
        "janusgraph",
        "JanusGraph's text predicates: runs of two or more letters and digits, in lower case.",
        Tokenizer::LettersAndDigits,
        &[WordLowercase],
    ),
    split("keyword", "The whole text as one word, as it is.", Tokenizer::Whole, &[]),
    words(
        "norwegian",
        "Norwegian: stop words dropped, stems.",
        &[Lowercase, Stop("norwegian"), Stem(Stemmer::Snowball(Language::Norwegian))],
    ),
    split(
        "persian",
        "Persian: letters normalized, stop words dropped.",
        Tokenizer::PersianWords,
        &[Lowercase, Digits, Arabic, Persian, Stop("persian")],
    ),
    words(
        "portuguese",
        "Portuguese: stop words dropped, light stems.",
        &[Lowercase, Stop("portuguese"), Stem(Stemmer::LightPortuguese)],
    ),
    words(
        "romanian",
        "Romanian: stop words dropped, stems.",
        &[Lowercase, Stop("romanian"), Stem(Stemmer::Snowball(Language::Romanian))],
    ),
    words(
        "russian",
        "Russian: stop words dropped, stems.",
        &[Lowercase, Stop("russian"), Stem(Stemmer::Snowball(Language::Russian))],
    ),
    split("simple", "Runs of letters, in lower case.", Tokenizer::Letters, &[Lowercase]),
    words(
        "spanish",
        "Spanish: stop words dropped, light stems.",
        &[Lowercase, Stop("spanish"), Stem(Stemmer::LightSpanish)],
    ),
    words(
        "standard",
        "Words of Unicode in lower case, without English stop words.",
        &[Lowercase, Stop("english")],
    ),
    words(
        "standard-folding",
        "Words of Unicode folded to ASCII, in lower case, without English stop words.",
        &[FoldToAscii, Lowercase, Stop("english")],
    ),
    words("standard-no-stop-words", "Words of Unicode in lower case: the default.", &[Lowercase]),
    split(
        "stop",
        "Runs of letters, in lower case, without English stop words.",
        Tokenizer::Letters,
        &[Lowercase, Stop("english")],
    ),
    words(
        "swedish",
        "Swedish: stop words dropped, stems.",
        &[Lowercase, Stop("swedish"), Stem(Stemmer::Snowball(Language::Swedish))],
    ),
    words(
        "turkish",
        "Turkish: what follows an apostrophe and stop words dropped, stems.",
        &[
            Apostrophe,
            TurkishLowercase,
            Stop("turkish"),
            Stem(Stemmer::Snowball(Language::Turkish)),
        ],
    ),
    split(
        "unicode_whitespace",
        "Split at what Unicode calls white space; nothing is changed.",
        Tokenizer::Whitespace,
        &[],
    ),
    split("url", MAIL, Tokenizer::UrlsAndMail, &[Lowercase, Stop("english")]),
    split("url_or_email", MAIL, Tokenizer::UrlsAndMail, &[Lowercase, Stop("english")]),
    split(
        "whitespace",
        "Split at what Java calls white space; nothing is changed.",
        Tokenizer::JavaWhitespace,
        &[],
    ),
];

impl Analyzer {
    /// The analyzer of that name. An unknown one is an error with the list, one that is known and not here an error
    /// with another to use.
    pub fn named(name: &str) -> Result<Analyzer> {
        if let Ok(at) = ANALYZERS.binary_search_by_key(&name, |own| own.name) {
            return Ok(Analyzer::of(&ANALYZERS[at]));
        }
        if let Some((_, instead)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            let detail =
                format!("the analyzer `{name}` needs a stemmer or a dictionary that is not here");
            return Err(
                Error::new(ErrorKind::Unsupported, detail).with_help(format!("use `{instead}`"))
            );
        }
        let names: Vec<_> = ANALYZERS.iter().map(|own| own.name).collect();
        let detail = format!("there is no analyzer `{name}`");
        Err(Error::new(ErrorKind::BadInput, detail)
            .with_help(format!("use one of {}", names.join(", "))))
    }

    /// All of them, by name.
    pub fn all() -> impl Iterator<Item = Analyzer> {
        ANALYZERS.iter().map(Analyzer::of)
    }

    fn of(definition: &'static Definition) -> Analyzer {
        Analyzer { definition, language: None }
    }

    /// The same for texts of a language, where words depend on it. English is that of texts without any.
    pub fn with_language(self, tag: &str) -> Analyzer {
        let language = match self.definition.steps {
            Steps::Fixed(_) => None,
            Steps::ByLanguage(_) => LanguageBase::of(tag),
        };
        Analyzer { language, ..self }
    }

    /// Whether its words depend on the language of a text.
    pub fn knows_languages(self) -> bool {
        matches!(self.definition.steps, Steps::ByLanguage(_))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.definition.name
    }

    /// What it does, for a listing.
    pub fn description(self) -> &'static str {
        self.definition.description
    }

    /// The words that it drops, for texts without a language.
    pub fn stop_words(self) -> &'static [&'static str] {
        let lists = self.pipeline(None).filters.iter().filter_map(|filter| match filter {
            Stop(list) => Some(stop_words::list(list)),
            _ => None,
        });
        lists.into_iter().next().unwrap_or(&[])
    }

    /// Calls back with each token of the text, by position. A text with more than
    /// [`TOKENS_MAX`](crate::limits::TOKENS_MAX) tokens is an error.
    pub fn analyze(self, text: &str, language: Option<&str>, sink: TokenSink) -> Result<()> {
        run(self.pipeline(language), text, sink)
    }

    /// A part of a word as the analyzer has it: in lower case or folded, but no stem, and no stop word is dropped.
    /// For words with wildcards, fuzzy words and ends of ranges.
    pub fn normalize(self, part: &str, language: Option<&str>) -> String {
        normalize(self.pipeline(language), part)
    }

    /// The tokens of a short text, such as a word of a question.
    pub fn tokens(self, text: &str, language: Option<&str>) -> Result<Vec<OwnedToken>> {
        let mut tokens = Vec::new();
        self.analyze(text, language, &mut |token| {
            tokens.push(OwnedToken::from(token));
            Ok(())
        })?;
        Ok(tokens)
    }

    fn pipeline(self, language: Option<&str>) -> Pipeline {
        match &self.definition.steps {
            Steps::Fixed(pipeline) => *pipeline,
            Steps::ByLanguage(of) => {
                of(language.or(self.language.as_ref().map(LanguageBase::as_str)))
            }
        }
    }
}

impl PartialEq for Analyzer {
    fn eq(&self, other: &Analyzer) -> bool {
        self.definition.name == other.definition.name && self.language == other.language
    }
}

impl Eq for Analyzer {}

impl fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Analyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.definition.name)?;
        match &self.language {
            Some(language) => write!(f, ", {}", language.as_str()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_every_name_of_it_is_known() {
        assert!(ANALYZERS.is_sorted_by_key(|own| own.name));
        for analyzer in Analyzer::all() {
            assert_eq!(Analyzer::named(analyzer.name()).expect("its own name"), analyzer);
        }
    }

    #[test]
    fn what_is_refused_has_a_remedy_that_is_there() {
        for (name, instead) in REFUSED {
            let error = Analyzer::named(name).expect_err("it is not here");
            assert_eq!(error.kind, ErrorKind::Unsupported);
            assert_eq!(error.help.as_deref(), Some(format!("use `{instead}`").as_str()));
            Analyzer::named(instead).expect("the remedy");
        }
        let error = Analyzer::named("klingon").expect_err("there is none");
        assert!(error.help.expect("the list").contains("standard-no-stop-words, stop, swedish"));
    }
}
