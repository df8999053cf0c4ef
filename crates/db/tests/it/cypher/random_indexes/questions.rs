//! Questions at random, in Cypher: conditions that an index may answer, combined; orders, pages and extremes; also by
//! values of other rows.

use millrace_testkit::Rng;

use super::values::{Regime, bound, number, pattern, point, text, vector, word, words};
use super::world::Step;

/// Makes questions and conditions about `n`.
pub(super) struct Questions<'a> {
    pub(super) rng: &'a mut Rng,
    pub(super) regime: Regime,
    /// Whether the value of a row, `x`, may stand for a literal.
    pub(super) has_rows: bool,
}

const PATTERNS: [&str; 14] = [
    "(n:P)",
    "(n:P)",
    "(n:P)",
    "(n:P)",
    "(n:P)",
    "(n:P)",
    "(n:Q)",
    "(n:P:Q)",
    "(n:P|Q)",
    "(n)",
    "(n:P&!Q)",
    "()-[n:R]->()",
    "()-[n:R]->()",
    "()-[n:R|S]-()",
];

impl Questions<'_> {
    fn of(&mut self, words: &[&'static str]) -> &'static str {
        let word: &&'static str = self.rng.pick(words);
        word
    }

    fn literal(&mut self, is_of: fn(&mut Rng) -> String) -> String {
        match self.has_rows && self.rng.chance(0.6) {
            true => "x".to_owned(),
            false if self.rng.chance(0.05) => self.regime.value(self.rng),
            false => is_of(self.rng),
        }
    }

    fn value(&mut self) -> String {
        match self.has_rows && self.rng.chance(0.6) {
            true => "x".to_owned(),
            false => self.regime.value(self.rng),
        }
    }

    /// A condition about `n`.
    pub(super) fn condition(&mut self, depth: u32) -> String {
        if depth != 0 && self.rng.chance(0.35) {
            let (one, other) = (self.condition(depth - 1), self.condition(depth - 1));
            return match self.rng.below(9) {
                0..=4 => format!("({one} AND {other})"),
                5..=6 => format!("({one} OR {other})"),
                7 => format!("NOT ({one})"),
                _ => format!("({one} XOR {other})"),
            };
        }
        match (self.regime, self.rng.below(12)) {
            (Regime::Texts, 0..=6) => self.of_text(),
            (Regime::Points, 0..=6) => self.of_point(),
            (Regime::Numbers, 0..=6) => self.of_value(),
            (_, 0..=2) => self.of_text(),
            (_, 3..=4) => self.of_point(),
            (_, 5..=8) => self.of_value(),
            _ => self.of_others(),
        }
    }

    fn of_text(&mut self) -> String {
        let part = |rng: &mut Rng| text(rng, 6);
        match self.rng.below(6) {
            0 | 1 => format!("n.v CONTAINS {}", self.literal(part)),
            2 => format!("n.v STARTS WITH {}", self.literal(part)),
            3 => format!("n.v ENDS WITH {}", self.literal(part)),
            4 => format!("n.v =~ {}", pattern(self.rng)),
            _ => format!("n.v {} {}", self.of(&["=", "<", ">=", "<>"]), self.literal(part)),
        }
    }

    fn of_point(&mut self) -> String {
        let sign = self.of(&["<", "<=", "<", "<=", ">", ">=", "="]);
        match self.rng.below(6) {
            0 | 1 => {
                let (centre, bound) = (self.literal(point), bound(self.rng));
                format!("point.distance(n.v, {centre}) {sign} {bound}")
            }
            2 => {
                let (centre, bound) = (self.literal(point), bound(self.rng));
                format!("{bound} {sign} point.distance({centre}, n.v)")
            }
            3 | 4 => {
                let (low, high) = (self.literal(point), self.literal(point));
                format!("point.withinBBox(n.v, {low}, {high})")
            }
            _ => format!("n.v {} {}", self.of(&["=", "<>", "<", ">"]), self.literal(point)),
        }
    }

    fn of_value(&mut self) -> String {
        let sign = self.of(&["<", "<=", ">", ">=", "=", "<>", "="]);
        match self.rng.below(7) {
            0 => format!("n.v IN [{}, {}, {}]", self.value(), self.value(), self.value()),
            1 => format!("{} {sign} n.v", self.value()),
            2 => format!("{} <= n.v < {}", self.value(), self.value()),
            _ => format!("n.v {sign} {}", self.value()),
        }
    }

    fn of_others(&mut self) -> String {
        match self.rng.below(12) {
            0 => "n.v IS NULL".to_owned(),
            1 | 2 => "n.v IS NOT NULL".to_owned(),
            3 => format!("n.a = {}", self.rng.below(3)),
            4 => format!("n.a IN [0, {}]", self.rng.below(3)),
            5 => format!("n.w CONTAINS '{}'", word(self.rng)),
            6 => format!("n.i {} {}", self.of(&["<", ">", "="]), self.rng.below(40)),
            7 => "n.v = n.w".to_owned(),
            8 => format!("n.w = {}", words(self.rng)),
            9 => format!("n.a = {} AND n.v > {}", self.rng.below(3), self.value()),
            10 if self.rng.chance(0.3) => self.of_fallible(),
            _ => format!("n.u = {}", number(self.rng)),
        }
    }

    /// One that fails for values of some types.
    fn of_fallible(&mut self) -> String {
        let conditions =
            ["size(n.v) > 2", "toUpper(n.v) = 'AB'", "n.v IN n.w", "n.v + 1 > 2", "n.v"];
        self.of(&conditions).to_owned()
    }

    /// A question.
    pub(super) fn question(&mut self) -> Step {
        self.has_rows = self.rng.chance(0.3);
        let rows = match self.has_rows {
            true => {
                let values: Vec<String> =
                    (0..1 + self.rng.below(4)).map(|_| self.regime.value(self.rng)).collect();
                match self.rng.chance(0.7) {
                    true => format!("UNWIND [{}] AS x ", values.join(", ")),
                    false => format!(
                        "MATCH (m:{}) WHERE m.i < {} WITH m.v AS x ",
                        self.of(&["P", "Q"]),
                        self.rng.below(20)
                    ),
                }
            }
            false => String::new(),
        };
        let (pattern, condition) = (self.of(&PATTERNS), self.condition(2));
        let text = match self.rng.below(14) {
            0 => format!(
                "{rows}OPTIONAL MATCH {pattern} WHERE {condition} RETURN n.i AS i ORDER BY i"
            ),
            1 if self.has_rows => format!(
                "{rows}RETURN EXISTS {{ MATCH {pattern} WHERE {condition} }} AS e, \
                 COUNT {{ MATCH {pattern} WHERE {condition} }} AS c ORDER BY c"
            ),
            _ => format!("{rows}MATCH {pattern} WHERE {condition} {}", self.result()),
        };
        Step::Same { language: "cypher", text, is_ordered: true }
    }

    fn result(&mut self) -> String {
        let (direction, count) = (self.of(&["", " DESC"]), 1 + self.rng.below(9));
        let skip = self.of(&["", " SKIP 1", " SKIP 3"]);
        match self.rng.below(9) {
            0 => "RETURN count(*)".to_owned(),
            1 => "RETURN min(n.v)".to_owned(),
            2 => "RETURN max(n.v)".to_owned(),
            3 | 4 => format!("RETURN n.i, n.v ORDER BY n.v{direction}, n.i{skip} LIMIT {count}"),
            5 => format!("WITH n ORDER BY n.a, n.v{direction}, n.i LIMIT {count} RETURN n.i, n.v"),
            _ => "RETURN n.i AS i ORDER BY i".to_owned(),
        }
    }

    /// All that the graph has.
    pub(super) fn everything() -> Step {
        let text =
            "MATCH (n) RETURN n.i AS i, n:P, n:Q, n.v, n.w, n.e, COUNT { (n)-->() } ORDER BY i";
        Step::Same { language: "cypher", text: text.to_owned(), is_ordered: true }
    }

    /// A search by words or for the nearest, and the same as a plain question.
    pub(super) fn search(&mut self) -> Step {
        if self.rng.chance(0.4) {
            let (query, count) = (vector(self.rng), 1 + self.rng.below(12));
            // Sums in another order differ in the last digits; no score is at the edge of such a step.
            let score = "toInteger(s * 7919.13 + 0.037) AS s";
            return Step::Search {
                asked: format!(
                    "CALL db.index.vector.queryNodes('near', {count}, {query}) YIELD score \
                     WITH score AS s RETURN {score} ORDER BY s DESC"
                ),
                plain: format!(
                    "MATCH (n:P) WHERE n.e IS NOT NULL WITH vector.similarity.cosine(n.e, {query}) \
                     AS s ORDER BY s DESC LIMIT {count} RETURN {score} ORDER BY s DESC"
                ),
            };
        }
        let (one, other) = (word(self.rng), word(self.rng));
        let has = |word: &str| format!("'{word}' IN split(n.w, ' ')");
        let begins = format!("any(word IN split(n.w, ' ') WHERE word STARTS WITH '{}')", &one[..1]);
        let (query, condition) = match self.rng.below(8) {
            0 => (format!("{one} {other}"), format!("{} OR {}", has(one), has(other))),
            1 => (format!("+{one} +{other}"), format!("{} AND {}", has(one), has(other))),
            2 => (format!("{one} AND {other}"), format!("{} AND {}", has(one), has(other))),
            3 => (format!("{one} -{other}"), format!("{} AND NOT {}", has(one), has(other))),
            4 => (format!("{}*", &one[..1]), begins),
            5 => (
                format!("\\\"{one} {other}\\\""),
                format!("(' ' + n.w + ' ') CONTAINS ' {one} {other} '"),
            ),
            6 => ("*:*".to_owned(), "true".to_owned()),
            _ => (one.to_owned(), has(one)),
        };
        Step::Search {
            asked: format!(
                "CALL db.index.fulltext.queryNodes('words', \"{query}\") YIELD node AS n \
                 RETURN n.i AS i ORDER BY i"
            ),
            plain: format!(
                "MATCH (n:P|Q) WHERE n.w IS :: STRING NOT NULL AND ({condition}) \
                 RETURN n.i AS i ORDER BY i"
            ),
        }
    }
}
