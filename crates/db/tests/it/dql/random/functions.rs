//! Random functions and filters: of roots, of `@filter` and of `@facets`, over every type of predicate.

use super::graph::{DECIMALS, FLOATS, GERMAN, TEXTS, TIMES, TYPES};
use super::texts::{Kind, Maker};

/// Predicates of edges, with what walks them backwards.
pub(super) const EDGES: [&str; 7] =
    ["friend", "~friend", "boss", "~boss", "likes", "road", "~road"];

const RANGES: [&str; 5] = ["eq", "le", "lt", "ge", "gt"];

impl Maker<'_> {
    /// A condition of `@filter`.
    pub(super) fn filter(&mut self, depth: u64) -> String {
        if 0 < depth && self.rng.chance(0.35) {
            let word = self.pick(&["AND", "OR"]);
            return format!("({} {word} {})", self.filter(depth - 1), self.filter(depth - 1));
        }
        let not = if self.rng.chance(0.15) { "NOT " } else { "" };
        format!("{not}{}", self.function(false))
    }

    /// A function of a root or of a filter.
    pub(super) fn function(&mut self, is_root: bool) -> String {
        match self.rng.below(20) {
            0..=4 => self.comparison(is_root),
            5 | 6 => self.words(),
            7 => self.pattern(),
            8..=10 => {
                let edge = self.pick(&EDGES);
                let predicates = ["name", "name@de", "age", "nick", "plain", "home", "born", edge];
                format!("has({})", self.pick(&predicates))
            }
            11 => format!("type({})", self.pick(&TYPES)),
            12 => {
                let edge = self.pick(&["friend", "~friend", "likes"]);
                let name = self.pick(&RANGES);
                format!("{name}(count({edge}), {})", self.rng.below(3))
            }
            13 => self.geometry(),
            14 if !is_root => {
                let edge = self.pick(&EDGES);
                let nodes = self.uids(1);
                match self.variable_of(Kind::Nodes) {
                    Some(name) if self.rng.chance(0.5) => format!("uid_in({edge}, uid({name}))"),
                    _ => format!("uid_in({edge}, {nodes})"),
                }
            }
            15 if !is_root => match self.variable_of(Kind::Number) {
                Some(name) => {
                    let function = self.pick(&RANGES);
                    format!("{function}(val({name}), {})", self.rng.below(5) as i64 - 1)
                }
                None => self.comparison(is_root),
            },
            16 => match self.variable_of(Kind::Number) {
                Some(name) => format!("eq(age, val({name}))"),
                None => self.comparison(is_root),
            },
            17 | 18 => match self.any_variable() {
                Some(name) => format!("uid({name})"),
                None => format!("uid({})", self.uids(3)),
            },
            _ => format!("uid({})", self.uids(3)),
        }
    }

    fn uids(&mut self, most: u64) -> String {
        let count = 1 + self.rng.below(most);
        let mut all: Vec<String> = (0..count).map(|_| self.uid()).collect();
        all.dedup();
        all.join(", ")
    }

    fn comparison(&mut self, is_root: bool) -> String {
        let without_index = if is_root { "age" } else { "plain" };
        let predicate = self.pick(&[
            "name",
            "name@de",
            "title",
            "age",
            "age",
            "height",
            "worth",
            "born",
            "alive",
            "nick",
            "score",
            without_index,
        ]);
        let is_equal_only = matches!(predicate, "title" | "alive" | "plain");
        let name = if is_equal_only { "eq" } else { self.pick(&RANGES) };
        let is_list = matches!(predicate, "nick" | "score");
        if !is_equal_only && !is_list && self.rng.chance(0.1) {
            let (one, other) = (self.literal(predicate), self.literal(predicate));
            return format!("between({predicate}, {one}, {other})");
        }
        if name == "eq" && self.rng.chance(0.2) {
            let (one, other) = (self.literal(predicate), self.literal(predicate));
            return format!("eq({predicate}, [{one}, {other}])");
        }
        let value = self.literal(predicate);
        format!("{name}({predicate}, {value})")
    }

    /// A value to compare with: at times that of a variable of the query.
    fn literal(&mut self, predicate: &str) -> String {
        let quoted = |text: &str| format!("\"{text}\"");
        let (text, kind) = match predicate {
            "age" | "score" => ((self.rng.below(6) as i64 - 1).to_string(), "int"),
            "height" => (self.pick(&FLOATS).to_owned(), "float"),
            "worth" => (quoted(self.pick(&DECIMALS)), "string"),
            "born" => (quoted(self.pick(&TIMES)), "string"),
            "alive" => (self.rng.chance(0.5).to_string(), "bool"),
            "nick" => (quoted(self.pick(&["an", "dee an", "Zoë"])), "string"),
            "plain" => (quoted(self.pick(&["red", "green", ""])), "string"),
            "name@de" => (quoted(self.pick(&GERMAN)), "string"),
            _ => (quoted(self.pick(&TEXTS)), "string"),
        };
        match self.rng.chance(0.06) {
            true => self.parameter(kind, text),
            false => text,
        }
    }

    fn words(&mut self) -> String {
        let name = self.pick(&["allofterms", "anyofterms", "alloftext", "anyoftext", "ngram"]);
        let predicate = match name {
            "ngram" => "name",
            "alloftext" | "anyoftext" => self.pick(&["name", "name@de"]),
            _ => self.pick(&["name", "name@de", "nick"]),
        };
        let words =
            self.pick(&["dog", "Ann Lee", "dogs run", "the", "an dee", "Hunde", "x zoë", ""]);
        format!("{name}({predicate}, \"{words}\")")
    }

    fn pattern(&mut self) -> String {
        let predicate = self.pick(&["name", "name", "title", "name@de"]);
        if self.rng.chance(0.3) {
            let text = self.pick(&TEXTS);
            return format!("match({predicate}, \"{text}\", {})", 1 + self.rng.below(6));
        }
        let pattern = self.pick(&["ann", "dog", "^Run", "Ann|dogs", "d[aeo]gs?", "ong ro", "und"]);
        format!("regexp({predicate}, /{pattern}/{})", self.pick(&["", "i"]))
    }

    fn geometry(&mut self) -> String {
        let (east, north) = (self.rng.below(4) as f64, self.rng.below(3) as f64);
        let (right, top) = (east + 1.5, north + 1.5);
        let ring = format!(
            "[[[{east}, {north}], [{right}, {north}], [{right}, {top}], [{east}, {top}], [{east}, {north}]]]"
        );
        match self.rng.below(4) {
            0 => format!("near(home, [{east}, {north}], {})", self.pick(&["1000", "150000"])),
            1 => format!("within(home, {ring})"),
            2 => format!("contains(home, [{east}.5, {north}.5])"),
            _ => format!("intersects(home, {ring})"),
        }
    }

    /// A condition of facets.
    pub(super) fn facet_filter(&mut self) -> String {
        let one = |own: &mut Self| match own.rng.below(5) {
            0 => format!("eq(close, {})", own.rng.chance(0.5)),
            1 => format!("{}(stars, {})", own.pick(&RANGES), own.rng.below(4)),
            2 => format!("{}(since, 2012)", own.pick(&["le", "gt", "eq"])),
            3 => "anyofterms(since, \"long\")".to_owned(),
            _ => format!("{}(weight, {})", own.pick(&RANGES), own.pick(&["0.5", "1", "2"])),
        };
        let first = one(self);
        match self.rng.below(5) {
            0 => format!("NOT {first}"),
            1 => format!("{first} AND {}", one(self)),
            2 => format!("{first} OR NOT {}", one(self)),
            _ => first,
        }
    }
}
