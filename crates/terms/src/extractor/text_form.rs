//! Extractors as texts, for users and for the catalog: `value`, `words(english)`, `trigrams`,
//! `trigrams(case-insensitive)`, `words(dgraph-term, zh)`, `phrases(dgraph-fulltext)`, `cells(2d, geographic)`, `cells(3d, cartesian, -5.0, 5.0)`, `vector(768, cosine)`.

use std::fmt;
use std::str::FromStr;

use millrace_model::{Error, ErrorKind, Result};

use super::key_extractor::KeyExtractor;
use crate::analyzers::Analyzer;
use crate::cells::{CellGrid, Dimensions, PlaneExtent, Space};
use crate::trigrams::Case;
use crate::vectors::VectorSpace;

/// The forms, for errors.
const FORMS: &str = "value, words(ANALYZER), words(ANALYZER, LANGUAGE), trigrams, trigrams(case-insensitive), phrases(ANALYZER), phrases(ANALYZER, LANGUAGE), \
                     cells(2d|3d, geographic), cells(2d|3d, cartesian), cells(2d|3d, cartesian, LEAST, GREATEST), points, geo, \
                     scored-words(ANALYZER), vector(DIMENSIONS, SIMILARITY), vector(any, SIMILARITY), \
                     vector(DIMENSIONS, SIMILARITY, LINKS, CANDIDATES)";

impl fmt::Display for KeyExtractor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyExtractor::Value => f.write_str("value"),
            KeyExtractor::Words(analyzer) => write!(f, "words({analyzer})"),
            KeyExtractor::ScoredWords(analyzer) => write!(f, "scored-words({analyzer})"),
            KeyExtractor::Trigrams(Case::Sensitive) => f.write_str("trigrams"),
            KeyExtractor::Trigrams(Case::Insensitive) => f.write_str("trigrams(case-insensitive)"),
            KeyExtractor::Phrases(analyzer) => write!(f, "phrases({analyzer})"),
            KeyExtractor::Points => f.write_str("points"),
            KeyExtractor::Geometries => f.write_str("geo"),
            KeyExtractor::Cells(grid) => write!(f, "cells({grid})"),
            KeyExtractor::Vectors(space) => write!(f, "vector({space})"),
        }
    }
}

impl FromStr for KeyExtractor {
    type Err = Error;

    fn from_str(text: &str) -> Result<KeyExtractor> {
        let text = text.trim();
        let (name, arguments) = match text.split_once('(') {
            None => (text, Vec::new()),
            Some((name, rest)) => {
                let inner = rest.strip_suffix(')').ok_or_else(|| unknown(text))?;
                (name.trim_end(), inner.split(',').map(str::trim).collect())
            }
        };
        match (name, arguments.as_slice()) {
            ("value", []) => Ok(KeyExtractor::Value),
            ("words", arguments @ ([_] | [_, _])) => Ok(KeyExtractor::Words(analyzer(arguments)?)),
            ("scored-words", arguments @ ([_] | [_, _])) => {
                Ok(KeyExtractor::ScoredWords(analyzer(arguments)?))
            }
            ("points", []) => Ok(KeyExtractor::Points),
            ("geo", []) => Ok(KeyExtractor::Geometries),
            ("phrases", arguments @ ([_] | [_, _])) => {
                Ok(KeyExtractor::Phrases(analyzer(arguments)?))
            }
            ("trigrams", []) => Ok(KeyExtractor::Trigrams(Case::Sensitive)),
            ("trigrams", ["case-insensitive"]) => Ok(KeyExtractor::Trigrams(Case::Insensitive)),
            ("cells", [dimensions, space @ ..]) => {
                let dimensions = match *dimensions {
                    "2d" => Dimensions::Two,
                    "3d" => Dimensions::Three,
                    _ => return Err(unknown(text)),
                };
                let space = match space {
                    ["geographic"] => Space::Geographic,
                    ["cartesian"] => Space::Cartesian(PlaneExtent::DEFAULT),
                    ["cartesian", least, greatest] => {
                        let number = |word: &str| word.parse::<f64>().map_err(|_| unknown(text));
                        Space::Cartesian(PlaneExtent::new(number(least)?, number(greatest)?)?)
                    }
                    _ => return Err(unknown(text)),
                };
                Ok(KeyExtractor::Cells(CellGrid { dimensions, space }))
            }
            ("vector", arguments) => VectorSpace::parse(arguments)
                .unwrap_or_else(|| Err(unknown(text)))
                .map(KeyExtractor::Vectors),
            _ => Err(unknown(text)),
        }
    }
}

/// An analyzer, and the language of its texts where it is given. Only some analyzers look at a language.
fn analyzer(arguments: &[&str]) -> Result<Analyzer> {
    let named = Analyzer::named(arguments[0])?;
    let Some(tag) = arguments.get(1) else { return Ok(named) };
    let own = named.with_language(tag);
    let is_english = named.knows_languages() && tag.eq_ignore_ascii_case("en");
    if own == named && !is_english {
        let detail =
            format!("the analyzer `{named}` makes the same words of `{tag}` as of other texts");
        return Err(Error::new(ErrorKind::BadInput, detail).with_help("leave the language out"));
    }
    Ok(own)
}

fn unknown(text: &str) -> Error {
    let shown: String = text.chars().take(80).collect();
    Error::new(ErrorKind::BadInput, format!("an index cannot make its keys by `{shown}`"))
        .with_help(format!("use one of {FORMS}"))
}
