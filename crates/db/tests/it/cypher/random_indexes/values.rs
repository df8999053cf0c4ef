//! Values at random, as literals of Cypher and of Gremlin: few of each type, so that conditions find some and just miss
//! others.

use millrace_testkit::Rng;

/// Which values a key has in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Regime {
    Texts,
    Points,
    Numbers,
    Mixed,
}

const LETTERS: [&str; 11] = ["a", "b", "a", "b", "A", "é", "É", "e\u{301}", "ß", "東", "😀"];
const PATTERNS: [&str; 14] =
    [".*", "a", "b", "ab", "[ab]", "a|b", "(ab)+", "é?", "(?i)", "A", ".", "東", "\\\\w", "^a|b$"];

impl Regime {
    pub(super) fn random(rng: &mut Rng) -> Regime {
        *rng.pick(&[Regime::Texts, Regime::Points, Regime::Numbers, Regime::Mixed])
    }

    /// A value, or `null`.
    pub(super) fn value(self, rng: &mut Rng) -> String {
        if rng.chance(0.08) {
            return "null".to_owned();
        }
        match self {
            Regime::Texts => text(rng, 7),
            Regime::Points => point(rng),
            Regime::Numbers => number(rng),
            Regime::Mixed => match rng.below(8) {
                0..=2 => text(rng, 5),
                3 => point(rng),
                4 | 5 => number(rng),
                _ => other(rng),
            },
        }
    }
}

/// A text in quotes.
pub(super) fn text(rng: &mut Rng, length: u64) -> String {
    let letters: String = (0..rng.below(length + 1)).map(|_| *rng.pick(&LETTERS)).collect();
    format!("'{letters}'")
}

/// A regular expression in quotes; some are none.
pub(super) fn pattern(rng: &mut Rng) -> String {
    if rng.chance(0.04) {
        return "'a('".to_owned();
    }
    let parts: String = (0..1 + rng.below(4)).map(|_| *rng.pick(&PATTERNS)).collect();
    format!("'{parts}'")
}

pub(super) fn number(rng: &mut Rng) -> String {
    match rng.below(20) {
        0 => "9007199254740993".to_owned(),
        1 => "-9223372036854775807".to_owned(),
        2 => "1.0e300".to_owned(),
        3 => "(0.0 / 0.0)".to_owned(),
        4 => "(-1.0 / 0.0)".to_owned(),
        5..10 => format!("{}.5", rng.below(9) as i64 - 3),
        _ => (rng.below(12) as i64 - 4).to_string(),
    }
}

/// A value of a rare type.
fn other(rng: &mut Rng) -> String {
    let values = [
        "true",
        "false",
        "[1, 2]",
        "[]",
        "['ab', 'b']",
        "[1.5, 2]",
        "date('2026-01-02')",
        "date('2026-01-03')",
        "datetime('2026-01-01T10:00+01:00')",
        "datetime('2026-01-01T09:00Z')",
        "localdatetime('2026-01-01T09:00')",
        "time('10:00+01:00')",
        "duration('P1M')",
        "duration('P30D')",
    ];
    (*rng.pick(&values)).to_owned()
}

/// A point of one of the reference systems, near others of it; some are at a pole or at the meridian of 180 degrees.
pub(super) fn point(rng: &mut Rng) -> String {
    let mut number = |range: f64| ((rng.unit() - 0.5) * range * 4.0).round() / 4.0;
    let (x, y, z) = (number(4.0), number(4.0), number(2.0));
    let (longitude, latitude) = match rng.below(5) {
        0 => (180.0 - x.abs(), y),
        1 => (-180.0 + x.abs(), y),
        2 => (x * 80.0, 90.0 - y.abs()),
        3 => (x * 80.0, -90.0 + y.abs()),
        _ => (x, y),
    };
    match rng.below(6) {
        0 => format!("point({{x: {x:?}, y: {y:?}}})"),
        1 => format!("point({{x: {x:?}, y: {y:?}, z: {z:?}}})"),
        2..5 => format!("point({{longitude: {longitude:?}, latitude: {latitude:?}}})"),
        _ => format!("point({{longitude: {longitude:?}, latitude: {latitude:?}, height: {z:?}}})"),
    }
}

/// A distance.
pub(super) fn bound(rng: &mut Rng) -> String {
    let bounds =
        ["0", "0.0", "0.5", "1", "1.25", "30000.0", "200000", "1e7", "2.1e7", "-1", "null"];
    match rng.chance(0.03) {
        true => "'far'".to_owned(),
        false => (*rng.pick(&bounds)).to_owned(),
    }
}

/// Words between blanks, for a full-text index; sometimes no text.
pub(super) fn words(rng: &mut Rng) -> String {
    match rng.below(10) {
        0 => "null".to_owned(),
        1 => "7".to_owned(),
        _ => {
            let words: Vec<&str> = (0..rng.below(6)).map(|_| word(rng)).collect();
            format!("'{}'", words.join(" "))
        }
    }
}

pub(super) fn word(rng: &mut Rng) -> &'static str {
    let word: &&'static str = rng.pick(&["ab", "abc", "ba", "cab", "x", "yes"]);
    word
}

/// A vector of three numbers that is not zero.
pub(super) fn vector(rng: &mut Rng) -> String {
    let [x, y] = [0, 1].map(|_| rng.below(7) as i64 - 3);
    format!("[{x}.5, {y}, {}]", rng.below(3))
}
