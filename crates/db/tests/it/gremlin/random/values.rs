//! Literals and predicates.

use super::generate::Maker;
use super::graph::{NUMBERS, TEXTS};
use super::sight::Kind;
use super::text::{Argument, text};

impl Maker<'_> {
    /// A few values of a kind to inject.
    pub(super) fn literals(&mut self) -> (Vec<Argument>, Kind) {
        let (choices, kind): (&[&str], Kind) = match self.rng.below(8) {
            0..=2 => (&NUMBERS, Kind::Number),
            3 => (&TEXTS, Kind::Text),
            4 => (&["[1, 2, 1]", "['a', 'b']", "[]", "[1, 'a', null]", "{1, 2}"], Kind::List),
            5 => (&["['a': 1]", "['a': 2, 'b': 'x']", "[:]"], Kind::Map),
            6 => (
                &["datetime('2020-01-01T00:00:00Z')", "datetime('2021-02-03T04:05:06+01:00')"],
                Kind::Timestamp,
            ),
            _ => (&["1", "'a'", "true", "null", "[1]"], Kind::Any),
        };
        let count = 1 + self.rng.below(4);
        ((0..count).map(|_| text(self.one_of(choices))).collect(), kind)
    }

    /// A value of a kind as a literal.
    pub(super) fn literal(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Number => (self.one_of(&NUMBERS)).to_owned(),
            Kind::Text => (self.one_of(&TEXTS)).to_owned(),
            Kind::Vertex | Kind::Edge => self.id(),
            Kind::List => (self.one_of(&["[1, 2]", "['a']", "[]"])).to_owned(),
            _ => (self.one_of(&["1", "'a'", "true", "null", "0.1d"])).to_owned(),
        }
    }

    /// A predicate on values of a kind.
    pub(super) fn predicate(&mut self, kind: Kind) -> String {
        let kind = if self.rng.chance(0.05) { Kind::Any } else { kind };
        match self.rng.below(16) {
            0 => {
                let (left, right) = (self.predicate(kind), self.predicate(kind));
                let joint = self.one_of(&["and", "or"]);
                return format!("{left}.{joint}({right})");
            }
            1 => return format!("P.not({})", self.predicate(kind)),
            2 => {
                let types = ["NUMBER", "INT", "STRING", "VERTEX", "LIST", "DOUBLE", "NULL"];
                return format!("P.typeOf(GType.{})", self.one_of(&types));
            }
            _ => {}
        }
        if kind == Kind::Text && self.rng.chance(0.5) {
            let names = [
                "startingWith",
                "notStartingWith",
                "endingWith",
                "containing",
                "notContaining",
                "regex",
                "notRegex",
            ];
            if self.rng.chance(0.4) {
                let test = self.one_of(&[
                    "Contains",
                    "ContainsPrefix",
                    "ContainsFuzzy",
                    "Prefix",
                    "Regex",
                    "Fuzzy",
                ]);
                let not = self.one_of(&["", "Not"]);
                return format!("text{not}{test}('{}')", self.one_of(&["a", "ab", "b a", "abc"]));
            }
            let name = self.one_of(&names);
            return format!("TextP.{name}('{}')", self.one_of(&["a", "b", "", "ab"]));
        }
        let one = |maker: &mut Self| maker.literal(kind);
        match self.rng.below(10) {
            0..=4 => {
                let name = self.one_of(&["eq", "neq", "lt", "lte", "gt", "gte"]);
                format!("P.{name}({})", one(self))
            }
            5 | 6 => {
                let name = self.one_of(&["between", "inside", "outside"]);
                format!("P.{name}({}, {})", one(self), one(self))
            }
            _ => {
                let name = self.one_of(&["within", "without"]);
                let count = self.rng.below(4);
                let all: Vec<String> = (0..count).map(|_| one(self)).collect();
                format!("P.{name}({})", all.join(", "))
            }
        }
    }

    /// The kind of a key's values.
    pub(super) fn kind_of_key(key: &str) -> Kind {
        if key == "s" { Kind::Text } else { Kind::Number }
    }
}
