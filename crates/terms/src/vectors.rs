//! Vectors as keys, and how near one is to another: the one place that computes similarities for an index.
//!
//! ```text
//!   key   the numbers in single precision, one after the other, lowest byte first; of a cosine those of the vector
//!         of length 1 that points the same way, so that a cosine is a product
//! ```
//!
//! A score is greater for the nearer of two, and as Neo4j and Lucene have it. The sum of a product is that of sixteen
//! lanes, in one order, so that equal vectors have equal scores wherever they are compared.

use std::fmt;

use millrace_model::{Error, ErrorKind, Result};

use crate::limits::{VECTOR_CANDIDATES_MAX, VECTOR_DIMENSIONS_MAX, VECTOR_LINKS_MAX};

/// How near two vectors are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Similarity {
    /// The angle between them.
    Cosine,
    /// Their distance.
    Euclidean,
    /// Their product, which grows with their lengths, too.
    DotProduct,
}

impl Similarity {
    /// All, with their names.
    pub const ALL: [(&'static str, Similarity); 3] = [
        ("cosine", Similarity::Cosine),
        ("euclidean", Similarity::Euclidean),
        ("dot_product", Similarity::DotProduct),
    ];

    /// The similarity of a name, in letters of any case.
    pub fn named(name: &str) -> Result<Similarity> {
        let known = Similarity::ALL.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        known.map(|(_, similarity)| *similarity).ok_or_else(|| {
            let names = Similarity::ALL.map(|(own, _)| own).join(", ");
            let detail = format!("`{name}` is no similarity of vectors");
            Error::new(ErrorKind::BadInput, detail).with_help(format!("they are {names}"))
        })
    }
}

impl fmt::Display for Similarity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Similarity::ALL.iter().find(|(_, similarity)| similarity == self);
        f.write_str(known.map_or("?", |(name, _)| name))
    }
}

/// The links of a graph of neighbours over vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphDegrees {
    /// Links of a vector, on each layer above the lowest, which has twice as many.
    pub links: u16,
    /// Candidates that are weighed for the links of a new vector.
    pub candidates: u16,
}

impl Default for GraphDegrees {
    fn default() -> GraphDegrees {
        GraphDegrees { links: 16, candidates: 100 }
    }
}

/// The vectors that one index holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorSpace {
    /// How many numbers each has; `None`: vectors of any length, of which a search finds those of its own.
    pub dimensions: Option<u16>,
    /// How near two are.
    pub similarity: Similarity,
    /// How they are linked.
    pub degrees: GraphDegrees,
}

impl fmt::Display for VectorSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dimensions {
            Some(dimensions) => write!(f, "{dimensions}, {}", self.similarity)?,
            None => write!(f, "any, {}", self.similarity)?,
        }
        if self.degrees == GraphDegrees::default() {
            return Ok(());
        }
        write!(f, ", {}, {}", self.degrees.links, self.degrees.candidates)
    }
}

impl VectorSpace {
    /// The space of the arguments of its text form; `None` of another form.
    pub(crate) fn parse(arguments: &[&str]) -> Option<Result<VectorSpace>> {
        let (dimensions, similarity, degrees) = match *arguments {
            [dimensions, similarity] => (dimensions, similarity, None),
            [dimensions, similarity, links, candidates] => {
                (dimensions, similarity, Some((links.parse().ok()?, candidates.parse().ok()?)))
            }
            _ => return None,
        };
        let dimensions = match dimensions {
            "any" => None,
            count => Some(count.parse().ok()?),
        };
        let similarity = match Similarity::named(similarity) {
            Ok(similarity) => similarity,
            Err(error) => return Some(Err(error)),
        };
        let space = VectorSpace::new(dimensions, similarity);
        Some(space.and_then(|space| match degrees {
            Some((links, candidates)) => space.with_degrees(links, candidates),
            None => Ok(space),
        }))
    }

    /// The same, linked otherwise; refused beyond Neo4j's bounds.
    pub fn with_degrees(self, links: u64, candidates: u64) -> Result<VectorSpace> {
        let of = |what: &str, number: u64, max: u16| match u16::try_from(number) {
            Ok(number) if (1..=max).contains(&number) => Ok(number),
            _ => {
                let detail = format!("{what} of a vector index is 1 to {max}, not {number}");
                Err(bad(detail, "leave it out, and it is chosen well for most vectors"))
            }
        };
        let links = of("`vector.hnsw.m`", links, VECTOR_LINKS_MAX)?;
        let candidates = of("`vector.hnsw.ef_construction`", candidates, VECTOR_CANDIDATES_MAX)?;
        Ok(VectorSpace { degrees: GraphDegrees { links, candidates }, ..self })
    }

    /// Vectors of so many dimensions; refused beyond [`VECTOR_DIMENSIONS_MAX`].
    pub fn new(dimensions: Option<u64>, similarity: Similarity) -> Result<VectorSpace> {
        let range = 1..=u64::from(VECTOR_DIMENSIONS_MAX);
        if let Some(count) = dimensions
            && !range.contains(&count)
        {
            let detail =
                format!("a vector has 1 to {VECTOR_DIMENSIONS_MAX} dimensions, not {count}");
            return Err(bad(detail, "make the index of the dimensions that your vectors have"));
        }
        let dimensions = dimensions.and_then(|count| u16::try_from(count).ok());
        Ok(VectorSpace { dimensions, similarity, degrees: GraphDegrees::default() })
    }

    /// Requires numbers to be a vector of this space.
    pub fn check(&self, numbers: &[f32]) -> Result<()> {
        let wanted = self.dimensions.map_or(numbers.len(), usize::from);
        if numbers.len() != wanted {
            let (has, help) =
                (numbers.len(), "each of an index has the length that the index was made for");
            let detail =
                format!("vectors of {wanted} dimensions are wanted, and this one has {has}");
            return Err(bad(detail, help).with_name(LENGTH));
        }
        if numbers.is_empty() || usize::from(VECTOR_DIMENSIONS_MAX) < numbers.len() {
            let (has, max) = (numbers.len(), VECTOR_DIMENSIONS_MAX);
            let detail = format!("a vector has 1 to {max} dimensions, not {has}");
            return Err(
                bad(detail, "leave the property out where there is no vector").with_name(LENGTH)
            );
        }
        if let Some(dimension) = numbers.iter().position(|number| !number.is_finite()) {
            let number = numbers[dimension];
            let detail =
                format!("dimension {dimension} of a vector is {number} in single precision");
            return Err(bad(detail, "each must be a finite number").with_name(NOT_FINITE));
        }
        if self.similarity == Similarity::Cosine && length_of(numbers) == 0.0 {
            let detail = "a vector of zeros has no direction, so no cosine".to_owned();
            let help = "leave it out, or make an index of `euclidean`";
            return Err(bad(detail, help).with_name(NO_DIRECTION));
        }
        Ok(())
    }

    /// The condition of Cypher, without the lists that are no vectors, for values of which [`VectorSpace::check`] says the
    /// same as this error does.
    pub fn unfit_where(&self, value: &str, error: &Error) -> Option<String> {
        let unfit = match error.name? {
            LENGTH => {
                let max = usize::from(VECTOR_DIMENSIONS_MAX);
                match self.dimensions {
                    Some(wanted) => format!("size({value}) <> {wanted}"),
                    None => format!("NOT 0 < size({value}) <= {max}"),
                }
            }
            NOT_FINITE => {
                format!("any(x IN {value} WHERE isNaN(x) OR {:e} < abs(x))", f32::MAX)
            }
            NO_DIRECTION => format!("all(x IN {value} WHERE abs(x) < 1.0e-45)"),
            _ => return None,
        };
        Some(format!(
            "CASE WHEN {value} IS :: LIST<INTEGER NOT NULL | FLOAT NOT NULL> NOT NULL THEN {unfit} END"
        ))
    }

    /// Appends the key of a vector of this space.
    pub fn key_of(&self, numbers: &[f32], key: &mut Vec<u8>) {
        let normalized = self.normalized(numbers);
        key.extend(normalized.iter().flat_map(|number| number.to_le_bytes()));
    }

    /// A search for the vectors nearest to this one.
    pub fn query(&self, numbers: &[f32]) -> Result<VectorQuery> {
        self.check(numbers)?;
        Ok(VectorQuery { numbers: self.normalized(numbers), similarity: self.similarity })
    }

    /// A search for the vectors nearest to the one that has a key.
    pub fn query_of_key(&self, key: &[u8]) -> VectorQuery {
        let number = |bytes: &[u8; 4]| f32::from_le_bytes(*bytes);
        let numbers = key.as_chunks().0.iter().map(number).collect();
        VectorQuery { numbers, similarity: self.similarity }
    }

    /// How near two vectors are that have keys of one length.
    pub fn between(&self, key: &[u8], other: &[u8]) -> f32 {
        let near = match self.similarity {
            Similarity::Cosine | Similarity::DotProduct => sum_of_keys(key, other, |a, b| a * b),
            Similarity::Euclidean => -sum_of_keys(key, other, |a, b| (a - b) * (a - b)),
        };
        if near.is_nan() { f32::NEG_INFINITY } else { near }
    }

    fn normalized(&self, numbers: &[f32]) -> Vec<f32> {
        // A zero is one of two signs, which are equal: the sum with another one has the sign of neither.
        if self.similarity != Similarity::Cosine {
            return numbers.iter().map(|number| number + 0.0).collect();
        }
        let length = length_of(numbers);
        numbers.iter().map(|number| (f64::from(*number) / length) as f32 + 0.0).collect()
    }
}

fn length_of(numbers: &[f32]) -> f64 {
    numbers.iter().map(|own| f64::from(*own) * f64::from(*own)).sum::<f64>().sqrt()
}

fn bad(detail: String, help: &str) -> Error {
    Error::new(ErrorKind::BadInput, detail).with_help(help)
}

/// Names of what is no vector of a space.
const LENGTH: &str = "VectorLength";
const NOT_FINITE: &str = "VectorNotFinite";
const NO_DIRECTION: &str = "VectorWithoutDirection";

/// A vector to which others are compared.
#[derive(Clone, Debug)]
pub struct VectorQuery {
    numbers: Vec<f32>,
    similarity: Similarity,
}

impl VectorQuery {
    /// Bytes of the keys that it compares with.
    pub fn key_bytes(&self) -> usize {
        self.numbers.len() * size_of::<f32>()
    }

    /// How near the vector of a key is: greater is nearer, and no value is NaN. `None` for a vector of another length.
    pub fn nearness(&self, key: &[u8]) -> Option<f32> {
        if key.len() != self.key_bytes() {
            return None;
        }
        let near = match self.similarity {
            Similarity::Cosine | Similarity::DotProduct => product(key, &self.numbers),
            Similarity::Euclidean => -square_distance(key, &self.numbers),
        };
        Some(if near.is_nan() { f32::NEG_INFINITY } else { near })
    }

    /// The score of a nearness, as Neo4j shows it.
    pub fn score(&self, nearness: f32) -> f64 {
        let score = match self.similarity {
            Similarity::Cosine => f32::midpoint(1.0, nearness).clamp(0.0, 1.0),
            Similarity::Euclidean => 1.0 / (1.0 - nearness),
            // Lucene's score of the maximum inner product.
            Similarity::DotProduct if nearness < 0.0 => 1.0 / (1.0 - nearness),
            Similarity::DotProduct => 1.0 + nearness,
        };
        f64::from(score)
    }
}

/// Numbers that are added side by side: the compiler makes vector instructions of them.
const LANES: usize = 16;

/// Adds a function of pairs of numbers, each pair in its lane.
#[inline(always)]
fn add(
    sums: &mut [f32; LANES],
    own: &[f32; LANES],
    other: &[f32; LANES],
    of: impl Fn(f32, f32) -> f32,
) {
    for lane in 0..LANES {
        sums[lane] += of(own[lane], other[lane]);
    }
}

/// The numbers of as many bytes; beyond the bytes they are 0.
#[inline(always)]
fn numbers_of(bytes: &[[u8; 4]]) -> [f32; LANES] {
    std::array::from_fn(|lane| bytes.get(lane).map_or(0.0, |own| f32::from_le_bytes(*own)))
}

#[inline(always)]
fn numbers_of_whole(bytes: &[u8; LANES * 4]) -> [f32; LANES] {
    let numbers = bytes.as_chunks::<4>().0;
    std::array::from_fn(|lane| f32::from_le_bytes(numbers[lane]))
}

/// The sum of a function of pairs of numbers, which is 0 of two zeros.
#[inline(always)]
fn sum(key: &[u8], numbers: &[f32], of: impl Fn(f32, f32) -> f32) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (pieces, rest) = key.as_chunks::<{ LANES * 4 }>();
    let (others, other_rest) = numbers.as_chunks::<LANES>();
    for (piece, other) in pieces.iter().zip(others) {
        add(&mut sums, &numbers_of_whole(piece), other, &of);
    }
    if !rest.is_empty() {
        let other = std::array::from_fn(|lane| other_rest.get(lane).copied().unwrap_or(0.0));
        add(&mut sums, &numbers_of(rest.as_chunks::<4>().0), &other, &of);
    }
    folded(sums)
}

/// The same of two keys.
#[inline(always)]
fn sum_of_keys(key: &[u8], other: &[u8], of: impl Fn(f32, f32) -> f32) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (pieces, rest) = key.as_chunks::<{ LANES * 4 }>();
    let (others, other_rest) = other.as_chunks::<{ LANES * 4 }>();
    for (piece, other) in pieces.iter().zip(others) {
        add(&mut sums, &numbers_of_whole(piece), &numbers_of_whole(other), &of);
    }
    if !rest.is_empty() {
        let (own, other) = (rest.as_chunks::<4>().0, other_rest.as_chunks::<4>().0);
        add(&mut sums, &numbers_of(own), &numbers_of(other), &of);
    }
    folded(sums)
}

/// The sum of all lanes.
fn folded(mut sums: [f32; LANES]) -> f32 {
    let mut width = LANES;
    while 1 < width {
        width /= 2;
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
    }
    sums[0]
}

fn product(key: &[u8], numbers: &[f32]) -> f32 {
    sum(key, numbers, |own, other| own * other)
}

fn square_distance(key: &[u8], numbers: &[f32]) -> f32 {
    sum(key, numbers, |own, other| (own - other) * (own - other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(dimensions: u64, similarity: Similarity) -> VectorSpace {
        VectorSpace::new(Some(dimensions), similarity).expect("in range")
    }

    fn score(similarity: Similarity, one: &[f32], other: &[f32]) -> f64 {
        let space = space(one.len() as u64, similarity);
        let mut key = Vec::new();
        space.key_of(other, &mut key);
        let query = space.query(one).expect("a vector");
        query.score(query.nearness(&key).expect("of one length"))
    }

    #[test]
    fn scores_are_those_of_neo4j() {
        assert_eq!(score(Similarity::Cosine, &[1.0, 0.0], &[1.0, 1.0]), 0.853_553_414_344_787_6);
        assert_eq!(score(Similarity::Cosine, &[1.0, 0.0], &[-3.0, 0.0]), 0.0);
        assert_eq!(score(Similarity::Euclidean, &[0.1], &[0.7]), 0.735_294_163_227_081_3);
        assert_eq!(score(Similarity::Euclidean, &[1e30, 1.0], &[-3e38, 1.0]), 0.0);
        assert_eq!(score(Similarity::DotProduct, &[1.0, 2.0], &[3.0, 4.0]), 12.0);
        assert_eq!(score(Similarity::DotProduct, &[1.0, 2.0], &[-3.0, 0.0]), 0.25);
    }

    #[test]
    fn sums_of_any_length_are_those_of_a_plain_loop() {
        for length in [1, 3, 15, 16, 17, 31, 32, 100, 768, 1_537] {
            let one: Vec<f32> = (0..length).map(|own| (own as f32 * 0.37).sin()).collect();
            let other: Vec<f32> = (0..length).map(|own| (own as f32 * 0.11).cos()).collect();
            let key: Vec<u8> = one.iter().flat_map(|own| own.to_le_bytes()).collect();
            let pairs = || one.iter().zip(&other).map(|(a, b)| (f64::from(*a), f64::from(*b)));
            let plain: f64 = pairs().map(|(a, b)| a * b).sum();
            let distance: f64 = pairs().map(|(a, b)| (a - b) * (a - b)).sum();
            assert!((f64::from(product(&key, &other)) - plain).abs() < 1e-3, "{length}");
            assert!((f64::from(square_distance(&key, &other)) - distance).abs() < 1e-2, "{length}");
        }
    }

    #[test]
    fn what_is_no_vector_of_the_space_is_refused_and_says_why() {
        let cosine = space(2, Similarity::Cosine);
        let refused = |numbers: &[f32]| cosine.check(numbers).expect_err("no vector").detail;
        let lengths = "vectors of 2 dimensions are wanted, and this one has 3";
        assert_eq!(refused(&[1.0, 2.0, 3.0]), lengths);
        assert!(refused(&[1.0, f32::NAN]).contains("dimension 1 of a vector is NaN"));
        assert!(refused(&[f32::INFINITY, 1.0]).contains("dimension 0 of a vector is inf"));
        assert!(refused(&[0.0, 0.0]).contains("zeros"));
        assert!(space(2, Similarity::Euclidean).check(&[0.0, 0.0]).is_ok());
        let any = VectorSpace::new(None, Similarity::Cosine).expect("in range");
        assert!(any.check(&[1.0]).is_ok() && any.check(&[]).is_err());
        assert!(VectorSpace::new(Some(0), Similarity::Cosine).is_err());
        assert!(VectorSpace::new(Some(4_097), Similarity::Cosine).is_err());
        let names = Similarity::named("manhattan").expect_err("unknown").help;
        assert!(names.expect("a list").contains("cosine, euclidean, dot_product"));
    }
}
