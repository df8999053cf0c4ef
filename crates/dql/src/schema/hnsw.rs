//! The options of `@index(hnsw(…))`: what they mean for an index of vectors, and how `schema {}` lists them.
//!
//! A graph of neighbours here has layers as its vectors need them, and a search widens until it has found enough: so
//! `maxLevels` and `efSearch` are checked and listed, and `efConstruction` alone changes how the index is made.

use millrace_model::{Error, ErrorKind, Phase, Result};
use millrace_terms::vectors::{GraphDegrees, Similarity, VectorSpace};

use super::IndexWord;

/// The word of `@index`.
pub(crate) const HNSW: &str = "hnsw";

/// The option that is no number.
const METRIC: &str = "metric";

/// Options that are numbers, in the order in which they are listed.
const NUMBERS: [&str; 4] = ["exponent", "maxLevels", "efConstruction", "efSearch"];

/// The metrics, by their names in DQL.
const METRICS: [(&str, Similarity); 3] = [
    ("euclidean", Similarity::Euclidean),
    ("cosine", Similarity::Cosine),
    ("dotproduct", Similarity::DotProduct),
];

/// Candidates of a new vector's links for each step of `exponent`.
const CANDIDATES_OF_EXPONENT: u64 = 50;

impl IndexWord {
    /// Whether it is an index of vectors.
    pub fn is_of_vectors(&self) -> bool {
        &*self.word == HNSW
    }

    /// The vectors that its options ask for; refused with the option or the metric that there is not.
    pub fn vector_space(&self) -> Result<VectorSpace> {
        for (name, value) in &self.options {
            match &**name {
                METRIC => metric(value).map(drop)?,
                name if NUMBERS.contains(&name) => number(name, value).map(drop)?,
                other => {
                    let known = [&[METRIC], &NUMBERS[..]].concat().join(", ");
                    let error = wrong(&format!("option {other} is not allowed!"));
                    return Err(error.with_help(format!("options: {known}")));
                }
            }
        }
        let similarity = match self.option(METRIC) {
            Some(name) => metric(name)?,
            None => Similarity::Euclidean,
        };
        let space = VectorSpace::new(None, similarity)?;
        let candidates = match (self.option("efConstruction"), self.option("exponent")) {
            (Some(count), _) => number("efConstruction", count)?,
            (None, Some(exponent)) => {
                number("exponent", exponent)?.saturating_mul(CANDIDATES_OF_EXPONENT)
            }
            (None, None) => return Ok(space),
        };
        let links = u64::from(GraphDegrees::default().links);
        space.with_degrees(links, candidates).map_err(|_| {
            let detail = format!("efConstruction would be {candidates}, which is out of range");
            wrong(&detail).with_help("it is up to 3200, and 50 for each step of `exponent`")
        })
    }

    /// The last value of an option.
    fn option(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().rfind(|(own, _)| **own == *name);
        found.map(|(_, value)| &**value)
    }

    /// As `schema {}` lists it among tokenizers: the word, and its options in one order.
    pub(crate) fn listed(&self) -> String {
        let names = NUMBERS.into_iter().chain([METRIC]);
        let options =
            names.filter_map(|name| Some(format!("\"{name}\":\"{}\"", self.option(name)?)));
        let options: Vec<String> = options.collect();
        if options.is_empty() {
            return self.word.to_string();
        }
        format!("{}({})", self.word, options.join(","))
    }
}

/// The metric of a space, by its name in DQL.
pub fn metric_name(space: &VectorSpace) -> &'static str {
    METRICS.iter().find(|(_, own)| *own == space.similarity).map_or("euclidean", |(name, _)| name)
}

fn metric(name: &str) -> Result<Similarity> {
    let known = METRICS.iter().find(|(own, _)| *own == name);
    known.map(|(_, similarity)| *similarity).ok_or_else(|| {
        let names = METRICS.map(|(name, _)| name).join(", ");
        wrong(&format!("Can't create a vector index for {name}"))
            .with_help(format!("metrics: {names}"))
    })
}

/// The whole number above 0 of an option.
fn number(name: &str, text: &str) -> Result<u64> {
    let number = text.parse().ok().filter(|number| 0 < *number);
    number.ok_or_else(|| {
        let error = wrong(&format!("{name} is \"{text}\""));
        error.with_help("write a whole number above 0 in quotation marks")
    })
}

/// In the words of Dgraph.
fn wrong(issue: &str) -> Error {
    let detail = format!("IndexFactory: {HNSW} issues this error: '{issue}'");
    Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(options: &[(&str, &str)]) -> IndexWord {
        let options = options.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        IndexWord { word: HNSW.into(), options: options.collect() }
    }

    fn method(options: &[(&str, &str)]) -> String {
        word(options).vector_space().expect("it is right").to_string()
    }

    #[test]
    fn options_make_a_space_and_are_listed_in_one_order() {
        assert_eq!(method(&[]), "any, euclidean");
        assert_eq!(method(&[("metric", "cosine"), ("efSearch", "40")]), "any, cosine");
        assert_eq!(method(&[("exponent", "4")]), "any, euclidean, 16, 200");
        let both = [("exponent", "4"), ("metric", "dotproduct"), ("efConstruction", "30")];
        assert_eq!(method(&both), "any, dot_product, 16, 30");
        let listed = r#"hnsw("exponent":"4","efConstruction":"30","metric":"dotproduct")"#;
        assert_eq!(word(&both).listed(), listed);
        assert_eq!(word(&[]).listed(), "hnsw");
        assert_eq!(method(&[("metric", "cosine"), ("metric", "euclidean")]), "any, euclidean");
    }

    #[test]
    fn an_option_or_a_metric_that_there_is_not_is_refused_by_name() {
        for (name, value, words) in [
            ("metric", "manhattan", "Can't create a vector index for manhattan"),
            ("metric", "Euclidean", "Can't create a vector index for Euclidean"),
            ("Metric", "cosine", "option Metric is not allowed!"),
            ("efSearch", "x", "efSearch is \"x\""),
            ("maxLevels", "0", "maxLevels is \"0\""),
            ("efSearch", "-5", "above 0"),
            ("efConstruction", "99999", "would be 99999"),
            ("exponent", "18446744073709551615", "out of range"),
        ] {
            let error = word(&[(name, value)]).vector_space().expect_err(value).to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
